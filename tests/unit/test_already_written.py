from __future__ import annotations

from holdfast.domain.text.paragraphs import DocumentParagraph, paragraphs
from holdfast.heuristics.written import containment, written_in

_PAGE = """# Guide

Deploys happen on Tuesdays
from the release branch only.

- Tokens rotate every 12 hours.
- Never push to main directly.
"""


def found(claim: str) -> str | None:
    passage = written_in(claim, paragraphs("AGENTS.md", _PAGE))
    return None if passage is None else passage.reference


def test_a_page_is_read_by_paragraph_and_by_point() -> None:
    assert paragraphs("AGENTS.md", _PAGE) == [
        DocumentParagraph(path="AGENTS.md", line=1, text="# Guide"),
        DocumentParagraph(
            path="AGENTS.md",
            line=3,
            text="Deploys happen on Tuesdays\nfrom the release branch only.",
        ),
        DocumentParagraph(path="AGENTS.md", line=6, text="- Tokens rotate every 12 hours."),
        DocumentParagraph(path="AGENTS.md", line=7, text="- Never push to main directly."),
    ]


def test_a_claim_that_a_passage_makes_is_found_with_its_line() -> None:
    assert found("We deploy on Tuesdays; deploys happen from the release branch only") == (
        "AGENTS.md:3"
    )
    assert found("Tokens rotate every 12 hours") == "AGENTS.md:6"
    assert found("Never push directly to main.") == "AGENTS.md:7"


def test_another_number_is_another_claim() -> None:
    assert found("Tokens rotate every 24 hours") is None


def test_a_no_is_another_claim() -> None:
    assert found("Push to main directly.") is None
    assert found("Tokens never rotate every 12 hours") is None


def test_a_claim_that_adds_something_is_not_written() -> None:
    assert found("Tokens rotate every 12 hours and are revoked when a laptop is lost") is None


def test_a_claim_of_few_words_is_never_found() -> None:
    assert found("Deploys happen.") is None


def test_no_words_are_contained_in_nothing() -> None:
    assert containment(frozenset(), frozenset({"a"})) == 0.0
