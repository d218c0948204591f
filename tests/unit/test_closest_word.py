"""Which known word a mistyped one is taken for."""

from __future__ import annotations

import pytest

from holdfast.surfaces.cli.unknown_words import UnknownWordError
from holdfast.surfaces.cli.values import closest

VERBS = ("session", "task", "recall", "remember", "review")
TASKS = ("task add", "task reopen", "task ready")
OPTIONS = ("--folder", "--budget", "--all-branches")


@pytest.mark.parametrize(
    ("word", "known", "meant"),
    [
        ("recal", VERBS, "recall"),
        ("remeber", VERBS, "remember"),
        ("version", VERBS, None),
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


@pytest.mark.parametrize(("word", "meant"), [("task ad", "task add"), ("task frob", None)])
def test_the_name_of_a_group_makes_no_two_subcommands_similar(word: str, meant: str | None) -> None:
    refused = UnknownWordError(
        what="verb", word=word, known=TASKS, help_with="holdfast help task", group="task "
    )

    assert refused.facts["meant"] == meant


@pytest.mark.parametrize(
    ("word", "meant"), [("comp", "completion"), ("co", None), ("con", None), ("conf", "config")]
)
def test_the_start_of_one_word_alone_means_that_word(word: str, meant: str | None) -> None:
    known = ("completion", "config", "conflicts", "connect") if word != "conf" else ("config", "x")

    refused = UnknownWordError(what="verb", word=word, known=known, help_with="holdfast help")

    assert refused.facts["meant"] == meant


@pytest.mark.parametrize(
    ("word", "instead"),
    [
        ("backup", "holdfast export"),
        ("restore", "holdfast import"),
        ("upgrade", "newer Holdfast"),
        ("tag", "holdfast remember --tag"),
        ("label", "holdfast pin ID --label"),
        ("rename", "holdfast verify"),
        ("move", "holdfast verify"),
    ],
)
def test_a_verb_that_people_expect_is_answered_with_what_does_its_work(
    word: str, instead: str
) -> None:
    refused = UnknownWordError(what="verb", word=word, known=("store",), help_with="holdfast help")

    assert instead in str(refused)
    option = UnknownWordError(what="option", word=word, known=("store",), help_with="holdfast help")
    assert instead not in str(option)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("search", "recall"),
        ("ls", "list"),
        ("rm", "forget"),
        ("accept", "approve"),
        ("--why", "--because"),
        ("clean", None),
        ("merge", None),
        ("supersede", None),
        ("log", None),
        ("frobnicate", None),
    ],
)
def test_a_word_of_other_programs_is_taken_for_the_word_here(word: str, meant: str | None) -> None:
    known = ("recall", "list", "forget", "approve", "learn", "merge-file", "supervise", "--because")

    refused = UnknownWordError(what="verb", word=word, known=known, help_with="holdfast help")

    assert refused.facts["meant"] == meant


def test_a_word_of_other_programs_is_looked_for_in_its_group() -> None:
    refused = UnknownWordError(
        what="verb",
        word="task rm",
        known=("task add", "task delete"),
        help_with="holdfast help task",
        group="task ",
    )

    assert refused.facts["meant"] == "task delete"


@pytest.mark.parametrize(
    ("verb", "option", "instead"),
    [
        ("recall", "--all", "holdfast list --all"),
        ("edit", "--ttl", "say its claim again"),
        ("edit", "--key", "holdfast resolve NEW OLD --supersede"),
    ],
)
def test_an_option_that_people_expect_of_a_verb_is_answered_too(
    verb: str, option: str, instead: str
) -> None:
    known = ("--all-branches", "--claim")

    refused = UnknownWordError(
        what="option", word=option, known=known, help_with=f"holdfast {verb} --help"
    )

    assert instead in str(refused)
    assert refused.facts["meant"] is None
