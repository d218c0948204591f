from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import BadFieldError, UnknownChoiceError
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.evidence import (
    LONGEST_REFERENCE,
    Evidence,
    FilePlace,
    evidence_from_json,
    evidence_json,
    read_place,
)
from tests.builders import a_reason, a_span
from tests.requirements import requirement

REFERENCES = st.text(min_size=1, max_size=200).filter(str.strip)
EVIDENCE = st.builds(
    Evidence,
    type=st.sampled_from(EvidenceType),
    reference=REFERENCES,
    span=st.none() | st.text(min_size=1, max_size=30).map(SpanId),
    facts=st.dictionaries(st.text(max_size=10), st.text(max_size=10), max_size=4),
)


@requirement("evidence.every-type-kept")
@given(evidence=EVIDENCE)
def test_evidence_reads_back_from_its_json(evidence: Evidence) -> None:
    assert evidence_from_json(json.loads(json.dumps(evidence_json(evidence)))) == evidence


def test_the_json_of_evidence_names_only_what_is_there() -> None:
    assert evidence_json(a_reason(reference="I said so.")) == {
        "type": "statement",
        "ref": "I said so.",
    }


@pytest.mark.parametrize("reference", ["", "  ", "\n"])
def test_evidence_that_names_nothing_is_refused(reference: str) -> None:
    with pytest.raises(BadFieldError, match="of type statement is empty"):
        a_reason(reference=reference)


@requirement("gate.size-capped")
def test_a_reference_is_not_a_document() -> None:
    assert len(a_reason(reference="x" * LONGEST_REFERENCE).reference) == LONGEST_REFERENCE

    with pytest.raises(BadFieldError, match="over 2,000 bytes"):
        a_reason(reference="x" * (LONGEST_REFERENCE + 1))


def test_the_cap_counts_bytes_and_not_letters() -> None:
    with pytest.raises(BadFieldError, match="bytes"):
        a_reason(reference="é" * (LONGEST_REFERENCE // 2 + 1))


@pytest.mark.parametrize("shape", [None, "text", [], 3])
def test_json_that_is_no_object_is_no_evidence(shape: object) -> None:
    with pytest.raises(BadFieldError, match="must be an object"):
        evidence_from_json(shape)


@pytest.mark.parametrize(
    "shape",
    [{"type": "url"}, {"type": "url", "ref": 3}, {"type": "url", "ref": "x", "facts": ["y"]}],
)
def test_json_without_a_reference_in_words_is_no_evidence(shape: object) -> None:
    with pytest.raises(BadFieldError, match="'ref' that is text"):
        evidence_from_json(shape)


@pytest.mark.parametrize("named", [{"type": "rumour"}, {}])
def test_json_with_an_unknown_type_is_refused_with_the_types_that_exist(
    named: dict[str, object],
) -> None:
    with pytest.raises(UnknownChoiceError, match="span, query, job_run"):
        evidence_from_json({"ref": "x"} | named)


def test_facts_become_words_and_an_odd_span_is_dropped() -> None:
    read = evidence_from_json({"type": "command", "ref": "make", "span": 3, "facts": {"exit": 0}})

    assert read == Evidence(type=EvidenceType.COMMAND, reference="make", facts={"exit": "0"})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("src/app.py", FilePlace(path="src/app.py")),
        ("src/app.py:7", FilePlace(path="src/app.py", first=7, last=7)),
        ("src/app.py:10-30", FilePlace(path="src/app.py", first=10, last=30)),
        ("C:/app.py:1-2", FilePlace(path="C:/app.py", first=1, last=2)),
        ("a:1:2", FilePlace(path="a:1", first=2, last=2)),
        ("src/app.py:10-", FilePlace(path="src/app.py:10-")),
        (":7", FilePlace(path=":7")),
    ],
)
def test_a_place_is_read_the_way_people_write_it(text: str, place: FilePlace) -> None:
    assert read_place(text) == place


@requirement("evidence.place-checked")
@pytest.mark.parametrize("text", ["a.py:0", "a.py:0-3", "a.py:30-10"])
def test_lines_that_cannot_exist_are_refused(text: str) -> None:
    with pytest.raises(BadFieldError, match=f"{text} names lines that cannot exist"):
        read_place(text)


@given(first=st.integers(1, 10_000), more=st.integers(0, 10_000))
def test_a_span_is_written_so_that_it_reads_back_as_its_place(first: int, more: int) -> None:
    span = a_span(first=first, last=first + more)

    assert read_place(span.reference) == FilePlace(path=span.path, first=first, last=first + more)
