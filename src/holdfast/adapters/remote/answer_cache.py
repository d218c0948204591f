"""Answers of a server that this machine has read, for the time when the server is away."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, cast

from holdfast.adapters.disk.json_files import read_sealed, write_sealed
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields, time_text
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from holdfast.domain.service.remotes import RemoteRequest

    Json = dict[str, object]

MOST_ANSWERS = 500
LARGEST_ANSWER = 2_000_000
KEPT_FOR = timedelta(days=30)
_EVERY = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """An answer, and when the server gave it."""

    body: Json
    at: datetime


class AnswerCache:
    """The newest answers of one server to one token's space; losing it loses nothing.

    A file is never older than a month: a text that others forgot must not stay here forever.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, request: RemoteRequest, body: Json, *, at: datetime) -> None:
        """Keep an answer; if it cannot be kept, nothing is lost."""
        text = json.dumps({"at": time_text(at), "body": body}).encode()
        if len(text) > LARGEST_ANSWER:
            return
        try:
            write_sealed(self._folder / request.digest, text, durable=False)
            if int(request.digest[:4], 16) % _EVERY == 0:
                self._prune(at)
        except OSError:
            return

    def get(self, request: RemoteRequest, *, now: datetime) -> CachedAnswer | None:
        """Return the last answer to the same request; None if there is none, or only an old one."""
        found = self._read(self._folder / request.digest)
        return found if found is not None and now - found.at <= KEPT_FOR else None

    def every(self, *, now: datetime) -> Iterator[CachedAnswer]:
        """Return all answers that are not too old."""
        for path in self._files():
            found = self._read(path)
            if found is not None and now - found.at <= KEPT_FOR:
                yield found

    def clear(self) -> None:
        """Remove every answer."""
        for path in self._files():
            path.unlink(missing_ok=True)

    def remove(self, letters: str) -> None:
        """Remove every answer in which an id with these letters occurs."""
        sought = letters.encode()
        for path in self._files():
            with suppress(OSError):
                if sought in path.read_bytes():
                    path.unlink(missing_ok=True)

    def _read(self, path: Path) -> CachedAnswer | None:
        try:
            fields = Fields(read_sealed(path), noun="answer")
            body = fields.raw("body")
            return CachedAnswer(body=cast("Json", body), at=fields.moment("at"))
        except (OSError, ValueError, BadFieldError):
            return None

    def _files(self) -> list[Path]:
        try:
            return [path for path in self._folder.iterdir() if not path.name.startswith(".")]
        except OSError:
            return []

    def _prune(self, now: datetime) -> None:
        """Remove old answers, and all but the newest ones."""
        files = sorted(self._files(), key=lambda path: path.stat().st_mtime, reverse=True)
        oldest = (now - KEPT_FOR).timestamp()
        for place, path in enumerate(files):
            if place >= MOST_ANSWERS or path.stat().st_mtime < oldest:
                path.unlink(missing_ok=True)
