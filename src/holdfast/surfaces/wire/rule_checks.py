"""Checks of memories as JSON: reports, lists, and accepted commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.exchange.bundle_shape import outcome_json
from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.domain.checks.change import AcceptedCommand
    from holdfast.usecases.checks.accepting import ListedCheck
    from holdfast.usecases.checks.run_checks import ChecksReport

    Json = dict[str, object]


def checks_json(report: ChecksReport) -> Json:
    """Return the outcome of each check, memory by memory."""
    return {
        "sound": report.is_sound,
        "certain": report.is_certain,
        "counts": {state.value: many for state, many in report.counts.items()},
        "notes": list(report.notes),
        "memories": [
            {
                "id": one.record.memory.id,
                "key": one.record.memory.key,
                "claim": one.record.memory.claim,
                "status": one.record.standing.status.value,
                "checks": [outcome_json(outcome) for outcome in one.outcomes],
            }
            for one in report.memories
        ],
    }


def listed_checks_json(found: Iterable[ListedCheck]) -> Json:
    """Return the checks of memories, and which commands a person accepted here."""
    return {
        "checks": [
            {
                "id": one.record.memory.id,
                "status": one.record.standing.status.value,
                "check": one.text,
                "command": one.is_command,
                "accepted": None if one.accepted is None else accepted_json(one.accepted),
            }
            for one in found
        ]
    }


def accepted_json(one: AcceptedCommand) -> Json:
    """Return a command that may run in one clone."""
    return {
        "command": one.command,
        "clone": one.clone,
        "by": one.by,
        "at": time_text(one.at),
    }


def commands_json(found: Iterable[AcceptedCommand]) -> Json:
    """Return the commands that were accepted."""
    return {"accepted": [accepted_json(one) for one in found]}


def waiting_commands_json(commands: Iterable[str], *, shown: str) -> Json:
    """Return commands that wait for a person, and the hash with which they are accepted."""
    return {"shown": shown, "commands": list(commands)}


def revoked_commands_json(commands: Iterable[str]) -> Json:
    """Return the commands that no longer run here."""
    return {"revoked": list(commands)}
