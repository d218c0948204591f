"""A token without the scope of a route is refused before its fields are checked."""

from __future__ import annotations

import inspect
import re

import pytest

from docs.generator.reached import VERBS
from holdfast.app.performing import Performed
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.surfaces.http.routes.every import ROUTES
from holdfast.surfaces.http.scopes import SCOPES, operations_of
from holdfast.surfaces.http.table import Route
from tests.http.conftest import Served, client
from tests.requirements import requirement

GUARDED = [route for route in ROUTES if route.name in SCOPES]
OF_THE_APP = [route for route in GUARDED if inspect.isfunction(route.does)]
"""Those that call the application themselves; the others are calls of the memory service."""


def asked(route: Route, served: Served, may: frozenset[Operation]) -> tuple[int, str]:
    """Send a request that fits no route, and return the status and the code."""
    name = f"{route.name} {len(may)}"[-60:]
    token = served.home.token(PrincipalKind.PERSON, may=may, name=name)
    with client(served.url, token) as caller:
        answer = caller.request(
            route.method, route.path.replace("{id}", "m_nothing"), json={"no such field": 1}
        )
        return answer.status_code, answer.json()["code"]


@requirement("http.scope-first")
@pytest.mark.parametrize("route", GUARDED, ids=lambda route: route.name)
def test_the_scope_is_checked_before_the_fields(route: Route, served: Served) -> None:
    every = frozenset(Operation)
    without = every - set(operations_of(route, rehearses=False))
    assert asked(route, served, without) == (403, "may-not")
    assert asked(route, served, every) == (422, "bad-field")


@requirement("http.scope-first")
def test_every_route_that_changes_something_has_a_scope() -> None:
    changing = {route.name for route in ROUTES if route.writes or route.serves}
    assert changing <= SCOPES.keys() <= {route.name for route in ROUTES}


def declared(route: Route) -> list[Performed]:
    """Return the operations of the methods that a route calls."""
    called = re.findall(r"call\.app\.(\w+)\.(\w+)\(", inspect.getsource(route.does))
    return [one for verb in called if (one := VERBS.get(verb)) is not None]


@requirement("http.scope-first")
@pytest.mark.parametrize("route", OF_THE_APP, ids=lambda route: route.name)
def test_a_route_admits_each_operation_of_its_cases(route: Route) -> None:
    cases = {case.operation for one in declared(route) for case in one.cases} - {Operation.READ}
    assert set(operations_of(route, rehearses=False)) == {SCOPES[route.name], *cases}


@requirement("http.scope-first")
def test_forgetting_a_source_needs_no_decision(served: Served) -> None:
    may = frozenset({Operation.READ, Operation.FORGET})
    token = served.home.token(PrincipalKind.PERSON, may=may, name="forgetter")
    with client(served.url, token) as caller:
        forgets = caller.post("/v1/sources/revert", json={"source": "nobody", "forget": True})
        rejects = caller.post("/v1/sources/revert", json={"source": "nobody"})
    assert (forgets.json()["code"], rejects.json()["code"]) == (
        *("nothing-of-that-source", "may-not"),
    )


@requirement("http.scope-first")
def test_a_reader_reads_and_rehearses(served: Served) -> None:
    kept = served.person.post(
        "/v1/memories", json={"claim": "It rains.", "evidence": ["https://example.com/rain"]}
    ).json()["id"]
    token = served.home.token(PrincipalKind.PERSON, may=frozenset({Operation.READ}), name="reader")
    with client(served.url, token) as reader:
        rehearsed = reader.delete(f"/v1/memories/{kept}", params={"dry_run": True})
        refused = reader.delete(f"/v1/memories/{kept}")
    assert (rehearsed.status_code, refused.status_code) == (200, 403)


@requirement("http.same-words")
def test_an_agent_without_evidence_is_told_that_there_is_none(served: Served) -> None:
    nothing = served.agent.post("/v1/memories", json={"claim": "Tokens rotate."})
    word = served.agent.post("/v1/memories", json={"claim": "Tokens rotate.", "because": "I say"})
    assert (nothing.status_code, nothing.json()["code"]) == (422, "no-evidence")
    assert (word.status_code, word.json()["code"]) == (422, "agents-word")
