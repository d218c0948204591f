"""The model in the package that knows whether a claim answers a question."""

from __future__ import annotations

import hashlib
import math
import shutil
import sys
from pathlib import Path

import pytest

from holdfast.adapters.embedding import answering, fetching
from holdfast.adapters.embedding.answering import LAVER, CarriedAnswerReader
from holdfast.adapters.embedding.errors import (
    ModelBrokenError,
    ToolsMissingError,
    WeightsDamagedError,
)
from holdfast.domain.values import replace
from tests.judge_graph import judge_graph
from tests.requirements import requirement

CARRIED = Path(fetching.__file__).with_name("weights")
CLAIM = (
    "Invoices are sent by a cron job at two in the night, because the tax service is slow by day."
)


def carrying(
    folder: Path, monkeypatch: pytest.MonkeyPatch, numbers: tuple[float, ...] = (1.5,)
) -> CarriedAnswerReader:
    """A reader whose weights are in a folder that a test may damage."""
    shutil.copytree(CARRIED / "kelp-2", folder / "kelp-2")
    path = folder / LAVER.stem / LAVER.member
    path.parent.mkdir()
    path.write_bytes(judge_graph(numbers, has_words=True))
    monkeypatch.setattr(fetching, "_WEIGHTS", folder)
    return CarriedAnswerReader(replace(LAVER, sha256=hashlib.sha256(path.read_bytes()).hexdigest()))


@requirement("recall.reads-answers")
@pytest.mark.parametrize(
    ("right", "near"),
    [
        ("When do customers get their bills?", "Who wrote the tax service?"),
        ("why do we bill after midnight", "How many invoices do we send in a night?"),
    ],
)
def test_an_answer_in_other_words_reads_better_than_a_near_miss(right: str, near: str) -> None:
    reader = answering.carried_answer_reader()
    (yes,) = reader.readings(right, [CLAIM])
    (no,) = reader.readings(near, [CLAIM])

    assert yes is not None
    assert no is not None
    assert yes > no + 1


def test_each_claim_gets_its_own_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = carrying(tmp_path, monkeypatch)

    assert reader.readings("when", [CLAIM, "x"]) == pytest.approx([1.5, 1.5], abs=1e-3)
    assert reader.readings("when", []) == []


@pytest.mark.parametrize("odd", ["", " ", "\N{SNOWMAN}", "word " * 10_000, "x" * 50_000])
def test_odd_texts_are_read_like_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str
) -> None:
    reader = carrying(tmp_path, monkeypatch)

    assert len(reader.readings(odd, [CLAIM, odd])) == 2
    assert len(reader.readings("when", [odd])) == 1


def test_letters_that_it_cannot_read_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = carrying(tmp_path, monkeypatch)

    assert reader.readings("請求書はいつ送られますか", [CLAIM]) == ()
    assert reader.readings("when", ["Счета отправляются ночью"]) == [None]


@requirement("recall.reads-answers")
def test_a_claim_that_is_too_long_to_be_read_as_a_whole_is_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = carrying(tmp_path, monkeypatch)

    assert reader.readings("when", [" ".join([CLAIM] * 12)]) == [None]
    few_tokens = f"{CLAIM} {'x' * 1_000} Since May they are sent by hand."
    assert reader.readings("when", [few_tokens]) == [None]


@requirement("recall.reads-answers")
@pytest.mark.parametrize("sentences", [4, 40])
def test_of_a_long_question_the_end_is_read(sentences: int) -> None:
    reader = answering.carried_answer_reader()
    before = "I have read the whole page about deployments and I am still unsure. " * sentences
    (yes,) = reader.readings(f"{before}When do customers get their bills?", [CLAIM])
    (no,) = reader.readings(f"{before}Who wrote the tax service?", [CLAIM])

    assert yes is not None
    assert no is not None
    assert yes > no + 1


@requirement("recall.deep-is-never-needed")
@pytest.mark.parametrize("damage", ["missing", "cut", "foreign", "newer"])
def test_damaged_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    reader = carrying(tmp_path, monkeypatch)
    path = tmp_path / LAVER.stem / LAVER.member
    whole = path.read_bytes()
    path.unlink()
    if damage == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "foreign":
        path.write_bytes(b"GIF89a")
    elif damage == "newer":
        path.write_bytes(whole + b"\0")

    with pytest.raises(WeightsDamagedError, match="cannot be used"):
        reader.readings("when", [CLAIM])


@requirement("recall.deep-is-never-needed")
@pytest.mark.parametrize("package", ["onnxruntime", "numpy"])
def test_a_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    reader = carrying(tmp_path, monkeypatch)
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(ToolsMissingError, match=package):
        reader.readings("when", [CLAIM])


@requirement("recall.deep-is-never-needed")
@pytest.mark.parametrize("numbers", [(1.0, 2.0), (math.nan,), (math.inf,)])
def test_a_graph_that_answers_with_no_number_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, numbers: tuple[float, ...]
) -> None:
    reader = carrying(tmp_path, monkeypatch, numbers)

    with pytest.raises(ModelBrokenError, match="no number"):
        reader.readings("when", [CLAIM])
