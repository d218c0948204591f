"""The text with which a session begins: where the work stands, within a budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.cache import NoteKind, short, summarised
from holdfast.domain.sessions.reconciling import REPLACED, Happened
from holdfast.domain.text.fencing import fenced, quoted
from holdfast.domain.text.outside import name_outside
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.sessions.cache import CachedTurn, CacheNote
    from holdfast.domain.sessions.plan_line import PlanLine
    from holdfast.domain.sessions.reconciling import Reconciliation

_LEAD = "Where the work here stands, as earlier sessions and people left it."
_NOTE = 240
_WIDTHS = ((500, 200), (200, 120), (80, 60))
"""The characters of the newest turn, and of the others: as much as the budget allows."""
_SHORT = 7
_NOT_TOLD = frozenset({Happened.OTHER_BRANCH, Happened.BRANCH_GONE, Happened.NO_HISTORY})
"""What speaks of another branch, or of nothing, stays out."""
_HEADINGS = {
    NoteKind.GOAL: "Goals",
    NoteKind.APPROVAL: "Waits for approval",
    NoteKind.SUBTASK: "Open subtasks",
    NoteKind.QUESTION: "Open questions",
    NoteKind.NOTE: "Notes",
    NoteKind.ARTEFACT: "Artefacts",
}
_LAST = "Last turns, newest first"
_MILESTONE = "Next milestone"
_IN_WORK = "Tasks in work"
_ORDER = (
    "",
    _HEADINGS[NoteKind.GOAL],
    _MILESTONE,
    _IN_WORK,
    _LAST,
    _HEADINGS[NoteKind.APPROVAL],
    _HEADINGS[NoteKind.SUBTASK],
    _HEADINGS[NoteKind.QUESTION],
    _HEADINGS[NoteKind.NOTE],
    _HEADINGS[NoteKind.ARTEFACT],
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkState:
    """Everything that a preamble may tell, each part with the most useful first."""

    branch: str | None = None
    head: str | None = None
    found: Reconciliation | None = None
    lost: frozenset[str] = frozenset()
    """Commits of turns that are no longer part of this branch."""
    aside: frozenset[str] = frozenset()
    """Notes of the repository that were written on a branch whose work is not here."""
    turns: tuple[CachedTurn, ...] = ()
    notes: tuple[CacheNote, ...] = ()
    proposed: tuple[CacheNote, ...] = ()
    """What waits until a person accepts it; it is shown to people, and never told."""
    milestones: tuple[PlanLine, ...] = ()
    """Milestones that are not done."""
    in_work: tuple[PlanLine, ...] = ()

    @property
    def is_replaced(self) -> bool:
        """Whether the history of this branch was replaced since its last turn."""
        return self.found is not None and self.found.happened in REPLACED


def preamble(
    standing: WorkState, *, nonce: str, fits: Callable[[str], bool], closing: str = ""
) -> tuple[str, int]:
    """Return the fenced text, and how many lines did not fit; '' if there is nothing to tell.

    In a small budget every line is shorter.
    """
    least, rest = 1 if standing.is_replaced else 2, 0
    for widths in _WIDTHS:
        lines = _by_weight(standing, widths)
        count = _fitting(lines, nonce, fits, closing)
        rest = len(lines) - count
        if count >= least:
            return _text(lines[:count], rest, nonce, closing), rest
    return "", rest


def _fitting(
    lines: Sequence[tuple[str, str]], nonce: str, fits: Callable[[str], bool], closing: str
) -> int:
    """Return how many lines fit, the most useful first."""
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(_text(lines[:middle], len(lines) - middle, nonce, closing)):
            low = middle
        else:
            high = middle - 1
    return low


def _text(lines: Sequence[tuple[str, str]], rest: int, nonce: str, closing: str) -> str:
    shown: list[str] = []
    for heading in _ORDER:
        mine = [line for name, line in lines if name == heading]
        if mine and heading:
            shown += [f"{heading}:", *(f"- {line}" for line in mine)]
        else:
            shown += mine
    more = [f"and {rest} more line{'s' if rest > 1 else ''} that did not fit"] if rest else []
    body = [_LEAD, *quoted(shown, nonce=nonce), *more, *([closing] if closing else [])]
    return fenced("\n".join(body), nonce=nonce)


def _by_weight(standing: WorkState, widths: tuple[int, int]) -> list[tuple[str, str]]:
    """Return the lines under their headings, the most useful first."""
    notes = {
        kind: [
            (_HEADINGS[kind], _note(one, standing.aside))
            for one in standing.notes
            if one.kind is kind
        ]
        for kind in NoteKind
    }
    turns = [
        (_LAST, _turn(turn, widths[1] if place else widths[0], standing.lost))
        for place, turn in enumerate(standing.turns)
    ]
    milestones = [(_MILESTONE, _milestone(one)) for one in standing.milestones]
    in_work = [(_IN_WORK, _task(one)) for one in standing.in_work]
    return [
        ("", _where(standing)),
        *turns[:1],
        *notes[NoteKind.APPROVAL],
        *notes[NoteKind.GOAL][:3],
        *milestones[:1],
        *notes[NoteKind.SUBTASK],
        *in_work,
        *turns[1:3],
        *notes[NoteKind.QUESTION],
        *notes[NoteKind.NOTE],
        *turns[3:],
        *notes[NoteKind.GOAL][3:],
        *milestones[1:],
        *notes[NoteKind.ARTEFACT],
    ]


def _where(standing: WorkState) -> str:
    branch = "No branch" if standing.branch is None else f"Branch {name_outside(standing.branch)}"
    at = "" if standing.head is None else f" at {standing.head[:_SHORT]}"
    found = standing.found
    told = found is not None and found.happened not in _NOT_TOLD
    return f"{branch}{at}{f': {found.words}' if found is not None and told else ''}."


def _turn(turn: CachedTurn, most: int, lost: frozenset[str]) -> str:
    when = f"{turn.at:%Y-%m-%d %H:%M} UTC"
    commit = "" if turn.point is None else f", commit {turn.point.head[:_SHORT]}"
    if turn.point is not None and turn.point.head in lost:
        commit = f"; its{commit[1:]} is no longer on this branch"
    did = summarised(turn)
    asked = f"asked: {short(turn.asked, most)}" if turn.asked else ""
    done = short(did, most) if turn.is_attempt or not did else f"done: {short(did, most)}"
    said = "; ".join(one for one in (asked, done) if one) or "nothing was recorded"
    by = f", recorded by {turn.recorder}" if turn.recorder else ""
    return f"{when} ({turn.tool or 'a tool'}{commit}{by}): {said}"


def _note(note: CacheNote, aside: frozenset[str]) -> str:
    branch = f" (branch {name_outside(note.branch)})" if note.branch and note.id in aside else ""
    return f"[{note.id}] {short(note.text, _NOTE)}{_by(note.author)}{branch}"


def _milestone(task: PlanLine) -> str:
    many = f"{task.waits} task{'s' if task.waits > 1 else ''}"
    rest = f", waits for {many}" if task.waits else ", can be finished"
    return f"[{task.id}] {short(task.title, _NOTE)}{_by(task.author)}{rest}"


def _task(task: PlanLine) -> str:
    holder = f" ({short(task.holder, 60)})" if task.holder else ""
    return f"[{task.id}] {short(task.title, _NOTE)}{_by(task.author)}{holder}"


def _by(author: str) -> str:
    return f" ({short(author, 60)})" if author else ""
