"""References to lines of files, which are no values: `auth/tokens.py:40-58@c354a25#dafff92f0a73`.

The name of the file may be the word for a secret, and what follows its colon is then neither a
password nor a token. A commit or digest counts only if it is short, as Holdfast and git write it;
longer hexadecimal may be a key.
"""

from __future__ import annotations

import re
from functools import cache

from holdfast.domain.gates.secret_names import STEMS, rule_of_name

COVER = ","
"""What stands in place of lines; it ends a value, so that the rest is judged as a plain path."""

_LONGEST_PATH = 200
_PATTERNS = {
    "lines": r":(?:(?P<whole>[0-9]{1,9}(?:-[0-9]{1,9})?@[0-9a-f]{7,12}#[0-9a-f]{8,12})"
    r"|[0-9]{1,9}(?:-[0-9]{1,9})?(?:@[0-9a-f]{7,12})?|L[0-9]{1,9}(?:-L?[0-9]{1,9})?)"
    r"(?![\w@#:/\\%&=+~$!^*-]|\.\w)"
    # As grep and compilers write it, before code or several words; a word alone may be the secret.
    r"|:[0-9]{1,9}:(?:[0-9]{1,6}:)?(?=[ \t]{0,40}(?:[^\s:]{1,200}+:?[ \t]+\S"
    r"|@[a-z_.]{1,80}+(?:\(|\s|\Z)|[A-Za-z_.]{1,80}+\())"
    # The name of a test follows, and perhaps its short parameters.
    r"|::(?=(?:\w{1,80}::){0,3}[Tt]est\w{0,80}(?:\[(?:[\w.]{0,11}[-,/]){0,20}[\w.]{0,11}\])?(?![\w\[]))",
    "extension": r"\.([A-Za-z][A-Za-z0-9]{0,11})\Z",
    # Without a folder only these count: `db.password.main:1234` has a value, or the word is one.
    "file": r"bash|bat|c|cc|cfg|clj|conf|cpp|cs|css|csv|cxx|dart|ex|exs|go|gradle|h|hpp|hs|html|ini"
    r"|ipynb|java|jl|jsx?|jsonl?|kts?|log|lua|m|md|mjs|mm|nix|php|pl|plist|properties|proto|ps1|py"
    r"|pyi|pyx|r|rb|rs|rst|scala|scss|sh|sql|svelte|swift|tex|tf|toml|tsx?|tsv|txt|vue|xml|ya?ml|zig",
}
# The last part of a setting, as in `db.password.prod:1234`, is no extension of a file.
_ENDS_OF_SETTINGS = frozenset({*STEMS, "prod", "dev", "staging", "value", "text", "plain", "raw"})


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.ASCII)


def with_places_covered(text: str) -> str:
    """Return the text, as long as before, with commas over the lines of each place in a file."""
    if ":" not in text:
        return text
    pieces: list[str] = []
    kept_to = 0
    for lines in _compiled("lines").finditer(text):
        start, end = lines.span()
        if _names_a_file(text, start, is_whole=lines["whole"] is not None):
            pieces += (text[kept_to:start], COVER * (end - start))
            kept_to = end
    return "".join(pieces) + text[kept_to:]


def _names_a_file(text: str, end: int, *, is_whole: bool) -> bool:
    """Tell whether the word before lines is a path; with commit and digest any word is one.

    The path that is set as the value of a secret, as in `token=Zx9Kq2Lw.py:40`, may be the secret.
    """
    word = text[max(0, end - _LONGEST_PATH) : end]
    last = "".join(word.split()[-1:])
    name, is_set, _ = last.rpartition("=")
    if is_set and rule_of_name(name):
        return False
    found = _compiled("extension").search(word)
    if found is None or is_whole:
        return is_whole
    end_of_name = found[1].lower()
    is_below = "/" in last and end_of_name not in _ENDS_OF_SETTINGS
    return is_below or _compiled("file").fullmatch(end_of_name) is not None
