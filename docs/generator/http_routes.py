"""The HTTP API: every route, and the verbs that have none."""

from __future__ import annotations

import json

from docs.generator.markdown import Page, code
from holdfast import __version__
from holdfast.surfaces.http.openapi import openapi
from holdfast.surfaces.http.problems import STATUSES, TITLES
from holdfast.surfaces.http.routes.every import EXEMPT, ROUTES
from holdfast.surfaces.http.table import Route
from holdfast.surfaces.wire.failures import FAMILIES
from holdfast.surfaces.wire.schema.service import PLACE

FILE = "schemas/openapi.json"


def openapi_file() -> str:
    """Return the OpenAPI document as text."""
    return json.dumps(openapi(__version__), indent=1, ensure_ascii=False) + "\n"


def http_routes() -> str:
    """Return the page of routes."""
    page = Page("HTTP API")
    page.text(
        "`holdfast serve` answers these routes;",
        "[Run a server](../how-to/run-a-server.md) shows how to start one.",
        f"[`{FILE}`]({FILE}) is the same as an OpenAPI 3.1 document;"
        " a server has it at `/v1/openapi.json`, and at `/openapi.json`.",
        "Requests and answers are JSON, in the shapes of [the schemas](schemas.md).",
    )
    page.heading("Every request")
    page.text(
        "`Authorization: Bearer <token>` shows a token of `holdfast token create`.",
        "The token names the space, the kind of caller and what the caller may do.",
        f"The query parameters {_names(PLACE)} say from where memories are seen.",
        "A field or parameter that a route does not know is refused.",
        "A body is sent with `Content-Type: application/json` and is not compressed: a request with"
        " another `Content-Encoding` than `identity` gets the status 415.",
    )
    page.text(
        "Every route that changes something takes the header `Idempotency-Key`.",
        "A repeated request with the same key is not carried out again:"
        " it gets the stored answer, for 24 hours.",
        "The answer is stored in the same transaction as the change.",
        "A key belongs to the token, and counts in the space of the token; in the routes of the"
        " memory service it counts in the store that is named.",
    )
    page.text(
        "An answer about one memory has the header `ETag`, the version of the memory.",
        "A change with the header `If-Match` is refused if the memory has another version.",
        "Usage counts are not part of the version.",
    )
    page.text(
        "Every answer has the id of its request, as the log of the server has it, in the headers"
        " `X-Request-Id` and `Holdfast-Request`.",
        "A client recognises a Holdfast server by `Holdfast-Request`; a proxy may replace"
        " `X-Request-Id`, and lets `Holdfast-Request` pass.",
        "`GET /v1/memories` gives its list page by page:"
        " `cursor` takes the `next` of the page before.",
        "With `q` it is a search, which has one page: the best `limit` memories, at most 200."
        " `total` still counts all that match, up to 1,000, and `next` is null;"
        " `cursor` and `oldest_first` are refused.",
    )
    for subject, routes in _by_subject().items():
        page.heading(subject)
        page.table(
            ["method", "path", "what it does", "verb", "body", "query"],
            [_row(route) for route in routes],
        )
    _rest(page)
    return page.written()


def _rest(page: Page) -> None:
    page.heading("Beside the routes")
    page.table(
        ["path", "what it answers"],
        [
            ["`/healthz`", "whether the server runs; it needs no token"],
            ["`/readyz`", "whether the stores can be reached; it needs no token"],
            [
                "`/metrics`",
                "counts for Prometheus, to this machine or to a token with the scope `maintain`",
            ],
            [
                "`/v1/openapi.json`, `/openapi.json`",
                "the OpenAPI document; it needs no token and is the same for every store",
            ],
        ],
    )
    page.heading("Refusals")
    page.text(
        "Every refusal is `application/problem+json` with a stable `code`, the sentence `detail`,"
        " and `advice`.",
        "[Errors](errors.md) lists the codes.",
        "If a field is wrong, `facts.field` says where it is: `body.x`, `query.x`, `path.x` or"
        " `header.x`; `body.claims[].x` is in one of a list.",
        "The status is that of the family of the error, except for these codes:",
    )
    families = [[str(face.http_status), f"family {code(face.name)}"] for face in FAMILIES.values()]
    codes = [[str(status), code(name)] for name, status in STATUSES.items()]
    rows = sorted([*families, *codes])
    page.table(["status", "title", "when"], [[row[0], TITLES[int(row[0])], row[1]] for row in rows])
    page.heading("Verbs without a route")
    page.table(
        ["verb", "reason"], [[code(verb), reason] for verb, reason in sorted(EXEMPT.items())]
    )


def _by_subject() -> dict[str, list[Route]]:
    found: dict[str, list[Route]] = {}
    for route in ROUTES:
        found.setdefault(route.path.split("/")[2].capitalize(), []).append(route)
    return found


def _row(route: Route) -> list[str]:
    body = "" if route.body is None else _names(route.body["properties"])
    return [
        code(route.method),
        code(route.path),
        route.summary,
        code(route.verb),
        body,
        _names(route.query),
    ]


def _names(fields: object) -> str:
    names = list(fields) if isinstance(fields, dict) else []
    return ", ".join(code(str(name)) for name in names)
