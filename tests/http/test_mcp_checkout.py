"""MCP over HTTP on a server with a checkout: who sees its files, and who does not."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.anchor import text_hash
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.surfaces.http.application import HttpServer
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.mcp.tools.every import OF_A_CHECKOUT
from tests.http.conftest import Home, client, running
from tests.http.test_mcp import connected, spoken
from tests.requirements import requirement

CODE = "def rotate():\n    return fresh()\n\n\ndef fresh():\n    return 1\n"
PROPOSAL = {"kind": "fact", "claim": "Tokens rotate.", "evidence": ["tokens.py:1-2"]}
OTHER = SpaceId("other")


def git(folder: Path, *words: str) -> str:
    command = ["git", "-C", str(folder), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a file of code and a commit."""
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "tokens.py").write_text(CODE, encoding="utf-8")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    for words in (
        ("init", "-q", "-b", "main"),
        ("remote", "add", "origin", "https://github.com/acme/shop.git"),
        ("add", "."),
        (*who, "commit", "-qm", "Add tokens"),
    ):
        git(folder, *words)
    return folder


async def names_of(url: str, token: str, query: str = "") -> set[str]:
    async with connected(url, token, "2026-07-28", query=query) as door:
        return {tool.name for tool in (await door.list_tools()).tools}


@requirement("mcp.served-checkout")
def test_an_agent_of_the_space_works_with_the_checkout(tmp_path: Path, repository: Path) -> None:
    home = Home(tmp_path / "home")
    token = home.token()

    async def talk(url: str) -> Any:
        async with connected(url, token, "2026-07-28") as door:
            made = await door.call_tool("memory.create", PROPOSAL)
            name = made.structured_content["id"]
            around = await door.call_tool("code.context", {"symbol": "rotate"})
            governed = await door.call_tool("blame", {"place": "tokens.py:2"})
            sound = await door.call_tool("memory.verify", {"ids": [name]})
            noted = await door.call_tool("session.note", {"text": "Half done."})
            told = await door.call_tool("session.hydrate", {})
            (repository / "tokens.py").write_text("def other():\n    pass\n", encoding="utf-8")
            drifted = await door.call_tool("memory.verify", {"ids": [name]})
            outside = await door.call_tool("blame", {"place": "../home/memory.db:1"})
            return name, around, governed, sound, noted, told, drifted, outside

    with running(ServeOptions(home=str(home.folder), checkout=str(repository))) as url:
        names = spoken(partial(names_of, url, token))
        name, around, governed, sound, noted, told, drifted, outside = spoken(partial(talk, url))

    assert names >= OF_A_CHECKOUT
    assert around.structured_content["symbol"]["name"] == "rotate"
    assert [one["id"] for one in governed.structured_content["memories"]] == [name]
    assert sound.structured_content["sound"] is True
    assert noted.structured_content["note"]["branch"] == "main"
    assert "Half done." in told.structured_content["text"]
    assert drifted.structured_content["sound"] is False
    assert outside.is_error
    assert git(repository, "status", "--porcelain") == " M tokens.py\n"


@requirement("mcp.ignored-files")
def test_no_guess_about_a_file_that_git_ignores_is_confirmed(
    tmp_path: Path, repository: Path
) -> None:
    home = Home(tmp_path / "home")
    token = home.token()
    (repository / ".gitignore").write_text(".env\n", encoding="utf-8")
    (repository / ".env").write_text("PIN=1234\n", encoding="utf-8")
    (tmp_path / "outside.txt").write_text("PIN=1234\n", encoding="utf-8")
    stated = "?repo=github.com/acme/shop"

    def proposed(url: str, path: str, query: str) -> str:
        span = {"path": path, "first": 1, "last": 1, "text_hash": text_hash(["PIN=1234"])}
        claim = f"The pin is in {path.rpartition('/')[2]}."
        given = {"kind": "fact", "claim": claim, "spans": [span]}
        with client(url, token) as door:
            made = door.post(f"/v1/memories{query}", json=given)
        assert made.status_code < 300, made.text
        return str(made.json()["memory"]["id"])

    async def talk(url: str, names: list[str]) -> Any:
        async with connected(url, token, "2026-07-28") as door:
            return (await door.call_tool("memory.verify", {"ids": names})).structured_content

    with running(ServeOptions(home=str(home.folder), checkout=str(repository))) as url:
        inside = proposed(url, ".env", stated)
        outside = proposed(url, str(tmp_path / "outside.txt"), "")
        told = spoken(partial(talk, url, [inside, outside]))

    assert told["counts"] == {"unverifiable": 2}


@requirement("mcp.served-checkout")
def test_the_pages_of_the_checkout_can_be_read(tmp_path: Path, repository: Path) -> None:
    home = Home(tmp_path / "home")
    token = home.token()
    remember = ("remember", "--because", "x", "Tokens rotate.")
    for words in (("init", "--files", "--no-model"), remember, ("sync",)):
        command = [sys.executable, "-m", "holdfast", "--home", str(home.folder), *words]
        subprocess.run(command, cwd=repository, check=True, capture_output=True)
    before = git(repository, "status", "--porcelain")

    async def talk(url: str) -> Any:
        async with connected(url, token, "2026-07-28") as door:
            listed = (await door.list_resources()).resources
            (uri,) = [str(one.uri) for one in listed if str(one.uri).startswith("page://")]
            page = await door.read_resource(uri)
            with pytest.raises(MCPError):
                await door.read_resource("page://../home/config.toml")
            return page

    with running(ServeOptions(home=str(home.folder), checkout=str(repository))) as url:
        page = spoken(partial(talk, url))

    assert "Tokens rotate." in page.contents[0].text
    assert git(repository, "status", "--porcelain") == before


@requirement("mcp.served-checkout")
def test_nobody_else_sees_the_checkout(tmp_path: Path, repository: Path) -> None:
    home = Home(tmp_path / "home")
    ours, theirs = home.token(), home.token(space=OTHER)
    person = home.token(PrincipalKind.PERSON, space=OTHER, name="grace")
    head = git(repository, "rev-parse", "HEAD")

    async def refused(url: str, token: str, query: str) -> bool:
        async with connected(url, token, "2026-07-28", query=query) as door:
            with pytest.raises(MCPError, match="has none for you"):
                await door.call_tool("code.context", {"symbol": "rotate"})
            made = await door.call_tool("memory.create", PROPOSAL)
            return bool(made.is_error)

    with running(ServeOptions(home=str(home.folder), checkout=str(repository))) as url:
        for token, query in (
            (theirs, ""),
            (theirs, "?repo=github.com/acme/shop"),
            (person, "?repo=github.com/acme/shop"),
            (ours, "?repo=github.com/acme/other"),
            (ours, f"?repo=github.com/acme/shop&branch=main&head={head.strip()}"),
        ):
            assert not spoken(partial(names_of, url, token, query)) & OF_A_CHECKOUT
            assert spoken(partial(refused, url, token, query))


@requirement("mcp.served-checkout")
def test_a_checkout_must_be_a_repository_and_needs_tokens(tmp_path: Path, repository: Path) -> None:
    for folder in (tmp_path, repository / ".git"):
        with pytest.raises(BadFieldError, match="is no git repository"):
            HttpServer(ServeOptions(home=str(tmp_path / "home"), checkout=str(folder)))
    with pytest.raises(BadFieldError, match="needs tokens"):
        ServeOptions(checkout=str(repository), asks_for_tokens=False).refuse_unsafe()
