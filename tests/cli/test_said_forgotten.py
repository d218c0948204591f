"""Forgetting and protecting a memory, where sessions say it in nearly the same words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.requirements import requirement

CLAIM = "The vault opens with the word Zwiebelkuchen."
SAME = "THE VAULT opens with: the word (Zwiebelkuchen)!"
NEAR = "So the word that opens our vault is Zwiebelkuchen, right?"
OTHER = "The lunch was onion soup again today."


@requirement("encryption.protect-wordings")
@pytest.mark.parametrize("verb", ["protect", "forget"])
def test_what_was_said_in_nearly_the_same_words_is_removed_or_named(
    program: Program, tmp_path: Path, verb: str
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    person("init", "--no-model").well()
    person("key", "create").well()
    name = person("remember", "--because", "Seen.", CLAIM).well().id
    session = str(person("session", "start", "--json").well().json["session"]["id"])
    for words in (CLAIM, SAME, NEAR, OTHER):
        person("session", "say", session, words).well()
    short = str(person("session", "said", session, "--json").well().json["turns"][0]["session"])

    dry = person(verb, name, "--dry-run").well().out
    done = person(verb, name, "--yes").well()

    said = person("session", "said", session, "--json").well().json["turns"]
    assert [one["text"] for one in said] == ["[forgotten]", "[forgotten]", NEAR, OTHER]
    for out in (dry, done.out):
        assert f"the turn {short}/3" in out
        assert not any(f"the turn {short}/{number}" in out for number in (1, 2, 4))
    assert "session unsay SESSION --turn N" in done.err


def test_many_places_with_nearly_the_same_words_are_counted(program: Program) -> None:
    program("init", "--no-model").well()
    name = program("remember", "--because", "Seen.", CLAIM).well().id
    session = str(program("session", "start", "--json").well().json["session"]["id"])
    for number in range(12):
        program("session", "say", session, f"{NEAR} For the {number}th time?").well()

    done = program("forget", name, "--yes").well().out

    assert done.count("the turn ") == 10
    assert "and 2 more; --json lists all" in done


def test_a_long_claim_is_found_by_its_beginning(program: Program) -> None:
    program("init", "--no-model").well()
    claim = " ".join(f"word{number}" for number in range(60))
    name = program("remember", "--because", "Seen.", claim).well().id
    session = str(program("session", "start", "--json").well().json["session"]["id"])
    program("session", "say", session, f"Listen: {claim.upper()} and more").well()

    program("forget", name, "--yes").well()

    said = program("session", "said", session, "--json").well().json["turns"]
    assert said[0]["text"] == "[forgotten]"
