"""Evidence in pages: another clone checks what its author meant, or says why it cannot."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.test_trust import team
from tests.requirements import requirement

__all__ = ["team"]

LINES = "".join(f"def step_{number}(): return {number} * 7\n" for number in range(40))


def verdicts(clone: Clone, *words: str) -> list[tuple[str, str]]:
    """Return each piece of evidence that was checked, and its verdict."""
    found = clone.program("verify", "--json", *words).json["memories"]
    return [(str(item["ref"]), str(item["verdict"])) for one in found for item in one["evidence"]]


def trusting(clone: Clone) -> Clone:
    """Take in everything that a clone has in its pages."""
    clone.program("init", "--no-model").well()
    clone.sync()
    clone.program("trust", "--yes").well()
    return clone


@requirement("files.evidence-is-proved-by-the-page")
def test_another_clone_checks_the_commit_that_was_meant_not_the_name(
    program: Program, tmp_path: Path
) -> None:
    program("init", "--files", "--no-model").well()
    first = Clone(program)
    first.commit("One")
    first.commit("Two")
    meant = first.git("rev-parse", "HEAD~1")
    kept = first.program("remember", "--evidence", "commit:HEAD~1", "Two came after one.").well()
    shown = first.program("show", kept.id).well()
    first.sync()
    first.commit("Three")
    second = trusting(first.clone(tmp_path / "second"))

    assert f"commit: HEAD~1 ({meant[:7]})" in kept.out
    assert f"commit: HEAD~1 ({meant[:7]})" in shown.out
    assert f"commit: {meant} (HEAD~1)" in second.page("facts.md").read_text(encoding="utf-8")
    assert verdicts(second) == [("HEAD~1", "fresh")]
    second.git("checkout", "-q", "--orphan", "elsewhere")
    second.commit("Another history")
    assert verdicts(second, kept.id) != [("HEAD~1", "fresh")]


@requirement("verdict.names-that-move")
def test_a_page_that_names_a_commit_by_a_name_alone_is_unverifiable(
    team: tuple[Clone, Clone],
) -> None:
    first, second = team
    second.commit("Work")
    page = first.page("facts.md")
    page.write_text("---\ntype: fact\nevidence: ['commit: HEAD~1']\n---\nIt came then.\n")
    first.commit("By hand")
    second.git("pull", "-q", "--no-rebase", "--no-edit")

    second.sync()
    second.program("trust", "--yes").well()

    assert verdicts(second) == [("HEAD~1", "unverifiable")]
    assert second.program("verify").code == 0


@requirement("files.evidence-is-proved-by-the-page")
@pytest.mark.parametrize("folder", [".", "src"])
def test_lines_that_were_cited_before_they_were_committed_are_checked_in_another_clone(
    program: Program, tmp_path: Path, folder: str
) -> None:
    program("init", "--files", "--no-model").well()
    first = Clone(program)
    steps = first.folder / "src" / "steps.py"
    steps.parent.mkdir(exist_ok=True)
    steps.write_text(LINES, encoding="utf-8")
    first.commit("Steps")
    steps.write_text(LINES.replace("10 * 7", "10 * 9"), encoding="utf-8")
    (first.folder / "new file.txt").write_text("alpha beta\ngamma delta\n", encoding="utf-8")
    cited = {"src/steps.py:10-12": "Steps multiply.", "new file.txt:1-2": "Letters are Greek."}
    for place, claim in cited.items():
        first.program("remember", "--evidence", place, claim).well()
    first.sync()
    first.commit("Both together")
    second = first.clone(tmp_path / "second")
    inside = Clone(replace(second.program, folder=second.folder / folder))

    trusting(inside)

    assert verdicts(second) == [("src/steps.py:10-12", "fresh"), ("new file.txt:1-2", "fresh")]
    changed = LINES.replace("10 * 7", "10 * 8")
    (second.folder / "src" / "steps.py").write_text(changed, encoding="utf-8")
    assert verdicts(second)[0] == ("src/steps.py:10-12", "drifted")


@requirement("files.evidence-is-proved-by-the-page")
def test_lines_that_moved_on_before_a_clone_trusted_them_are_followed(
    program: Program, tmp_path: Path
) -> None:
    program("init", "--files", "--no-model").well()
    first = Clone(program)
    steps = first.folder / "steps.py"
    steps.write_text(LINES, encoding="utf-8")
    first.commit("Steps")
    first.program("remember", "--evidence", "steps.py:10-12", "Steps multiply by seven.").well()
    first.sync()
    steps.write_text("# A new first line.\n" + LINES, encoding="utf-8")
    first.commit("Pages and a new first line")

    second = trusting(first.clone(tmp_path / "second"))

    assert verdicts(second) == [("steps.py:10-12", "moved")]


@requirement("verdict.never-silent")
def test_lines_that_nothing_proves_are_unverifiable_and_recall_says_so(
    team: tuple[Clone, Clone],
) -> None:
    first, second = team
    (first.folder / "steps.py").write_text(LINES, encoding="utf-8")
    first.commit("Steps")
    before = first.git("rev-parse", "--short=7", "HEAD")
    (first.folder / "steps.py").write_text(LINES.replace("* 7", "* 9"), encoding="utf-8")
    page = f"---\ntype: fact\nevidence: ['steps.py:10-12@{before}']\n---\nSteps multiply.\n"
    first.page("facts.md").write_text(page, encoding="utf-8")
    first.commit("A page from before hashes, and other lines")
    second.git("pull", "-q")

    second.sync()
    second.program("trust", "--yes").well()

    assert verdicts(second) == [("steps.py:10-12", "unverifiable")]
    recalled = second.program("recall", "--q", "steps multiply").well()
    assert "steps.py:10-12 — unverifiable: this checkout had other lines there" in recalled.out


@requirement("gate.places-are-no-secrets")
def test_evidence_in_a_file_with_the_name_of_a_secret_is_taken_in_by_another_clone(
    program: Program, tmp_path: Path
) -> None:
    program("init", "--files", "--no-model").well()
    first = Clone(program)
    (first.folder / "tokens.py").write_text(LINES)
    first.commit("Code")
    first.program("remember", "--evidence", "tokens.py:4-9", "Step 5 runs first.").well()
    first.sync()
    [cited] = re.findall(r"tokens\.py:4-9@\w+#\w+", first.page("facts.md").read_text("utf-8"))
    first.edit("runs first", f"runs first, see {cited}", "facts.md")

    edited = first.sync()
    first.commit("Pages")
    second = trusting(first.clone(tmp_path / "second"))

    assert edited == [("FAC-001", "taken in")]
    assert verdicts(second) == [("tokens.py:4-9", "fresh")]
