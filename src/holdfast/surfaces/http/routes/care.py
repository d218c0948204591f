"""Routes about the store: its state, its check, exports and imports."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.choices import Status
from holdfast.domain.refusals import BadExchangeError
from holdfast.domain.review.curation import Severity
from holdfast.surfaces.http.table import Result, Route, RouteCall
from holdfast.surfaces.wire.care import findings_json, state_json, survey_json
from holdfast.surfaces.wire.intake import brought_json
from holdfast.surfaces.wire.schema import service as shape

if TYPE_CHECKING:
    from holdfast.domain.review.curation import Concern
    from holdfast.surfaces.http.table import Json

_NEEDS_PERSON, _DAMAGED = 1, 6


def status(call: RouteCall) -> Result:
    """Show counts, and what waits for a person."""
    state = call.app.upkeep.status(everywhere=bool(call.query.get("everywhere")))
    waiting = {
        "candidates": state.by_status.get(Status.CANDIDATE, 0),
        "conflicts": state.conflicts,
        "drifted": 0,
        "warnings": len(call.app.warnings),
    }
    body = state_json(state, waiting=waiting, sends_to="")
    # Where the server keeps its files is no business of its callers.
    facts = {**cast("Json", body["store"]), "location": "server"}
    return Result(body={**body, "store": facts})


def doctor(call: RouteCall) -> Result:
    """Check the store."""
    findings = call.app.upkeep.check(lambda _done, _total: None)
    found = {one.severity for one in findings}
    code = _NEEDS_PERSON if Severity.WARNING in found else 0
    code = _DAMAGED if Severity.DAMAGE in found else code
    return Result(body=findings_json(findings, None, exit_code=code))


def survey(call: RouteCall) -> Result:
    """Find what is stale, duplicate or junk."""
    found, history = call.app.care.survey()
    return Result(body=survey_json(found, history, found.concerns, command=_no_command))


def _no_command(_concern: Concern) -> str:
    return ""


def export(call: RouteCall) -> Result:
    """Export everything of the space as JSON lines."""
    here_only = bool(call.query.get("here"))
    return Result(body={}, lines=tuple(call.app.exchange.export(here_only=here_only)))


def bring_in(call: RouteCall) -> Result:
    """Import an export; a request is stored as a whole or not at all."""
    lines = cast("list[str]", call.body["lines"])
    try:
        return Result(body=brought_json(call.app.exchange.bring_in(lines)))
    except BadExchangeError as error:
        raise BadExchangeError(
            error.line, error.problem, refused=error.refused, is_undone=True
        ) from error


ROUTES = (
    Route(
        method="GET",
        path="/v1/status",
        verb="status",
        summary="Show counts, and what waits for a person",
        does=status,
        answer="status",
        query={"everywhere": shape.LATEST["everywhere"]},
    ),
    Route(
        method="GET",
        path="/v1/doctor",
        verb="doctor",
        summary="Check the whole store",
        does=doctor,
        answer="doctor",
    ),
    Route(
        method="GET",
        path="/v1/health",
        verb="curate",
        summary="Find stale, duplicate and useless memories",
        does=survey,
        answer="curate",
    ),
    Route(
        method="GET",
        path="/v1/export",
        verb="export",
        summary="Export everything of the space as JSON lines",
        does=export,
        answer=shape.LINES,
        query={"here": shape.HERE},
        is_lines=True,
    ),
    Route(
        method="POST",
        path="/v1/import",
        verb="import",
        summary="Import an export, all of it or nothing",
        does=bring_in,
        answer="import",
        writes=True,
        body=shape.IMPORT,
    ),
)
