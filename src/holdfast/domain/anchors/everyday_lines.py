"""Lines that occur in nearly every file, so that a search cannot tell them apart."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from holdfast.domain.memory.anchor import mark

if TYPE_CHECKING:
    from collections.abc import Sequence

_PUNCTUATION = "{}()[];,:"
_MOST_PUNCTUATION = 3
_KEYWORDS = (
    *("begin", "break", "continue", "default", "do", "done", "else", "end", "endif", "esac"),
    *("except", "fi", "finally", "pass", "raise", "return", "then", "throw", "try"),
    *("return 0", "return 1", "return None", "return False", "return True", "return false"),
    *("return null", "return true", "return nil", "return undefined", "return self"),
    *("return this", "return result", "return err", "return nil, err", "...", "---", "***"),
    *("#", "##", "//", "/*", "/**", "*/", "*", "--", '"""', "'''", "```"),
    *("} else", "} catch", "} finally", "} while", "<?php", "?>", "</div>", "</p>"),
)
_ENDINGS = ("", ";", ":", ",", " {", "{", ");")


def are_common(marks: Sequence[str]) -> bool:
    """Tell whether all lines, given by their marks, are blank or occur in nearly every file."""
    return bool(marks) and _common_marks().issuperset(marks)


@cache
def _common_marks() -> frozenset[str]:
    signs = [
        "".join(some)
        for length in range(_MOST_PUNCTUATION + 1)
        for some in product(_PUNCTUATION, repeat=length)
    ]
    words = [f"{word}{ending}" for word in _KEYWORDS for ending in _ENDINGS]
    return frozenset(mark(line) for line in (*signs, *words))
