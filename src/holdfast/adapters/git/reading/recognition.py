"""Recognises a repository, so that all its clones share one id."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.git.reading.registry import RepositoryRegistry
from holdfast.adapters.git.reading.repository import Repository, ask_git


def repository_id(repository: Repository, *, cache: Path) -> str:
    """Return the id that all clones of the repository share, however its history is rewritten.

    Git is called if a folder is new or has changed, and the registry of known repositories gives
    the id; a known folder needs no process.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    from holdfast.adapters.git.reading.identity import folder_identity, folder_look
    from holdfast.adapters.git.reading.registry import changing_registry, read_registry

    here = folder_identity(repository.common_dir)
    held = read_registry(cache).folders.get(here)
    if held is not None and held.look == folder_look(repository.common_dir):
        return held.repository
    with changing_registry(cache) as registry:
        try:
            return _recognised(repository, here, registry)
        except OutsideUnavailableError:
            if held is None:
                raise
            return held.repository


def note_rewritten(
    repository: Repository, pairs: Sequence[tuple[str, str]], *, cache: Path
) -> None:
    """Record in the registry that commits were rewritten, because one may be the first commit."""
    from holdfast.adapters.git.reading.identity import folder_identity, rewritten
    from holdfast.adapters.git.reading.registry import changing_registry

    with changing_registry(cache) as registry:
        held = registry.folders.get(folder_identity(repository.common_dir))
        if held is not None:
            rewritten(registry, held.repository, pairs)


def _recognised(repository: Repository, here: str, registry: RepositoryRegistry) -> str:
    from holdfast.adapters.git.reading.identity import (
        GitIdentity,
        RegistryQuestions,
        folder_look,
        identify,
        mark_of,
        place_of,
    )

    held, look = registry.folders.get(here), folder_look(repository.common_dir)
    if held is not None and held.look == look:
        return held.repository
    first, cuts = _first_commit(repository), _cuts(repository)
    seen = GitIdentity(
        identity=here,
        place=place_of(str(repository.common_dir), beside=repository.root),
        look=look,
        remote=_origin(repository) if first else None,
    )
    if first and first[0] in cuts:
        seen = replace(seen, cuts=cuts)
    elif first:
        root, author, moment, subject = first
        mark = mark_of(author=author, moment=moment, subject=subject)
        seen = replace(seen, root=root, mark=mark, moment=moment)
    return identify(
        registry,
        seen,
        RegistryQuestions(
            holds_any=lambda commits: _holds_any(repository, commits),
            comes_from_any=lambda commits: _comes_from_any(repository, commits),
        ),
    )


def _first_commit(repository: Repository) -> tuple[str, str, str, str] | None:
    """Return the first commit of the main branch: id, author, time, subject.

    Only first parents count: a merged unrelated history does not. None before the first commit.
    """
    ask = ("log", "--first-parent", "--max-parents=0", "--ignore-missing", "--encoding=UTF-8")
    # A ref may be dangling, such as the remote's HEAD after its branch was deleted.
    for tip in dict.fromkeys((_main_line(repository), "HEAD")):
        status, words, trouble = ask_git(repository, *ask, "--format=%H%n%an <%ae>%n%at%n%s", tip)
        if status != 0:
            raise OutsideUnavailableError(who="git", words=trouble)
        if words:
            root, author, moment, subject = words.split("\n")[:4]
            return root, author, moment, subject
    return None


def _main_line(repository: Repository) -> str:
    """Return the ref of the main branch: a checked-out orphan branch is not it."""
    folder = repository.common_dir
    packed = b""
    with suppress(OSError):
        packed = (folder / "packed-refs").read_bytes()
    for name in ("refs/heads/main", "refs/heads/master", "refs/remotes/origin/HEAD"):
        if (folder / name).is_file() or f" {name}\n".encode() in packed:
            return name
    return "HEAD"


def _cuts(repository: Repository) -> tuple[str, ...]:
    """Return the commits at which a shallow clone ends; they look like first commits."""
    with suppress(OSError):
        return tuple((repository.common_dir / "shallow").read_text(encoding="ascii").split())
    return ()


def _origin(repository: Repository) -> str | None:
    """Return the URL of the origin, or of the only remote."""
    from holdfast.adapters.git.reading.identity import place_of

    status, words, _ = ask_git(repository, "remote", "--verbose")
    lines = [line.rpartition(" (fetch)")[0].partition("\t") for line in words.splitlines()]
    remotes = {name: address for name, _, address in lines if name and address}
    address = remotes.get("origin") or (next(iter(remotes.values())) if len(remotes) == 1 else "")
    return place_of(address, beside=repository.root) if status == 0 and address else None


def _holds_any(repository: Repository, commits: Sequence[str]) -> bool:
    given = "\n".join(commits).encode()
    status, words, _ = ask_git(repository, "cat-file", "--batch-check", given=given)
    return status == 0 and any(line.split()[1:2] == ["commit"] for line in words.splitlines())


def _comes_from_any(repository: Repository, commits: Sequence[str]) -> bool:
    ask = ("rev-list", "--max-parents=0", "--ignore-missing", "--branches", "HEAD")
    _, words, _ = ask_git(repository, *ask)
    return not set(commits).isdisjoint(words.split())
