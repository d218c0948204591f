"""A bundle as text: quoted data inside a fence with a random nonce, with every citation.

Quotes: the lines that a piece of evidence cites, for showing to people.
"""

from __future__ import annotations

import re
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, PassageKind
from holdfast.domain.gates.unseen import escaped
from holdfast.domain.ids import short
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.memory.evidence import brief_reference
from holdfast.domain.memory.lifetime import in_words
from holdfast.domain.memory.link import alone_on
from holdfast.domain.memory.naming import evidence_origins
from holdfast.domain.recall.bundle import DISPUTED, OTHERWISE, OWN, SUPERSEDED
from holdfast.domain.recall.finding import turn_of
from holdfast.domain.recall.question import MEMORY
from holdfast.domain.text.fencing import both_sides, quoted
from holdfast.domain.text.outside import words_outside
from holdfast.domain.values import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked, Sighting
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import (
        Bundle,
        BundleItem,
        LeftOut,
        PassageItem,
        Reason,
        Shortage,
    )


# Chosen by hand.
_SHOWN_EVIDENCE = 3
_SHOWN_DOUBTFUL = 8
_SHOWN_CHANGE = 4
_SHOWN_CHANGES = 3
_TOLD_PARTS = 3
_SHOWN_REPEATED = 3
_KNOWN_CLAIMS = 4_096
_WORTH_TELLING = 0.02
_QUOTE = "> "
_MEMORY_ID = re.compile(r"\bm_[0-9a-z]+")
_ALSO = "said again by"
_MOST_NAMED = 3
_FRAME_WORDS = re.compile(
    rf"\W*(?:evidence|{SUPERSEDED}|{OWN}|{DISPUTED}|{_ALSO}|beside|check)"
    rf"\W*[:\N{{EM DASH}}-]|[|>]",
    re.IGNORECASE,
)
"""The start of a line that a reader could take for a line of the program."""
NOTHING_FOUND = "Nothing in {sources} answers this question; memories were not searched."
NOTHING_ANSWERS = "No memory answers this question. Use other words, or list the memories."


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """A bundle with the memories it names, ready for rendering. A forgotten one has no record.

    ``texts`` holds the passages by reference, as long as they are unchanged since the answer.
    ``near`` holds the starts of the claims nearest to a silent answer if a server told them.
    """

    bundle: Bundle
    records: Mapping[MemoryId, MemoryRecord]
    nonce: str
    texts: Mapping[str, str] = field(default_factory=dict)
    near: Mapping[str, str] = field(default_factory=dict)

    def markdown(self) -> str:
        """Return the answer as Markdown, for agents to read and people to paste."""
        bundle = self.bundle
        blocks = [self.block(rank, item) for rank, item in enumerate(bundle.items, start=1)]
        blocks += [self.passage_block(item) for item in bundle.passages]
        header = headline(
            bundle.id,
            tokens=bundle.tokens,
            budget=bundle.question.budget,
            items=len(bundle.items) + len(bundle.passages),
            left_out=len(bundle.left_out) + len(bundle.passages_left_out),
        )
        lines = quoted(blocks, nonce=self.nonce) if blocks else [no_items(bundle)]
        notes = notes_of(bundle.notes, bundle.shortage, has_items=bool(blocks))
        return framed(header, lines, notes=notes)

    def block(self, rank: int, item: BundleItem) -> str:
        """Return one item of the answer."""
        record = self.records.get(item.memory_id)
        above = self.bundle.items[rank - 2].memory_id if rank > 1 else None
        if record is None:
            return f"{rank}. [{item.memory_id}] forgotten since; its text is gone"
        return item_block(
            rank,
            record,
            item.reasons,
            form=form_of(self.bundle, above=None if above is None else self.records.get(above)),
            superseded_by=item.superseded_by,
            checked=item.checked,
        ) + below(item.outcomes, repeated_by(item.memory_id, self.bundle.left_out))

    def passage_block(self, item: PassageItem) -> str:
        """Return one passage of the answer; its text only if it is unchanged."""
        text = self.texts.get(item.reference, "(as it was given; its text is not kept)")
        return passage_block(
            (item.kind.value, item.reference, item.title),
            text,
            reasons=item.reasons if self.bundle.question.verbose else (),
            beside=item.beside,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockForm:
    """How a block of an answer is written: ages count up to ``at``, ``above`` precedes it."""

    at: datetime
    is_verbose: bool = False
    above: MemoryRecord | None = None


def form_of(bundle: Bundle, *, above: MemoryRecord | None = None) -> BlockForm:
    """Return how a block of a bundle is written."""
    return BlockForm(at=bundle.asked_at, is_verbose=bundle.question.verbose, above=above)


def headline(bundle_id: str, *, tokens: int, budget: int, items: int, left_out: int) -> str:
    """Return the first line of an answer."""
    things = "1 item" if items == 1 else f"{items} items"
    return f"# {bundle_id}  {tokens:,} of {budget:,} tokens, {things}, {left_out} left out"


def no_items(bundle: Bundle) -> str:
    """Return why an answer has no items: nothing that was searched answers, or no answer fits."""
    return nothing_given(bundle.shortage, bundle.question.include)


def nothing_given(shortage: Shortage | None, include: Sequence[str]) -> str:
    """Return why nothing was given from the included sources."""
    if shortage is None:
        sources = " and ".join(include)
        return NOTHING_ANSWERS if MEMORY in include else NOTHING_FOUND.format(sources=sources)
    found = "1 answer was" if shortage.found == 1 else f"{shortage.found:,} answers were"
    return f"{found} found and none fits: a budget of {shortage.needs:,} tokens holds the first."


def best_left_out(shortage: Shortage) -> str:
    """Return the note that the best answer is not among the items."""
    return f"the best answer was left out; a budget of {shortage.needs:,} tokens holds it"


def notes_of(
    notes: tuple[str, ...], shortage: Shortage | None, *, has_items: bool
) -> tuple[str, ...]:
    """Return the notes below the items; first, whether the best answer is missing."""
    if shortage is None or not has_items:
        return notes
    return (best_left_out(shortage), *notes)


def framed(header: str, lines: Iterable[str], *, notes: Iterable[str]) -> str:
    """Return an answer as text: its first line, its content and its notes."""
    told = [f"note: {words_outside(note)}" for note in notes]
    return "\n".join([header, *lines, *told]) + "\n"


def item_block(
    rank: int,
    record: MemoryRecord,
    reasons: tuple[Reason, ...],
    *,
    form: BlockForm,
    superseded_by: MemoryId | None = None,
    checked: tuple[Checked, ...] = (),
) -> str:
    """Return one memory as text: its kind, its short id, its claim and its evidence.

    A verbose block has the whole id, and the largest parts of the score. A turn of the same thread
    as the memory above has only its number, because its evidence and its age stand there.
    """
    is_verbose = form.is_verbose
    memory = record.memory
    turn = None if is_verbose or checked else _further_turn(record, form.above)
    names = "".join([f" · {_flat(name)}" for name in (memory.key, record.standing.label) if name])
    age = in_words(max(form.at - memory.created_at, timedelta()))
    branch = alone_on(memory)
    aside = "" if branch is None else f", branch {_flat(branch)}"
    place = f"{age} old" if turn is None else f"same thread #{turn}"
    kind, known = f"{memory.kind.value}{names}", f"{memory.trust.value}, {place}{aside}"
    if is_verbose:
        lines = [f"{rank}. {kind}  [{memory.id}]  {known}  why: {why(reasons)}"]
    else:
        # The kind that says least is left out, because every word of the frame costs a token.
        shown = "" if kind == Kind.OBSERVATION else f"{kind} "
        lines = [f"{rank}. {shown}[{short(memory.id)}] {known}"]
    if superseded_by is not None:
        newer = superseded_by if is_verbose else short(superseded_by)
        lines.append(f"   {SUPERSEDED}: {newer} is newer and {differs(reasons)}")
    lines += _disputes(reasons, is_verbose=is_verbose)
    lines += [f"   {OWN}: {reason.note}" for reason in reasons if reason.leg == OWN]
    lines.append(_indented(memory.claim))
    if turn is None:
        lines.append(f"   evidence: {_cited(record, checked)}")
    changes = [change for one in checked if (change := _changed(one.sighting))]
    lines += [f"   | {line}" for change in changes[:_SHOWN_CHANGES] for line in change]
    return escaped("\n".join(lines))


def _further_turn(record: MemoryRecord, above: MemoryRecord | None) -> int | None:
    """Return the number of a turn if the memory above is a turn of the same thread."""
    if above is None or len(record.evidence) != 1:
        return None
    own, other = turn_of(record.memory), turn_of(above.memory)
    return own.number if own and other and own.thread == other.thread else None


def differs(reasons: Iterable[Reason]) -> str:
    """Return how the memory that supersedes this one differs, in words."""
    return next((one.note for one in reasons if one.leg == SUPERSEDED), OTHERWISE)


def _disputes(reasons: tuple[Reason, ...], *, is_verbose: bool) -> list[str]:
    """Return a line for each memory that contradicts this one; usually one with some short ids."""
    notes = [reason.note for reason in reasons if reason.leg == DISPUTED]
    if notes and not is_verbose:
        found = [short(name) for note in notes for name in _MEMORY_ID.findall(note)]
        rest = len(found[_MOST_NAMED:])
        names = ", ".join(found[:_MOST_NAMED]) + (f" and {rest} more" if rest else "")
        notes = [_MEMORY_ID.sub(names, notes[0], count=1)]
    return [f"   {DISPUTED}: {note}" for note in notes]


def below(outcomes: Iterable[CheckOutcome], repeated: Iterable[MemoryId] = ()) -> str:
    """Return the lines that follow the block of a memory.

    They tell what came out of its checks, and name the memories that say the same.
    """
    lines = [f"\n   check: {_flat(one.text)} — checked now: {_flat(one.words)}" for one in outcomes]
    if names := [short(name) for name in repeated]:
        lines.append(f"\n   {_ALSO}: {_with_rest(names[:_SHOWN_REPEATED], len(names))}")
    return escaped("".join(lines))


def says_the_same(name: MemoryId) -> str:
    """Return why a memory that repeats another one is left out."""
    return f"says the same as {name}"


def repeated_by(name: MemoryId, left_out: Iterable[LeftOut]) -> list[MemoryId]:
    """Return the memories that were left out because they say the same as this one."""
    why_out = says_the_same(name)
    return [one.memory_id for one in left_out if one.why == why_out]


@lru_cache(maxsize=_KNOWN_CLAIMS)
def _indented(claim: str) -> str:
    """Return a claim with a mark before every line that could pose as a line of the program.

    These are all lines after the first one, and a first line that begins as evidence does.
    """
    first, *rest = claim.strip().splitlines() or [""]
    mark = _QUOTE if _FRAME_WORDS.match(first) else ""
    lines = [f"   {mark}{first}", *(f"   {_QUOTE}{line}" for line in rest)]
    return "\n".join([line.rstrip() for line in lines])


def _changed(sighting: Sighting) -> list[str]:
    """Return the first removed and added lines only, because every line costs tokens."""
    signed = [line for line in sighting.change if line[:1] in {"+", "-"}]
    return both_sides(signed, _SHOWN_CHANGE)


def passage_block(
    head: tuple[str, str, str], text: str, *, reasons: tuple[Reason, ...], beside: tuple[str, ...]
) -> str:
    """Return a passage of code or history as text: its place and its lines.

    The head is its kind, its reference and its title. With reasons, it tells the largest, and a
    turn of a session has its whole id.
    """
    kind, reference, title = map(_flat, head)
    if kind == PassageKind.SAID and not reasons:
        session, _, number = reference.rpartition("/")
        reference = f"{short(session)}/{number}"
    told = f" why: {why(reasons)}" if reasons else ""
    lines = [f"- {kind} · {reference} {title}{told}"]
    lines += [f"   {line}".rstrip() for line in text.rstrip("\n").split("\n")]
    if beside:
        lines.append(f"   beside: {_flat(', '.join(beside))}")
    return escaped("\n".join(lines))


def why(reasons: tuple[Reason, ...]) -> str:
    """Return the largest parts of a score: ``words 0.41 + exact 0.25 - age 0.01``.

    Small parts are omitted to save tokens; ``explain`` shows them all.
    """
    told = sorted(
        [one for one in reasons if abs(one.amount) >= _WORTH_TELLING],
        key=lambda reason: -abs(reason.amount),
    )
    parts = [
        f"{'- ' if reason.amount < 0 else '+ '}{reason.leg} {abs(reason.amount):.2f}"
        for reason in told[:_TOLD_PARTS]
    ]
    return " ".join(parts).removeprefix("+ ") or "nothing in particular"


def _cited(record: MemoryRecord, checked: tuple[Checked, ...]) -> str:
    """Cite the first pieces of evidence, and the first doubtful ones, each with its verdict."""
    evidence = record.evidence
    told = [
        _one_line(item, origin, record.memory.origin)
        for item, origin in zip(evidence, evidence_origins(record), strict=True)
    ]
    if not checked:
        return _with_rest(told[:_SHOWN_EVIDENCE], len(evidence))
    said = {one.span or one.reference: one.sighting for one in checked}
    sightings = [said.get(item.span or item.reference) for item in evidence]
    doubtful = [n for n, one in enumerate(sightings) if one is not None and one.verdict.is_doubtful]
    shown = {*range(_SHOWN_EVIDENCE), *doubtful[:_SHOWN_DOUBTFUL]}
    cited = [
        words + _verdict(sighting)
        for place, (words, sighting) in enumerate(zip(told, sightings, strict=True))
        if place in shown
    ]
    rest = len(set(doubtful) - shown)
    return _with_rest(cited, len(evidence)) + (f", {rest} of them in doubt" if rest else "")


def _with_rest(cited: list[str], count: int) -> str:
    rest = count - len(cited)
    return "; ".join(cited) + (f"; and {rest} more" if rest else "")


def _verdict(sighting: Sighting | None) -> str:
    if sighting is None:
        return ""
    words = _flat(sighting.words)
    return f" ({words})" if sighting.verdict is Verdict.FRESH else f" — {words}"


def _one_line(item: Evidence, origin: Origin, own: Origin) -> str:
    """Return evidence on one line, with its origin if that differs from the memory's.

    Free text from others is in quotation marks, so that it cannot pose as more evidence.
    """
    words = brief_reference(item, is_quoted=origin is not Origin.HUMAN)
    return words if origin is own else f"{words} (from {origin.value})"


def _flat(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """Some lines of a file as they are now; ``more`` counts the lines that are not shown."""

    path: str
    first: int
    lines: tuple[str, ...]
    more: int = 0

    @property
    def reference(self) -> str:
        """The place in the usual notation: ``src/app.py:10-30``."""
        last = self.first + len(self.lines) + self.more - 1
        return f"{self.path}:{self.first}" + ("" if last == self.first else f"-{last}")


def cut_short(quote: Quote, most: int) -> Quote:
    """Return a quote with at most that many lines; the rest is counted in ``more``."""
    kept = quote.lines[:most]
    more = quote.more + len(quote.lines) - len(kept)
    return Quote(path=quote.path, first=quote.first, lines=kept, more=more)


def quote_json(quote: Quote) -> dict[str, object]:
    """Return a quote as JSON."""
    return {
        "ref": quote.reference,
        "path": quote.path,
        "first": quote.first,
        "lines": list(quote.lines),
        "more": quote.more,
    }
