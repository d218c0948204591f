"""The sets are asked again in other words, and the drop is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import robustness
from benchmarks.rewording import FORMS
from tests.cli.sets import write_sets
from tests.requirements import requirement

QUESTION = "When John decided to move, which problem did he find in the harbour?"


@requirement("eval.reworded")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_changes_the_words_and_stays_the_same(form: str) -> None:
    asked = QUESTION if form != "question" else "Fix the harbour lights."
    reworded = FORMS[form](asked)

    assert reworded != asked
    assert FORMS[form](asked) == reworded


def test_what_cannot_be_turned_stays_as_it_is() -> None:
    assert FORMS["turned"]("Harbour") == "Harbour"
    assert FORMS["imperative"]("Fix the lights") == "Fix the lights"
    assert FORMS["question"]("Where?") == "Where?"


@requirement("eval.reworded")
def test_the_table_shows_the_drop_in_each_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_sets(tmp_path / "sets")
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    lost = {"lower": lambda _: "nothing at all of it"}
    monkeypatch.setattr(robustness, "FORMS", lost)

    robustness.main(["--data", str(data), "--only", "harbour", "--budget", "1000"])

    out = capsys.readouterr().out
    rows = [line.split(" | ") for line in out.splitlines() if line.startswith("| harbour")]
    changes = {row[1]: float(row[3].rstrip(" |")) for row in rows}
    assert list(changes) == ["R@5", "R@10", "gold@1000"]
    assert changes["gold@1000"] == -100
    fallen = sum(change < -5 for change in changes.values())
    assert f"{fallen} of them fall by more than 5 points" in out


def test_only_the_questions_of_a_set_are_rewritten(tmp_path: Path) -> None:
    data = write_sets(tmp_path / "sets")
    source = data / "harbour"
    robustness.reworded_set(source, tmp_path / "copy", FORMS["lower"])

    queries = next((tmp_path / "copy").rglob("queries.jsonl"))
    texts = [json.loads(line)["text"] for line in queries.read_text().splitlines()]
    assert texts
    assert all(text == text.lower() for text in texts)
    corpus = next((tmp_path / "copy").rglob("corpus.jsonl"))
    assert corpus.read_text() == next(source.rglob("corpus.jsonl")).read_text()
