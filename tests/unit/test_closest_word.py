"""Which known word a mistyped one is taken for."""

from __future__ import annotations

import pytest

from holdfast.surfaces.cli.values import closest

VERBS = ("session", "task add", "recall", "remember", "review")
TASKS = ("task add", "task reopen", "task ready")
OPTIONS = ("--folder", "--budget", "--all-branches")


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("recal", VERBS, "recall"),
        ("remeber", VERBS, "remember"),
        ("version", VERBS, None),
        ("task ad", TASKS, "task add"),
        ("task frob", TASKS, None),
        ("--buget", OPTIONS, "--budget"),
        ("--all-branch", OPTIONS, "--all-branches"),
        ("--format", OPTIONS, None),
        ("x", (), None),
    ],
)
def test_only_a_similar_word_is_suggested(
    word: str, known: tuple[str, ...], meant: str | None
) -> None:
    assert closest(word, known) == meant
