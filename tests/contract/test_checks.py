"""Every store carries the checks of memories, for every reader."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.postgres.watching import PostgresWatch
from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import Kind, Origin, Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Selection
from holdfast.domain.sessions.tool_action import ToolAction
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.store.store import Store
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember, RememberOutcome, remember_all
from tests.builders import HERE, FixedClock, PlainSurroundings, a_memory
from tests.postgres_server import server
from tests.requirements import requirement

CHECK = "must not match `log` in src/**"
WISH = Remember(
    claim="Tokens are never logged.",
    kind=Kind.RULE,
    grounds=Grounds(because="We agreed."),
    origin=Origin.HUMAN,
    by="ada",
    checks=(CHECK,),
    stated=frozenset({"checks"}),
)


def remember(store: Store, wish: Remember) -> tuple[MemoryId, RememberOutcome, tuple[str, ...]]:
    (kept,) = remember_all(
        [wish],
        store=store,
        clock=FixedClock(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
    )
    memory = kept.record.memory
    return memory.id, kept.outcome, checks_in(memory.metadata)


@requirement("checks.carried")
def test_a_store_gives_checks_back(store: Store) -> None:
    name, _, _ = remember(store, WISH)

    with store.reading() as tx:
        assert checks_in(tx.memories.get(name).memory.metadata) == (CHECK,)


@requirement("checks.part-of-the-memory")
def test_another_check_supersedes_and_the_old_version_keeps_its_own(store: Store) -> None:
    first, _, _ = remember(store, WISH)
    again, outcome, _ = remember(store, WISH)
    other, renewed, checks = remember(store, replace(WISH, checks=("file a must exist",)))

    assert (again, outcome) == (first, RememberOutcome.KNOWN)
    assert (renewed, checks) == (RememberOutcome.RENEWED, ("file a must exist",))
    with store.reading() as tx:
        old = tx.memories.get(first)
    assert (checks_in(old.memory.metadata), old.standing.status) == ((CHECK,), Status.SUPERSEDED)
    assert other != first


@requirement("checks.told")
def test_a_server_tells_hooks_about_checked_files() -> None:
    options = PostgresOptions(tenant=uuid4())
    store = PostgresStore.open(server().url(), options)
    facts = {"holdfast.checks": [CHECK]}
    with store.writing(a_memory().created_at) as tx:
        tx.memories.add(a_memory(kind=Kind.FACT, claim="Quiet words.", metadata=facts), Standing())
    store.close()

    watch = PostgresWatch(server().url(), options)
    found = watch.cautions(
        ToolAction(paths=("src/a.py",)), repo=HERE.repo, workspace=HERE.workspace
    )

    assert [one.checks for one in found] == [(CHECK,)]


@pytest.mark.parametrize("checks", [("nonsense",), tuple(f"file {n} must exist" for n in range(9))])
def test_a_bad_check_stores_nothing(store: Store, checks: tuple[str, ...]) -> None:
    with pytest.raises(BadFieldError):
        remember(store, replace(WISH, checks=checks))
    with store.reading() as tx:
        assert tx.memories.count(Selection()) == 0
