"""Lines of code in the colours of their language."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from textual.content import Content

from holdfast.surfaces.tui.parts.texts import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 400
"""How many characters of a line are shown; a longer one is not code that people read."""

_languages: dict[str, str] = {}
"""The language of each file name whose lexer is loaded; empty if none is known."""


def lacks_colours(paths: Sequence[str]) -> bool:
    """Return whether a lexer has to be loaded before these files have colours."""
    return any(_file_name(path) not in _languages for path in paths)


def load_colours(paths: Sequence[str]) -> None:
    """Load the lexers of files; this takes long enough to do it in a thread."""
    from pygments.lexers import find_lexer_class_for_filename

    for name in map(_file_name, paths):
        found = find_lexer_class_for_filename(name)
        _languages[name] = "" if found is None or not found.aliases else str(found.aliases[0])


def coloured(code: Sequence[str], path: str) -> list[Content]:
    """Return lines of a file, in colours if its language is known and loaded."""
    plain = [safe(one)[:_LONGEST] for one in code]
    language = _languages.get(_file_name(path), "")
    if not language:
        return [Content(one) for one in plain]
    from textual.highlight import highlight

    found = highlight("\n".join(plain), language=language).split("\n", allow_blank=True)
    # A lexer must keep every character; a line that it changed is shown without colours.
    padded = [*found, *[Content("")] * len(plain)]
    return [
        shown if shown.plain == text else Content(text)
        for shown, text in zip(padded, plain, strict=False)
    ]


def _file_name(path: str) -> str:
    return PurePosixPath(path).name
