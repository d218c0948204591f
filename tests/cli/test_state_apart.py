"""What is kept beside a store: apart for each tenant, and told when it is damaged."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from holdfast.bootstrap.plugs.addresses import ServerPlace, state_folder_name
from holdfast.domain.database_errors import without_password
from tests.cli.program import Program
from tests.postgres_server import server
from tests.requirements import requirement

DEEP = "[" * 100_000
AGENT = {"CLAUDECODE": "1"}
PAGE = ".holdfast/memory/decisions.md"


@pytest.fixture
def tenants(newcomer: Program) -> tuple[Program, Program]:
    """Two tenants of one server who work in the same home and the same clone."""
    url = server().url()
    one, two = (
        replace(newcomer, extra={"HOLDFAST_STORE": url, "HOLDFAST_TENANT": uuid4().hex})
        for _ in range(2)
    )
    for tenant in (one, two):
        tenant("init", "--files", "--no-model").well()
    return one, two


@requirement("tenant.state-apart")
def test_an_edit_of_a_page_reaches_every_tenant_that_syncs_the_clone(
    tenants: tuple[Program, Program],
) -> None:
    one, two = tenants
    one("remember", "--kind", "decision", "--because", "agreed", "We deploy on Tuesdays.").well()
    one("sync").well()
    two("sync")
    two("trust", "--yes").well()
    page = one.folder / PAGE
    page.write_text(page.read_text().replace("status: accepted", "status: deprecated"))
    one("sync").well()
    two("sync")
    assert "status: deprecated" in page.read_text()


@requirement("tenant.state-apart")
def test_the_badge_is_that_of_one_tenant(tenants: tuple[Program, Program]) -> None:
    one, two = tenants
    agent = replace(two, extra={**two.extra, **AGENT})
    agent("remember", "--evidence", "src/auth/tokens.py:3-9", "Tokens rotate.").well()
    assert "1 to review" in two("status", "--badge").well().out
    assert "to review" not in one("status", "--badge").well().out


def test_a_password_changes_nothing_about_the_place(tmp_path: Path) -> None:
    named = [
        state_folder_name(str(tmp_path), ServerPlace(address=address, tenant="a"))
        for address in ("postgresql://u:one@host/memory", "postgresql://u:two@host/memory")
    ]
    assert named[0] == named[1]
    other = ServerPlace(address="postgresql://u@host/memory", tenant="b")
    assert state_folder_name(str(tmp_path), other) not in {*named, str(tmp_path)}


@requirement("forget.names-what-remains")
@pytest.mark.parametrize("damage", ["garbage", DEEP])
def test_a_forgetting_says_that_a_list_of_places_is_damaged(program: Program, damage: str) -> None:
    program("init", "--files", "--no-model").well()
    memory = program("remember", "--kind", "rule", "--because", "so", "Say it once.").well().id
    program("sync").well()
    program("export", "all.jsonl").well()
    for name in ("pages.json", "written.json"):
        for end in ("", ".copy"):
            (program.home / f"{name}{end}").write_text(damage)
    checked = program("doctor")
    assert "pages.json is damaged" in checked.out
    assert "written.json is damaged" in checked.out
    forgotten = program("forget", memory, "--yes")
    assert "other clones were not searched" in forgotten.out + forgotten.err
    assert forgotten.code != 0


@requirement("store.derived-damage-noticed")
def test_a_flipped_bit_in_a_kept_verdict_changes_no_answer(program: Program) -> None:
    program("remember", "--evidence", "src/auth/tokens.py:10-14", "Tokens rotate.").well()
    tokens = program.folder / "src" / "auth" / "tokens.py"
    tokens.write_text("\n" * 4 + tokens.read_text())
    before = program("verify", "--json").well().out
    (kept,) = (program.home / "cache" / "verdicts").glob("*.json")
    content = kept.read_bytes()
    assert b"14" in content
    kept.write_bytes(content.replace(b",14,18]", b",54,58]"))
    assert kept.read_bytes() != content
    assert program("verify", "--json").well().out == before


@requirement("store.derived-damage-noticed")
def test_deep_nesting_in_a_file_beside_the_store_is_no_bug(program: Program) -> None:
    program("init", "--files", "--no-model").well()
    program("remember", "--evidence", "src/auth/tokens.py:10-14", "Tokens rotate.").well()
    program("sync").well()
    program("verify").well()
    beside = [
        *program.home.rglob("*.json"),
        *(program.folder / ".git" / "holdfast").rglob("*.json"),
    ]
    assert len(beside) > 3
    for path in beside:
        kept = path.read_bytes()
        path.write_text(DEEP)
        for words in (
            ("sync",),
            ("recall", "tokens"),
            ("verify",),
            ("trust", "--list"),
            ("doctor",),
        ):
            assert program(*words).code in range(7), (path, words)
        path.write_bytes(kept)


@requirement("server.no-password-shown")
def test_no_advice_repeats_a_password(newcomer: Program) -> None:
    agent = replace(newcomer, extra=AGENT)
    said = agent("approve", "x", "--store", "postgresql://app:Sekr1tPw99xx@127.0.0.1/memory")
    assert "Sekr1tPw99xx" not in said.out + said.err
    said = newcomer("list", "--store", "postgresql://app:Sekr1tPw99xx/x@127.0.0.1:1/memory")
    assert "Sekr1tPw99xx" not in said.out + said.err
    assert "%2F" in said.err
    assert without_password("x?password=abc&y=1") == "x?password=…&y=1"


def test_an_endless_line_is_refused(program: Program, tmp_path: Path) -> None:
    with (tmp_path / "endless").open("wb") as file:
        file.truncate(1 << 26)
    said = program("import", str(tmp_path / "endless"))
    assert said.code == 2
    assert "longer than" in said.err


def test_the_folder_of_another_server_is_not_searched(tenants: tuple[Program, Program]) -> None:
    one, two = tenants
    memory = one("remember", "--because", "so", "The walrus sleeps at noon.").well().id
    (folder,) = [path for path in (two.home / "servers").iterdir() if path.is_dir()][:1]
    shutil.copytree(folder, two.home / "servers" / "other")
    (two.home / "servers" / "other" / "note.txt").write_text("The walrus sleeps at noon.")
    assert "note.txt" not in one("forget", memory, "--yes").out


def test_a_store_is_not_copied_into_itself(program: Program) -> None:
    program("remember", "--because", "so", "The walrus sleeps at noon.").well()
    said = program("store", "copy", str(program.home))
    assert said.code == 2
    assert "cannot be copied into itself" in said.err


def test_a_copy_into_an_odd_place_is_refused(program: Program, tmp_path: Path) -> None:
    program("remember", "--because", "so", "The walrus sleeps at noon.").well()
    (tmp_path / "linked").symlink_to(program.home)
    (tmp_path / "file").write_text("x")
    used = replace(program, home=tmp_path / "used")
    used("init", "--no-model").well()
    used("token", "create", "ci").well()
    for place, code in (("", 2), (tmp_path / "linked", 2), (tmp_path / "file", 6), (used.home, 4)):
        said = program("store", "copy", str(place))
        assert (said.code, "bug" in said.err) == (code, False), said.err
    assert "ci" in used("token", "list").well().out
