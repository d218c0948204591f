"""Calls about the store: its state, and exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.remote.requests import request_to
from holdfast.app.exchange import Exchange
from holdfast.app.upkeep import UpkeepPart
from holdfast.bootstrap.remote.reading import by_status, counts, listed
from holdfast.domain.choices import Kind, choose
from holdfast.domain.fields import Fields
from holdfast.domain.review.curation import HealthFinding, Severity, StoreFacts
from holdfast.usecases.inspect import StoreStatus

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from holdfast.bootstrap.remote.asking import Asking
    from holdfast.ports.store.upkeep import Progress


def status(at: Asking, *, everywhere: bool = False) -> StoreStatus:
    """Return the number of memories, and what waits for a person."""
    return at.get("/v1/status", lambda answer: _status(at, answer), everywhere=everywhere or None)


def _status(at: Asking, answer: Fields) -> StoreStatus:
    store, model = (Fields(answer.raw(name), noun=name) for name in ("store", "embedding"))
    return StoreStatus(
        place=at.holdfast.place(),
        facts=StoreFacts(
            location=at.server.access.url,
            backend=store.text("backend"),
            schema=store.whole("schema"),
            engine=store.text("engine"),
            bytes_on_disk=store.whole("bytes_on_disk"),
            events=store.whole("events"),
            head=store.text("head"),
        ),
        by_status=by_status(answer),
        by_kind={
            choose(Kind, name, what="kind"): many
            for name, many in counts(answer, "by_kind").items()
        },
        here=answer.whole("here"),
        expired=answer.whole("expired"),
        pinned=answer.whole("pinned"),
        conflicts=counts(answer, "waiting").get("conflicts", 0),
        elsewhere=answer.whole("elsewhere"),
        embedding=model.text("model"),
        embedded=model.whole("memories"),
        answering=model.text("answering"),
    )


def check(at: Asking, progress: Progress) -> Sequence[HealthFinding]:
    """Check everything the store of the server holds."""
    progress(0, 1)
    return at.get("/v1/doctor", _findings)


def _findings(answer: Fields) -> Sequence[HealthFinding]:
    return [
        HealthFinding(
            check=one.text("check"),
            severity=choose(Severity, one.text("severity"), what="severity"),
            message=one.text("message"),
            advice=one.text("advice"),
        )
        for one in listed(answer, "findings", noun="finding")
    ]


def export(at: Asking, *, here_only: bool = False) -> Generator[str, None, None]:
    """Return everything of the space as JSON lines."""
    query = {"here": True, **at.place()} if here_only else at.place()
    yield from at.server.lines(request_to("GET", "/v1/export", query=query))


PARTS = {UpkeepPart: (status, check), Exchange: (export,)}
