"""The commands that fix the findings of a curation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.review.curation import Remedy

if TYPE_CHECKING:
    from holdfast.domain.review.curation import Concern

COMMANDS: dict[Remedy, str] = {
    Remedy.KEEP_OLD: "holdfast resolve {all} --keep-old",
    Remedy.SUPERSEDE: "holdfast resolve {all} --supersede",
    Remedy.REJECT: 'holdfast reject {first} --reason "not worth keeping"',
    Remedy.DEPRECATE: "holdfast curate --deprecate {first}",
    Remedy.REVIEW: "holdfast review {first}",
    Remedy.EXPLAIN: "holdfast explain {first}",
    Remedy.SHOW: "holdfast show {first}",
    Remedy.VERIFY: "holdfast verify {first}",
    Remedy.CONSOLIDATE: "holdfast curate --consolidate {all}",
    Remedy.UNPIN: "holdfast unpin --span {first}",
}
"""The command of each remedy."""


def command_of(concern: Concern) -> str:
    """Return the command that fixes a finding."""
    names = [str(name) for name in concern.memories] or [str(concern.span)]
    return COMMANDS[concern.remedy].format(first=names[0], all=" ".join(names))
