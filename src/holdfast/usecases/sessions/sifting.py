"""Sifting: checks that a proposal must pass before the store is queried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.gates.hidden import make_visible, storable_problem
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.memory.memory import LONGEST_TAG, MOST_TAGS
from holdfast.domain.sessions.transcript import Speaker
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.session import Proposal
    from holdfast.domain.sessions.transcript import Transcript, Turn
    from holdfast.domain.text.paragraphs import DocumentParagraph
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.word_comparer import WordComparer

LONGEST_PROPOSAL = 4_000
_SUPPORTED = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutProposal:
    """A proposal that was left out, and why in one sentence.

    If it contains a secret or hidden characters, its text is removed.
    """

    proposal: Proposal
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """The proposals that passed, and those that were left out."""

    sound: tuple[Proposal, ...]
    left: tuple[LeftOutProposal, ...]


def sift(
    proposals: Sequence[Proposal],
    *,
    transcript: Transcript,
    heuristics: Heuristics,
    passages: Sequence[DocumentParagraph] = (),
) -> Sifted:
    """Split the proposals into those that may become candidates and those that may not."""
    turns = {turn.number: turn for turn in transcript.turns}
    sound: list[Proposal] = []
    left: list[LeftOutProposal] = []
    for proposal in proposals:
        pinned = _pinned(proposal, turns)
        if reason := _kept_quiet(pinned):
            left.append(LeftOutProposal(proposal=_wordless(pinned), reason=reason))
        elif reason := _doubt(pinned, turns, heuristics.wording) or _needless(
            pinned, passages, heuristics
        ):
            left.append(LeftOutProposal(proposal=pinned, reason=reason))
        else:
            sound.append(pinned)
    return Sifted(sound=tuple(sound), left=tuple(left))


def _pinned(proposal: Proposal, turns: dict[int, Turn]) -> Proposal:
    """Correct the offsets if the quote is elsewhere in its turn."""
    turn = turns.get(proposal.turn)
    text = "" if turn is None else turn.text
    if text[proposal.first : proposal.last] == proposal.quote:
        return proposal
    first = text.find(proposal.quote)
    return (
        proposal if first < 0 else replace(proposal, first=first, last=first + len(proposal.quote))
    )


def _kept_quiet(proposal: Proposal) -> str:
    """Return why not even the text may be shown."""
    words = "\n".join((proposal.claim, proposal.quote, proposal.key or "", *proposal.tags))
    held = what_it_hides(words)
    return f"It {held}." if held else ""


def what_it_hides(words: str, *, secrets: SecretPolicy = SecretPolicy.REFUSE) -> str:
    """Return what a text contains that must not be shown; empty if all of it may be."""
    if storable_problem(words):
        return "holds something that is not text"
    visible = make_visible(words)
    if secrets is SecretPolicy.REFUSE and (found := find_secrets(visible.text)):
        rules = ", ".join(sorted({secret.rule for secret in found}))
        return f"holds a secret ({rules})"
    if visible.removed:
        names = ", ".join(removed.name for removed in visible.removed[:3])
        return f"holds hidden characters ({names})"
    return ""


def _wordless(proposal: Proposal) -> Proposal:
    return replace(proposal, claim="", quote="", key=None, tags=())


def _doubt(proposal: Proposal, turns: dict[int, Turn], wording: WordComparer) -> str:
    """Return why the conversation does not support a proposal."""
    turn = turns.get(proposal.turn)
    if turn is None or not proposal.quote.strip():
        return "It quotes nothing of the conversation."
    if turn.text[proposal.first : proposal.last] != proposal.quote:
        return f"Turn {turn.number} does not say what it quotes."
    if turn.speaker is Speaker.TOOL:
        return "A tool said it, and nobody took it up."
    before = turns.get(turn.number - 1)
    if wording.support(proposal.claim, turn.text, before.text if before else "") < _SUPPORTED:
        return f"Turn {turn.number} says something else."
    return ""


def _needless(
    proposal: Proposal, passages: Sequence[DocumentParagraph], heuristics: Heuristics
) -> str:
    """Return why a proposal is not worth keeping."""
    if len(proposal.claim) > LONGEST_PROPOSAL:
        return f"It is longer than {LONGEST_PROPOSAL:,} characters."
    if len(proposal.tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in proposal.tags):
        return "It has too many or too long tags."
    if objection := heuristics.objector.objection(proposal.claim):
        return f"It is not worth keeping: {objection}."
    if (page := heuristics.wording.written_in(proposal.claim, passages)) is not None:
        return f"{page.reference} says it already."
    return ""
