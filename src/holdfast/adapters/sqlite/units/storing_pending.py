"""Store the bundles that readers set aside while another process held the write lock."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.memory.memories import SqliteMemories
from holdfast.adapters.sqlite.recall.bundles import SqliteBundles
from holdfast.domain.errors import StoreDamagedError

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.pending_bundles import PendingBundles
    from holdfast.adapters.sqlite.database.work import Work
    from holdfast.domain.ids import BundleId

STORED_AT_ONCE = 100  # chosen by hand


def stored(beside: PendingBundles, work: Work) -> list[BundleId]:
    """Store the oldest bundles that wait, in a unit of work; return those that need not wait.

    One whose process was killed before it removed the file is stored already, and is not counted
    again. A damaged one is dropped, and so are the counts of memories that are damaged themselves:
    neither keeps the others waiting.
    """
    done = beside.ids()[:STORED_AT_ONCE]
    for bundle_id in done:
        bundle = beside.get(bundle_id)
        if bundle is None or work.row("get_bundle", bundle_id) is not None:
            continue
        SqliteBundles(work).put(bundle)
        given = [item.memory_id for item in bundle.items]
        with suppress(StoreDamagedError):
            SqliteMemories(work).usage.count_given(given, bundle.asked_at)
    return done
