"""Runs: from a goal to a summary."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import pytest

from holdfast.adapters.inmemory.diary import InMemoryRuns
from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.app.work.runs import RunsPart
from holdfast.domain.code.commits import CommitRecord, Touched
from holdfast.domain.errors import BadFieldError, NoSuchError, OutsideUnavailableError
from holdfast.domain.ids import RunId, SessionId
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.refusals import NoOpenRunError, PageLeftError, RunIsOverError
from holdfast.domain.sessions.run import Run, RunStatus
from holdfast.usecases.pages import runs as runs_module
from holdfast.usecases.pages.journal import journal
from tests.builders import HERE, NOON, FixedClock, a_run, a_session, a_turn
from tests.requirements import requirement
from tests.usecases.wishes import SECRET, said

BEFORE, AFTER = "1" * 40, "2" * 40


@dataclass
class TwoCommits:
    """A repository in which one commit is made during a run."""

    now: str | None = BEFORE
    is_broken: bool = False
    lost: bool = False
    told: list[str] = field(default_factory=list)

    def head(self) -> str:
        if self.now is None:
            raise NoHistoryError
        return self.now

    def leading_to(self, head: str, *, most: int, since: int = 0) -> Sequence[str]:
        assert (most, since) == (200, 0)
        return [head]

    def between(self, old: str, new: str) -> tuple[Collection[str], Sequence[str]] | None:
        if self.is_broken:
            raise OutsideUnavailableError(who="git", words="it did not answer")
        return None if self.lost else ((old,), [new])

    def in_no_branch(self, commits: Collection[str]) -> Collection[str]:
        return commits

    def stories(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        self.told += commits
        touched = (Touched(path="src/feed.py"), Touched(path="src/app.py"))
        return [
            CommitRecord(id=name, at=NOON, message="Keep the offset\n\nWhy.", touched=touched)
            for name in commits
        ]


@pytest.fixture
def repository() -> TwoCommits:
    return TwoCommits()


@pytest.fixture
def notebook() -> InMemoryNotebook:
    return InMemoryNotebook()


@pytest.fixture
def runs(holdfast: Holdfast, repository: TwoCommits, notebook: InMemoryNotebook) -> RunsPart:
    return RunsPart(holdfast, commit_reader=repository, notebook=notebook)


def begun(runs: RunsPart, goal: str = "Mend the feed") -> Run:
    return runs.start(tool="claude", user="ada", goal=goal)


@requirement("run.summary-kept")
def test_a_run_goes_from_a_goal_over_notes_to_a_summary(
    runs: RunsPart, repository: TwoCommits, clock: FixedClock
) -> None:
    run = begun(runs)
    clock.advance(minutes=5)
    runs.note("Batches of 500 are enough.")
    repository.now = AFTER

    done = runs.finish("Offsets live in the feed, because it restarts.")

    assert (run.label, run.repo, run.head) == ("run-2026-11-15-1", HERE.repo, BEFORE)
    assert (done.status, done.end_head, done.finished_at) == (
        RunStatus.FINISHED,
        AFTER,
        clock.now(),
    )
    assert done.summary == "Offsets live in the feed, because it restarts."
    assert not done.is_drafted
    assert done.commits == ("222222222222 Keep the offset",)
    assert done.files == ("src/feed.py", "src/app.py")
    assert [note.text for note in done.notes] == ["Batches of 500 are enough."]
    assert runs.show(run.label) == runs.show(run.id) == done


@requirement("run.draft-is-marked")
def test_a_summary_nobody_wrote_is_drafted_and_says_so(runs: RunsPart) -> None:
    begun(runs)
    runs.note("It loses its place.")

    done = runs.finish()

    assert done.is_drafted
    assert done.summary == "Goal: Mend the feed\n\n- It loses its place."


def test_a_run_may_come_to_nothing(runs: RunsPart) -> None:
    begun(runs)

    assert runs.finish("Not worth it.", abandon=True).status is RunStatus.ABANDONED


@pytest.mark.parametrize("trouble", ["is_broken", "lost"])
def test_a_run_ends_though_git_cannot_say_what_was_committed(
    runs: RunsPart, repository: TwoCommits, trouble: str
) -> None:
    begun(runs)
    repository.now = AFTER
    setattr(repository, trouble, True)

    assert runs.finish("Done.").commits == ()


def test_a_run_that_began_before_the_first_commit_tells_all_of_them(
    runs: RunsPart, repository: TwoCommits
) -> None:
    repository.now = None
    run = begun(runs)
    repository.now = AFTER

    done = runs.finish("Done.")

    assert (run.head, done.end_head, done.commits) == (
        None,
        AFTER,
        ("222222222222 Keep the offset",),
    )


def test_notes_go_to_the_newest_open_run_or_to_the_one_named(
    runs: RunsPart, clock: FixedClock
) -> None:
    first = begun(runs)
    clock.advance(minutes=1)
    second = begun(runs)

    runs.note("to the newest")
    runs.note("to the first", reference=first.label)

    assert [note.text for note in runs.show(second.id).notes] == ["to the newest"]
    assert [note.text for note in runs.show(first.id).notes] == ["to the first"]
    assert runs.show().label == "run-2026-11-15-2"


def test_notes_go_to_the_run_of_this_branch_though_another_began_later(
    runs: RunsPart, store: InMemoryStore
) -> None:
    here = begun(runs)
    with store.writing(NOON) as tx:
        tx.diary.runs.put(
            a_run(id=RunId("r_z"), repo=HERE.repo, branch="elsewhere", label="run-2026-11-15-7")
        )

    assert runs.show().id == here.id
    runs.finish("Done.")
    assert runs.show().id == "r_z"


def test_what_is_noted_while_a_run_ends_is_kept(
    runs: RunsPart, repository: TwoCommits, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun(runs)

    def noting() -> str:
        monkeypatch.undo()
        runs.note("In the last moment.")
        return AFTER

    monkeypatch.setattr(repository, "head", noting)
    done = runs.finish()

    assert [note.text for note in done.notes] == ["In the last moment."]
    assert "In the last moment." in done.summary


def test_a_label_is_never_given_twice_however_many_runs_others_had(
    runs: RunsPart, store: InMemoryStore, clock: FixedClock
) -> None:
    first = begun(runs)
    clock.advance(minutes=1)
    with store.writing(NOON) as tx:
        for number in range(1_001):
            name = RunId(f"r_zz{number:05}")
            tx.diary.runs.put(a_run(id=name, repo="elsewhere", label=f"run-{number}"))

    assert first.label != begun(runs).label


def test_a_tool_without_a_name_is_refused(runs: RunsPart) -> None:
    with pytest.raises(BadFieldError, match="tool is blank"):
        runs.start(tool=" ", user="ada")


def test_a_run_that_is_over_takes_nothing_more(runs: RunsPart) -> None:
    run = begun(runs)
    runs.finish("Done.")

    with pytest.raises(RunIsOverError, match="run-2026-11-15-1 is already finished"):
        runs.note("late", reference=run.label)
    with pytest.raises(RunIsOverError):
        runs.finish("again", reference=run.id)
    with pytest.raises(NoOpenRunError, match="No run is open"):
        runs.note("nowhere")
    with pytest.raises(NoOpenRunError):
        runs.show()
    with pytest.raises(NoSuchError, match="run-2026-11-15-9"):
        runs.show("run-2026-11-15-9")


def test_a_blank_note_and_one_too_many_are_refused(
    runs: RunsPart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs_module, "_MOST_NOTES", 1)
    begun(runs)
    runs.note("one")

    with pytest.raises(BadFieldError, match="blank"):
        runs.note(" ")
    with pytest.raises(BadFieldError, match="too many"):
        runs.note("two")


@requirement("gate.secret-refused")
def test_no_secret_reaches_a_run(runs: RunsPart, store: InMemoryStore) -> None:
    begun(runs, f"use {SECRET}")
    runs.note(f"the token is {SECRET}")
    runs.finish(f"we used {SECRET}")

    with store.reading() as tx:
        assert SECRET not in repr(tx.diary.runs.page(beyond=None, limit=9))


def test_runs_are_listed_here_or_everywhere_newest_first(
    runs: RunsPart, store: InMemoryStore, clock: FixedClock
) -> None:
    with store.writing(NOON) as tx:
        tx.diary.runs.put(a_run(repo="elsewhere"))
    labels = []
    for _ in range(3):
        clock.advance(minutes=1)
        labels.append(begun(runs).label)

    assert [run.label for run in runs.latest(limit=2)] == ["run-2026-11-15-3", "run-2026-11-15-2"]
    assert [run.label for run in runs.latest()] == labels[::-1]
    assert len(runs.latest(everywhere=True)) == 4
    assert len(runs.latest(limit=1, everywhere=True)) == 1
    with pytest.raises(BadFieldError):
        runs.latest(limit=0)


def test_runs_of_other_repositories_are_passed_over_many_at_once(
    runs: RunsPart, store: InMemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = begun(runs)
    with store.writing(NOON) as tx:
        for number in range(250):
            name = f"zzz{number:03}"
            tx.diary.runs.put(a_run(id=RunId(f"r_{name}"), label=name, repo="elsewhere"))
    read, page = [], InMemoryRuns.page

    def counted(one: InMemoryRuns, *, beyond: str | None, limit: int) -> Sequence[Run]:
        read.append(limit)
        return page(one, beyond=beyond, limit=limit)

    monkeypatch.setattr(InMemoryRuns, "page", counted)

    assert [run.id for run in runs.latest(limit=1)] == [mine.id]
    assert len(read) == 2


@requirement("run.summary-in-the-repository")
def test_the_summary_is_written_where_the_repository_keeps_pages(
    runs: RunsPart, holdfast: Holdfast, repository: TwoCommits, notebook: InMemoryNotebook
) -> None:
    begun(runs)
    done = runs.finish("Offsets live in the feed.")

    path = runs.write_page(done)

    assert path == ".holdfast/runs/run-2026-11-15-1/summary.md"
    ((name, (text, _)),) = notebook.generated.items()
    assert name == "runs/run-2026-11-15-1/summary.md"
    assert text is not None
    assert "Offsets live in the feed." in text
    assert RunsPart(holdfast, commit_reader=repository, notebook=None).write_page(done) is None


@requirement("journal.rebuilt-from-the-store")
def test_a_day_is_told_again_and_again_in_the_same_words(
    runs: RunsPart, holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")
    holdfast.sessions.add_turn(session.id, a_turn(query="How do tokens rotate?"))
    said(holdfast, "Tokens rotate hourly.")
    begun(runs)
    clock.advance(days=1)
    said(holdfast, "Said the day after.")
    begun(runs, "the next day")

    page = runs.journal(NOON.date())

    assert page == runs.journal(NOON.date())
    assert "> How do tokens rotate?" in page
    assert "> Tokens rotate hourly." in page
    assert "> Mend the feed" in page
    assert "day after" not in page
    assert "next day" not in page
    assert runs.write_journal(NOON.date()) == ".holdfast/journal/2026-11-15.md"


@pytest.mark.parametrize("day", [date.min, date.max])
def test_a_day_on_which_nothing_can_have_been_kept_is_refused(runs: RunsPart, day: date) -> None:
    begun(runs)

    with pytest.raises(BadFieldError, match="between the years 1970 and 9998"):
        runs.journal(day)


def test_a_day_long_ago_is_found_behind_many_others(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    long_ago = NOON - timedelta(days=40)
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session(started_at=long_ago))
        tx.sessions.put(a_session(id=SessionId("i_2"), repo="elsewhere"))
        tx.diary.runs.put(a_run(started_at=long_ago, goal="old"))
        tx.diary.runs.put(a_run(id=RunId("r_2"), repo="elsewhere", goal="not here"))
    said(holdfast, "Said today.")
    clock.advance(days=-40)
    said(holdfast, "Said before.")

    page = journal(NOON.date(), store=store, surroundings=holdfast.surroundings, verifier=None)
    old = journal(long_ago.date(), store=store, surroundings=holdfast.surroundings, verifier=None)

    later = journal(
        NOON.date() + timedelta(days=9),
        store=store,
        surroundings=holdfast.surroundings,
        verifier=None,
    )

    assert "Nothing was asked" in later
    assert "not here" not in page
    assert "> Said today." in page
    assert ("> old" in old, "> Said before." in old, "> Said today." in old) == (True, True, False)


@requirement("files.generated-pages-yield")
def test_a_page_that_a_person_edited_is_left_and_told(
    runs: RunsPart, notebook: InMemoryNotebook
) -> None:
    runs.write_context(runs.context("Clean up"))
    made, _ = notebook.generated["context/active.md"]
    notebook.generated["context/active.md"] = (made, "Mine.")

    with pytest.raises(PageLeftError) as told:
        runs.write_context(runs.context("Clean up"))

    assert told.value.facts["path"] == ".holdfast/context/active.md"
    assert notebook.generated["context/active.md"] == (made, "Mine.")
