"""The answers of specialists. Nothing in one is trusted: each field is checked, and bounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.roles.answer_kinds import (
    CurateAnswer,
    FinishedSign,
    HistoryAnswer,
    Interpretation,
    PlanAnswer,
    ProposedClaim,
    RecapAnswer,
    TaskDraft,
    in_order,
)
from holdfast.domain.roles.step import StepWork
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

MOST_PLANNED = 50
"""How many tasks one plan may have; a plan that never ends is cut here."""
MOST_CLAIMS = 20
"""How many claims one reading of the history may propose."""
MOST_LINES = 50
GOAL = "goal"
"""The key of the task that the others of a plan belong to."""
LONGEST_LINE = 500
LONGEST_CLAIM = 2_000
LONGEST_RECAP = 16 * 1024


def read_interpretation(outputs: object) -> Interpretation:
    """Read the answer about an intent."""
    fields = Fields(outputs, noun="interpretation")
    parts = fields.words("parts")[:MOST_PLANNED]
    return Interpretation(
        title=_line(fields.text("title"), what="title") or "work",
        sort=_line(fields.text("sort"), what="sort")[:40],
        parts=tuple(filter(None, (_line(one, what="part") for one in parts))),
        in_order=bool(fields.maybe_bool("in_order")),
    )


def read_plan(outputs: object, *, known: Collection[str], commands: Collection[str]) -> PlanAnswer:
    """Read a plan; what names tasks or commands that were not given is refused.

    Raises:
        BadFieldError: A key is given twice, an edge leads nowhere, or tasks wait for each other.
    """
    fields = Fields(outputs, noun="plan")
    items = fields.items("tasks")
    tasks = tuple(_planned(item) for item in items[:MOST_PLANNED])
    notes = _lines(fields.words("notes"))
    if len(items) > MOST_PLANNED:
        notes = (*notes, f"the plan was cut at {MOST_PLANNED} tasks")
    keys = [one.key for one in tasks]
    if len(set(keys)) < len(keys):
        raise BadFieldError(field="plan", problem="gives two tasks the same key.")
    reused = [one.reuse for one in tasks if one.reuse is not None]
    if len(set(reused)) < len(reused) or not set(reused) <= set(known):
        raise BadFieldError(field="plan", problem="reuses a task twice, or one it was not given.")
    if not {one.command for one in tasks if one.command} <= set(commands):
        raise BadFieldError(field="plan", problem="names a command that it was not given.")
    tasks = tuple(replace(one, after=_edges(one, frozenset(keys))) for one in tasks)
    in_order(tasks)
    return PlanAnswer(tasks=tasks, cites=fields.words("cites")[:MOST_LINES], notes=notes)


def _edges(one: TaskDraft, keys: Collection[str]) -> tuple[str, ...]:
    """Return the edges to tasks of the plan; the goal waits for its parts, and none for the goal.

    Edges to tasks that were cut off go with them.
    """
    if one.key == GOAL:
        return ()
    return tuple(dict.fromkeys(key for key in one.after if key in keys and key != GOAL))


def read_history(outputs: object, *, known: Collection[str]) -> HistoryAnswer:
    """Read the answer of a historian; signs about tasks that were not given are dropped."""
    fields = Fields(outputs, noun="history")
    signs = [_sign(item) for item in fields.items("done")[:MOST_LINES]]
    return HistoryAnswer(
        summary=_lines(fields.words("summary")),
        done=tuple(one for one in signs if one.task in known),
        claims=tuple(_claim(item) for item in fields.items("claims")[:MOST_CLAIMS]),
        notes=_lines(fields.words("notes")),
    )


def read_curation(outputs: object, *, findings: int) -> CurateAnswer:
    """Read the answer of a curator; it may only name findings that it was given.

    Raises:
        BadFieldError: It names another one.
    """
    fields = Fields(outputs, noun="curation")
    numbers = fields.items("fix")
    fix = tuple(one for one in numbers if isinstance(one, int) and 0 <= one < findings)
    if len(fix) < len(numbers):
        raise BadFieldError(field="curation's fix", problem="names a finding that does not exist.")
    return CurateAnswer(fix=tuple(sorted(set(fix))), notes=_lines(fields.words("notes")))


def read_recap(outputs: object) -> RecapAnswer:
    """Read the words of a recap."""
    text = Fields(outputs, noun="recap").text("text").strip()
    if not text or len(text) > LONGEST_RECAP:
        raise BadFieldError(field="recap", problem="is blank or too long.")
    return RecapAnswer(text=text)


def _planned(shape: object) -> TaskDraft:
    fields = Fields(shape, noun="task of a plan")
    title = _line(fields.text("title"), what="title")
    if not title:
        raise BadFieldError(field="title of a task of a plan", problem="is blank.")
    return TaskDraft(
        key=_line(fields.text("key"), what="key")[:40],
        title=title,
        reuse=fields.maybe_text("reuse"),
        after=fields.words("after")[:MOST_PLANNED],
        command=fields.maybe_text("command") or "",
        why=_line(fields.maybe_text("why") or "", what="why"),
    )


def _sign(shape: object) -> FinishedSign:
    fields = Fields(shape, noun="sign")
    return FinishedSign(
        task=fields.text("task"),
        commit=fields.text("commit")[:64],
        says=_line(fields.text("says"), what="says"),
    )


def _claim(shape: object) -> ProposedClaim:
    fields = Fields(shape, noun="claim")
    claim, quote = " ".join(fields.text("claim").split()), fields.text("quote")
    if not claim or not quote.strip() or max(len(claim), len(quote)) > LONGEST_CLAIM:
        raise BadFieldError(field="claim", problem="or its quote is blank or too long.")
    confidence = float(fields.number("confidence"))
    return ProposedClaim(
        claim=claim,
        kind=choose(Kind, fields.text("kind"), what="kind"),
        quote=quote,
        source=fields.whole("source"),
        turn=fields.whole("turn"),
        commit=fields.text("commit")[:64],
        rule=_line(fields.text("rule"), what="rule")[:60],
        confidence=min(1.0, max(0.0, confidence)),
    )


def _lines(texts: Iterable[str]) -> tuple[str, ...]:
    lines = [_line(text, what="line") for text in texts]
    return tuple(filter(None, lines))[:MOST_LINES]


def _line(text: str, *, what: str) -> str:
    if len(text) > LONGEST_CLAIM:
        raise BadFieldError(field=what, problem=f"has over {LONGEST_CLAIM:,} characters.")
    return " ".join(text.split())[:LONGEST_LINE]


EMPTY: Mapping[StepWork, Mapping[str, object]] = {
    StepWork.INTERPRET: {"title": "work", "sort": "other", "parts": [], "in_order": False},
    StepWork.PLAN: {"tasks": [], "cites": [], "notes": []},
    StepWork.HISTORY: {"summary": [], "done": [], "claims": [], "notes": []},
    StepWork.CURATE: {"fix": [], "notes": []},
    StepWork.CONSOLIDATE: {"text": "The recap could not be written."},
}
"""The answers of nobody: what a step records if every specialist failed."""
