"""A judge by entry point: what it says is checked, and one that cannot is told in words."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from holdfast.bootstrap.opening.judging import PluggedJudge, judge
from holdfast.domain.lookup_errors import PlugInFailedError
from holdfast.domain.review.suspicion import Clash, Suspicion
from tests.cli.program import Program
from tests.requirements import requirement

_PACKAGE = """
from holdfast.domain.review.suspicion import Clash, Suspicion

class Sure:
    name = "sure"
    def judged(self, newer, older, found):
        return Suspicion(clash=Clash.JUDGED, reason="both cannot be", confidence=7)

class Doubt:
    name = "doubt"
    def judged(self, newer, older, found):
        return Suspicion(clash=Clash.JUDGED, reason="both cannot be", confidence=0.6)

class Mild:
    name = "mild"
    def judged(self, newer, older, found):
        return None

class Yes:
    name = "yes"
    def judged(self, newer, older, found):
        return found

class Odd:
    name = "odd"
    def judged(self, newer, older, found):
        return "no"
"""
_ENTRIES = """[holdfast.judge]
sure = judges_of_claims:Sure
doubt = judges_of_claims:Doubt
mild = judges_of_claims:Mild
yes = judges_of_claims:Yes
odd = judges_of_claims:Odd
"""
FOUND = Suspicion(clash=Clash.NUMBER, reason="two ports", confidence=0.9)


@pytest.fixture
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with judges, as far as Python can see."""
    (tmp_path / "judges_of_claims.py").write_text(_PACKAGE)
    about = tmp_path / "claims-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: claims\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(_ENTRIES)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "judges_of_claims", raising=False)


@pytest.mark.usefixtures("_package")
def test_a_judge_adds_agrees_and_withdraws() -> None:
    sure = PluggedJudge("sure")

    added = sure.judged("a", "b", None)

    assert added == sure.judged("a", "b", FOUND)
    assert added == Suspicion(clash=Clash.JUDGED, reason="sure: both cannot be", confidence=1.0)
    assert sure.name == "sure"
    assert PluggedJudge("yes").judged("a", "b", FOUND) == FOUND
    assert PluggedJudge("mild").judged("a", "b", FOUND) is None


@pytest.mark.usefixtures("_package")
@pytest.mark.parametrize("name", ["odd", "nobody"])
def test_a_judge_that_cannot_is_named_with_the_way_out(name: str) -> None:
    with pytest.raises(PlugInFailedError) as caught:
        PluggedJudge(name).judged("a", "b", None)

    assert "unset conflicts.judge" in str(caught.value)


def test_without_the_setting_there_is_no_judge(tmp_path: Path) -> None:
    assert judge(tmp_path) is None

    (tmp_path / "config.toml").write_text('conflicts.judge = "sure"\n')
    found = judge(tmp_path)

    assert found is not None
    assert found.name == "sure"


def disputing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judge_name: str) -> Program:
    """A program in which a candidate contradicts what stands, with a judge set."""
    monkeypatch.setenv("HOLDFAST_CONFLICTS_JUDGE", judge_name)
    folder = tmp_path / "work"
    folder.mkdir()
    program = Program(tmp_path / "home", folder, extra={"HOLDFAST_CONFLICTS_JUDGE": judge_name})
    program("remember", "--because", "I decided", "The API listens on port 8080.").well()
    words = ("--origin", "agent", "--evidence", "command:ss -l", "The API listens on port 9090.")
    program("remember", *words).well()
    return program


@pytest.mark.usefixtures("_package")
def test_conflicts_are_judged_by_the_judge_that_is_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = disputing(tmp_path, monkeypatch, "mild")

    assert program("conflicts", "--json").well().json["conflicts"] == []


def test_a_judge_that_is_missing_is_told_and_the_rules_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = disputing(tmp_path, monkeypatch, "nobody")

    shown = program("conflicts").well()

    assert "not judged: " in shown.err
    assert 'one says "port 9090", the other "port 8080"' in shown.out


@requirement("conflict.judge-says-why")
@pytest.mark.usefixtures("_package")
def test_what_a_judge_added_is_shown_in_its_words_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    program = Program(tmp_path / "home", folder, extra={"HOLDFAST_CONFLICTS_JUDGE": "doubt"})
    program("remember", "--because", "I decided", "Queue workers run as root.").well()
    newer = "We took root away from the queue workers."
    program("remember", "--origin", "agent", "--evidence", "command:ps", newer).well()

    for _ in range(2):
        assert "doubt: both cannot be  (60% sure)" in program("conflicts").well().out
    shown = program("conflicts", "--json").well().json["conflicts"]
    assert [one["reason"] for one in shown] == ["doubt: both cannot be"]
    assert "a judge noted that they contradict each other" in program("review").well().out
