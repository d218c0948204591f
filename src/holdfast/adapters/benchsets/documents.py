"""The documents of a set, each with its thread and its turn."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.evaluation.benchmark import Document
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence


_ROLES = {
    "user": Origin.HUMAN,
    "assistant": Origin.AGENT,
    "tool": Origin.TOOL,
    "commit": Origin.REPO,
}
_COMMIT = "commit"


@dataclass(frozen=True, slots=True, kw_only=True)
class RawDocument:
    """A document as it is in the file; ``who`` is a role or a speaker's name."""

    id: str
    text: str
    group: str | None = None
    ts: float | None = None
    who: str | None = None
    session: str | None = None
    path: str | None = None


def as_documents(raws: Sequence[RawDocument]) -> tuple[Document, ...]:
    """Return the documents in time order, each with its thread and turn."""
    ordered = list(raws)
    if all(raw.ts is not None for raw in raws):
        ordered.sort(key=lambda raw: raw.ts or 0.0)
    turns: dict[str, int] = defaultdict(int)
    documents = []
    for raw in ordered:
        thread = _thread(raw)
        documents.append(_document(raw, None if thread is None else f"{thread}#{turns[thread]}"))
        if thread is not None:
            turns[thread] += 1
    return tuple(documents)


def _thread(raw: RawDocument) -> str | None:
    """Return the conversation to which a document belongs as a turn, or None."""
    if raw.who == _COMMIT:
        return None
    if raw.session is not None:
        return raw.session
    return raw.group if raw.who is not None else None


def _document(raw: RawDocument, turn: str | None) -> Document:
    evidence = EvidenceType.STATEMENT if turn is None else EvidenceType.TURN
    if raw.who == _COMMIT:
        evidence = EvidenceType.COMMIT
    return Document(
        id=raw.id,
        text=raw.text,
        claim=_claim(raw),
        origin=_ROLES.get(raw.who or "", Origin.HUMAN),
        evidence=evidence,
        reference=turn or raw.path or raw.id,
    )


def _claim(raw: RawDocument) -> str:
    """Return the claim: the text, prefixed with the speaker's name or the file's name."""
    if raw.who is not None and raw.who not in _ROLES:
        return f"{raw.who}: {raw.text}"
    return raw.text if raw.path is None else f"{raw.path}\n{raw.text}"
