"""Gather: turn the references that a caller gives into evidence that can be checked.

Quote: read the lines that a memory cites, to show them before a decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.anchors.everyday_lines import are_common
from holdfast.domain.choices import EvidenceType, Origin, least_trusted
from holdfast.domain.errors import EvidenceUnreadableError, UnavailableError
from holdfast.domain.gates.hidden import make_visible
from holdfast.domain.gates.unseen import escaped
from holdfast.domain.ids import MemoryId, SpanId, sortable
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.evidence import (
    COMMIT,
    PATCH,
    Evidence,
    RecordedSpan,
    Span,
    check_form,
    read_place,
    session_turn,
)
from holdfast.domain.memory.naming import unsigned
from holdfast.domain.refusals import EvidenceTooCommonError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.naming import bundle_id, memory_id, session_id
from holdfast.usecases.screened_surroundings import harmless_span
from holdfast.usecases.screening import SecretPolicy, screened, screened_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.memory.anchor import CommitName
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.surroundings import SpanText, Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Transaction


# The origin of a forgotten memory is gone with its text: assume the least trusted.
_LEAST_TRUSTED = Origin.WEB
_NO_COMMIT = (
    "this repository has no such commit, or several whose names begin so."
    " Give the name that 'git log' shows; fetch it first if it is on another machine."
)

_NO_REPOSITORY = (
    "there is no git repository here, so nothing could check it."
    " Run the command in the repository that has the commit."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """The evidence of a person or an agent, as they wrote it."""

    places: tuple[str, ...] = ()
    because: str | None = None
    from_bundle: str | None = None
    derived_from: tuple[str, ...] = ()
    given: tuple[Evidence, ...] = ()
    recorded: tuple[RecordedSpan, ...] = ()
    """Lines that the caller read, because they are on the caller's machine only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """Evidence that was read and hashed, its spans, and the memories it derives from."""

    evidence: tuple[Evidence, ...]
    spans: tuple[Span, ...] = ()
    derived_from: tuple[MemoryId, ...] = ()
    trust: tuple[Origin, ...] = ()


def gather(
    grounds: Grounds, *, surroundings: Surroundings, clock: Clock, secrets: SecretPolicy
) -> Gathered:
    """Read the files that evidence names, before any lock is taken."""
    found = [(place, surroundings.read_span(read_place(place))) for place in grounds.places]
    found += [(f"{one.path}:{one.first}", harmless_span(one)) for one in grounds.recorded]
    repo = surroundings.place().repo if found else None
    spans = tuple(
        _span(place, text, repo=repo, clock=clock, secrets=secrets.for_names)
        for place, text in found
    )
    evidence = [
        Evidence(type=EvidenceType.SPAN, reference=span.reference, span=span.id) for span in spans
    ]
    evidence += [_clean(item, secrets) for item in grounds.given]
    if grounds.because is not None:
        words = screened(grounds.because, what="statement", secrets=secrets)
        evidence.append(Evidence(type=EvidenceType.STATEMENT, reference=words))
    return Gathered(evidence=tuple(evidence), spans=spans)


def follow(gathered: Gathered, grounds: Grounds, *, tx: Transaction) -> Gathered:
    """Add evidence from the store: a bundle, and the memories that the claim derives from.

    Raises:
        NoSuchError: A bundle, a memory or a session that is named does not exist.
        EvidenceUnreadableError: A session has no turn with the number that is named.
    """
    parents = [memory_id(tx, reference) for reference in grounds.derived_from]
    cited = [] if grounds.from_bundle is None else [grounds.from_bundle]
    cited += [item.reference for item in grounds.given if item.type is EvidenceType.BUNDLE]
    bundles = [tx.bundles.get(bundle_id(tx, reference)) for reference in cited]
    for bundle in bundles:
        parents += [item.memory_id for item in bundle.items]
    for span in [item.span for item in grounds.given if item.span is not None]:
        tx.anchors.spans.get(span)
    others = [
        _existing(item, tx=tx) for item in gathered.evidence if item.type is not EvidenceType.BUNDLE
    ]
    named = dict.fromkeys(bundle.id for bundle in bundles)
    known = tx.memories.get_many(parents)
    return Gathered(
        evidence=(*others, *(Evidence(type=EvidenceType.BUNDLE, reference=name) for name in named)),
        spans=gathered.spans,
        derived_from=tuple(known),
        trust=tuple(
            known[parent].memory.trust if parent in known else _LEAST_TRUSTED for parent in parents
        ),
    )


def _existing(item: Evidence, *, tx: Transaction) -> Evidence:
    """Return evidence with the whole id of the session that it names; the turn must exist."""
    turn = session_turn(item)
    if turn is None:
        return item
    session = session_id(tx, turn.session)
    numbers = [one.id for one in tx.sessions.turns(session)]
    if turn.number not in numbers:
        has = f"turns 1 to {len(numbers)}" if numbers else "no turns yet"
        named = f"{item.type.value}:{item.reference}"
        problem = f"the session {session} has {has}."
        raise EvidenceUnreadableError(named, problem)
    return replace(item, reference=f"{session}/{turn.number}")


def unseen(gathered: Gathered, *, behind: MemoryRecord, tx: Transaction) -> Gathered:
    """Drop the places that the memory already cites with the same text."""
    seen = {_read_at(span) for span in cited_spans(behind, tx=tx)}
    new = tuple(span for span in gathered.spans if _read_at(span) not in seen)
    again = {span.id for span in gathered.spans} - {span.id for span in new}
    evidence = tuple(item for item in gathered.evidence if item.span not in again)
    return replace(gathered, evidence=evidence, spans=new)


def cited_spans(record: MemoryRecord, *, tx: Transaction) -> list[Span]:
    """Return the spans of a memory's evidence; an import may have refused some."""
    named = [item.span for item in record.evidence if item.span is not None]
    known = tx.anchors.spans.read(named)
    return [known[span] for span in named if span in known]


def lineage_trust(origin: Origin, gathered: Gathered) -> Origin:
    """Return the least trusted of the speaker's origin and all origins the claim derives from."""
    return least_trusted([origin, *gathered.trust])


def _read_at(span: Span) -> tuple[str | None, str, int, int, str]:
    return (span.repo, span.path, span.first, span.last, span.text_hash)


def _span(
    place: str, found: SpanText, *, repo: str | None, clock: Clock, secrets: SecretPolicy
) -> Span:
    if found.anchor is not None and are_common(found.anchor.marks):
        raise EvidenceTooCommonError(place)
    _refuse_hidden(found.path)
    now = clock.now()
    return Span(
        id=SpanId(sortable("s", at=now, entropy=clock.entropy())),
        repo=repo,
        path=screened(found.path, what="path", secrets=secrets),
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        captured_at=now,
        anchor=found.anchor,
    )


def _refuse_hidden(path: str) -> None:
    """Refuse a file name with characters that the gates remove: no check would find the file.

    Raises:
        EvidenceUnreadableError: The name contains control characters or other hidden ones.
    """
    if make_visible(path).removed:
        problem = "its name contains hidden or control characters. Rename the file."
        raise EvidenceUnreadableError(escaped(path), problem)


def identified(gathered: Gathered, *, verifier: Verifier | None) -> Gathered:
    """Record the full ids and the patch-ids of the commits that evidence names.

    If the repository cannot be read, the evidence stays as it is.

    Raises:
        EvidenceUnreadableError: The repository has no such commit, or several with this prefix;
            or there is no repository at all.
    """
    named = [item.reference for item in gathered.evidence if item.type is EvidenceType.COMMIT]
    if verifier is None or not named:
        return gathered
    try:
        known = verifier.identify(named)
    except NoHistoryError:
        raise EvidenceUnreadableError(_prefixed(named[0]), _NO_REPOSITORY) from None
    except UnavailableError:
        return gathered
    for name in named:
        if name not in known:
            raise EvidenceUnreadableError(_prefixed(name), _NO_COMMIT)
    evidence = tuple(
        _named_whole(item, known[item.reference]) if item.type is EvidenceType.COMMIT else item
        for item in gathered.evidence
    )
    return replace(gathered, evidence=evidence)


def _prefixed(commit: str) -> str:
    return f"{EvidenceType.COMMIT.value}:{commit}"


def _named_whole(item: Evidence, commit: CommitName) -> Evidence:
    patch = {} if commit.patch is None else {PATCH: commit.patch}
    return replace(item, facts={**item.facts, COMMIT: commit.id, **patch})


def _clean(item: Evidence, secrets: SecretPolicy) -> Evidence:
    what, item = f"{item.type.value} evidence", unsigned(item)
    return check_form(
        Evidence(
            type=item.type,
            reference=screened(item.reference, what=what, secrets=secrets),
            span=item.span,
            facts=cast(
                "Mapping[str, str]", screened_values(dict(item.facts), what=what, secrets=secrets)
            ),
        )
    )
