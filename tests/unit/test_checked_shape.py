from __future__ import annotations

import json

import pytest

from holdfast.domain.choices import PassageKind
from holdfast.domain.errors import UnknownChoiceError
from holdfast.domain.exchange.bundle_reading import bundle_from_json, checked_from_json
from holdfast.domain.exchange.bundle_shape import bundle_json, checked_json
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import Checked, FoundLines, Sighting, Verdict
from holdfast.domain.recall.bundle import NOT_KEPT, PassageItem, Reason
from holdfast.domain.recall.question import Question
from tests.builders import a_bundle, an_item

CHECKED = Checked(
    reference="src/app.py:2",
    span=SpanId("s_1"),
    sighting=Sighting(
        verdict=Verdict.DRIFTED,
        places=(
            FoundLines(path="src/app.py", first=2, last=3),
            FoundLines(path="b.py", first=1, last=1),
        ),
        how="two places are equal",
        change=("-one", "+two"),
        commit="abc",
    ),
)
BARE = Checked(reference="abc1234", sighting=Sighting(verdict=Verdict.ORPHANED))


@pytest.mark.parametrize("checked", [CHECKED, BARE])
def test_a_verdict_reads_back_as_it_was_written(checked: Checked) -> None:
    assert checked_from_json(json.loads(json.dumps(checked_json(checked)))) == checked


def test_a_verdict_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownChoiceError):
        checked_from_json({**checked_json(BARE), "verdict": "rotten"})


def test_a_bundle_keeps_verdicts_passages_and_what_the_question_asked() -> None:
    passage = PassageItem(
        kind=PassageKind.HISTORY,
        reference="abc1234",
        title="Rotate tokens",
        text_hash="0f",
        score=0.5,
        tokens=12,
        reasons=(Reason(leg="words", amount=0.5, note="tokens"),),
        beside=("src/app.py",),
        why_not="",
    )
    bundle = a_bundle(
        question=Question(text="?", as_of="v1.2", all_branches=True, deep=False),
        items=(an_item(checked=(CHECKED, BARE)),),
        passages=(passage,),
        passages_left_out=(passage,),
    )

    assert bundle_from_json(json.loads(json.dumps(bundle_json(bundle)))) == bundle


def test_a_bundle_from_before_verdicts_were_kept_reads_back_without() -> None:
    shape = bundle_json(a_bundle(items=(an_item(),)))
    for name in ("passages", "passages_left_out"):
        del shape[name]
    items = shape["items"]
    assert isinstance(items, list)
    del items[0]["evidence"]

    assert bundle_from_json(shape) == a_bundle(items=(an_item(),))


@pytest.mark.parametrize(
    ("sighting", "words"),
    [
        (Sighting(verdict=Verdict.FRESH), "fresh"),
        (
            Sighting(
                verdict=Verdict.MOVED,
                places=(FoundLines(path="a.py", first=4, last=9),),
                commit="9f3c2ab0000",
            ),
            "moved to a.py:4-9 by commit 9f3c2ab, text unchanged",
        ),
        (
            Sighting(verdict=Verdict.MOVED, places=(FoundLines(path="a.py", first=4, last=4),)),
            "moved to a.py:4, text unchanged",
        ),
        (
            Sighting(verdict=Verdict.MOVED, commit="9f3c2ab0000ffff", how="same patch"),
            "now commit 9f3c2ab0000f: same patch",
        ),
        (Sighting(verdict=Verdict.MOVED), "rewritten"),
        (
            Sighting(verdict=Verdict.DRIFTED, how="its symbol is there"),
            "drifted: its symbol is there",
        ),
        (CHECKED.sighting, "drifted, now src/app.py:2-3 or b.py:1: two places are equal"),
        (Sighting(verdict=Verdict.ORPHANED, how="the file is gone"), "orphaned: the file is gone"),
    ],
)
def test_a_verdict_reads_as_a_person_would_say_it(sighting: Sighting, words: str) -> None:
    assert sighting.words == words


def test_a_bundle_that_could_not_be_stored_says_so() -> None:
    assert a_bundle(notes=("Two memories were left out.",)).is_kept
    assert not a_bundle(notes=(f"{NOT_KEPT}: the disk is full",)).is_kept
