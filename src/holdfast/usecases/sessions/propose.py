"""Propose: turn statements of a conversation into candidates for review."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType, Origin, Status
from holdfast.domain.gates.hidden import make_visible
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.memory.evidence import COMMITTED, SUBJECT, Evidence
from holdfast.domain.memory.selection import Selection
from holdfast.domain.refusals import ProposerFailedError
from holdfast.domain.sessions.session import MOST_PROPOSED
from holdfast.domain.sessions.transcript import Speaker, own_words
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.known_claims import imagined, look_up
from holdfast.usecases.memory.remember import Remember, RememberOutcome, remember_all
from holdfast.usecases.naming import check_limit
from holdfast.usecases.review.waiting import room_for, room_this_hour
from holdfast.usecases.screening import SecretPolicy, screened
from holdfast.usecases.sessions.sifting import LeftOutProposal, sift

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from holdfast.domain.memory.memory import Memory, MemoryRecord
    from holdfast.domain.sessions.session import Proposal
    from holdfast.domain.sessions.transcript import Transcript, Turn
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Documents
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.memory.known_claims import ClaimContext
    from holdfast.usecases.memory.remember import Remembered
    from holdfast.usecases.review.conflicts import Conflict

MOST_WAITING = 50
_LONGEST_QUOTE = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose:
    """A request to propose what a conversation contains.

    Given proposals are filtered like any others. Without them the proposer is asked, and the rules
    if there is no proposer. ``run`` names the run whose summary the transcript is. ``most_waiting``
    limits the candidates of all sources together, beside the limit of a conversation.
    """

    transcript: Transcript
    proposals: tuple[Proposal, ...] | None = None
    source: str = ""
    dry_run: bool = False
    run: str | None = None
    limit: int = MOST_PROPOSED
    origin: Origin = Origin.TOOL
    most_waiting: int = 0
    most_hourly: int = 0
    commit: str | None = None
    """The commit whose message the transcript is; it is the evidence then."""

    @property
    def origin_name(self) -> str:
        """The source that every proposal here gets, so that all of them can be reverted."""
        talk = self.transcript
        return self.source or self.run or f"{talk.tool}:{talk.session}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptProposal:
    """A proposal, its memory or the memory it offers evidence for, and its conflicts.

    In a dry run a new proposal has no memory yet.
    """

    proposal: Proposal
    record: MemoryRecord | None
    conflicts: tuple[Conflict, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """The result for a conversation; ``notes`` says what went wrong."""

    added: tuple[KeptProposal, ...]
    strengthened: tuple[KeptProposal, ...]
    left: tuple[LeftOutProposal, ...]
    by: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposerSetup:
    """The heuristics, the proposer (None for the rules), and the project's documents."""

    heuristics: Heuristics
    proposer: Proposer | None = None
    documents: Documents | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    proposals: tuple[Proposal, ...]
    by: str
    notes: tuple[str, ...] = ()


def propose(
    wish: Propose,
    *,
    store: Store,
    clock: Clock,
    surroundings: Surroundings,
    verifier: Verifier | None = None,
    reading: ProposerSetup,
) -> Proposed:
    """Store decisions of a conversation as candidates; none becomes accepted by this."""
    check_limit(wish.limit)
    wish, heuristics = _named(wish), reading.heuristics
    asked = _asked(wish, reading.proposer, rules=heuristics.proposer)
    documents = reading.documents
    passages = documents.passages() if documents is not None and asked.proposals else ()
    sifted = sift(
        asked.proposals,
        transcript=wish.transcript,
        passages=passages,
        heuristics=heuristics,
    )
    with store.reading() as tx:
        sound = replace(asked, proposals=sifted.sound)
        here = view(surroundings.place(), tx=tx, verifier=verifier)
        looking = partial(look_up, now=clock.now(), tx=tx, view=here, heuristics=heuristics)
        seen, left = _looked_up(
            wish, sound, looking, surroundings=surroundings, now=clock.now(), tx=tx
        )
    outcome = Proposed(
        added=tuple(one for one in seen if one.record is None),
        strengthened=tuple(one for one in seen if one.record is not None),
        left=(*sifted.left, *left),
        by=asked.by,
        notes=asked.notes,
    )
    if wish.dry_run or not seen:
        return outcome
    kept = remember_all(
        [_wished(wish, one.proposal, by=asked.by) for one in seen],
        store=store,
        clock=clock,
        surroundings=surroundings,
        verifier=verifier,
        heuristics=heuristics,
    )
    return _told(outcome, [one.proposal for one in seen], kept)


def _told(outcome: Proposed, proposals: Sequence[Proposal], kept: Sequence[Remembered]) -> Proposed:
    """Report what each proposal became; evidence for an accepted memory is only offered."""
    added: list[KeptProposal] = []
    strengthened: list[KeptProposal] = []
    left = list(outcome.left)
    for proposal, now in zip(proposals, kept, strict=True):
        record = now.known or now.record
        one = KeptProposal(proposal=proposal, record=record, conflicts=now.conflicts)
        if now.outcome is RememberOutcome.KNOWN:
            reason = f"{record.memory.id} says it already, and this was offered for it before."
            left.append(LeftOutProposal(proposal=proposal, reason=reason))
        elif now.outcome is RememberOutcome.ADDED:
            added.append(one)
        else:
            strengthened.append(one)
    return replace(outcome, added=tuple(added), strengthened=tuple(strengthened), left=tuple(left))


def _named(wish: Propose) -> Propose:
    """Return the request without injected text, and with names that contain no secret."""
    talk = own_words(wish.transcript)
    return replace(
        wish,
        transcript=replace(talk, session=_harmless(talk.session), source=_harmless(talk.source)),
        source=_harmless(wish.source),
        run=None if wish.run is None else _harmless(wish.run),
    )


def _harmless(name: str) -> str:
    """Return a name, or a short hash of one that looks like a secret."""
    visible = make_visible(name).text
    if not find_secrets(visible):
        return visible
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _asked(wish: Propose, proposer: Proposer | None, *, rules: Proposer) -> _Asked:
    """Ask the chosen proposer; if it fails, the rules answer and a note says why."""
    if wish.proposals is not None:
        return _Asked(proposals=wish.proposals[: wish.limit], by="given")
    if proposer is None:
        return _by(rules, wish)
    try:
        return _by(proposer, wish)
    except ProposerFailedError as error:
        return replace(_by(rules, wish), notes=(f"{error} The rules were used instead.",))


def _by(proposer: Proposer, wish: Propose) -> _Asked:
    found = proposer.propose(wish.transcript, limit=wish.limit)
    return _Asked(proposals=tuple(found)[: wish.limit], by=proposer.name)


def _looked_up(
    wish: Propose,
    asked: _Asked,
    looking: Callable[[Memory], ClaimContext],
    *,
    surroundings: Surroundings,
    now: datetime,
    tx: Transaction,
) -> tuple[list[KeptProposal], list[LeftOutProposal]]:
    """Split proposals into those that the store accepts and those that it already knows."""
    waiting = Selection(source=wish.origin_name, statuses=frozenset({Status.CANDIDATE}))
    room = MOST_WAITING - tx.memories.count(waiting)
    if wish.most_waiting:
        room = min(room, room_for(wish.origin, wish.origin_name, most=wish.most_waiting, tx=tx))
    full = f"{min(MOST_WAITING, wish.most_waiting or MOST_WAITING)} candidates of"
    full = f"{full} {wish.origin_name} wait already."
    if wish.most_hourly:
        name, most = wish.origin_name, wish.most_hourly
        this_hour = room_this_hour(wish.origin, name, most=most, at=now, tx=tx)
        if this_hour < room:
            room, full = this_hour, f"{most} candidates of {name} came within the last hour."
    seen: list[KeptProposal] = []
    left: list[LeftOutProposal] = []
    for proposal in asked.proposals:
        wished = _wished(wish, proposal, by=asked.by)
        memory = imagined(wished, wished.grounds.given, surroundings=surroundings, now=now)
        found = looking(memory)
        is_full = found.known is None and room <= 0
        if reason := found.reason or (full if is_full else ""):
            left.append(LeftOutProposal(proposal=proposal, reason=reason))
        else:
            room -= found.known is None
            seen.append(
                KeptProposal(proposal=proposal, record=found.known, conflicts=found.conflicts)
            )
    return seen, left


def _wished(wish: Propose, proposal: Proposal, *, by: str) -> Remember:
    # Texts and names were screened before, each by its own rules.
    return Remember(
        claim=proposal.claim,
        grounds=Grounds(given=_evidence(wish, proposal)),
        kind=proposal.kind,
        key=proposal.key,
        tags=proposal.tags,
        metadata={"rule": proposal.rule, "confidence": round(proposal.confidence, 2), "by": by},
        origin=wish.origin,
        source=wish.origin_name,
        secrets=SecretPolicy.ALLOW,
    )


def _evidence(wish: Propose, proposal: Proposal) -> tuple[Evidence, ...]:
    """Return the turn of the proposal and the turn in which a person agreed, if any."""
    turns = {turn.number: turn for turn in wish.transcript.turns}
    facts = {
        "first": str(proposal.first),
        "last": str(proposal.last),
        "rule": proposal.rule,
    }
    if proposal.quote != proposal.claim:
        facts["quote"] = proposal.quote[:_LONGEST_QUOTE]
    said = _cited(wish, turns[proposal.turn], facts)
    yes = turns.get(proposal.agreed or 0)
    if yes is None or yes.speaker is not Speaker.USER or wish.run is not None:
        return (said,)
    return (said, _cited(wish, yes, {"agrees": "yes"}))


def _cited(wish: Propose, turn: Turn, facts: dict[str, str]) -> Evidence:
    talk = wish.transcript
    facts = {
        "turn": str(turn.number),
        "speaker": turn.speaker.value,
        "sha256": hashlib.sha256(turn.text.encode("utf-8", "surrogatepass")).hexdigest(),
        **facts,
    }
    if talk.source:
        facts["transcript"] = talk.source
    if wish.commit is not None:
        facts |= _about_commit(turn)
        return Evidence(type=EvidenceType.COMMIT, reference=wish.commit, facts=facts)
    if wish.run is not None:
        return Evidence(type=EvidenceType.JOB_RUN, reference=wish.run, facts=facts)
    return Evidence(type=EvidenceType.TURN, reference=talk.reference(turn), facts=facts)


def _about_commit(turn: Turn) -> dict[str, str]:
    """Return the day of a commit, and its subject without secrets."""
    subject = next(iter(turn.text.strip().splitlines()), "")[:_LONGEST_QUOTE]
    plain = screened(subject, what="subject", secrets=SecretPolicy.REDACT)
    return {COMMITTED: "" if turn.at is None else f"{turn.at:%Y-%m-%d}", SUBJECT: plain}
