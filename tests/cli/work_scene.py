"""Tasks, snapshots and a remote, as the examples of their verbs need them."""

from __future__ import annotations

from contextlib import ExitStack

from holdfast.adapters.remote.outbox import Outbox
from holdfast.adapters.remote.server import RemoteAccess
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.service.remotes import RemoteRequest
from tests.cli.program import Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.remote.test_away import waiting

BEFORE = {
    "task release": ("claim",),
    "task reopen": ("done",),
    "task unblock": ("block",),
}
"""What is done with the tasks before a verb has something to do."""


def put_tasks(program: Program, verb: str) -> dict[str, str]:
    """Put in three tasks, the file of the examples, and a task of beads."""
    (program.folder / ".beads").mkdir()
    line = '{"id":"bd-a3f2","title":"Keys"}\n'
    (program.folder / ".beads" / "issues.jsonl").write_text(line, encoding="utf-8")
    (program.folder / "src" / "cart.py").write_text("total = 0\n" * 40, encoding="utf-8")
    if verb == "task show":
        program("task", "import", "-", stdin=line).well()
    names = ("t_01m7ga", "t_01m7gb", "t_01m7gc")
    ids = {}
    for name in names:
        added = program("task", "add", f"Work {name[-1]}.", "--json").well().json
        ids[name] = str(added["task"]["id"])
    for word in BEFORE.get(verb, ()):
        reason = ("it waits",) if word == "block" else ()
        for name in names:
            program("task", word, ids[name], *reason).well()
    return ids


def put_workspace(program: Program) -> dict[str, str]:
    """Put in two snapshots of the folder, and the other folder of the examples."""
    (program.home / "report").mkdir()
    (program.home / "report" / "text.md").write_text("# Report\n", encoding="utf-8")
    (program.folder / "src" / "app.py").write_text("run = True\n", encoding="utf-8")
    taken = [
        str(program("workspace", "snapshot", "--json").well().json["snapshot"]["id"])
        for _ in range(2)
    ]
    return {"v_01m7kbt": taken[0], "v_01m7kbx": taken[1]}


def put_remote(program: Program, verb: str, servers: ExitStack) -> dict[str, str]:
    """Start a server, and make it the remote of the examples where they use one."""
    home = Home(program.home.parent / "served")
    token = home.token(PrincipalKind.PERSON, name="ada")
    (program.folder / "team.token").write_text(token, encoding="utf-8")
    _, url = servers.enter_context(process(home))
    stands = {
        "https://memory.example.com": url,
        "http://127.0.0.1:8750": url.replace("127.0.0.1", "localhost"),
    }
    if verb == "remote add":
        program.extra["HOLDFAST_TOKEN"] = token
        return stands
    words = ("--name", "team", "--token-file", "team.token", "--default")
    program("remote", "add", url, *words).well()
    if verb in {"remote retry", "remote drop"}:
        stands["3f8a1c02"] = put_refused(program, RemoteAccess(url=url, token=token))
    return stands


def put_refused(program: Program, access: RemoteAccess) -> str:
    """Let the server refuse a write that waited; return its key."""
    bad = RemoteRequest(method="POST", target="/v1/memories", body='{"claim": "No evidence."}')
    Outbox(program.home / "remotes" / "team").add(waiting(access, bad))
    program("remote", "push")
    (refused,) = program("remote", "status", "--json").well().json["refused"]
    return str(refused["key"])
