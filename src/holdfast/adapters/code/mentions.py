"""What a question says of code: files, places in a traceback, dotted names, identifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

READ_AT_MOST = 40_000
_LONGEST_WORD = 300
_MOST_NAMES = 400
_MOST_PARTS = 12
_CODE = re.compile(
    r"```.*?(?:```|\Z)|^(?:>>>|\.\.\.) [^\n]*$|^[ \t]*File \"[^\n]*$", re.DOTALL | re.MULTILINE
)
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
# These match every name, so that no text is walked through twice; those without are left out.
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
    """A place that a traceback or a person names."""

    path: str
    line: int
    function: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """Identifiers by where they stand: the nearer to the point, the more they tell."""

    title: frozenset[str] = frozenset()
    quoted: frozenset[str] = frozenset()
    prose: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()

    def all(self) -> frozenset[str]:
        """Every identifier, wherever it stands."""
        return self.title | self.quoted | self.prose | self.code


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A question taken apart: its first line, its prose, its code, and what they name.

    The innermost frame is the last; ``length`` is how many words the question has.
    """

    title: str
    prose: str
    code: str
    frames: tuple[Frame, ...]
    paths: tuple[tuple[str, ...], ...]
    dotted: tuple[tuple[str, ...], ...]
    names: Names
    length: int


def read_question(question: str) -> Said:
    """Take a question apart; of a long one the beginning counts."""
    text = question[:READ_AT_MOST].replace("\r\n", "\n").replace("\0", " ").strip()
    title, _, body = text.partition("\n")
    code = "\n".join(match[0] for match in _CODE.finditer(body))
    prose = _CODE.sub(" ", body)
    frames = tuple(_frames(text))
    plain = _PYTHON_FRAME.sub(" ", text)
    return Said(
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
    """Return the names a path is made of, without the drive and without dots."""
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
    # Python ends with where it broke; most others begin with it.
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
    """Return the words with where they begin; what no path could be is passed over."""
    at = 0
    for match in _APART.finditer(text):
        if at < match.start() <= at + _LONGEST_WORD:
            yield at, text[at : match.start()]
        at = match.end()
    if at < len(text) <= at + _LONGEST_WORD:
        yield at, text[at:]


def _names(title: str, prose: str, code: str) -> Names:
    quoted = " ".join(_QUOTED.findall(f"{title}\n{prose}"))
    return Names(
        title=_few(_looking_like_code(title)),
        quoted=_few(_IDENTIFIER.findall(quoted)),
        prose=_few(_looking_like_code(prose)),
        code=_few(_IDENTIFIER.findall(code)),
    )


def _few(names: Iterable[str]) -> frozenset[str]:
    kept: Mapping[str, None] = dict.fromkeys(names)
    return frozenset(list(kept)[:_MOST_NAMES])


def _looking_like_code(text: str) -> list[str]:
    """Return what nobody would write in plain words, and words with a capital.

    A capital may begin a sentence or name a class: who looks it up will see.
    """
    called = [name for name, opened in _CALLED.findall(text) if opened]
    return called + [
        name
        for name in _IDENTIFIER.findall(text)
        if "_" in name.strip("_") or name[:1].isupper() or _INNER_CAPITAL.search(name)
    ]


def is_plain(name: str) -> bool:
    """Tell whether a name could be a word of a sentence, but for a capital at its beginning."""
    return "_" not in name.strip("_") and not _INNER_CAPITAL.search(name)
