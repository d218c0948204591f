"""Errors about candidates, conflicts, decisions and ratings; ``errors`` holds the families."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    StaleError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


class UnresolvedConflictError(ConflictError, code="unresolved-conflict"):
    """The memory contradicts an accepted memory, and nobody has resolved the conflict."""

    def __init__(
        self, memory_id: str, *, standing: str, reason: str, others: Iterable[str] = ()
    ) -> None:
        names = list(others)
        also = f" It also contradicts {', '.join(names)}." if names else ""
        super().__init__(
            f"{memory_id} contradicts {standing}, which is accepted: {reason}.{also} Nothing was"
            " changed.",
            memory_id=memory_id,
            standing=standing,
            reason=reason,
            others=names,
        )


class WordsContradictError(ConflictError, code="words-contradict"):
    """The new text of a memory contradicts an accepted memory."""

    standing: str

    def __init__(self, *, standing: str, reason: str) -> None:
        super().__init__(
            f"The new text contradicts {standing}, which is accepted: {reason}. Nothing was"
            f" changed. Change the text, or edit {standing} first.",
            standing=standing,
            reason=reason,
        )


class SaidAlreadyError(ConflictError, code="said-already"):
    """Another accepted memory already has the new text."""

    standing: str

    def __init__(self, standing: str, *, memory_id: str) -> None:
        super().__init__(
            f"{standing} already has this text, and is accepted: a second memory with it would be"
            " a copy. Nothing was changed.",
            standing=standing,
            memory_id=memory_id,
        )


class OwnProposalError(ConflictError, code="own-proposal"):
    """The proposer of a memory may not decide about it."""

    def __init__(self, memory_id: str, *, by: str) -> None:
        super().__init__(
            f"{memory_id} was proposed by '{by}', so '{by}' may not decide about it.",
            memory_id=memory_id,
            by=by,
        )


class NoConflictError(NotFoundError, code="no-conflict"):
    """No conflict of the memory is known."""

    def __init__(self, memory_id: str, other: str | None = None) -> None:
        against = "an accepted memory" if other is None else other
        super().__init__(
            f"No conflict between {memory_id} and {against} is known.",
            memory_id=memory_id,
            other=other,
        )
        self.memory_id = memory_id


class OnlySuspectedError(InvalidError, code="only-suspected"):
    """Only a model suspects that the memory contradicts others, so both have to be named."""

    def __init__(self, memory_id: str, suspects: Iterable[str]) -> None:
        names = list(suspects)
        super().__init__(
            f"Only a model suspects that {memory_id} and {' or '.join(names)} contradict each"
            " other. Such a pair is resolved if both ids are given.",
            memory_id=memory_id,
            suspects=names,
        )


class SeveralConflictsError(InvalidError, code="several-conflicts"):
    """The memory contradicts several others."""

    def __init__(self, memory_id: str, standing: Iterable[str]) -> None:
        names = list(standing)
        super().__init__(
            f"{memory_id} contradicts several memories: {', '.join(names)}. Name one of them.",
            memory_id=memory_id,
            standing=names,
        )


class NothingToUndoError(NotFoundError, code="nothing-to-undo"):
    """There is no decision to undo, or fewer than were asked for."""

    def __init__(self, about: str, *, found: int = 0, asked: int = 1) -> None:
        few = "is only 1 decision" if found == 1 else f"are only {found:,} decisions"
        some = f"There {few if found else 'is no decision'}"
        less = f", not {asked:,}. Nothing was changed." if found else "."
        super().__init__(f"{some} {about} to undo{less}", about=about)


class DecidedSinceError(ConflictError, code="decided-since"):
    """There is a later decision about the memory, which must be undone first."""

    def __init__(self, memory_id: str, *, by: str | None) -> None:
        whom = "" if by is None else f" by {by}"
        super().__init__(
            f"There is a later decision{whom} about {memory_id}. Nothing was changed."
            " Undo the later decision first.",
            memory_id=memory_id,
            by=by,
        )


class UndoRevealsError(ConflictError, code="undo-reveals"):
    """The decision replaced a wording that is in clear by one that is sensitive now."""

    def __init__(self, decision_id: str, *, memory_id: str, sensitive_id: str) -> None:
        super().__init__(
            f"Undoing {decision_id} would accept {memory_id} again, an earlier wording in clear of"
            f" {sensitive_id}, which was made sensitive since. Nothing was changed.",
            decision_id=decision_id,
            memory_id=memory_id,
            sensitive_id=sensitive_id,
        )


class NotWhatWasShownError(StaleError, code="not-what-was-shown"):
    """The list of waiting candidates changed after it was shown."""

    hint = "Nothing was changed; look at the list again."

    def __init__(self, *, many: int) -> None:
        super().__init__(
            f"The list of waiting candidates ({many:,} now) changed after it was shown to you.",
            many=many,
        )


class NothingOfThatSourceError(NotFoundError, code="nothing-of-that-source"):
    """No memory comes from that source."""

    def __init__(self, source: str) -> None:
        shown = source[:80]
        super().__init__(f"No memory comes from the source '{shown}'.", source=shown)


class ProposesForgettingError(ConflictError, code="proposes-forgetting"):
    """The candidate proposes to forget a memory; only forgetting that memory accepts it."""

    def __init__(self, memory_id: str, *, about: str) -> None:
        super().__init__(
            f"{memory_id} proposes to forget {about} permanently, which cannot be undone.",
            memory_id=memory_id,
            about=about,
        )


class NoOwnClaimError(ConflictError, code="no-own-claim"):
    """The candidate has no claim of its own: it is an offer about another memory."""

    def __init__(self, memory_id: str, *, about: str) -> None:
        super().__init__(
            f"{memory_id} has no claim of its own; it is an offer about {about}.",
            memory_id=memory_id,
            about=about,
        )


class SaidIsOffError(ConflictError, code="said-is-off"):
    """What was said in sessions is not kept: only a person can switch it on."""


class OnlyCandidateError(ConflictError, code="only-candidate"):
    """A proposal to forget a candidate is not needed, because recall never returns it."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"{memory_id} is only a candidate, and recall never returns candidates.",
            memory_id=memory_id,
        )


class RatedByPersonError(ConflictError, code="rated-by-person"):
    """A person has already rated the answer, so an agent may not."""

    def __init__(self, bundle_id: str) -> None:
        super().__init__(
            f"A person has already rated {bundle_id}, so an agent's rating is not stored."
            " Nothing was changed.",
            bundle_id=bundle_id,
        )


class PruneTooMuchError(ConflictError, code="prune-too-much"):
    """More memories are due than one run of pruning may change."""

    def __init__(self, *, due: int, total: int, most: int) -> None:
        super().__init__(
            f"{due:,} of {total:,} memories are due, and one run may change at most {most:,}."
            " So it changed none of them.",
            due=due,
            total=total,
            most=most,
        )
