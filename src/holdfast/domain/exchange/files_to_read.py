"""Choose the few files of a repository in which a first claim is sought."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


MOST_FILES = 40
_NO_TEXT = 4
_CODE = re.compile(
    r"\.(?:c|cc|clj|cpp|cs|dart|erl|ex|exs|go|h|hpp|hs|java|jl|js|jsx|kt|lua|m|mjs|php|pl|pm|py|r"
    r"|rb|rs|scala|sh|sql|swift|ts|tsx|vue|zig)\Z",
    re.IGNORECASE,
)
_README = re.compile(r"(?:\A|/)readme(?:\.\w+)?\Z", re.IGNORECASE)
_TEXT = re.compile(
    r"(?:\.(?:adoc|cfg|cmake|conf|dockerfile|gradle|ini|markdown|md|nix|org|rst|tf|toml|txt|ya?ml)"
    r"|(?:\A|/)(?:dockerfile|makefile|justfile))\Z",
    re.IGNORECASE,
)
# Code for tests, builds, demos and examples.
_ASIDE = re.compile(
    r"(?:\A|/)(?:\.[^/]+|benchmarks?|bin|build|ci|contrib|demos?|dist|docs?|examples?|fixtures?"
    r"|generated|migrations?|node_modules|samples?|scripts?|site-packages|spec|testing|tests?"
    r"|third[_-]party|tools|vendor)/"
    r"|(?:\A|/)(?:test_[^/]*|[^/]*[_.](?:test|spec)\.\w+|conftest\.py|setup\.py|[_.][^/]*)\Z",
    re.IGNORECASE,
)
# Paths that shells and terminals show unchanged.
_PLAIN_PATH = re.compile(r"(?!-)[\w./+@ -]+")


def reading_order(paths: Iterable[str]) -> list[str]:
    """Return the few files worth reading, best first: code, the README, other text, test code."""
    ranked = sorted(
        (_group(path), path.count("/"), path) for path in paths if _PLAIN_PATH.fullmatch(path)
    )
    return [path for group, _, path in ranked if group < _NO_TEXT][:MOST_FILES]


def is_code(path: str) -> bool:
    """Tell whether a file is code: only its comments and docstrings are prose."""
    return _CODE.search(path) is not None


def is_prose(path: str) -> bool:
    """Tell whether the lines of a file are sentences."""
    return bool(re.search(r"(?:\.(?:adoc|markdown|md|org|rst|txt)|readme)\Z", path, re.IGNORECASE))


def _group(path: str) -> int:
    if _README.search(path):
        return 1 if "/" not in path else 2
    if is_code(path):
        return 3 if _ASIDE.search(path) else 0
    return 2 if _TEXT.search(path) and not _ASIDE.search(path) else _NO_TEXT
