"""No field of a claim is lost on its way to a server."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import Any, cast

import pytest

from holdfast.app import Holdfast
from holdfast.bootstrap.remote import claims
from holdfast.bootstrap.remote.asking import Asking
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope
from holdfast.domain.errors import BlankClaimError, NoEvidenceError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.values import replace
from holdfast.surfaces.wire.requests import read_remember
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from tests.cli.program import Program
from tests.http.conftest import Home
from tests.requirements import requirement

PLAIN = Remember(claim="Owls hunt.", origin=Origin.HUMAN, grounds=Grounds(because="Seen."))
OTHER: dict[str, Any] = {
    "claim": "Owls sleep.",
    "kind": Kind.RULE,
    "scope": Scope.GLOBAL,
    "key": "owls",
    "label": "DEC-001",
    "tags": ("birds",),
    "keep_for": timedelta(days=30),
    "importance": 0.9,
    "weight": 2.0,
    "pinned": True,
    "metadata": {"seen": "often"},
    "checks": ("must not match `print` in src/**",),
    "source": "test",
    "sensitive": True,
}
GROUNDS: dict[str, Grounds] = {
    "because": Grounds(because="Heard."),
    "from_bundle": Grounds(from_bundle="c_1"),
    "derived_from": Grounds(derived_from=("m_1",)),
    "given": Grounds(given=(Evidence(type=EvidenceType.URL, reference="https://example.com"),)),
}
# What the server decides itself, or what shows in the other fields.
NOT_SENT = {"author", "by", "most_hourly", "most_waiting", "origin", "secrets", "stated"}
READ_IN_FILES = {"places", "recorded"}


@pytest.fixture
def at(file_home: Home) -> Asking:
    """A memory of this machine; nothing is asked."""
    local: Holdfast = file_home.machine().open()
    return Asking(server=cast("Any", None), holdfast=local, part=cast("Any", None))


@requirement("remote.same-answers")
def test_every_field_of_a_claim_is_sent(at: Asking) -> None:
    named = {one.name for one in fields(cast("Any", Remember))}
    assert named == {*OTHER, "grounds", *NOT_SENT}

    for name, value in OTHER.items():
        wish = replace(PLAIN, **{name: value})
        body, _ = claims._claim(at, wish)
        read = read_remember(body, Remember(claim="", origin=Origin.HUMAN), noun="request")
        assert getattr(read, name) == value, name


@requirement("remote.same-answers")
def test_all_evidence_of_a_claim_is_sent(at: Asking) -> None:
    named = {one.name for one in fields(cast("Any", Grounds))}
    assert named == {*GROUNDS, *READ_IN_FILES}

    plain, _ = claims._claim(at, PLAIN)
    for name, grounds in GROUNDS.items():
        body, _ = claims._claim(at, replace(PLAIN, grounds=grounds))
        assert body != plain, name


@requirement("remote.same-answers")
def test_a_stated_empty_field_is_sent(at: Asking) -> None:
    """'--no-check' and '--ttl never' change a known claim; a field that is not said does not."""
    stated = frozenset({"checks", "ttl", "kind"})
    body, _ = claims._claim(at, replace(PLAIN, stated=stated))
    silent, _ = claims._claim(at, PLAIN)

    assert (body["checks"], body["ttl"], body["kind"]) == ([], "never", "fact")
    assert not {"checks", "ttl", "kind", "tags", "metadata"} & set(silent)


@requirement("remote.writes-wait")
def test_a_claim_that_no_server_would_take_is_refused_here(at: Asking) -> None:
    with pytest.raises(NoEvidenceError):
        claims._claim(at, replace(PLAIN, grounds=Grounds()))
    with pytest.raises(BlankClaimError):
        claims._claim(at, replace(PLAIN, claim=" "))


@requirement("remote.same-answers")
def test_a_check_is_stored_by_the_server(served: Program) -> None:
    check = "must not match `print` in src/**"
    kept = served("remember", "--because", "x", "--check", check, "No prints.", "--json")

    name = kept.well().json["id"]
    assert check in served("show", name, "--json").well().out
    bad = served("remember", "--because", "x", "--check", "nonsense", "Not kept.")
    assert bad.code == 2
