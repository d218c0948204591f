"""Counts of one place: nobody is told of what waits in another repository or checkout."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.adapters.machine import caches
from holdfast.bootstrap.opening import counting
from holdfast.bootstrap.opening.badge import badge_line
from holdfast.bootstrap.opening.counting import waiting_here
from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement

PROPOSE = ("remember", "--origin", "agent", "--evidence", "command:pytest -q")
LINE = "src/auth/tokens.py:41-58"


@pytest.fixture
def other(program: Program, tmp_path: Path) -> Program:
    """Another repository of the same person."""
    folder = tmp_path / "other"
    folder.mkdir()
    there = replace(program, folder=folder)
    Clone(there).git("init", "-q", "-b", "main")
    Clone(there).commit("Begin something else")
    return there


def counted(program: Program, *words: str) -> dict[str, int]:
    """Return what waits, after every way to ask for it gave the same."""
    status = program("status", "--json", *words).well().json["waiting"]
    badge = program("status", "--badge", "--json", *words).well().json
    assert {name: badge[name] for name in status} == status
    if not words:
        assert program("status", "--badge").well().out.strip() == badge["badge"]
        assert badge_line(str(program.home), str(program.folder)) == badge["badge"]
    return {name: many for name, many in status.items() if many}


@requirement("counts.of-this-checkout")
def test_candidates_are_counted_where_the_review_shows_them(
    program: Program, other: Program
) -> None:
    for number in range(5):
        program(*PROPOSE, f"Claim number {number} is about the first repository.").well()
    other(*PROPOSE, "The other repository has one claim.").well()

    assert (counted(program), counted(other)) == ({"candidates": 5}, {"candidates": 1})
    assert counted(other, "--all") == {"candidates": 6}
    for one, many in ((program, 5), (other, 1)):
        assert one("review", "--json").well().json["total"] == many
        assert f"{many} to review" in one("status").err
    assert other("review", "--everywhere", "--json").well().json["total"] == 6


@requirement("counts.of-this-checkout")
def test_conflicts_are_counted_where_they_are_listed(program: Program, other: Program) -> None:
    for claim in ("Refresh tokens live for 30 days.", "Refresh tokens live for 90 days."):
        program("remember", "--because", "I say", claim).well()

    assert (counted(program), counted(other)) == ({"conflicts": 1}, {})
    assert counted(other, "--all") == {"conflicts": 1}
    assert len(program("conflicts", "--json").json["conflicts"]) == 1
    assert other("conflicts", "--json").json["conflicts"] == []
    assert len(other("conflicts", "--everywhere", "--json").json["conflicts"]) == 1


@requirement("counts.of-this-checkout")
def test_drift_is_counted_in_the_checkout_that_was_verified(
    program: Program, other: Program
) -> None:
    program("remember", "--evidence", LINE, "Tokens rotate at a fixed place.").well()
    other("remember", "--because", "I say", "This repository has one claim.").well()
    clone = Clone(program)
    clone.git("switch", "-q", "-c", "broken")
    tokens = program.folder / "src" / "auth" / "tokens.py"
    tokens.write_text(tokens.read_text(encoding="utf-8").replace("rotate(50)", "spin(50)"), "utf-8")
    clone.commit("Break it")
    program("verify")

    assert (counted(program), counted(other)) == ({"drifted": 1}, {})
    other("verify").well()
    assert (counted(program), counted(other)) == ({"drifted": 1}, {})
    assert counted(other, "--all") == {"drifted": 1}
    clone.git("switch", "-q", "main")
    assert counted(program) == {}
    program("verify").well()
    clone.git("switch", "-q", "broken")
    assert counted(program) == {"drifted": 1}


@requirement("counts.drift-of-what-stands")
@pytest.mark.parametrize("ending", ["forget", "supersede"])
def test_a_memory_that_stands_no_more_leaves_the_drift_of_every_checkout(
    program: Program, tmp_path: Path, ending: str
) -> None:
    claim = "Tokens rotate at a fixed place."
    kept = program("remember", "--key", "place", "--evidence", LINE, claim).well()
    folder = tmp_path / "second"
    Clone(program).git("clone", "-q", str(program.folder), str(folder))
    second = replace(program, folder=folder)
    for one in (program, second):
        tokens = one.folder / "src" / "auth" / "tokens.py"
        text = tokens.read_text(encoding="utf-8").replace("rotate(50)", "spin(50)")
        tokens.write_text(text, encoding="utf-8")
        one("verify")
        assert counted(one) == {"drifted": 1}

    if ending == "forget":
        program("forget", "--id", kept.id, "--yes").well()
    else:
        program("remember", "--key", "place", "--because", "I say", "Tokens spin.").well()

    assert (counted(program), counted(second)) == ({}, {})
    assert second("status", "--badge").well().out == ""
    assert counted(second, "--all") == {}


@requirement("counts.of-this-checkout")
def test_a_clone_that_was_never_asked_counts_what_its_repository_has(
    program: Program, tmp_path: Path
) -> None:
    program(*PROPOSE, "One claim waits.").well()
    there = replace(program, folder=tmp_path / "clone")
    Clone(program).git("clone", "-q", str(program.folder), str(there.folder))

    assert there("status", "--badge").well().out == "◆ 1 to review\n"


@requirement("counts.of-this-checkout")
def test_outside_a_repository_only_what_is_global_counts(program: Program, tmp_path: Path) -> None:
    program(*PROPOSE, "One claim waits.").well()
    program(*PROPOSE, "--scope", "global", "One claim waits everywhere.").well()
    program(*PROPOSE, "--scope", "workspace", "One claim waits in the workspace.").well()
    outside = replace(program, folder=tmp_path / "outside")
    outside.folder.mkdir()

    assert counted(outside) == {"candidates": 2}
    assert counted(program) == {"candidates": 3}


def test_a_store_that_cannot_be_opened_has_nothing_that_waits(program: Program) -> None:
    program("remember", "--scope", "workspace", *PROPOSE[1:], "One claim waits.").well()
    shutil.rmtree(program.folder / ".git")
    (program.folder / ".git").mkdir()
    (program.folder / ".git" / "HEAD").write_text("nothing", encoding="utf-8")

    assert badge_line(str(program.home), str(program.folder)) == ""


@requirement("counts.one-look-serves-many-prompts")
def test_the_engine_counts_for_a_badge_once_until_something_changes(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone, home, folder = Clone(program), str(program.home), str(program.folder)
    clone.commit("Begin")
    clone.git("checkout", "-q", "-b", "feature")
    clone.commit("Go on")
    program(*PROPOSE, "The feature has a flag of its own.").well()
    clone.git("checkout", "-q", "main")
    looked: list[str] = []

    def count(home: str, folder: str, space: str) -> tuple[int, int]:
        looked.append(folder)
        return waiting_here(home, folder, space)

    monkeypatch.setattr(counting, "waiting_here", count)

    assert [badge_line(home, folder) for _ in range(3)] == ["", "", ""]
    assert len(looked) == 1
    program(*PROPOSE, "Ports below 1024 need root.").well()
    assert "1 to review" in badge_line(home, folder)
    assert len(looked) == 2
    clone.git("merge", "-q", "--no-ff", "-m", "Merge", "feature")
    assert "2 to review" in badge_line(home, folder)
    assert len(looked) == 3
    monkeypatch.setattr("time.time", lambda: 4_000_000_000.0)
    badge_line(home, folder)
    assert len(looked) == 4


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\n", b"1\t2\n", b"a\tb\tc\td\n" * 9])
def test_a_broken_note_of_counts_is_ignored(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "badge").write_bytes(content)

    assert caches.counted(str(tmp_path), "d") is None
    caches.note_counted(str(tmp_path), "d", (3, 4))
    assert caches.counted(str(tmp_path), "d") == (3, 4)
    caches.note_counted(str(tmp_path), "two\nlines", (5, 6))
    assert caches.counted(str(tmp_path), "two\nlines") is None
