"""A candidate that contradicts several accepted memories: every command that is named works."""

from __future__ import annotations

import pytest

from tests.cli.program import Program
from tests.cli.test_curation import status
from tests.cli.waiting import propose
from tests.requirements import requirement

STANDING = ("Tokens rotate on every use.", "Tokens always rotate on each use by clients.")


@pytest.fixture
def olds(program: Program) -> list[str]:
    return [program("remember", "--because", "I", claim).well().id for claim in STANDING]


@pytest.fixture
def new(program: Program, olds: list[str]) -> str:
    assert len(olds) == 2
    return propose(program, "Tokens never rotate on use.", "--source", "bot")


def one_pair(new: str, olds: list[str]) -> list[str]:
    """Return the commands that would replace one and leave the other: they are refused."""
    return [f"holdfast resolve {new} {old} --supersede" for old in olds]


@requirement("curation.conflicts-block")
def test_a_refusal_names_all_conflicts_and_a_command_that_works(
    program: Program, olds: list[str], new: str
) -> None:
    refused = [
        program("approve", new),
        *(program("resolve", new, old, "--supersede") for old in olds),
    ]
    program("resolve", new, "--supersede").well()

    for answer in refused:
        assert answer.code == 4
        assert all(old in answer.err for old in olds)
        assert f"holdfast resolve {new} (with --supersede or --keep-old);" in answer.err
        assert not [words for words in one_pair(new, olds) if words in answer.err]
    assert [status(program, one) for one in (*olds, new)] == ["superseded"] * 2 + ["accepted"]


@requirement("curation.conflicts-block")
@pytest.mark.parametrize("verb", [("conflicts",), ("conflicts", "--limit", "1"), ("review",)])
def test_what_lists_conflicts_names_commands_that_work(
    program: Program, olds: list[str], new: str, verb: tuple[str, ...]
) -> None:
    out = program(*verb).well().out

    assert f"holdfast resolve {new} (with --supersede or --keep-old)\n" in out
    assert [
        old for old in olds if f"holdfast resolve {new} {old} (with --keep-both or --merge" in out
    ]
    assert not [words for words in one_pair(new, olds) if words in out]


def test_a_new_claim_is_told_of_commands_that_work(program: Program, olds: list[str]) -> None:
    told = program("remember", "--because", "x", "Tokens never rotate on use.",
                   env={"HOLDFAST_ORIGIN": "agent"}).well()  # fmt: skip

    assert f"resolve all of them: holdfast resolve {told.id} (with --supersede or " in told.err
    for old in olds:
        assert f"holdfast resolve {told.id} {old} (with --keep-both or --merge TEXT)" in told.err
    assert not [words for words in one_pair(told.id, olds) if words in told.err]


def test_approving_all_names_every_conflict_that_is_left(
    program: Program, olds: list[str], new: str
) -> None:
    left = program("approve", "--all", "--yes").well().err

    assert all(f"{new} contradicts {old}" in left for old in olds)


@requirement("curation.key-stays")
def test_the_successor_has_the_key_and_undo_gives_it_back(program: Program) -> None:
    program("remember", "--because", "I", "--key", "lint-tool", "Use ruff for linting.").well()
    new = propose(program, "Use flake8 for linting.", "--source", "bot")

    told = program("resolve", new, "--supersede").well().err
    kept = program("show", "lint-tool").well().out
    program("undo").well()
    back = program("show", "lint-tool").well().out

    assert "does not have the key" not in told
    assert "Use flake8 for linting." in kept
    assert "Use ruff for linting." in back


def test_a_second_key_is_told(program: Program) -> None:
    for key, claim in (("lint-tool", "Use ruff for linting."), ("style", "Use ruff for linting!")):
        program("remember", "--because", "I", "--key", key, claim).well()
    new = propose(program, "Use flake8 for linting.", "--source", "bot")

    told = program("resolve", new, "--supersede").well()

    assert "does not have the key of what it replaced: " in told.err


@pytest.mark.parametrize("key", [("--key", "lint-tool"), ()])
def test_nothing_is_told_of_keys_where_none_was_lost(
    program: Program, key: tuple[str, ...]
) -> None:
    program("remember", "--because", "I", *key, "Use ruff for linting.").well()
    new = propose(program, "Use flake8 for linting.", *key, "--source", "bot")

    assert "does not have the key" not in program("resolve", new, "--supersede").well().err
