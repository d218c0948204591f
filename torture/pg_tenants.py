"""Twenty tenants call one server with a pool of four connections: nobody meets a foreign row.

The calls are random: some are refused and rolled back, some run out of time while the table is
locked, and some are cancelled by a client that goes away. Each tenant marks its texts, so a foreign
row is recognised in any answer. The answer about a foreign memory must be the one about a memory
that nobody has. At the end the rows of each tenant are what its calls left.
"""

from __future__ import annotations

import json
import os
import random
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from uuid import UUID, uuid4

import psycopg

import holdfast
from demo.serving import Caller, Serving
from holdfast.bootstrap.plugs.addresses import STORE_VARIABLE, TENANT_VARIABLE
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.usecases.service.tokens import CreateToken
from tests.postgres_server import Server
from torture.crew import in_child
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task
from torture.writer import claim_of

TENANTS, CONNECTIONS, TIME_LIMIT = 20, 4, 1
_FEW_TENANTS = 6
_CALLS_PER_LOCK = 4_000
_ABSENT, _NOBODY = "m_01k9z3v8m2f4n6q8s0u2w4y6a8", "m_01k9z3v8m2f4n6q8s0u2w4y6a9"
_MARK, _ID = re.compile(r"tenant(\d\d)n"), re.compile(r"m_[0-9a-z]{26}")
_ALL = "SELECT tenant_id, value FROM holdfast.memory"
_WRITE_OUTCOMES = (HTTPStatus.CREATED, HTTPStatus.SERVICE_UNAVAILABLE)


@dataclass(slots=True)
class Tenant:
    """A tenant, what it knows to be stored, and what may be."""

    number: int
    id: UUID
    token: str
    calls: int
    chance: random.Random
    stored: dict[str, str] = field(default_factory=dict)
    """Claims by id."""
    unsure: set[str] = field(default_factory=set)
    done: int = 0
    tally: Tally = field(default_factory=Tally)

    def claim(self) -> str:
        """Return a new claim that carries the mark of this tenant."""
        return claim_of(f"tenant{self.number:02}n{self.chance.randrange(10**9)}")[:300]


class Calls:
    """The calls of one tenant to the server."""

    def __init__(self, server: Serving, tenant: Tenant, others: list[Tenant], nothing: str) -> None:
        self.server, self.tenant, self.others = server, tenant, others
        self.caller = server.caller(tenant.token)
        self.nothing = nothing

    def run(self) -> None:
        """Make all calls of this tenant."""
        verbs = (self.keep, self.ask, self.look, self.forget, self.reach, self.fail, self.cancel)
        for _ in range(self.tenant.calls):
            self.tenant.chance.choices(verbs, (5, 4, 3, 1, 3, 2, 1))[0]()
            self.tenant.done += 1
        self.caller.connection.close()

    def send(self, method: str, path: str, body: dict[str, object] | None = None) -> int:
        """Send a request; every text in its answer must be of this tenant."""
        status, answer = self._caller().send(method, path, body)
        self.answer = answer
        foreign = set(_MARK.findall(json.dumps(answer))) - {f"{self.tenant.number:02}"}
        if foreign:
            self.wrong(f"FOREIGN row of tenant {min(foreign)} in {method} {path}")
        if status == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.wrong(f"{method} {path} was answered with {status}: {answer}")
        return status

    def _caller(self) -> Caller:
        if planted(Plant.TENANT_STAYS) and self.tenant.chance.random() < 0.05:
            # As a pooled connection would do in which the tenant of the last request was left.
            return self.server.caller(self.tenant.chance.choice(self.others).token)
        return self.caller

    def wrong(self, note: str) -> None:
        """Count a fault."""
        self.tenant.tally += faulty(note)

    def keep(self) -> None:
        """Keep a claim."""
        claim = self.tenant.claim()
        status = self.send("POST", "/v1/memories", {"claim": claim, "because": "said"})
        if status == HTTPStatus.CREATED:
            self.tenant.stored[self.answer["id"]] = claim
        elif status not in _WRITE_OUTCOMES:
            self.wrong(f"a claim was answered with {status}: {self.answer}")

    def ask(self) -> None:
        """Ask a question that the words of every tenant answer."""
        self.send("POST", "/v1/recall", {"q": "anchor ballast capstan rudder", "limit": 20})

    def look(self) -> None:
        """List the newest memories."""
        self.send("GET", "/v1/memories?limit=20")

    def forget(self) -> None:
        """Forget a memory of one's own."""
        if not self.tenant.stored:
            return
        name = self.tenant.chance.choice(list(self.tenant.stored))
        if self.send("DELETE", f"/v1/memories/{name}") == HTTPStatus.OK:
            del self.tenant.stored[name]

    def reach(self) -> None:
        """Reach for a foreign memory: read, forget or link it; it must not exist."""
        foreign = list(self.tenant.chance.choice(self.others).stored)
        name = self.tenant.chance.choice(foreign) if foreign else _ABSENT
        own = next(iter(self.tenant.stored), _NOBODY)
        link: dict[str, object] = {"src": own, "dst": name, "kind": "about"}
        method, path, body = self.tenant.chance.choice(
            (
                ("GET", f"/v1/memories/{name}", None),
                ("GET", f"/v1/memories/{name}/provenance", None),
                ("DELETE", f"/v1/memories/{name}", None),
                ("POST", "/v1/links", link),
            )
        )
        status = self.send(method, path, body)
        if status not in {HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE}:
            self.wrong(f"FOREIGN {method} {path} was answered with {status}")
        elif status == HTTPStatus.NOT_FOUND and _without_ids(self.answer) != self.nothing:
            self.wrong(f"HINT of a foreign memory: {method} {path} was answered with {self.answer}")

    def fail(self) -> None:
        """Send claims of which one is refused: none may be stored."""
        claims = [{"claim": self.tenant.claim(), "because": "said"}, {"claim": "No evidence."}]
        status = self.send("POST", "/v1/memories/batch", {"claims": claims})
        if status < HTTPStatus.BAD_REQUEST:
            self.wrong(f"a batch with a refused claim was answered with {status}")

    def cancel(self) -> None:
        """Send a claim, and go away before the answer."""
        claim = self.tenant.claim()
        caller = self.server.caller(self.tenant.token)
        headers = {
            "Authorization": f"Bearer {caller.token}",
            "Content-Type": "application/json",
        }
        self.tenant.unsure.add(claim)
        body = json.dumps({"claim": claim, "because": "said"})
        caller.connection.request("POST", "/v1/memories", body=body, headers=headers)
        if self.tenant.chance.random() < 0.5:
            caller.connection.sock.shutdown(socket.SHUT_RDWR)
        caller.connection.close()


def run(task: Task, database: Server) -> Report:
    """Let all tenants call at once, lock the table now and then, and compare the rows."""
    calls = task.number(short=20, full=10_000)
    many = TENANTS if task.full else _FEW_TENANTS
    locks = max(1, calls * many // _CALLS_PER_LOCK)
    tenants = [_tenant(task, database, number, calls) for number in range(many)]
    environment = os.environ | {
        STORE_VARIABLE: database.url(),
        "HOLDFAST_HOME": str(task.folder("served")),
        "HOLDFAST_MODELS": "/none",
    }
    options = ("--threads", str(CONNECTIONS), "--time-limit", str(TIME_LIMIT))
    server = Serving.start(environment, *options)
    try:
        nothing = _without_ids(_about_nothing(server, tenants[0]))
        threads = [
            threading.Thread(target=_calls(server, tenant, tenants, nothing), daemon=True)
            for tenant in tenants
        ]
        for thread in threads:
            thread.start()
        for number in range(locks):
            _lock_when(database, tenants, number * calls * many // locks)
        for thread in threads:
            thread.join()
    finally:
        server.end()
    tally = sum((tenant.tally for tenant in tenants), Tally(faults=calls * many))
    tally += _rows(database, tenants)
    done = f"{many} tenants, {calls:,} calls each through {CONNECTIONS} connections"
    return Report(tool="tenants", done=done, tally=tally)


def _tenant(task: Task, database: Server, number: int, calls: int) -> Tenant:
    tenant, home = uuid4(), task.folder(f"tenant{number}")

    def token() -> str:
        os.environ[TENANT_VARIABLE] = str(tenant)
        with holdfast.open(home, home=home, as_="person", store=database.url()) as memory:
            wish = CreateToken(name="caller", kind=PrincipalKind.PERSON, tenant=tenant.hex)
            return str(memory.app.access.create(wish).text)

    chance = random.Random(task.seed * TENANTS + number)
    return Tenant(number=number, id=tenant, token=in_child(token), calls=calls, chance=chance)


def _about_nothing(server: Serving, tenant: Tenant) -> object:
    """Return the answer about a memory that no tenant has; the first may come too late."""
    caller, status = server.caller(tenant.token), HTTPStatus.SERVICE_UNAVAILABLE.value
    while status == HTTPStatus.SERVICE_UNAVAILABLE:
        status, answer = caller.send("GET", f"/v1/memories/{_ABSENT}")
    caller.connection.close()
    return answer


def _without_ids(answer: object) -> str:
    return _ID.sub("", json.dumps(answer))


def _calls(
    server: Serving, tenant: Tenant, tenants: list[Tenant], nothing: str
) -> Callable[[], None]:
    others = [one for one in tenants if one is not tenant]

    def calls() -> None:
        try:
            Calls(server, tenant, others, nothing).run()
        except (OSError, ValueError) as error:
            tenant.tally += faulty(f"tenant {tenant.number} broke off: {error!r}")

    return calls


def _lock_when(database: Server, tenants: list[Tenant], done: int) -> None:
    """Lock a table longer than a request may take, as soon as so many calls were made."""
    while sum(one.done for one in tenants) < done and not any(one.tally.wrong for one in tenants):
        time.sleep(0.02)
    with psycopg.connect(database.url(role="postgres")) as connection:
        connection.execute("LOCK TABLE holdfast.memory IN SHARE MODE")
        time.sleep(1.3 * TIME_LIMIT)


def _rows(database: Server, tenants: list[Tenant]) -> Tally:
    """Compare the rows of every tenant with what its calls left."""
    with psycopg.connect(database.url(role="postgres")) as connection:
        rows = connection.execute(_ALL).fetchall()
    tally = Tally(acks=sum(len(one.stored) for one in tenants))
    for tenant in tenants:
        have = [str(claim) for owner, claim in rows if owner == tenant.id]
        known = set(tenant.stored.values())
        lost, surplus = known - set(have), set(have) - known - tenant.unsure
        doubled = len(have) - len(set(have))
        notes = [f"LOST {claim[:40]} of tenant {tenant.number}" for claim in list(lost)[:2]]
        notes += [f"SURPLUS {claim[:40]} at tenant {tenant.number}" for claim in list(surplus)[:2]]
        tally += Tally(lost=len(lost), ghost=len(surplus), bad=doubled, notes=tuple(notes))
    return tally
