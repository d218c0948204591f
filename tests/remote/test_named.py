"""A remote is its name: its address, its token and its waiting writes stay together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from holdfast.adapters.remote.answer_cache import AnswerCache
from holdfast.adapters.remote.outbox import Outbox
from holdfast.adapters.remote.server import RemoteAccess, RemoteServer
from holdfast.bootstrap.remote.refusals import refusal
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.service.remotes import RemoteRequest
from holdfast.domain.values import replace as changed
from holdfast.surfaces.wire.remotes import claim_beginning
from tests.cli.program import Finished, Program
from tests.http.conftest import Home
from tests.http.test_program import program as process
from tests.remote.test_away import waiting
from tests.requirements import requirement

INVALID, MISSING, CONFLICT, AWAY, KEPT_HERE = 2, 3, 4, 6, 7


def add(client: Program, url: str, *words: str, token: str, name: str = "team") -> Finished:
    known = replace(client, extra={"HOLDFAST_TOKEN": token})
    return known("remote", "add", url, "--name", name, *words)


@pytest.fixture
def client(repository: Path, tmp_path: Path) -> Program:
    return Program(home=tmp_path / "client", folder=repository)


@pytest.fixture
def running(file_home: Home) -> Iterator[str]:
    file_home.token(PrincipalKind.AGENT)
    with process(file_home) as (_, url):
        yield url


@requirement("remote.authors")
def test_a_memory_names_the_person_who_wrote_it(
    file_home: Home, running: str, client: Program
) -> None:
    for name, kind in (("ada", PrincipalKind.PERSON), ("bot", PrincipalKind.AGENT)):
        add(client, running, token=file_home.token(kind, name=name), name=name).well()

    words = ("remember", "--evidence", "https://example.com", "--json")
    by_person = client("--store", "ada", *words, "A person writes.").well().json["memory"]["id"]
    by_agent = client("--store", "bot", *words, "An agent writes.").well().json["memory"]["id"]
    shown = client("--store", "ada", "show", by_person).well().out
    explained = client("--store", "ada", "explain", by_person).well().out
    other = client("--store", "ada", "show", by_agent, "--json").well().json

    assert re.search(r"^ *author +ada$", shown, re.MULTILINE)
    assert "human ada through cli" in explained
    assert "holdfast.author" not in str(other)
    forged = ("--metadata", "holdfast.author=grace")
    assert client("--store", "ada", *words, *forged, "Somebody writes.").code == INVALID


@requirement("remote.known")
def test_a_server_that_was_not_added_is_named_by_its_address(client: Program) -> None:
    away = client("--store", "http://127.0.0.1:1", "list")
    unknown = client("--store", "nosuch", "list")
    target = client("store", "copy", "https://memory.example.com")

    assert (away.code, "The server http://127.0.0.1:1 does not" in away.err) == (AWAY, True)
    assert "remote status" not in away.err
    assert (unknown.code, "No remote has the name nosuch." in unknown.err) == (MISSING, True)
    assert "'holdfast remote list' lists the names;" in unknown.err
    assert (target.code, "name a folder, or postgresql://" in target.err) == (INVALID, True)


@requirement("remote.known")
def test_the_store_of_this_machine_is_no_name_of_a_remote(client: Program) -> None:
    refused = client("remote", "add", "http://127.0.0.1:1", "--name", "local", "--no-token")

    assert (refused.code, "the store of this machine" in refused.err) == (INVALID, True)
    assert client("remote", "list", "--json").json["remotes"] == []


@requirement("remote.known")
def test_an_unknown_setting_names_those_like_it(client: Program) -> None:
    section = client("config", "get", "remote.nothing").err
    spelled = client("config", "get", "remot.timeout").err

    assert "there are: remote.timeout." in section
    assert "remote.timeout" in spelled
    assert len(spelled) < 200


@requirement("remote.known")
def test_remotes_with_one_address_have_their_own_tokens(
    file_home: Home, running: str, client: Program
) -> None:
    person = file_home.token(PrincipalKind.PERSON, name="ada")
    agent = file_home.token(PrincipalKind.AGENT, name="bot")
    add(client, running, token=person, name="ada").well()
    add(client, running, token=agent, name="zteam").well()

    words = ("remember", "--evidence", "https://example.com", "--json")
    by_agent = client("--store", "zteam", *words, "An agent writes.").well().json
    by_person = client("--store", "ada", *words, "A person writes.").well().json
    client("remote", "use", "zteam").well()
    by_default = client(*words, "The default writes.").well().json
    by_address = client("--store", running, "list")

    kept = [one["memory"]["status"] for one in (by_agent, by_person, by_default)]
    assert kept == ["candidate", "accepted", "candidate"]
    assert (by_address.code, "ada, zteam" in by_address.err) == (CONFLICT, True)
    assert client("remote", "status", "--json").well().json["name"] == "zteam"


@requirement("remote.known")
def test_a_taken_name_is_refused_without_a_word_for_it(
    file_home: Home, running: str, client: Program
) -> None:
    token = file_home.token(PrincipalKind.PERSON, name="ada")
    add(client, running, token=token).well()
    other = f"{running}/other"

    again = add(client, other, token="nonsense")  # noqa: S106 - a made-up one

    assert (again.code, "--replace" in again.err) == (CONFLICT, True)
    assert client("--store", "team", "list").code == 0
    replaced = add(client, other, "--replace", token=token)
    assert (replaced.code, "It is kept as team all the same" in replaced.err) == (AWAY, True)
    back = client("remote", "add", running, "--name", "team", "--replace", "--no-token")
    assert back.code == AWAY
    assert client("remote", "list", "--json").json["remotes"][0]["has_token"] is False


@requirement("remote.token-stays")
def test_a_waiting_write_is_sent_with_its_own_token_only(file_home: Home, client: Program) -> None:
    agent = file_home.token(PrincipalKind.AGENT, name="bot")
    person = file_home.token(PrincipalKind.PERSON, name="ada")
    with process(file_home) as (_, url):
        add(client, url, "--default", token=agent).well()
    words = ("remember", "--evidence", "https://example.com")
    assert client(*words, "An agent\nsaw <b>it</b>.").code == KEPT_HERE
    replaced = add(client, url, "--replace", token=person)
    assert (replaced.code, "1 write waits" in replaced.err) == (CONFLICT, True)
    assert "would lose this write." in replaced.err
    shown = client("remote", "status")
    assert (shown.code, "An agent saw" in shown.err) == (AWAY, True)
    with process(file_home, "--port", url.rpartition(":")[2]):
        pushed = replace(client, extra={"HOLDFAST_TOKEN": person})("remote", "push", "--json")
        status = client("remote", "status", "--json").well().json

        assert (pushed.code, pushed.json["refused"], pushed.json["sent"]) == (CONFLICT, 1, 0)
        aside = status["refused"][0]
        assert "another token" in aside["problem"]
        assert aside["claim"].startswith("An agent saw")
        assert aside["may_have_arrived"] is False
        assert client("list", "--status", "candidate", "--json").well().json["memories"] == []
        retried = client("remote", "retry", aside["key"][:8], "--json").well().json
        assert retried["key"] == aside["key"]  # it has certainly not arrived
        assert client("remote", "push", "--json").well().json["sent"] == 1
        listed = client("list", "--status", "candidate", "--json").well().json["memories"]
        assert len(listed) == 1


@requirement("remote.token-stays")
def test_a_write_for_another_address_is_set_aside(tmp_path: Path) -> None:
    token = "hft.t_1.file.default.s"  # noqa: S105 - a made-up one
    made = RemoteAccess(url="http://127.0.0.1:9", token=token)
    write = waiting(made, RemoteRequest(method="POST", target="/v1/memories", body="[]"))
    now = RemoteServer(
        changed(made, url="http://127.0.0.1:10"),
        outbox=Outbox(tmp_path),
        cache=AnswerCache(tmp_path / "answers"),
        now=lambda: write.at,
        refusal=refusal,
    )

    assert "another address" in now._unsendable(write)
    assert write.claim == ""


@requirement("remote.known")
def test_without_a_default_the_names_are_said(running: str, client: Program) -> None:
    none = client("remote", "push")
    for name in ("one", "two"):
        client("remote", "add", running, "--name", name, "--no-token")
    several = client("remote", "status")

    assert (none.code, "There is none on this machine" in none.err) == (MISSING, True)
    assert (several.code, "There are: one, two." in several.err) == (MISSING, True)
    assert "remote use NAME" in several.err


@requirement("remote.known")
def test_advice_about_a_remote_that_is_no_default_names_it(client: Program) -> None:
    assert add(client, "http://127.0.0.1:1", token="t").code == AWAY  # noqa: S106 - a made-up one
    words = ("remember", "--because", "I saw it.")

    kept = client("--store", "team", *words, "The queue drains at night.")
    unread = client("--store", "team", "doctor")
    pushed = client("remote", "push", "team")

    assert (kept.code, kept.err.count("holdfast remote push team")) == (KEPT_HERE, 1)
    assert (unread.code, unread.err.count("holdfast remote status team")) == (AWAY, 1)
    assert pushed.code == KEPT_HERE


@requirement("remote.known")
def test_the_advice_about_an_address_names_http_for_this_machine(client: Program) -> None:
    done = client("remote", "add", "127.0.0.1:18750", "--no-token")

    assert (done.code, "http://127.0.0.1:8750" in done.err) == (INVALID, True)


@pytest.mark.parametrize(
    ("body", "claim"),
    [
        (None, ""),
        ("{", ""),
        ("[]", ""),
        ('{"claim": 1}', ""),
        ('{"claims": []}', ""),
        ('{"claim": "One."}', "One."),
        ('{"claims": [{"claim": "First."}, {"claim": "Second."}]}', "First."),
    ],
)
def test_a_write_tells_its_claim(body: str | None, claim: str) -> None:
    access = RemoteAccess(url="http://127.0.0.1:9")
    request = RemoteRequest(method="POST", target="/v1/memories", body=body)

    assert waiting(access, request).claim == claim


def test_the_beginning_of_a_claim_is_one_screened_line() -> None:
    access = RemoteAccess(url="http://127.0.0.1:9")
    text = "Line one\\n\\u202eline two " + "x" * 90
    request = RemoteRequest(method="POST", target="/", body=f'{{"claim": "{text}"}}')

    shown = claim_beginning(waiting(access, request)) or ""

    assert "\u202e" not in shown
    assert (len(shown), shown[:8], shown.endswith("…")) == (60, "Line one", True)


@requirement("remote.refuses-clearly")
def test_what_a_server_lacks_is_said_with_its_advice(
    file_home: Home, running: str, client: Program
) -> None:
    add(client, running, token=file_home.token(PrincipalKind.PERSON, name="ada")).well()
    words = ("--store", "team", "remember", "--because", "seen", "--sensitive", "-")

    refused = client(*words, stdin="Ada has the spare key.")

    assert refused.code == AWAY
    assert "The server answers: There is no encryption key here" in refused.err
    assert "The operator of the server can make one with the verb 'key create'." in refused.err
    assert "may have carried" not in refused.err


@requirement("remote.authors")
def test_a_sensitive_memory_names_its_author_without_its_key(
    file_home: Home, running: str, client: Program
) -> None:
    served = Program(home=file_home.folder, folder=client.folder)
    served("key", "create").well()
    add(client, running, token=file_home.token(PrincipalKind.PERSON, name="ada")).well()
    words = ("--store", "team", "remember", "--because", "seen", "--sensitive", "--key", "spare")
    client(*words, "-", stdin="Ada has the spare key.").well()

    shown = client("--store", "team", "show", "spare").well().out

    assert re.search(r"^ *author +ada$", shown, re.MULTILINE)
    assert "Ada has" not in shown


@requirement("remote.spaces")
def test_a_space_has_its_own_remotes_and_the_token_names_the_space_there(
    file_home: Home, running: str, client: Program
) -> None:
    person = file_home.token(PrincipalKind.PERSON, name="ada")
    add(client, running, "--default", token=person).well()
    words = ("remember", "--because", "seen")
    client(*words, "Of the team.").well()
    with_token = replace(client, extra={"HOLDFAST_TOKEN": person})

    unknown = client("--space", "customer", "--store", "team", "list")
    other = with_token("--space", "customer", "--store", running, "list")
    with_token("--space", "customer", "remote", "add", running, "--name", "own", "--default").well()
    by_name = client("--space", "customer", "--store", "own", "list").well()
    by_default = client("--space", "customer", "list").well()

    assert (unknown.code, "each space has remotes of its own" in unknown.err) == (MISSING, True)
    assert (other.code, "opens the space default" in other.err) == (CONFLICT, True)
    assert "remote add URL" in other.err
    assert "Of the team." in by_name.out
    assert by_default.out == by_name.out
