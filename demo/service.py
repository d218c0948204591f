"""``python -m demo.service``: one server, two tenants, a real Postgres, and a crash in a write.

Everything runs in a temporary folder with a database server of its own; nothing of yours is
touched.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, replace
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path

import psycopg

import holdfast
from demo.serving import Caller, Serving
from demo.story import CommitRecord
from holdfast.domain.memory.recognising import AGENTS, ORIGIN_VARIABLE
from tests.postgres_server import APP, EMPTY, OWNER, Server, new_server

_WRITES = 20
_CLAIM = {"claim": "Refunds of Acme take three days.", "because": "The contract says so."}
_WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What the story is told with: the database, the program, and where both are."""

    story: CommitRecord
    database: Server
    name: str

    def server(self) -> Serving:
        """Start a server, and say so."""
        self.story.show("$ holdfast serve")
        return Serving.start(self.story.environment)

    def token(self, tenant: str) -> str:
        """Create a tenant, and return the token of a person of it."""
        self.story.run("holdfast", "tenant", "create", tenant)
        words = ("token", "create", f"app-of-{tenant}", "--kind", "person", "--quiet")
        return self.of_tenant(tenant).ask("holdfast", *words).splitlines()[0].strip()

    def of_tenant(self, tenant: str) -> CommitRecord:
        """Return the story in a shell of one tenant."""
        self.story.show(f"$ export HOLDFAST_TENANT={tenant}")
        told = self.story.environment | {"HOLDFAST_TENANT": tenant}
        return replace(self.story, environment=told)


def tell(stage: Stage) -> None:
    """Prepare a database, serve two tenants, crash, and count."""
    story = stage.story
    story.say("1. The owner of the database creates the tables; the program has another role.")
    owner = stage.database.url(stage.name, OWNER)
    story.run("holdfast", "db", "upgrade", "--store", owner)
    story.run("holdfast", "db", "check")
    story.say("2. Two tenants, each with a token; one server for both.")
    acme, zeta = stage.token("acme"), stage.token("zeta")
    server = stage.server()
    try:
        _ask(story, server.caller(acme))
        server = _crash(stage, server, acme)
        _apart(story, server, acme, zeta)
        _five_calls(stage)
    finally:
        server.end()
    story.say("7. The database counts what is in it, and the store checks itself.")
    story.run("holdfast", "tenant", "list", "--store", owner)
    stage.of_tenant("acme").run("holdfast", "doctor")


def _ask(story: CommitRecord, acme: Caller) -> None:
    story.say("3. A claim and a question over HTTP.")
    status, kept = acme.send("POST", "/v1/memories", _CLAIM, key="refunds")
    story.show(f"POST /v1/memories → {status} {kept['id']} {kept['outcome']}")
    again = acme.send("POST", "/v1/memories", _CLAIM, key="refunds")
    _demand((status, kept) == again, "a repeated request got another answer")
    story.show("the same request with the same Idempotency-Key → the same answer, no second memory")
    _, found = acme.send("POST", "/v1/recall", {"q": "how long do refunds take"})
    _demand([one["memory_id"] for one in found["items"]] == [kept["id"]], "recall missed the claim")
    story.show(f"POST /v1/recall 'how long do refunds take' → {found['records'][0]['claim']}")


def _crash(stage: Stage, server: Serving, token: str) -> Serving:
    """Kill the server while it writes, start it again, and repeat every request."""
    story = stage.story
    story.say(f"4. {_WRITES} writes; the server is killed with kill -9 in the middle of one.")
    middle = _WRITES // 2
    _write(server.caller(token), range(middle))
    with psycopg.connect(stage.database.url(stage.name, "postgres")) as holding:
        # The server waits inside its transaction until this one ends, so the kill hits a write.
        holding.execute("LOCK TABLE holdfast.memory IN SHARE MODE")
        unanswered = threading.Thread(target=_unanswered, args=(server.caller(token), middle))
        unanswered.start()
        _until_one_waits(stage.database.url(stage.name, "postgres"))
        server.kill()
        unanswered.join()
    story.show(f"killed while it wrote claim {middle}; nobody knows whether it was kept")
    server = stage.server()
    _write(server.caller(token), range(_WRITES))
    kept = _claims(server.caller(token), "Shelf")
    _demand(sorted(kept) == sorted(_shelf(n)["claim"] for n in range(_WRITES)), f"kept {kept}")
    story.show(f"every request was repeated with its key: {len(kept)} memories, 0 lost, 0 doubled")
    return server


def _apart(story: CommitRecord, server: Serving, acme: str, zeta: str) -> None:
    story.say("5. Zeta asks the same server, and sees nothing of Acme.")
    _, listed = server.caller(acme).send("GET", "/v1/memories?limit=1")
    foreign = listed["memories"][0]["id"]
    caller = server.caller(zeta)
    _, seen = caller.send("GET", "/v1/memories")
    _, found = caller.send("POST", "/v1/recall", {"q": "how long do refunds take"})
    status, problem = caller.send("GET", f"/v1/memories/{foreign}")
    removed, _ = caller.send("DELETE", f"/v1/memories/{foreign}")
    _demand(not seen["memories"] and not found["items"], "a tenant saw rows of another one")
    _demand(status == removed == HTTPStatus.NOT_FOUND, "a tenant reached a memory of another one")
    story.show(f"list → 0 memories; recall → 0; GET {foreign} → {status} {problem['code']}")


def _five_calls(stage: Stage) -> None:
    story = stage.story
    story.say("6. A program with many users calls the memory service from Python.")
    with holdfast.MemoryService(stage.database.url(stage.name), tenant="acme") as service:
        ada = service.get_or_create_store("acme", "ada")
        tea = service.add_memory(ada, "Ada drinks green tea in the morning.", type="preference")
        cup = service.add_memory(ada, "Ada has a blue cup.", importance=0.2)
        service.add_relationship(tea, cup, "drunk_from", strength=0.9)
        story.show(f"get_or_create_store('acme', 'ada') → {ada}")
        for one in service.get_related_memories(tea):
            story.show(f"get_related_memories → {one.relationship_type}: {one.content}")
        try:
            for one in service.search_memories(ada, "what does Ada drink", min_similarity=0.4):
                story.show(f"search_memories → {one.similarity:.2f} {one.content}")
        except holdfast.UnavailableError as error:
            story.show(f"search_memories → {error}")
    with holdfast.MemoryService(stage.database.url(stage.name), tenant="zeta") as other:
        try:
            other.get_related_memories(tea)
        except holdfast.NotFoundError as error:
            story.show(f"the same id, asked for by zeta → {error}")
        else:
            sys.exit("The demo failed: a tenant reached a memory of another one.")


def _shelf(number: int) -> dict[str, str]:
    return {"claim": f"Shelf {number} holds part {number * 7}.", "because": "It was counted."}


def _write(caller: Caller, numbers: range) -> None:
    for number in numbers:
        status, told = caller.send("POST", "/v1/memories", _shelf(number), key=f"shelf-{number}")
        _demand(status == HTTPStatus.CREATED, f"a write was answered with {status}: {told}")


def _unanswered(caller: Caller, number: int) -> None:
    try:
        caller.send("POST", "/v1/memories", _shelf(number), key=f"shelf-{number}")
    except (OSError, HTTPException):
        return  # the server died before it answered, which is what the demo is about


def _until_one_waits(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as watching:
        while watching.execute(_WAITS).fetchone() == (0,):
            time.sleep(0.01)


def _claims(caller: Caller, word: str) -> list[str]:
    _, listed = caller.send("GET", "/v1/memories?limit=200")
    return [one["claim"] for one in listed["memories"] if one["claim"].startswith(word)]


def _demand(holds: object, otherwise: str) -> None:
    if not holds:
        sys.exit(f"The demo failed: {otherwise}.")


def main() -> None:
    """Run the demo in a temporary folder."""
    parser = argparse.ArgumentParser(prog="python -m demo.service", description=__doc__)
    parser.add_argument("--quiet", action="store_true", help="only check that it works")
    quiet: bool = parser.parse_args().quiet
    with tempfile.TemporaryDirectory(prefix="holdfast-demo-") as folder:
        database = new_server()
        try:
            name = database.new_database(EMPTY)
            _tell_in(Path(folder), database, name, quiet=quiet)
        finally:
            database.stop()
    sys.stdout.write("\nThe demo of the service ran through.\n")


def _tell_in(folder: Path, database: Server, name: str, *, quiet: bool) -> None:
    os.environ["HOLDFAST_HOME"] = str(folder / "memory")
    for variable in (*AGENTS, ORIGIN_VARIABLE, "HOLDFAST_TENANT", "HOLDFAST_REPLICAS"):
        os.environ.pop(variable, None)  # the demo's shell is a person's, whoever runs this
    environment = {**os.environ, "HOLDFAST_STORE": database.url(name, APP)}
    story = CommitRecord(repository=folder, environment=environment, quiet=quiet)
    tell(Stage(story=story, database=database, name=name))


if __name__ == "__main__":
    main()
