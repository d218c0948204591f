"""The closed choices of the model, and its limits."""

from __future__ import annotations

from enum import StrEnum

from docs.generator.markdown import Page, code, sentence
from holdfast.domain.choices import (
    EvidenceType,
    Kind,
    LinkKind,
    Origin,
    PassageKind,
    Scope,
    Status,
)
from holdfast.domain.code.code import Relation
from holdfast.domain.memory import evidence, memory
from holdfast.domain.memory.anchor import RewriteHow, Verdict
from holdfast.domain.memory.lifetime import GRACE
from holdfast.domain.recall import question
from holdfast.domain.review.curation import Severity

_CHOICES: dict[str, type[StrEnum]] = {
    "Kinds of memory": Kind,
    "Scopes": Scope,
    "Statuses": Status,
    "Origins": Origin,
    "Types of evidence": EvidenceType,
    "Kinds of link": LinkKind,
    "Verdicts on evidence": Verdict,
    "How a rewritten commit is known": RewriteHow,
    "Passages": PassageKind,
    "Relations of symbols": Relation,
    "Severities of a finding": Severity,
}


def choices() -> str:
    """Return the page of every word with a fixed meaning, and of every limit."""
    page = Page("Choices and limits")
    for title, choice in _CHOICES.items():
        page.heading(title)
        page.text(*sentence_lines(choice))
        page.text(", ".join(code(member.value) for member in choice) + ".")
    page.heading("Limits")
    page.table(["what", "limit"], [[what, limit] for what, limit in _limits().items()])
    return page.written()


def sentence_lines(choice: type[StrEnum]) -> list[str]:
    """Return what a choice means, one sentence per line."""
    said = sentence(choice.__doc__ or "")
    return said.replace(". ", ".\n").split("\n")


def _limits() -> dict[str, str]:
    return {
        "claim": f"{memory.LONGEST_CLAIM:,} bytes",
        "key": f"{memory.LONGEST_KEY} characters, one line",
        "tag": f"{memory.LONGEST_TAG} characters, no space or comma",
        "tags of a memory": str(memory.MOST_TAGS),
        "evidence reference": f"{evidence.LONGEST_REFERENCE:,} bytes",
        "weight": f"0 to {memory.HEAVIEST:g}",
        "importance": "0 to 1",
        "score of a link": "0 to 1",
        "budget of a question": f"1 to {question.MOST_TOKENS:,} tokens",
        "items of an answer": f"1 to {question.MOST_ITEMS}",
        "terms of a question": f"{question.MOST_TERMS}; the rest of a long question is not read",
        "grace after expiry": f"{GRACE.days} days",
    }
