"""Lines of Holdfast in a file of another owner: between two marks, left alone once edited.

The first mark contains a hash of the lines, which reveals edits, and the names of the tools that
need the lines, so that the lines stay as long as any tool needs them. The text around the marks is
never changed; removing the lines restores the file, including its last newline.
"""

from __future__ import annotations

import hashlib
import re
from enum import StrEnum

from holdfast.domain.values import dataclass

BEGIN = "holdfast:begin"
END = "holdfast:end"
_DIGEST = 12
_FIRST = re.compile(
    rf"^[ \t]*(?:<!--|\#|//)[ \t]*{BEGIN}(?:[ \t]+(?P<digest>[0-9a-f]{{{_DIGEST}}}))?"
    r"(?:[ \t]+for[ \t]+(?P<owners>[a-z0-9, -]*?))?[ \t]*(?:-->)?[ \t]*\r?$",
    re.MULTILINE,
)
_LAST = re.compile(rf"^[ \t]*(?:<!--|\#|//)[ \t]*{END}[ \t]*(?:-->)?[ \t]*\r?$", re.MULTILINE)


class CommentStyle(StrEnum):
    """The comment syntaxes that files use."""

    MARKUP = "<!--"
    HASH = "#"
    SLASHES = "//"


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedBlock:
    """Our lines in a text: their range, the tools that need them, and whether they were edited."""

    start: int
    end: int
    line: int
    body: str
    owners: tuple[str, ...]
    is_untouched: bool


def managed(body: str, *, comment: CommentStyle, owners: tuple[str, ...] = ()) -> str:
    """Return lines between our two marks, without a newline at the end."""
    plain = body.strip("\n")
    whom = f" for {', '.join(sorted(owners))}" if owners else ""
    first = _marked(f"{BEGIN} {_digest(plain)}{whom}", comment)
    return f"{first}\n{plain}\n{_marked(END, comment)}"


def find_block(text: str) -> ManagedBlock | None:
    """Return our lines in a text, or None.

    A mark without its counterpart, or a second pair of marks, counts as edited: a person must
    check it first.
    """
    first = _FIRST.search(text)
    if first is None:
        return None
    last = _LAST.search(text, first.end())
    end = _line_end(text, first.end() if last is None else last.end())
    inside = text[first.end() : end if last is None else last.start()]
    body = inside.replace("\r\n", "\n").strip("\n")
    is_single = _FIRST.search(text, first.end()) is None
    owners = (one.strip() for one in (first["owners"] or "").split(","))
    return ManagedBlock(
        start=first.start(),
        end=end,
        line=text.count("\n", 0, first.start()) + 1,
        body=body,
        owners=tuple(one for one in owners if one),
        is_untouched=last is not None and is_single and first["digest"] == _digest(body),
    )


def room_for(block: str, text: str | None) -> str:
    """Return the text to append to a file (None: there is no file) to add a block.

    A blank line comes first. A text without a newline at its end still has none afterwards, so
    that ``without_block`` can restore it.
    """
    if text is None:
        return f"{block}\n"
    newline = "\r\n" if "\r\n" in text else "\n"
    block = block.replace("\n", newline)
    if text and not text.endswith("\n"):
        return f"{newline}{newline}{block}"
    return f"{newline}{block}{newline}"


def without_block(text: str, block: ManagedBlock) -> str | None:
    """Return a text as it was before the block was added; None if there was no file."""
    before, after = text[: block.start], text[block.end :]
    if not before and not after.strip():
        return None
    if not after:
        return _without_newline(_without_newline(before))
    return _without_newline(before, blank=True) + _without_newline(after, first=True)


def _without_newline(text: str, *, first: bool = False, blank: bool = False) -> str:
    """Return a text without one newline at its end (or start, or only if a blank line ends it)."""
    if first:
        return text.removeprefix("\r").removeprefix("\n")
    shorter = text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text
    return shorter if not blank or not shorter or shorter.endswith("\n") else text


def _line_end(text: str, at: int) -> int:
    """Return where a line's text ends: its carriage return belongs to the newline."""
    return at - 1 if text[:at].endswith("\r") else at


def _marked(words: str, comment: CommentStyle) -> str:
    return f"<!-- {words} -->" if comment is CommentStyle.MARKUP else f"{comment.value} {words}"


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST]
