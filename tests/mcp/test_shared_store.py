"""The server over a real store in a real repository, with others beside it."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Callable

from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import Status
from holdfast.domain.memory.selection import Page, Selection
from holdfast.usecases.memory.browse import Browse
from tests.builders import ADA
from tests.mcp.door import CLAIM, Folder, Process, text_of
from tests.requirements import requirement

CLIENTS, WRITES = 8, 5


def test_the_branch_is_the_one_checked_out_now(folder: Folder) -> None:
    with folder.spawn() as server:
        first = server.call("memory.create", **_proposal("Said on the first branch."))
        subprocess.run(["git", "checkout", "-q", "-b", "later"], cwd=folder.repo, check=True)  # noqa: S607 - git from the path
        second = server.call("memory.create", **_proposal("Said on the later branch."))

    app = open_holdfast(principal=ADA, home=folder.home, folder=folder.repo)
    branches = [
        app.memories.explain(result["structuredContent"]["id"]).record.memory.branch
        for result in (first, second)
    ]
    app.close()
    assert branches[0] != "later"
    assert branches[1] == "later"


@requirement("store.every-verb-warns")
def test_a_lost_tail_is_told_once_in_a_session(folder: Folder) -> None:
    store = folder.home / "holdfast.db"
    with folder.spawn() as server:
        server.call("memory.create", **_proposal("The first one."))
    older = store.read_bytes()
    with folder.spawn() as server:
        server.call("memory.create", **_proposal("The second one."))
    for log in folder.home.glob("holdfast.db-[ws]*"):
        log.unlink()
    store.write_bytes(older)

    with folder.spawn() as server:
        first, second = (server.call("memory.list") for _ in range(2))

    assert "the newest changes are lost" in first["content"][-1]["text"]
    assert "are lost" not in str(second)


def test_a_store_that_cannot_be_opened_is_told_in_words(folder: Folder) -> None:
    (folder.home / "holdfast.db").mkdir()

    with folder.spawn() as server:
        result = server.call("memory.list")

        assert result["isError"] is True
        assert "holdfast.db" in text_of(result)
        assert server.end() == (0, b"", b"")


@requirement("mcp.many-clients")
@requirement("store.many-processes")
def test_many_clients_write_at_once_and_nothing_is_lost(folder: Folder) -> None:
    servers = [folder.spawn() for _ in range(CLIENTS)]
    said: list[str] = []
    failed: list[str] = []

    _at_once([_writer(server, number, said, failed) for number, server in enumerate(servers)])

    app = open_holdfast(principal=ADA, home=folder.home, folder=folder.repo)
    selection = Selection(statuses=frozenset({Status.CANDIDATE}))
    kept = app.memories.browse(Browse(selection=selection, page=Page(limit=1_000))).records
    app.close()
    assert failed == []
    assert sorted(record.memory.claim for record in kept) == sorted(said)
    assert len(said) == CLIENTS * WRITES


def _writer(server: Process, number: int, said: list[str], failed: list[str]) -> Callable[[], None]:
    def write() -> None:
        with server:
            for turn in range(WRITES):
                claim = f"Client {number} noted item {turn}."
                result = server.call("memory.create", **_proposal(claim))
                (failed if result["isError"] else said).append(
                    text_of(result) if result["isError"] else claim
                )
            failed.extend([] if server.end() == (0, b"", b"") else ["did not end well"])

    return write


def _at_once(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _proposal(claim: str = CLAIM) -> dict[str, object]:
    return {"kind": "fact", "value": claim, "evidence": ["src/app.py:1-2"]}
