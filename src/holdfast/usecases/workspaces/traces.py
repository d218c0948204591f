"""Name the snapshots that keep a page with a forgotten text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.review.traces import Reach, Trace
from holdfast.usecases.workspaces.ports import entries_of, every_snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from holdfast.domain.review.traces import GoneText
    from holdfast.domain.workspaces.snapshot import FolderSnapshot
    from holdfast.ports.store.store import Store
    from holdfast.ports.workspaces.contents import Contents

_PAGES = ".holdfast"
_LARGEST = 1 << 20
_ADVICE = "Delete the snapshot, and collect garbage after that."


class SnapshotTraces:
    """The files below ``.holdfast`` in the snapshots of this machine; a snapshot never changes."""

    def __init__(self, store: Store, contents: Contents) -> None:
        self._store, self._contents = store, contents

    def __str__(self) -> str:
        return "the snapshots of workspaces"

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Return the snapshots with a text; a person deletes them.

        Raises:
            ContentDamagedError: The content of a snapshot cannot be read.
        """
        with self._store.reading() as tx:
            snapshots = tuple(every_snapshot(tx))
        if not snapshots:
            return ()
        known: dict[str, bool] = {}
        with self._contents.using():
            return tuple(
                Trace(place=f"the snapshot {one.id}: {path}", reach=Reach.LEFT, advice=_ADVICE)
                for one in snapshots
                if self._contents.has(one.manifest)
                for path in self._holding(one, gone, known)
            )

    def _holding(
        self, snapshot: FolderSnapshot, gone: Sequence[GoneText], known: dict[str, bool]
    ) -> Iterator[str]:
        for entry in entries_of(snapshot, self._contents):
            is_page = _PAGES in entry.path.split("/") and entry.size <= _LARGEST
            if not is_page or not entry.hash:
                continue
            if entry.hash not in known:
                content = b"".join(self._contents.read(entry.hash)).decode("utf-8", "replace")
                known[entry.hash] = any(one.is_in(content) for one in gone)
            if known[entry.hash]:
                yield entry.path
