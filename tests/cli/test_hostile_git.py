"""A repository whose own git configuration names programs: no verb may run one of them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.requirements import requirement

# Every key of git's configuration that names a program, an address to call, or a file of keys.
# {program} writes a file named after its first word into the folder of canaries.
HOSTILE = {
    "filter.one.clean": "{program}",
    "filter.one.smudge": "{program}",
    "filter.one.required": "true",
    "filter.two.process": "{program}",
    "filter.two.required": "true",
    "diff.external": "{program}",
    "diff.three.textconv": "{program}",
    "diff.four.command": "{program}",
    "diff.five.textconv": "{program}",
    "diff.five.cachetextconv": "true",
    "diff.tool": "six",
    "difftool.six.cmd": "{program}",
    "merge.tool": "six",
    "mergetool.six.cmd": "{program}",
    "merge.seven.driver": "{program} %O %A %B",
    "core.fsmonitor": "{program}",
    "core.hooksPath": "{hooks}",
    "core.sshCommand": "{program}",
    "core.gitProxy": "{program}",
    "core.askPass": "{program}",
    "core.pager": "{program}",
    "core.editor": "{program}",
    "core.alternateRefsCommand": "{program}",
    "core.attributesFile": "{attributes}",
    "sequence.editor": "{program}",
    "pager.log": "{program}",
    "pager.blame": "{program}",
    "interactive.diffFilter": "{program}",
    "gpg.program": "{program}",
    "gpg.ssh.program": "{program}",
    "gpg.ssh.defaultKeyCommand": "{program}",
    "log.showSignature": "true",
    "commit.gpgSign": "true",
    "credential.helper": "!{program}",
    "alias.status": "!{program}",
    "alias.holdfast": "!{program}",
    "protocol.allow": "always",
    "protocol.ext.allow": "always",
    "remote.origin.url": "ext::{program} %S",
    "remote.origin.uploadpack": "{program}",
    "remote.origin.receivepack": "{program}",
    "remote.origin.promisor": "true",
    "remote.origin.partialclonefilter": "blob:none",
    "remote.local.url": "{other}",
    "remote.local.uploadpack": "{program}",
    "remote.local.promisor": "true",
    "extensions.partialClone": "local",
    "core.repositoryFormatVersion": "1",
    "submodule.recurse": "true",
    "submodule.part.update": "!{program}",
    "submodule.part.url": "ext::{program} %S",
    "uploadpack.packObjectsHook": "{program}",
    "trailer.see.command": "{program}",
    "trailer.see.cmd": "{program}",
    "blame.ignoreRevsFile": "{empty}",
    "include.path": "{included}",
    "init.templateDir": "{hooks}",
    "tar.x.command": "{program}",
    "core.worktree": "{hooks}",
    "notes.displayRef": "refs/notes/*",
}
ATTRIBUTES = """\
one.py filter=one
two.py filter=two
three.py diff=three
four.py diff=four
five.py diff=five merge=seven
seven.py filter=seven diff=three
"""
PAGE = ".holdfast/memory/decisions.md"
SOURCE = """\
def load_settings(path):
    with open(path) as stream:
        return parse_settings(stream.read())


def store_settings(path, settings):
    with open(path, "w") as stream:
        stream.write(render_settings(settings))
"""
NAMES = ("one", "two", "three", "four", "five", "seven")
HOOKS = (
    "post-checkout",
    "post-index-change",
    "reference-transaction",
    "pre-commit",
    "post-rewrite",
)


def git(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    apart = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    return subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.test", *words],  # noqa: S607
        cwd=folder,
        env=clean | apart,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )


class Trap:
    """A repository that was made in good faith; its configuration is hostile from then on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "project"
        self.holdfast = Program(home=folder / "home", folder=self.root)
        self.canaries = folder / "canaries"
        self.canaries.mkdir(parents=True)
        self.root.mkdir()
        git(self.root, "init", "-q", "-b", "main")
        for name in NAMES:
            (self.root / f"{name}.py").write_text(f"# {name}\n{SOURCE}", encoding="utf-8")
        (self.root / ".gitattributes").write_text(ATTRIBUTES, encoding="utf-8")
        (self.root / "AGENTS.md").write_text("- Always run the linter first.\n", encoding="utf-8")
        self.holdfast("init", "--files").well()
        decision = ("--kind", "decision", "--because", "We agreed", "Settings are cached.")
        self.holdfast("remember", *decision).well()
        self.holdfast("sync").well()
        with (self.root / ".gitattributes").open("a", encoding="utf-8") as stream:
            stream.write("*.md filter=seven\n")
        git(self.root, "add", "--all")
        git(self.root, "commit", "-q", "-m", "Because settings are read once, cache them")
        git(self.root, "clone", "-q", "--bare", str(self.root), str(folder / "other"))

    def program(self, key: str) -> str:
        """Return a program that leaves a canary for a key."""
        path = self.folder / "programs" / key.replace("/", "_")
        path.parent.mkdir(exist_ok=True)
        canary = self.canaries / key
        path.write_text(f"#!/bin/sh\necho ran > '{canary}'\n", encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def arm(self) -> None:
        """Write the hostile configuration, hooks and attributes."""
        hooks = self.folder / "hooks"
        hooks.mkdir()
        for place in (hooks, self.root / ".git" / "hooks"):
            for hook in HOOKS:
                (place / hook).write_bytes(Path(self.program(f"hook.{hook}")).read_bytes())
                (place / hook).chmod(0o755)
        included, attributes = self.folder / "included", self.folder / "attributes"
        included.write_text(
            f'[filter "seven"]\n\tclean = {self.program("included.filter.seven.clean")}\n',
            encoding="utf-8",
        )
        attributes.write_text("AGENTS.md filter=one diff=three\n", encoding="utf-8")
        empty = self.folder / "empty"
        empty.touch()
        for key, value in HOSTILE.items():
            filled = value.format(
                program=self.program(key),
                hooks=hooks,
                attributes=attributes,
                included=included,
                empty=empty,
                other=self.folder / "other",
            )
            done = git(self.root, "config", "--add", key, filled)
            assert done.returncode == 0, (key, done.stderr)

    def spoil(self) -> None:
        """Change files on disk, a page among them."""
        page = self.root / PAGE
        page.write_text(page.read_text(encoding="utf-8").replace("cached", "kept"), "utf-8")
        for name in NAMES:
            path = self.root / f"{name}.py"
            text = path.read_text(encoding="utf-8")
            path.write_text("import sys\n\n" + text.replace("path", "place"), encoding="utf-8")

    def drop_objects(self) -> None:
        """Take away some committed contents, as a partial clone does."""
        for name in ("one", "three"):
            blob = git(self.root, "rev-parse", f"HEAD:{name}.py").stdout.strip()
            (self.root / ".git" / "objects" / blob[:2] / blob[2:]).unlink(missing_ok=True)

    @property
    def ran(self) -> list[str]:
        """The keys whose programs were run."""
        return sorted(path.name for path in self.canaries.iterdir())


VERBS = (
    ("init",),
    ("remember", "--evidence", "one.py:2-4", "Settings are loaded from a path."),
    ("remember", "--evidence", "seven.py:2-4", "Seven loads settings too."),
    ("remember", "--evidence", "commit:HEAD", "The cache came with the first commit."),
    ("remember", "--evidence", "AGENTS.md:1", "The linter runs first."),
    ("verify",),
    ("verify", "--all"),
    ("verify", "--at", "HEAD"),
    ("blame", "one.py:3"),
    ("blame", "three.py"),
    ("diff", "HEAD..HEAD"),
    ("recall", "settings path"),
    ("recall", "--include", "memory,code,history", "settings path"),
    ("recall", "--as-of", "HEAD", "settings path"),
    ("list",),
    ("review",),
    ("conflicts",),
    ("curate",),
    ("status",),
    ("index",),
    ("import", "git"),
    ("import", "instructions", "AGENTS.md"),
    ("sync",),
    ("sync", "--check"),
    ("trust",),
    ("run", "start", "Look at settings"),
    ("run", "finish"),
    ("journal",),
    ("hooks", "status"),
    ("hooks", "install", "--force"),
    ("hooks", "run", "post-commit"),
    ("hooks", "remove"),
    ("doctor",),
    ("rebuild",),
    ("export",),
)


def asked_over_mcp(program: Program) -> None:
    """Call the tools that read the repository over MCP."""
    calls: list[tuple[str, dict[str, object]]] = [
        (
            "memory.create",
            {
                "kind": "fact",
                "value": "Two loads settings.",
                "evidence": [{"type": "span", "ref": "two.py:4-6"}],
            },
        ),
        ("context.assemble", {"q": "settings", "include": ["memory", "code", "history"]}),
        ("memory.list", {}),
    ]
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "0"},
    }
    messages: list[dict[str, object]] = [
        {"id": 0, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
    ]
    messages += [
        {"id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls, 1)
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    done = program.start("mcp", stdin=lines.encode())
    answers = [json.loads(line)["result"] for line in done.out.splitlines()]
    assert len(answers) == len(calls) + 1, (done.out, done.err)
    assert not any(answer.get("isError") for answer in answers), done.out


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    made = Trap(tmp_path / "trap")
    made.arm()
    return made


@requirement("git.runs-no-program-of-a-repository")
def test_no_verb_runs_a_program_that_a_repository_configures(trap: Trap) -> None:
    program = trap.holdfast
    for verb in VERBS:
        done = program(*verb)
        assert done.code in {0, 1}, (verb, done.err)
        assert "Traceback" not in done.err, (verb, done.err)
        assert trap.ran == [], verb
    trap.spoil()
    for verb in VERBS:
        program(*verb)
        assert trap.ran == [], ("after edits", verb)
    asked_over_mcp(program)
    assert trap.ran == []
    trap.drop_objects()
    for verb in VERBS:
        program(*verb)
        assert trap.ran == [], ("with objects missing", verb)


@requirement("git.runs-no-program-of-a-repository")
def test_the_trap_works_on_a_git_that_is_not_careful(trap: Trap) -> None:
    """Plain git runs these programs: a test that catches nothing would prove nothing."""
    here = f"--work-tree={trap.root}"
    trap.spoil()
    git(trap.root, here, "status")
    git(trap.root, here, "blame", "three.py")
    git(trap.root, here, "diff")
    git(trap.root, "log", "-p", "--ext-diff", "--textconv")
    git(trap.root, "fetch", "origin")
    git(trap.root, "fetch", "local")

    expected = {
        *("core.fsmonitor", "filter.one.clean", "filter.two.process", "diff.external"),
        *("diff.three.textconv", "included.filter.seven.clean", "diff.four.command"),
        *("remote.origin.url", "remote.local.uploadpack"),
    }
    assert expected <= set(trap.ran), expected - set(trap.ran)


def test_the_table_has_many_keys() -> None:
    assert len(HOSTILE) >= 50
    assert len(VERBS) >= 30
