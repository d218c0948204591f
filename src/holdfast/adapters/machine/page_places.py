"""Records where on this machine a repository has pages, in one small file beside the store."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from holdfast.adapters.disk.atomic_files import read_plain, write_whole
from holdfast.adapters.disk.file_locks import changing
from holdfast.domain.errors import StoreBusyError

PLACES_FILE = "pages.json"
_MOST_PLACES = 64


class PagePlaces:
    """A file of folders by repository; an unreadable file counts as empty."""

    def __init__(self, home: Path) -> None:
        self._path = home / PLACES_FILE

    def note(self, repo: str, root: Path) -> None:
        """Record that a working tree has pages; a failure is ignored."""
        if str(root) in self._read().get(repo, []):
            return
        with suppress(OSError, StoreBusyError), changing(self._path):
            places = self._read()
            known = [one for one in places.get(repo, []) if one != str(root)]
            places[repo] = [*known, str(root)][-_MOST_PLACES:]
            write_whole(self._path, json.dumps(places).encode(), durable=False)

    def of(self, repo: str | None) -> list[Path]:
        """Return the existing folders that had pages of a repository."""
        paths = [Path(one) for one in self._read().get(repo or "", [])]
        return [path for path in paths if path.is_dir()]

    def _read(self) -> dict[str, list[str]]:
        try:
            kept = json.loads(read_plain(self._path))
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {
            str(repo): [str(one) for one in roots]
            for repo, roots in kept.items()
            if isinstance(roots, list)
        }
