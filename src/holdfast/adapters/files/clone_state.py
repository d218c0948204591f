"""What Holdfast keeps beside the pages of a clone: the last synced state, and forgotten texts."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.file_locks import changing
from holdfast.adapters.disk.json_files import read_json
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.selection import near_form
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.refusals import PageUnwritableError
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Base
from holdfast.ports.pages.task_pages import TaskBase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfast.domain.memory.entry import PageEntry
    from holdfast.ports.anchors.clone import Versions

BASES_FILE = "bases.json"
TASKS_FILE = "tasks.json"
_STORES = "stores"
_DETACHED = "HEAD@"
_MOST_DETACHED = 8
_MOST_BRANCHES = 20
"""How many branches are asked for the texts that a new branch begins with."""
_PROPOSED = "proposed"
_DONE = "done"
_Kept = dict[str, dict[str, object]]
Name = TypeVar("Name", bound=str)
AnyBase = TypeVar("AnyBase", Base, TaskBase)


def state_of(state: Path, store: str) -> Path:
    """Return the folder for the state of one store in a clone; no name means the shared folder.

    Several stores can sync one clone: spaces, or two homes. The last synced state and the
    forgotten texts differ between them. Locks and displaced saves belong to the pages themselves,
    so all stores share those.
    """
    return state / _STORES / store if store else state


def is_synced(state: Path) -> bool:
    """Return whether any store ever synced the pages of a clone."""
    return _has(state, BASES_FILE)


def is_synced_with_tasks(state: Path) -> bool:
    """Return whether any store ever synced the pages of a clone, of memories or of tasks."""
    return is_synced(state) or _has(state, TASKS_FILE)


def _has(state: Path, name: str) -> bool:
    return (state / name).exists() or any(state.glob(f"{_STORES}/*/{name}"))


def from_other_branches(
    others: Iterable[Mapping[Name, AnyBase]],
    versions: Versions,
    texts_at: Callable[[str], Mapping[Name, frozenset[str]]],
) -> dict[Name, AnyBase]:
    """Return what a branch that was never synced takes over from those that were, latest first.

    It is the synced state of the entries whose text, at the commit where the branch was made, is
    one that page and store agreed on in this clone. Who changed an entry since then is asked of git
    as on the other branch; if the branch was made before that sync, nobody is known to have.
    """
    latest = list(islice(others, _MOST_BRANCHES))
    start = versions.branch_start({one.at for some in latest for one in some.values() if one.at})
    if start is None:
        return {}
    texts, found = texts_at(start.commit), dict[Name, AnyBase]()
    for some in latest:
        for name, base in some.items():
            if name not in found and texts.get(name) == {base.digest}:
                at = base.at if base.at in start.contained else None
                found[name] = replace(base, at=at)
    return found


class Bases:
    """The file of bases; an unreadable file counts as empty.

    ``elsewhere`` returns the files of the other working trees of the clone.
    """

    def __init__(self, path: Path, *, elsewhere: Callable[[], Iterable[Path]] = tuple) -> None:
        self._path = path
        self._elsewhere = elsewhere

    def has(self, branch: str) -> bool:
        """Return whether a branch was ever synced."""
        return branch in self._read()

    def of_others(self, branch: str) -> Iterator[dict[MemoryId, Base]]:
        """Return the synced states of the other branches, the latest first.

        Those of other working trees follow; there it may be the branch itself.
        """
        yield from (self.of(name) for name in reversed(self._read()) if name != branch)
        for path in self._elsewhere():
            there = Bases(path)
            yield from (there.of(name) for name in reversed(there._read()))

    def of(self, branch: str) -> dict[MemoryId, Base]:
        """Return the last synced state of a branch."""
        found = {}
        for uid, kept in self._read().get(branch, {}).items():
            if isinstance(kept, dict) and {"digest", "tip"} <= kept.keys():
                found[MemoryId(uid)] = Base(
                    digest=str(kept["digest"]),
                    tip=MemoryId(str(kept["tip"])),
                    head=str(kept["head"]) if "head" in kept else None,
                    at=str(kept["at"]) if "at" in kept else None,
                    held=str(kept["held"]) if "held" in kept else None,
                    **_replaced(kept.get("replaced")),
                    is_removal_proposed=kept.get("removal") == _PROPOSED,
                    is_own=kept.get("own") is True,
                    is_removed=kept.get("removal") == _DONE,
                )
        return found

    def keep(self, branch: str, bases: Mapping[MemoryId, Base]) -> None:
        """Replace the synced state of a branch atomically.

        Raises:
            PageUnwritableError: The disk is full or the permissions do not allow it.
        """
        everything = self._read()
        everything.pop(branch, None)
        everything[branch] = {uid: _as_kept(base) for uid, base in sorted(bases.items())}
        detached = [name for name in everything if name.startswith(_DETACHED)]
        for name in detached[:-_MOST_DETACHED]:
            del everything[name]
        try:
            write_whole(self._path, json.dumps(everything).encode())
        except OSError as error:
            raise PageUnwritableError(str(self._path), str(error.strerror)) from error

    def _read(self) -> _Kept:
        try:
            kept = read_json(self._path)
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {name: each for name, each in kept.items() if isinstance(each, dict)}


def _as_kept(base: Base) -> dict[str, object]:
    kept: dict[str, object] = {"digest": base.digest, "tip": str(base.tip)}
    kept |= {} if base.head is None else {"head": base.head}
    kept |= {} if base.at is None else {"at": base.at}
    kept |= {} if base.held is None else {"held": base.held}
    kept |= {"removal": _PROPOSED} if base.is_removal_proposed else {}
    kept |= {"removal": _DONE} if base.is_removed else {}
    kept |= {"own": True} if base.is_own else {}
    return kept | ({"replaced": [base.written, *base.replaced]} if base.replaced else {})


class _Replaced(TypedDict, total=False):
    """The content that Holdfast's own writes replaced, and when."""

    replaced: tuple[str, ...]
    written: int


def _replaced(kept: object) -> _Replaced:
    match kept:
        case [int(written), *digests]:
            return {"written": written, "replaced": tuple(map(str, digests))}
        case _:
            return {}


FORGOTTEN_FILE = "forgotten.json"
_SALT_BYTES = 16


class ForgottenTexts:
    """The file of hashes, with a checksum: a damaged file could let a forgotten text return.

    ``elsewhere`` returns the folders with the state of the other working trees of the clone: what
    was forgotten there must not come back here.
    """

    def __init__(
        self,
        state: Path,
        store: str = "",
        *,
        elsewhere: Callable[[], Iterable[Path]] = tuple,
    ) -> None:
        self._path = state_of(state, store) / FORGOTTEN_FILE
        self._state, self._store, self._elsewhere = state, store, elsewhere

    def _others(self) -> Sequence[ForgottenTexts]:
        """Return the other lists that apply here.

        Versions before stores had separate files wrote one list per clone. It names no store, so it
        still applies to all of them.
        """
        earlier = [ForgottenTexts(self._state)] if self._store else []
        return [*earlier, *(ForgottenTexts(one, self._store) for one in self._elsewhere())]

    def add(self, claim: str) -> None:
        """Add a text that must not come back."""
        with changing(self._path):
            kept = self._read()
            if kept is None:
                self._set_aside()
            salt, hashes, is_complete = kept or _KeptTexts("", frozenset(), is_complete=False)
            salt = salt or os.urandom(_SALT_BYTES).hex()
            self._write(salt, hashes | {_hash(salt, claim)}, is_complete=is_complete)

    def problem(self) -> str | None:
        """Return what is wrong with the file; None if it holds every forgotten text."""
        kept = self._read()
        if kept is None:
            return f"{self._path} is damaged"
        if not kept.is_complete:
            return f"{self._path} was damaged and begun anew"
        return next(filter(None, (one.problem() for one in self._others())), None)

    def accept_loss(self) -> bool:
        """Continue with the texts that are still known; return whether any were lost.

        Raises:
            OSError: The file cannot be written.
        """
        lost = [one.accept_loss() for one in self._others()]
        with changing(self._path):
            kept = self._read()
            if kept is None:
                self._set_aside()
            elif not kept.is_complete:
                self._write(kept.salt, kept.hashes, is_complete=True)
        return any(lost) or kept is None or not kept.is_complete

    def among(self, entries: Iterable[PageEntry]) -> frozenset[str]:
        """Return the digests of the entries whose text was forgotten."""
        asked = list(entries)
        kept = self._read()
        found = frozenset[str]().union(*(one.among(asked) for one in self._others()))
        if kept is None or not kept.hashes:
            return found
        return found | {
            one.digest
            for one in asked
            if {_hash(kept.salt, one.body), _coarse_hash(kept.salt, one.body)} & kept.hashes
        }

    def _read(self) -> _KeptTexts | None:
        """Return the content of the file; None if it is damaged."""
        try:
            shape = read_json(self._path)
            checksum = shape.pop("checksum", None)
            if checksum is not None and checksum != _checksum(shape):
                return None
            is_complete = bool(shape.get("complete", True))
            return _KeptTexts(str(shape["salt"]), frozenset(map(str, shape["hashes"])), is_complete)
        except FileNotFoundError:
            return _KeptTexts("", frozenset(), is_complete=True)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def _write(self, salt: str, hashes: frozenset[str], *, is_complete: bool) -> None:
        shape: dict[str, object] = {
            "salt": salt,
            "hashes": sorted(hashes),
            "complete": is_complete,
        }
        write_whole(self._path, json.dumps({**shape, "checksum": _checksum(shape)}).encode())

    def _set_aside(self) -> None:
        """Rename the damaged file to keep it."""
        self._path.replace(self._path.with_name(f"{FORGOTTEN_FILE}.damaged"))


class _KeptTexts(NamedTuple):
    salt: str
    hashes: frozenset[str]
    is_complete: bool


def _checksum(shape: dict[str, object]) -> str:
    return hashlib.sha256(json.dumps(shape, sort_keys=True).encode()).hexdigest()


def _hash(salt: str, text: str) -> str:
    """Return the hash of a statement; the blank keeps it apart from every coarse hash."""
    return _keyed(salt, f" {statement_form(text)}")


def _coarse_hash(salt: str, text: str) -> str:
    """Return the hash that earlier releases stored, which ignores case, articles and brackets."""
    return _keyed(salt, near_form(text))


def _keyed(salt: str, text: str) -> str:
    said = text.encode("utf-8", "surrogatepass")
    return hmac.new(salt.encode(), said, hashlib.sha256).hexdigest()
