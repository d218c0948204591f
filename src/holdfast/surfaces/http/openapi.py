"""The OpenAPI 3.1 document, generated from the route table and the schemas of the wire."""

from __future__ import annotations

import re
from typing import cast

from holdfast.surfaces.http.problems import PROBLEM, TITLES
from holdfast.surfaces.http.reading import VERSIONS
from holdfast.surfaces.http.routes.every import ROUTES
from holdfast.surfaces.http.table import Json, Route
from holdfast.surfaces.wire.schema.published import described
from holdfast.surfaces.wire.schema.service import ID, PLACE, text
from holdfast.surfaces.wire.schema.words import (
    TEXT,
    WHOLE,
    list_of,
    map_of,
    object_of,
    one_of,
)

_FACT: Json = {"type": ["string", "number", "boolean", "null"]}
_PROBLEM = object_of(
    {
        "type": TEXT,
        "title": TEXT,
        "status": WHOLE,
        "detail": TEXT,
        "code": TEXT,
        "family": one_of(["invalid", "not-found", "conflict", "stale", "unavailable", "bug"]),
        "advice": TEXT,
        "facts": map_of({"anyOf": [_FACT, list_of(_FACT)]}),
    }
)
_EVERY = (400, 401, 403, 404, 409, 412, 413, 414, 415, 422, 429, 431, 503)
_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": (
        "A key of the client's choice. A repeated request with the same key is not carried out"
        " again; it gets the stored answer, for 24 hours."
    ),
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
}
_IF_MATCH: Json = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "The ETag of the memory; if it changed since, nothing is written.",
    "schema": {"type": "string", "pattern": VERSIONS},
}
_ETAG: Json = {"description": "The version of the memory.", "schema": TEXT}


def openapi(version: str) -> Json:
    """Return the document."""
    paths: dict[str, Json] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return cast(
        "Json",
        _moved(
            {
                "openapi": "3.1.0",
                "info": {
                    "title": "Holdfast",
                    "version": version,
                    "description": "A durable memory for agents, over HTTP.",
                    "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
                },
                "servers": [{"url": "/"}],
                "security": [{"token": []}],
                "paths": paths,
                "components": {
                    "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
                    "schemas": {**_plain_names(described()), "problem": _PROBLEM},
                },
            }
        ),
    )


def _operation(route: Route) -> Json:
    shape: Json = {
        "operationId": route.name,
        "summary": route.summary,
        "tags": [route.path.split("/")[2]],
        "parameters": [*_parameters(route)],
        "responses": _responses(route),
        "x-holdfast-verb": route.verb,
    }
    if route.body is not None:
        is_needed = bool(route.body["required"]) or "anyOf" in route.body
        content: Json = {"application/json": {"schema": route.body}}
        shape["requestBody"] = {"required": is_needed, "content": content}
    return shape


def _parameters(route: Route) -> list[Json]:
    found: list[Json] = [
        {"name": name, "in": "path", "required": True, "schema": _path_schema(name)}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]
    for name, schema in {**PLACE, **route.query}.items():
        found.append(
            {"name": name, "in": "query", "required": name in route.needs, "schema": schema}
        )
    if route.takes_key:
        found.append(_KEY)
    if route.versioned and route.writes:
        found.append(_IF_MATCH)
    return found


def _path_schema(name: str) -> Json:
    return {**text(10), "format": "date"} if name == "day" else ID


def _responses(route: Route) -> Json:
    answer = _answer(route)
    kind = "application/x-ndjson" if route.is_lines else "application/json"
    done: Json = {"description": route.summary, "content": {kind: {"schema": answer}}}
    found: Json = {str(route.status): done}
    if route.versioned:
        done["headers"] = {"ETag": _ETAG}
        if route.method == "GET":
            found["304"] = {"description": "The version is the one of If-None-Match."}
    for status in _EVERY:
        content: Json = {PROBLEM: {"schema": {"$ref": "#/components/schemas/problem"}}}
        found[str(status)] = {"description": TITLES[status], "content": content}
    return found


def _answer(route: Route) -> Json:
    if isinstance(route.answer, str):
        return {"$ref": f"#/$defs/answer.{route.answer.replace(' ', '-')}"}
    return route.answer


def _plain_names(schemas: dict[str, Json]) -> Json:
    """Return the schemas that answers and requests of routes can contain."""
    return {name: schema for name, schema in schemas.items() if not name.startswith("request.")}


def _moved(value: object) -> object:
    """Return the document with every reference in the place where OpenAPI keeps schemas."""
    if isinstance(value, dict):
        return {
            name: str(one).replace("#/$defs/", "#/components/schemas/")
            if name == "$ref"
            else _moved(one)
            for name, one in value.items()
        }
    return [_moved(one) for one in value] if isinstance(value, list) else value
