"""Embed all memories again, stop in the middle, and go on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.errors import BadFieldError, NoMeaningError, NoSuchError
from holdfast.domain.lookup_errors import NoModelError
from holdfast.domain.memory.selection import Cursor
from holdfast.usecases.recall.recalled_memories import catch_up
from tests.builders import FixedClock
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.test_embedding import covered, fill
from tests.usecases.wishes import asked, said


@dataclass
class Mark:
    """A mark in memory, and everything that was written to it."""

    at: Cursor | None = None
    written: list[Cursor | None] = field(default_factory=list)

    def read(self) -> Cursor | None:
        return self.at

    def write(self, beyond: Cursor | None) -> None:
        self.at = beyond
        self.written.append(beyond)


def ignore(_done: int, _total: int) -> None:
    """Watch nothing."""


@requirement("model.embedding-resumes")
def test_every_memory_is_embedded_again_and_a_stopped_run_goes_on(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    fill(holdfast, 70)
    catch_up(store=store, clock=clock, embedder=SmallReader())
    mark, reader, told = Mark(), SmallReader(), list[tuple[int, int]]()

    def stop(done: int, total: int) -> None:
        told.append((done, total))
        reader.is_blind = True

    reading = replace(holdfast, embedder=reader)
    with pytest.raises(NoMeaningError):
        reading.upkeep.embed_again(stop, mark=mark)
    before = len(reader.texts)
    assert mark.at is not None
    assert covered(store) == 70

    reader.is_blind = False
    again = reading.upkeep.embed_again(ignore, mark=mark)

    assert (told, again + before) == ([(64, 70)], 70)
    assert len(reader.texts) == len(set(reader.texts)) == 70
    assert mark.written[-1] is None
    assert covered(store) == 70


def test_a_mark_of_another_store_counts_as_none(
    holdfast: Holdfast, store: InMemoryStore, clock: FixedClock
) -> None:
    fill(holdfast, 2)
    mark = Mark(at=Cursor("not one of ours"))

    done = replace(holdfast, embedder=SmallReader()).upkeep.embed_again(ignore, mark=mark)

    assert (done, covered(store)) == (2, 2)


def test_without_a_model_nothing_is_embedded_again(holdfast: Holdfast) -> None:
    with pytest.raises(NoModelError):
        holdfast.upkeep.embed_again(ignore, mark=Mark())


@requirement("model.change-has-no-downtime")
def test_a_model_can_embed_all_before_it_is_chosen(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    fill(holdfast, 3)
    coming = SmallReader(name="coming")

    assert holdfast.upkeep.catch_up(ignore, coming) == 3
    assert holdfast.upkeep.embedded() == {"coming": 3}


def test_the_vectors_of_a_model_are_removed_unless_it_is_in_use(holdfast: Holdfast) -> None:
    fill(holdfast, 2)
    old = [SmallReader(name=name) for name in ("old@1", "old/8", "older@1", "old")]
    for reader in old:
        holdfast.upkeep.catch_up(ignore, reader)
    using = replace(holdfast, embedder=old[2])

    assert using.upkeep.drop_vectors("old") == 6
    assert set(using.upkeep.embedded()) == {"older@1"}
    with pytest.raises(BadFieldError, match="is in use"):
        using.upkeep.drop_vectors("older")
    with pytest.raises(NoSuchError):
        using.upkeep.drop_vectors("old")
    assert holdfast.upkeep.drop_vectors("older") == 2


@requirement("model.network-fails-softly")
def test_a_gap_that_cannot_be_filled_leaves_the_other_vectors_in_use(holdfast: Holdfast) -> None:
    reader = SmallReader()
    reading = replace(holdfast, embedder=reader)
    kept = said(reading, "Tokens rotate.")
    asked(reading)
    said(reading, "Lunch is served from noon.")
    reader.is_blind = True

    bundle = asked(reading, "Which credentials get renewed?").bundle

    assert bundle.items[0].memory_id == kept.memory.id
    assert {reason.leg for reason in bundle.items[0].reasons} >= {"meaning"}
    [note] = bundle.notes
    assert note.startswith("some memories were searched by words only: The model is torn.")


def test_the_status_names_the_model_that_answers(holdfast: Holdfast) -> None:
    old, new = SmallReader(name="old"), SmallReader(name="new")
    fill(holdfast, 2)
    holdfast.upkeep.catch_up(ignore, old)
    changed = replace(holdfast, embedder=new, older_embedders=(old,))

    before = changed.upkeep.status()
    changed.upkeep.catch_up(ignore)
    after = changed.upkeep.status()

    assert (before.embedding, before.embedded, before.answering) == ("new", 0, "old")
    assert (after.embedded, after.answering) == (2, "new")
    assert holdfast.upkeep.status().answering == ""
