"""What git did to a branch since a session last wrote, and what can be done about it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.memory.anchor import BranchPoint


class Happened(StrEnum):
    """What happened between the last turn of a session and this checkout."""

    SAME = "same"
    MOVED_ON = "moved-on"
    REBASED = "rebased"
    RESET = "reset"
    REWRITTEN = "rewritten"
    FORCE_PUSHED = "force-pushed"
    MERGED = "merged"
    OTHER_BRANCH = "other-branch"
    BRANCH_GONE = "branch-gone"
    NO_HISTORY = "no-history"


class ReconcileChoice(StrEnum):
    """What to do with the turns of a session.

    ``continue`` changes nothing. ``rebase`` ties the turns to this checkout. ``fork`` copies them
    into a new session of this checkout. ``fresh`` sets those aside whose commit is not part of the
    checkout, until it is part of one again. ``ask`` leaves the choice to a person.
    """

    CONTINUE = "continue"
    REBASE = "rebase"
    FORK = "fork"
    FRESH = "fresh"
    ASK = "ask"


_WORDS = {
    Happened.SAME: "the checkout is where the last turn left it",
    Happened.MOVED_ON: "the branch has new commits since the last turn",
    Happened.REBASED: "the branch was rewritten, and the work of the last turn is part of it",
    Happened.RESET: "the branch was reset, and the commit of the last turn is no longer part of it",
    Happened.REWRITTEN: "the branch was rewritten without the commit of the last turn",
    Happened.FORCE_PUSHED: "another history was pushed over this branch, and the commit of the last"
    " turn is no longer part of it",
    Happened.MERGED: "the work of the last turn is part of this checkout",
    Happened.OTHER_BRANCH: "another branch is checked out",
    Happened.BRANCH_GONE: "the branch of the last turn is gone, and its work is not part of this"
    " checkout",
    Happened.NO_HISTORY: "there is no commit to compare with",
}
_LOST = (ReconcileChoice.FRESH, ReconcileChoice.FORK, ReconcileChoice.REBASE)
_CHOICES = {
    Happened.SAME: (ReconcileChoice.CONTINUE,),
    Happened.MOVED_ON: (ReconcileChoice.CONTINUE,),
    Happened.REBASED: (ReconcileChoice.REBASE, ReconcileChoice.FORK, ReconcileChoice.FRESH),
    Happened.RESET: _LOST,
    Happened.REWRITTEN: _LOST,
    Happened.FORCE_PUSHED: _LOST,
    Happened.MERGED: (ReconcileChoice.CONTINUE, ReconcileChoice.FORK, ReconcileChoice.REBASE),
    Happened.OTHER_BRANCH: (ReconcileChoice.FRESH, ReconcileChoice.FORK),
    Happened.BRANCH_GONE: _LOST,
    Happened.NO_HISTORY: (ReconcileChoice.FRESH,),
}
REPLACED = frozenset({Happened.RESET, Happened.REWRITTEN, Happened.FORCE_PUSHED})
"""The branch is the same, and its history no longer has the commit of the last turn."""
_STALE = REPLACED | {Happened.OTHER_BRANCH, Happened.BRANCH_GONE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """What happened since a branch point, seen from a checkout.

    ``was`` is where the last turn was written, ``now`` what is checked out. ``commit`` is the
    commit that has the work of the last turn now, if git proves one. ``lost`` is how many turns of
    the session have a commit that is not part of the checkout.
    """

    happened: Happened
    was: BranchPoint | None = None
    now: BranchPoint | None = None
    commit: str | None = None
    lost: int = 0

    @property
    def words(self) -> str:
        """What happened, in words for people."""
        words = _WORDS[self.happened]
        if self.is_stale or not self.lost:
            return words
        many = "1 turn has a commit" if self.lost == 1 else f"{self.lost} turns have commits"
        return f"{words}; {many} that it lost"

    @property
    def choices(self) -> tuple[ReconcileChoice, ...]:
        """What can be done; the first one loses nothing and mixes nothing."""
        usual = _CHOICES[self.happened]
        more = _LOST if self.lost and not self.is_stale else ()
        return tuple(dict.fromkeys((*usual, *more)))

    @property
    def is_stale(self) -> bool:
        """Whether the turns do not count here, so that somebody must decide to go on from them."""
        return self.happened in _STALE


def chosen(found: Reconciliation, wanted: ReconcileChoice) -> ReconcileChoice:
    """Return what a setting means for a case; ``ask`` if it says nothing that can be done.

    Without doubt there is nothing to ask: the first choice is carried out.
    """
    if not found.is_stale:
        return found.choices[0]
    return wanted if wanted in found.choices else ReconcileChoice.ASK
