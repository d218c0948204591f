"""Tokens and the server at the command line."""

from __future__ import annotations

from pathlib import Path
from stat import S_IMODE

import pytest

from tests.cli.program import Program
from tests.requirements import requirement

ANYWHERE = "0.0.0.0"  # noqa: S104 - it must be refused


@requirement("http.tokens-hashed")
def test_a_token_is_shown_once_and_stored_as_a_hash(newcomer: Program) -> None:
    made = newcomer("token", "create", "ci", "--kind", "service", "--ttl", "30d").well()
    text = made.out.strip()
    listed = newcomer("token", "list").well()
    (told,) = newcomer("token", "list", "--json").well().json["tokens"]

    assert text.startswith("hft.t_")
    assert "not shown again" in made.err
    assert text.rpartition(".")[2] not in listed.out
    assert (told["name"], told["kind"], told["valid"]) == ("ci", "service", True)
    stored = b"".join(path.read_bytes() for path in newcomer.home.rglob("holdfast.db*"))
    assert text.rpartition(".")[2].encode() not in stored


@requirement("http.tokens")
def test_a_revoked_token_stays_in_the_list(newcomer: Program) -> None:
    made = newcomer("token", "create", "ci", "--ttl", "never", "--scope", "read", "--json").well()
    again = newcomer("token", "create", "ci")
    revoked = newcomer("token", "revoke", "ci").well()
    told = newcomer("token", "revoke", made.json["id"], "--json").well().json

    assert (made.json["scopes"], made.json["expires_at"]) == (["read"], None)
    assert again.code == 4
    assert "holdfast token revoke ci" in again.err
    assert made.json["id"] in revoked.out
    assert (told["valid"], told["revoked_at"] is None) == (False, False)
    assert "revoked" in newcomer("token", "list").well().out
    assert newcomer("token", "revoke", "nobody").code == 3


def test_a_home_without_tokens_says_how_to_make_one(newcomer: Program) -> None:
    newcomer("init", "--no-model").well()

    assert "holdfast token create" in newcomer("token", "list").well().err


@requirement("http.scopes")
def test_an_agent_makes_no_tokens_and_gets_no_scope_of_a_person(newcomer: Program) -> None:
    refused = newcomer("token", "create", "ci", "--scope", "decide")
    unknown = newcomer("token", "create", "ci", "--kind", "robot")
    name = newcomer("token", "create", "a=b")
    agent = newcomer("token", "create", "ci", env={"HOLDFAST_ORIGIN": "agent"})

    assert (refused.code, "decide" in refused.err) == (2, True)
    assert (unknown.code, "robot" in unknown.err) == (2, True)
    assert (name.code, "letters" in name.err) == (2, True)
    assert agent.code != 0


@requirement("http.hosts-and-origins")
def test_a_server_beyond_this_machine_is_refused_with_what_it_needs(newcomer: Program) -> None:
    refused = newcomer("serve", "--bind", ANYWHERE)
    open_to_all = newcomer("serve", "--bind", ANYWHERE, "--allow-host", "x", "--without-tokens")
    wrong = newcomer("serve", "--port", "70000")
    none = newcomer("serve", "--workers", "0")

    assert (refused.code, "--allow-host" in refused.err) == (2, True)
    assert open_to_all.code == 2
    assert (wrong.code, "65535" in wrong.err) == (2, True)
    assert (none.code, "workers" in none.err) == (2, True)


def test_a_token_is_a_secret_that_no_memory_may_hold(newcomer: Program) -> None:
    text = newcomer("token", "create", "ci").well().out.strip()
    refused = newcomer("remember", "--because", "x", f"The token of the bot is {text}")

    assert refused.code == 2
    assert text not in refused.err


@requirement("http.token-files-private")
def test_a_token_is_written_to_a_file_that_only_its_owner_reads(
    newcomer: Program, tmp_path: Path
) -> None:
    file = tmp_path / "bob.token"
    made = newcomer("token", "create", "ada", "--write", str(tmp_path / "ada.token")).well()
    told = newcomer("token", "create", "bob", "--write", str(file), "--json").well()
    lost = newcomer("token", "create", "eve", "--write", str(tmp_path / "none" / "eve.token"))
    states = {
        one["name"]: one["valid"] for one in newcomer("token", "list", "--json").json["tokens"]
    }

    assert made.out == ""
    assert "expires on" in made.err
    assert "not shown again" not in made.err
    assert "ada.token" in "".join(made.err.split())
    assert told.json["token"] is None
    assert file.read_text().startswith(f"hft.{told.json['id']}.")
    assert S_IMODE(file.stat().st_mode) == 0o600
    assert (lost.code, states) == (6, {"ada": True, "bob": True, "eve": False})


@requirement("http.token-files-private")
@pytest.mark.parametrize("is_link", [False, True])
def test_a_token_overwrites_no_file_and_follows_no_link(
    newcomer: Program, tmp_path: Path, *, is_link: bool
) -> None:
    file, target = tmp_path / "main.py", tmp_path / "target"
    if is_link:
        file.symlink_to(target)
    else:
        file.write_text("print(1)")

    newcomer("token", "create", "bob").well()
    refused = newcomer("token", "create", "ada", "--write", str(file))

    assert refused.code == 6
    assert "it exists already" in " ".join(refused.err.split())
    assert [one["name"] for one in newcomer("token", "list", "--json").json["tokens"]] == ["bob"]
    assert not target.exists()
    assert is_link or file.read_text() == "print(1)"


@requirement("http.token-files-private")
@pytest.mark.parametrize(("rights", "is_told"), [(0o600, False), (0o644, True)])
def test_adding_a_remote_names_a_token_file_that_others_can_read(
    newcomer: Program, tmp_path: Path, rights: int, *, is_told: bool
) -> None:
    file = tmp_path / "ada.token"
    newcomer("token", "create", "ada", "--write", str(file)).well()
    file.chmod(rights)

    added = newcomer("remote", "add", "http://127.0.0.1:9", "--token-file", str(file))

    assert (f"chmod 600 {file}" in " ".join(added.err.split())) is is_told
