"""The checkout that a run works in, and how it changed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from holdfast.domain.fields import Fields
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.fields import Shape

_SHORT = 12


class BranchChoice(StrEnum):
    """What to do if the checkout is stale or changed during a run."""

    STOP = "stop"
    CONTINUE = "continue"
    FORK = "fork"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutState:
    """A branch, its commit, and how many commits its upstream has that are not here."""

    branch: str | None = None
    head: str | None = None
    upstream: str = ""
    behind: int = 0
    lineage: str = ""
    """Empty if ``head`` continues the commit that was asked about; else what happened to it."""

    @property
    def words(self) -> str:
        """The checkout in words for people."""
        if self.head is None and self.branch is None:
            return "no commit"
        at = "" if self.head is None else f" at {self.head[:_SHORT]}"
        return f"{self.branch or 'a detached HEAD'}{at}"


def staleness(now: CheckoutState) -> str:
    """Return why a checkout is stale, in words; empty if it is not."""
    if not now.behind:
        return ""
    commits = "1 commit" if now.behind == 1 else f"{now.behind:,} commits"
    return f"{now.branch or 'the checkout'} is {commits} behind {now.upstream}"


def change_between(before: CheckoutState, now: CheckoutState) -> str:
    """Return how the checkout changed, in words; empty if it is the same.

    A commit on top of the branch is no change: commands of the run may commit.
    """
    if before.branch != now.branch:
        return f"the checkout changed from {before.words} to {now.words}"
    if before.head != now.head and now.lineage:
        return f"{now.branch or 'the checkout'} was rewritten: {now.lineage}"
    return ""


def checkout_json(state: CheckoutState) -> dict[str, object]:
    """Return the JSON that is recorded with a run."""
    return {
        "branch": state.branch,
        "head": state.head,
        "upstream": state.upstream,
        "behind": state.behind,
    }


def checkout_from_json(shape: Shape) -> CheckoutState:
    """Read a checkout."""
    fields = Fields(shape, noun="checkout")
    return CheckoutState(
        branch=fields.maybe_text("branch"),
        head=fields.maybe_text("head"),
        upstream=fields.text("upstream"),
        behind=fields.whole("behind"),
    )
