"""Read the paths and commands in a claim's code, and whether the claim warns about them."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

BINDING = frozenset({"rule", "invariant"})
_MOST_CODES, _NEARBY = 50, 1_000
"""What is read of a long claim: its first pieces of code, and the text around each."""
_CODE = re.compile(r"`([^`\n]{1,200})`")
_PROGRAM = re.compile(r"[a-z0-9~./][a-z0-9_.+/-]*")
_FILE = re.compile(r"[\w.@+-]+\.[A-Za-z]\w{0,9}|\.[a-z][\w.-]+|[A-Z][a-z]+file")
# A clause ends at a full stop, a dash, or a contrasting word such as "but".
_CLAUSE = re.compile(
    r"[.;:!?](?=\s|$)|\s[-–—]\s|\n|[()]"
    r"|,\s+(?!`|(?:or|and|nor)\b)|\b(?:but|instead(?! of)|otherwise)\b"
    r"|\band\s+(?=(?:always|use|run|prefer|then)\b)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:never|do not|don't|does not|doesn't|must not|mustn't|should not|shouldn't|cannot|can't"
    r"|may not|avoid|avoids|not|no longer|instead of|rather than|stop|forbid|forbids|forbidden"
    r"|refuse|ban|banned|drop|no)\b",
    re.IGNORECASE,
)
_OCCASION = re.compile(
    r"\b(?:before|after|when|whenever|while|during|unless|until|on every|each time|every time)\b"
    r"[^`]{0,30}$",
    re.IGNORECASE,
)
_FOR = re.compile(
    r"\b(?:use|uses|using|run|runs|running|prefer|always|call|try|must|should|needs?|keep|put|add)\b"
    r"(?:\s+[^\s`]+){0,3}\s*$|\b(?:in|into|under|to|by|with|via|through|see|then)\s+$",
    re.IGNORECASE,
)
_BAD_NEWS = re.compile(
    r"\b(?:fails?|failed|breaks?|broke|hangs?|hung|crash(?:es|ed)?|forbidden|not|never|deletes?"
    r"|loses?|lost|wipes?|overwrites?|destroys?|corrupts?|leaks?|cannot|can't|won't|doesn't|isn't"
    r"|timed? out|times out|is broken|removes?|drops?|needs|requires|only|dangerous|slow)\b",
    re.IGNORECASE,
)
_GOOD_NEWS = re.compile(
    r"\b(?:works?|worked|passes|is fine|is right|helps?|fixes|fixed|is safe|instead)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cues:
    """What a memory warns about, and the commands of its claim that it does not warn about."""

    paths: tuple[str, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    spared: tuple[str, ...] = ()


def cues_of(claim: str, kind: str) -> Cues:
    """Return the paths and commands in a claim's code that the claim warns about."""
    paths: list[str] = []
    commands: list[tuple[str, ...]] = []
    spared: list[str] = []
    for code, tone in _codes(claim, kind):
        words = code.split()
        if tone is _Tone.FOR:
            spared.append(code)
        elif len(words) == 1 and _is_path(code):
            if tone is _Tone.AGAINST or not _is_wide(code):
                paths.append(code)
        elif _PROGRAM.fullmatch(words[0]) and (len(words) > 1 or tone is _Tone.AGAINST):
            # One word counts as a command only if the claim forbids it: `make` is too common
            # otherwise.
            commands.append(tuple(words))
    return Cues(paths=tuple(paths), commands=tuple(commands), spared=tuple(spared))


class _Tone:
    """Whether a claim forbids, mentions or recommends a piece of code."""

    AGAINST, OF, FOR = "against", "of", "for"


def _codes(claim: str, kind: str) -> Iterator[tuple[str, str]]:
    # The code itself must not be read as prose: the "no" in `--no-verify` negates nothing.
    masked = _CODE.sub(lambda found: f"`{'x' * len(found[1])}`", claim)
    for found in islice(_CODE.finditer(claim), _MOST_CODES):
        if code := found[1].strip():
            before = _CLAUSE.split(masked[max(0, found.start() - _NEARBY) : found.start()])[-1]
            after = _CLAUSE.split(masked[found.end() : found.end() + _NEARBY])[0]
            yield code, _tone(before, after, kind)


def _tone(before: str, after: str, kind: str) -> str:
    if _OCCASION.search(before):
        return _Tone.OF
    if _AGAINST.search(before):
        return _Tone.AGAINST
    if _FOR.search(before):
        return _Tone.FOR
    if _GOOD_NEWS.search(after):
        return _Tone.FOR
    # A rule that only mentions code, as in "`make test` must pass", does not warn about it.
    if kind not in BINDING or _BAD_NEWS.search(after):
        return _Tone.OF
    return _Tone.FOR


def _is_path(code: str) -> bool:
    if "://" in code or code.startswith(("-", "/", "~", "@")) or code.strip("/.*") == "":
        return False
    return "/" in code or "*" in code or _FILE.fullmatch(code) is not None


def _is_wide(path: str) -> bool:
    """Tell whether a path names a whole top-level folder, such as ``src/``."""
    return path.endswith(("/", "/*", "/**")) and path.strip("/*").count("/") == 0
