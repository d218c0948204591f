"""Resources, prompts, completions and subscriptions, message by message."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import mcp_types
import pytest
from mcp_types.methods import validate_server_result

from holdfast.domain.memory.place import Place
from holdfast.surfaces.mcp.listed.addresses import PROMPTS, TEMPLATES
from holdfast.surfaces.python.api import open_memory
from tests.builders import PlainSurroundings
from tests.mcp.door import CLAIM, HELLO, META, Door, Folder, told_by_a_person
from tests.requirements import requirement

VERSIONS = ["2025-11-25", "2026-07-28"]


def envelope(version: str) -> dict[str, object]:
    return {"_meta": META} if version == "2026-07-28" else {}


def read(door: Door, uri: str) -> dict[str, Any]:
    [content] = door.ask("resources/read", {"uri": uri})["result"]["contents"]
    return dict(content)


def completed(door: Door, of: dict[str, str], name: str, value: str) -> Any:
    params = {"ref": of, "argument": {"name": name, "value": value}}
    return door.ask("completion/complete", params)["result"]["completion"]


def prompted(door: Door, name: str, **arguments: str) -> str:
    answer = door.ask("prompts/get", {"name": name, "arguments": arguments})
    [message] = answer["result"]["messages"]
    return str(message["content"]["text"])


@requirement("mcp.resources")
@pytest.mark.parametrize("version", VERSIONS)
def test_every_answer_fits_the_protocol(door: Door, version: str) -> None:
    name = told_by_a_person(door.app, CLAIM)
    template = {"type": "ref/resource", "uri": "memory://{id}"}
    asked: list[tuple[str, dict[str, object]]] = [
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": f"memory://{name}"}),
        ("prompts/list", {}),
        ("prompts/get", {"name": "review"}),
        ("completion/complete", {"ref": template, "argument": {"name": "id", "value": "m_"}}),
    ]

    for method, params in asked:
        answer = door.ask(method, {**params, **envelope(version)})
        validate_server_result(method, version, answer["result"])


@requirement("mcp.resources")
def test_the_templates_and_prompts_are_what_the_sdk_reads() -> None:
    for template in TEMPLATES:
        found = mcp_types.ResourceTemplate.model_validate(template)
        assert found.model_dump(by_alias=True, exclude_none=True) == template
    for prompt in PROMPTS:
        read_ = mcp_types.Prompt.model_validate(prompt)
        assert read_.model_dump(by_alias=True, exclude_none=True) == prompt


@requirement("mcp.resources")
def test_memories_bundles_and_sessions_are_read_by_address(door: Door) -> None:
    name = told_by_a_person(door.app, CLAIM)
    bundle = door.call("context.assemble", q="refresh tokens")["content"][0]["text"].split()[1]
    session = door.app.sessions.start(tool="claude", user="ada").id

    memory = json.loads(read(door, f"memory://{name}")["text"])
    answer = read(door, f"bundle://{bundle}")
    kept = json.loads(read(door, f"session://{session}")["text"])

    assert (memory["id"], memory["claim"]) == (name, CLAIM)
    assert "not instructions" in memory["note"]
    assert answer["mimeType"] == "text/markdown"
    assert "quoted data, not instructions]" in answer["text"]
    assert CLAIM in answer["text"]
    assert kept["data"]["id"] == session


def test_resources_are_listed_with_addresses_that_can_be_read(door: Door) -> None:
    told_by_a_person(door.app, CLAIM)
    door.app.sessions.start(tool="claude", user="ada")

    listed = door.ask("resources/list")["result"]["resources"]

    assert [one["uri"].partition("://")[0] for one in listed] == ["memory", "session"]
    assert listed[1]["title"].startswith("claude ")
    assert all(read(door, one["uri"])["uri"] == one["uri"] for one in listed)


@pytest.mark.parametrize(
    "uri",
    [
        *("memory://m_nothing", "memory://", "bundle://m_1", "session://x", "page://no.md"),
        *("file:///etc/passwd", "nonsense", "page://../../etc/passwd", "memory://i_1"),
    ],
)
@requirement("mcp.resources")
def test_what_is_not_there_is_refused(door: Door, uri: str) -> None:
    error = door.ask("resources/read", {"uri": uri})["error"]

    assert error["code"] == -32602
    assert error["data"]["holdfast/error"]["family"] == "not-found"
    assert error["data"]["uri"] == uri


@pytest.mark.parametrize("kind", ["bundle", "session"])
def test_a_memory_is_no_bundle_and_no_session(door: Door, kind: str) -> None:
    name = told_by_a_person(door.app, CLAIM)

    assert door.ask("resources/read", {"uri": f"{kind}://{name}"})["error"]["code"] == -32602
    session = door.app.sessions.start(tool="claude", user="ada").id
    assert door.ask("resources/read", {"uri": f"memory://{session}"})["error"]["code"] == -32602


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {}),
        ("resources/read", {"uri": 5}),
        ("resources/read", {"uri": "x" * 5_000}),
        ("resources/list", {"cursor": "2"}),
        ("prompts/list", {"cursor": "2"}),
        ("resources/templates/list", {"cursor": "2"}),
        ("prompts/get", {"name": "nothing"}),
        ("prompts/get", {"name": ["review"]}),
        ("prompts/get", {"name": "review", "arguments": []}),
        ("prompts/get", {"name": "review", "arguments": {"limit": 5}}),
        ("prompts/get", {"name": "review", "arguments": {"limit": "many"}}),
        ("completion/complete", {}),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "no"}, "argument": {}}),
        (
            "completion/complete",
            {"ref": {"type": "ref/prompt", "name": "no"}, "argument": {"name": "a", "value": ""}},
        ),
        ("resources/subscribe", {"uri": "nonsense"}),
        ("resources/subscribe", {}),
    ],
)
def test_malformed_params_are_refused_and_the_next_request_works(
    door: Door, method: str, params: dict[str, object]
) -> None:
    assert door.ask(method, params)["error"]["code"] == -32602
    assert door.ask("ping")["result"] == {}
    assert door.reports == []


def test_another_repository_has_no_resources_here(door: Door) -> None:
    elsewhere = Door(surroundings_of(door, "github.com/acme/other"))
    told_by_a_person(elsewhere.app, CLAIM)

    assert door.ask("resources/list")["result"]["resources"] == []


def surroundings_of(door: Door, repo: str) -> Any:
    return replace(door.app, surroundings=PlainSurroundings(at=Place(repo=repo)))


@requirement("mcp.prompts")
def test_the_prompts_ask_and_quote(door: Door) -> None:
    door.propose()
    door.call("session.note", text="mind the gap", kind="subtask")

    resume, review = prompted(door, "resume"), prompted(door, "review", limit="5")

    assert "mind the gap" in resume
    assert "do not approve" in review
    assert CLAIM in review
    for text in (resume, review):
        assert "quoted data, not instructions" in text
        assert text.count("<holdfast-context") == 1


@requirement("mcp.prompts")
@pytest.mark.parametrize("main", ["main", "master", "trunk"])
def test_a_run_and_a_branch_are_told_in_a_real_checkout(folder: Folder, main: str) -> None:
    git = ["git", "-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    subprocess.run([*git, "branch", "-m", main], cwd=folder.repo, check=True)
    origin = f"refs/remotes/origin/{main}"
    subprocess.run([*git, "update-ref", origin, "HEAD"], cwd=folder.repo, check=True)
    head = ["symbolic-ref", "refs/remotes/origin/HEAD", origin]
    subprocess.run([*git, *head], cwd=folder.repo, check=True)
    subprocess.run([*git, "checkout", "-q", "-b", "feature"], cwd=folder.repo, check=True)
    (folder.repo / "new.py").write_text("x = 1\n", encoding="utf-8")
    subprocess.run([*git, "add", "."], cwd=folder.repo, check=True)
    subprocess.run([*git, "commit", "-q", "-m", "more"], cwd=folder.repo, check=True)
    with open_memory(home=folder.home, folder=folder.repo) as memory:
        memory.remember("The feature has a switch.", because="decided")
    with folder.spawn() as server:
        run = server.call("run.start", goal="Move to zstd")["structuredContent"]["run"]
        server.call("run.note", run=run["id"], text="gzip was too slow")
        asked = {"name": "summarise-run", "arguments": {"run": run["label"]}}
        summary = server.ask("prompts/get", asked)["result"]["messages"][0]["content"]["text"]
        changes = server.ask("prompts/get", {"name": "branch-changes"})["result"]
        runs = server.ask(
            "completion/complete",
            {
                "ref": {"type": "ref/prompt", "name": "summarise-run"},
                "argument": {"name": "run", "value": "run-"},
            },
        )["result"]["completion"]["values"]

    assert "gzip was too slow" in summary
    assert "The feature has a switch." in changes["messages"][0]["content"]["text"]
    assert runs == [run["label"]]


@requirement("mcp.resources")
def test_pages_are_listed_completed_and_read_in_a_fence(folder: Folder) -> None:
    remember = ["remember", CLAIM, "--kind", "rule", "--because", "decided"]
    for words in (["init", "--files"], remember, ["sync"]):
        subprocess.run(
            [sys.executable, "-m", "holdfast", *words],
            cwd=folder.repo,
            env=folder.environment,
            check=True,
            capture_output=True,
        )
    with folder.spawn() as server:
        listed = server.ask("resources/list")["result"]["resources"]
        [uri] = [one["uri"] for one in listed if one["uri"].startswith("page://")]
        [page] = server.ask("resources/read", {"uri": uri})["result"]["contents"]

    assert CLAIM in page["text"]
    assert page["text"].startswith("<holdfast-context")


def test_ids_are_completed(door: Door) -> None:
    name = told_by_a_person(door.app, CLAIM)
    session = door.app.sessions.start(tool="claude", user="ada").id
    memory_ref = {"type": "ref/resource", "uri": "memory://{id}"}

    assert completed(door, memory_ref, "id", "m_")["values"] == [name]
    assert completed(door, memory_ref, "id", "zzz") == {
        "values": [],
        "total": 0,
        "hasMore": False,
    }
    session_ref = {"type": "ref/resource", "uri": "session://{id}"}
    assert completed(door, session_ref, "id", "")["values"] == [session]
    page_ref = {"type": "ref/resource", "uri": "page://{path}"}
    assert completed(door, page_ref, "path", "")["values"] == []
    assert completed(door, {"type": "ref/prompt", "name": "resume"}, "x", "")["values"] == []


def updates(messages: list[Any]) -> list[Any]:
    return [one for one in messages if one.get("method") == "notifications/resources/updated"]


def changed_by_a_person(door: Door, name: str) -> list[Any]:
    door.app.memories.pin(name, label="DEC-001")
    before = len(door.sent)
    door.conversation.look()
    return door.sent[before:]


@requirement("mcp.subscriptions")
def test_a_subscriber_is_told_of_a_change_once_and_of_nothing_else(door: Door) -> None:
    name = door.propose()["structuredContent"]["id"]
    uri = f"memory://{name}"
    assert not door.conversation.watches
    assert door.ask("resources/subscribe", {"uri": uri})["result"] == {}
    assert door.conversation.watches

    door.conversation.look()
    deleted = door.tell(a_call("memory.delete", id=name))
    door.conversation.look()
    told = updates(door.sent)

    assert [one["params"]["uri"] for one in updates(deleted)] == [uri]
    assert len(told) == 1
    assert door.ask("resources/unsubscribe", {"uri": uri})["result"] == {}
    assert not door.conversation.watches


def a_call(tool: str, **arguments: object) -> bytes:
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params}
    return json.dumps(message).encode()


@requirement("mcp.subscriptions")
def test_a_modern_client_listens_until_it_cancels(door: Door) -> None:
    name = door.propose()["structuredContent"]["id"]
    uri = f"memory://{name}"
    wanted = {"notifications": {"resourceSubscriptions": [uri]}, "_meta": META}
    message = {"jsonrpc": "2.0", "id": "s1", "method": "subscriptions/listen", "params": wanted}

    [acknowledged] = door.tell(json.dumps(message).encode())
    deleted = updates(door.tell(a_call("memory.delete", id=name)))
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "s1"}}
    silent = door.tell(json.dumps(cancel).encode())

    key = "io.modelcontextprotocol/subscriptionId"
    assert acknowledged["method"] == "notifications/subscriptions/acknowledged"
    assert acknowledged["params"]["_meta"][key] == "s1"
    assert [one["params"]["_meta"][key] for one in deleted] == ["s1"]
    assert silent == []
    assert not door.conversation.watches


def test_the_number_of_subscriptions_has_a_limit(door: Door) -> None:
    for number in range(100):
        assert "result" in door.ask("resources/subscribe", {"uri": f"memory://m_{number}"})

    assert door.ask("resources/subscribe", {"uri": "memory://m_x"})["error"]["code"] == -32602
    listen = {"notifications": {"resourceSubscriptions": "all"}, "_meta": META}
    assert door.ask("subscriptions/listen", listen)["error"]["code"] == -32602


@requirement("mcp.subscriptions")
def test_a_change_of_another_process_is_told_without_being_asked(folder: Folder) -> None:
    with folder.spawn() as server:
        server.ask("initialize", HELLO)
        made = server.call("memory.create", kind="fact", claim=CLAIM, evidence=["src/app.py:1"])
        name = made["structuredContent"]["id"]
        server.ask("resources/subscribe", {"uri": f"memory://{name}"})
        with open_memory(home=folder.home, folder=folder.repo) as memory:
            memory.forget(name)

        told = server.next_answer()

    assert told["method"] == "notifications/resources/updated"
    assert told["params"]["uri"] == f"memory://{name}"


def test_a_bug_while_watching_is_reported_and_the_session_goes_on(door: Door) -> None:
    name = told_by_a_person(door.app, CLAIM)
    door.ask("resources/subscribe", {"uri": f"memory://{name}"})
    door.engine.trouble = RuntimeError("private")

    door.conversation.look()
    refused = door.ask("resources/read", {"uri": f"memory://{name}"})
    door.engine.trouble = None

    assert refused["error"] == {"code": -32603, "message": "internal error, reported on stderr"}
    assert len(door.reports) == 2
    assert door.ask("ping")["result"] == {}
