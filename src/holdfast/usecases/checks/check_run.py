"""One run of checks: the files it looks at, and the ports it uses."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.domain.checks.manifests import is_manifest, listed
from holdfast.domain.checks.mentions import leaves_open, words_of
from holdfast.domain.checks.outcome import Breach, aside, unknown
from holdfast.domain.values import dataclass
from holdfast.usecases.checks.file_texts import WHOLE, Effort, FileTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.checks.kinds import Check
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.domain.checks.paths import PathChoice
    from holdfast.ports.checks.checking import CheckCommands, CheckedTree, Patterns
    from holdfast.ports.recall.code import Outline

_NO_FILE = "no file is in {paths}"
_NOT_THERE = "there is no such file"
_REMOVED = "was removed in this change"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTools:
    """The ports that running checks needs; without ``commands`` no command runs.

    ``is_done`` is false if the change is only intended: a file that it names may not exist yet.
    """

    tree: CheckedTree
    patterns: Patterns
    outline: Outline
    commands: CheckCommands | None = None
    effort: Effort = WHOLE
    is_done: bool = True


class CheckRun:
    """One run of some checks over the files of a change, or over all files."""

    def __init__(self, tools: CheckTools) -> None:
        self.tools = tools
        self.texts = FileTexts(tools.tree, tools.effort)
        self.changed = tools.tree.changed()
        self._chosen: dict[tuple[PathChoice, bool], Sequence[str]] = {}
        self._packages: dict[str, frozenset[str]] = {}
        self._words: dict[str, tuple[str, bool]] = {}

    @cached_property
    def all_files(self) -> Sequence[str]:
        """The files of the checkout, changed or not."""
        return self.tools.tree.files()

    @cached_property
    def files(self) -> Sequence[str]:
        """The files of the change that are here, in order; without a change, all files."""
        if self.changed is None:
            return self.all_files
        return sorted(self.tools.tree.files(self.changed))

    @cached_property
    def known_files(self) -> frozenset[str]:
        """The files of the checkout, to ask for one of them."""
        return frozenset(self.all_files)

    @cached_property
    def manifests(self) -> Sequence[str]:
        """The files of the checkout that list packages."""
        return [path for path in self.all_files if is_manifest(path)]

    @cached_property
    def changes_manifest(self) -> bool:
        """Whether the change touches a file that lists packages."""
        return self.changed is None or any(is_manifest(path) for path in self.changed)

    def packages(self, path: str) -> frozenset[str]:
        """Return the packages that a manifest lists.

        Raises:
            UnreadFileError: It cannot be read.
            ValueError: It cannot be parsed.
        """
        if path not in self._packages:
            self._packages[path] = listed(path, self.texts.text(path))
        return self._packages[path]

    def words(self, path: str) -> tuple[str, bool]:
        """Return the words of a manifest, and whether it leaves its dependencies open.

        Raises:
            UnreadFileError: It cannot be read.
            ValueError: It cannot be parsed.
        """
        if path not in self._words:
            text = self.texts.text(path)
            self._words[path] = (words_of(path, text), leaves_open(path, text))
        return self._words[path]

    def chosen(self, paths: PathChoice) -> Sequence[str]:
        """Return the files of the change that a check reads."""
        return self._choice(paths, self.files, is_all=False)

    def chosen_anywhere(self, paths: PathChoice) -> Sequence[str]:
        """Return the files of the checkout that a check reads, changed or not."""
        return self._choice(paths, self.all_files, is_all=True)

    def concerns(self, paths: PathChoice) -> bool:
        """Tell whether the change touches these paths; a removed file counts too."""
        return self.changed is None or bool(paths.among(self.changed))

    @cached_property
    def _removed(self) -> Sequence[str]:
        """The files that the change removed or renamed away."""
        if self.changed is None or not self.tools.is_done:
            return ()
        return sorted(set(self.changed).difference(self._here))

    @cached_property
    def _here(self) -> frozenset[str]:
        return frozenset(self.files)

    def lost(self, paths: PathChoice, *, kind: Callable[[str], bool]) -> list[Breach]:
        """Return the files whose absence breaks a check that needs them.

        These are files that the paths name whole, and the last files that a glob took if the change
        removed them. ``kind`` tells which files the check reads.
        """
        removed = paths.among(self._removed)
        lost = {path for path in paths.among(paths.literal) if self._is_missing(path)}
        if not (removed or lost) or self.hidden(paths, is_all=True):
            return []
        if not any(map(kind, self.chosen_anywhere(paths))):
            lost.update(removed)
        return [
            Breach(path=path, what=_REMOVED if path in removed else _NOT_THERE)
            for path in sorted(filter(kind, lost))
        ]

    def _is_missing(self, path: str) -> bool:
        """Tell whether a file that this run looks at is not there.

        A file that git ignores is there, unless the change made git ignore it.
        """
        if path in self._here or (self.changed is not None and path not in self.changed):
            return False
        return path in self._removed or not self.tools.tree.exists(path)

    @cached_property
    def unseen(self) -> Mapping[str, str]:
        """The folders whose files cannot be looked at, and what they are."""
        return self.tools.tree.unseen()

    @cached_property
    def _unseen_changed(self) -> Mapping[str, str]:
        """Those of them that the change touches."""
        return self.unseen if self.changed is None else self.tools.tree.unseen(self.changed)

    def hidden(self, paths: PathChoice, *, is_all: bool) -> str:
        """Return a folder of the paths that was not looked at, and what it is; empty if none.

        Without ``is_all`` only the folders count that the change touches.
        """
        for folder, what in (self.unseen if is_all else self._unseen_changed).items():
            if paths.reaches(folder):
                return f"{folder}: {what}"
        return ""

    def nothing(self, check: Check) -> CheckOutcome:
        """Return the outcome of a check that found no file to read."""
        if self.changed is not None:
            return aside(check.text)
        if hidden := self.hidden(check.paths, is_all=True):
            return unknown(check.text, hidden)
        said = _NO_FILE.format(paths=check.paths.words)
        for glob in check.paths.literal:
            if any(path.startswith(f"{glob}/") for path in self.all_files):
                said += f"; did you mean {glob}/**?"
        return unknown(check.text, said)

    def _choice(self, paths: PathChoice, files: Sequence[str], *, is_all: bool) -> Sequence[str]:
        key = (paths, is_all)
        if key not in self._chosen:
            self._chosen[key] = paths.among(files)
        return self._chosen[key]
