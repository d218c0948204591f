"""The memory service without a disk: what becomes of a memory over time, and after decisions."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.app import Holdfast
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.choices import LinkKind, Status
from holdfast.domain.errors import BadFieldError, NoMeaningError, NoSuchError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Memory, Standing, Tombstone
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service.ids import (
    entropy_in,
    hint_in,
    is_of_service,
    memory_id_of,
    read_owner,
    uuid_of,
)
from holdfast.domain.service.memories import AddMemory, Relate, SearchMemories, reason_of
from holdfast.domain.service_errors import QuotaReachedError
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.service import searching
from holdfast.usecases.service.quota import Quota, quota_use, refuse_beyond
from tests.builders import FixedClock, PlainSurroundings, WordCounter
from tests.contract.steps import keep, numbered
from tests.requirements import requirement
from tests.usecases.reading import SmallReader

OWNER = read_owner("acme", "ada", "default")
SPACE = SpaceId(OWNER.store_id)
TOKENS = SearchMemories(query="Tokens rotate.", min_similarity=0.9)


@pytest.fixture
def reader() -> SmallReader:
    return SmallReader()


@pytest.fixture
def serving(clock: FixedClock, reader: SmallReader) -> Holdfast:
    return opened(SPACE, clock, reader)


def opened(space: SpaceId, clock: FixedClock, reader: SmallReader) -> Holdfast:
    return Holdfast(
        principal=Principal.of(PrincipalKind.SERVICE, space=space),
        store=InMemoryStore(space=space),
        clock=clock,
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        embedder=reader,
    )


def added(
    serving: Holdfast, content: str = "Tokens rotate.", expires_at: datetime | None = None
) -> Memory:
    wish = AddMemory(content=content, expires_at=expires_at)
    return serving.service.add_memory(wish).memory


def contents(serving: Holdfast) -> list[str]:
    return [one.record.memory.claim for one in serving.service.search_memories(TOKENS)]


@requirement("service.found-at-once")
def test_an_expired_memory_is_neither_found_nor_related(
    serving: Holdfast, clock: FixedClock
) -> None:
    soon = clock.now() + timedelta(hours=1)
    short, long = added(serving, expires_at=soon), added(serving, "Tokens rotate!")
    relationship = Relate(source=uuid_of(long.id), target=uuid_of(short.id), relationship_type="x")
    serving.service.add_relationship(relationship)
    assert len(contents(serving)) == 2

    clock.advance(hours=1)

    assert contents(serving) == ["Tokens rotate!"]
    assert serving.service.related_memories(uuid_of(long.id)) == ()


@requirement("service.people-decide")
def test_a_memory_that_people_deprecated_is_not_found(serving: Holdfast) -> None:
    memory = added(serving)

    with serving.store.writing(serving.now()) as tx:
        tx.memories.set_standing(memory.id, Standing(status=Status.DEPRECATED))

    assert contents(serving) == []
    again = added(serving)
    assert contents(serving) == []
    with serving.store.writing(serving.now()) as tx:
        tx.memories.set_standing(again.id, Standing(status=Status.ACCEPTED))
    added(serving)
    assert len(contents(serving)) == 2
    added(serving, "Tokens: rotate.")


def test_a_memory_forgotten_during_a_search_is_not_returned(
    serving: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = added(serving)
    counted = searching._counted

    def late(*given: Any, **named: Any) -> object:
        grave = Tombstone(memory_id=memory.id, forgotten_at=serving.now(), forgotten_by="ada")
        with serving.store.writing(serving.now()) as tx:
            tx.memories.forget(grave)
        return counted(*given, **named)

    monkeypatch.setattr(searching, "_counted", late)

    assert contents(serving) == []
    with pytest.raises(NoSuchError, match=uuid_of(memory.id)):
        serving.service.related_memories(uuid_of(memory.id))


def test_a_model_that_fails_delays_only_the_vector(serving: Holdfast, reader: SmallReader) -> None:
    reader.is_blind = True
    added(serving)
    with pytest.raises(NoMeaningError):
        contents(serving)

    reader.is_blind = False

    assert contents(serving) == ["Tokens rotate."]


def test_after_a_change_of_model_the_older_one_answers_until_the_new_one_has_caught_up(
    serving: Holdfast, reader: SmallReader
) -> None:
    for number in range(200):
        added(serving, f"Tokens rotate {number}.")
    newer = SmallReader(name="newer")
    changed = replace(serving, embedder=newer, older_embedders=(reader,))
    known = added(changed)

    answered = []
    for _ in range(5):
        assert contents(changed)[:1] == [known.claim]
        answered.append((len(reader.questions), len(newer.questions), len(newer.texts)))

    assert answered == [(1, 0, 65), (2, 0, 129), (3, 0, 193), (4, 0, 201), (4, 1, 201)]


def test_links_that_record_a_judgement_are_no_relationships(serving: Holdfast) -> None:
    one, two = added(serving), added(serving, "Tokens do not rotate.")
    with serving.store.writing(serving.now()) as tx:
        tx.links.put(Link(src=one.id, dst=two.id, kind=LinkKind.CONTRADICTS))
        tx.links.put(Link(src=one.id, dst=two.id, kind="about", score=0.5))
        tx.links.put(Link(src=two.id, dst=one.id, kind="about"))

    found = serving.service.related_memories(uuid_of(one.id))

    assert [(one.relationship_type, one.strength) for one in found] == [("about", 0.5)]


@requirement("service.stays-in-its-stores")
def test_a_service_writes_to_no_ordinary_space(clock: FixedClock, reader: SmallReader) -> None:
    serving = opened(SpaceId("team"), clock, reader)
    relationship = Relate(source=OWNER.store_id, target=OWNER.store_id, relationship_type="x")

    with pytest.raises(NoSuchStoreError):
        added(serving)
    with pytest.raises(NoSuchStoreError):
        serving.service.add_relationship(relationship)


def test_a_relationship_to_itself_is_refused(serving: Holdfast) -> None:
    one = uuid_of(added(serving).id)

    with pytest.raises(BadFieldError, match="itself"):
        serving.service.add_relationship(Relate(source=one, target=one, relationship_type="x"))


@requirement("service.ids-are-uuids")
def test_ids_and_uuids_are_two_spellings_of_one_number(serving: Holdfast) -> None:
    memory = added(serving)
    name = uuid_of(memory.id)

    assert memory_id_of(name) == memory.id
    assert hint_in(name) == OWNER.store_id[:8]
    assert memory_id_of(name.upper()) == memory.id
    assert uuid_of(MemoryId("m_" + "0" * 26)) == "00000000-0000-0000-0000-000000000000"
    assert uuid_of(MemoryId("m_7" + "z" * 25)) == "ffffffff-ffff-ffff-ffff-ffffffffffff"
    assert uuid_of(MemoryId("m_hand_written")) == uuid_of(MemoryId("m_hand_written"))
    assert entropy_in(OWNER.store_id, 0) | entropy_in(OWNER.store_id, 2**80 - 1) < 2**80


@pytest.mark.parametrize(
    ("space", "expected"),
    [(SPACE, True), ("default", False), (str(SPACE).replace("-", ""), False)],
)
def test_a_store_of_the_service_is_known_by_its_name(space: str, *, expected: bool) -> None:
    assert is_of_service(SpaceId(space)) is expected


def test_long_metadata_is_cut_in_the_evidence() -> None:
    assert reason_of(None, {}) == "A service added it; source: none given."
    assert len(reason_of("chat", {"text": "x" * 5_000})) < 700


@requirement("http.quota-of-bytes")
def test_a_store_that_counts_its_own_bytes_takes_no_more_than_the_quota(tmp_path: Path) -> None:
    quota = Quota(most_bytes=1)
    with closing(SqliteStore.open(tmp_path / "memory.db")) as store:
        before = quota_use(quota, store)
        refuse_beyond(quota, before=before, store=store)
        keep(store, numbered(1))

        with pytest.raises(QuotaReachedError):
            refuse_beyond(quota, before=before, store=store)
        assert quota_use(quota, store).bytes == store.upkeep.tenant_bytes() > 1
