"""News: report to a session what people decided since its last report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.selection import Selection
from holdfast.domain.sessions.news import How, NewsItem, change_of, news_text
from holdfast.domain.text.fencing import nonce_of
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.checking import view

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.memory.selection import View
    from holdfast.ports.store.store import Transaction
    from holdfast.usecases.recall.recalled_memories import RecallPorts

_MOST_EVENTS = 5_000
_MOST_CHANGES = 40
_TELLING = frozenset({"memory.added", "memory.standing", "memory.forgotten"})


@dataclass(frozen=True, slots=True, kw_only=True)
class TellNews:
    """A request for the changes after an event, for a session that received these memories."""

    since: int
    told: Collection[str] = ()
    tokens: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """The fenced text; empty if nothing changed for the session."""

    text: str = ""
    new: tuple[MemoryId, ...] = ()
    ended: tuple[MemoryId, ...] = ()
    newest: int = 0


def tell_news(wish: TellNews, *, ports: RecallPorts) -> News:
    """Return what changed for a session; of very many events, only the newest are read."""
    place, now = ports.surroundings.place(), ports.clock.now()
    with ports.store.reading() as tx:
        newest = tx.diary.events.head().sequence
        records = _changed(max(wish.since, newest - _MOST_EVENTS), tx)
        if not records:
            return News(newest=newest)
        seen = view(place, tx=tx, verifier=ports.verifier)
        records |= _replaced_by(records, seen, wish.told, tx)
    within = Selection(space=place.space, place=place, recallable_at=now, view=seen)
    changes = [
        change
        for memory_id, record in records.items()
        if record is None or not is_sensitive(record.memory)
        if (change := change_of(memory_id, record, told=wish.told, within=within)) is not None
    ]
    return _told(changes, wish, newest, ports)


def _changed(since: int, tx: Transaction) -> dict[MemoryId, MemoryRecord | None]:
    """Return the memories of the events, newest first; a forgotten one has no record."""
    events = tx.diary.events.since(since, limit=_MOST_EVENTS)
    names = [MemoryId(event.subject) for event in events if event.action in _TELLING]
    known = tx.memories.get_many(names)
    return {name: known.get(name) for name in reversed(names)}


def _replaced_by(
    newer: Collection[MemoryId], seen: View, told: Collection[str], tx: Transaction
) -> dict[MemoryId, MemoryRecord | None]:
    """Return the memories of a session that new memories supersede in this checkout."""
    olds = [old for old, new in seen.replaced.items() if new in newer and old in told]
    return dict(tx.memories.get_many(olds))


def _told(changes: Sequence[NewsItem], wish: TellNews, newest: int, ports: RecallPorts) -> News:
    # Ended memories come first: acting on them does more harm than missing new ones.
    ordered = sorted(changes, key=lambda change: change.how is How.NEW)
    count = ports.counter.count
    text, said = news_text(
        ordered[:_MOST_CHANGES],
        nonce=nonce_of(ports.clock.entropy()),
        fits=lambda text: len(text) <= wish.characters and count(text) <= wish.tokens,
    )
    return News(
        text=text,
        new=tuple(one.memory_id for one in said if one.how is How.NEW),
        ended=tuple(one.memory_id for one in said if one.how is not How.NEW),
        newest=newest,
    )
