"""Small stores of a definition among mentions: asked what it is, the definition comes first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import holdfast
from tests.integration.test_silence_benchmark import HAS_MODEL, MODELS, ROOT
from tests.requirements import requirement

STORES: list[dict[str, object]] = json.loads(
    (ROOT / "benchmarks/definitions.json").read_text(encoding="utf-8")
)
FITTED, AFTERWARDS = "fitted on", "written afterwards"


def first_places(name: str, folder: Path) -> int:
    """Return how many definitions of a set are the first item of the answer."""
    count = 0
    for number, one in enumerate(store for store in STORES if store["set"] == name):
        mentions = one["mentions"]
        assert isinstance(mentions, list)
        with holdfast.open(folder, home=folder / str(number)) as memory:
            for claim in (*mentions[:2], one["definition"], *mentions[2:]):
                memory.remember(str(claim), because="Seen.", scope="global")
            found = list(memory.recall(str(one["question"])))
        count += bool(found) and found[0].text == one["definition"]
    return count


@requirement("recall.definition-first")
@pytest.mark.parametrize(("name", "least"), [(FITTED, 8), (AFTERWARDS, 6)])
def test_definitions_come_first_by_words(
    name: str, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "none"))

    assert first_places(name, tmp_path) >= least


@pytest.mark.skipif(not HAS_MODEL, reason="run make model first")
@pytest.mark.parametrize("name", [FITTED, AFTERWARDS])
def test_definitions_come_first_with_the_model(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_MODELS", str(MODELS))

    assert first_places(name, tmp_path) >= 9
