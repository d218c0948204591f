"""The OpenAPI document: valid, complete, and served as it is published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from holdfast.surfaces.http.openapi import openapi
from holdfast.surfaces.http.problems import STATUSES, TITLES
from holdfast.surfaces.http.routes.every import ROUTES
from holdfast.surfaces.wire.failures import FAMILIES
from tests.http.conftest import Served
from tests.requirements import requirement

PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "schemas" / "openapi.json"


@requirement("http.described")
def test_the_document_is_valid_openapi() -> None:
    document = json.loads(PUBLISHED.read_text(encoding="utf-8"))

    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    assert document["openapi"] == "3.1.0"


@requirement("http.described")
@pytest.mark.parametrize("path", ["/v1/openapi.json", "/openapi.json"])
def test_the_server_has_the_document_without_a_token(served: Served, path: str) -> None:
    answer = served.agent.get(path, headers={"Authorization": ""})

    assert answer.json() == openapi("0")


@requirement("http.described")
def test_every_route_is_in_the_document() -> None:
    document: Any = openapi("0")
    found = {route.name: document["paths"][route.path][route.method.lower()] for route in ROUTES}

    assert [name for name, one in found.items() if one["operationId"] != name] == []
    assert [
        route.name for route in ROUTES if str(route.status) not in found[route.name]["responses"]
    ] == []


def test_no_two_operations_have_one_name() -> None:
    names = [route.name for route in ROUTES]

    assert len(names) == len(set(names))


def test_every_status_has_a_title() -> None:
    statuses = {*STATUSES.values(), *(face.http_status for face in FAMILIES.values())}

    assert statuses <= set(TITLES)
