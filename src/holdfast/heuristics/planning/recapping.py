"""Writes the recap of a run: one line for each role, then fallbacks and disagreements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.roles.ending import told_command

if TYPE_CHECKING:
    from collections.abc import Callable

_SHORT = 12
_FIXED = {"deprecate": "deprecated", "consolidate": "merged", "unpin": "unpinned"}


def recap(inputs: Mapping[str, object]) -> dict[str, object]:
    """Return the recap of a run as text."""
    steps = [_object(one) for one in _items(inputs.get("steps"))]
    lines = [str(inputs.get("title", "work")), ""]
    lines += [line for step in steps for line in _about(step)]
    lines += _troubles(steps)
    lines += _disagreements([_object(one) for one in _items(inputs.get("disagreements"))])
    return {"text": "\n".join(lines)}


def _about(step: Mapping[str, object]) -> list[str]:
    told = _TELL.get(str(step.get("work")))
    if told is None:
        return []
    name = f"{step.get('role')} {step.get('subject') or ''}".strip()
    if step.get("status") == "skipped":
        return [f"- {name}: skipped: {'; '.join(map(str, _items(step.get('notes'))))}"]
    details = [*_left_out(step), *_fixes(step), *(str(note) for note in _items(step.get("notes")))]
    return [f"- {name}: {told(step)}", *(f"  - {one}" for one in details)]


def _history(step: Mapping[str, object]) -> str:
    outputs, effects = _object(step.get("outputs")), _object(step.get("effects"))
    lines = [str(one) for one in _items(outputs.get("summary"))]
    told = "; ".join(line for line in lines if not _is_commit(line)) or "nothing new to read"
    many = _many(_items(effects.get("candidates")), "candidate")
    return f"{told}; {many} {_did(effects, 'proposed')}"


def _did(effects: Mapping[str, object], word: str) -> str:
    """Return what was done, or what a dry run would do."""
    return f"would be {word}" if effects.get("is_dry") else word


def _left_out(step: Mapping[str, object]) -> list[str]:
    """Return how many claims were not proposed, for each reason."""
    effects = _object(step.get("effects"))
    reasons = _object(effects.get("left_out"))
    return [
        f"{_number(many, 'claim')} {_did(effects, 'left out')}: {why}"
        for why, many in reasons.items()
        if isinstance(many, int)
    ]


def _is_commit(line: str) -> bool:
    first = line.partition(" ")[0]
    return len(first) == _SHORT and all(one in "0123456789abcdef" for one in first)


def _plan(step: Mapping[str, object]) -> str:
    effects = _object(step.get("effects"))
    added, reused = _items(effects.get("added")), _items(effects.get("reused"))
    done = _items(effects.get("done"))
    kept = f", {_many(reused, 'task')} {_did(effects, 'reused')}" if reused else ""
    over = f", {_many(done, 'task')} done already" if done else ""
    return f"{_many(added, 'task')} {_did(effects, 'added')}{kept}{over}"


def _command(step: Mapping[str, object]) -> str:
    return told_command(_object(step.get("outputs")), _object(step.get("effects")))


def _curation(step: Mapping[str, object]) -> str:
    effects, counts = _object(step.get("effects")), _object(step.get("counts"))
    found = counts.get("findings")
    many = found if isinstance(found, int) else 0
    if fixed := _items(effects.get("fixed")):
        return f"{_number(many, 'finding')}, {len(fixed):,} of them fixed"
    fixable, why = effects.get("fixable"), effects.get("why")
    rest = f", {fixable} of them can be fixed automatically" if fixable else ""
    return f"{_number(many, 'finding')}{rest}{f'; {why}' if why else ''}"


def _fixes(step: Mapping[str, object]) -> list[str]:
    """Return each finding that was fixed, by the ids of its memories."""
    fixed = [_object(one) for one in _items(_object(step.get("effects")).get("fixed"))]
    return [
        f"{_FIXED.get(str(one.get('step')), 'changed')}"
        f" {', '.join(map(str, _items(one.get('subjects'))))}: {one.get('trouble')}"
        for one in fixed
    ]


def _troubles(steps: list[Mapping[str, object]]) -> list[str]:
    """Return a line for each specialist that failed, with who did its work instead."""
    lines = [
        f"- {step.get('role')}: {attempt.get('specialist')} {attempt.get('problem')};"
        f" {step.get('specialist')} was used instead"
        for step in steps
        for attempt in map(_object, _items(step.get("attempts")))
        if attempt.get("problem")
    ]
    return ["", "Fallbacks:", *lines] if lines else []


def _disagreements(found: list[Mapping[str, object]]) -> list[str]:
    if not found:
        return []
    lines = ["", "Disagreements:"]
    for one in found:
        sides = [_object(side) for side in _items(one.get("sides"))]
        told = "; ".join(
            f"{side.get('role')}: {side.get('says')} ({side.get('because')})" for side in sides
        )
        lines += [
            f"- {one.get('subject')}: {told}",
            f"  decided by {one.get('decided_by')}: {one.get('outcome')}"
            if one.get("decided_by") != "person"
            else f"  left for a person: {one.get('outcome')}",
        ]
    return lines


def _many(items: list[object], noun: str) -> str:
    return _number(len(items), noun)


def _number(many: int, noun: str) -> str:
    return f"1 {noun}" if many == 1 else f"{many:,} {noun}s"


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


_TELL: dict[str, Callable[[Mapping[str, object]], str]] = {
    "history": _history,
    "plan": _plan,
    "command": _command,
    "curate": _curation,
}
