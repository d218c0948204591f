"""The model in the package that reads two claims together."""

from __future__ import annotations

import hashlib
import math
import shutil
import sys
from pathlib import Path

import pytest

from holdfast.adapters.embedding import carried_graph, fetching, judging
from holdfast.adapters.embedding.errors import (
    ModelBrokenError,
    ToolsMissingError,
    WeightsDamagedError,
)
from holdfast.adapters.embedding.judging import OLDER_ROOM, ROOM, WRACK, CarriedJudge, cut
from holdfast.adapters.machine.known_settings import DEFAULT_JUDGE
from holdfast.bootstrap.opening.pair_reading import IN_THE_PACKAGE
from holdfast.domain.values import replace
from tests.judge_graph import judge_graph
from tests.requirements import requirement

CARRIED = Path(fetching.__file__).with_name("weights")
OLD, NEW = "Dana is a vegetarian.", "Dana had the steak again, she loves meat."
LOGITS = (2.0, 1.0, 0.5, 0.0)
KINDS = pytest.mark.parametrize("has_words", [True, False], ids=["own words", "shared words"])


def carrying(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *, has_words: bool, labels: int = 4
) -> CarriedJudge:
    """A judge whose weights are in a folder that a test may damage."""
    shutil.copytree(CARRIED / "kelp-2", folder / "kelp-2")
    path = folder / WRACK.stem / WRACK.member
    path.parent.mkdir()
    path.write_bytes(judge_graph((*LOGITS, 0.0)[:labels], has_words=has_words))
    monkeypatch.setattr(fetching, "_WEIGHTS", folder)
    return CarriedJudge(replace(WRACK, sha256=hashlib.sha256(path.read_bytes()).hexdigest()))


@KINDS
def test_a_pair_gets_the_chance_of_the_first_two_labels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_words: bool
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=has_words)
    whole = sum(map(math.exp, LOGITS))

    score = judge.score(NEW, OLD)

    assert score == pytest.approx((math.exp(2.0) + math.exp(1.0)) / whole, abs=1e-3)
    assert judge.score(NEW, OLD) == score


@KINDS
@pytest.mark.parametrize(
    "odd", ["", " ", "\N{SNOWMAN}", "\N{PILE OF POO}", "word " * 10_000, "x" * 50_000]
)
def test_odd_texts_are_read_like_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, odd: str, *, has_words: bool
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=has_words)

    assert judge.score(odd, OLD) is not None
    assert judge.score(NEW, odd) is not None
    assert judge.score(odd, odd) is not None


def test_letters_that_it_cannot_read_are_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=True)

    assert judge.score("ダナは肉を食べない", OLD) is None
    assert judge.score(NEW, "Дана не ест мяса и рыбы") is None


def test_the_older_claim_comes_first_and_is_cut_where_both_are_long() -> None:
    short, long = [5] * 10, [7] * 200
    marks = 3

    assert cut(short, short) == (short, short)
    older, newer = cut(long, long)
    assert (len(older), len(newer)) == (OLDER_ROOM, ROOM - OLDER_ROOM - marks)
    assert cut(long[:100], [5] * 5) == (long[:100], [5] * 5)


@requirement("conflict.advice-is-never-needed")
@pytest.mark.parametrize("member", [f"{WRACK.stem}/{WRACK.member}", "kelp-2/model.safetensors"])
@pytest.mark.parametrize("damage", ["missing", "cut", "foreign", "newer"])
def test_damaged_weights_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, member: str, damage: str
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=False)
    path = tmp_path / member
    whole = path.read_bytes()
    path.unlink()
    if damage == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "foreign":
        path.write_bytes(b"GIF89a")
    elif damage == "newer":
        path.write_bytes(whole + b"\0")

    with pytest.raises(WeightsDamagedError, match="cannot be used"):
        judge.score(NEW, OLD)


@requirement("conflict.advice-is-never-needed")
@pytest.mark.parametrize("package", ["onnxruntime", "numpy"])
def test_a_missing_package_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=True)
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(ToolsMissingError, match=package):
        judge.score(NEW, OLD)


@requirement("conflict.advice-is-never-needed")
@pytest.mark.parametrize("labels", [3, 5])
def test_a_graph_with_other_labels_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: int
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=True, labels=labels)

    with pytest.raises(ModelBrokenError, match="four numbers"):
        judge.score(NEW, OLD)


def test_a_graph_of_another_kind_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = carrying(tmp_path, monkeypatch, has_words=True)
    monkeypatch.setattr(carried_graph, "_OWN", "pixels")

    with pytest.raises(ModelBrokenError, match="inputs are input_ids"):
        judge.score(NEW, OLD)


def test_the_model_in_the_package_judges_by_default() -> None:
    assert DEFAULT_JUDGE == WRACK.name == IN_THE_PACKAGE


def test_the_carried_model_tells_a_contradiction_from_a_detail() -> None:
    judge = judging.carried_judge()
    old = "Passwords are hashed with bcrypt."

    contradiction = judge.score("Password hashes use argon2 since spring.", old)
    detail = judge.score("Passwords have twelve letters at least.", old)

    assert contradiction is not None
    assert detail is not None
    assert contradiction > judging.THRESHOLD > 0.5 > detail
