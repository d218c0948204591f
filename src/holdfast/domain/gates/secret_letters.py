"""Letters that only look like those of a secret's name: full-width forms, and other alphabets.

A `password` in full-width letters, or with a Cyrillic a, is read as a person reads it. Each letter
becomes one letter, so positions stay the same.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.domain.gates.secret_names import STEMS

_FORMS = ((0xFF01, 0xFF5E), (0x1D400, 0x1D7FF), (0x24B6, 0x24E9))
"""Full-width signs, mathematical letters and letters in circles."""
_LOOKS = (
    ("\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u051b\u051d\u04cf",
     "aeopcyxijsdhqwl"),
    ("\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405",
     "ABEKMHOPCTYXIJS"),
    ("\u03bf\u03bd\u03c1\u03b1\u03b9\u03ba\u03c5", "ovpaiku"),
    ("\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7",
     "ABEZHIKMNOPTYX"),
    ("\u0131\u0261\u0251", "iga"),
)  # fmt: skip
"""Cyrillic, Greek and other letters, and the Latin ones that they look like."""
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]")


def plain_letters(text: str) -> str:
    """Return the text with the letters that a reader takes for Latin ones as Latin ones.

    A letter of another alphabet counts in a word that has Latin letters too, and in a word that
    looks exactly like the name of a secret. Any other word of one alphabet is of a language.
    """
    folded = text.translate(_forms())
    is_formed = any(one != other and one.isalpha() for one, other in zip(folded, text, strict=True))
    return _WORD.sub(_unmixed, folded if is_formed else text)


def _unmixed(word: re.Match[str]) -> str:
    folded = word[0].translate(_looks())
    return folded if _LATIN.search(word[0]) or folded.lower() in STEMS else word[0]


@cache
def _looks() -> dict[int, str]:
    return {
        ord(one): other for theirs, ours in _LOOKS for one, other in zip(theirs, ours, strict=True)
    }


@cache
def _forms() -> dict[int, str]:
    from unicodedata import normalize

    signs = (chr(code) for first, last in _FORMS for code in range(first, last + 1))
    return {
        ord(sign): plain for sign in signs if (plain := normalize("NFKC", sign)).isascii() and plain
    }
