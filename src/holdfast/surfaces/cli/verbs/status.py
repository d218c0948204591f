"""status: how much is remembered, and what waits for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.badge import badge
from holdfast.domain.choices import Status
from holdfast.surfaces.cli.present.colour import Dim, Name, Warn
from holdfast.surfaces.cli.present.memory_lines import fact_lines

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import Desk
    from holdfast.usecases.inspect import State

_COUNTED = ("candidates", "conflicts", "drifted", "warnings")
_UNITS = ("B", "KB", "MB", "GB", "TB")
_STEP = 1024


def status(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Say how much is remembered, what waits for a person, and where it is kept.\n"
        "--badge is for a prompt: one short line, or nothing when nothing waits.",
        examples=("holdfast status", "holdfast status --badge", "holdfast status --json"),
        does=_run,
    )
    command.add_argument("--badge", action="store_true", help="one line for a prompt, or nothing")


def _run(given: Namespace, desk: Desk) -> None:
    if given.badge:
        _show_badge(desk)
        return
    state = desk.memory.status()
    if desk.output.as_json:
        desk.output.json({**state_json(state), "waiting": _waiting(desk)})
        return
    facts = state.facts
    total = sum(state.by_status.values())
    noun = "memory" if total == 1 else "memories"
    desk.output.say(f"{total:,} {noun}, {state.here:,} can be recalled here")
    fact_lines(
        desk.output,
        [
            ("by status", _counted({key.value: many for key, many in state.by_status.items()})),
            ("by kind", _counted({key.value: many for key, many in state.by_kind.items()})),
            ("pinned", f"{state.pinned:,}" if state.pinned else ""),
            ("expired", f"{state.expired:,}" if state.expired else ""),
            ("repository", state.place.repo or "none here"),
            ("branch", state.place.branch),
            ("workspace", state.place.workspace),
            ("meaning", _meaning(state, total, desk)),
            ("health", _health(desk)),
            ("store", f"{facts.location} ({_size(facts.bytes_on_disk)}, {facts.engine})"),
            ("log", f"{facts.events:,} events, head {facts.head[:12]}"),
        ],
    )
    _show_waiting(state, desk)
    if state.expired:
        desk.output.note(Dim(f"{state.expired:,} expired: holdfast list --expired --all"))


def _show_waiting(state: State, desk: Desk) -> None:
    """Say what the badge says, and with which commands to look at it."""
    if waiting := state.by_status.get(Status.CANDIDATE, 0):
        desk.output.note(Warn(f"{waiting:,} to review: "), Name("holdfast review"))
    found = _waiting(desk)
    if conflicts := found["conflicts"]:
        desk.output.note(Warn(f"{conflicts:,} in conflict: "), Name("holdfast conflicts"))
    if drifted := found["drifted"]:
        desk.output.note(Warn(f"{drifted:,} drifted: "), Name("holdfast verify"))


def _waiting(desk: Desk) -> dict[str, int]:
    """Return what the badge counts."""
    from holdfast.bootstrap.badge import counts

    found = counts("" if desk.home is None else str(desk.home)) or (0, 0, 0, 0)
    return dict(zip(_COUNTED, found, strict=True))


def _health(desk: Desk) -> str:
    """Return how healthy it was when the curator looked last; nothing if it never did."""
    from holdfast.bootstrap.care import care_of
    from holdfast.surfaces.cli.present.curation import health_words

    return health_words(care_of(desk.memory, desk.home).history())


def _meaning(state: State, total: int, desk: Desk) -> str:
    if state.embedding:
        return f"{state.embedding} has read {state.embedded:,} of {total:,}"
    from holdfast.bootstrap.wiring import no_meaning

    return no_meaning(desk.home)


def _show_badge(desk: Desk) -> None:
    """Show the badge to those who want it as JSON, or from another folder."""
    found = _waiting(desk)
    line = badge(*found.values())
    if desk.output.as_json:
        desk.output.json({**found, "badge": line})
    elif line:
        desk.output.say(line)


def state_json(state: State) -> dict[str, object]:
    """Return the state as JSON."""
    facts, place = state.facts, state.place
    return {
        "total": sum(state.by_status.values()),
        "here": state.here,
        "by_status": {key.value: many for key, many in state.by_status.items()},
        "by_kind": {key.value: many for key, many in state.by_kind.items()},
        "pinned": state.pinned,
        "expired": state.expired,
        "embedding": {"model": state.embedding, "memories": state.embedded},
        "place": {"repo": place.repo, "branch": place.branch, "workspace": place.workspace},
        "store": {
            "location": facts.location,
            "backend": facts.backend,
            "schema": facts.schema,
            "engine": facts.engine,
            "bytes_on_disk": facts.bytes_on_disk,
            "events": facts.events,
            "head": facts.head,
        },
    }


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{many:,} {name}" for name, many in counts.items() if many)


def _size(count: float) -> str:
    unit = 0
    while count >= _STEP and unit < len(_UNITS) - 1:
        count, unit = count / _STEP, unit + 1
    return f"{count:.0f} {_UNITS[unit]}" if unit == 0 else f"{count:.1f} {_UNITS[unit]}"
