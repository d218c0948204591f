"""Short helper steps for contract tests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import Memory, MemoryRecord, Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import Hit
from holdfast.ports.store.store import Store, Transaction
from tests.builders import NOON, a_memory


def memory_id(number: int) -> MemoryId:
    """Return an id that sorts by its number."""
    return MemoryId(f"m_{number:03}")


def numbered(number: int, **changes: Any) -> Memory:
    """Return a memory that is unique by its number."""
    fields: dict[str, Any] = {"id": memory_id(number), "claim": f"Claim {number}."}
    return a_memory(**(fields | changes))


def keep(store: Store, *memories: Memory, standing: Standing | None = None) -> list[MemoryRecord]:
    """Write the memories in one unit of work."""
    with store.writing(NOON) as tx:
        return [tx.memories.add(memory, standing or Standing()) for memory in memories]


def read(store: Store, wanted: MemoryId) -> MemoryRecord:
    """Read one memory in a transaction of its own."""
    with store.reading() as tx:
        return tx.memories.get(wanted)


def found(store: Store, selection: Selection, page: Page | None = None) -> list[MemoryId]:
    """Return the ids a selection finds, oldest first unless the page states otherwise."""
    with store.reading() as tx:
        records = tx.memories.find(selection, page or Page(oldest_first=True))
    return [record.memory.id for record in records]


def hits(store: Store, *terms: str, within: Selection | None = None, limit: int = 20) -> list[str]:
    """Return the ids a search finds, best first."""
    with store.reading() as tx:
        found = tx.finding.words.search(terms, within or Selection(), limit=limit)
        return [record.memory.id for record in records_of(tx, found)]


def records_of(tx: Transaction, found: Iterable[Hit]) -> Sequence[MemoryRecord]:
    """Return the records of hits, in their order."""
    return tx.finding.around.read([hit.sequence for hit in found])


def in_another_thread(work: Callable[[], object]) -> None:
    """Run a function in another thread, and wait until it has finished."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def said_nothing(_done: int, _total: int) -> None:
    """Accept the progress of a long task without output."""
