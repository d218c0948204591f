"""Read the inputs of a step: what is recorded, and what the specialist is given.

Recorded inputs name texts that can be deleted elsewhere, and texts that git or a tool keeps. They
are read again, for the specialist and for a replay; a hash shows whether they are still the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Status
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.fields import Fields
from holdfast.domain.ids import MemoryId, TaskId
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.roles.recording import mark_of
from holdfast.domain.roles.step import StepStatus, StepWork
from holdfast.domain.sessions.transcript import own_words, turn_name
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task import TaskStatus
from holdfast.domain.text.counting import counted
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.review.curating import survey
from holdfast.usecases.roles.bounding import size_of, within
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.code.commits import CommitRecord
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.curation import Concern
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.roles.earlier import EarlierPlans
    from holdfast.usecases.roles.role_ports import RolePorts

MOST_COMMITS = 10_000
"""How many commits one step reads; the newest first."""
MOST_SESSIONS = 20
MOST_TURNS = 200
"""How many new turns of one conversation a step reads; the oldest first."""
MOST_BYTES = 4 * 1024 * 1024
"""How many bytes of commit messages, and of conversations, one step reads."""
_SHOWN_BYTES = "4 MiB of text"
_MOST_CLAIMED = 512 * 1024
_MOST_TASKS = 500
_MOST_MEMORIES = 100
_MOST_FINDINGS = 100
_MOST_RUNS = 100
_LONGEST_TURN = 4_000
_GOVERNING = (Kind.RULE, Kind.DECISION, Kind.INVARIANT, Kind.GOTCHA)
_UNDONE = frozenset({TaskStatus.OPEN, TaskStatus.STARTED, TaskStatus.BLOCKED})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadInputs:
    """The inputs as they are recorded, and what is needed to apply the answer.

    ``concerns`` are the findings of a curation.
    """

    recorded: Mapping[str, object]
    concerns: tuple[Concern, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenInputs:
    """The inputs with their texts; ``changed`` says what is no longer as it was recorded.

    ``notes`` say what was left out because it is too large.
    """

    full: Mapping[str, object]
    notes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    transcripts: tuple[Transcript | None, ...] = ()
    commits: Mapping[str, CommitRecord] = field(default_factory=dict)


def history_inputs(*, ports: RolePorts) -> ReadInputs:
    """Record which commits and conversations are new since the last run here."""
    notes: list[str] = []
    commits = _new_commits(notes, ports=ports)
    new, problems = ports.sources.shelf.new(most=MOST_SESSIONS + 1)
    begun = [one._replace(transcript=_begin(one.transcript)) for one in new[:MOST_SESSIONS]]
    fresh = within(begun, MOST_BYTES, size=lambda one: _talk_size(one.transcript))
    if left := len(begun) - len(fresh):
        notes.append(f"{counted(left, 'conversation')} left for the next run: over {_SHOWN_BYTES}")
    if len(new) > MOST_SESSIONS:
        notes.append(f"conversations after the first {MOST_SESSIONS} left for the next run")
    for one, whole in zip(fresh, new, strict=False):
        if later := len(whole.transcript.turns) - len(one.transcript.turns):
            rest = f"{counted(later, 'turn')} of the session {one.transcript.session}"
            notes.append(f"{rest} left for the next run: it reads {MOST_TURNS} at a time")
    talks = [
        {
            "tool": one.transcript.tool,
            "path": one.path,
            "session": one.transcript.session,
            "first": one.transcript.turns[0].number,
            "last": one.transcript.turns[-1].number,
            "end": turn_name(one.transcript.turns[-1]),
            "mark": _talk_mark(one.transcript),
        }
        for one in fresh
        if one.transcript.turns
    ]
    recorded = {
        "repo": ports.surroundings.place().repo,
        "commits": commits,
        "transcripts": talks,
        "tasks": _open_tasks(ports=ports),
        "notes": [*notes, *problems],
    }
    return ReadInputs(recorded=recorded)


def mark_read(recorded: Mapping[str, object], *, ports: RolePorts) -> None:
    """Store how far the recorded conversations were read."""
    for item in Fields(recorded, noun="inputs").items("transcripts"):
        fields = Fields(item, noun="transcript")
        ports.sources.shelf.mark(fields.text("path"), fields.text("session"), fields.text("end"))


def plan_inputs(
    intent: Mapping[str, object], earlier: EarlierPlans, *, ports: RolePorts
) -> ReadInputs:
    """Record the interpreted intent, the tasks, the commands, and the governing memories.

    The tasks are those that are open, and all that earlier runs of the same intent planned.
    """
    planned = [{**_task_json(one), "planned_as": earlier.keys[one.id]} for one in earlier.tasks]
    known = {one.id for one in earlier.tasks}
    note = earlier.note()
    recorded = {
        "intent": dict(intent),
        "tasks": [*planned, *(one for one in _open_tasks(ports=ports) if one["id"] not in known)],
        "commands": sorted(ports.sources.commands.allowed()),
        "memories": _governing(ports=ports),
        "notes": [note] if note else [],
    }
    return ReadInputs(recorded=recorded)


def curate_inputs(*, ports: RolePorts) -> ReadInputs:
    """Record the findings of a survey."""
    found = survey(
        store=ports.store,
        clock=ports.clock,
        surroundings=ports.surroundings,
        verifier=ports.verifier,
        heuristics=ports.heuristics,
    )
    concerns = found.concerns[:_MOST_FINDINGS]
    recorded = {
        "score": found.health.score,
        "findings": [
            {
                "trouble": one.trouble.value,
                "memories": list(one.memories),
                "step": None if one.step is None else one.step.value,
            }
            for one in concerns
        ],
    }
    return ReadInputs(recorded=recorded, concerns=tuple(concerns))


def given(work: StepWork, recorded: Mapping[str, object], *, ports: RolePorts) -> GivenInputs:
    """Return the inputs with their texts, read from where they are kept."""
    if work is StepWork.HISTORY:
        return _given_history(recorded, ports=ports)
    if work is StepWork.PLAN:
        return _given_plan(recorded, ports=ports)
    return GivenInputs(full=recorded)


def _given_plan(recorded: Mapping[str, object], *, ports: RolePorts) -> GivenInputs:
    fields = Fields(recorded, noun="inputs")
    with ports.store.reading() as tx:
        tasks, changed = _titled(fields.items("tasks"), tx=tx)
        names = [
            MemoryId(Fields(one, noun="memory").text("id")) for one in fields.items("memories")
        ]
        records = tx.memories.get_many(names)
    known = within(
        list(records.values()), _MOST_CLAIMED, size=lambda one: size_of(one.memory.claim)
    )
    memories = [
        {"id": one.memory.id, "claim": one.memory.claim, "kind": one.memory.kind.value}
        for one in known
    ]
    gone = [f"{name} is gone" for name in names if name not in records]
    full = {**recorded, "tasks": tasks, "memories": memories}
    return GivenInputs(full=full, changed=(*changed, *gone))


def _given_history(recorded: Mapping[str, object], *, ports: RolePorts) -> GivenInputs:
    fields = Fields(recorded, noun="inputs")
    with ports.store.reading() as tx:
        tasks, changed = _titled(fields.items("tasks"), tx=tx)
    every, missing = _told(Fields(fields.raw("commits"), noun="commits"), ports=ports)
    told = within(every, MOST_BYTES, size=lambda one: size_of(one.message[:_LONGEST_TURN]))
    notes = []
    if left := len(every) - len(told):
        notes.append(
            f"the oldest {left:,} of {len(every):,} commits were left out, and no"
            f" later run reads them: over {_SHOWN_BYTES}"
        )
    talks: list[Transcript | None] = []
    for item in fields.items("transcripts"):
        talk, problem = _heard(Fields(item, noun="transcript"), ports=ports)
        talks.append(talk)
        missing += problem
    texts = [one.message for one in told]
    texts += [turn.text for talk in talks if talk is not None for turn in talk.turns]
    if cut := sum(1 for text in texts if len(text) > _LONGEST_TURN):
        long = counted(cut, "long text")
        notes.append(f"of {long} only the first {_LONGEST_TURN:,} characters were read")
    full = {
        **recorded,
        "tasks": tasks,
        "commits": [
            {"id": one.id, "at": f"{one.at:%Y-%m-%dT%H:%M:%S}Z", "message": _clean(one.message)}
            for one in told
        ],
        "transcripts": [{} if talk is None else _talk_json(talk) for talk in talks],
    }
    return GivenInputs(
        full=full,
        changed=(*changed, *missing),
        transcripts=tuple(talks),
        commits={one.id: one for one in told},
        notes=tuple(notes),
    )


def _new_commits(notes: list[str], *, ports: RolePorts) -> dict[str, object]:
    """Return which commits are new: all that lead to HEAD, or those since the last run here."""
    none: dict[str, object] = {"head": None, "since": None, "count": 0, "mark": mark_of()}
    try:
        head = ports.sources.commits.head()
        since = _last_head(ports=ports)
        names = _names(head, since, ports=ports)
    except (NoHistoryError, NothingCommittedError) as error:
        notes.append(f"no commits were read: {str(error).rstrip('.')}")
        return none
    except OutsideUnavailableError as error:
        notes.append(f"git could not be read: {str(error).rstrip('.')}")
        return none
    if len(names) == MOST_COMMITS:
        notes.append(
            f"commits before the newest {MOST_COMMITS:,} are not read, by no later run either"
        )
    return {"head": head, "since": since, "count": len(names), "mark": mark_of(*names)}


def _names(head: str, since: str | None, *, ports: RolePorts) -> list[str]:
    commits = ports.sources.commits
    if since is not None and (both := commits.between(since, head)) is not None:
        return list(both[1])[:MOST_COMMITS]
    return list(commits.leading_to(head, most=MOST_COMMITS))


def _last_head(*, ports: RolePorts) -> str | None:
    """Return the commit up to which the last run here read the history."""
    repo = ports.surroundings.place().repo
    with ports.store.reading() as tx:
        for run_id in tx.diary.runs.steps.supervised(beyond=None, limit=_MOST_RUNS):
            for step in tx.diary.runs.steps.of(run_id):
                if step.work is not StepWork.HISTORY or step.status is not StepStatus.DONE:
                    continue
                fields = Fields(step.inputs, noun="inputs")
                head = Fields(fields.raw("commits"), noun="commits").maybe_text("head")
                if fields.maybe_text("repo") == repo and head is not None:
                    return head
    return None


def _told(fields: Fields, *, ports: RolePorts) -> tuple[Sequence[CommitRecord], list[str]]:
    """Return the recorded commits with their messages, and what is missing."""
    head = fields.maybe_text("head")
    if head is None or not fields.whole("count"):
        return (), []
    try:
        names = _names(head, fields.maybe_text("since"), ports=ports)
        found = ports.sources.commits.messages(names)
    except (NoHistoryError, NothingCommittedError, OutsideUnavailableError) as error:
        return (), [f"the commits cannot be read: {str(error).rstrip('.')}"]
    same = mark_of(*names) == fields.text("mark")
    return found, [] if same else [f"the commits that lead to {head[:12]} are others"]


def _heard(fields: Fields, *, ports: RolePorts) -> tuple[Transcript | None, list[str]]:
    """Return the recorded turns of a session, and what is missing."""
    path, session = fields.text("path"), fields.text("session")
    whole = ports.sources.shelf.again(fields.text("tool"), path, session)
    first, last = fields.whole("first"), fields.whole("last")
    if whole is None:
        return None, [f"the session {session} is gone"]
    turns = tuple(one for one in whole.turns if first <= one.number <= last)
    part = replace(whole, turns=turns)
    same = bool(turns) and _talk_mark(part) == fields.text("mark")
    return own_words(part), [] if same else [f"the session {session} has other turns"]


def _titled(items: Sequence[object], *, tx: Transaction) -> tuple[list[object], tuple[str, ...]]:
    """Return recorded tasks with their titles, and which of them were changed or deleted."""
    recorded = [Fields(item, noun="task") for item in items]
    names = [TaskId(one.text("id")) for one in recorded]
    known = tx.diary.tasks.get_many(names)
    found: list[object] = []
    changed: list[str] = []
    for name, one in zip(names, recorded, strict=True):
        task = known.get(name)
        if task is None:
            changed.append(f"{name} is gone")
            continue
        if mark_of(task.title) != one.text("mark"):
            changed.append(f"{name} has another title")
        found.append(
            {
                "id": name,
                "title": task.title,
                "status": one.text("status"),
                "kind": one.text("kind"),
                "planned_as": one.maybe_text("planned_as") or "",
            }
        )
    return found, tuple(changed)


def _open_tasks(*, ports: RolePorts) -> list[dict[str, object]]:
    """Return the tasks that are not done and count in this checkout, without their titles."""
    asked = ports.tasks("supervisor")
    which = TaskFilter(repo=asked.repo, statuses=_UNDONE)
    with ports.store.reading() as tx:
        unseen = asked.unseen(tx)
        found = tx.diary.tasks.find(which, limit=_MOST_TASKS)
    return [_task_json(one) for one in found if one.aside is None or one.aside not in unseen]


def _task_json(task: Task) -> dict[str, object]:
    return {
        "id": task.id,
        "status": task.status.value,
        "kind": task.kind.value,
        "mark": mark_of(task.title),
    }


def _governing(*, ports: RolePorts) -> list[object]:
    """Return the accepted rules and decisions that count here, without their claims."""
    place = ports.surroundings.place()
    with ports.store.reading() as tx:
        seen = view(place, tx=tx, verifier=ports.verifier)
        which = Selection(
            place=place,
            statuses=frozenset({Status.ACCEPTED}),
            kinds=frozenset(_GOVERNING),
            view=seen,
        )
        found: Sequence[MemoryRecord] = tx.memories.find(which, Page(limit=_MOST_MEMORIES))
    return [{"id": one.memory.id, "kind": one.memory.kind.value} for one in found]


def _begin(talk: Transcript) -> Transcript:
    """Return the oldest of the new turns; the place is kept, and the next run goes on from it."""
    return replace(talk, turns=talk.turns[:MOST_TURNS])


def _talk_size(talk: Transcript) -> int:
    return sum(size_of(one.text[:_LONGEST_TURN]) for one in talk.turns)


def _talk_mark(talk: Transcript) -> str:
    return mark_of(*(one.text for one in talk.turns))


def _talk_json(talk: Transcript) -> dict[str, object]:
    turns = [
        {"number": one.number, "speaker": one.speaker.value, "text": _clean(one.text)}
        for one in talk.turns
    ]
    return {"tool": talk.tool, "session": talk.session, "turns": turns}


def _clean(text: str) -> str:
    """Return a text without secrets, cut to what a specialist is given."""
    plain = text.replace("\0", "").encode("utf-8", "replace").decode("utf-8")
    return screened(
        plain[:_LONGEST_TURN], what="text", secrets=SecretPolicy.REDACT, cap=_LONGEST_TURN * 4
    )
