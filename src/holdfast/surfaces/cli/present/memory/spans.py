"""Print a place in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.anchor import Checked
from holdfast.surfaces.cli.present.memory.memory_lines import fact_lines
from holdfast.surfaces.cli.present.memory.verdicts import show_changes
from holdfast.surfaces.cli.present.terminal.colour import Bold, Name

if TYPE_CHECKING:
    from holdfast.domain.memory.anchor import Anchor, Sighting
    from holdfast.domain.memory.evidence import Span
    from holdfast.surfaces.cli.present.terminal.output import Output


def span_page(output: Output, span: Span, sighting: Sighting) -> None:
    """Write a span with its anchor, and its current state."""
    anchor = span.anchor
    output.say(Name(span.id), "  ", Bold(span.reference))
    fact_lines(
        output,
        [
            ("label", span.label),
            ("pinned", "yes" if span.pinned else ""),
            ("repository", span.repo),
            ("captured", f"{span.captured_at:%Y-%m-%d %H:%M} UTC"),
            ("hash", span.text_hash),
            ("symbol", None if anchor is None else anchor.symbol),
            ("read at", None if anchor is None else _read_at(anchor)),
            ("last touched by", None if anchor is None else anchor.touched_by),
            ("now", sighting.words),
        ],
    )
    show_changes(output, [Checked(reference=span.reference, span=span.id, sighting=sighting)])


def _read_at(anchor: Anchor) -> str | None:
    """Return the state of the repository in which the lines were read."""
    if anchor.head is None:
        return None
    tree = "as committed" if anchor.is_committed else "with changes that were not committed"
    on = "" if anchor.branch is None else f" on {anchor.branch}"
    return f"{anchor.head[:12]}{on}, {tree}"
