"""The bar of silence, on the small stores; ``python -m benchmarks.silence`` has the large one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.silence import MOST_ANSWERED, MOST_LOST, filled, main, outcome
from benchmarks.silence_material import (
    HELD,
    SIGHT,
    THIRD,
    near_misses,
    questions,
    store_of,
    written,
)
from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.machine.settings import DEFAULT_MODEL
from holdfast.app import Holdfast
from holdfast.domain.values import replace
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
MODELS = Path(os.environ.get("HOLDFAST_MODELS") or ROOT / ".models")
HAS_MODEL = DEFAULT_MODEL in ModelFolder(MODELS).names()


@pytest.fixture(params=[15, 500])
def by_words(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Holdfast]:
    memory = filled(tmp_path / "home", request.param)
    yield replace(memory, embedder=None)
    memory.close()


def test_each_set_has_forty_questions_without_and_sixty_with_an_answer() -> None:
    for name in (SIGHT, HELD, THIRD):
        asked = questions(name)
        assert sum(not one.is_answerable for one in asked) == 40
        assert sum(one.is_answerable for one in asked) == 60
        assert {one.answer for one in asked} == {*written(), "-"}
    assert len(set(store_of(500))) == 500
    assert len(near_misses()) == 20


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.parametrize("name", [SIGHT, HELD])
def test_words_alone_keep_silent_where_nothing_answers(by_words: Holdfast, name: str) -> None:
    found = outcome(by_words, questions(name))

    assert len(found.answered) <= MOST_ANSWERED, found.answered
    if name == HELD:
        assert len(found.lost) + len(found.missed) <= MOST_LOST, found


@requirement("recall.silent-when-nothing-answers")
@pytest.mark.skipif(not HAS_MODEL, reason="run make model first")
@pytest.mark.parametrize(("size", "deep"), [(15, True), (500, False)])
def test_with_the_model_questions_get_their_answer_or_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, size: int, deep: bool
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", str(MODELS))
    memory = filled(tmp_path / "home", size)

    for name in (SIGHT, HELD, THIRD):
        found = outcome(memory, questions(name), deep=deep)
        assert len(found.answered) <= MOST_ANSWERED, found.answered
        assert len(found.lost) + len(found.missed) <= MOST_LOST, found
    memory.close()


def test_the_benchmark_prints_every_store_and_every_mistake(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "none"))

    assert main(["--sizes", "15", "--show"]) == 0

    told = capsys.readouterr().out
    assert "| 15 | words | third | " in told
    assert "| 15 | words | near misses | " in told
    assert "  answered: " in told
