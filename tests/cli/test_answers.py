"""What every verb answers with --json is what the published schemas say."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from holdfast.surfaces.cli.index import INDEX
from holdfast.surfaces.hook.dialects import DIALECTS
from holdfast.surfaces.wire.failures import FAMILIES
from holdfast.surfaces.wire.schema.published import ANSWERS, UNANSWERED, described
from tests.adapters import transcript_samples as samples
from tests.adapters.tiny_model import write_source
from tests.adapters.transcript_samples import written
from tests.cli.answers import answer_of, problem, verb_of
from tests.cli.conftest import Filled
from tests.cli.program import SRC, Finished, Program
from tests.cli.sets import write_sets
from tests.cli.work_scene import put_agent, put_refused, started
from tests.integration.test_whole_store import ENVIRONMENT as CIPHER
from tests.postgres_server import APP, OWNER, READY, server
from tests.requirements import requirement

CLAIM = "Backups run at two in the morning."
RECORD = "# 1. Use UTC\n\nStatus: accepted\n\n## Decision\n\nWe keep all times in UTC.\n"
PAYLOAD = {
    "session_id": "5f0c",
    "prompt": "How do refresh tokens rotate?",
    "tool_name": "Edit",
    "tool_input": {"file_path": "src/auth/tokens.py", "command": "git push --force"},
}
TALK = "User: We decided to keep all times in UTC.\nAssistant: Noted.\n"


@requirement("wire.every-answer-has-a-schema")
def test_every_verb_has_a_schema_or_a_reason() -> None:
    assert set(ANSWERS) | set(UNANSWERED) == set(INDEX)
    assert not set(ANSWERS) & set(UNANSWERED)


HOOK_CALLS = [
    (tool, event) for tool, dialect in DIALECTS.items() for event in sorted(dialect.events)
] + [("auto", "SessionStart"), ("claude", "NoSuchEvent")]
"""Every event of every tool."""
INIT = ("init", "--no-model", "--store", "{app}")
TENANT = ("tenant", "create", "acme", "--store", "{app}")
JOB = ("jobs", "add", "curate", "--store", "{app}")
TASK = ("task", "add", "Rotate the keys")
SNAPSHOT = ("workspace", "snapshot")
REMOTE = ("remote", "add", "{url}", "--name", "team", "--token-file", "team.token", "--default")
COMMANDS: dict[str, list[tuple[str, ...]]] = {
    "init": [("init",)],
    "remember": [("remember", "--because", "I decided", CLAIM)],
    "recall": [
        ("recall", "--q", "refresh tokens"),
        ("recall", "--q", "refresh tokens", "--include", "memory,code,history"),
        ("recall", "--replay", "{bundle}"),
        ("recall", "--q", "nothing like it"),
    ],
    "forget": [
        ("forget", "{other}", "--dry-run"),
        ("forget", "{other}", "--propose"),
        ("forget", "{memory}", "--yes"),
    ],
    "list": [("list",), ("list", "-w", "tokens"), ("list", "--all", "--expired")],
    "show": [("show", "{memory}"), ("show", "{bundle}"), ("show", "{span}"), ("show", "{session}")],
    "explain": [
        ("explain", "{memory}"),
        ("explain", "{bundle}"),
        ("explain", "{bundle}", "{memory}"),
    ],
    "related": [("link", "{memory}", "{other}"), ("related", "{memory}")],
    "link": [("link", "{memory}", "{other}"), ("link", "{memory}", "{other}", "--remove")],
    "verify": [("verify",)],
    "blame": [("blame", "src/auth/tokens.py:45")],
    "diff": [("diff", "main..main")],
    "context": [("index",), ("context", "fresh")],
    "propose": [("propose", "talk.txt", "--dry-run"), ("propose", "talk.txt")],
    "review": [("remember", "--origin", "agent", "--because", "x", CLAIM), ("review",)],
    "approve": [
        ("remember", "--origin", "agent", "--because", "x", CLAIM),
        ("approve", "--all", "--dry-run"),
        ("approve", "--all", "--yes"),
    ],
    "reject": [
        ("remember", "--origin", "agent", "--because", "x", CLAIM),
        ("reject", "--all", "--yes", "--reason", "no"),
    ],
    "edit": [
        ("edit", "{other}", "--claim", "We deploy on Mondays only.", "--dry-run"),
        ("edit", "{other}", "--claim", "We deploy on Mondays only."),
    ],
    "conflicts": [
        ("remember", "--origin", "agent", "--because", "x", "We deploy on Fridays only."),
        ("conflicts",),
    ],
    "curate": [
        ("curate",),
        ("curate", "--apply", "--dry-run"),
        ("curate", "--deprecate", "{other}"),
        ("curate", "--digest"),
    ],
    "prune": [("prune", "--dry-run"), ("prune", "--yes", "--force")],
    "undo": [("curate", "--deprecate", "{other}"), ("undo", "--list"), ("undo", "{other}")],
    "revert": [
        ("remember", "--source", "chat", "--origin", "agent", "--because", "x", CLAIM),
        ("revert", "--source", "chat", "--yes"),
    ],
    "pin": [("pin", "{memory}"), ("pin", "--span", "{span}")],
    "unpin": [("unpin", "{memory}"), ("unpin", "--span", "{span}")],
    "feedback": [("feedback", "{bundle}", "--good")],
    "learn": [("learn", "--reset", "--dry-run")],
    "session start": [("session", "start", "--tool", "x")],
    "session turn": [("session", "turn", "{session}", "--q", "what")],
    "session end": [("session", "end", "{session}")],
    "session list": [("session", "list")],
    "session show": [("session", "show", "{session}")],
    "session did": [("session", "did", "{session}", "something")],
    "session say": [("session", "say", "{session}", "something")],
    "session said": [("session", "said", "{session}")],
    "session unsay": [("session", "unsay", "{session}")],
    "session note": [("session", "note", "something", "--session", "{session}")],
    "session resume": [("session", "resume", "{session}")],
    "session rewind": [("session", "rewind", "{session}", "--to-turn", "0")],
    "session fork": [("session", "fork", "{session}")],
    "session reconcile": [("session", "reconcile", "--dry-run")],
    "hydrate": [("hydrate",)],
    "run start": [("run", "start", "fix the feed")],
    "run note": [("run", "start"), ("run", "note", "It is slow.")],
    "run finish": [("run", "start"), ("run", "finish", "--summary", "We decided to cache it.")],
    "run list": [("run", "start"), ("run", "list")],
    "run show": [("run", "start"), ("run", "note", "It is slow."), ("run", "show")],
    "run context": [("run", "context", "--goal", "tokens")],
    "check list": [("check", "list")],
    "check accept": [
        ("check", "accept", "{checked}", "--dry-run"),
        ("check", "accept", "{checked}", "--yes"),
    ],
    "check revoke": [("check", "accept", "{checked}", "--yes"), ("check", "revoke", "{checked}")],
    "supervise": [
        ("supervise", "release 1.2", "--dry-run"),
        ("supervise", "--allow", "test", "true"),
        ("supervise", "release 1.2", "--run", "test", "--yes"),
        ("supervise", "--list"),
        ("supervise", "--commands"),
    ],
    "task add": [TASK],
    "task edit": [TASK, ("task", "edit", "{task}", "--priority", "0")],
    "task list": [TASK, ("task", "list")],
    "task show": [TASK, ("task", "show", "{task}")],
    "task delete": [TASK, ("task", "delete", "{task}", "--yes")],
    "task ready": [TASK, ("task", "ready")],
    "task next": [TASK, ("task", "next")],
    "task tree": [TASK, ("task", "tree"), ("task", "tree", "{task}")],
    "task graph": [TASK, ("task", "graph"), ("task", "graph", "{task}", "--format", "mermaid")],
    "task claim": [TASK, ("task", "claim", "{task}", "--for", "2h")],
    "task start": [TASK, ("task", "start", "{task}")],
    "task release": [TASK, ("task", "claim", "{task}"), ("task", "release", "{task}")],
    "task done": [TASK, ("task", "done", "{task}")],
    "task reopen": [TASK, ("task", "done", "{task}"), ("task", "reopen", "{task}")],
    "task block": [TASK, ("task", "block", "{task}", "it waits")],
    "task unblock": [TASK, ("task", "block", "{task}", "it waits"), ("task", "unblock", "{task}")],
    "task import": [TASK, ("task", "export", "issues.jsonl"), ("task", "import", "issues.jsonl")],
    "task export": [TASK, ("task", "export", "issues.jsonl")],
    "agent list": [("agent", "list")],
    "agent show": [("agent", "show", "refactor-bot")],
    "agent cycles": [("agent", "cycles", "refactor-bot")],
    "agent resume": [("agent", "resume", "refactor-bot")],
    "agent export": [("agent", "export", "refactor-bot", "bot.jsonl")],
    "agent delete": [
        ("agent", "delete", "refactor-bot", "--dry-run"),
        ("agent", "delete", "refactor-bot", "--yes"),
    ],
    "journal": [("journal",)],
    "workspace snapshot": [SNAPSHOT],
    "workspace list": [SNAPSHOT, ("workspace", "list")],
    "workspace show": [SNAPSHOT, ("workspace", "show", "latest")],
    "workspace diff": [SNAPSHOT, ("workspace", "diff", "latest")],
    "workspace restore": [
        SNAPSHOT,
        ("workspace", "restore", "latest", "--dry-run"),
        ("workspace", "restore", "latest", "--into", "restored"),
    ],
    "workspace delete": [SNAPSHOT, ("workspace", "delete", "latest", "--yes")],
    "workspace gc": [SNAPSHOT, ("workspace", "gc", "--dry-run"), ("workspace", "gc")],
    "sync": [("init", "--files"), ("sync",)],
    "trust": [("init", "--files"), ("trust", "--list"), ("trust", "--dry-run")],
    "status": [("status",), ("status", "--badge"), ("status", "--all")],
    "index": [("index",)],
    "doctor": [("doctor",), ("doctor", "--repair")],
    "rebuild": [("rebuild",)],
    "store copy": [("store", "copy", "copied")],
    "store compare": [("store", "copy", "copied"), ("store", "compare", "copied")],
    "db upgrade": [("db", "upgrade", "--store", "{owner}"), ("db", "upgrade", "--store", "{app}")],
    "db check": [("db", "check", "--store", "{app}"), ("db", "check", "--store", "{owner}")],
    "db stats": [("db", "stats", "--store", "{owner}")],
    "db backup-advice": [("db", "backup-advice", "--store", "{owner}")],
    "db citus": [("db", "citus", "--store", "{owner}")],
    "tenant create": [TENANT],
    "tenant list": [("tenant", "list", "--store", "{owner}")],
    "tenant export": [TENANT, ("tenant", "export", "acme", "out", "--store", "{app}")],
    "tenant delete": [TENANT, ("tenant", "delete", "acme", "--yes", "--store", "{app}")],
    "jobs add": [INIT, JOB],
    "jobs list": [INIT, ("jobs", "list", "--store", "{app}")],
    "jobs run": [INIT, JOB, ("jobs", "run", "--store", "{app}")],
    "jobs cancel": [INIT, JOB, ("jobs", "cancel", "{job}", "--store", "{app}")],
    "token create": [("token", "create", "ci")],
    "token list": [("token", "create", "ci"), ("token", "list")],
    "token revoke": [("token", "create", "ci"), ("token", "revoke", "ci")],
    "remote add": [REMOTE],
    "remote list": [REMOTE, ("remote", "list")],
    "remote use": [REMOTE, ("remote", "use", "team"), ("remote", "use", "local")],
    "remote status": [REMOTE, ("remote", "status")],
    "remote push": [REMOTE, ("remote", "push")],
    "remote retry": [REMOTE, ("remote", "retry", "{refused}")],
    "remote drop": [REMOTE, ("remote", "drop", "{refused}")],
    "remote remove": [REMOTE, ("remote", "remove", "team")],
    "export": [("export", "all.jsonl"), ("export",), ("export", "--here")],
    "import": [
        ("export", "all.jsonl"),
        ("import", "all.jsonl"),
        ("import", "git"),
        ("import", "adr", "docs", "--dry-run", "--verbose"),
        ("import", "transcripts", "{talk}", "--dry-run"),
    ],
    "model install": [("model", "install", "tiny", "--from", "{model}")],
    "model list": [("model", "list")],
    "model use": [
        ("model", "install", "tiny", "--from", "{model}"),
        ("model", "use", "tiny"),
    ],
    "model verify": [("model", "verify")],
    "model remove": [
        ("model", "install", "tiny", "--from", "{model}"),
        ("model", "remove", "tiny", "--yes"),
    ],
    "model catch-up": [
        ("model", "install", "tiny", "--from", "{model}"),
        ("model", "use", "tiny"),
        ("model", "catch-up"),
    ],
    "config list": [("config", "list")],
    "config get": [("config", "get", "recall.budget")],
    "config set": [("config", "set", "recall.budget", "900")],
    "config unset": [("config", "unset", "recall.budget")],
    "config path": [("config", "path")],
    "eval": [("eval", "--data", "{sets}")],
    "hook": [("hook", "log"), *(("hook", *call) for call in HOOK_CALLS)],
    "hooks install": [("hooks", "install")],
    "hooks remove": [("hooks", "install"), ("hooks", "remove")],
    "hooks status": [("hooks", "status")],
    "hooks run": [("hooks", "run", "post-commit")],
    "adapters install": [("adapters", "install", "claude", "--project")],
    "adapters remove": [("adapters", "remove", "claude", "--project")],
    "adapters status": [("adapters", "status")],
    "adapters plugin": [("adapters", "plugin", "plugin")],
    "merge-file": [("merge-file", "base.md", "ours.md", "theirs.md")],
    "completion": [("completion", "bash")],
    "key create": [("key", "create"), ("key", "create", "--env", "VAULT_KEY")],
    "key add": [("key", "create", "--file", "~/a.key"), ("key", "add", "--file", "~/a.key")],
    "key list": [("key", "create"), ("key", "list")],
    "key use": [("key", "create"), ("key", "use", "k_")],
    "key rotate": [("key", "create"), ("key", "rotate")],
    "key remove": [("key", "create"), ("key", "remove", "k_")],
    "key encrypt-store": [("key", "create"), ("key", "encrypt-store")],
    "key decrypt-store": [("key", "decrypt-store")],
    "key check": [("key", "create"), ("key", "check")],
    "protect": [("key", "create"), ("protect", "{other}", "--yes")],
    "resolve": [
        ("remember", "--origin", "agent", "--because", "x", "We deploy on Fridays only."),
        ("resolve", "{candidate}", "{other}", "--keep-old"),
    ],
}


@requirement("wire.every-answer-has-a-schema")
def test_every_verb_with_an_answer_is_run_here() -> None:
    assert set(COMMANDS) == set(ANSWERS)


def facts_for(filled: Filled, tmp_path: Path, verb: str) -> dict[str, str]:
    """Return what the names in the commands of a verb stand for."""
    facts = {name: getattr(filled, name) for name in ("memory", "other", "bundle", "span")}
    facts["session"] = filled.session
    facts["talk"] = str(written(tmp_path / "talk.jsonl", samples.claude_session()))
    if "{sets}" in str(COMMANDS[verb]):
        facts["sets"] = str(write_sets(tmp_path / "sets"))
    if "{owner}" in str(COMMANDS[verb]) or "{app}" in str(COMMANDS[verb]):
        database = server().new_database(READY)
        facts |= {"owner": server().url(database, OWNER), "app": server().url(database, APP)}
    if "{model}" in str(COMMANDS[verb]):
        facts["model"] = str(write_source(tmp_path / "model"))
    if "{checked}" in str(COMMANDS[verb]):
        rule = ("remember", "--because", "x", "--check", "command: true", "A rule to check.")
        facts["checked"] = filled.program(*rule).well().id
    put_agent(filled.program, verb)
    return facts


def named_by(words: tuple[str, ...], said: Finished) -> dict[str, str]:
    """Return the id that a command answered, for the commands after it."""
    if words[0] == "remember":
        return {"candidate": said.json["id"]}
    if words == JOB:
        return {"job": said.json["id"]}
    return {"task": said.json["task"]["id"]} if words == TASK else {}


def with_cipher(program: Program) -> Callable[..., Finished]:
    """Return the program as a process with the library that encrypts whole stores."""
    if not (CIPHER / ".ready").exists():
        pytest.skip("run: make sqlcipher")
    found = {"PYTHONPATH": os.pathsep.join([str(CIPHER), str(SRC)])}
    return lambda *words, stdin: program.start(*words, stdin=stdin.encode(), env=found)


@requirement("wire.every-answer-has-a-schema")
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_verb_answers_as_its_schema_says(
    filled: Filled, servers: ExitStack, tmp_path: Path, verb: str
) -> None:
    program = filled.program
    for name in ("base.md", "ours.md", "theirs.md", "talk.txt"):
        (program.folder / name).write_text(TALK, encoding="utf-8")
    (program.folder / "new.py").write_text("def fresh(): ...\n", encoding="utf-8")
    (program.folder / "docs").mkdir()
    (program.folder / "docs" / "0001-use-utc.md").write_text(RECORD, encoding="utf-8")
    facts = facts_for(filled, tmp_path, verb)
    if "{url}" in str(COMMANDS[verb]):
        facts["url"], facts["token"] = started(program, servers)

    run = with_cipher(program) if verb == "key encrypt-store" else program
    for words in COMMANDS[verb]:
        given = json.dumps(PAYLOAD | {"cwd": str(program.folder)}) if verb == "hook" else ""
        said = run(*(word.format(**facts) for word in words), "--json", stdin=given)
        if said.out:
            facts |= named_by(words, said)
        if words == REMOTE and "{refused}" in str(COMMANDS[verb]):
            facts["refused"] = put_refused(program, facts["url"], facts["token"])[0]

        # The program holds every answer against its schema; here there has to be one.
        assert said.out, (words, said.err)
        for line in said.out.splitlines():
            assert not problem(json.loads(line), answer_of(verb_of(words)))


@requirement("wire.every-answer-has-a-schema")
def test_a_batch_is_read_and_answered_as_its_schemas_say(program: Program) -> None:
    lines = [
        {"claim": CLAIM, "because": "I decided", "kind": "decision", "tags": ["ops"]},
        {"value": "Port 8080 is free.", "evidence": ["command:ss -ltn", "src/auth/tokens.py:2"]},
        {"claim": "It ran.", "evidence": [{"type": "command", "ref": "x", "facts": {"a": "b"}}]},
    ]
    for line in lines:
        assert not problem(line, "request.remember")

    said = program(
        "remember", "--batch", "--json", stdin="".join(f"{json.dumps(line)}\n" for line in lines)
    ).well()

    assert len(said.out.splitlines()) == len(lines)


@requirement("wire.every-answer-has-a-schema")
def test_help_the_version_and_errors_are_as_their_schemas_say(program: Program) -> None:
    everything, one = program("help", "--json"), program("help", "recall", "--json")
    version = program("--version", "--json")
    refused = program("show", "m_none", "--json")

    assert not problem(everything.json, "answer.help")
    assert not problem(one.json, "answer.help")
    assert not problem(version.json, "answer.version")
    error = json.loads(refused.err)
    assert not problem(error, "error")
    assert error["error"]["code"] == "no-such"
    assert error["error"]["facts"] == {"noun": "memory", "reference": "m_none"}


def test_the_families_of_the_schema_are_those_of_the_program() -> None:
    named = str(described()["error"])

    assert all(f"'{face.name}'" in named for face in FAMILIES.values())
