"""Styles for a terminal: the style is the type, and it counts only where a terminal reads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TextIO


class Styled(str):
    """Words with a style."""

    __slots__ = ()
    code = "0"


class Bold(Styled):
    """What a reader looks for first."""

    __slots__ = ()
    code = "1"


class Dim(Styled):
    """What a reader may skip."""

    __slots__ = ()
    code = "2"


class Name(Styled):
    """An id or a name that can be used in the next command."""

    __slots__ = ()
    code = "36"


class Good(Styled):
    """What is well."""

    __slots__ = ()
    code = "32"


class Warn(Styled):
    """What wants a look."""

    __slots__ = ()
    code = "33"


class Bad(Styled):
    """What is wrong."""

    __slots__ = ()
    code = "31"


def is_wanted(stream: TextIO | None) -> bool:
    """Tell whether a stream is shown colours: NO_COLOR says no, FORCE_COLOR says yes."""
    if stream is None or os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in {"", "0"}:
        return True
    return os.environ.get("TERM") not in {None, "", "dumb"} and stream.isatty()
