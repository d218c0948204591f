"""Standard streams that are closed, full or odd."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mcp.door import COMMAND, Folder
from tests.patience import PATIENCE


def test_output_that_cannot_be_written_is_told_in_one_line(folder: Folder) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            COMMAND,
            cwd=folder.repo,
            env=folder.environment,
            input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert ran.returncode == 6
    assert ran.stderr == b"holdfast mcp: the client cannot be reached: No space left on device\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_standard_stream_that_is_closed_is_explained(folder: Folder, closed: str) -> None:
    ran = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -m holdfast mcp {closed}', sys.executable],
        cwd=folder.repo,
        env=folder.environment,
        input=b"",
        capture_output=True,
        check=False,
    )

    assert ran.stdout == b""
    assert ran.stderr.startswith(b"holdfast mcp: standard input and output must be open")
    assert ran.stderr.count(b"\n") == 1
    assert ran.returncode == 2


def test_it_does_without_stderr_and_never_writes_into_the_store_instead(folder: Folder) -> None:
    call = {"name": "memory.list"}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    (folder.home / "config.toml").mkdir()

    ran = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m holdfast mcp 2>&-', sys.executable],
        cwd=folder.repo,
        env=folder.environment,
        input=f"{line}\n".encode(),
        stdout=subprocess.PIPE,
        check=True,
    )

    assert len(ran.stdout.splitlines()) == 1


def test_a_pipe_that_does_not_wait_is_made_to_wait(folder: Folder) -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)

    with subprocess.Popen(
        COMMAND, cwd=folder.repo, env=folder.environment, stdin=reading, stdout=subprocess.PIPE
    ) as server:
        assert server.stdout is not None
        os.write(writing, b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        answer = json.loads(server.stdout.readline())
        os.close(writing)
        os.close(reading)

        assert server.wait(timeout=PATIENCE) == 0
    assert answer["result"] == {}
