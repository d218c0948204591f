"""SHA-256; the first hashes avoid OpenSSL, whose loading takes as long as thousands of hashes."""

from __future__ import annotations

import sys
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Digest(Protocol):
        """The result of a hash function."""

        def digest(self) -> bytes:
            """Return the hash as bytes."""
            ...

        def hexdigest(self) -> str:
            """Return the hash as text."""
            ...


_OWN = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
_FEW = 1_000
_left = [_FEW]


def sha256(content: bytes) -> Digest:
    """Return the hash of some bytes; the first ones use the interpreter's own module, if any."""
    if _left[0] > 0 and "_hashlib" not in sys.modules:
        _left[0] -= 1
        return _own()(content)
    return _quick()(content)


@cache
def _own() -> Callable[[bytes], Digest]:
    try:
        found: Callable[[bytes], Digest] = __import__(_OWN).sha256
    except ImportError:
        return _quick()
    return found


@cache
def _quick() -> Callable[[bytes], Digest]:
    import hashlib

    return hashlib.sha256
