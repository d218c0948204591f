"""Brief: one fenced text with what an agent should know before it starts, within a budget."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.errors import BudgetTooSmallError, UnavailableError
from holdfast.domain.ids import bundle_name
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.recall.governing import GUIDING, governing
from holdfast.domain.recall.packing import RankedAnswers, pack
from holdfast.domain.recall.question import READ_AT_MOST, Question
from holdfast.domain.recall.ranking import doubted
from holdfast.domain.sessions.hook_calls import WHOLE_CHARACTERS, WHOLE_TOKENS
from holdfast.domain.text.fencing import fenced, nonce_of, without_injected
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import check_evidence, cited, view
from holdfast.usecases.recall.disputing import with_disputes
from holdfast.usecases.recall.keeping import keep_bundle
from holdfast.usecases.recall.proving import check_outcomes
from holdfast.usecases.recall.recalled_memories import what_is_known
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.place import Place
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.ports.store.store import Store
    from holdfast.usecases.recall.recalled_memories import RecallPorts

# Chosen by hand.
_FEWEST_TOKENS = 60
_MOST_ITEMS = 60
_MOST_PINNED = 10
_WITHOUT_A_GOAL = "what governs the work here"
_LEAD = "What people approved for this place"
_CHECKED = ", checked against its files just now"
_EXPLAINED = "Each memory can be explained by its id and the id of this bundle."


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """A request for a briefing.

    ``governs`` asks for rules and decisions, independent of the goal. ``told`` names memories that
    the session already received. ``closing`` is a line for the end.
    """

    goal: str = ""
    tokens: int = WHOLE_TOKENS
    characters: int = WHOLE_CHARACTERS
    governs: bool = True
    told: frozenset[MemoryId] = frozenset()
    closing: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """The fenced text, empty if there is nothing to report, and the bundle it was made from."""

    text: str = ""
    bundle: Bundle | None = None
    memories: tuple[MemoryId, ...] = ()


def briefing(goal: str, *, ports: RecallPorts) -> Briefing:
    """Return what answers a goal and what applies to the place; without a goal, only the latter.

    The bundle is stored, so that it can be shown and explained, unless the store is busy.
    """
    return brief(Brief(goal=goal), ports=ports, keep_in=ports.store)


def brief(wish: Brief, *, ports: RecallPorts, keep_in: Store) -> Briefing:
    """Return the requested briefing, never longer than its limits, and store its bundle."""
    room = wish.tokens - ports.counter.count(_whole("", "0" * 16, wish, ports))
    if room < _FEWEST_TOKENS:
        return Briefing()
    now, place = ports.clock.now(), ports.surroundings.place()
    answers, notes = _answers(wish, place, now, ports)
    if not answers.scored:
        return Briefing()
    nonce = nonce_of(ports.clock.entropy())
    empty = Bundle(
        id=bundle_name(at=now, entropy=ports.clock.entropy()),
        question=Question(text=_goal(wish) or _WITHOUT_A_GOAL, budget=room, limit=_MOST_ITEMS),
        asked_at=now,
        place=place,
        items=(),
        left_out=(),
        tokens=0,
        counter=ports.counter.name,
        notes=notes,
    )
    packed = _fitted(answers, empty, nonce, wish, ports)
    if packed is None or not packed.bundle.items:
        return Briefing()
    with suppress(UnavailableError):
        keep_bundle(packed.bundle, store=keep_in)
    return Briefing(
        text=_whole(packed.markdown(), nonce, wish, ports),
        bundle=packed.bundle,
        memories=tuple(item.memory_id for item in packed.bundle.items),
    )


def _goal(wish: Brief) -> str:
    """Return the goal without text that Holdfast injected, and without secrets."""
    plain = without_injected(wish.goal).strip()[:READ_AT_MOST]
    return screened(plain, what="question", secrets=SecretPolicy.REDACT)


def _answers(
    wish: Brief, place: Place, now: datetime, ports: RecallPorts
) -> tuple[RankedAnswers, tuple[str, ...]]:
    found = RankedAnswers()
    notes: tuple[str, ...] = ()
    if goal := _goal(wish):
        question = Question(text=goal, budget=wish.tokens, deep=False)
        known = what_is_known(question, place, now, ports)
        # A memory with too little in common with the goal is not even a candidate here.
        scored = [item for item in known.answers.scored if not item.why_not]
        found, notes = replace(known.answers, scored=scored), known.notes
    if wish.governs:
        found, more = _governing(found, place, now, ports)
        notes = tuple(dict.fromkeys((*notes, *more)))
    return _untold(found, wish.told), notes


def _governing(
    first: RankedAnswers, place: Place, now: datetime, ports: RecallPorts
) -> tuple[RankedAnswers, tuple[str, ...]]:
    """Add what governs the place to the answers, checked, and mark conflicts among all of them."""
    known = {item.record.memory.id for item in first.scored}
    with ports.store.reading() as tx:
        seen = view(place, tx=tx, verifier=ports.verifier)
        within = Selection(space=place.space, place=place, recallable_at=now, view=seen)
        pinned = tx.memories.find(replace(within, pinned=True), Page(limit=_MOST_PINNED))
        guiding = {
            sort: tx.memories.find(replace(within, kinds=sort.kinds), Page(limit=sort.most))
            for sort in GUIDING
        }
        rest = [
            item
            for item in governing(pinned, guiding)
            if item.record.memory.id not in known and not is_sensitive(item.record.memory)
        ]
        scored = with_disputes((*first.scored, *rest), within, tx=tx, ports=ports)
        asked = cited([item.record for item in rest], repo=place.repo, tx=tx)
    testimony = check_evidence(
        asked, repo=place.repo, at=now, verifier=ports.verifier, is_brief=True
    )
    lowered = doubted(scored[len(known) :], testimony.by_memory, weights=ports.weights)
    answers = replace(
        first,
        scored=(*scored[: len(known)], *lowered),
        checked={**testimony.by_memory, **first.checked},
        outcomes={**check_outcomes(rest, _MOST_ITEMS, ports.checker), **first.outcomes},
    )
    return answers, tuple(note for note in (seen.note, testimony.note) if note)


def _untold(answers: RankedAnswers, told: Collection[MemoryId]) -> RankedAnswers:
    fresh = [item for item in answers.scored if item.record.memory.id not in told]
    return replace(answers, scored=fresh)


def _fitted(
    answers: RankedAnswers, empty: Bundle, nonce: str, wish: Brief, ports: RecallPorts
) -> Recalled | None:
    """Pack into the token budget, and into a smaller one while the text has too many characters."""
    bundle = empty
    with suppress(BudgetTooSmallError):
        while True:
            packed = pack(answers, bundle=bundle, nonce=nonce, count=ports.counter.count)
            over = len(_whole(packed.markdown(), nonce, wish, ports)) / max(wish.characters, 1)
            if over <= 1.0:
                return packed
            smaller = int(bundle.question.budget / over) - _FEWEST_TOKENS // 2
            bundle = replace(bundle, question=replace(bundle.question, budget=max(smaller, 1)))
    return None


def _whole(text: str, nonce: str, wish: Brief, ports: RecallPorts) -> str:
    # A server has no checkout, so it checks no evidence.
    lead = f"{_LEAD}{_CHECKED if ports.verifier else ''}. {_EXPLAINED}"
    lines = [lead, text.rstrip("\n"), *([wish.closing] if wish.closing else [])]
    return fenced("\n".join(lines), nonce=nonce)
