"""A place in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.colour import Bold, Name
from holdfast.surfaces.cli.present.memory_lines import fact_lines

if TYPE_CHECKING:
    from holdfast.domain.evidence import Span
    from holdfast.surfaces.cli.present.output import Output


def span_page(output: Output, span: Span) -> None:
    """Write a span with what pins it down."""
    output.say(Name(span.id), "  ", Bold(span.reference))
    fact_lines(
        output,
        [
            ("label", span.label),
            ("pinned", "yes" if span.pinned else ""),
            ("repository", span.repo),
            ("captured", f"{span.captured_at:%Y-%m-%d %H:%M} UTC"),
            ("hash", span.text_hash),
        ],
    )
