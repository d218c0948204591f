"""Errors of Holdfast in the shape that frameworks expect."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.integrations.shelf import told

if TYPE_CHECKING:
    from collections.abc import Generator


class RefusedValueError(ValueError):
    """A value that Holdfast does not keep, for example because it contains a secret.

    ``code`` is that of the error of Holdfast, which is its cause.
    """

    def __init__(self, error: InvalidError) -> None:
        super().__init__(told(error))
        self.code = error.code


@contextmanager
def refusing() -> Generator[None, None, None]:
    """Raise what Holdfast refuses as a ``ValueError``, as frameworks do with wrong values."""
    try:
        yield
    except InvalidError as error:
        raise RefusedValueError(error) from error
