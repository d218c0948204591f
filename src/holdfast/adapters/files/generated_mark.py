"""The mark of a generated page: a hash that shows whether somebody edited it."""

from __future__ import annotations

import hashlib
import re

from holdfast.domain.pages.waiting_page import DecisionWords

BY_COMMAND = DecisionWords(
    review="`holdfast review`",
    approve="`holdfast approve {memory}`",
    reject="`holdfast reject {memory}`",
    resolve="`holdfast resolve {memory} {rival}`",
)
"""How the readers of a page decide about what waits there."""
_OPENING = "<!-- Made by holdfast; edits here are not read. "
_MARK = re.compile(rf"{re.escape(_OPENING)}([0-9a-f]{{64}}) -->".encode())
_FRONTMATTER = "---\n"


def marked(text: str) -> bytes:
    """Return a generated page with its hash line."""
    plain = text.replace("\r\n", "\n")
    content = plain.encode("utf-8", "backslashreplace")
    if not plain.startswith(_FRONTMATTER):
        return _mark(content) + content
    content = content if plain.endswith("\n") else content + b"\n"
    return content + _mark(content)


def is_generated(content: bytes) -> bool:
    """Return whether a page was generated, whether or not it was edited since."""
    return _parted(content) is not None


def is_as_made(content: bytes) -> bool:
    """Return whether a generated page is unchanged; different line ends do not count."""
    parted = _parted(content.replace(b"\r\n", b"\n"))
    return parted is not None and _hash(parted[1]) == parted[0]


def _parted(content: bytes) -> tuple[str, bytes] | None:
    """Return the hash in a generated page, and the rest of the page."""
    first, _, after = content.partition(b"\n")
    if match := _MARK.fullmatch(first.rstrip(b"\r")):
        return match[1].decode(), after
    before, _, last = content.rstrip(b"\r\n").rpartition(b"\n")
    if match := _MARK.fullmatch(last):
        return match[1].decode(), before + b"\n"
    return None


def _mark(content: bytes) -> bytes:
    return f"{_OPENING}{_hash(content)} -->\n".encode()


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
