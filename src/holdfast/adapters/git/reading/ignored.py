"""Tells which files an agent is told nothing about: those that git ignores, and git's own.

A repository ignores its keys and passwords. Whether such a file exists, how many lines it has, and
whether a guessed text is in it, are facts about it too.
"""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.objects import path_of
from holdfast.adapters.git.reading.repository import ask_git_bytes, find_repository
from holdfast.adapters.git.reading.worktree import read_index
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.workspaces.ignoring import GitRules

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from holdfast.adapters.git.reading.repository import Repository

IGNORED = "git ignores it or keeps it for itself, and agents are told nothing about such files"
_OWN = ".git"
_NONE_IGNORED = 1
_CHECK = ("check-ignore", "-z", "--stdin")
_TRACKED = ("ls-files", "-z", "--cached", "--ignored", "--exclude-standard")
_CONFIGURED = ("config", "-z", "--get-regexp", r"^core\.(excludesfile|ignorecase)$")
_DEEPEST = 8


def withheld(repository: Repository, paths: Collection[str]) -> frozenset[str]:
    """Return the paths, relative to the root, that git ignores or that are in a git folder.

    A tracked file is not ignored, whatever the patterns say. A path is withheld if git cannot
    tell. The answer is the same for files that do not exist. The number of git processes grows
    with the submodules among the paths only.
    """
    own = frozenset(path for path in paths if is_of_git(path))
    rest = frozenset(paths) - own
    return own | (_ignored(repository, rest, _DEEPEST) if rest else frozenset())


def git_rules(folder: Path) -> GitRules:
    """Return what git knows about a folder: nothing without a repository, or if it cannot tell."""
    try:
        repository = find_repository(folder)
    except OutsideUnavailableError:
        return GitRules()
    if repository is None:
        return GitRules()
    exclude = str(repository.common_dir / "info" / "exclude")
    try:
        settings = _settings(repository)
        return GitRules(
            tracked=_tracked_anyway(repository, folder),
            files=(exclude, _excludes_file(repository, settings.get("core.excludesfile"))),
            ignores_case=_is_on(settings.get("core.ignorecase", "false")),
        )
    except OutsideUnavailableError:
        return GitRules(files=(exclude,))


def _settings(repository: Repository) -> dict[str, str]:
    """Return the settings about ignored files; one without a value is on."""
    _, answer, _ = ask_git_bytes(repository, *_CONFIGURED)
    found = (os.fsdecode(entry).partition("\n") for entry in answer.split(b"\0") if entry)
    return {name: value if sign else "true" for name, sign, value in found}


def _excludes_file(repository: Repository, setting: str | None) -> str:
    """Return the path of the ignore file for all repositories of a person."""
    if setting is None:
        settings = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
        setting = f"{settings}/git/ignore"
    return str(repository.root / os.path.expanduser(setting))  # noqa: PTH111 - "" is no path


def _is_on(setting: str) -> bool:
    return setting.lower() in {"true", "yes", "on"} or setting.strip("0").isdecimal()


def _tracked_anyway(repository: Repository, folder: Path) -> frozenset[str]:
    """Return the files in a folder that git tracks although a pattern ignores them."""
    status, answer, _ = ask_git_bytes(repository, *_TRACKED)
    way = folder.relative_to(repository.root).as_posix()
    start = "" if way == "." else f"{way}/"
    paths = [path_of(name) for name in answer.split(b"\0") if name] if status == 0 else []
    return frozenset(path.removeprefix(start) for path in paths if path.startswith(start))


def is_of_git(path: str) -> bool:
    """Return whether a path leads into a git folder, also where names ignore the case."""
    return any(part.lower() == _OWN for part in PurePosixPath(path).parts)


def _ignored(repository: Repository, paths: frozenset[str], depth: int) -> frozenset[str]:
    given = "".join(f"{path}\0" for path in sorted(paths))
    try:
        status, answer, _ = ask_git_bytes(
            repository, *_CHECK, given=given.encode("utf-8", "surrogateescape")
        )
        if status in {0, _NONE_IGNORED}:
            return paths & {path_of(name) for name in answer.split(b"\0")}
        # Git stops at a path inside a submodule.
        return _by_submodule(repository, paths, depth)
    except (OutsideUnavailableError, ValueError):
        return paths


def _by_submodule(repository: Repository, paths: frozenset[str], depth: int) -> frozenset[str]:
    """Ask each submodule about its own files; what no repository answers for is withheld."""
    inside: dict[str, set[str]] = {}
    for name in read_index(repository).submodules:
        inside[name] = {path for path in paths if path.startswith(f"{name}/")}
    found: set[str] = set()
    for name, some in inside.items():
        nested = find_repository(repository.root / name) if some else None
        if nested is None or nested.root == repository.root or depth == 0:
            found |= some
            continue
        short = frozenset(path.removeprefix(f"{name}/") for path in some)
        found |= {f"{name}/{path}" for path in _ignored(nested, short, depth - 1)}
    rest = paths.difference(*inside.values())
    if rest == paths:
        return paths
    return frozenset(found) | (_ignored(repository, rest, depth) if rest else frozenset())
