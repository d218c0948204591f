"""The questions in other words that are made from docstrings."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.code_meaning import is_right, main, reworded, written
from tests.adapters.test_repository import git

QUESTIONS = Path(__file__).parents[2] / "benchmarks" / "code_questions.tsv"


def test_the_words_of_the_name_are_removed_and_others_replaced() -> None:
    asked = reworded("make_list", "Create a long list of things, and remove the old ones. More.")

    assert asked == "And delete the old ones, make a long of things."
    assert reworded("make_list", "Make a list.") == ""


def test_a_part_of_the_symbol_is_right_too() -> None:
    assert is_right("Paginator class Paginator", "Paginator")
    assert is_right("Paginator.page def page(self)", "Paginator")
    assert is_right("Scaffold.before_request def", "before_request")
    assert not is_right("Pages class Pages", "Paginator")


def test_the_written_questions_are_about_two_repositories() -> None:
    assert [len(written(QUESTIONS, name)) for name in ("flask", "django", "other")] == [10, 10, 0]
    assert written(None, "flask") == []


def test_a_repository_is_measured_by_words_and_with_meaning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "none"))
    root = tmp_path / "flask"
    root.mkdir()
    git(root, "init", "-q")
    for number in range(4):
        text = f'def anchor{number}():\n    """Lift the heavy chain {number} from the sea."""\n'
        (root / f"part{number}.py").write_text(text, encoding="utf-8")

    main([str(root), "--questions", str(QUESTIONS)])

    told = capsys.readouterr().out
    assert "| flask | docstrings | words | " in told
    assert "| flask | written | words and meaning | 0 of 10 |" in told
