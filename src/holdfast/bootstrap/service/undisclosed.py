"""What somebody who has shown no valid token learns about a store that cannot be used."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def undisclosed() -> Generator[None, None, None]:
    """Reduce an error of the block to its code and a sentence without paths, addresses and roles.

    Raises:
        UnavailableError: The block raised it; ``for_log`` has the whole message.
    """
    try:
        yield
    except UnavailableError as error:
        kind = type(error)
        reduced = kind.__new__(kind)
        # Without a message of its own, an error has the first line of its class's docstring.
        UnavailableError.__init__(reduced)
        reduced.for_log = str(error)
        raise reduced from error
