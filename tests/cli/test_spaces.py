"""Spaces at the command line and over MCP: each has a folder of its own and sees nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.bootstrap.plugs.spaces import options_for
from holdfast.domain.memory.place import SpaceId
from tests.cli.program import Program
from tests.requirements import requirement

MARK = "walrus"
THEIRS = ("--space", "theirs")
OURS = ("--space", "ours")


@pytest.fixture
def names(program: Program) -> dict[str, str]:
    """What the other space holds, by what it is."""
    one, two = (
        program(*THEIRS, "remember", "--because", "I decided", "--label", label, claim).well().id
        for label, claim in (("DEC-001", f"The {MARK} port is 8080."), ("DEC-002", f"A {MARK}."))
    )
    bundle = program(*THEIRS, "recall", "--q", f"{MARK} port", "--json").well().json["id"]
    started = program(*THEIRS, "session", "start", "--tool", MARK, "--json").well().json
    session = started["session"]["id"]
    program(*THEIRS, "run", "start", MARK).well()
    program(*OURS, "remember", "--because", "I decided", "Owls are birds.").well()
    return {"ONE": one, "TWO": two, "BUNDLE": str(bundle), "SESSION": str(session)}


def everything(program: Program) -> list[str]:
    return program(*THEIRS, "export").well().out.splitlines()


MISSING = [
    *("show ONE", "show DEC-001", "show BUNDLE", "show SESSION", "explain ONE"),
    *("explain --bundle BUNDLE", "related ONE", "pin ONE", "unpin ONE", "forget ONE --yes"),
    *("forget ONE --propose", "approve ONE", "reject ONE", "edit ONE --claim Changed."),
    *("link ONE TWO", "feedback BUNDLE --good", "recall --replay BUNDLE", "verify ONE"),
    *("session turn SESSION --q owls", "session end SESSION", "curate ONE TWO --deprecate"),
    *("resolve ONE TWO --supersede", "undo d_1", "run show run-2026-11-16-1", "review ONE"),
    *("remember Owls. --because x --from-bundle BUNDLE", "revert --source cli-x --yes"),
]
"""Commands with names of the other space: each must say that there is no such thing."""
QUIET = [
    *("list", "list -w port", "recall --q port", "review", "conflicts", "status", "curate"),
    *("undo --list", "session list", "run list", "journal", "export", "doctor", "learn"),
    *("run context", "blame src/auth/tokens.py:41", "model list", "config list", "hook log"),
]
"""Commands that list things: none of the other space's may be among them."""


@requirement("spaces.nothing-crosses")
def test_no_command_of_one_space_reaches_another(program: Program, names: dict[str, str]) -> None:
    before = everything(program)

    for line in MISSING:
        words = [names.get(word, word) for word in line.split()]
        done = program(*OURS, *words)
        said = done.out + done.err
        for name in names.values():
            said = said.replace(name, "")
        assert done.code in {2, 3}, (line, done)
        assert "theirs" not in said, (line, done)
        assert MARK not in said, (line, done)
    for line in QUIET:
        done = program(*OURS, *line.split())
        said = done.out + done.err
        assert "theirs" not in said, (line, done)
        assert MARK not in said, (line, done)
        assert not [name for name in names.values() if name in said], (line, done)

    assert everything(program) == before


@requirement("spaces.nothing-crosses")
def test_forgetting_says_nothing_of_the_same_text_in_another_space(program: Program) -> None:
    claim = "The walrus sleeps on the northern ice."
    for space in (THEIRS, OURS, ()):
        program(*space, "remember", "--because", "I decided", claim).well()

    for space in (OURS, ()):
        (found,) = program(*space, "list", "--json").well().json["memories"]
        gone = program(*space, "forget", found["id"], "--yes")
        assert "theirs" not in gone.out + gone.err

    assert len(program(*THEIRS, "list", "--json").well().json["memories"]) == 1


@requirement("spaces.own-folder")
def test_a_space_is_a_folder_in_the_home_and_the_default_one_is_the_home(program: Program) -> None:
    program("remember", "--because", "I decided", "Owls are birds.").well()
    program("remember", "--because", "I decided", "Bats fly.", env={"HOLDFAST_SPACE": "a"}).well()

    assert (program.home / "holdfast.db").exists()
    assert (program.home / "spaces" / "a" / "holdfast.db").exists()
    assert "Bats fly." not in program("list").well().out
    assert "Bats fly." in program("list", "--space=a").well().out
    assert "Owls are birds." in program("list", "--space", "default").well().out
    assert "Owls" in program("list", "--space", "default", env={"HOLDFAST_SPACE": "a"}).well().out


@requirement("spaces.own-folder")
@pytest.mark.parametrize("scope", ["repo", "workspace"])
def test_the_badge_counts_what_waits_in_its_space(program: Program, scope: str) -> None:
    words = ("remember", "--origin", "agent", "--because", "x", "--scope", scope, "Bats fly.")
    program("init", "--no-model").well()
    program(*THEIRS, *words).well()

    assert "1" in program(*THEIRS, "status", "--badge").well().out
    assert "1" in program("status", "--badge", env={"HOLDFAST_SPACE": "theirs"}).well().out
    assert program("status", "--badge").well().out.strip() == ""


@requirement("spaces.own-folder")
def test_settings_belong_to_their_space(program: Program) -> None:
    program("--space", "a", "config", "set", "recall.budget", "900").well()

    assert program("--space", "a", "config", "get", "recall.budget").well().out.strip() == "900"
    assert program("config", "get", "recall.budget").well().out.strip() != "900"


@requirement("spaces.one-name-each")
@pytest.mark.parametrize("name", ["", "..", "../up", "A", "a/b", ".a", "x" * 65])
@pytest.mark.parametrize("words", ["list", "status --badge", "remember Owls. --because x"])
def test_an_odd_name_is_refused_and_nothing_is_made(
    program: Program, name: str, words: str
) -> None:
    done = program("--space", name, *words.split())

    assert done.code == 2
    assert "The space is" in done.err
    assert not (program.home / "spaces").exists()


@requirement("spaces.nothing-crosses")
def test_a_space_without_a_store_is_named_and_not_made(program: Program) -> None:
    program("init", "--no-model").well()

    done = program("--space", "nobody", "list")

    assert (done.code, done.out) == (3, "")
    assert "The space nobody has no store here." in done.err
    assert not (program.home / "spaces").exists()


@requirement("spaces.nothing-crosses")
@requirement("cli.reading-creates-nothing")
@pytest.mark.parametrize(
    "words",
    [
        ("config", "unset", "recall.budget"),
        ("config", "list"),
        ("propose", "-", "--dry-run"),
        ("import", "instructions", "--dry-run"),
        ("import", "missing.jsonl"),
        ("doctor", "--repair"),
        ("status", "--badge"),
        ("export",),
        ("hook", "claude", "SessionStart"),
        ("journal", "--write"),
    ],
    ids=" ".join,
)
def test_a_command_that_stores_nothing_creates_no_space(
    program: Program, words: tuple[str, ...]
) -> None:
    (program.folder / "CLAUDE.md").write_text("- Always run the tests.\n", encoding="utf-8")

    program(*words, "--space", "new", stdin="We decided to use Postgres for billing.")

    assert not (program.home / "spaces").exists()


def test_the_file_of_another_space_is_refused(program: Program, names: dict[str, str]) -> None:
    folder = program.home / "spaces"
    (folder / "third").mkdir()
    for file in (folder / "theirs").glob("holdfast.db*"):
        (folder / "third" / file.name).write_bytes(file.read_bytes())

    done = program("--space", "third", "show", names["ONE"])

    assert done.code == 3
    assert "The space third has no store here." in done.err
    assert "theirs" not in done.err


@requirement("spaces.nothing-crosses")
def test_an_agent_of_one_space_sees_nothing_of_another(
    program: Program, names: dict[str, str]
) -> None:
    before = everything(program)
    calls = [
        ("memory.list", {}),
        ("memory.list", {"q": MARK}),
        ("memory.delete", {"id": names["ONE"]}),
        ("context.assemble", {"q": "which port"}),
        ("memory.create", {"kind": "fact", "value": "Owls.", "evidence": [names["BUNDLE"]]}),
    ]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw"}}
    lines = [{"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}] + [
        {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": tool, "arguments": given},
        }
        for number, (tool, given) in enumerate(calls, 1)
    ]

    spoken = "".join(f"{json.dumps(line)}\n" for line in lines)
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", *OURS, "mcp"],
        input=spoken,
        capture_output=True,
        cwd=program.folder,
        env=program.environment,
        text=True,
        check=True,
    )

    said = done.stdout
    for name in (names["ONE"], names["BUNDLE"]):
        said = said.replace(name, "")
    assert len(done.stdout.splitlines()) == len(lines)
    assert MARK not in said
    assert everything(program) == before


@requirement("spaces.own-folder")
def test_a_hook_speaks_of_its_own_space(program: Program) -> None:
    program("init", "--no-model").well()
    words = ("remember", "--kind", "rule", "--because", "I decided", "Never feed the walrus.")
    program(*THEIRS, *words).well()
    payload = json.dumps({"session_id": "s", "cwd": str(program.folder), "source": "startup"})

    own = program(*THEIRS, "hook", "claude", "SessionStart", stdin=payload.encode()).well()
    other = program("hook", "claude", "SessionStart", stdin=payload.encode()).well()

    assert MARK in own.out
    assert MARK not in other.out


@requirement("spaces.own-folder")
def test_what_is_installed_for_tools_and_git_names_the_space(program: Program) -> None:
    program(*THEIRS, "init", "--no-model").well()
    program(*THEIRS, "hooks", "install").well()
    program(*THEIRS, "adapters", "install", "claude").well()

    hook = (program.folder / ".git" / "hooks" / "post-commit").read_text(encoding="utf-8")
    settings = "".join(
        path.read_text(encoding="utf-8") for path in (program.folder / ".claude").glob("*.json")
    )

    assert "--space theirs" in hook.replace("'", "")
    assert "--space theirs" in settings.replace("'", "")


def test_the_options_of_a_space_name_its_home_and_the_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HOLDFAST_HOME", raising=False)
    folder = str(tmp_path / "spaces" / "a")

    assert options_for(SpaceId("a"), folder) == ("--home", str(tmp_path), "--space", "a")
    assert options_for(SpaceId("default"), str(tmp_path)) == ("--home", str(tmp_path))
    assert options_for(SpaceId("default"), "") == ()


@requirement("callers.one-table")
def test_the_command_for_a_person_names_the_space(program: Program, names: dict[str, str]) -> None:
    done = program(*THEIRS, "forget", names["ONE"], "--yes", env={"CLAUDECODE": "1"})

    assert done.code == 4
    assert f"holdfast --space theirs forget {names['ONE']} --yes" in done.err


@requirement("spaces.badge-checks-the-space")
def test_the_badge_shows_nothing_of_another_space(program: Program) -> None:
    agent = {"CLAUDECODE": "1"}
    program("--space", "a", "init", "--no-model").well()
    program("--space", "a", "remember", "--because", "x", "Maybe.", env=agent).well()
    spaces = program.home / "spaces"
    shutil.copytree(spaces / "a", spaces / "b")

    own = program("--space", "a", "status", "--badge").well().out
    copied = program("--space", "b", "status", "--badge").well().out
    direct = program("--home", str(spaces / "a"), "status", "--badge").well().out

    assert own == "◆ 1 to review\n"
    assert (copied, direct) == ("", "")
