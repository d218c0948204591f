"""Imports as JSON: proposals, other tools' notes, transcripts, exports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import time_text
from holdfast.surfaces.wire.memory import contradictions_json
from holdfast.surfaces.wire.pages import flaws_json
from holdfast.usecases.exchange.take_over import NoteOutcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from holdfast.domain.code.commits import CommitsRead
    from holdfast.domain.memory.entry import Flaw
    from holdfast.domain.sessions.session import Proposal
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.usecases.exchange.exchange import Brought
    from holdfast.usecases.exchange.take_over import ImportedNote, TakenOver
    from holdfast.usecases.review.approve import Decided
    from holdfast.usecases.sessions.propose import KeptProposal, Proposed
    from holdfast.usecases.sessions.saying import SaidTalk

    Json = dict[str, object]


def proposed_json(proposed: Proposed, *, is_dry: bool) -> Json:
    """Return the candidates proposed from a conversation, and what was left out."""
    return {
        "dry_run": is_dry,
        "by": proposed.by,
        "notes": list(proposed.notes),
        "added": [_kept_json(kept) for kept in proposed.added],
        "strengthened": [_kept_json(kept) for kept in proposed.strengthened],
        "left": [{**_proposal_json(left.proposal), "why": left.reason} for left in proposed.left],
    }


def _kept_json(kept: KeptProposal) -> Json:
    return {
        **_proposal_json(kept.proposal),
        "id": None if kept.record is None else kept.record.memory.id,
        "contradicts": contradictions_json(kept.conflicts),
    }


def _proposal_json(proposal: Proposal) -> Json:
    return {
        "claim": proposal.claim,
        "kind": proposal.kind.value,
        "turn": proposal.turn,
        "first": proposal.first,
        "last": proposal.last,
        "quote": proposal.quote,
        "rule": proposal.rule,
        "confidence": round(proposal.confidence, 2),
    }


def counts_of(taken: TakenOver) -> dict[str, int]:
    """Return how many notes were read, and how many had each outcome."""
    return {
        "read": len(taken.taken) + len(taken.left),
        "added": len(taken.with_fate(NoteOutcome.ADDED)),
        "known": len(taken.with_fate(NoteOutcome.STRENGTHENED, NoteOutcome.KNOWN)),
        "left_out": len(taken.with_fate(NoteOutcome.LEFT)) + len(taken.left),
    }


def taken_json(
    taken: TakenOver, decided: Decided | None, flaws: Iterable[Flaw], *, is_dry: bool
) -> Json:
    """Return the result of an import of other tools' notes, and the errors of reading them."""
    return {
        "dry_run": is_dry,
        "counts": counts_of(taken),
        "notes": [_note_json(one) for one in taken.taken],
        "left": [{"place": left.place, "text": left.text, "why": left.why} for left in taken.left],
        "left_by_reason": taken.left_by_reason(),
        "links": taken.links,
        "outdated": list(taken.outdated),
        "accepted": [] if decided is None else [one.memory.id for one in decided.records],
        "flaws": flaws_json(flaws),
    }


def _note_json(one: ImportedNote) -> Json:
    shape: Json = {
        "outcome": one.fate.value,
        "kind": one.note.kind.value,
        "claim": one.note.claim,
        "place": one.note.place,
        "source": one.note.source,
    }
    if one.why:
        shape["why"] = one.why
    if one.record is not None:
        shape["id"] = one.record.memory.id
        shape["status"] = one.record.standing.status.value
    if one.conflicts:
        shape["contradicts"] = contradictions_json(one.conflicts)
    return shape


def talks_json(
    heard: Sequence[tuple[Transcript, Proposed, SaidTalk | None]],
    flaws: Iterable[Flaw],
    *,
    is_dry: bool,
) -> Json:
    """Return the candidates proposed from each conversation, and the errors of reading them."""
    return {
        "dry_run": is_dry,
        "conversations": [_talk_json(talk, proposed, said) for talk, proposed, said in heard],
        "flaws": flaws_json(flaws),
    }


def _talk_json(transcript: Transcript, proposed: Proposed, said: SaidTalk | None) -> Json:
    return {
        "tool": transcript.tool,
        "session": transcript.session,
        "source": transcript.source,
        "turns": len(transcript.turns),
        "said": None
        if said is None
        else {"session": said.session, "turns": len(said.kept), "changed": said.changed},
        "notes": list(proposed.notes),
        "added": [
            {"claim": kept.proposal.claim, "id": kept.record.memory.id if kept.record else None}
            for kept in proposed.added
        ],
        "strengthened": [kept.record.memory.id for kept in proposed.strengthened if kept.record],
        "left": [{"claim": left.proposal.claim, "why": left.reason} for left in proposed.left],
    }


def brought_json(brought: Brought) -> Json:
    """Return the result of an import of an export."""
    return {
        "added": brought.added,
        "known": brought.known,
        "buried": brought.buried,
        "refused": list(brought.refused),
    }


def exported_json(file: str, *, lines: int) -> Json:
    """Return the file of an export, and its number of lines."""
    return {"file": file, "lines": lines}


def read_commits_json(read: CommitsRead) -> Json:
    """Return how many commits were read into the index of history, and since when."""
    return {
        "commits": read.total,
        "new": read.new,
        "known": read.known,
        "since": time_text(read.since),
    }
