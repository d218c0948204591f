"""Cursors as the server gives them out and takes them back."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING

from holdfast.domain.memory.selection import Cursor
from holdfast.domain.refusals import BadCursorError

if TYPE_CHECKING:
    from holdfast.surfaces.http.table import RouteCall


def public_cursor(cursor: Cursor, call: RouteCall) -> str:
    """Return a cursor with its space: in another space it would name another memory."""
    whole = f"{call.app.principal.space}/{cursor}"
    return urlsafe_b64encode(whole.encode()).decode().rstrip("=")


def read_cursor(text: str, call: RouteCall) -> Cursor:
    """Return the cursor of a request.

    Raises:
        BadCursorError: It is not a cursor of this space.
    """
    try:
        padded = text + "=" * (-len(text) % 4)
        whole = urlsafe_b64decode(padded.encode("ascii")).decode()
    except (binascii.Error, UnicodeError) as error:
        raise BadCursorError from error
    space, _, cursor = whole.rpartition("/")
    if space != call.app.principal.space:
        raise BadCursorError
    return Cursor(cursor)
