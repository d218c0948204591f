"""No text that somebody else wrote makes the rules about wording run away.

A regular expression holds the interpreter, so one that backtracks stops a whole server. Each entry
reads texts of many repetitions; four times the text may take a little more than four times as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from time import process_time

import pytest

from holdfast.domain.checks.manifests import listed
from holdfast.domain.exchange.foreign import cut_note
from holdfast.domain.gates.hidden import make_visible
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.memory.followed_names import followed_names
from holdfast.domain.memory.naming import asked_names, mentions_in
from holdfast.domain.recall.question import references_in, terms_of
from holdfast.domain.recall.relevance import is_misspelt
from holdfast.domain.review.anchored_claims import unanchored
from holdfast.domain.sessions.alerting import Caution, sureness
from holdfast.domain.sessions.labelled_text import turns_of
from holdfast.domain.sessions.tool_action import doing
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.domain.text.fencing import without_injected
from holdfast.domain.text.languages import language_of
from holdfast.domain.text.managed import find_block
from holdfast.domain.text.paragraphs import paragraphs
from holdfast.domain.text.word_diff import word_diff
from holdfast.heuristics.change_words import changed_things
from holdfast.heuristics.conflict.judging import judged
from holdfast.heuristics.extraction.extracting import extract
from holdfast.heuristics.intent import asks_agent_words, is_task
from holdfast.heuristics.junk.scoring import junk
from holdfast.heuristics.plain_claims import doubts
from holdfast.heuristics.planning.interpreting import interpret
from tests.requirements import requirement

LENGTH = 1_500
WORTH_MEASURING = 0.1
MOST_TIMES_LONGER = 10
SIGNS = (
    *(".", "!", "?", "…", "a", "A", " ", "-", "a.", "a-", "a/", "a:", "(", "[", "`", "*", "_"),
    *("\n", "\t", "a b ", "0", "0.", "http://", "@", "a@", "'", '"', "<", "<a>", "|", "#", "../"),
    *("- a\n", "> ", "a, ", "not ", "Aa", "::", "a=", "; ", "/", "\\", "$", "~~~\n", "```\n"),
    *("\n ", " \n", "\r\n", "a`", "`a", "[a](", "key=", "--a ", ".!", "-_", "é", "1,"),
    *("please ", "remember the ", "- remember that, "),
)


def said(text: str, speaker: Speaker) -> Transcript:
    turns = (Turn(number=1, speaker=speaker, text=text), Turn(number=2, speaker=speaker, text=text))
    return Transcript(tool="a tool", session="s", turns=turns)


def warns(text: str) -> int:
    caution = Caution(memory="m_1", kind="rule", claim=f"Never run `make all` {text}")
    return sureness(caution, doing("Bash", {"command": f"make {text}"}, folder="/a", root="/a"))


ENTRIES: dict[str, Callable[[str], object]] = {
    "extraction of a person": lambda text: extract(said(text, Speaker.USER)),
    "extraction of an assistant": lambda text: extract(said(text, Speaker.ASSISTANT)),
    "labelled text": turns_of,
    "junk": junk,
    "conflict": lambda text: judged(f"We use {text}", f"We never use {text}", None),
    "plain claims": doubts,
    "changes": changed_things,
    "task": is_task,
    "asked of an agent": asks_agent_words,
    "intent": lambda text: interpret({"intent": text}),
    "warnings": warns,
    "secrets": find_secrets,
    "hidden signs": make_visible,
    "terms": terms_of,
    "references": references_in,
    "mentions": mentions_in,
    "asked names": asked_names,
    "followed names": followed_names,
    "misspelt": lambda text: is_misspelt(text, text[::-1]),
    "cited lines": lambda text: unanchored("A claim.", [text]),
    "manifest": lambda text: listed("go.mod", text),
    "language": language_of,
    "fences": without_injected,
    "managed block": find_block,
    "paragraphs": lambda text: paragraphs("a.md", text),
    "difference": lambda text: word_diff(text, f"{text} a"),
    "notes": cut_note,
}


def seconds(entry: Callable[[str], object], text: str) -> float:
    begun = process_time()
    found = entry(text)
    if isinstance(found, Iterator):
        list(chain(found))
    return process_time() - begun


@requirement("gate.search-is-bounded")
@pytest.mark.parametrize("name", ENTRIES)
def test_four_times_the_text_takes_about_four_times_as_long(name: str) -> None:
    entry = ENTRIES[name]
    for sign in SIGNS:
        short, long = (sign * (length // len(sign)) for length in (LENGTH, 4 * LENGTH))
        # The texts differ a little each time, because some entries remember their answers.
        taken = seconds(entry, f"{long}b")
        if taken > WORTH_MEASURING:
            taken = min(taken, *(seconds(entry, long + end) for end in "cd"))
            before = max(seconds(entry, short + end) for end in "bcd")
            assert taken < MOST_TIMES_LONGER * before or taken < WORTH_MEASURING, repr(sign)


@requirement("gate.search-is-bounded")
@pytest.mark.parametrize("sign", [".", "!", "?", "…", ".!", ". ", "a. "])
def test_a_summary_of_many_marks_is_read_at_once(sign: str) -> None:
    assert extract(said(sign * (60_000 // len(sign)), Speaker.ASSISTANT)) == ()


def least(entry: Callable[[str], object], texts: list[str]) -> float:
    """Return the seconds of the quickest of several texts of one form."""
    return min(seconds(entry, text) for text in texts)


@requirement("gate.search-is-bounded")
def test_marks_before_a_claim_cost_about_as_much_as_words() -> None:
    words = least(junk, [f"{'a b ' * 500}{number}" for number in range(3)])

    for sign in ("; ", "> ", "* ", "note "):
        marks = [f"{sign * (2_000 // len(sign))}{number}" for number in range(3)]
        assert least(junk, marks) < 25 * words, repr(sign)


@requirement("gate.search-is-bounded")
def test_four_times_the_turns_take_about_four_times_as_long() -> None:
    def extracted(count: str) -> object:
        turns = tuple(
            Turn(
                number=number,
                speaker=Speaker.USER,
                text=f"From now on, never use cache{number} in queue{number}, because it breaks.",
            )
            for number in range(1, int(count) + 1)
        )
        return extract(Transcript(tool="a tool", session="s", turns=turns))

    assert least(extracted, ["1200"] * 3) < 6 * least(extracted, ["300"] * 3)
