"""One package starts programs; whoever starts one elsewhere, in whatever way, is found here.

The contracts of import-linter see imports. Calls of ``os`` start programs without an import
of their own, so the source is read for them as well.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.requirements import requirement

SOURCE = Path("src/holdfast")
STARTERS = SOURCE / "adapters" / "processes"
SPAWNING = STARTERS / "spawning.py"
WORKERS = SOURCE / "adapters" / "code" / "parsing" / "workers.py"
MODULES = frozenset(
    {
        "_posixsubprocess",
        "asyncio",
        "commands",
        "concurrent",
        "ctypes",
        "multiprocessing",
        "pty",
        "subprocess",
        "webbrowser",
    }
)
CALLS = ("exec", "fork", "popen", "posix_spawn", "spawn", "startfile", "system")
NAMES = re.compile(rf"\b(?:os|posix|{'|'.join(MODULES)})\b")
# renameat2, which swaps two files at once, and statx, which tells when a file was created, are not
# in the standard library.
# The server, the asynchronous service and the terminal UI run blocking work in threads.
NO_STARTERS = {
    SOURCE / "adapters" / "files" / "disk.py": {"ctypes"},
    SOURCE / "adapters" / "git" / "arrivals.py": {"ctypes"},
    SOURCE / "integrations" / "threads.py": {"asyncio"},
    SOURCE / "surfaces" / "http" / "endpoint.py": {"asyncio"},
    SOURCE / "surfaces" / "http" / "threads.py": {"asyncio", "concurrent"},
    # The SDK's server is asynchronous; its calls run in the threads of the endpoints.
    **{
        SOURCE / "surfaces" / "http" / "agents_door" / name: {"asyncio"}
        for name in ("door.py", "server.py", "streams.py")
    },
    SOURCE / "surfaces" / "tui" / "parts" / "lanes.py": {"asyncio", "concurrent"},
    SOURCE / "surfaces" / "tui" / "parts" / "pane.py": {"asyncio"},
    SOURCE / "surfaces" / "tui" / "inbox" / "pane.py": {"asyncio"},
    SOURCE / "surfaces" / "http" / "own_page.py": {"asyncio", "concurrent"},
    SOURCE / "surfaces" / "web" / "live.py": {"asyncio"},
    SOURCE / "surfaces" / "python" / "async_service.py": {"asyncio", "concurrent"},
    SOURCE / "surfaces" / "python" / "async_agents.py": {"asyncio", "concurrent"},
}


def starts(source: str) -> set[str]:
    """Return what a module imports or calls that can start a program."""
    if not NAMES.search(source):
        return set()  # to read every module as a tree takes seconds
    nodes = list(ast.walk(ast.parse(source)))
    imported = {name.partition(".")[0] for node in nodes for name in _imported(node)}
    return (imported & MODULES) | {name for node in nodes for name in _called(node)}


def _imported(node: ast.AST) -> list[str]:
    """Return the modules that a node imports."""
    match node:
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            return [module]
        case _:
            return []


def _called(node: ast.AST) -> list[str]:
    """Return the functions of ``os`` in a node that start programs, and other names for ``os``."""
    match node:
        case ast.Import(names=names):
            return [f"os as {name.asname}" for name in names if name.name == "os" and name.asname]
        case ast.ImportFrom(module="os" | "posix", names=names):
            return [f"os.{name.name}" for name in names if name.name.startswith(CALLS)]
        case ast.Attribute(value=ast.Name(id="os" | "posix"), attr=name) if name.startswith(CALLS):
            return [f"os.{name}"]
        case _:
            return []


def allowed(path: Path) -> set[str]:
    if path == SPAWNING:
        return {"os.posix_spawn"}  # a hook has no time to load subprocess at the end of each turn
    if path.is_relative_to(STARTERS):
        return {"subprocess", "webbrowser"}
    return {"multiprocessing"} if path == WORKERS else NO_STARTERS.get(path, set())


@requirement("house.one-home-for-processes")
def test_one_package_starts_programs() -> None:
    found = {
        str(path): beyond
        for path in SOURCE.rglob("*.py")
        if (beyond := starts(path.read_text(encoding="utf-8")) - allowed(path))
    }

    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        "import subprocess",
        "import os\ndef f():\n    os.fork()",
        "import os\nos.posix_spawnp('ls', ['ls'], {})",
        "import os\nstart = os.execv",
        "import os as system\nsystem.fork()",
        "from os import posix_spawn",
        "import os\nos.system('ls')",
        "import os\nos.popen('ls')",
        "from multiprocessing.connection import Connection",
        "from concurrent.futures import ProcessPoolExecutor",
        "import asyncio.subprocess",
        "import pty",
        "import ctypes",
        "from importlib import import_module\nimport_module('subprocess')",
        "__import__('subprocess')",
    ],
)
def test_every_way_to_start_a_program_is_seen(source: str) -> None:
    assert starts(source)


def test_what_starts_no_program_is_not_reported() -> None:
    assert (
        starts("import os, threading\nos.path.join('a')\nos.kill(1, 9)\nos.replace('a', 'b')")
        == set()
    )
