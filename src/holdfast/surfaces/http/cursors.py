"""Cursors as the server gives them out and takes them back."""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.memory.selection import Cursor
from holdfast.domain.refusals import BadCursorError

if TYPE_CHECKING:
    from holdfast.surfaces.http.table import RouteCall

_OF_A_PAGE = frozenset({"cursor", "limit"})
_LETTERS = 16
_OTHER_LISTING = "was made for a listing with other parameters"


def public_cursor(cursor: Cursor, call: RouteCall) -> str:
    """Return a cursor with its space and its listing.

    In another space it would name another memory, and in a listing with other filters or another
    order the pages would have gaps.
    """
    whole = f"{call.app.principal.space}/{_listing(call)}/{cursor}"
    return urlsafe_b64encode(whole.encode()).decode().rstrip("=")


def read_cursor(text: str, call: RouteCall) -> Cursor:
    """Return the cursor of a request.

    Raises:
        BadCursorError: It is not a cursor of this space, or of another listing.
    """
    try:
        padded = text + "=" * (-len(text) % 4)
        whole = urlsafe_b64decode(padded.encode("ascii")).decode()
    except (binascii.Error, UnicodeError) as error:
        raise BadCursorError from error
    place, _, cursor = whole.rpartition("/")
    space, _, listing = place.rpartition("/")
    if space != call.app.principal.space:
        raise BadCursorError
    if listing != _listing(call):
        raise BadCursorError(_OTHER_LISTING)
    return Cursor(cursor)


def _listing(call: RouteCall) -> str:
    """Return a hash of the filters and the order of a listing."""
    chosen = {name: value for name, value in call.query.items() if name not in _OF_A_PAGE}
    return sha256(canonical_json(chosen).encode(errors="surrogatepass")).hexdigest()[:_LETTERS]
