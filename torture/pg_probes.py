"""Fourteen ways in which row security is usually passed by, tried on the tables of Holdfast.

Each probe acts as an attacker who can send SQL with the role of the application, or who shares a
pool with another tenant. A probe is safe if it is refused, or sees and changes only its own rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from uuid import UUID, uuid4

import psycopg

from holdfast.adapters.postgres.database.address import read_address
from holdfast.adapters.postgres.store import PostgresOptions, PostgresStore
from holdfast.adapters.postgres.units.pool import Pool
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.memory.selection import Page, Selection
from tests.builders import NOON, a_memory
from tests.postgres_server import APP, OWNER, READY, Server
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task

_SPACE = SpaceId("default")
_TENANT = "SELECT set_config('app.current_tenant_id', %s, %s)"
_STORE = "SELECT set_config('app.current_store_id', %s, %s)"
_CLAIMS = "SELECT value FROM holdfast.memory"
_INJECTED = "'); SET app.current_tenant_id = '{}'; SELECT value FROM holdfast.memory; --"


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Two tenants of one database: ours, which attacks, and theirs."""

    database: Server
    ours: UUID
    theirs: UUID
    our_store: str
    their_store: str

    def attempt(
        self, *statements: tuple[str, tuple[object, ...]], role: str = APP, local: bool = True
    ) -> Sequence[tuple[object, ...]] | str:
        """Run statements as our tenant in one transaction; return rows, or the refusal."""
        with psycopg.connect(self.database.url(READY, role)) as connection:
            try:
                connection.execute(_TENANT, (str(self._tenant()), local))
                connection.execute(_STORE, (self.our_store, local))
                for statement, values in statements:
                    cursor = connection.execute(statement.encode(), values)
                rows: Sequence[tuple[object, ...]] = [(cursor.rowcount,)]
                if cursor.description:
                    rows = cursor.fetchall()
                connection.commit()
            except psycopg.Error as error:
                connection.rollback()
                return str(error).splitlines()[0]
        return rows

    def _tenant(self) -> UUID:
        return self.theirs if planted(Plant.TENANT_STAYS) else self.ours

    def their_claims(self) -> list[str]:
        """Return what the other tenant holds, as it sees it itself."""
        return _claims(_opened(self.database, self.theirs))


Probe = Callable[[Site], str]
"""Return what is wrong, or ''."""


def run(task: Task, database: Server) -> Report:
    """Try every probe on two fresh tenants."""
    del task
    site = _site(database)
    before = site.their_claims()
    tally = Tally(faults=len(PROBES))
    for name, probe in PROBES.items():
        if wrong := probe(site):
            tally += faulty(f"LEAK {name}: {wrong}")
        if site.their_claims() != before:
            tally += faulty(f"LEAK {name}: it changed the rows of the other tenant")
    return Report(tool="probes", done=f"{len(PROBES)} probes of row security", tally=tally)


def _site(database: Server) -> Site:
    ours, theirs = uuid4(), uuid4()
    for tenant, word in ((ours, "ours"), (theirs, "theirs")):
        with closing(_opened(database, tenant)) as store, store.writing(NOON) as tx:
            for number in (1, 2):
                memory = a_memory(id=MemoryId(f"m_{word}{number}"), claim=f"A secret, {word}.")
                tx.memories.add(memory, Standing())
    stores = []
    for tenant in (ours, theirs):
        with psycopg.connect(database.url()) as connection:
            connection.execute(_TENANT, (str(tenant), True))
            row = connection.execute("SELECT id::text FROM holdfast.memory_stores").fetchone()
            assert row is not None
            stores.append(str(row[0]))
    return Site(
        database=database, ours=ours, theirs=theirs, our_store=stores[0], their_store=stores[1]
    )


def _opened(database: Server, tenant: UUID) -> PostgresStore:
    return PostgresStore.open(database.url(), PostgresOptions(tenant=tenant, space=_SPACE))


def _claims(store: PostgresStore) -> list[str]:
    with closing(store), store.reading() as tx:
        return [one.memory.claim for one in tx.memories.find(Selection(), Page())]


def _sees_only_ours(answer: Sequence[tuple[object, ...]] | str) -> str:
    if isinstance(answer, str):
        return ""
    foreign = [row for row in answer if "theirs" in str(row)]
    return f"it saw {foreign[:2]}" if foreign else ""


def _sees_nothing(answer: Sequence[tuple[object, ...]] | str) -> str:
    return f"it saw {answer[:2]}" if not isinstance(answer, str) and answer else ""


def _is_refused(answer: Sequence[tuple[object, ...]] | str) -> str:
    return "" if isinstance(answer, str) or answer == [(0,)] else f"it was carried out: {answer}"


def _owner(site: Site) -> str:
    return _sees_only_ours(site.attempt((_CLAIMS, ()), role=OWNER))


def _no_setting(site: Site) -> str:
    with psycopg.connect(site.database.url()) as connection:
        return _sees_nothing(connection.execute(_CLAIMS).fetchall())


def _pooled(site: Site) -> str:
    """A setting of a whole session is left in a pooled connection; a store uses it next."""
    pool = Pool(read_address(site.database.url()), size=1)
    left = pool.take(patience=30)
    left.execute(_TENANT, (str(site.theirs), False))
    left.execute(_STORE, (site.their_store, False))
    left.commit()
    pool.give_back(left)
    options = PostgresOptions(tenant=site.ours, space=_SPACE)
    claims = _claims(PostgresStore.open(site.database.url(), options, pool=pool))
    return _sees_only_ours([(claim,) for claim in claims])


def _after_commit(site: Site) -> str:
    with psycopg.connect(site.database.url()) as connection:
        connection.execute(_TENANT, (str(site.theirs), True))
        connection.execute(_STORE, (site.their_store, True))
        connection.commit()
        return _sees_nothing(connection.execute(_CLAIMS).fetchall())


_LINK = (
    "INSERT INTO holdfast.memory_link (src, dst, kind, score, salt, row_hash)"
    " VALUES ('m_ours1', %s, 'x', 0, '', sha256(''))"
)


def _foreign_link(site: Site) -> str:
    return _is_refused(site.attempt((_LINK, ("m_theirs1",))))


def _oracle(site: Site) -> str:
    """A refusal must not tell whether the id exists at another tenant."""
    foreign = site.attempt((_LINK, ("m_theirs1",)))
    absent = site.attempt((_LINK, ("m_nobody1",)))
    return "" if foreign == absent else f"an id of another tenant is told apart: {foreign}"


def _deleting(site: Site) -> str:
    return _is_refused(site.attempt(("DELETE FROM holdfast.memory WHERE id LIKE 'm_theirs%%'", ())))


def _foreign_user(site: Site) -> str:
    statement = "INSERT INTO holdfast.memory_stores (tenant_id, store_name) VALUES (%s, 'planted')"
    return _is_refused(site.attempt((statement, (site.theirs,))))


def _planting(site: Site) -> str:
    statement = "INSERT INTO holdfast.common_term (store_id, term, share) VALUES (%s, 'x', 1)"
    return _is_refused(site.attempt((statement, (site.their_store,))))


def _moving(site: Site) -> str:
    statement = "UPDATE holdfast.memory SET tenant_id = %s, store_id = %s"
    return _is_refused(site.attempt((statement, (site.theirs, site.their_store))))


def _view(site: Site) -> str:
    return _sees_only_ours(site.attempt(("SELECT content FROM holdfast.memories", ())))


def _truncating(site: Site) -> str:
    return _is_refused(site.attempt(("TRUNCATE holdfast.memory CASCADE", ())))


def _injecting(site: Site) -> str:
    """SQL in every text of a memory and of a question is data."""
    text = _INJECTED.format(site.theirs)
    with closing(_opened(site.database, site.ours)) as store:
        with store.writing(NOON) as tx:
            tx.memories.add(a_memory(id=MemoryId("m_injected"), claim=text), Standing())
        with store.reading() as tx:
            hits = tx.finding.words.search((text, "secret"), Selection(), limit=9)
            records = tx.finding.around.read([hit.sequence for hit in hits])
            claims = [(one.memory.claim,) for one in records]
            kept = tx.memories.get(MemoryId("m_injected")).memory.claim
    return _sees_only_ours(claims) or ("" if kept == text else "the text was changed")


def _tenants(site: Site) -> str:
    rows = site.attempt(("SELECT tenant_id FROM holdfast.tenant", ()))
    foreign = [row for row in rows if row != (site.ours,)] if not isinstance(rows, str) else []
    return f"it saw {foreign[:2]}" if foreign else ""


PROBES: dict[str, Probe] = {
    "the owner of the tables reads": _owner,
    "no tenant is set": _no_setting,
    "a setting is left in a pooled connection": _pooled,
    "a query after the transaction of its setting": _after_commit,
    "a link to a foreign memory": _foreign_link,
    "a link tells whether a foreign id exists": _oracle,
    "foreign rows are deleted": _deleting,
    "a store is made for another tenant": _foreign_user,
    "a row is planted in a foreign store": _planting,
    "a row is moved to another tenant": _moving,
    "a view made by the owner": _view,
    "TRUNCATE, which row security does not see": _truncating,
    "SQL inside of texts": _injecting,
    "the list of tenants": _tenants,
}
