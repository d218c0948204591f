"""The entry point of the command line. It imports little, because every prompt runs the badge.

Only imports that the badge needs are allowed here; the typing module alone would take a fifth of
the badge's time budget.
"""

from __future__ import annotations

import os
import sys

from holdfast.bootstrap.process import prepare_process

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from holdfast.domain.memory.place import SpaceId

_NAMING = frozenset({"--home", "--space", "--store", "--tenant"})
_QUIET = frozenset({"--badge", "-q", "--quiet", "--no-color"})


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit with its exit code."""
    if argv is not None:
        sys.exit(_run(list(argv)))
    prepare_process()
    code = _run(sys.argv[1:], is_process=True)
    # Everything is flushed and closed. Tearing down the interpreter object by object would
    # take another tenth of the command and free nothing that the operating system does not.
    os._exit(code)


def _run(words: list[str], *, is_process: bool = False) -> int:
    if (named := _badge_words(words)) is not None and (store := _store_of(named)) is not None:
        try:
            return _show_badge(*store)
        except Exception:  # noqa: BLE001, S110 - the last door: the full command line tells it
            pass
    named, rest = _hook_words(words)
    if rest and (store := _store_of(named)) is not None:
        return _answer_hook(rest, *store, is_process=is_process)
    named, rest = _agent_words(words)
    if rest and (store := _store_of(named)) is not None:
        return _serve_agents(rest[2:], *store)
    from holdfast.surfaces.cli.dispatch import run

    return run(words)


def _badge_words(words: list[str]) -> dict[str, str] | None:
    """Return the home and the space that a plain ``status --badge`` names; otherwise None."""
    if "status" not in words or "--badge" not in words:
        return None
    named, verbs = {}, []
    rest = iter(words)
    for word in rest:
        if word in _NAMING:
            named[word] = next(rest, "")
        elif word not in _QUIET:
            verbs.append(word)
    return named if verbs == ["status"] else None


def _hook_words(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options that name the store, and the words of a hook call; no words for others."""
    named, rest = {}, words
    while len(rest) > 2 and rest[0] in _NAMING:  # noqa: PLR2004 - the option and its value
        named[rest[0]], rest = rest[1], rest[2:]
    is_call = len(rest) == 3 and rest[0] == "hook" and not rest[1].startswith("-")  # noqa: PLR2004 - hook, who, what
    return named, rest[1:] if is_call and not rest[2].startswith("-") else []


def _agent_words(words: list[str]) -> tuple[dict[str, str], list[str]]:
    """Return the options that name the store, and the words of a plain ``mcp``; none for others.

    A client waits for the greeting, and leaves out the tools of a server that is late.
    """
    named, rest = {}, words
    while len(rest) > 2 and rest[0] in _NAMING:  # noqa: PLR2004 - the option and its value
        named[rest[0]], rest = rest[1], rest[2:]
    is_plain = rest in (["mcp"], ["mcp", "--profile", "core"], ["mcp", "--profile", "full"])
    # A home that is written in short is spelt out by the full command line.
    return named, rest if is_plain and named.get("--home", "/").startswith("/") else []


def _store_of(named: dict[str, str]) -> tuple[str, SpaceId | None] | None:
    """Return the folder of the store ('' is the default) and its space, if not the default one.

    None means that the home or the space is invalid; the full command line then reports it.
    """
    home = named.get("--home", "")
    if "--home" in named and not home:
        return None
    if "--store" in named:
        os.environ["HOLDFAST_STORE"] = named["--store"]
    if "--tenant" in named:
        os.environ["HOLDFAST_TENANT"] = named["--tenant"]
    if "--space" not in named and not os.environ.get("HOLDFAST_SPACE"):
        return (home, None) if _choose_store(home) else None
    from holdfast.bootstrap.plugs.spaces import folder_of, wanted_space
    from holdfast.domain.errors import HoldfastError

    try:
        space = wanted_space(named.get("--space"))
    except HoldfastError:
        return None
    folder = folder_of(space, home)
    return (folder, space) if _choose_store(folder) else None


def _choose_store(home: str) -> bool:
    """Choose the default remote of a home, if no store is named; False if that fails."""
    from holdfast.bootstrap.plugs.default_remote import must_look_up

    if not must_look_up(home):
        return True
    from holdfast.bootstrap.plugs.addresses import STORE_VARIABLE, chosen_store
    from holdfast.domain.errors import HoldfastError

    try:
        os.environ[STORE_VARIABLE] = chosen_store(None, home)
    except HoldfastError:
        return False
    return True


def _serve_agents(profile: list[str], home: str, space: SpaceId | None) -> int:
    from holdfast.surfaces.mcp.server import serve

    return serve(home=home, space=space, profile=profile[0] if profile else None)


def _answer_hook(words: list[str], home: str, space: SpaceId | None, *, is_process: bool) -> int:
    from holdfast.surfaces.hook.program import Deadline, run

    deadline = Deadline(home, words) if is_process else None
    if deadline is not None:
        deadline.start()
    return run(words, home=home, space=space, deadline=deadline)


def _show_badge(home: str, space: SpaceId | None) -> int:
    from holdfast.bootstrap.opening.badge import badge_line

    line = badge_line(home, space=space or "")
    if line and sys.stdout is not None:
        encoding = sys.stdout.encoding or "ascii"
        try:
            line.encode(encoding)
        except UnicodeEncodeError:
            line = line.encode("ascii", "replace").decode().replace("?", "*")
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
