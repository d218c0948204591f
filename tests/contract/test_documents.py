"""Documents: read back exactly, found by name and prefix, and removed with their memories."""

from __future__ import annotations

from datetime import timedelta

from holdfast.domain.documents.document import FrameworkDocument
from holdfast.domain.review.curation import Severity
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from tests.builders import NOON, a_document, a_tombstone
from tests.contract.steps import keep, memory_id, numbered, said_nothing
from tests.requirements import requirement

FULL = a_document(
    "ö/b.md",
    namespace=("a", 'b"', "c"),
    body='{"b":"\\r\\n\\u2028","a":[1,2.5,null,true]}',
    version=7,
    updated_at=NOON + timedelta(seconds=1),
    expires_at=NOON + timedelta(hours=1),
    memory_id=memory_id(1),
)


def put(store: Store, *documents: FrameworkDocument) -> list[FrameworkDocument]:
    with store.writing(NOON) as tx:
        return [tx.names.documents.put(one) for one in documents]


@requirement("store.reads-back-exactly")
def test_a_document_reads_back_exactly_and_is_replaced_at_its_place(store: Store) -> None:
    keep(store, numbered(1))
    first, second = put(store, FULL, a_document("x"))
    (again,) = put(store, replace(FULL, body="3", version=8, memory_id=None, expires_at=None))

    with store.reading() as tx:
        documents = tx.names.documents
        found = documents.get([FULL.name, second.name, a_document("none").name])

    assert replace(first, place=0) == FULL
    assert (first.place, second.place, again.place) == (1, 2, 1)
    assert list(found) == [again, second]
    assert store.upkeep.check(said_nothing)[0].severity is Severity.OK


def test_documents_are_found_by_the_beginning_of_their_namespace(store: Store) -> None:
    spaces = [(), ("a",), ("a", "b"), ("a", "bc"), ("a,b",), ("b",), ('a","b',)]
    put(store, *(a_document(str(at), namespace=one) for at, one in enumerate(spaces)))
    put(store, a_document("other", collection="other", namespace=("a",)))

    with store.reading() as tx:
        documents = tx.names.documents

        def within(*labels: str, beyond: int = 0, limit: int = 99) -> list[str]:
            found = documents.within("test", labels, beyond=beyond, limit=limit)
            return [one.name.key for one in found]

        assert within() == ["0", "1", "2", "3", "4", "5", "6"]
        assert within("a") == ["1", "2", "3"]
        assert within("a", "b") == ["2"]
        assert within("c") == []
        assert within(beyond=2, limit=2) == ["2", "3"]
        assert sorted(documents.namespaces("test")) == sorted(spaces)
        assert [one.name.key for one in documents.page(beyond=6, limit=9)] == ["6", "other"]


def test_documents_expire_and_are_dropped(store: Store) -> None:
    later = [a_document(str(n), expires_at=NOON + timedelta(minutes=9 - n)) for n in (1, 2, 3)]
    put(store, *later, a_document("stays"))

    with store.writing(NOON) as tx:
        documents = tx.names.documents
        moment = NOON + timedelta(minutes=7)
        expired = [one.name.key for one in documents.expired(moment, limit=9)]
        gone = documents.drop([later[0].name, a_document("none").name])

    with store.reading() as tx:
        left = [one.name.key for one in tx.names.documents.page(beyond=0, limit=9)]
    assert (expired, gone, left) == (["3", "2"], 1, ["2", "3", "stays"])


@requirement("documents.forgotten-with-their-memory")
def test_a_document_goes_with_its_memory(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    put(store, FULL, a_document("b", memory_id=memory_id(2)), a_document("c"))

    with store.writing(NOON) as tx:
        before = [one.name.key for one in tx.names.documents.of_memories([memory_id(1)])]
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        left = [one.name.key for one in tx.names.documents.page(beyond=0, limit=9)]
    assert (before, left) == (["ö/b.md"], ["b", "c"])
