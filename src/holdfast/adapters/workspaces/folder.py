"""A folder of this machine that is kept in snapshots."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import read_plain
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.workspaces.beneath import opened_parent, status_beneath
from holdfast.adapters.workspaces.reading import FILE, LARGEST_RULES
from holdfast.adapters.workspaces.restoring import Restoration
from holdfast.adapters.workspaces.scanning import ScanSource, TreeScan, folder_entry
from holdfast.adapters.workspaces.seen_files import SeenFiles
from holdfast.domain.workspace_errors import NoFolderError
from holdfast.domain.workspaces.ignoring import IGNORE_FILE, GitRules, read_rules
from holdfast.domain.workspaces.safe_paths import GIT
from holdfast.domain.workspaces.snapshot import TreeRules
from holdfast.ports.workspaces.folders import ScannedTree

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Sequence

    from holdfast.domain.workspaces.ignoring import IgnoreRules
    from holdfast.ports.store.upkeep import Progress
    from holdfast.ports.workspaces.contents import Contents, ContentWriter
    from holdfast.ports.workspaces.folders import RestoreSteps

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_EVERYTHING = TreeRules(keeps_ignored=True, keeps_secrets=True)


class DiskFolder:
    """Implements the port with the folder itself.

    ``state`` is where the hashes of unchanged files are kept; ``apart`` are folders of Holdfast,
    which belong to no snapshot. ``host`` is the machine, if the store knows several. ``git``
    returns what git knows about a folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        state: Path,
        apart: Sequence[Path] = (),
        host: str = "",
        git: Callable[[Path], GitRules] = lambda _: GitRules(),
    ) -> None:
        self._path = os.path.realpath(folder.expanduser().absolute())
        # A row holds text: bytes of a name that are no UTF-8 are written as \udcxx.
        self.root = self._path.encode("utf-8", "backslashreplace").decode()
        self.host = host
        name = sha256(os.fsencode(self._path)).hexdigest()[:32]
        self._seen_path = state / f"{name}.seen"
        self._apart = apart
        self._git = git
        self._seen: SeenFiles | None = None

    def scan(
        self,
        rules: TreeRules,
        *,
        writer: ContentWriter | None = None,
        distrust: Collection[str] = (),
        progress: Progress,
    ) -> ScannedTree:
        """Read the folder; add the content of its files if there is a writer."""
        seen = self._seen = SeenFiles(self._seen_path)
        git = GitRules() if rules.keeps_ignored else self._git(Path(self._path))
        source = ScanSource(rules, seen, writer, distrust, self._own_folders(), progress, git)
        found = TreeScan(source)
        chain = () if rules.keeps_ignored else self._rules_above(git)
        with self._opened() as root:
            found.folder(root, "", chain, depth=0)
        return ScannedTree(sorted(found.entries), sorted(found.omitted), found.ignored)

    def look(self, paths: Collection[str], *, writer: ContentWriter | None = None) -> ScannedTree:
        """Read some paths, whatever the rules say; a path that is missing is left out."""
        seen = SeenFiles(self._seen_path)
        source = ScanSource(_EVERYTHING, seen, writer, (), frozenset(), lambda *_: None)
        found = TreeScan(source)
        with self._opened() as root:
            for path in sorted(paths):
                status = status_beneath(root, path)
                if status is None:
                    continue
                if stat.S_ISDIR(status.st_mode):
                    found.entries.append(folder_entry(path, status))
                    continue
                with opened_parent(root, path) as (held, name):
                    found.leaf(held, name, path, status)
        return ScannedTree(sorted(found.entries), sorted(found.omitted), 0)

    def read(self, path: str) -> bytes | None:
        """Return the content of a file as it is now; None if it is none, or cannot be read."""
        try:
            with self._opened() as root, opened_parent(root, path) as (held, name):
                file = os.open(name, FILE, dir_fd=held)
            with os.fdopen(file, "rb") as opened:
                return opened.read() if stat.S_ISREG(os.fstat(file).st_mode) else None
        except OSError:
            return None

    def note_scan(self) -> None:
        """Keep what the last scan found out, so that the next one reads less."""
        if self._seen is not None:
            self._seen.save()

    def restore(self, steps: RestoreSteps, contents: Contents, progress: Progress) -> Sequence[str]:
        """Write entries, and remove others; return paths of folders that were moved aside."""
        try:
            Path(self._path).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise disk_problem(self.root, error) from error
        with self._opened() as root:
            restoration = Restoration(root, name=self.root, steps=steps, progress=progress)
            return restoration.run(contents)

    @contextmanager
    def _opened(self) -> Generator[int, None, None]:
        try:
            root = os.open(self._path, _FOLDER)
        except (FileNotFoundError, NotADirectoryError):
            raise NoFolderError(self.root) from None
        except OSError as error:
            raise disk_problem(self.root, error) from error
        try:
            yield root
        finally:
            os.close(root)

    def _own_folders(self) -> frozenset[tuple[int, int]]:
        found = set()
        for folder in self._apart:
            try:
                status = folder.stat()
            except OSError:
                continue
            found.add((status.st_dev, status.st_ino))
        return frozenset(found)

    def _rules_above(self, git: GitRules) -> tuple[IgnoreRules, ...]:
        """Return the rules of the repository above the folder, the nearest first.

        Their patterns are matched against paths from the repository's root, so each path of a scan
        gets the way there in front of it.
        """
        way = ""
        found: list[tuple[str, str]] = []
        at = Path(self._path)
        while not (at / GIT).exists():
            if at.parent == at:
                return ()
            way = f"{at.name}/{way}"
            at = at.parent
            found.append((_text(at / IGNORE_FILE), way))
        found += [(_text(Path(path), follows_link=True), way) for path in git.files]
        rules = [
            read_rules(text, ignores_case=git.ignores_case)._replace(way=inside)
            for text, inside in found
            if text
        ]
        return tuple(one for one in rules if one.groups)


def _text(path: Path, *, follows_link: bool = False) -> str:
    """Return the text of a rules file; git follows no link to a .gitignore either."""
    try:
        held = read_plain(path, follows_link=follows_link, most=LARGEST_RULES)
    except OSError:
        return ""
    return held.decode("utf-8", "surrogateescape")
