"""The model in the package that reads a question and a text together."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from holdfast.adapters.embedding import fetching, reading
from holdfast.adapters.embedding.errors import (
    ModelBrokenError,
    ToolsMissingError,
    WeightsDamagedError,
)
from holdfast.adapters.embedding.reading import DULSE, MOST_READ, CarriedReader, carried_reader
from tests.requirements import requirement

WEIGHTS = Path(fetching.__file__).with_name("weights")
QUESTION = "When did Maria buy the blue bicycle?"
CLAIMS = (
    "Maria: The weather was awful all week.",
    "Tom: I never learned to ride.",
    "Maria: I finally bought it last Tuesday, the blue one with two wheels!",
    "Maria: My sister has a bicycle.",
)


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the carried weights, which a test may damage."""
    copied = tmp_path / "weights"
    shutil.copytree(WEIGHTS, copied)
    monkeypatch.setattr(fetching, "_WEIGHTS", copied)
    return copied


@requirement("recall.deep")
def test_the_text_that_answers_comes_first() -> None:
    fits = carried_reader().fits(QUESTION, CLAIMS)

    assert max(fits) == fits[2]
    assert all(0 < fit < 1 for fit in fits)


def test_the_same_pair_gets_the_same_number_each_time() -> None:
    assert CarriedReader().fits(QUESTION, CLAIMS) == CarriedReader().fits(QUESTION, CLAIMS)


def test_only_the_first_claims_are_read() -> None:
    assert len(carried_reader().fits(QUESTION, CLAIMS * 10)) == MOST_READ


@pytest.mark.parametrize(
    "odd", ["", " ", "\N{SNOWMAN}", "\N{PILE OF POO}", "word " * 10_000, "x" * 50_000, "猫" * 9]
)
def test_odd_texts_are_read_like_others(odd: str) -> None:
    assert len(carried_reader().fits(QUESTION, [odd, *CLAIMS])) == 5
    assert len(carried_reader().fits(f"{QUESTION} {odd}"[:8_192], CLAIMS)) == 4


@pytest.mark.parametrize("claims", [(), ("alone",)])
def test_less_than_two_claims_have_no_order(claims: tuple[str, ...]) -> None:
    assert not carried_reader().fits(QUESTION, claims)


def test_a_question_in_letters_that_it_cannot_read_changes_nothing() -> None:
    assert not carried_reader().fits("マリアはいつ自転車を買いましたか", CLAIMS)


@requirement("recall.deep-is-never-needed")
@pytest.mark.parametrize("member", ["dulse-2/model.onnx", "kelp-2/model.safetensors"])
@pytest.mark.parametrize("damage", ["missing", "cut", "foreign", "newer"])
def test_damaged_weights_are_refused(weights: Path, member: str, damage: str) -> None:
    path = weights / member
    whole = path.read_bytes()
    path.unlink()
    if damage == "cut":
        path.write_bytes(whole[: len(whole) // 2])
    elif damage == "foreign":
        path.write_bytes(b"GIF89a")
    elif damage == "newer":
        path.write_bytes(whole + b"\0")

    with pytest.raises(WeightsDamagedError, match="cannot be used"):
        CarriedReader().fits(QUESTION, CLAIMS)


@pytest.mark.usefixtures("weights")
@pytest.mark.parametrize("package", ["onnxruntime", "numpy"])
def test_a_missing_package_is_named(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(ToolsMissingError, match=package):
        CarriedReader().fits(QUESTION, CLAIMS)


def test_a_graph_that_is_none_is_named(weights: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = weights / "dulse-2" / DULSE.member
    path.write_bytes(b"no graph")
    monkeypatch.setattr(reading, "carried", lambda one: weights / one.stem)

    with pytest.raises(ModelBrokenError, match="dulse"):
        CarriedReader().fits(QUESTION, CLAIMS)
