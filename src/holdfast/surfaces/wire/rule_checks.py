"""Checks of memories: reports, lists and accepted commands as JSON, and reports in SARIF.

Code hosts and editors show SARIF 2.1.0 beside the lines.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from urllib.parse import quote

from holdfast.domain.checks.outcome import CheckState
from holdfast.domain.exchange.bundle_shape import outcome_json
from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfast.domain.checks.change import AcceptedCommand
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.memory.memory import Memory
    from holdfast.usecases.checks.accepting import ListedCheck
    from holdfast.usecases.checks.run_checks import ChecksReport

    Json = dict[str, object]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "holdfastCheck/v1"
_LONGEST_NAME = 120
_ANYWHERE = "."
"""Where a result of a repository without files is shown."""


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


def sarif_json(report: ChecksReport, *, version: str) -> Json:
    """Return the report: a rule for each memory, a result for each broken or unknown check.

    Every result has a location with a line: GitHub refuses a report in which one has none.
    """
    rules = [_rule(one.record.memory) for one in report.memories]
    results = [
        result
        for place, one in enumerate(report.memories)
        for outcome in one.outcomes
        for result in _results(one.record.memory, place, outcome, report)
    ]
    driver = {"name": "Holdfast", "version": version, "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": VERSION,
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "invocations": [{"executionSuccessful": True}],
                "results": results,
            }
        ],
    }


def _rule(memory: Memory) -> Json:
    first = " ".join(memory.claim.split())
    return {
        "id": memory.id,
        "shortDescription": {"text": first[:_LONGEST_NAME]},
        "fullDescription": {"text": memory.claim},
        "defaultConfiguration": {"level": "error"},
    }


def _results(
    memory: Memory, place: int, outcome: CheckOutcome, report: ChecksReport
) -> Iterator[Json]:
    shown = [_location(report.shown_at.get(outcome.text) or _ANYWHERE)]
    if outcome.state is CheckState.UNKNOWN:
        said = _said(memory, place, outcome)
        yield {**said, "kind": "open", "level": "none", "locations": shown}
    if outcome.state is not CheckState.BROKEN:
        return
    for breach in outcome.breaches:
        what = f": {breach.path}: {breach.what}" if breach.what else ""
        message = f"{' '.join(memory.claim.split())} ({outcome.text}){what}"
        yield {
            **_said(memory, place, outcome, breach.place),
            "kind": "fail",
            "level": "error",
            "message": {"text": message},
            "locations": [_location(breach.path, breach.line)],
        }
    if not outcome.breaches:
        said = _said(memory, place, outcome)
        yield {**said, "kind": "fail", "level": "error", "locations": shown}


def _said(memory: Memory, place: int, outcome: CheckOutcome, where: str = "") -> Json:
    mark = hashlib.sha256(f"{memory.id}\0{outcome.text}\0{where}".encode(errors="replace"))
    return {
        "ruleId": memory.id,
        "ruleIndex": place,
        "message": {"text": f"{outcome.text}: {outcome.words}"},
        "partialFingerprints": {_FINGERPRINT: mark.hexdigest()[:32]},
    }


def _location(path: str, line: int = 0) -> Json:
    uri = quote(path.encode("utf-8", "surrogateescape"))
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": uri, "uriBaseId": _ROOT},
            "region": {"startLine": line or 1},
        }
    }
