"""Questions of one set asked of the store of another."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.silence_pairs import are_of_one_field, main

HARBOUR = {
    "d1": "The harbour crane lifts forty tonnes.",
    "d2": "The lighthouse keeper lives on the northern pier.",
    "d3": "Ferries leave the quay at noon.",
}
KITCHEN = {
    "d1": "The oven needs ten minutes to heat.",
    "d2": "Flour stands beside the sugar jar.",
    "d3": "Knives are sharpened on Mondays.",
}


def a_set(folder: Path, documents: dict[str, str], questions: dict[str, list[str]]) -> None:
    part = folder / "dev"
    part.mkdir(parents=True)
    corpus = [
        {"id": name, "group": "all", "text": text, "meta": {}} for name, text in documents.items()
    ]
    asked = [
        {"id": f"q{number}", "group": "all", "text": text, "gold": gold, "category": "one"}
        for number, (text, gold) in enumerate(questions.items())
    ]
    for name, rows in (("corpus", corpus), ("queries", asked)):
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (part / f"{name}.jsonl").write_text(lines, encoding="utf-8")


def test_a_store_is_silent_for_the_questions_of_another_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "none"))
    data = tmp_path / "data"
    asked = {"How much does the harbour crane lift?": ["d1"], "Where do ferries leave?": ["d3"]}
    a_set(data / "harbour", HARBOUR, asked)
    a_set(data / "kitchen", KITCHEN, {"How long must the oven heat?": ["d1"]})

    main(["--data", str(data), "--only", "harbour,kitchen"])

    told = capsys.readouterr().out
    assert "| harbour | 0 of 1 | 0 of 2 |" in told
    assert "| kitchen | 0 of 2 | 0 of 1 |" in told


def test_sets_of_one_field_are_not_paired() -> None:
    assert are_of_one_field("musique300", "2wiki")
    assert are_of_one_field("locomo", "locomo")
    assert not are_of_one_field("locomo", "cosqa")
