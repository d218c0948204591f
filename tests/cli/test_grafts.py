"""The history of a repository is what was committed, whatever the grafts of a clone say."""

from __future__ import annotations

from pathlib import Path

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement


@requirement("branch.arrives-by-content")
def test_grafts_of_a_clone_change_no_history(program: Program, tmp_path: Path) -> None:
    clone = Clone(program)
    clone.git("switch", "-qc", "side")
    (clone.folder / "b.py").write_text("two = 2\n", encoding="utf-8")
    clone.commit("Add two")
    program("init", "--no-model").well()
    name = program("remember", "Two is two.", "--evidence", "b.py:1").well().id
    clone.git("switch", "-q", "-")
    clone.git("merge", "-q", "--no-ff", "--no-edit", "side")
    clone.git("commit", "-qm", "Go on", "--allow-empty")
    clone.git("branch", "-qD", "side")
    copy = tmp_path / "copy"
    clone.git("clone", "-q", str(clone.folder), str(copy))
    grafts = copy / ".git/info/grafts"
    grafts.parent.mkdir(exist_ok=True)
    grafts.write_text(clone.git("rev-parse", "HEAD").strip() + "\n", encoding="ascii")
    there = Program(home=program.home, folder=copy)

    assert name in there("list").well().out
    assert "1 fresh" in there("verify").well().out
