"""Read standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from holdfast.domain.errors import TooLargeError, UnstorableTextError
from holdfast.domain.memory.memory import LONGEST_CLAIM
from holdfast.surfaces.cli.values import EndlessInputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_READ_AT_MOST = 16 * 1024 * 1024


def is_piped() -> bool:
    """Return whether standard input is something other than a terminal."""
    return sys.stdin is not None and not sys.stdin.isatty()


def piped_text(*, what: str, is_kept: bool = True) -> str:
    """Return standard input as text; refuse an endless stream.

    Raises:
        TooLargeError: It is larger than a memory may be.
        EndlessInputError: It is not stored whole, but exceeds every sensible size.
        UnstorableTextError: It is not UTF-8.
    """
    if sys.stdin is None:
        return ""
    content = sys.stdin.buffer.read(_READ_AT_MOST + 1)
    if len(content) > _READ_AT_MOST:
        if is_kept:
            raise TooLargeError(what=what, size=len(content), cap=LONGEST_CLAIM)
        raise EndlessInputError(what=what, most=_READ_AT_MOST)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnstorableTextError(what=what, problem="It is not UTF-8 text.") from None


def piped_lines() -> Iterator[str]:
    """Return standard input line by line."""
    if sys.stdin is not None:
        yield from decoded(sys.stdin.buffer)


def decoded(lines: Iterable[bytes]) -> Iterator[str]:
    """Return lines as text; bytes that are not UTF-8 become U+FFFD.

    A byte order mark, which some programs write before the first line, is left out.
    """
    coding = "utf-8-sig"
    for line in lines:
        yield line.decode(coding, "replace")
        coding = "utf-8"
