"""Parses a question about code: files, places in a traceback, dotted names, identifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

READ_AT_MOST = 40_000
_LONGEST_WORD = 300
_MOST_NAMES = 400
_MOST_PARTS = 12
_CODE = re.compile(
    r"```.*?(?:```|\Z)|^(?:>>>|\.\.\.) [^\n]*$|^[ \t]*File \"[^\n]*$", re.DOTALL | re.MULTILINE
)
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
# These patterns match every name, so that no text is scanned twice; plain names are filtered out
# afterwards.
_CALLED = re.compile(r"([^\W\d]\w*)(\(?)")
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_APART = re.compile(r"[\s\"'`<>(){}\[\],;=|*]+")
_PYTHON_FRAME = re.compile(r"File \"([^\"\n]{1,300})\", line (\d{1,7})(?:, in ([^\W\d]\w*))?")
_PLACE = re.compile(r"([\w@%+~.\-/\\]*\.[A-Za-z]\w{0,9}|[\w@%+~.\-/\\]*[/\\][\w.\-]+):(\d{1,7})\b")
_FILE = re.compile(r"(?:[A-Za-z]:)?([\w@%+~.\-/\\]*\w\.[A-Za-z]\w{0,9})(?=$|[:.?!#])")
_FROM_INSIDE = re.compile(r"^[ \t]+at [^\n]{0,300}[:(]|^goroutine \d|^panic: ", re.MULTILINE)
_INNER_CAPITAL = re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Za-z0-9]*[A-Z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A place in a file that a traceback or a person names."""

    path: str
    line: int
    function: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionedNames:
    """Identifiers grouped by where they occur; the groups have different weights."""

    title: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    prose: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()

    def all(self) -> frozenset[str]:
        """All identifiers, wherever they occur."""
        return self.title | self.quoted | self.prose | self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedQuestion:
    """A parsed question: its first line, its prose, its code, and the names in them.

    The innermost frame is the last; ``length`` is the number of words of the question.
    """

    title: str
    prose: str
    code: str
    frames: tuple[Frame, ...]
    paths: tuple[tuple[str, ...], ...]
    dotted: tuple[tuple[str, ...], ...]
    names: MentionedNames
    length: int


def read_question(question: str) -> ParsedQuestion:
    """Parse a question; only the beginning of a long one is used."""
    text = question[:READ_AT_MOST].replace("\r\n", "\n").replace("\0", " ").strip()
    title, _, body = text.partition("\n")
    code = "\n".join(match[0] for match in _CODE.finditer(body))
    prose = _CODE.sub(" ", body)
    frames = tuple(_frames(text))
    plain = _PYTHON_FRAME.sub(" ", text)
    return ParsedQuestion(
        title=title,
        prose=prose,
        code=code,
        frames=frames,
        paths=tuple(dict.fromkeys(_paths(plain))),
        dotted=tuple(dict.fromkeys(_dotted(plain))),
        names=_names(title, prose, code),
        length=len(_IDENTIFIER.findall(text)),
    )


def path_parts(path: str) -> tuple[str, ...]:
    """Return the components of a path, without the drive and without dots."""
    parts = path.replace("\\", "/").split("/")
    return tuple(part for part in parts if part not in {"", ".", "..", "~"} and part[-1:] != ":")


def _frames(text: str) -> Iterator[Frame]:
    found: list[tuple[int, Frame]] = []
    for match in _PYTHON_FRAME.finditer(text):
        frame = Frame(path=match[1], line=int(match[2]), function=match[3] or "")
        found.append((match.start(), frame))
    for at, word in _words(text):
        place = _PLACE.search(word)
        if place:
            found.append((at, Frame(path=place[1], line=int(place[2]))))
    # A Python traceback ends with the innermost frame; most others begin with it.
    begins_inside = _FROM_INSIDE.search(text) is not None and not _PYTHON_FRAME.search(text)
    found.sort(key=lambda each: each[0], reverse=begins_inside)
    return (frame for _, frame in found)


def _paths(text: str) -> Iterator[tuple[str, ...]]:
    for _, word in _words(text):
        match = _FILE.search(word)
        if match:
            yield path_parts(match[1])


def _dotted(text: str) -> Iterator[tuple[str, ...]]:
    for match in _DOTTED.findall(text):
        if "." in match:
            yield tuple(match.split(".", _MOST_PARTS)[:_MOST_PARTS])


def _words(text: str) -> Iterator[tuple[int, str]]:
    """Return the words with their offsets; words that cannot be a path are skipped."""
    at = 0
    for match in _APART.finditer(text):
        if at < match.start() <= at + _LONGEST_WORD:
            yield at, text[at : match.start()]
        at = match.end()
    if at < len(text) <= at + _LONGEST_WORD:
        yield at, text[at:]


def _names(title: str, prose: str, code: str) -> MentionedNames:
    quoted = " ".join(_QUOTED.findall(f"{title}\n{prose}"))
    return MentionedNames(
        title=_few(_looking_like_code(title)),
        quoted=_few(_IDENTIFIER.findall(quoted)),
        prose=_few(_looking_like_code(prose)),
        code=_few(_IDENTIFIER.findall(code)),
    )


def _few(names: Iterable[str]) -> frozenset[str]:
    kept: Mapping[str, None] = dict.fromkeys(names)
    return frozenset(list(kept)[:_MOST_NAMES])


def _looking_like_code(text: str) -> list[str]:
    """Return words that look like code, and capitalised words.

    A capital may begin a sentence or name a class; the lookup in the index decides.
    """
    called = [name for name, opened in _CALLED.findall(text) if opened]
    return called + [
        name
        for name in _IDENTIFIER.findall(text)
        if "_" in name.strip("_") or name[:1].isupper() or _INNER_CAPITAL.search(name)
    ]


def prose_share(said: ParsedQuestion, defined: Collection[str]) -> float:
    """Return the share of a question's content words that are no names of defined symbols."""
    words = [
        word
        for word in _IDENTIFIER.findall(f"{said.title} {said.prose}")
        if word.casefold() not in STOP_WORDS
    ]
    if not words:
        return 1.0
    return sum(word not in defined for word in words) / len(words)


def is_plain(name: str) -> bool:
    """Return whether a name could be an ordinary word, except for a capital first letter."""
    return "_" not in name.strip("_") and not _INNER_CAPITAL.search(name)
