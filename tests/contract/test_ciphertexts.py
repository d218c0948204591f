"""Ciphertexts: read back exactly, found by digest and key, and removed with their records."""

from __future__ import annotations

from dataclasses import replace

from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId
from holdfast.domain.ids import AgentId
from holdfast.domain.review.curation import Severity
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_tombstone, an_agent
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

OLD, NEW = KeyId("k_0000000000000001"), KeyId("k_0000000000000002")
FIRST = Ciphertext(record=memory_id(1), key_id=OLD, digest="ab" * 32, body="AAAA")
SECOND = Ciphertext(record=memory_id(2), key_id=NEW, digest="cd" * 32, body="BBBB")
DIRECTIVES = Ciphertext(record=f"{an_agent().id} directives", key_id=OLD, body="CCCC")


def _put(store: Store, *ciphertexts: Ciphertext) -> None:
    with store.writing(NOON) as tx:
        for one in ciphertexts:
            tx.names.ciphertexts.put(one)


def test_a_ciphertext_reads_back_exactly_and_is_replaced(store: Store) -> None:
    keep(store, numbered(1))
    _put(store, FIRST)
    again = replace(FIRST, key_id=NEW, body="DDDD")

    with store.reading() as tx:
        before = tx.names.ciphertexts.get(FIRST.record)
    _put(store, again)

    with store.reading() as tx:
        assert before == FIRST
        assert tx.names.ciphertexts.get(FIRST.record) == again
        assert tx.names.ciphertexts.get("m_none") is None


def test_ciphertexts_are_found_by_digest_and_by_key(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(an_agent())
    _put(store, SECOND, FIRST, DIRECTIVES)

    with store.reading() as tx:
        found = tx.names.ciphertexts
        assert found.with_digests([FIRST.digest, SECOND.digest, "ef" * 32]) == (FIRST, SECOND)
        assert found.with_digests([""]) == ()
        assert found.under_others(NEW, beyond=None, limit=9) == (DIRECTIVES, FIRST)
        assert found.under_others(NEW, beyond=DIRECTIVES.record, limit=9) == (FIRST,)
        assert found.page(beyond=None, limit=2) == (DIRECTIVES, FIRST)
        assert found.page(beyond=FIRST.record, limit=2) == (SECOND,)
        assert found.keys() == {OLD: 2, NEW: 1}


@requirement("encryption.forget-without-key")
def test_a_ciphertext_goes_with_its_memory(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    _put(store, FIRST, SECOND)

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert tx.names.ciphertexts.page(beyond=None, limit=9) == (SECOND,)


def test_all_ciphertexts_of_an_agent_go_with_it(store: Store) -> None:
    longer = replace(DIRECTIVES, record=f"{an_agent().id}0 directives")
    cycle = replace(DIRECTIVES, record=f"{an_agent().id} 12 result")
    with store.writing(NOON) as tx:
        tx.diary.agents.names.put(an_agent())
        other = replace(an_agent(), id=AgentId(f"{an_agent().id}0"), name="other")
        tx.diary.agents.names.put(other)
    _put(store, DIRECTIVES, cycle, longer)

    with store.writing(NOON) as tx:
        tx.diary.agents.names.remove(an_agent().id)

    with store.reading() as tx:
        assert tx.names.ciphertexts.page(beyond=None, limit=9) == (longer,)


def test_a_check_of_the_store_covers_ciphertexts(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    _put(store, FIRST, SECOND)
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    found = store.upkeep.check(lambda _done, _all: None)

    assert [one for one in found if one.severity is Severity.DAMAGE] == []
