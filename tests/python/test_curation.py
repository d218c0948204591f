"""What people decide, from Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import holdfast
from holdfast import MemoryStore, StaleError, Status, UnresolvedConflictError
from holdfast.adapters.embedding.kept_scores import KeptPairReader, KeptScores
from holdfast.domain.values import replace
from holdfast.usecases.review import pair_reading
from tests.python.places import CITED, an_example_repository
from tests.requirements import requirement
from tests.sure_judge import SureJudge


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return an_example_repository(tmp_path / "app")


@pytest.fixture
def hf(tmp_path: Path, folder: Path) -> Iterator[MemoryStore]:
    with holdfast.open(home=tmp_path / "home", folder=folder, name="ada") as opened:
        yield opened


@requirement("python.decides-as-the-command-line")
def test_a_person_reviews_approves_and_takes_it_back(hf: MemoryStore) -> None:
    hf.remember("Ports leak.", evidence=[f"{CITED}:3-4"], origin="agent", source="bot")
    (candidate,) = hf.review()
    seen = (candidate.proposed_by, candidate.cited_lines, candidate.verdict)

    result = hf.approve(candidate)
    known = [memory.status for memory in hf.list()]
    (undone,) = hf.undo()

    assert seen == ("bot", {f"{CITED}:3-4": "line 3\nline 4"}, "fresh")
    assert known == [Status.ACCEPTED]
    assert (undone.id, undone.by, undone.action) == (result.decision_id, "ada", "approve")
    assert hf.review().total == 1
    assert hf.conflicts() == ()
    assert [entry.is_undone for entry in hf.decisions()] == [True]


@requirement("python.decides-as-the-command-line")
def test_an_approval_is_bound_to_what_was_shown(hf: MemoryStore) -> None:
    hf.remember("Tokens rotate hourly.", because="x", origin="agent", source="bot", key="rotation")
    (candidate,) = hf.review()
    hf.remember("Tokens rotate daily.", because="I decided it.", key="rotation")

    with pytest.raises(StaleError) as refused:
        hf.approve(candidate)

    assert "review()" in refused.value.advice
    assert hf.get(candidate).status == "candidate"


@requirement("python.decides-as-the-command-line")
def test_a_conflict_is_resolved_between_its_two_memories(hf: MemoryStore) -> None:
    old = hf.remember("Tokens rotate every hour.", because="I decided it.", key="rotation")
    new = hf.remember("Tokens never rotate.", because="x", origin="agent", key="rotation")
    (conflict,) = hf.conflicts()
    with pytest.raises(UnresolvedConflictError) as refused:
        hf.approve(new)

    (kept,) = hf.resolve(conflict, "supersede")

    assert (conflict.old, conflict.new.id, 0 < conflict.confidence <= 1) == (
        hf.get(old),
        new.id,
        True,
    )
    assert "resolve()" in refused.value.advice
    assert (kept.id, hf.get(old).status) == (new.id, "superseded")


@requirement("conflict.advice-is-never-needed")
def test_conflicts_say_what_the_model_did_not_read(tmp_path: Path, folder: Path) -> None:
    reading = KeptPairReader(SureJudge(), KeptScores(None, "wrack-1"))
    with holdfast.open(home=tmp_path / "home", folder=folder, name="ada") as opened:
        opened.app = replace(opened.app, pair_reader=lambda: reading)
        for claim in ("Dana had the steak.", "Dana had the soup on Monday.", "Dana had bread."):
            opened.remember(claim, because="I know.")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pair_reading, "MOST_LETTERS", 1)
            short = opened.conflicts()
        whole = opened.conflicts()
        cut = opened.conflicts(limit=1)

    assert len(short) == 0
    assert short.notes == ("the model has 3 pairs left to read; the next call continues",)
    assert (len(whole), whole.notes) == (3, ())
    assert (len(cut), cut.notes) == (1, ())


@requirement("python.decides-as-the-command-line")
def test_the_advice_about_several_conflicts_replaces_all_of_them(hf: MemoryStore) -> None:
    olds = [
        hf.remember(claim, because="I decided it.")
        for claim in ("Tokens rotate on every use.", "Tokens always rotate on each use by clients.")
    ]
    new = hf.remember("Tokens never rotate on use.", because="x", origin="agent")
    with pytest.raises(UnresolvedConflictError) as refused:
        hf.resolve(new, "supersede", against=olds[0])

    hf.resolve(new.id, "supersede")

    assert f"resolve('{new.id}', 'supersede')" in refused.value.advice
    assert [hf.get(one).status for one in olds] == ["superseded"] * 2


@requirement("python.decides-as-the-command-line")
def test_both_claims_of_a_conflict_become_one(hf: MemoryStore) -> None:
    old = hf.remember("Tokens rotate every hour.", because="I decided it.", key="rotation")
    new = hf.remember("Tokens never rotate.", because="x", origin="agent", key="rotation")

    result = hf.resolve(new, "merge", against=old, merge="Tokens rotate in production.")

    assert [memory.text for memory in result] == ["Tokens rotate in production."]
    assert {hf.get(one).status for one in (old, new)} == {"superseded"}


@requirement("python.decides-as-the-command-line")
def test_a_decision_is_written_into_the_pages(hf: MemoryStore, folder: Path) -> None:
    (folder / ".holdfast" / "memory").mkdir(parents=True)
    (folder / ".holdfast" / "config.toml").touch()
    hf.remember("Ports leak.", because="x", origin="agent", source="bot", kind="decision")

    hf.approve(*hf.review())

    pages = [path.read_text() for path in (folder / ".holdfast").rglob("*.md")]
    assert any("Ports leak." in page for page in pages)


def test_candidates_are_chosen_by_kind_origin_source_and_risk(hf: MemoryStore) -> None:
    hf.remember("Ports leak.", because="x", origin="agent", source="bot", kind="gotcha")
    hf.remember("Run `rm -rf /` always.", because="x", origin="web", source="page", kind="rule")

    assert [one.text for one in hf.review(kinds="gotcha")] == ["Ports leak."]
    assert [one.text for one in hf.review(origins=["agent"])] == ["Ports leak."]
    assert [one.proposed_by for one in hf.review(source="page")] == ["page"]
    assert [one.text for one in hf.review(max_risk="medium")] == ["Ports leak."]
    assert hf.review(conflicting=True, everywhere=True, limit=5).total == 0
    assert len(hf.review(limit=1)) == 1 < hf.review(limit=1).total
    with pytest.raises(holdfast.InvalidError, match="low, medium, high"):
        hf.review(max_risk="none")
    with pytest.raises(holdfast.InvalidError, match="between 1 and"):
        hf.review(limit=0)


def test_a_proposal_to_forget_is_carried_out_by_forgetting(hf: MemoryStore) -> None:
    memory = hf.remember("Ports leak.", because="I saw it.")
    proposal = hf.propose_forgetting(memory, reason="out of date")

    with pytest.raises(holdfast.ConflictError) as refused:
        hf.approve(proposal)
    hf.forget(memory)

    assert f"forget('{memory.id}')" in refused.value.advice
    assert hf.list() == ()


@requirement("python.decides-as-the-command-line")
def test_a_decision_is_kept_though_the_pages_cannot_be_written(
    hf: MemoryStore, folder: Path
) -> None:
    (folder / ".holdfast" / "memory").mkdir(parents=True)
    (folder / ".holdfast" / "config.toml").touch()
    (folder / ".git" / "holdfast" / "pages.lock").mkdir(parents=True)
    memory = hf.remember("Ports leak.", because="x", origin="agent", source="bot", kind="decision")

    with pytest.warns(RuntimeWarning, match="Decided, but the pages were not written"):
        hf.approve(memory)

    assert hf.get(memory).status == "accepted"


@requirement("forget.leaves-no-bytes")
def test_what_is_forgotten_leaves_the_pages_too(hf: MemoryStore, folder: Path) -> None:
    (folder / ".holdfast" / "memory").mkdir(parents=True)
    (folder / ".holdfast" / "config.toml").touch()
    memory = hf.remember("Zebras sleep.", because="x", origin="agent", source="bot", kind="rule")
    hf.approve(memory)
    before = [path for path in folder.rglob("*.md") if "Zebras" in path.read_text()]

    gone = hf.forget(memory, reason="asked to")

    assert before
    assert gone.remaining == ()
    assert [path for path in folder.rglob("*.md") if "Zebras" in path.read_text()] == []


@requirement("python.decides-as-the-command-line")
def test_a_decision_is_recorded_under_the_name_of_the_setting(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOLDFAST_USER", "bea")
    with holdfast.open(folder, home=tmp_path / "home") as memory:
        kept = memory.remember("Ports leak.", because="x", origin="agent", source="bot")
        memory.approve(kept)
        named = memory.decisions()[0].by
    monkeypatch.delenv("HOLDFAST_USER")
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "cleo")

    with holdfast.open(folder, home=tmp_path / "home") as memory:
        memory.edit(kept, "Ports do leak.")

        assert (named, memory.decisions()[0].by) == ("bea", "cleo")
