"""A report of checks in SARIF 2.1.0, which code hosts and editors show beside the lines."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING
from urllib.parse import quote

from holdfast.domain.checks.outcome import CheckState

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.domain.checks.outcome import Breach, CheckOutcome
    from holdfast.domain.memory.memory import Memory
    from holdfast.usecases.checks.run_checks import ChecksReport

    Json = dict[str, object]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION = "2.1.0"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "holdfastCheck/v1"
_LONGEST_NAME = 120


def sarif_json(report: ChecksReport, *, version: str) -> Json:
    """Return the report: a rule for each memory, a result for each broken or unknown check."""
    rules = [_rule(one.record.memory) for one in report.memories]
    results = [
        result
        for place, one in enumerate(report.memories)
        for outcome in one.outcomes
        for result in _results(one.record.memory, place, outcome)
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


def _results(memory: Memory, place: int, outcome: CheckOutcome) -> Iterator[Json]:
    if outcome.state is CheckState.UNKNOWN:
        yield {**_said(memory, place, outcome), "kind": "open", "level": "none"}
    if outcome.state is not CheckState.BROKEN:
        return
    for breach in outcome.breaches:
        message = f"{' '.join(memory.claim.split())} ({outcome.text})"
        yield {
            **_said(memory, place, outcome, breach.place),
            "kind": "fail",
            "level": "error",
            "message": {"text": message},
            "locations": [_location(breach)],
        }
    if not outcome.breaches:
        yield {**_said(memory, place, outcome), "kind": "fail", "level": "error"}


def _said(memory: Memory, place: int, outcome: CheckOutcome, where: str = "") -> Json:
    mark = hashlib.sha256(f"{memory.id}\0{outcome.text}\0{where}".encode(errors="replace"))
    return {
        "ruleId": memory.id,
        "ruleIndex": place,
        "message": {"text": f"{outcome.text}: {outcome.words}"},
        "partialFingerprints": {_FINGERPRINT: mark.hexdigest()[:32]},
    }


def _location(breach: Breach) -> Json:
    path = quote(breach.path.encode("utf-8", "surrogateescape"))
    physical: Json = {"artifactLocation": {"uri": path, "uriBaseId": _ROOT}}
    if breach.line:
        physical["region"] = {"startLine": breach.line}
    return {"physicalLocation": physical}
