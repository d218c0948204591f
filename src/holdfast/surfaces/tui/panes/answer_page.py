"""Answers on a page: the parts of a score as bars, and a meter of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.tui.parts.texts import (
    BAD,
    BOLD,
    DIM,
    GOOD,
    NAME,
    WARN,
    bar,
    fact,
    line,
    one_line,
    quoted,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.content import Content

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle, BundleItem, LeftOut, PassageItem, Reason

_BAR = 20
_METER = 30


def token_meter(bundle: Bundle) -> Content:
    """Return how much of the budget an answer takes."""
    budget = bundle.question.budget
    words = f" {bundle.tokens:,} of {budget:,} tokens"
    return line((bar(bundle.tokens / budget, _METER), NAME), (words, DIM))


def score_lines(reasons: Sequence[Reason]) -> list[Content]:
    """Return the parts of a score, the largest first, each with a bar."""
    parts = sorted(reasons, key=lambda one: -abs(one.amount))
    most = max((abs(one.amount) for one in parts), default=0.0) or 1.0
    return [
        line(
            (f"{one_line(one.leg):>12} ", DIM),
            (bar(abs(one.amount) / most, _BAR), BAD if one.amount < 0 else GOOD),
            f" {one.amount:+.3f}  ",
            (one_line(one.note), DIM),
        )
        for one in parts
    ]


def item_page(
    item: BundleItem | LeftOut | PassageItem, record: MemoryRecord | None, *, text: str = ""
) -> list[Content]:
    """Return an item of an answer: its text, its tokens, its score, and why it was left out."""
    why = getattr(item, "why", "") or getattr(item, "why_not", "")
    shown = [line(("score ", DIM), (f"{item.score:.4f}", BOLD), (f"  {item.tokens:,} tokens", DIM))]
    if record is not None:
        memory = record.memory
        shown += [line((f"{memory.kind.value}  {memory.scope.value}", DIM)), styled("")]
        shown += quoted(memory.claim)
    elif text:
        shown += [styled(""), *quoted(text)]
    else:
        shown.append(styled("Its text is not kept, or it was forgotten since.", DIM))
    shown.append(styled(""))
    if why:
        shown.append(fact("left out", (one_line(why), WARN)))
    if newer := getattr(item, "superseded_by", None):
        shown.append(fact("newer", (newer, NAME)))
    for one in getattr(item, "checked", ()):
        shown.append(fact("evidence", one_line(f"{one.reference}  {one.sighting.words}")))
    for one in getattr(item, "ranks", ()):
        shown.append(fact("rank", one_line(f"{one.rank} after {one.stage}")))
    return [*shown, styled(""), *score_lines(item.reasons), styled(""), line((_name(item), DIM))]


def _name(item: BundleItem | LeftOut | PassageItem) -> str:
    return one_line(str(getattr(item, "memory_id", "") or getattr(item, "reference", "")))
