"""The text of a session's file and of the repository's state: names, and merges."""

from __future__ import annotations

import json

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.domain.exchange.cache_shape import cache_from_json, cache_json
from holdfast.domain.sessions.session_file import merged_state, session_file_name
from tests.builders import a_session, a_session_cache
from tests.requirements import requirement


@requirement("session.files")
@pytest.mark.parametrize(
    "branch",
    [
        *("main", "feature/login", "../../etc/passwd", "zweig/größe", "a b\tc", "-.-", ".hidden"),
        *("x" * 5_000, "\N{SNOWMAN}", "con\u202egnp", None),
    ],
)
def test_every_branch_has_a_safe_and_short_file_name(branch: str | None) -> None:
    name = session_file_name(a_session(branch=branch))

    assert name.isascii()
    assert name.startswith("20")
    assert name.endswith(".json")
    assert "/" not in name
    assert " " not in name
    assert len(name) < 120


@requirement("session.files")
def test_branches_that_look_alike_have_their_own_names() -> None:
    alike = ["a/b", "a-b", "a b", "a\\b", "x" * 70, "x" * 71, "\N{SNOWMAN}", "\N{COMET}"]
    names = {session_file_name(a_session(branch=branch)) for branch in alike}
    assert len(names) == len(alike)


def state(*notes: dict[str, object], **more: object) -> bytes:
    return json.dumps({"goals": list(notes), "milestones": [], **more}).encode()


def goal(name: str, text: str, **more: object) -> dict[str, object]:
    return {"id": name, "text": text, "open": True, **more}


def goals(content: bytes | None) -> list[tuple[str, str]]:
    assert content is not None
    return [(str(one.get("id", "")), one["text"]) for one in json.loads(content)["goals"]]


@requirement("session.files")
def test_two_versions_merge_note_by_note() -> None:
    base = state(goal("a", "A"), goal("b", "B"), goal("c", "C"), goal("d", "D"), goal("e", "E"))
    ours = state(goal("a", "A1"), goal("b", "B"), goal("d", "D1"), goal("e", "E"), goal("n", "N"))
    theirs = state(
        goal("a", "A"), goal("b", "B2", proposed=True), goal("c", "C"), goal("d", "D2"),
        {"text": "new", "open": True},
    )  # fmt: skip

    merged = goals(merged_state(base, ours, theirs))

    assert merged == [("a", "A1"), ("b", "B2"), ("d", "D1"), ("", "D2"), ("n", "N"), ("", "new")]


@requirement("session.files")
def test_an_edit_outlives_a_removal() -> None:
    base = state(goal("a", "A"), goal("b", "B"))
    assert goals(merged_state(base, state(), state(goal("a", "A2"), goal("b", "B")))) == [
        ("a", "A2")
    ]
    assert goals(merged_state(base, state(goal("a", "A1")), state())) == [("a", "A1")]
    assert goals(merged_state(b"", state(goal("a", "A")), state(goal("b", "B")))) == [
        ("a", "A"),
        ("b", "B"),
    ]


@pytest.mark.parametrize("other", [b"# a page", b"\xff", b'{"session": "i_1"}', b"[]"])
def test_what_is_no_state_is_not_merged(other: bytes) -> None:
    assert merged_state(state(), other, state()) is None


def test_a_session_of_an_earlier_release_has_no_tombstones() -> None:
    shape = dict(cache_json(a_session_cache()))
    for name in ("unsaid", "said_last"):
        shape.pop(name, None)

    read = cache_from_json(shape)

    assert (read.unsaid, read.said_last) == ((), 0)


def test_a_fork_must_name_a_session_and_a_turn() -> None:
    shape = {**cache_json(a_session_cache()), "forked_from": ["i_1"]}
    with pytest.raises(BadFieldError, match="a session and a turn"):
        cache_from_json(shape)
