"""A word of a sensitive record is in no file, whatever is done; the word of a plain one is."""

from __future__ import annotations

import json
import logging
import secrets
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest import mock
from uuid import uuid4

import pytest

import holdfast
from holdfast.bootstrap.plugs.addresses import IN_A_FILE, ServerPlace
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.surfaces.http.options import ServeOptions
from tests.cli.program import Program
from tests.http.conftest import Home, client, running
from tests.postgres_server import server
from tests.requirements import requirement

VERBS = (
    *("list", "list --json", "list --all --tag ops", "recall vault ops", "review"),
    *("curate", "verify", "verify --checks", "journal", "sync", "sync --check", "status --json"),
    *("doctor", "rebuild", "conflicts", "export", "export ../whole.jsonl", "key list"),
    *("workspace snapshot", "workspace list", "key check", "key rotate", "check list"),
    *("agent list", "agent export keeper", "task list", "session list", "run list", "undo --list"),
)


def found(word: str, *folders: Path) -> list[str]:
    """Return the files that contain a word, in UTF-8 or in UTF-16."""
    forms = (word.encode(), word.upper().encode(), word.encode("utf-16-le"))
    return [
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
        if any(form in path.read_bytes() for form in forms)
    ]


def a_word() -> str:
    return f"canary{secrets.token_hex(8)}"


@pytest.fixture(params=["sqlite", "postgres"])
def person(request: pytest.FixtureRequest, program: Program, tmp_path: Path) -> Program:
    extra = {"HOLDFAST_KEYS": str(tmp_path / "keys")}
    if request.param == "postgres":
        extra |= {"HOLDFAST_STORE": server().url(), "HOLDFAST_TENANT": uuid4().hex}
    return replace(program, extra=extra)


def files_of(person: Program, tmp_path: Path) -> tuple[Path, ...]:
    """Return every folder that anything may have been written to."""
    if "HOLDFAST_STORE" not in person.extra:
        return (tmp_path,)
    server().run("CHECKPOINT")
    return (tmp_path, server().folder)


def keep_sensitive_things(person: Program, word: str) -> str:
    """Put a word into a sensitive memory, its evidence, an agent's directives and its results."""
    person("init", "--files").well()
    person("key", "create").well()
    kept = person(
        *("remember", "--sensitive", "--key", "vault", "--tag", "ops", "--json", "-"),
        *("--because", f"I saw {word}.", "--metadata", f"seen={word}"),
        stdin=f"The vault opens with {word}.",
    ).well()
    person("remember", "--because", "Seen.", "The ops team guards the vault.").well()
    with (
        mock.patch.dict("os.environ", {**person.environment, **person.extra}, clear=True),
        holdfast.open(person.folder) as hf,
    ):
        with hf.agents.open("keeper", directives=f"Guard {word}.", sensitive=True) as agent:
            with agent.cycle() as cycle:
                cycle.propose(tool="open", args={"door": word}, reasoning=word, plan=[word])
                cycle.result(f"saw {word}", output={"seen": word}, artifacts=[f"{word}.md"])
                cycle.remember(f"{word} works.", sensitive=True)
            agent.recall("vault")
            assert agent.resume().last is not None
        assert hf.agents.get("keeper").agent.directives == f"Guard {word}."
    return str(kept.json["id"])


@requirement("encryption.canary")
def test_no_file_contains_a_word_of_a_sensitive_record(person: Program, tmp_path: Path) -> None:
    word = a_word()
    name = keep_sensitive_things(person, word)

    done = {verb: person(*verb.split()) for verb in VERBS}
    done["copy"] = person("store", "copy", str(tmp_path / "copy"))
    done["agent"] = person("show", name, env={"CLAUDECODE": "1"})
    starts = json.dumps({"session_id": "s", "cwd": str(person.folder), "source": "startup"})
    done["hook"] = person("hook", "claude", "SessionStart", stdin=starts)
    shown = person("show", name).well().out

    assert word in shown
    assert {verb: one.err for verb, one in done.items() if one.code} == {}
    assert not any(word in f"{one.out}{one.err}" for one in done.values())
    assert found(word, *files_of(person, tmp_path)) == []


def test_the_same_search_finds_a_word_of_a_plain_memory(person: Program, tmp_path: Path) -> None:
    word = a_word()
    person("remember", "--because", "Seen.", f"The vault opens with {word}.").well()

    assert found(word, *files_of(person, tmp_path)) != []


@requirement("encryption.protect")
def test_no_file_contains_a_word_of_a_memory_that_was_protected(
    program: Program, tmp_path: Path
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    word = a_word()
    person("init", "--files").well()
    person("key", "create").well()
    person("remember", "--because", "Seen.", f"The vault opens with {word}.", "--json").well()
    name = person("list", "--json").well().json["memories"][0]["id"]
    person("recall", "what opens the vault").well()
    person("sync").well()
    before = found(word, tmp_path)

    refused = person("protect", name)
    rehearsed = person("protect", name, "--dry-run", "--json").well()
    person("protect", name, "--yes").well()

    assert before != []
    assert (refused.code, rehearsed.json["memory"]) == (2, None)
    assert found(word, tmp_path) == []


@requirement("encryption.protect-wordings")
@requirement("encryption.undo-reveals-nothing")
def test_no_file_contains_a_word_of_an_edited_memory_that_was_protected(
    program: Program, tmp_path: Path
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    words = [a_word() for _ in range(3)]
    person("init", "--files").well()
    person("key", "create").well()
    claim = "The vault opens with {}.".format
    person("remember", "--key", "vault", "--because", "Seen.", claim(words[0])).well()
    person("sync").well()
    person("recall", "what opens the vault").well()
    person("edit", "vault", "--claim", claim(words[1])).well()
    bundle = person("recall", f"does {words[1]} open the vault", "--json").well().json["id"]
    person("edit", "vault", "--claim", claim(words[2])).well()
    person("undo").well()
    person("session", "note", f"Remember: {claim(words[0])}")
    before = [found(word, tmp_path) != [] for word in words]

    rehearsed = person("protect", "vault", "--dry-run").well().out
    person("protect", "vault", "--yes").well()
    verbs = ["sync", "undo", "list --all", "undo --list", "journal", "export", "rebuild", "doctor"]
    done = {verb: person(*verb.split()) for verb in verbs}
    done["bundle"] = person("explain", bundle)

    assert before == [True, True, True]
    assert all(word in rehearsed for word in words)
    assert {verb: one.err for verb, one in done.items() if one.code} == {}
    assert not any(word in f"{one.out}{one.err}" for one in done.values() for word in words)
    assert {word: found(word, tmp_path) for word in words} == {word: [] for word in words}
    assert words[0] in person("show", "vault").well().out


@requirement("forget.snapshots-named")
@pytest.mark.parametrize("verb", ["protect", "forget"])
def test_a_snapshot_that_keeps_a_page_with_the_text_is_named(
    program: Program, tmp_path: Path, verb: str
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    person("init", "--files").well()
    person("key", "create").well()
    person("remember", "--key", "vault", "--because", "Seen.", f"It opens with {a_word()}.").well()
    person("remember", "--key", "gate", "--because", "Seen.", "The gate is shut.").well()
    person("sync").well()
    one = person("workspace", "snapshot", "--json").well().json["snapshot"]["id"]
    (person.folder / "more.txt").write_text("more", encoding="utf-8")
    two = person("workspace", "snapshot", "--json").well().json["snapshot"]["id"]
    person("remember", "--key", "yard", "--because", "Seen.", "The yard is new here.").well()

    done = person(verb, "vault", "--yes")
    clean = person(verb, "yard", "--yes")

    assert done.code == 7
    for name in (one, two):
        assert f"the snapshot {name}: .holdfast/memory/facts.md" in done.out
    assert clean.well().out.count("snapshot") == 0


def test_snapshots_that_cannot_be_read_are_named(program: Program, tmp_path: Path) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    person("init", "--files").well()
    kept = person("remember", "--because", "Seen.", "The gate is shut at night.").well()
    person("sync").well()
    person("workspace", "snapshot").well()
    for pack in person.home.rglob("*.pack"):
        whole = pack.read_bytes()
        pack.chmod(0o600)
        pack.write_bytes(bytes(byte ^ 1 for byte in whole[:200]) + whole[200:])

    done = person("forget", kept.id, "--yes")

    assert done.code == 7
    assert "the snapshots of workspaces" in done.out


def test_a_sensitive_claim_names_the_one_in_clear_that_it_replaced(
    program: Program, tmp_path: Path
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    word = a_word()
    person("key", "create").well()
    old = person(
        "remember", "--key", "vault", "--because", "Seen.", f"It opens with {word}."
    ).well()
    hidden = ("--sensitive", "--key", "vault", "--because", "Seen.")

    new = person("remember", *hidden, "It is shut.").well()
    person("protect", old.id, "--yes").well()

    assert f"stays in clear; to encrypt it: holdfast protect {old.id}" in new.err
    assert found(word, tmp_path) == []


@requirement("encryption.protect-wordings")
def test_protecting_names_a_candidate_that_says_nearly_the_same(
    program: Program, tmp_path: Path
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    word = a_word()
    (person.folder / "a.txt").write_text("one\n", encoding="utf-8")
    person("init").well()
    person("key", "create").well()
    person("remember", "--key", "vault", "--because", "Seen.", f"Vaults open with {word}.").well()
    claim = f"The vault is opened with {word}."
    agent = person("remember", "--evidence", "a.txt:1", claim, env={"CLAUDECODE": "1"}).well()

    rehearsed = person("protect", "vault", "--dry-run").well()
    done = person("protect", "vault", "--yes", "--json").well()
    second = person("protect", agent.id, "--yes").well()

    assert agent.id in rehearsed.out
    assert "holdfast protect" in rehearsed.err
    places = [(one["place"], one["status"]) for one in done.json["repeated"]]
    assert places == [(agent.id, "candidate")]
    assert "still in clear" not in second.out
    assert found(word, tmp_path) == []


@requirement("encryption.canary")
@pytest.mark.parametrize("where", ["sqlite", "postgres"])
def test_a_server_writes_no_word_of_it(
    where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    caplog.set_level(logging.DEBUG)
    word = a_word()
    is_served = where == "postgres"
    place = ServerPlace(server().url(), uuid4().hex) if is_served else IN_A_FILE
    home = Home(tmp_path / "home", place)
    person, agent = home.token(PrincipalKind.PERSON), home.token(PrincipalKind.AGENT)
    with closing(home.machine().open()) as opened:
        opened.encryption.create()
    claim = {"claim": f"It is {word}.", "because": f"I saw {word}.", "sensitive": True}

    with running(ServeOptions(home=str(home.folder), address=place.address)) as url:
        with client(url, person) as caller:
            once = {"Idempotency-Key": "once"}
            kept = caller.post("/v1/memories", json=claim, headers=once)
            again = caller.post("/v1/memories", json=claim, headers=once)
            name = kept.json()["id"]
            clear = caller.get(f"/v1/memories/{name}", params={"reveal": "true"})
            asked = caller.post("/v1/recall", json={"q": "it is"})
        with client(url, agent) as caller:
            cited = {**claim, "evidence": ["https://example.org"]}
            proposed = caller.post("/v1/memories/batch", json={"claims": [cited]})
            refused = caller.get(f"/v1/memories/{name}", params={"reveal": "true"})

    statuses = [one.status_code for one in (kept, proposed, clear, refused)]
    assert (statuses, again.text) == ([201, 201, 200, 403], kept.text)
    assert word in clear.text
    for answer in (kept, asked, proposed, refused):
        assert word not in answer.text
    assert word not in caplog.text
    if is_served:
        server().run("CHECKPOINT")
    assert found(word, tmp_path, *([server().folder] if is_served else [])) == []


def test_what_cannot_be_sent_does_not_wait_in_a_file(program: Program, tmp_path: Path) -> None:
    word = a_word()
    token = tmp_path / "token"
    token.write_text("hf_x", encoding="utf-8")
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    added = person(
        *("remote", "add", "http://127.0.0.1:9", "--name", "away", "--token-file", str(token)),
        "--no-check",
    )
    sent = person(
        *("remember", "--store", "away", "--sensitive", "--because", "x", f"It is {word}.")
    )

    assert sent.code != 0, (added, sent)
    assert found(word, tmp_path) == []


@requirement("encryption.canary")
def test_an_import_of_an_export_needs_no_key(person: Program, tmp_path: Path) -> None:
    word = a_word()
    name = keep_sensitive_things(person, word)
    person("export", str(tmp_path / "whole.jsonl")).well()
    keys = shutil.move(tmp_path / "keys", tmp_path / "away")
    other = replace(
        person, home=tmp_path / "other", extra={"HOLDFAST_KEYS": str(tmp_path / "keys")}
    )

    other("init").well()
    other("import", str(tmp_path / "whole.jsonl")).well()
    missing = other("show", name)
    listed = other("list", "--all").well()
    file = next(Path(keys).glob("*.key"))
    other("key", "add", "--file", str(file)).well()
    shown = other("show", name, "--json").well()

    assert missing.code == 6
    assert "k_" in missing.err
    assert name in listed.out
    assert word in shown.json["data"]["claim"]
    lines = (tmp_path / "whole.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["type"] for line in lines} >= {"memory", "ciphertext"}
