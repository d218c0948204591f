"""The sessions of people who signed in to the page of a server.

A session is a file in a private folder, so that all processes of a server know it. Its name is a
hash of the cookie, and it holds no secret: whoever reads the folder cannot make a cookie of it.
A session says which token opened it, and it is worth nothing once that token is not valid.
"""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.json_files import read_json
from holdfast.bootstrap.service.spaces import SpaceName
from holdfast.domain.errors import HoldfastError
from holdfast.domain.fields import Fields
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = "page-sessions"
LASTS = timedelta(days=7)
"""How long a session lasts at most; chosen by hand."""
_BYTES = 32
_MOST = 10_000
_MOST_OF_A_TOKEN = 100
"""Whoever has one token can sign in again and again, and must not sign all others out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSession:
    """Which token opened a session, where that token is stored, and when the session ends."""

    token_id: str
    name: SpaceName
    until: datetime


class PageSessions:
    """The open sessions of one server."""

    def __init__(self, home: Path, *, now: Callable[[], datetime], most: int = _MOST) -> None:
        self._folder = home / FOLDER
        self._now = now
        self._most = most

    def begin(self, token_id: str, name: SpaceName) -> str:
        """Open a session for the bearer of a token, and return its cookie.

        Raises:
            UnavailableError: The session cannot be written.
        """
        cookie = secrets.token_urlsafe(_BYTES)
        note = {
            "token": token_id,
            "tenant": name.tenant,
            "space": name.space,
            "until": (self._now() + LASTS).isoformat(),
        }
        try:
            write_whole(self._path(cookie), json.dumps(note).encode())
            self._sweep(token_id)
        except OSError as error:
            raise disk_problem(self._folder, error) from error
        return cookie

    def of(self, cookie: str) -> PageSession | None:
        """Return the session of a cookie; None if there is none, or if it is over."""
        found = _read(self._path(cookie))
        return found if found is not None and self._now() < found.until else None

    def end(self, cookie: str) -> None:
        """End a session; it is no error if there is none."""
        self._path(cookie).unlink(missing_ok=True)

    def _path(self, cookie: str) -> Path:
        return self._folder / sha256(cookie.encode()).hexdigest()

    def _sweep(self, token_id: str) -> None:
        """Remove sessions that are over, and those that end first if there are too many.

        First they are those of the token that has just opened one. Other processes write here,
        too: a file that is gone meanwhile, or not whole yet, is left.
        """
        paths = [one for one in self._folder.iterdir() if not one.name.startswith(".")]
        found = {path: one for path in paths if (one := _read(path)) is not None}
        by_end = sorted(found, key=lambda path: (found[path].until, path))
        own = [path for path in by_end if found[path].token_id == token_id]
        over = {path for path in by_end if found[path].until <= self._now()}
        over.update(own[: max(0, len(own) - _MOST_OF_A_TOKEN)])
        left = [path for path in by_end if path not in over]
        for path in (*over, *left[: max(0, len(left) - self._most)]):
            path.unlink(missing_ok=True)


def _read(path: Path) -> PageSession | None:
    with suppress(OSError, ValueError, HoldfastError):
        fields = Fields(read_json(path), noun="session")
        return PageSession(
            token_id=fields.text("token"),
            name=SpaceName(fields.text("tenant"), SpaceId(fields.text("space"))),
            until=datetime.fromisoformat(fields.text("until")).astimezone(UTC),
        )
    return None
