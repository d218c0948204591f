"""Identifies the parser version: the installed grammars and the queries for their trees."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from holdfast.adapters.code.parsing.languages import HOMES

_QUERIES = Path(__file__).with_name("queries")


@cache
def reader() -> str:
    """Return a name that changes when files would be parsed differently; loads no grammar."""
    modules = sorted({"tree_sitter", *(home.module for home in HOMES.values())})
    seen = hashlib.sha256(" ".join(name for name in modules if find_spec(name)).encode())
    for query in sorted(_QUERIES.glob("*.scm")):
        seen.update(query.read_bytes())
    return seen.hexdigest()[:20]
