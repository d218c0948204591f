"""``python -m interop [tool…]``: drive the real programs offline, and print what reached them.

The programs are fetched from npm into ``.interop`` (never committed). Each runs with a home of
its own, in a repository of its own with a few memories, after ``holdfast adapters install``.
Where the system allows it, it runs without a network.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from interop.checks import CLAIM, PROMPT, Verdict, checks_of, started
from interop.fake_model import FakeModel
from interop.programs import PROGRAMS, Program, Stage
from interop.protocol import told

HERE = Path(__file__).parent
SRC = HERE.parent / "src"
_LOOPBACK_UP = 0x8914, 0x1
_PATIENCE_SECONDS = 300
_PROPOSALS_SECONDS = 30
_PROTOCOL = "mcp"
"""The name under which the protocol itself is tested."""


def main(words: Sequence[str] | None = None) -> int:
    """Drive the programs that are named (all, if none is); 0 if every check held."""
    parser = argparse.ArgumentParser(prog="python -m interop", description=__doc__)
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=", ".join([*PROGRAMS, _PROTOCOL]))
    parser.add_argument("--folder", type=Path, default=HERE.parent / ".interop")
    parser.add_argument("--keep", type=Path, help="keep what each program sent in this folder")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(words)
    names = given.tools or [*PROGRAMS, _PROTOCOL]
    modules = given.folder.absolute() / "node_modules"
    if given.inside and names[0] == _PROTOCOL:
        _raise_loopback()
        print(told(modules))
        return 0
    if given.inside:
        keep = given.keep / names[0] if given.keep else None
        return _drive(PROGRAMS[names[0]], modules, keep)
    results = {name: _apart(name, given) for name in names}
    _print_table({name: found for name, found in results.items() if name != _PROTOCOL})
    for one in results.get(_PROTOCOL, []):
        print(f"{'yes' if one.is_held else 'NO '}  {one.name}: {one.seen}")
    return int(not all(one.is_held for found in results.values() for one in found))


def _apart(name: str, given: argparse.Namespace) -> list[Verdict]:
    """Run one program in a process of its own, without a network where that is allowed."""
    words = [sys.executable, "-m", "interop", name, "--inside", "--folder", str(given.folder)]
    if given.keep:
        words += ["--keep", str(given.keep.absolute())]
    cage = ["unshare", "-rn"]
    may = shutil.which("unshare") and subprocess.run([*cage, "true"], check=False).returncode == 0
    print(f"… {name}{'' if may else ' (with a network: unshare is not allowed)'}", flush=True)
    done = subprocess.run(
        [*(cage if may else []), *words],
        check=False,
        stdout=subprocess.PIPE,
        text=True,
        cwd=HERE.parent,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if not lines:
        return [Verdict(name="ran", is_held=False, seen=done.stdout[-200:])]
    return [Verdict(**one) for one in json.loads(lines[-1])["verdicts"]]


def _drive(program: Program, modules: Path, keep: Path | None) -> int:
    _raise_loopback()
    model = FakeModel()
    with tempfile.TemporaryDirectory(prefix="holdfast-interop-") as scratch:
        folder = Path(os.path.realpath(scratch))
        stage = Stage(
            home=folder / "home",
            repository=folder / "shop",
            model=model.address,
            modules=modules,
        )
        store = {"HOLDFAST_HOME": str(folder / "store"), "PYTHONPATH": str(SRC)}
        stage.home.mkdir()
        _make_repository(stage, store)
        if program.own_file:
            (stage.repository / program.own_file).write_text("# Ours\n", encoding="utf-8")
        program.prepare(stage)
        own = {**stage.environment, **program.variables(stage), "PYTHONPATH": str(SRC)}
        for first, *rest in program.install(stage):
            if first == "holdfast":
                _holdfast(stage, store, *rest)
            else:
                _run_own([first, *rest], stage, own)
        if program.is_left_alone:
            _take_holdfast_away(stage)
        ended = subprocess.run(
            program.command(stage, PROMPT),
            cwd=stage.repository,
            env=own,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_PATIENCE_SECONDS,
            check=False,
        )
        if program.is_left_alone:
            verdicts = started(model.requests, ended.returncode)
        else:
            candidates = _candidates(stage, store, may_wait="proposed" not in program.skips)
            found = checks_of(model.requests, candidates)
            verdicts = [one for one in found if one.name not in program.skips]
        if keep:
            _keep(keep, model, ended, folder)
    model.close()
    print(json.dumps({"verdicts": [vars(one) for one in verdicts]}))
    return 0


def _take_holdfast_away(stage: Stage) -> None:
    """Let the installed settings name a program that does not exist, as if it had been removed."""
    changed = 0
    for path in (*stage.repository.rglob(".*/*"), *stage.home.rglob(".*/*")):
        if path.is_file() and ".git" not in path.parts:
            text = path.read_text(encoding="utf-8", errors="replace")
            if sys.executable in text:
                path.write_text(text.replace(sys.executable, "/removed/python"), encoding="utf-8")
                changed += 1
    if not changed:
        sys.exit("no installed setting names the program")


def _make_repository(stage: Stage, store: dict[str, str]) -> None:
    stage.repository.mkdir()
    git = ("git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    (stage.repository / "ledger.py").write_text("def number():\n    return 1\n", encoding="utf-8")
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "Start")):
        subprocess.run([*git, *words], cwd=stage.repository, check=True, env=stage.environment)
    _holdfast(stage, store, "init")
    for claim, kind in ((CLAIM, "decision"), ("Never edit a released migration.", "rule")):
        _holdfast(stage, store, "remember", claim, "--kind", kind, "--because", "decided")


def _run_own(words: list[str], stage: Stage, variables: dict[str, str]) -> None:
    """Run one of the program's own commands, as a person would; say what it says if it fails."""
    done = subprocess.run(
        words,
        cwd=stage.repository,
        env=variables,
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE_SECONDS,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stdout}{done.stderr}")


def _holdfast(stage: Stage, store: dict[str, str], *words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "holdfast", *words],
        cwd=stage.repository,
        env={**stage.environment, **store},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def _candidates(stage: Stage, store: dict[str, str], *, may_wait: bool) -> list[str]:
    """Return the claims that wait; proposing goes on after the program has ended."""
    until = time.monotonic() + (_PROPOSALS_SECONDS if may_wait else 0)
    while True:
        said = _holdfast(stage, store, "list", "--status", "candidate", "--json")
        claims = [str(one["claim"]) for one in json.loads(said)["memories"]]
        if any("zstd" in claim for claim in claims) or time.monotonic() > until:
            return claims
        time.sleep(1)


def _keep(
    folder: Path, model: FakeModel, ended: subprocess.CompletedProcess[str], scratch: Path
) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps({"path": path, "body": body}) for path, body in model.requests]
    (folder / "requests.jsonl").write_text("\n".join(lines), encoding="utf-8")
    said = f"exit {ended.returncode}\n{ended.stdout}\n{ended.stderr}"
    (folder / "said.txt").write_text(said, encoding="utf-8")
    shutil.copytree(scratch, folder / "scratch", dirs_exist_ok=True, symlinks=True)


def _raise_loopback() -> None:
    """Let the machine speak to itself: in a network of its own that is off at first."""
    request, up = _LOOPBACK_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as opened:
        try:
            fcntl.ioctl(opened, request, struct.pack("16sh14x", b"lo", up))
        except OSError:
            return


def _print_table(results: dict[str, list[Verdict]]) -> None:
    if not results:
        return
    names = list(dict.fromkeys(one.name for found in results.values() for one in found))
    width = max(len(name) for name in [*results, "tool"])
    print("\n" + "  ".join(["tool".ljust(width), *(name.ljust(9) for name in names)]))
    for tool, found in results.items():
        held = {one.name: "yes" if one.is_held else "NO" for one in found}
        print("  ".join([tool.ljust(width), *(held.get(name, "-").ljust(9) for name in names)]))
    for tool, found in results.items():
        print(f"\n{tool}: " + "; ".join(f"{one.name}: {one.seen}" for one in found))


if __name__ == "__main__":
    sys.exit(main())
