"""Secrets that are split, escaped or encoded.

A token that is split over lines or string literals is joined; base64 and hexadecimal are decoded.
The given rules search each decoded layer, and matches are mapped back to positions in the text.
"""

from __future__ import annotations

import re
from binascii import a2b_base64
from collections.abc import Callable, Iterator
from functools import cache

from holdfast.domain.gates.likeness import looks_random

Spans = Iterator[tuple[str, int, int]]
_PATTERNS = {
    # Between the parts: the end of a literal and the start of the next, a line that a shell
    # continues, also after its line break became a blank, or another line break.
    "seam": (
        r"(?P<quoted>(?<=[\w=+/.~-])(?:\\n)?[\"'][ \t]{0,8}[+.\\]{0,2}[ \t]{0,8}"
        r"(?:\\?\r?\n[ \t>#*/|]{0,40})?[+.]?[ \t]{0,8}[\"'](?=[\w=+/.~-]))"
        r"|(?P<continued>(?<=[\w=+/.~-])\\(?:\r?\n| )(?=[\w=+/.~-]))"
        r"|(?P<broken>(?<=[\w=+/.~-])(?:\\?\r?\n[ \t>#*/|]{0,40}|\\[ \t]{1,4})"
        r"(?=(?P<after>[\w+/.~-]{8,400}+)(?!=[^=\s])))"
    ),
    "escaped": r"\S{0,400}(?:%(?:3[AaDd]|22)|&(?:quot|apos|#34|#39|#x22|#x27);)\S{1,400}",
    "escape": r"%([0-9A-Fa-f]{2})|&(quot|apos|#34|#39|#x22|#x27);",
    # Any visible sign; only values with a recognisable format are searched for in these.
    "veiled": r"\S{0,400}(?:%[2-7][0-9A-Fa-f]|&#(?:\d{2,3}|[xX][2-7][0-9A-Fa-f]);)\S{0,400}",
    "veil": r"%([2-7][0-9A-Fa-f])|&#[xX]([2-7][0-9A-Fa-f]);|&#0{0,4}(\d{2,3});",
    "before": r"[\w+/.~-]*$",
    "base64": r"(?<![\w+/-])[A-Za-z0-9+/_-]{24,60000}={0,2}(?![\w+/-])",
    # Bytes of visible signs only; those of a hash are not.
    "hex": r"(?<!\w)(?:0x)?((?:[2-7][0-9A-Fa-f]){12,20000})(?!\w)",
    "wrapped": (
        r"(?<![\w+/=-])(?:[A-Za-z0-9+/]{60,76}\r?\n[ \t]{0,16}){1,400}[A-Za-z0-9+/]{4,76}={0,2}"
    ),
}
_PRINTABLE_SHARE = 0.95
_SHORTEST_CHARS = 12
_JUDGED = 4_000
_LOOK_BACK = 100


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


def unescaped_spans(text: str, search: Callable[[str], Spans]) -> Spans:
    """Find secrets in words with URL or HTML escapes; the whole word is reported."""
    for match in _compiled("escaped").finditer(text):
        plain = _compiled("escape").sub(
            lambda code: chr(int(code[1], 16)) if code[1] else '"', match[0]
        )
        if rule := next((rule for rule, _, _ in search(plain)), None):
            yield rule, *match.span()


def unveiled_spans(text: str, search: Callable[[str], Spans]) -> Spans:
    """Find secrets in words some of whose signs are written as codes; the word is reported."""
    for match in _compiled("veiled").finditer(text):
        plain = _compiled("veil").sub(_sign, match[0])
        if plain != match[0] and (rule := next((rule for rule, _, _ in search(plain)), None)):
            yield rule, *match.span()


def _sign(code: re.Match[str]) -> str:
    """Return the sign that a code of a URL or of HTML stands for."""
    return chr(int(code[3]) if code[3] else int(code[1] or code[2], 16))


def joined_spans(text: str, search: Callable[[str], Spans]) -> Spans:
    """Find secrets that are complete only after literals and lines are joined."""
    seams = [match.span() for match in _compiled("seam").finditer(text) if _is_seam(match, text)]
    if not seams:
        return
    joined, places = _without(text, seams)
    for rule, start, end in search(joined):
        first, last = places[start], places[end - 1] + 1
        if last - first > end - start:
            yield rule, first, last


def _is_seam(match: re.Match[str], text: str) -> bool:
    """Tell a token that continues on the next line from two words."""
    if match["broken"] is None:
        return True
    before = _compiled("before").search(text, max(0, match.start() - _LOOK_BACK), match.start())
    return looks_random(match["after"]) and before is not None and not before[0].isalpha()


def _without(text: str, seams: list[tuple[int, int]]) -> tuple[str, list[int]]:
    """Remove the seams; return the rest, and the original position of each character."""
    pieces: list[str] = []
    places: list[int] = []
    since = 0
    for start, end in [*seams, (len(text), len(text))]:
        pieces.append(text[since:start])
        places += range(since, start)
        since = end
    return "".join(pieces), places


def decoded_spans(text: str, is_secret: Callable[[str], str | None]) -> Spans:
    """Find values in base64 or hexadecimal that contain a secret; the whole value is reported."""
    for match in _compiled("hex").finditer(text):
        if rule := is_secret(bytes.fromhex(match[1]).decode("ascii")):
            yield rule, *match.span()
    for name in ("base64", "wrapped"):
        for match in _compiled(name).finditer(text):
            plain = _decoded("".join(match[0].split()))
            rule = is_secret(plain) if plain else None
            if rule:
                yield rule, *match.span()


def _decoded(value: str) -> str | None:
    """Return the text that a value encodes in base64; truncated values are decoded too."""
    bare = value.rstrip("=").translate({ord("-"): "+", ord("_"): "/"})
    whole = bare + "=" * (-len(bare) % 4) if len(bare) % 4 != 1 else bare[:-1]
    decoded = a2b_base64(whole).decode("latin-1")
    judged = decoded[:_JUDGED]
    plain = sum(" " <= character <= "~" or character in "\t\r\n" for character in judged)
    if len(judged) < _SHORTEST_CHARS or plain < _PRINTABLE_SHARE * len(judged):
        return None
    return decoded
