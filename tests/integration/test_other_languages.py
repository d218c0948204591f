"""Questions that are not English: what answers them is found, and nothing else is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import holdfast
from tests.integration.test_silence_benchmark import HAS_MODEL, MODELS, ROOT
from tests.requirements import requirement

DATA: dict[str, dict[str, Any]] = json.loads(
    (ROOT / "benchmarks/other_languages.json").read_text(encoding="utf-8")
)


def measured(name: str, folder: Path) -> tuple[int, int]:
    """Return how many questions found their memory, and how many without one got nothing."""
    found = silent = 0
    for language, data in DATA[name].items():
        with holdfast.open(folder, home=folder / language) as memory:
            ids = [
                memory.remember(claim, because="x", scope="global").id for claim in data["memories"]
            ]
            for question, place in data["answered"]:
                found += ids[place] in [one.id for one in memory.recall(question)]
            silent += sum(not list(memory.recall(question)) for question in data["unanswered"])
    return found, silent


@requirement("recall.silent-in-other-languages")
@pytest.mark.skipif(not HAS_MODEL, reason="the model is not installed: make model")
@pytest.mark.parametrize(
    ("name", "found", "silent"),
    [
        ("fitted on", 22, 7),
        ("other words", 9, 8),
        ("other languages", 8, 5),
        ("English memories", 15, 9),
    ],
)
def test_a_question_in_another_language_gets_what_answers_it_and_nothing_else(
    name: str, found: int, silent: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", str(MODELS))

    measured_found, measured_silent = measured(name, tmp_path)

    assert measured_found >= found
    assert measured_silent >= silent
