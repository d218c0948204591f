"""Runs: start a piece of work, take notes during it, and summarise it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, NoSuchError, OutsideUnavailableError
from holdfast.domain.ids import RunId, sortable
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError
from holdfast.domain.pages.run_page import drafted_summary
from holdfast.domain.refusals import NoOpenRunError, RunIsOverError
from holdfast.domain.sessions.run import Note, Run, RunStatus, next_label
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.branch_names import with_names_now
from holdfast.usecases.naming import check_limit, run_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screened_surroundings import harmless
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.anchors.surroundings import CommitReader, Surroundings
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store, Transaction

_MOST_NOTES = 500
_MOST_COMMITS = 200
_MOST_FILES = 500
_SHORT_HASH = 12
_PAGE = 200
"""The runs that are read at once where those of other repositories are passed over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPorts:
    """The ports that runs need."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    commit_reader: CommitReader
    author: str = ""
    """Who writes notes and summaries, if it is no person."""
    owns: Callable[[str], bool] = lambda _tool: True
    """Tells whether a run with a tool is the principal's own."""


@repeatable
def start_run(*, tool: str, user: str, goal: str, at: RunPorts) -> Run:
    """Start a run here.

    Raises:
        BadFieldError: The tool has no name.
    """
    now, place = at.clock.now(), at.surroundings.place()
    goal_words, tool_name = _screened(goal, what="goal"), screened(tool, what="tool").strip()
    if not tool_name:
        raise BadFieldError(field="tool", problem="is blank; name it, or leave it out.")
    with at.store.writing(now) as tx:
        run = Run(
            id=RunId(sortable("r", at=now, entropy=at.clock.entropy())),
            label=next_label(
                now.date(), lambda name: tx.diary.runs.labelled(place.repo, name) is not None
            ),
            tool=tool_name,
            user=screened(user, what="user"),
            repo=place.repo,
            branch=place.branch,
            goal=goal_words,
            started_at=now,
            head=_head(at.commit_reader),
        )
        tx.diary.runs.put(run)
    return run


@repeatable
def note_run(text: str, *, reference: str | None, at: RunPorts) -> Run:
    """Add a note to a run: the named one, otherwise the newest open one.

    Raises:
        NoOpenRunError: None is named, and none is open here.
        RunIsOverError: It is finished.
        BadFieldError: The note is empty, or there are too many.
    """
    words = _screened(text, what="note")
    if not words.strip():
        raise BadFieldError(field="note", problem="is blank.")
    now = at.clock.now()
    with at.store.writing(now) as tx:
        run = _open_run(reference, at=at, tx=tx)
        if len(run.notes) >= _MOST_NOTES:
            raise BadFieldError(field="notes", problem=f"are too many; a run has {_MOST_NOTES}.")
        noted = replace(run, notes=(*run.notes, Note(at=now, text=words, by=at.author)))
        tx.diary.runs.put(noted)
    return noted


@repeatable
def finish_run(summary: str, *, reference: str | None, abandon: bool = False, at: RunPorts) -> Run:
    """Finish a run with a summary; without one, a summary is drafted from the run's data.

    Raises:
        NoOpenRunError: None is named, and none is open here.
        RunIsOverError: It is already finished.
    """
    words = _screened(summary, what="summary")
    now = at.clock.now()
    with at.store.reading() as tx:
        run = _open_run(reference, at=at, tx=tx)
    end = _head(at.commit_reader)
    commits, files = _work_between(run.head, end, at.commit_reader)
    with at.store.writing(now) as tx:
        # Notes may have been added while git was running.
        current = _check_open(tx.diary.runs.get(run.id))
        worked = replace(current, end_head=end, commits=commits, files=files)
        finished = replace(
            worked,
            status=RunStatus.ABANDONED if abandon else RunStatus.FINISHED,
            finished_at=now,
            summary=words.strip() or drafted_summary(worked),
            summary_by=at.author if words.strip() else "",
            is_drafted=not words.strip(),
        )
        tx.diary.runs.put(finished)
    return finished


def runs(*, limit: int, everywhere: bool, at: RunPorts) -> Sequence[Run]:
    """Return the latest runs of this repository, or of all, newest first."""
    check_limit(limit)
    repo = at.surroundings.place().repo
    found: list[Run] = []
    at_once = limit if everywhere else max(limit, _PAGE)
    beyond: str | None = None
    with at.store.reading() as tx:
        while page := tx.diary.runs.page(beyond=beyond, limit=at_once):
            found += [run for run in page if everywhere or run.repo == repo]
            if len(found) >= limit:
                break
            beyond = page[-1].id
    return with_names_now(found[:limit], surroundings=at.surroundings)


def one_run(reference: str | None, *, at: RunPorts) -> Run:
    """Return a run by its id or its label; without either, the newest open one here.

    Raises:
        NoOpenRunError: None is named, and none is open here.
        NoSuchError: No run has that name.
    """
    with at.store.reading() as tx:
        if reference is None:
            run = _newest_open(at=at, tx=tx)
        else:
            run = _named(reference, at=at, tx=tx)
    return with_names_now([run], surroundings=at.surroundings)[0]


def _named(reference: str, *, at: RunPorts, tx: Transaction) -> Run:
    if reference.startswith("r_"):
        return tx.diary.runs.get(run_id(tx, reference))
    found = tx.diary.runs.labelled(at.surroundings.place().repo, reference)
    if found is None:
        raise NoSuchError(noun="run", reference=reference[:80])
    return found


def _newest_open(*, at: RunPorts, tx: Transaction) -> Run:
    """Return the newest open run of this branch; if it has none, of this repository.

    The principal's own runs come first.
    """
    place = at.surroundings.place()
    every = tx.diary.runs.open_in(place.repo)
    found = [run for run in every if at.owns(run.tool)] or every
    if not found:
        raise NoOpenRunError
    now = with_names_now(found, surroundings=at.surroundings)
    here = (run for run, shown in zip(found, now, strict=True) if shown.branch == place.branch)
    return next(here, found[0])


def _open_run(reference: str | None, *, at: RunPorts, tx: Transaction) -> Run:
    if reference is None:
        return _newest_open(at=at, tx=tx)
    return _check_open(_named(reference, at=at, tx=tx))


def _check_open(run: Run) -> Run:
    if run.status is not RunStatus.OPEN:
        raise RunIsOverError(run.label)
    return run


def _head(commit_reader: CommitReader) -> str | None:
    """Return the checked-out commit, or None: a run needs neither repository nor commit."""
    try:
        return commit_reader.head()
    except (NoHistoryError, NothingCommittedError, OutsideUnavailableError):
        return None


def _work_between(
    old: str | None, new: str | None, commit_reader: CommitReader
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commits in between, oldest first, and the files they changed."""
    if new is None or old == new:
        return (), ()
    try:
        if old is None:
            made = commit_reader.leading_to(new, most=_MOST_COMMITS)
        else:
            both = commit_reader.between(old, new)
            made = () if both is None else both[1]
        stories = commit_reader.stories(list(made)[:_MOST_COMMITS])
    except OutsideUnavailableError:
        return (), ()
    commits = [
        _screened(f"{story.id[:_SHORT_HASH]} {story.subject}", what="commit") for story in stories
    ]
    files = dict.fromkeys(touched.path for story in reversed(stories) for touched in story.touched)
    return tuple(reversed(commits)), tuple(map(harmless, list(files)[:_MOST_FILES]))


def _screened(text: str, *, what: str) -> str:
    return screened(text, what=what, secrets=SecretPolicy.REDACT)
