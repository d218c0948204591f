"""The server as a process: how it starts, what it writes to whom, and how it ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading

import pytest

from holdfast.surfaces.mcp.protocol import LONGEST_LINE
from tests.mcp.door import HELLO, META, Folder, Process
from tests.patience import PATIENCE
from tests.requirements import requirement

HEAVY = {"apsw", "dataclasses", "pathlib", "typing", "inspect", "datetime", "holdfast.app"}


@requirement("mcp.answers-before-the-engine")
def test_the_greeting_needs_no_engine(folder: Folder) -> None:
    script = (
        "import sys\n"
        "from holdfast.surfaces.mcp.conversation import Conversation\n"
        "import holdfast.surfaces.mcp.server\n"
        "sent = []\n"
        "talk = Conversation(None, send=sent.append)\n"
        "for line in sys.argv[1:]:\n"
        "    talk.hear(line.encode())\n"
        "    assert b'result' in sent[-1]\n"
        "assert len(sent) == len(sys.argv) - 1\n"
        "sys.stdout.write(' '.join(sys.modules))\n"
    )
    messages = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        for method, params in [
            ("initialize", HELLO),
            ("ping", {}),
            ("tools/list", {}),
            ("prompts/list", {}),
            ("resources/templates/list", {}),
            ("server/discover", {"_meta": META}),
        ]
    ]

    ran = subprocess.run(
        [sys.executable, "-S", "-c", script, *messages],
        env=folder.environment,
        check=True,
        capture_output=True,
        text=True,
    )

    assert set(ran.stdout.split()) & HEAVY == set()


@requirement("mcp.answers-before-the-engine")
def test_the_store_is_not_touched_before_the_first_call(folder: Folder) -> None:
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        server.ask("tools/list")
        untouched = list(folder.home.iterdir())
        server.call("memory.list")

    assert untouched == []
    assert list(folder.home.iterdir()) != []


def test_the_end_of_input_ends_the_server_well(folder: Folder) -> None:
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        server.call("memory.list")

        assert server.end() == (0, b"", b"")


def test_no_input_at_all_ends_it_well_too(folder: Folder) -> None:
    with folder.spawn() as server:
        assert server.end() == (0, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("has_engine", [False, True])
def test_a_request_to_stop_ends_it_cleanly(
    folder: Folder, number: signal.Signals, *, has_engine: bool
) -> None:
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        if has_engine:
            server.call("memory.list")

        server.popen.send_signal(number)

        assert server.end() == (0, b"", b"")


def test_a_client_that_stops_reading_is_no_error(folder: Folder) -> None:
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        assert server.popen.stdout is not None
        assert server.popen.stderr is not None
        server.popen.stdout.close()

        server.send(b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}')

        assert server.popen.wait(timeout=PATIENCE) == 0
        assert server.popen.stderr.read() == b""


@requirement("mcp.survives-any-input")
def test_a_line_that_is_too_long_is_refused_and_the_next_one_answered(folder: Folder) -> None:
    with folder.spawn() as server:
        sender = threading.Thread(target=_send_too_much, args=(server,))
        sender.start()

        refused, answered = server.next_answer(), server.next_answer()

        sender.join()
        assert refused["error"]["code"] == -32600
        assert "4,194,304 bytes" in refused["error"]["message"]
        assert answered == {"jsonrpc": "2.0", "id": 2, "result": {}}
        assert server.end() == (0, b"", b"")


def _send_too_much(server: Process) -> None:
    server.send(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (2 * LONGEST_LINE) + b'"}')
    server.send(b'{"jsonrpc":"2.0","id":2,"method":"ping"}')


def test_a_last_line_without_its_end_is_answered(folder: Folder) -> None:
    with folder.spawn() as server:
        rest, _ = server.popen.communicate(
            b'{"jsonrpc":"2.0","id":1,"method":"ping"}', timeout=PATIENCE
        )

    assert json.loads(rest) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_stray_print_never_reaches_the_protocol(folder: Folder) -> None:
    script = (
        "import os, subprocess, sys\n"
        "from holdfast.surfaces.mcp import conversation, server\n"
        "def call(self, name, arguments, *, client):\n"
        "    print('stray')\n"
        "    os.write(1, b'stray')\n"
        "    read = subprocess.run(['cat'], capture_output=True).stdout\n"
        "    return {'content': [], 'isError': bool(read)}\n"
        "server.GuardedToolCalls.call = call\n"
        "sys.exit(server.serve())\n"
    )
    call = {"name": "memory.list"}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})

    ran = subprocess.run(
        [sys.executable, "-c", script],
        env=folder.environment,
        input=f"{line}\n" * 2,
        capture_output=True,
        text=True,
        check=True,
    )

    answers = [json.loads(answer) for answer in ran.stdout.splitlines()]
    assert [answer["result"]["isError"] for answer in answers] == [False, False]
    assert "stray" in ran.stderr


STOPPED_IN_A_CALL = """
import os, signal, sys
from holdfast.surfaces.mcp import server
def call(self, name, arguments, *, client):
    for _ in range(int(sys.argv[1])):
        os.kill(os.getpid(), signal.SIGTERM)
    return {"content": [], "isError": False}
server.GuardedToolCalls.call = call
sys.exit(server.serve())
"""


@pytest.mark.parametrize(("signals", "answers"), [(1, 1), (2, 0)])
def test_a_stop_waits_for_the_call_under_way_unless_it_is_repeated(
    folder: Folder, signals: int, answers: int
) -> None:
    call = {"name": "memory.list"}
    line = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})

    ran = subprocess.run(
        [sys.executable, "-c", STOPPED_IN_A_CALL, str(signals)],
        env=folder.environment,
        input=f"{line}\n" * 3,
        capture_output=True,
        text=True,
        check=True,
    )

    assert len(ran.stdout.splitlines()) == answers
    assert ran.stderr == ""
