"""Methods with which people decide about candidates and conflicts, and undo decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, TypeVar, cast

from holdfast.domain.choices import Kind, Origin, choose
from holdfast.surfaces.python.advice import with_advice
from holdfast.surfaces.python.decisions import (
    Candidate,
    DecisionEntry,
    DecisionResult,
    OpenConflict,
    OpenConflicts,
    ReviewQueue,
)
from holdfast.surfaces.python.door import Door
from holdfast.surfaces.python.expecting import (
    TEXT,
    TRUTH,
    WHOLE,
    expect,
    expect_options,
    name_of,
)
from holdfast.surfaces.python.keeping import as_request

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from enum import StrEnum
    from typing import Unpack

    from holdfast.surfaces.python.memories import HasId

    Choice = TypeVar("Choice", bound=StrEnum)


class ReviewOptions(TypedDict, total=False):
    """The options of ``review``.

    >>> options: holdfast.ReviewOptions = {"max_risk": "medium"}
    >>> len(hf.review(**options))
    0
    """

    kinds: Sequence[str]
    origins: Sequence[str]
    source: str
    max_risk: str
    conflicting: bool
    everywhere: bool
    limit: int


class ResolveOptions(TypedDict, total=False):
    """The options of ``resolve``.

    >>> _ = hf.remember("Tokens rotate every hour.", key="rotation", because="Decided.")
    >>> _ = hf.remember("Tokens never rotate.", key="rotation", because="Read.", origin="agent")
    >>> options: holdfast.ResolveOptions = {"reason": "The docs are old."}
    >>> len(hf.resolve(hf.conflicts()[0], "keep-old", **options))
    1
    """

    against: str | HasId
    merge: str
    scope_new: str
    scope_old: str
    reason: str


@with_advice
class DecisionMethods(Door):
    """The methods about decisions; all but ``review``, ``conflicts`` and ``decisions`` decide."""

    def review(self, *candidates: str | HasId, **options: Unpack[ReviewOptions]) -> ReviewQueue:
        """Return the candidates that wait for a person, the most valuable first.

        >>> _ = hf.remember("Tokens rotate.", because="I read it.", origin="agent", source="bot")
        >>> for candidate in hf.review(max_risk="medium"):
        ...     print(candidate.text, candidate.proposed_by)
        Tokens rotate. bot
        """
        from holdfast.domain.review.review import Risk
        from holdfast.usecases.review.queued import Review

        references = tuple(name_of("review", candidate=one) for one in candidates)
        expect_options("review", options, ReviewOptions)
        given = as_request(options)
        wish = Review(
            references=references,
            kinds=frozenset(_choices(Kind, given.get("kinds", []), what="kind")),
            origins=frozenset(_choices(Origin, given.get("origins", []), what="origin")),
            source=options.get("source"),
            most_risk=choose(Risk, options.get("max_risk") or "high", what="risk"),
            is_conflicting=bool(options.get("conflicting")),
            is_everywhere=bool(options.get("everywhere")),
            limit=20 if (limit := options.get("limit")) is None else limit,
            reads_pairs=True,
        )
        return ReviewQueue(self.app.review.review(wish))

    def approve(self, *candidates: str | HasId) -> DecisionResult:
        """Accept candidates, all of them or none; only a person may.

        A ``Candidate`` is accepted only if it still is what ``review`` showed. A candidate that
        contradicts an accepted memory is refused; ``resolve`` decides between the two.

        >>> _ = hf.remember("Tokens rotate.", because="I read it.", origin="agent")
        >>> for memory in hf.approve(*hf.review()):
        ...     print(memory.text, memory.status)
        Tokens rotate. accepted
        """
        from holdfast.usecases.review.approve import Approve

        references = tuple(name_of("approve", candidate=one) for one in candidates)
        shown = {one.id: one.hash for one in candidates if isinstance(one, Candidate)}
        wish = Approve(references=references, by=self._person(), shown=shown)
        decided = self.app.review.approve(wish)
        self._write_pages()
        return DecisionResult(decided)

    def reject(self, *candidates: str | HasId, reason: str = "") -> DecisionResult:
        """Reject candidates, all of them or none; only a person may.

        They stay readable with the reason, are never recalled, and no import or conversation
        proposes them again.

        >>> memory = hf.remember("Tokens rotate.", because="I read it.", origin="agent")
        >>> (rejected,) = hf.reject(memory, reason="nobody uses tokens")
        >>> print(rejected.status)
        rejected
        """
        from holdfast.usecases.review.approve import Reject

        references = tuple(name_of("reject", candidate=one) for one in candidates)
        expect("reject", TEXT, reason=reason)
        wish = Reject(references=references, by=self._person(), reason=reason)
        decided = self.app.review.reject(wish)
        self._write_pages()
        return DecisionResult(decided)

    def edit(self, memory: str | HasId, /, claim: str) -> DecisionResult:
        """Replace a memory by one in other words, and accept it; only a person may.

        A memory never changes: the new one has the same evidence and supersedes the old one.

        >>> old = hf.remember("Tokens rotate.", because="We decided it.")
        >>> (new,) = hf.edit(old, "Tokens rotate every hour.")
        >>> print(new.text, hf.get(old).status)
        Tokens rotate every hour. superseded
        """
        from holdfast.usecases.review.rewording import Edit

        expect("edit", TEXT, claim=claim)
        shown = memory.hash if isinstance(memory, Candidate) else None
        reference = name_of("edit", memory=memory)
        wish = Edit(reference=reference, claim=claim, by=self._person(), shown_hash=shown)
        decided = self.app.review.edit(wish)
        self._write_pages()
        return DecisionResult(decided)

    def conflicts(self, *, limit: int = 50, everywhere: bool = False) -> OpenConflicts:
        """Return the claims that contradict each other and wait for a person, newest first.

        Those that only a model suspects come last, with ``is_advice``; they block no approval.
        ``notes`` say what the model did not read.

        >>> hf.conflicts()
        ()
        """
        expect("conflicts", WHOLE, limit=limit)
        expect("conflicts", TRUTH, everywhere=everywhere)
        found = self.app.review.conflicts(limit=limit, everywhere=everywhere)
        left = limit - len(found)
        if left < 1:
            return OpenConflicts(found)
        read = self.app.review.read_pairs(limit=left, everywhere=everywhere)
        notes = (read.note,) if read.note else ()
        return OpenConflicts((*found, *read.conflicts), notes=notes)

    def resolve(
        self, memory: str | HasId | OpenConflict, /, way: str, **options: Unpack[ResolveOptions]
    ) -> DecisionResult:
        """Decide between two claims that contradict each other; only a person may.

        ``way`` is ``keep-old``, ``supersede``, ``keep-both`` or ``merge``. ``merge`` needs the
        claim that replaces both, as ``merge="…"``. If a memory contradicts several, ``keep-old``
        and ``supersede`` decide about all of them; ``against`` names the one for the other ways.

        >>> _ = hf.remember("Tokens rotate every hour.", key="rotation", because="Decided.")
        >>> _ = hf.remember("Tokens never rotate.", key="rotation", because="Read.", origin="agent")
        >>> (conflict,) = hf.conflicts()
        >>> [one.text for one in hf.resolve(conflict, "keep-old")]
        ['Tokens rotate every hour.']
        >>> hf.conflicts()
        ()
        """
        from holdfast.usecases.review.resolve import ResolutionWay, Resolve

        expect("resolve", TEXT, way=way)
        expect_options("resolve", options, ResolveOptions)
        pair = (memory.new, memory.old) if isinstance(memory, OpenConflict) else (memory, None)
        memory, other = pair[0], options.get("against") or pair[1]
        wish = Resolve(
            reference=name_of("resolve", memory=memory),
            by=self._person(),
            way=choose(ResolutionWay, way, what="way to resolve a conflict"),
            other=None if other is None else name_of("resolve", against=other),
            text=options.get("merge") or "",
            scope_new=options.get("scope_new") or "",
            scope_old=options.get("scope_old") or "",
            reason=options.get("reason") or "",
            shown_hash=memory.hash if isinstance(memory, Candidate) else None,
        )
        decided = self.app.review.resolve(wish)
        self._write_pages()
        return DecisionResult(decided)

    def undo(
        self,
        decision: str | HasId | None = None,
        /,
        *,
        steps: int = 1,
        dry_run: bool = False,
        everywhere: bool = False,
    ) -> Sequence[DecisionEntry]:
        """Undo a decision: the one with this id, the last one about a memory, or your last one.

        >>> memory = hf.remember("Tokens rotate.", because="I read it.", origin="agent")
        >>> _ = hf.approve(memory)
        >>> (undone,) = hf.undo()
        >>> print(undone.action, hf.get(memory).status)
        approve candidate
        """
        from holdfast.usecases.review.undo import Undo

        reference = None if decision is None else name_of("undo", decision=decision)
        expect("undo", WHOLE, steps=steps)
        expect("undo", TRUTH, dry_run=dry_run, everywhere=everywhere)
        wish = Undo(
            by=self._person(),
            reference=reference,
            steps=steps,
            dry_run=dry_run,
            is_everywhere=everywhere,
        )
        undone = tuple(map(DecisionEntry, self.app.review.undo(wish)))
        if not dry_run:
            self._write_pages()
        return undone

    def decisions(self, *, limit: int = 20, everywhere: bool = False) -> Sequence[DecisionEntry]:
        """Return the newest decisions, those that were undone too.

        >>> _ = hf.edit(hf.remember("Tokens rotate.", because="Docs."), "Tokens rotate hourly.")
        >>> for entry in hf.decisions():
        ...     print(entry.action)
        edit
        """
        expect("decisions", WHOLE, limit=limit)
        expect("decisions", TRUTH, everywhere=everywhere)
        found = self.app.review.decisions(limit=limit, everywhere=everywhere)
        return tuple(map(DecisionEntry, found))


def _choices(choices: type[Choice], given: object, *, what: str) -> Iterator[Choice]:
    for word in cast("Sequence[str]", given):
        yield choose(choices, word, what=what)
