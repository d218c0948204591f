"""Reads the branches of a repository and their tips from its files.

Git is called only for a repository that stores its refs in tables (reftable).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import ask_git
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import Protocol

    from holdfast.adapters.git.reading.repository import Repository

    class Refs(Protocol):
        """The refs of a repository and their targets."""

        def target(self, name: str) -> str | None:
            """Return the ref that a symbolic ref points to, or None."""
            ...

        def tip(self, name: str) -> str | None:
            """Return the commit of a full ref name, or None."""
            ...

        def branches(self) -> Iterator[str]:
            """Return the short names of the branches."""
            ...


HEADS = "refs/heads/"
_SYMBOLIC = "ref: "
_MOST_STEPS = 5
_LARGEST_REF = 4_096
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


def read_refs(repository: Repository) -> Refs:
    """Return the current refs.

    Raises:
        OutsideUnavailableError: Only git can read them, and it is not installed.
    """
    if (repository.common_dir / "reftable").exists():
        return AskedRefs(repository)
    return FiledRefs(repository)


class FiledRefs:
    """Refs in files: loose refs and packed refs."""

    def __init__(self, repository: Repository) -> None:
        self._own = repository.git_dir
        self._shared = repository.common_dir
        self._packed: bytes | None = None

    def target(self, name: str) -> str | None:
        """Return the ref that a symbolic ref points to, or None."""
        words = self._words(name)
        return words.removeprefix(_SYMBOLIC).strip() if words.startswith(_SYMBOLIC) else None

    def tip(self, name: str) -> str | None:
        """Return the commit of a full ref name, or None."""
        for _ in range(_MOST_STEPS):
            words = self._words(name)
            if not words.startswith(_SYMBOLIC):
                return words if _HASH.fullmatch(words) else None
            name = words.removeprefix(_SYMBOLIC).strip()
        return None

    def branches(self) -> Iterator[str]:
        """Return the short names of the branches, without duplicates."""
        seen = set()
        for name in (*_loose(self._shared / HEADS), *self._packed_branches()):
            if name not in seen and self.tip(f"{HEADS}{name}") is not None:
                seen.add(name)
                yield name

    def _words(self, name: str) -> str:
        folder = self._shared if name.startswith("refs/") else self._own
        return _read(folder / name) or self._in_pack(name)

    def _in_pack(self, name: str) -> str:
        start = self._pack().find(f" {name}\n".encode("utf-8", "surrogateescape"))
        line = self._pack()[:start].rpartition(b"\n")[2] if start > 0 else b""
        return line.decode("ascii", "replace")

    def _packed_branches(self) -> Iterator[str]:
        for line in self._pack().splitlines():
            name = line.partition(b" ")[2].decode("utf-8", "surrogateescape")
            if name.startswith(HEADS):
                yield name.removeprefix(HEADS)

    def _pack(self) -> bytes:
        if self._packed is None:
            try:
                self._packed = (self._shared / "packed-refs").read_bytes()
            except OSError:
                self._packed = b""
        return self._packed


class AskedRefs:
    """Refs that git itself reads, all in one call."""

    def __init__(self, repository: Repository) -> None:
        form = "--format=%(HEAD)%(refname) %(objectname) %(symref)"
        status, words, trouble = ask_git(
            repository, "for-each-ref", form, "refs/heads", "refs/remotes/origin"
        )
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
        self._tips, self._targets = _listed(words)
        if "HEAD" not in self._targets:
            status, words, _ = ask_git(repository, "rev-parse", "--verify", "--quiet", "HEAD")
            if status == 0:
                self._tips["HEAD"] = words.strip()

    def target(self, name: str) -> str | None:
        """Return the ref that a symbolic ref points to, or None."""
        return self._targets.get(name)

    def tip(self, name: str) -> str | None:
        """Return the commit of a full ref name, or None."""
        return self._tips.get(self._targets.get(name, name))

    def branches(self) -> Iterator[str]:
        """Return the short names of the branches."""
        return (name.removeprefix(HEADS) for name in self._tips if name.startswith(HEADS))


def _listed(words: str) -> tuple[dict[str, str], Mapping[str, str]]:
    tips: dict[str, str] = {}
    targets: dict[str, str] = {}
    for line in words.splitlines():
        name, commit, target = line[1:].split(" ")
        tips[name] = commit
        if target:
            targets[name] = target
        if line.startswith("*"):
            targets["HEAD"] = name
    return tips, targets


def _loose(folder: Path) -> Iterator[str]:
    for path, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield os.path.relpath(f"{path}/{name}", folder)


def _read(path: Path) -> str:
    """Return the text of a small file; '' if the name is not valid for a file."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return file.read(_LARGEST_REF).decode("utf-8", "surrogateescape").strip()
    except (OSError, ValueError):
        return ""
