"""Tell which characters a reader does not see, and write them by their code.

It is imported before the first answer to an agent, so it imports very little itself.
"""

from __future__ import annotations

from collections.abc import Iterator

_JOINERS = "\u200c\u200d"
_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_STYLES = "\ufe0e\ufe0f"
_KEYCAP = "\u20e3"
_KEYCAP_BASES = frozenset("0123456789#*")

# Spaces of other widths: Python calls them unprintable, but readers see them.
_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000") | {
    chr(code) for code in range(0x2000, 0x200B)
}
# Characters that Unicode classes as format controls although they are drawn.
_DRAWN = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
# Marks and fillers that count as printable although nothing is drawn.
_UNDRAWN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0") | {
    chr(code)
    for first, last in ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF))
    for code in range(first, last + 1)
}

_EMOJI = (
    "\u00a9\u00a9", "\u00ae\u00ae", "\u203c\u203c", "\u2049\u2049", "\u2122\u2122", "\u2139\u2139",
    "\u2194\u2199", "\u21a9\u21aa", "\u231a\u231b", "\u2328\u2328", "\u23cf\u23cf", "\u23e9\u23fa",
    "\u24c2\u24c2", "\u25aa\u25ab", "\u25b6\u25b6", "\u25c0\u25c0", "\u25fb\u25fe", "\u2600\u27bf",
    "\u2934\u2935", "\u2b05\u2b07", "\u2b1b\u2b1c", "\u2b50\u2b55", "\u3030\u3030", "\u303d\u303d",
    "\u3297\u3299", "\U0001f000\U0001faff",
)  # fmt: skip
# Arabic, Syriac, Thaana, N'Ko, then the Indic scripts to Sinhala, Myanmar, Khmer, Mongolian.
_JOINED_SCRIPTS = (
    "\u0600\u07ff", "\u0840\u08ff", "\u0900\u0dff", "\u1000\u109f", "\u1780\u18af", "\ua8e0\ua8ff",
    "\ufb50\ufdff", "\ufe70\ufefc", "\U00011000\U000114ff",
)  # fmt: skip


def escaped(text: str) -> str:
    """Write every hidden code point as `<U+XXXX>`, so that a reviewer can see it."""
    if is_plain(text):
        return text
    return "".join(
        f"<{code_of(character)}>" if is_hidden else character
        for character, is_hidden in judged(text.replace("\r\n", "\n"))
    )


def is_plain(text: str) -> bool:
    """Return whether every character is surely drawn, so that none has to be judged by itself.

    False says nothing: an emoji with its joiner, and a space of another width, are visible too.
    """
    bare = text.replace("\n", "").replace("\t", "")
    return bare.isprintable() and (bare.isascii() or _UNDRAWN.isdisjoint(bare))


def judged(text: str) -> Iterator[tuple[str, bool]]:
    """Pair each character with whether it is hidden at its position."""
    kept = ""
    for position, character in enumerate(text):
        is_hidden = _is_unseen(character) and not _is_needed(
            character, before=kept, after=text[position + 1 : position + 2]
        )
        yield character, is_hidden
        if not is_hidden:
            # The last two suffice: an emoji and its style selector.
            kept = kept[-1:] + character


def _is_unseen(character: str) -> bool:
    if character.isprintable():
        return character in _UNDRAWN
    return character not in "\n\t" and character not in _SPACES and character not in _DRAWN


def _is_needed(character: str, *, before: str, after: str) -> bool:
    """Tell whether removing the character would change what the reader sees."""
    if character in _EMOJI_STYLES:
        return _is_in(before[-1:], _EMOJI) or (before[-1:] in _KEYCAP_BASES and after == _KEYCAP)
    if character not in _JOINERS:
        return False
    if _is_in(before[-1:], _JOINED_SCRIPTS):
        return _is_in(after, _JOINED_SCRIPTS) and after.isalpha()
    base = before.rstrip(_EMOJI_STYLES)
    return character == _ZERO_WIDTH_JOINER and _is_in(base[-1:], _EMOJI) and _is_in(after, _EMOJI)


def _is_in(character: str, ranges: tuple[str, ...]) -> bool:
    return any(ends[0] <= character <= ends[1] for ends in ranges)


def code_of(character: str) -> str:
    """Return the code point of a character in words."""
    return f"U+{ord(character):04X}"
