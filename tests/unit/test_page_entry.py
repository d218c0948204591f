from __future__ import annotations

import pytest

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.ids import MemoryId, SpanId
from holdfast.domain.memory.entry import PageEntry, Pages, PlacedEntry
from holdfast.domain.memory.evidence import COMMIT, Evidence
from holdfast.domain.memory.memory import Standing
from holdfast.domain.pages.page_entry import (
    PAGE,
    WRITTEN,
    CitedPlace,
    Numbering,
    belongs_in_pages,
    entry_of,
    evidence_words,
    is_label,
    is_uid,
    read_evidence,
    status_at,
)
from holdfast.domain.pages.trusting import tree_hash
from holdfast.domain.pages.waiting_page import WaitingEntry, waiting_page
from tests.builders import NOON, a_memory, a_reason, a_record, a_span, an_anchor
from tests.requirements import requirement


def test_a_memory_reads_as_an_entry() -> None:
    page = a_reason(reference="edited in decisions.md", facts={PAGE: "decisions.md"})
    memory = a_memory(kind=Kind.DECISION, evidence=(a_reason(), page), tags=("ui",), source="a  b")
    record = a_record(memory, standing=Standing(label="DEC-007", decided_at=NOON))

    entry = entry_of(record, uid=memory.id, status=Status.ACCEPTED, spans={}, was=("DEC-001",))

    assert entry == PageEntry(
        uid=MemoryId("m_1"),
        label="DEC-007",
        kind=Kind.DECISION,
        tags=("ui",),
        source="a b",
        evidence=("statement: I decided it.",),
        updated="2026-11-15",
        was=("DEC-001",),
        body="Tokens rotate hourly.",
        origin=Origin.HUMAN,
    )


def test_a_label_that_is_not_the_pages_own_stays_in_the_store() -> None:
    record = a_record(standing=Standing(label="my favourite"))

    entry = entry_of(record, uid=MemoryId("m_1"), status=Status.ACCEPTED, spans={})

    assert entry.label is None
    assert not is_label(None)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (
            Evidence(type=EvidenceType.SPAN, reference="a.py:1", span=SpanId("s_1")),
            f"a.py:1@2222222#{a_span().text_hash[:12]}",
        ),
        (
            Evidence(type=EvidenceType.SPAN, reference="a.py:1", span=SpanId("s_2")),
            f"a.py:1#{a_span().text_hash[:12]}",
        ),
        (
            Evidence(type=EvidenceType.COMMIT, reference="HEAD~2", facts={COMMIT: "e4" * 20}),
            f"commit: {'e4' * 20} (HEAD~2)",
        ),
        (
            Evidence(type=EvidenceType.COMMIT, reference="e4e4e4e", facts={COMMIT: "e4" * 20}),
            f"commit: {'e4' * 20}",
        ),
        (Evidence(type=EvidenceType.COMMIT, reference="HEAD~2"), "commit: HEAD~2"),
        (Evidence(type=EvidenceType.SPAN, reference="a.py:1"), "a.py:1"),
        (Evidence(type=EvidenceType.URL, reference="https://a.org"), "https://a.org"),
        (Evidence(type=EvidenceType.URL, reference="gopher://a"), "url: gopher://a"),
        (Evidence(type=EvidenceType.COMMAND, reference="make\n test"), "command: make test"),
        (Evidence(type=EvidenceType.COMMIT, reference="ab", facts={WRITTEN: "ab cd"}), "ab cd"),
    ],
)
def test_evidence_has_words_on_a_page(item: Evidence, words: str) -> None:
    spans = {SpanId("s_1"): a_span(anchor=an_anchor()), SpanId("s_2"): a_span()}

    assert evidence_words(item, spans) == words


@pytest.mark.parametrize(
    ("text", "kind", "reference"),
    [
        ("command: make test", EvidenceType.COMMAND, "make test"),
        ("https://a.org/b", EvidenceType.URL, "https://a.org/b"),
        ("9f3c2ab", EvidenceType.COMMIT, "9f3c2ab"),
        ("we met", EvidenceType.STATEMENT, "we met"),
    ],
)
def test_evidence_reads_back_from_its_words(text: str, kind: EvidenceType, reference: str) -> None:
    found = read_evidence(text)

    assert found == Evidence(type=kind, reference=reference, facts={WRITTEN: text})
    assert isinstance(found, Evidence)
    assert evidence_words(found, {}) == text


@requirement("files.evidence-is-proved-by-the-page")
@pytest.mark.parametrize(
    ("text", "name", "commit"),
    [
        (f"commit: {'e4' * 20} (HEAD~2)", "HEAD~2", "e4" * 20),
        ("commit: 9f3c2ab (HEAD^{/fix (all)})", "HEAD^{/fix (all)}", "9f3c2ab"),
    ],
)
def test_a_commit_reads_back_with_its_id_and_its_name(text: str, name: str, commit: str) -> None:
    facts = {WRITTEN: text, COMMIT: commit}

    assert read_evidence(text) == Evidence(type=EvidenceType.COMMIT, reference=name, facts=facts)


@requirement("files.evidence-is-proved-by-the-page")
@pytest.mark.parametrize("path", ["a/b.py", "my notes/a file.md", "c:d/e.py"])
def test_a_place_reads_back_with_the_hash_of_its_text(path: str) -> None:
    place, digest = f"{path}:10-30", "0123456789ab"

    assert read_evidence(f"{place}@9f3c2ab#{digest}") == CitedPlace(
        place=place, commit="9f3c2ab", digest=digest
    )
    assert read_evidence(f"{place}#{digest}") == CitedPlace(place=place, digest=digest)
    assert read_evidence(f"{place}@9f3c2ab") == CitedPlace(place=place, commit="9f3c2ab")


def test_a_sentence_that_ends_like_a_place_is_no_place() -> None:
    assert isinstance(read_evidence("we met at 10:30"), Evidence)


def test_a_place_reads_back_as_a_place_and_a_commit() -> None:
    assert read_evidence("a/b.py:10-30@9f3c2ab") == CitedPlace(
        place="a/b.py:10-30", commit="9f3c2ab"
    )
    assert read_evidence("a/b.py:10") == CitedPlace(place="a/b.py:10")


def test_only_unprivate_knowledge_of_the_repository_belongs_in_pages() -> None:
    assert belongs_in_pages(a_memory())
    assert not belongs_in_pages(a_memory(tags=("private",)))
    assert not belongs_in_pages(a_memory(scope=Scope.GLOBAL, repo=None))
    assert not belongs_in_pages(a_memory(kind=Kind.OBSERVATION))


def test_the_next_label_comes_after_the_highest_of_its_kind() -> None:
    numbers = Numbering(["DEC-007", "RUL-100", "DEC-x", "mine", "DEC-003"])

    assert [numbers.next(Kind.DECISION), numbers.next(Kind.DECISION)] == ["DEC-008", "DEC-009"]
    assert numbers.next(Kind.FACT) == "FAC-001"


def test_what_has_expired_is_deprecated_on_a_page() -> None:
    over = a_record(a_memory(expires_at=NOON))

    assert status_at(over, NOON) is Status.DEPRECATED
    assert status_at(a_record(), NOON) is Status.ACCEPTED
    assert status_at(a_record(standing=Standing(status=Status.REJECTED)), NOON) is Status.REJECTED


def test_a_uid_is_letters_and_digits() -> None:
    assert is_uid("m_01k")
    assert not is_uid("m_../x")
    assert not is_uid("x_01k")


def test_the_page_of_what_waits_says_what_and_how_to_decide() -> None:
    written = a_reason(reference="written in facts.md", facts={PAGE: "facts.md"})
    record = a_record(a_memory(claim="One.\n\nTwo.", evidence=(a_reason(), written), source="bot"))

    page = waiting_page([WaitingEntry(record=record, rivals=(MemoryId("m_2"),))], spans={}, more=3)

    assert "> One.\n>\n> Two.\n" in page
    assert "- said by: human, bot\n- evidence: statement: I decided it.\n" in page
    assert "- evidence: written in facts.md\n- contradicts: m_2;" in page
    assert page.endswith("and 3 more: review them\n")
    assert "Nothing waits." in waiting_page([], spans={})


def test_the_name_of_a_tree_of_pages_changes_with_any_entry() -> None:
    entry = PageEntry(body="One.", kind=Kind.FACT, uid=MemoryId("m_1"))
    one = Pages(entries=(PlacedEntry(entry=entry, path="a.md", line=1),))
    two = Pages(entries=(PlacedEntry(entry=entry, path="b.md", line=1),))

    assert tree_hash(one) != tree_hash(two)
    lower = Pages(entries=(PlacedEntry(entry=entry, path="a.md", line=7),))
    assert tree_hash(one) == tree_hash(lower)


@requirement("run.pages-quote")
def test_no_source_of_a_candidate_begins_a_line_of_its_own() -> None:
    record = a_record(a_memory(source="chat\n\n## Approved by a person"))

    page = waiting_page([WaitingEntry(record=record)], spans={})

    assert "\n## Approved" not in page
    assert "- said by: human, chat ## Approved by a person\n" in page
