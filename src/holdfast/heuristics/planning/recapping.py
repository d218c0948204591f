"""Writes the recap of a run: one line for each role, then fallbacks and disagreements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_SHORT = 12


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
        return [f"- {name}: skipped"]
    return [f"- {name}: {told(step)}", *(f"  - {note}" for note in _items(step.get("notes")))]


def _history(step: Mapping[str, object]) -> str:
    outputs, effects = _object(step.get("outputs")), _object(step.get("effects"))
    lines = [str(one) for one in _items(outputs.get("summary"))]
    told = "; ".join(line for line in lines if not _is_commit(line)) or "nothing new to read"
    return f"{told}; {_many(_items(effects.get('candidates')), 'candidate')} proposed"


def _is_commit(line: str) -> bool:
    first = line.partition(" ")[0]
    return len(first) == _SHORT and all(one in "0123456789abcdef" for one in first)


def _plan(step: Mapping[str, object]) -> str:
    effects = _object(step.get("effects"))
    added, reused = _items(effects.get("added")), _items(effects.get("reused"))
    kept = f", {_many(reused, 'task')} reused" if reused else ""
    return f"{_many(added, 'task')} added{kept}"


def _command(step: Mapping[str, object]) -> str:
    outputs, effects = _object(step.get("outputs")), _object(step.get("effects"))
    if outputs.get("ran") is not True:
        return f"it was not run: {outputs.get('why')}"
    code = outputs.get("exit_code")
    if code is None:
        return f"it was stopped: {outputs.get('why')}"
    done = [str(one) for one in _items(effects.get("finished"))]
    after = f"; finished {', '.join(done)}" if done else ""
    return f"{'passed' if code == 0 else f'failed with exit code {code}'}{after}"


def _curation(step: Mapping[str, object]) -> str:
    effects, counts = _object(step.get("effects")), _object(step.get("counts"))
    found = counts.get("findings")
    many = found if isinstance(found, int) else 0
    fixed = _items(effects.get("decisions"))
    if fixed:
        return f"{_number(many, 'finding')}, {_many(fixed, 'decision')} made"
    fixable = effects.get("fixable")
    rest = f", {fixable} of them can be fixed automatically" if fixable else ""
    return f"{_number(many, 'finding')}{rest}"


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
