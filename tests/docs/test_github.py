"""The Action for GitHub comments a pull request; GitHub is a local server with its answers."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from holdfast.surfaces.cli.command import command_for
from tests.cli.program import Finished, Program
from tests.patience import PATIENCE
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deploy" / "github" / "comment.py"
MARK = "<!-- holdfast report -->"


@dataclass
class Host:
    """What a code host keeps: comments, and what was asked of it."""

    comments: list[dict[str, Any]] = field(default_factory=list)
    calls: list[tuple[str, str]] = field(default_factory=list)
    refuses: bool = False
    url: str = ""


@pytest.fixture
def host() -> Iterator[Host]:
    kept = Host()

    class Answering(BaseHTTPRequestHandler):
        def answer(self) -> None:
            kept.calls.append((self.command, self.path))
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            if kept.refuses and self.command != "GET":
                self.send_error(403)
                return
            if self.command == "POST":
                url = f"{kept.url}/repos/o/r/issues/comments/{len(kept.comments) + 1}"
                kept.comments.append({"user": {"type": "Bot"}, "url": url, **body})
            if self.command == "PATCH":
                kept.comments[int(self.path.rsplit("/", 1)[1]) - 1].update(body)
            told = json.dumps(kept.comments if self.command == "GET" else {}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - the names that http.server calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its own name
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    kept.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield kept
    server.shutdown()
    server.server_close()


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    done = subprocess.run(  # noqa: S603 - git, with the words of this test
        ["git", *who, *words],  # noqa: S607 - the git on PATH
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@dataclass(frozen=True)
class Change:
    """A pull request: a clone of it, and the payload of its event."""

    folder: Path
    event: dict[str, Any]


@pytest.fixture
def change(tmp_path: Path) -> Change:
    """Return a pull request that breaks a rule and changes the cited lines."""
    folder = tmp_path / "shop"
    (folder / "src").mkdir(parents=True)
    lines = [f"price_{number} = {number}\n" for number in range(40)]
    (folder / "src" / "pay.py").write_text("".join(lines))
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Prices")
    program = Program(home=tmp_path / "home", folder=folder)
    program("init", "--files", "--no-model").well()
    program(
        "remember", "--kind", "rule", "--because", "logs", "--check",
        "must not match `\\bprint\\(` in src/**/*.py", "Payments print nothing, @everyone | `x`.",
    ).well()  # fmt: skip
    program("remember", "--kind", "decision", "--evidence", "src/pay.py:10-14",
            "Prices ten to fourteen are fixed.").well()  # fmt: skip
    program("sync").well()
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "Memories")
    base = git(folder, "rev-parse", "HEAD")
    git(folder, "switch", "-qc", "feature")
    lines[9:14] = ["def charge() -> None:\n", "    print('paid')\n", "    other = 7\n"]
    (folder / "src" / "pay.py").write_text("".join(lines))
    git(folder, "commit", "-qam", "Charge")
    head = git(folder, "rev-parse", "HEAD")
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(folder), str(clone))
    pull = {"number": 7, "base": {"sha": base, "ref": "main"}, "head": {"sha": head}}
    return Change(clone, {"action": "synchronize", "number": 7, "pull_request": pull})


def run_action(change: Change, host: Host, tmp_path: Path, **env: str) -> Finished:
    event = tmp_path / "event.json"
    event.write_text(json.dumps(change.event))
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir(exist_ok=True)
    itself = bin_folder / "holdfast"
    itself.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m holdfast "$@"\n')
    itself.chmod(0o755)
    told = {
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "HOME": str(tmp_path / "nobody"),
        "HOLDFAST_HOME": str(tmp_path / "store"),
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_API_URL": host.url,
        "GITHUB_TOKEN": "a-token",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "PYTHONPATH": str(ROOT / "src"),
    }
    done = subprocess.run(  # noqa: S603 - the script that is tested
        [sys.executable, str(SCRIPT)],
        cwd=change.folder,
        env={**told, **env},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


@requirement("deploy.comments-a-pull-request")
def test_a_pull_request_gets_one_comment_that_is_replaced(
    change: Change, host: Host, tmp_path: Path
) -> None:
    first = run_action(change, host, tmp_path)
    again = run_action(change, host, tmp_path)

    assert (first.code, again.code) == (1, 1), first.err
    assert len(host.comments) == 1
    body = host.comments[0]["body"]
    assert body.startswith(MARK)
    assert "`src/pay.py:11`" in body
    assert "Prices ten to fourteen are fixed." in body
    assert "`orphaned`" in body
    assert body in (tmp_path / "summary.md").read_text()
    assert ("PATCH", "/repos/o/r/issues/comments/1") in host.calls


@requirement("deploy.comments-a-pull-request")
def test_a_claim_formats_nothing_and_mentions_nobody(
    change: Change, host: Host, tmp_path: Path
) -> None:
    run_action(change, host, tmp_path)

    assert "`Payments print nothing, @everyone ¦ 'x'.`" in host.comments[0]["body"]


def test_a_comment_of_a_person_is_never_replaced(
    change: Change, host: Host, tmp_path: Path
) -> None:
    theirs = {"user": {"type": "User"}, "url": f"{host.url}/x/1", "body": f"{MARK} mine"}
    host.comments.append(theirs)

    run_action(change, host, tmp_path)

    assert host.comments[0]["body"] == f"{MARK} mine"
    assert len(host.comments) == 2


def test_a_token_that_may_only_read_leaves_the_report_in_the_summary(
    change: Change, host: Host, tmp_path: Path
) -> None:
    host.refuses = True

    done = run_action(change, host, tmp_path, HOLDFAST_FAIL="false")

    assert done.code == 0
    assert "::warning::Holdfast could not comment" in done.out
    assert "`orphaned`" in (tmp_path / "summary.md").read_text()


def test_a_push_has_a_summary_and_no_comment(change: Change, host: Host, tmp_path: Path) -> None:
    pushed = Change(change.folder, {"ref": "refs/heads/main", "after": "0" * 40})

    done = run_action(pushed, host, tmp_path)

    assert done.code == 1
    assert host.calls == []
    assert (tmp_path / "summary.md").read_text().startswith(MARK)


@requirement("deploy.examples-hold")
def test_the_definitions_name_what_exists() -> None:
    load = YAML(typ="safe").load
    action = load((ROOT / "action.yml").read_text(encoding="utf-8"))
    hooks = load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))

    steps = " ".join(step["run"] for step in action["runs"]["steps"])
    assert "deploy/github/comment.py" in steps
    assert "${{" not in steps  # an expression in a script would run what an input contains
    for hook in hooks:
        name, verb, *words = shlex.split(hook["entry"])
        assert name == "holdfast"
        command_for(verb).read(words)
