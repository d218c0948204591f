"""A word diff: with colours on a terminal, with marks elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text.word_diff import DiffSide, plain_diff, word_diff
from holdfast.surfaces.cli.present.terminal.colour import Bad, Good
from holdfast.surfaces.cli.present.terminal.table import one_line

if TYPE_CHECKING:
    from holdfast.surfaces.cli.present.terminal.output import Output


def diff_words(output: Output, old: str, new: str) -> list[str]:
    """Return the difference as parts of a line."""
    pieces = word_diff(one_line(old), one_line(new))
    if not output.is_coloured:
        return [plain_diff(pieces)]
    styles = {DiffSide.SAME: str, DiffSide.GONE: Bad, DiffSide.NEW: Good}
    return [styles[piece.part](piece.marked) for piece in pieces]
