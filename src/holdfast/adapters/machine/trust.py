"""Records the clones whose pages a person trusts, in one small file of the person.

Records where on this machine a repository has pages, in one small file beside the store.
"""

from __future__ import annotations

import json
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import changing, turn_at
from holdfast.adapters.disk.json_files import read_json, read_kept, write_kept
from holdfast.domain.errors import StoreBusyError
from holdfast.domain.pages.trusting import Trusted

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence


TRUST_FILE = "trusted.json"


class TrustFile:
    """A file of trusted clones by path; unreadable entries are not trusted."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entries(self) -> Sequence[Trusted]:
        """Return every trusted clone, by path."""
        return [one for _, one in sorted(self._read().items())]

    def put(self, trusted: Trusted) -> None:
        """Record that a clone is trusted.

        Raises:
            UnavailableError: The file cannot be written.
        """
        with self._changing() as kept:
            kept[trusted.clone] = trusted

    def remove(self, clone: str) -> bool:
        """Remove a clone; return whether it was trusted.

        Raises:
            UnavailableError: The file cannot be written.
        """
        with self._changing() as kept:
            return kept.pop(clone, None) is not None

    @contextmanager
    def _changing(self) -> Generator[dict[str, Trusted], None, None]:
        """Lock the file, yield its entries for changes, and write them atomically."""
        try:
            make_own_folder(self._path.parent)
            with turn_at(self._path.with_suffix(".lock")):
                kept = self._read()
                before = dict(kept)
                yield kept
                if kept != before:
                    self._write(kept)
        except OSError as error:
            raise disk_problem(self._path, error) from error

    def _read(self) -> dict[str, Trusted]:
        try:
            kept = read_json(self._path)
        except (OSError, ValueError):
            return {}
        found = [_trusted(one) for one in kept] if isinstance(kept, list) else []
        return {one.clone: one for one in found if one is not None}

    def _write(self, kept: dict[str, Trusted]) -> None:
        shapes = [_shape(one) for _, one in sorted(kept.items())]
        write_whole(self._path, json.dumps(shapes, indent=1).encode())


def is_unreadable(path: Path) -> bool:
    """Return whether the file exists but is damaged, so that nothing is trusted."""
    try:
        return not isinstance(read_json(path), list)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


def _shape(one: Trusted) -> dict[str, str]:
    return {"clone": one.clone, "tree": one.tree, "by": one.by, "at": one.at.isoformat()}


def _trusted(shape: object) -> Trusted | None:
    if not isinstance(shape, dict):
        return None
    words = [shape.get(name) for name in ("clone", "tree", "by", "at")]
    clone, tree, by, at = (word if isinstance(word, str) else "" for word in words)
    try:
        return Trusted(clone=clone, tree=tree, by=by, at=datetime.fromisoformat(at))
    except ValueError:
        return None


PLACES_FILE = "pages.json"
_MOST_PLACES = 64


class PagePlaces:
    """A file of folders by repository, and its copy; if both are unreadable, it counts as empty."""

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
            write_kept(self._path, json.dumps(places).encode())

    def of(self, repo: str | None) -> list[Path]:
        """Return the existing folders that had pages of a repository."""
        paths = [Path(one) for one in self._read().get(repo or "", [])]
        return [path for path in paths if path.is_dir()]

    def _read(self) -> dict[str, list[str]]:
        try:
            kept = read_kept(self._path)
        except (OSError, ValueError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {
            str(repo): [str(one) for one in roots]
            for repo, roots in kept.items()
            if isinstance(roots, list)
        }
