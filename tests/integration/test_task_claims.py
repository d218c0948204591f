"""Processes that claim tasks at the same time: no task is given twice, and none is left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

import holdfast
from tests.postgres_server import server
from tests.requirements import requirement

PROCESSES, TASKS = 5, 25
WORKER = """
import sys
import holdfast
from holdfast.domain.tasks.errors import NothingReadyError

home, name = sys.argv[1:]
with holdfast.open(home=home, folder=home) as memory:
    while True:
        try:
            task = memory.tasks.claim_next(by=name)
        except NothingReadyError as error:
            if error.facts["held"] == 0:
                break
            continue
        print(task.id)
        memory.tasks.done(task, by=name)
"""


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path))
    monkeypatch.setenv("HOLDFAST_ORIGIN", "agent")
    if request.param == "postgres":
        monkeypatch.setenv("HOLDFAST_STORE", server().url())
        monkeypatch.setenv("HOLDFAST_TENANT", str(uuid4()))
    return tmp_path


@requirement("task.given-once")
def test_processes_share_the_tasks_and_no_task_is_given_twice(home: Path) -> None:
    with holdfast.open(home=home, folder=home) as memory:
        tasks = [memory.tasks.add("0")]
        for number in range(1, TASKS):
            after = [tasks[number // 2]] if number % 2 else []
            tasks.append(memory.tasks.add(f"{number}", after=after))
    command = [sys.executable, "-c", WORKER, str(home)]
    workers = [
        subprocess.Popen(
            [*command, f"w{number}"],
            env=os.environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(PROCESSES)
    ]
    said = [worker.communicate() for worker in workers]

    given = Counter(line for out, _ in said for line in out.split())

    assert [error for _, error in said] == [""] * PROCESSES
    assert given == Counter(task.id for task in tasks)
    with holdfast.open(home=home, folder=home) as memory:
        assert {task.status for task in memory.tasks.list()} == {"done"}


@requirement("task.deleted-without-a-byte")
def test_no_byte_of_a_deleted_task_stays_in_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLDFAST_ORIGIN", raising=False)
    with holdfast.open(home=tmp_path / "home", folder=tmp_path, as_="person", name="ada") as memory:
        other = memory.tasks.add("stays")
        gone = memory.tasks.add("quaggaquagga", notes="zebrazebra", labels=["okapiokapi"])
        memory.tasks.edit(gone, title="quaggaquagga again", after=[other])
        memory.tasks.claim_next(by="w")
        memory.recall("quaggaquagga", include=["memory", "tasks"])

        memory.tasks.delete(gone)

    files = [one for one in (tmp_path / "home").rglob("*") if one.is_file()]
    found = [
        (one.name, word)
        for one in files
        for word in (b"quaggaquagga again", b"zebrazebra", b"okapiokapi")
        if word in one.read_bytes()
    ]
    assert files
    assert found == []
