"""The documents of a set, each with its thread and its turn."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, cast

from holdfast.adapters.benchsets.files import records
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.errors import InvalidError
from holdfast.domain.evaluation.benchmark import BadSetError, Document
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from holdfast.domain.fields import Fields


_ROLES = {
    "user": Origin.HUMAN,
    "assistant": Origin.AGENT,
    "tool": Origin.TOOL,
    "commit": Origin.REPO,
}
_COMMIT = "commit"
DEFAULT_GROUP = "all"
"""The group of documents and questions that name none."""


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

    @property
    def searched_group(self) -> str:
        """The group whose questions search this document."""
        return self.group or DEFAULT_GROUP


def documents_in(path: Path, *, is_one_group: bool = False) -> Iterator[RawDocument]:
    """Return the documents in a file, all of one group or each of its own group.

    Raises:
        BadSetError: The file is damaged, has invalid values, or repeats an id within a group.
    """
    known: set[tuple[str, str]] = set()
    for number, fields in records(path, noun="document"):
        try:
            raw = _raw(fields)
        except InvalidError as error:
            raise BadSetError(str(path), f"makes no sense: {error}", line=number) from None
        group = DEFAULT_GROUP if is_one_group else raw.searched_group
        if (group, raw.id) in known:
            problem = f"repeats the id '{raw.id}' of an earlier document. Give each its own id."
            raise BadSetError(str(path), problem, line=number)
        known.add((group, raw.id))
        yield raw


def _raw(fields: Fields) -> RawDocument:
    meta = fields.raw("meta")
    about = cast("Mapping[str, object]", meta) if isinstance(meta, dict) else {}
    ts, session, path = fields.raw("ts"), about.get("session"), about.get("path")
    return RawDocument(
        id=fields.text("id"),
        text=fields.text("text"),
        group=fields.maybe_text("group"),
        ts=float(ts) if isinstance(ts, int | float) else None,
        who=fields.maybe_text("role") or fields.maybe_text("speaker"),
        session=session if isinstance(session, str) else None,
        path=path if isinstance(path, str) else None,
    )


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
