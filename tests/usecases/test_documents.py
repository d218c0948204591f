"""Documents of frameworks, and the memories that carry their texts."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.access_errors import NoSuchStoreError
from holdfast.domain.choices import Status
from holdfast.domain.documents import document as shapes
from holdfast.domain.documents.document import (
    DocumentChangedError,
    DocumentName,
    DropDocument,
    FrameworkDocument,
    PutDocument,
    SearchDocuments,
    document_from_json,
    document_json,
)
from holdfast.domain.errors import (
    BadFieldError,
    SecretRefusedError,
    TooLargeError,
    UnstorableTextError,
)
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.memory import LONGEST_CLAIM, Standing
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.values import replace
from holdfast.usecases.documents import screening
from holdfast.usecases.exchange.exchange import bring_in
from holdfast.usecases.exchange.export import export_lines
from tests.builders import NOON, FixedClock, a_document
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.test_service import SPACE, opened

TEA = "Ada drinks green tea."
SECRET = "password: hunter2-and-more"  # noqa: S105 - it is refused


@pytest.fixture
def reader() -> SmallReader:
    return SmallReader()


@pytest.fixture
def serving(clock: FixedClock, reader: SmallReader) -> Holdfast:
    return opened(SPACE, clock, reader)


def put(key: str = "a", text: str = TEA, **given: Any) -> PutDocument:
    name = DocumentName(collection="test", namespace=given.pop("namespace", ()), key=key)
    fields: dict[str, Any] = {"value": {"text": text}} | given
    return PutDocument(name=name, text=text, source="tests", **fields)


def drop(key: str = "a", **given: Any) -> DropDocument:
    return DropDocument(name=DocumentName(collection="test", key=key), source="tests", **given)


def kept(serving: Holdfast, *changes: PutDocument | DropDocument) -> list[FrameworkDocument]:
    return [one for one in serving.documents.keep(changes) if one is not None]


def status(serving: Holdfast, memory_id: MemoryId | None) -> Status:
    assert memory_id is not None
    with serving.store.reading() as tx:
        return tx.memories.get(memory_id).standing.status


def keys(documents: Sequence[FrameworkDocument]) -> list[str]:
    return [one.name.key for one in documents]


@requirement("documents.history-in-memories")
def test_a_changed_text_supersedes_the_memory_before(serving: Holdfast) -> None:
    (first,) = kept(serving, put())
    (same,) = kept(serving, put(value={"text": TEA, "n": 2}))
    (second,) = kept(serving, put(text="Ada drinks coffee."))

    assert (first.version, same.version, second.version) == (1, 2, 3)
    assert first.memory_id == same.memory_id != second.memory_id
    assert status(serving, first.memory_id) is Status.SUPERSEDED
    with serving.store.reading() as tx:
        record = tx.memories.get(MemoryId(str(second.memory_id)))
    assert record.memory.claim == "Ada drinks coffee."
    assert record.memory.source == "memory-service:tests"
    assert record.memory.evidence[0].reference.startswith("A service added it; source: tests")


def test_a_text_that_goes_away_takes_its_memory_along(serving: Holdfast) -> None:
    (first,) = kept(serving, put())
    (second,) = kept(serving, put(text=" \n"))

    assert second.memory_id is None
    assert status(serving, first.memory_id) is Status.DEPRECATED
    (third,) = kept(serving, put(text=""))
    assert third.memory_id is None


def test_a_removed_document_leaves_a_deprecated_memory_or_nothing(serving: Holdfast) -> None:
    first, other = kept(serving, put(), put("b", "Bob has a cup."))
    serving.documents.keep([drop(), drop("none"), drop("b", forgets=True)])

    assert serving.documents.within("test") == []
    assert status(serving, first.memory_id) is Status.DEPRECATED
    with serving.store.reading() as tx:
        assert tx.names.tombstone(MemoryId(str(other.memory_id))) is not None
    (again,) = kept(serving, put())
    assert status(serving, again.memory_id) is Status.ACCEPTED
    kept(serving, put("plain", ""))
    assert serving.documents.keep([drop("plain")]) == [None]


def test_a_change_may_expect_a_version(serving: Holdfast) -> None:
    kept(serving, put(expects=0))

    with pytest.raises(DocumentChangedError, match="has version 1, not 0"):
        serving.documents.keep([put("b"), put(expects=0)])
    with pytest.raises(DocumentChangedError, match="has version 0, not 3"):
        serving.documents.keep([drop("none", expects=3)])
    kept(serving, put(expects=1), drop(expects=2))
    assert serving.documents.namespaces("test") == ()


def test_a_record_may_be_carried_by_a_known_memory(serving: Holdfast) -> None:
    (first,) = kept(serving, put())
    about, lost = kept(
        serving,
        put("about", "", carried_by=first.memory_id),
        put("lost", "", carried_by=MemoryId("m_none")),
    )
    (moved, _) = kept(serving, put("b", replaces=first.memory_id)), drop()

    assert (about.memory_id, lost.memory_id) == (first.memory_id, None)
    assert status(serving, first.memory_id) is Status.SUPERSEDED
    assert status(serving, moved[0].memory_id) is Status.ACCEPTED


def test_expired_documents_are_not_found_and_are_removed(
    serving: Holdfast, clock: FixedClock
) -> None:
    later = NOON + timedelta(minutes=5)
    (first,) = kept(serving, put(expires_at=later))
    plain = put("plain", "", expires_at=later)
    kept(serving, plain)

    clock.advance(minutes=5)

    assert serving.documents.named([first.name]) == []
    kept(serving, put("b", "Something else."))
    with serving.store.reading() as tx:
        standing = tx.memories.get(MemoryId(str(first.memory_id))).standing
        assert (standing.status, standing.reason) == (Status.DEPRECATED, "It expired.")
        assert keys(tx.names.documents.page(beyond=0, limit=9)) == ["b"]
    with pytest.raises(BadFieldError, match="is not in the future"):
        serving.documents.keep([put(expires_at=NOON)])


@requirement("documents.people-decide")
def test_what_a_person_turned_down_is_not_found_and_not_accepted_again(serving: Holdfast) -> None:
    first, _ = kept(serving, put(), put("b", "Bob has a cup."))
    name = MemoryId(str(first.memory_id))
    with serving.store.writing(NOON) as tx:
        tx.memories.set_standing(name, Standing(status=Status.REJECTED, decided_by="ada"))

    assert keys(serving.documents.within("test")) == ["b"]
    (again,) = kept(serving, put("c"))
    assert status(serving, again.memory_id) is Status.CANDIDATE
    serving.documents.keep([drop()])
    assert status(serving, name) is Status.REJECTED
    with serving.store.writing(NOON) as tx:
        tx.memories.set_standing(MemoryId(str(again.memory_id)), Standing())
    (accepted,) = kept(serving, put("d"))
    assert status(serving, accepted.memory_id) is Status.ACCEPTED


def test_a_text_that_only_looks_alike_is_accepted(serving: Holdfast) -> None:
    (first,) = kept(serving, put(text="IT drinks tea."))
    with serving.store.writing(NOON) as tx:
        refused = Standing(status=Status.REJECTED, decided_by="ada")
        tx.memories.set_standing(MemoryId(str(first.memory_id)), refused)

    (other,) = kept(serving, put("b", "it drinks tea."))

    assert status(serving, other.memory_id) is Status.ACCEPTED


def test_a_forgotten_memory_takes_the_document_along(serving: Holdfast) -> None:
    (first,) = kept(serving, put())
    other = replace(first, name=replace(first.name, key="orphan"), memory_id=MemoryId("m_none"))
    with serving.store.writing(NOON) as tx:
        tx.names.documents.put(other)

    serving.documents.keep([drop("orphan")])
    serving.documents.keep([drop(forgets=True)])

    assert serving.documents.within("test") == []


def test_a_long_text_is_cut_for_its_memory_only(serving: Holdfast) -> None:
    text = "é" * LONGEST_CLAIM
    (document,) = kept(serving, put(text=text))

    with serving.store.reading() as tx:
        claim = tx.memories.get(MemoryId(str(document.memory_id))).memory.claim
    assert claim == "é" * (LONGEST_CLAIM // 2)
    assert document.value == {"text": text}


@requirement("documents.exact")
def test_values_read_back_exactly_and_hidden_characters_do_not_stay(serving: Holdfast) -> None:
    value = {"b": "one\r\ntwo\n", "a": [1, 2.5, None, True, "x"], "raw": b"\x00\xff"}
    (document,) = kept(serving, put(text="", value={**value, "hidden": "a\u200bb"}))

    found = document.value
    assert isinstance(found, dict)
    assert list(found) == ["b", "a", "raw", "hidden"]
    assert (found["b"], found["a"]) == (value["b"], value["a"])
    assert (found["raw"], found["hidden"]) == ({"$bytes": "AP8="}, "ab")


@requirement("documents.secrets-refused")
@pytest.mark.parametrize(
    "change",
    [
        put(value={"note": f"my {SECRET}"}),
        put(value={"password": "hunter2-and-more"}),
        put(value=[f"x {SECRET}".encode()]),
        put(text=SECRET, value={}),
        put(value={SECRET: 1}),
        put(SECRET),
        put(namespace=(SECRET,)),
        put(metadata={"note": SECRET}),
    ],
)
def test_a_secret_is_refused_wherever_it_is(serving: Holdfast, change: PutDocument) -> None:
    with pytest.raises(SecretRefusedError):
        serving.documents.keep([put("b"), change])

    assert serving.documents.within("test") == []


def test_what_a_provider_sealed_is_kept(serving: Holdfast) -> None:
    sealed = "gAAAAABo" + "Zx9/Qw3+Er7TyUiOp5As1DfGh2JkL4ZxCvBnM6" * 4
    kept(serving, put(value={"encrypted_content": sealed}))

    with pytest.raises(SecretRefusedError):
        serving.documents.keep([put(value={"note": sealed})])


@pytest.mark.parametrize(
    ("value", "error", "words"),
    [
        ({1: 2}, BadFieldError, "which is not text"),
        (math.nan, BadFieldError, "which is not JSON"),
        (object(), BadFieldError, "which is not JSON"),
        ("a\0b", UnstorableTextError, "NUL"),
    ],
)
def test_what_is_no_json_is_refused(
    serving: Holdfast, value: object, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        serving.documents.keep([put(value=value)])


def test_large_and_deep_values_are_refused(
    serving: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep: object = 1
    for _ in range(70):
        deep = [deep]
    with pytest.raises(BadFieldError, match="nested more than 64 deep"):
        serving.documents.keep([put(value=deep)])
    monkeypatch.setattr(screening, "LARGEST_DOCUMENT", 20)
    with pytest.raises(TooLargeError):
        serving.documents.keep([put()])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"collection": "", "key": "k"}, "collection is blank"),
        ({"collection": "c", "key": "k" * 1_001}, "over 1,000 characters"),
        ({"collection": "c", "key": "k", "namespace": ("x",) * 65}, "over 64 labels"),
    ],
)
def test_names_have_limits(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadFieldError, match=words):
        DocumentName(**given)


def test_documents_are_searched_by_meaning_in_their_namespace(serving: Holdfast) -> None:
    kept(
        serving,
        put("tea", namespace=("ada",)),
        put("cup", "Bob has a blue cup.", namespace=("bob",)),
        put("none", "", namespace=("ada",)),
    )
    kept(serving, replace(put("other"), name=DocumentName(collection="other", key="other")))

    found = serving.documents.search(SearchDocuments(query=TEA, collection="test"))
    near = serving.documents.search(
        SearchDocuments(query=TEA, collection="test", namespace=("bob",), limit=1)
    )

    assert keys([one.document for one in found]) == ["tea", "cup"]
    assert found[0].score > 0.9 > found[1].score
    assert keys([one.document for one in near]) == ["cup"]


@pytest.mark.parametrize("has_model", [True, False])
def test_without_a_model_documents_are_searched_by_words(
    serving: Holdfast, reader: SmallReader, *, has_model: bool
) -> None:
    reader.is_deaf = True
    deaf = serving if has_model else replace(serving, embedder=None)
    kept(deaf, put("tea"), put("cup", "Bob has a blue cup."))

    found = deaf.documents.search(SearchDocuments(query="green tea", collection="test"))
    nothing = deaf.documents.search(SearchDocuments(query="zebra", collection="test"))

    assert [(one.document.name.key, one.score) for one in found] == [("tea", 1.0)]
    assert nothing == []


def test_documents_belong_to_stores_of_services(clock: FixedClock, reader: SmallReader) -> None:
    ordinary = opened(SpaceId("ada"), clock, reader)

    with pytest.raises(NoSuchStoreError):
        ordinary.documents.keep([put()])
    with pytest.raises(NoSuchStoreError):
        ordinary.documents.within("test")


@requirement("documents.exported")
def test_an_export_brings_documents_along(serving: Holdfast, clock: FixedClock) -> None:
    raw = put("raw", "", value={"b": b"\x00\xff", "l": [{"$bytes": "AA=="}]})
    kept(serving, put(namespace=("a",)), raw)
    lines = list(export_lines(store=serving.store))
    target = InMemoryStore(space=SPACE)

    first = bring_in(lines, store=target, clock=clock)
    second = bring_in(lines, store=target, clock=clock)

    with serving.store.reading() as here, target.reading() as there:
        assert there.names.documents.page(beyond=0, limit=9) == here.names.documents.page(
            beyond=0, limit=9
        )
    assert (first.refused, second.added, second.refused) == ((), 0, ())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"memory_id": "m_none"}, "m_none, which is not here"),
        ({"body": "{"}, "body is no JSON"),
        ({"body": '{"$bytes":"?"}'}, "no base64"),
        ({"body": "[" * 500 + "]" * 500}, "more than 64 deep"),
        ({"body": json.dumps(SECRET)}, "looks like a secret"),
        ({"version": "x"}, "version"),
    ],
)
def test_a_bad_document_is_refused_and_the_others_are_kept(
    clock: FixedClock, changes: dict[str, object], words: str
) -> None:
    good, bad = document_json(a_document("good")), document_json(a_document("bad")) | changes
    lines = [json.dumps({"type": "document", "data": one}) for one in (bad, good)]
    target = InMemoryStore(space=SPACE)

    brought = bring_in(lines, store=target, clock=clock)

    assert words in brought.refused[0]
    with target.reading() as tx:
        assert keys(tx.names.documents.page(beyond=0, limit=9)) == ["good"]


def test_a_document_survives_its_json() -> None:
    document = replace(a_document(namespace=("a", "b"), memory_id="m_1"), expires_at=NOON)

    assert document_from_json(document_json(document)) == document
    assert shapes.prefix_text(("a",)) == '["a",'
