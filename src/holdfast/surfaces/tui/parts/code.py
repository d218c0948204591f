"""Lines of code in the colours of their language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from holdfast.surfaces.tui.parts.texts import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 400
"""How many characters of a line are shown; a longer one is not code that people read."""


def coloured(code: Sequence[str], path: str) -> list[Content]:
    """Return lines of a file in colours; without a language that is known they have none."""
    plain = [safe(one)[:_LONGEST] for one in code]
    language = _language(path)
    if not language:
        return [Content(one) for one in plain]
    from textual.highlight import highlight

    found = highlight("\n".join(plain), language=language).split("\n", allow_blank=True)
    # A lexer must keep every character; a line that it changed is shown without colours.
    return [
        shown if shown.plain == text else Content(text)
        for shown, text in zip([*found, *[Content("")] * len(plain)], plain, strict=False)
    ]


def _language(path: str) -> str:
    from pygments.lexers import find_lexer_class_for_filename

    found = find_lexer_class_for_filename(path)
    return "" if found is None or not found.aliases else str(found.aliases[0])
