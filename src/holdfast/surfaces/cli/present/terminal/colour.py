"""Styles for a terminal: the type of a text is its style; only a terminal shows it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO


class Styled(str):
    """A text with a style."""

    __slots__ = ()
    code = "0"


class Bold(Styled):
    """The most important text."""

    __slots__ = ()
    code = "1"


class Dim(Styled):
    """Text that a reader may skip."""

    __slots__ = ()
    code = "2"


class Quoted(Dim):
    """Words of somebody else in a note; their ids stay as they were written."""

    __slots__ = ()


class ErrorText(str):
    """The text of an error, perhaps with words of a user, so no options are inserted into it."""

    __slots__ = ()


class Name(Styled):
    """An id or a name that can be used in the next command; a terminal shows an id in short."""

    __slots__ = ()
    code = "36"


class WholeName(Name):
    """An id that a terminal shows whole too, because the command shows one thing only."""

    __slots__ = ()


class ShownPlace(Styled):
    """A place in a file, or words that end in one; it is cut in the middle, never at its end."""

    __slots__ = ()


class Good(Styled):
    """Text about something that is correct."""

    __slots__ = ()
    code = "32"


class Warn(Styled):
    """Text about something that a person should check."""

    __slots__ = ()
    code = "33"


class Bad(Styled):
    """Text about something that is wrong."""

    __slots__ = ()
    code = "31"


def is_wanted(stream: TextIO | None) -> bool:
    """Return whether a stream gets colours: NO_COLOR turns them off, FORCE_COLOR on."""
    if stream is None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return os.environ.get("TERM") not in {None, "", "dumb"} and stream.isatty()
