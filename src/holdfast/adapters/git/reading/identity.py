"""Identifies a repository by facts that survive a move: never by a path or a URL alone."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.light import identity_of
from holdfast.adapters.git.reading.registry import Folder, KnownRepository
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from holdfast.adapters.git.reading.registry import RepositoryRegistry

_TOLD_BY = ("config", "packed-refs", "shallow")
_USUAL_PORTS = {"22", "80", "443", "9418"}
_DOUBTFUL = "doubtful:"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitIdentity:
    """What git reports of the repository in a folder.

    The mark is the author, time and subject of the first commit: it survives a rewrite of the
    history. The time alone survives if names and subjects are rewritten too. In a shallow clone,
    ``cuts`` stand for the first commit.
    """

    identity: str
    place: str
    look: str
    root: str | None = None
    mark: str | None = None
    moment: str | None = None
    remote: str | None = None
    cuts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistryQuestions:
    """Questions to git that are asked only if the registry leaves a doubt."""

    holds_any: Callable[[tuple[str, ...]], bool]
    comes_from_any: Callable[[tuple[str, ...]], bool]


def folder_identity(common_dir: Path) -> str:
    """Return an identifier of this folder that stays the same when the folder is moved.

    An inode number is soon reused, so the creation time of a file that git never changes counts
    too. Without such a file the identity is doubtful.
    """
    if (sure := identity_of(str(common_dir))) is not None:
        return sure
    inodes = [str(common_dir)]
    for part in ("", "objects", "refs"):
        with suppress(OSError):
            inodes.append(str((common_dir / part).stat().st_ino))
    return f"{_DOUBTFUL}{_short(':'.join(inodes))}"


def folder_look(common_dir: Path) -> str:
    """Return a value that changes with the remotes, the depth of a clone, or a repack."""
    seen = []
    for name in _TOLD_BY:
        try:
            status = (common_dir / name).stat()
        except OSError:
            seen.append("-")
        else:
            seen.append(f"{status.st_size}.{status.st_mtime_ns}")
    return ":".join(seen)


def identify(registry: RepositoryRegistry, seen: GitIdentity, doubts: RegistryQuestions) -> str:
    """Return the id of the repository, and add new facts about it to the registry."""
    name = (
        _in_this_folder(registry, seen, doubts)
        or _elsewhere(registry, seen, doubts)
        or _new_name(seen)
    )
    known = registry.repositories.get(name, KnownRepository())
    # A first commit stays with the repository in which it was first seen, so that new clones get
    # the same id.
    if _owner(registry, seen.root) in {None, name}:
        known = _with_news(known, seen, doubts)
    registry.repositories[name] = known
    is_settled = seen.root is not None or seen.cuts
    is_sure = not seen.identity.startswith(_DOUBTFUL)
    look = seen.look if is_settled and is_sure else ""
    if registry.folders.get(seen.identity) != (now := _folder(name, seen, look)):
        registry.put(seen.identity, now)
    return name


def rewritten(registry: RepositoryRegistry, name: str, pairs: Sequence[tuple[str, str]]) -> None:
    """Record the first commits that replaced others."""
    known = registry.repositories[name]
    for old, new in pairs:
        if old in known.roots:
            known = replace(known, roots=_joined(known.roots, new))
    registry.repositories[name] = known


def _folder(name: str, seen: GitIdentity, look: str) -> Folder:
    return Folder(repository=name, place=seen.place, look=look)


def _in_this_folder(
    registry: RepositoryRegistry, seen: GitIdentity, doubts: RegistryQuestions
) -> str | None:
    folder = registry.folders.get(seen.identity)
    if folder is None:
        return None
    known = registry.repositories[folder.repository]
    if seen.root is None or not known.roots or seen.root in known.roots or seen.mark in known.marks:
        return folder.repository
    if seen.identity.startswith(_DOUBTFUL):
        return None
    # Another first commit: an unrelated branch is checked out, the history was rewritten, or the
    # folder now holds another project, which has another origin or a known first commit.
    if seen.moment in known.moments or doubts.comes_from_any(known.roots):
        return folder.repository
    has_origin = seen.remote is None or not known.remotes or seen.remote == known.remotes[0]
    return folder.repository if has_origin and _owner(registry, seen.root) is None else None


def _owner(registry: RepositoryRegistry, root: str | None) -> str | None:
    return next((name for name, one in registry.repositories.items() if root in one.roots), None)


def _elsewhere(
    registry: RepositoryRegistry, seen: GitIdentity, doubts: RegistryQuestions
) -> str | None:
    """Return the known repository of which this is a clone."""
    if seen.root is None:
        return _of_shallow(registry, seen) if seen.cuts else None
    if owner := _owner(registry, seen.root):
        return owner
    every = registry.repositories
    for name, known in every.items():
        if seen.mark in known.marks and not _places(seen).isdisjoint(registry.places(name)):
            return name
    for name, known in every.items():
        is_near = known.cuts and not known.roots and seen.remote in registry.places(name)
        if is_near and doubts.holds_any(known.cuts):
            return name
    return None


def _of_shallow(registry: RepositoryRegistry, seen: GitIdentity) -> str | None:
    """Return the repository with the same origin; an origin that several share decides nothing."""
    every = registry.repositories
    same = [name for name, known in every.items() if set(seen.cuts) & set(known.cuts)]
    if not same and seen.remote is not None:
        same = [name for name in every if seen.remote in registry.places(name)]
    return same[0] if len(same) == 1 else None


def _places(seen: GitIdentity) -> set[str | None]:
    return {seen.place, seen.remote} - {None}


def _with_news(
    known: KnownRepository, seen: GitIdentity, doubts: RegistryQuestions
) -> KnownRepository:
    """Return the updated facts.

    Another first commit counts as the old one rewritten if it has the same mark, or if the old one
    is gone and the time or the origin is the same.
    """
    if seen.root is None:
        if not seen.cuts or known.roots:
            return known
        return replace(known, cuts=seen.cuts, remotes=_joined(known.remotes, seen.remote))
    if known.roots and seen.root not in known.roots and seen.mark not in known.marks:
        is_from_there = seen.remote is not None and seen.remote in known.remotes[:1]
        is_likely = is_from_there or seen.moment in known.moments
        if not is_likely or doubts.comes_from_any(known.roots):
            return known
    return KnownRepository(
        roots=_joined(known.roots, seen.root),
        marks=_joined(known.marks, seen.mark),
        moments=_joined(known.moments, seen.moment),
        remotes=_joined(known.remotes, seen.remote),
    )


def _joined(words: tuple[str, ...], word: str | None) -> tuple[str, ...]:
    return words if word is None or word in words else (*words, word)


def _new_name(seen: GitIdentity) -> str:
    if seen.root is not None:
        return _named(seen.root)
    if seen.cuts:
        return _named("shallow:" + "\n".join(sorted(seen.cuts)))
    return _named(f"unborn:{seen.identity}")


def _named(words: str) -> str:
    return "repo_" + hashlib.sha256(words.encode()).hexdigest()[:20]


def _short(words: str) -> str:
    return hashlib.sha256(os.fsencode(words)).hexdigest()[:32]


def mark_of(*, author: str, moment: str, subject: str) -> str:
    """Return the mark of a first commit as a hash, which reveals no names."""
    return _short(f"{author}\x1f{moment}\x1f{subject}")


def place_of(address: str, *, beside: Path) -> str:
    """Return a normalised hash of a remote's address or a path: all spellings give the same.

    User names, passwords, default ports, ``.git`` and the protocol do not count, and none of it can
    be read from the result.
    """
    scheme, separator, rest = address.partition("://")
    if separator and scheme != "file":
        server, _, path = rest.partition("/")
        host, _, port = server.rpartition("@")[2].partition(":")
        return _place(host if port in _USUAL_PORTS or not port else f"{host}:{port}", path)
    server, colon, path = address.partition(":")
    if not separator and colon and "/" not in server:
        return _place(server.rpartition("@")[2], path)
    whole = os.path.realpath(beside / (rest if separator else address))
    return _short(f"path:{_bare(whole)}")


def _place(host: str, path: str) -> str:
    return _short(f"{host.lower()}/{_bare(path.partition('?')[0])}")


def _bare(path: str) -> str:
    return path.strip("/").removesuffix(".git").strip("/")
