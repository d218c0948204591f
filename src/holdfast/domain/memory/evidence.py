"""Evidence for claims, as values and as stored JSON."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, choose
from holdfast.domain.errors import BadFieldError, EvidenceUnreadableError
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import commit_words
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.anchor import Anchor

COMMIT, PATCH = "commit", "patch"
"""Names of facts of commit evidence: the full commit id, and the patch-id of its change."""

COMMITTED, SUBJECT = "committed", "subject"
"""Names of facts of commit evidence: the day of the commit, and the first line of its message."""

UNREAD = "unread"
"""Name of a fact of span evidence: why the lines could not be read."""

LONGEST_REFERENCE = 2_000
SHOWN_REFERENCE = 160
_SHOWN_SUBJECT = 72
_SHORT_ID = 12
_PLAIN_WORD = re.compile(r"[\w#/.-]+")
"""How much free text of evidence an answer shows; ``show`` and ``explain`` show all of it."""
_NAMES = frozenset({EvidenceType.SPAN, EvidenceType.BUNDLE})
UNNAMED = frozenset({EvidenceType.SPAN, EvidenceType.BUNDLE, EvidenceType.URL})
"""Types that their references make obvious, so that answers do not name them."""
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s/?#]*[^\W_].*", re.IGNORECASE | re.DOTALL)
_SESSION_TURN = re.compile(r"(?P<session>i_[0-9A-Za-z_]+)[/#](?P<number>[0-9]{1,9})")
_TRANSCRIPT_TURN = re.compile(r"(?!i_)\S.*#[0-9]{1,12}")
_PLACE = re.compile(r"(?P<path>.+?):(?P<first>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSpan:
    """Some lines of a file as a caller read them: their place, their hash and their anchor."""

    path: str
    first: int
    last: int
    text_hash: str
    anchor: Anchor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Some lines of a file as they were when read; the hash is of that text and never changes."""

    id: SpanId
    repo: str | None
    path: str
    first: int
    last: int
    text_hash: str
    captured_at: datetime
    label: str | None = None
    pinned: bool = False
    anchor: Anchor | None = None

    @property
    def reference(self) -> str:
        """The place in the usual notation: ``src/app.py:10-30``."""
        lines = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.path}:{lines}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence: its type, a reference for people, and facts that identify it."""

    type: EvidenceType
    reference: str
    span: SpanId | None = None
    facts: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse evidence with an empty or too long reference."""
        if not self.reference.strip():
            raise BadFieldError(field="evidence", problem=f"of type {self.type.value} is empty.")
        if len(self.reference.encode("utf-8", "replace")) > LONGEST_REFERENCE:
            raise BadFieldError(
                field="evidence", problem=f"reference is over {LONGEST_REFERENCE:,} bytes."
            )

    def __str__(self) -> str:
        """Return the evidence on one line, as an answer cites it."""
        return brief_reference(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTurn:
    """A turn of a recorded session, as evidence names it."""

    session: str
    number: int


def session_turn(evidence: Evidence) -> SessionTurn | None:
    """Return the turn of a recorded session that evidence names; None if it names none."""
    found = _SESSION_TURN.fullmatch(evidence.reference)
    if evidence.type is not EvidenceType.TURN or found is None:
        return None
    return SessionTurn(session=found["session"], number=int(found["number"]))


def check_form(evidence: Evidence) -> Evidence:
    """Return the evidence if its reference has the form of its type.

    Raises:
        EvidenceUnreadableError: A URL has no host, or a turn names no session and number.
    """
    words = evidence.reference
    if evidence.type is EvidenceType.URL and _URL.fullmatch(words) is None:
        raise EvidenceUnreadableError(
            words, "it is no complete address, such as https://example.org/page."
        )
    if evidence.type is EvidenceType.TURN and not _names_a_turn(evidence):
        named = f"{evidence.type.value}:{words}"
        raise EvidenceUnreadableError(
            named,
            "a turn is named by its session and number, such as turn:i_01m7f8r2k9p5/3,"
            " or by its transcript, such as turn:claude:5f1c#12.",
        )
    return evidence


def _names_a_turn(evidence: Evidence) -> bool:
    in_transcript = _TRANSCRIPT_TURN.fullmatch(evidence.reference)
    return in_transcript is not None or session_turn(evidence) is not None


def brief_reference(evidence: Evidence, *, is_quoted: bool = False) -> str:
    """Return evidence on one line, as an answer cites it; free text is shortened."""
    words = brief_words(evidence, is_quoted=is_quoted)
    return words if evidence.type in UNNAMED else f"{evidence.type.value}: {words}"


def brief_words(evidence: Evidence, *, is_quoted: bool = False) -> str:
    """Return the reference on one line; free text is shortened, and quoted if requested.

    The reference of a span, bundle or commit is neither shortened nor quoted, because a changed
    reference would name something else.
    """
    words = " ".join(evidence.reference.split())
    if evidence.type is EvidenceType.COMMIT:
        return cited_commit(evidence)
    if evidence.type not in _NAMES:
        is_long = len(words) > SHOWN_REFERENCE
        words = f"{words[: SHOWN_REFERENCE - 1]}…" if is_long else words
        # One plain word cannot pose as more evidence.
        if is_quoted and not _PLAIN_WORD.fullmatch(words):
            words = f'"{words.replace(chr(34), chr(39))}"'
    return words


def cited_commit(evidence: Evidence) -> str:
    """Return a commit as an answer cites it, with its day and subject if its evidence knows them.

    The subject is always in quotation marks: whoever wrote the commit wrote it.
    """
    name = " ".join(evidence.reference.split())
    day = evidence.facts.get(COMMITTED)
    if not day:
        return commit_words(name, evidence.facts.get(COMMIT))
    subject = " ".join(evidence.facts.get(SUBJECT, "").replace('"', "'").split())
    shown = f"{subject[: _SHOWN_SUBJECT - 1]}…" if len(subject) > _SHOWN_SUBJECT else subject
    return f"{name[:_SHORT_ID]}, {day}" + (f' "{shown}"' if shown else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class FilePlace:
    """The file and lines that evidence names, before they are read; no lines means the whole file.

    People give paths relative to their current folder, pages give them from the repository root.
    """

    path: str
    first: int | None = None
    last: int | None = None
    is_from_root: bool = False


def read_place(text: str) -> FilePlace:
    """Parse ``path``, ``path:line`` or ``path:from-to``.

    Raises:
        BadFieldError: The lines run backwards or start before line 1.
    """
    found = _PLACE.fullmatch(text)
    if found is None:
        return FilePlace(path=text)
    first = int(found["first"])
    last = int(found["last"] or found["first"])
    if first < 1 or last < first:
        raise BadFieldError(field="evidence", problem=f"{text} names lines that cannot exist.")
    return FilePlace(path=found["path"], first=first, last=last)


def evidence_json(evidence: Evidence) -> dict[str, object]:
    """Return the JSON stored in ``source_json`` and shown by ``--json``."""
    shape: dict[str, object] = {"type": evidence.type.value, "ref": evidence.reference}
    if evidence.span is not None:
        shape["span"] = evidence.span
    if evidence.facts:
        shape["facts"] = dict(sorted(evidence.facts.items()))
    return shape


def evidence_from_json(shape: object) -> Evidence:
    """Read evidence.

    Raises:
        BadFieldError: The value is not evidence.
    """
    if not isinstance(shape, dict):
        raise BadFieldError(field="evidence", problem="must be an object with 'type' and 'ref'.")
    reference, span, facts = shape.get("ref"), shape.get("span"), shape.get("facts", {})
    if not isinstance(reference, str) or not isinstance(facts, dict):
        raise BadFieldError(
            field="evidence", problem="must have a 'ref' that is text, and 'facts' by name."
        )
    return Evidence(
        type=choose(EvidenceType, str(shape.get("type")), what="type of evidence"),
        reference=reference,
        span=SpanId(span) if isinstance(span, str) else None,
        facts={str(name): str(value) for name, value in facts.items()},
    )
