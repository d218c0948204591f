"""The last synced state of pages and store, for each branch, in one small file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypedDict

from holdfast.adapters.disk.whole import read_plain, write_whole
from holdfast.domain.ids import MemoryId
from holdfast.domain.refusals import PageUnwritableError
from holdfast.ports.pages.files import Base

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

BASES_FILE = "bases.json"
_STORES = "stores"
_DETACHED = "HEAD@"
_MOST_DETACHED = 8
_PROPOSED = "proposed"
_Kept = dict[str, dict[str, object]]


def state_of(state: Path, store: str) -> Path:
    """Return the folder for the state of one store in a clone; no name means the shared folder.

    Several stores can sync one clone: spaces, or two homes. The last synced state and the
    forgotten texts differ between them. Locks and displaced saves belong to the pages themselves,
    so all stores share those.
    """
    return state / _STORES / store if store else state


def is_synced(state: Path) -> bool:
    """Return whether any store ever synced the pages of a clone."""
    return (state / BASES_FILE).exists() or any(state.glob(f"{_STORES}/*/{BASES_FILE}"))


class Bases:
    """The file of bases; an unreadable file counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path

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
                    **_replaced(kept.get("replaced")),
                    is_removal_proposed=kept.get("removal") == _PROPOSED,
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
            kept = json.loads(read_plain(self._path))
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {name: each for name, each in kept.items() if isinstance(each, dict)}


def _as_kept(base: Base) -> dict[str, object]:
    kept: dict[str, object] = {"digest": base.digest, "tip": str(base.tip)}
    kept |= {} if base.head is None else {"head": base.head}
    kept |= {} if base.at is None else {"at": base.at}
    kept |= {"removal": _PROPOSED} if base.is_removal_proposed else {}
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
