"""The extraction rules: which sentences of a conversation to propose, and as which kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.choices import Kind
from holdfast.domain.values import replace
from holdfast.heuristics.extraction import patterns, request_words
from holdfast.heuristics.extraction.exchange import closing, exchange, ratified
from holdfast.heuristics.extraction.requested import requested
from holdfast.heuristics.extraction.talk import capital, decides, found, joined, weight_of

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from holdfast.heuristics.extraction.prose import Statement
    from holdfast.heuristics.extraction.talk import ExtractedClaim, SpokenTurn

_LONGEST_SUMMARY = 1_800
_FULL, _SELF_CONTAINED, _FEWEST = 8, 6, 3
_SUMMED_UP, _LABELLED, _UNDER_A_HEADING = 0.9, 0.85, 0.8
_LABELLED_BY_ASSISTANT = 0.6


class _Mark(NamedTuple):
    """A pattern, the kind that it marks, and the confidence for each speaker."""

    words: re.Pattern[str]
    kind: Kind
    rule: str
    user: float
    assistant: float = 0.0
    at_start: bool = False
    # A person who asks for help describes the problem, not a settled fact.
    in_questions: bool = True
    after_failure: bool = False

    def marks(self, said: SpokenTurn, part: Statement) -> bool:
        """Tell whether the sentence matches, in a turn where the rule applies."""
        has_place = (self.in_questions or not said.asks) and (
            said.after_failure or not self.after_failure
        )
        look = self.words.match if self.at_start else self.words.search
        return has_place and look(part.text) is not None


_MARKS = (
    _Mark(patterns.FAILED, Kind.FAILURE, "failed-attempt", 0.65, 0.5),
    _Mark(patterns.CAUSE, Kind.FAILURE, "failure-explained", 0.0, 0.55, after_failure=True),
    _Mark(patterns.WARNS, Kind.GOTCHA, "warning", 0.55, at_start=True, in_questions=False),
    _Mark(patterns.STANDING, Kind.RULE, "from-now-on", 0.75),
    _Mark(request_words.STANDING, Kind.RULE, "from-now-on", 0.75),
    _Mark(patterns.FORBIDS, Kind.RULE, "always-never", 0.7, at_start=True),
    _Mark(patterns.BANS, Kind.RULE, "forbidden-with-reason", 0.7, at_start=True),
    _Mark(patterns.AGAIN, Kind.RULE, "said-again", 0.65, at_start=True),
    _Mark(patterns.HURT, Kind.FAILURE, "hurt-before", 0.6, at_start=True),
    _Mark(patterns.DECIDED, Kind.DECISION, "decided", 0.75),
    _Mark(request_words.DECIDED, Kind.DECISION, "decided", 0.75),
    _Mark(patterns.INSTEAD, Kind.DECISION, "instead", 0.7),
    _Mark(patterns.CORRECTED, Kind.DECISION, "corrected", 0.6, at_start=True),
    _Mark(patterns.PREFERS, Kind.RULE, "preference", 0.6),
    _Mark(patterns.STATES, Kind.FACT, "stated", 0.5, at_start=True, in_questions=False),
)


def found_in(talk: Sequence[SpokenTurn]) -> Iterator[ExtractedClaim]:
    """Yield every finding of the rules, in the order of the turns."""
    has_decided = False
    for place, said in enumerate(talk):
        yield from requested(said)
        yield from _sections(said)
        if said.is_user or has_decided or _is_confirmed(talk, place):
            yield from _labelled(said)
        if said.is_user or has_decided:
            yield from _summary(said)
        if decides(talk, place):
            has_decided = True
            yield from exchange(talk, place)
        yield from ratified(talk, place)
        yield from _marked(said)
    yield from closing(talk)


def _is_confirmed(talk: Sequence[SpokenTurn], place: int) -> bool:
    """Tell whether the next turn is a person's agreement."""
    after = talk[place + 1] if place + 1 < len(talk) else None
    return after is not None and after.is_user and after.confirms and not after.corrects


def _sections(said: SpokenTurn) -> Iterator[ExtractedClaim]:
    """Yield the list items under a heading that names their kind."""
    blocks: dict[int, list[Statement]] = {}
    for part in said.parts:
        if part.is_point and not part.asks:
            blocks.setdefault(part.block, []).append(part)
    for parts in blocks.values():
        heading = patterns.HEADINGS.search(parts[0].heading)
        if heading is not None and not patterns.HEDGES.search(parts[0].text):
            kind = Kind(str(heading.lastgroup))
            yield found(said, parts, kind=kind, rule="section", confidence=_UNDER_A_HEADING)


def _labelled(said: SpokenTurn) -> Iterator[ExtractedClaim]:
    """Yield the sentences that state their own kind: "Decision: …".

    An assistant's count only if a person decided before them, or agrees right after them.
    """
    for part in said.parts:
        label = None if part.asks else patterns.LABELS.match(part.text)
        if label is not None and weight_of(part.text[label.end() :]) >= _FEWEST:
            kind = Kind(str(label.lastgroup))
            sure = _LABELLED if said.is_user else _LABELLED_BY_ASSISTANT
            made = found(said, [part], kind=kind, rule="labelled", confidence=sure)
            yield replace(made, claim=capital(part.text[label.end() :]))


def _summary(said: SpokenTurn) -> Iterator[ExtractedClaim]:
    """Yield a turn's whole summary; an assistant's counts only after a decision of the person."""
    for place, part in enumerate(said.parts):
        if patterns.SUMMARY.match(part.text) and not (
            part.asks or patterns.HEDGES.search(part.text)
        ):
            parts = [part, *_rest(said.parts[place + 1 :], part)]
            if weight_of(joined(said, parts)) >= _FULL:
                made = found(said, parts, kind=Kind.DECISION, rule="summary", confidence=_SUMMED_UP)
                label = patterns.SUMS_UP.match(made.claim)
                yield replace(made, claim=capital(made.claim[label.end() if label else 0 :]))
            return


def _rest(parts: Sequence[Statement], opening: Statement) -> list[Statement]:
    """Return the rest of a summary: its paragraph, and the list it announces."""
    rest: list[Statement] = []
    for part in parts:
        is_listed = opening.text.endswith(":") and part.is_point
        is_its_own = part.block == opening.block or is_listed
        if part.asks or not is_its_own or part.last - opening.first > _LONGEST_SUMMARY:
            break
        rest.append(part)
    return rest


def _marked(said: SpokenTurn) -> Iterator[ExtractedClaim]:
    """Yield single sentences that rule, forbid, prefer, warn, or report a failure."""
    for number, part in enumerate(said.parts):
        mark = None if part.asks or _is_doubtful(part) else _mark(said, part)
        if mark is None:
            continue
        before = said.parts[number - 1] if number else None
        if not patterns.POINTS_BACK.match(part.text):
            parts = [part]
        elif before is not None and before.block == part.block and not before.asks:
            parts = [before, part]
        elif weight_of(part.text) >= _SELF_CONTAINED:
            parts = [part]
        else:
            continue
        parts += _reason(said.parts[number + 1 :], part, mark)
        confidence = mark.user if said.is_user else mark.assistant
        made = found(said, parts, kind=mark.kind, rule=mark.rule, confidence=confidence)
        yield _without_courtesy(made)


def _is_doubtful(part: Statement) -> bool:
    return any(words.search(part.text) for words in (patterns.HEDGES, request_words.MAYBE))


def _without_courtesy(made: ExtractedClaim) -> ExtractedClaim:
    """Remove a yes or thanks before a prohibition in the same sentence."""
    ban = patterns.BANS.match(made.claim)
    before = None if ban is None else ban["before"]
    if before is None or not (patterns.CONFIRMS.match(before) or patterns.POLITE.match(before)):
        return made
    return replace(made, claim=capital(made.claim[len(before) :]))


def _reason(after: Sequence[Statement], part: Statement, mark: _Mark) -> list[Statement]:
    """Return the sentence with the reason for a prohibition, if it follows immediately."""
    is_ban = mark.words in {patterns.FORBIDS, patterns.BANS}
    return [one for one in after[:1] if is_ban and one.block == part.block and _says_why(one)]


def _says_why(part: Statement) -> bool:
    return not part.asks and patterns.GIVES_REASON.match(part.text) is not None


def _mark(said: SpokenTurn, part: Statement) -> _Mark | None:
    for mark in _MARKS:
        if (mark.user if said.is_user else mark.assistant) and mark.marks(said, part):
            is_passing = mark.words in {
                patterns.FORBIDS,
                patterns.BANS,
            } and patterns.FOR_NOW.search(part.text)
            return None if is_passing else mark
    return None
