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
    """It contradicts what stands, and nobody has decided between them."""

    def __init__(self, memory_id: str, *, standing: str, reason: str) -> None:
        super().__init__(
            f"{memory_id} contradicts {standing}, which stands: {reason}. Nothing was changed.",
            memory_id=memory_id,
            standing=standing,
            reason=reason,
        )


class WordsContradictError(ConflictError, code="words-contradict"):
    """New words for a memory contradict what stands."""

    standing: str

    def __init__(self, *, standing: str, reason: str) -> None:
        super().__init__(
            f"The new words contradict {standing}, which stands: {reason}. Nothing was changed."
            f" Say it otherwise, or settle {standing} first.",
            standing=standing,
            reason=reason,
        )


class OwnProposalError(ConflictError, code="own-proposal"):
    """Whoever proposed a memory cannot be the one who decides about it."""

    def __init__(self, memory_id: str, *, by: str) -> None:
        super().__init__(
            f"{memory_id} was proposed by '{by}', so somebody else has to decide about it.",
            memory_id=memory_id,
            by=by,
        )


class NoConflictError(NotFoundError, code="no-conflict"):
    """There is no conflict to resolve."""

    def __init__(self, memory_id: str, other: str | None = None) -> None:
        against = "what stands" if other is None else other
        super().__init__(
            f"{memory_id} does not contradict {against}, as far as is known.",
            memory_id=memory_id,
            other=other,
        )


class SeveralConflictsError(InvalidError, code="several-conflicts"):
    """The memory contradicts several others."""

    def __init__(self, memory_id: str, standing: Iterable[str]) -> None:
        names = list(standing)
        super().__init__(
            f"{memory_id} contradicts several memories: {', '.join(names)}."
            " Name the one that is meant.",
            memory_id=memory_id,
            standing=names,
        )


class NothingToUndoError(NotFoundError, code="nothing-to-undo"):
    """There is no decision to take back."""

    def __init__(self, about: str) -> None:
        super().__init__(f"No decision {about} can be taken back.", about=about)


class DecidedSinceError(ConflictError, code="decided-since"):
    """Something was decided since, on top of the decision that should be taken back."""

    def __init__(self, memory_id: str, *, by: str | None) -> None:
        whom = "" if by is None else f" by {by}"
        super().__init__(
            f"{memory_id} was decided about again{whom} since. Nothing was changed."
            " Take that back first.",
            memory_id=memory_id,
            by=by,
        )


class NotWhatWasShownError(StaleError, code="not-what-was-shown"):
    """What waits is not what was shown."""

    hint = "Nothing was changed; look again."

    def __init__(self, *, many: int) -> None:
        super().__init__(
            f"What waits now ({many:,}) is not the list that was shown to you.", many=many
        )


class NothingOfThatSourceError(NotFoundError, code="nothing-of-that-source"):
    """Nothing came from that source."""

    def __init__(self, source: str) -> None:
        shown = source[:80]
        super().__init__(f"Nothing here came from the source '{shown}'.", source=shown)


class ProposesForgettingError(ConflictError, code="proposes-forgetting"):
    """A candidate proposes to forget a memory; that is done by forgetting it."""

    def __init__(self, memory_id: str, *, about: str) -> None:
        super().__init__(
            f"{memory_id} proposes to forget {about} for good, which cannot be taken back.",
            memory_id=memory_id,
            about=about,
        )


class NoOwnClaimError(ConflictError, code="no-own-claim"):
    """A candidate has no claim of its own: it offers something about another memory."""

    def __init__(self, memory_id: str, *, about: str) -> None:
        super().__init__(
            f"{memory_id} has no claim of its own; it is about {about}.",
            memory_id=memory_id,
            about=about,
        )


class OnlyCandidateError(ConflictError, code="only-candidate"):
    """There is no need to propose that a candidate be forgotten."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"{memory_id} is only a candidate, which no answer gives.", memory_id=memory_id
        )


class RatedByPersonError(ConflictError, code="rated-by-person"):
    """A person rated the answer, and an agent's rating does not change that."""

    def __init__(self, bundle_id: str) -> None:
        super().__init__(
            f"A person rated {bundle_id}, so an agent's rating of it is not kept;"
            " nothing was changed.",
            bundle_id=bundle_id,
        )
