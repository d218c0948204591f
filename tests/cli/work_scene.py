"""Tasks, an agent, snapshots and a remote, as the examples of their verbs need them."""

from __future__ import annotations

from contextlib import ExitStack

import holdfast
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


def put_agent(program: Program, verb: str) -> None:
    """Open the agent of the examples once."""
    if verb.startswith("agent "):
        home = program.environment["HOLDFAST_HOME"]
        with holdfast.open(program.folder, home=home) as hf:
            hf.agents.open("refactor-bot", take_over=True).close()


def put_keys(program: Program, verb: str) -> dict[str, str]:
    """Make the key that encrypts, two that wait, and the file of one that is to be added."""
    if verb == "key create":
        return {}
    file = program("key", "create", "--file", "~/vault.key", "--json").well().json["id"]
    spare = [program("key", "create", "--json").well().json["id"] for _ in range(2)]
    assert file not in spare
    return {"k_3f8a": str(spare[0]), "k_9c1d": str(spare[1])}


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
    if verb == "task edit":
        program("task", "edit", ids["t_01m7ga"], "--after", ids["t_01m7gc"]).well()
    for word in BEFORE.get(verb, ()):
        reason = ("it waits",) if word == "block" else ()
        for name in names:
            program("task", word, ids[name], *reason).well()
    return ids


def put_workspace(program: Program, verb: str) -> dict[str, str]:
    """Put in two snapshots of the folder, and the other folder of the examples."""
    (program.home / "report").mkdir()
    (program.home / "report" / "text.md").write_text("# Report\n", encoding="utf-8")
    (program.folder / "src" / "app.py").write_text("run = True\n", encoding="utf-8")
    first = program("workspace", "snapshot", "--json").well().json["snapshot"]["id"]
    if verb != "workspace diff":  # it ends with 1 where there is a difference
        (program.folder / "src" / "app.py").write_text("run = False\n", encoding="utf-8")
    second = program("workspace", "snapshot", "--json").well().json["snapshot"]["id"]
    return {"v_01m7kbt": str(first), "v_01m7kbx": str(second)}


def started(program: Program, servers: ExitStack) -> tuple[str, str]:
    """Start a server, and keep a token in a file; return its URL and the token."""
    home = Home(program.home.parent / "served")
    token = home.token(PrincipalKind.PERSON, name="ada")
    (program.folder / "team.token").write_text(token, encoding="utf-8")
    _, url = servers.enter_context(process(home))
    return url, token


def put_remote(program: Program, verb: str, servers: ExitStack) -> dict[str, str]:
    """Start a server, and make it the remote of the examples where they use one."""
    url, token = started(program, servers)
    stands = {
        "https://memory.example.com": url,
        "http://127.0.0.1:8750": url.replace("127.0.0.1", "localhost"),
    }
    if verb == "remote add":
        program.extra["HOLDFAST_TOKEN"] = token
        return stands
    words = ("remote", "add", url, "--token-file", "team.token")
    program(*words, "--name", "team", "--default").well()
    program(*words, "--name", "lab").well()
    if verb in {"remote retry", "remote drop"}:
        keys = put_refused(program, url, token)
        stands |= dict(zip(("3f8a1c02", "9b20d7e4"), keys, strict=True))
    return stands


def put_refused(program: Program, url: str, token: str) -> list[str]:
    """Let the server refuse two writes that waited; return their keys."""
    access = RemoteAccess(url=url, token=token)
    bad = RemoteRequest(method="POST", target="/v1/memories", body='{"claim": "No evidence."}')
    for _ in range(2):
        Outbox(program.home / "remotes" / "team").add(waiting(access, bad))
    program("remote", "push")
    refused = program("remote", "status", "--json").well().json["refused"]
    return [str(one["key"]) for one in refused]
