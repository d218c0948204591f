"""Settings, models, coding tools and git hooks on this machine."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.app.performing import performs, when
from holdfast.bootstrap.machine.parts import DRY, MachinePart
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from holdfast.adapters.git.hooks.hooks import Hook
    from holdfast.adapters.machine.settings import SettingsFile
    from holdfast.adapters.tools.status import ToolStatus
    from holdfast.adapters.tools.values import Connecting, FileChange
    from holdfast.app import Holdfast
    from holdfast.domain.memory.entry import Flaw

_DRY_WISH = when(lambda wish: wish.is_dry, Operation.READ, "dry run")
_DRY_PLUGIN = when(lambda _target, wish: wish.is_dry, Operation.READ, "dry run")


class Configuration(MachinePart):
    """The settings of a space."""

    @cached_property
    def _file(self) -> SettingsFile:
        from holdfast.adapters.machine.settings import SettingsFile, settings_file

        home = self._machine.home
        return SettingsFile(settings_file() if home is None else home / "config.toml")

    @property
    def path(self) -> Path:
        """The path of the settings file; it need not exist."""
        return self._file.path

    @performs(Operation.READ)
    def value(self, name: str) -> tuple[str, str]:
        """Return a setting's value and its source."""
        return self._file.value(name)

    @performs(Operation.READ)
    def problem(self) -> str | None:
        """Return why the settings file cannot be read; None if it can."""
        return self._file.problem()

    @performs(Operation.CONFIGURE)
    def set(self, name: str, value: str | None) -> None:
        """Write a setting, or remove it."""
        self._file.set(name, value)


class CodingTools(MachinePart):
    """The coding tools around the repository."""

    @performs(Operation.CONFIGURE, _DRY_WISH)
    def connect(self, wish: Connecting) -> Sequence[FileChange]:
        """Install parts into tools; return the changed and the unchanged files."""
        from holdfast.bootstrap.machine.tools import connect

        return connect(wish, self._machine.folder, self._machine.home)

    @performs(Operation.CONFIGURE, _DRY_WISH)
    def disconnect(self, wish: Connecting) -> Sequence[FileChange]:
        """Remove parts from tools; return what changed."""
        from holdfast.bootstrap.machine.tools import disconnect

        return disconnect(wish, self._machine.folder, self._machine.home)

    @performs(Operation.READ)
    def status(self, names: Sequence[str]) -> Sequence[ToolStatus]:
        """Return how these tools are connected; no names mean all tools."""
        from holdfast.bootstrap.machine.tools import tool_status

        machine = self._machine
        return tool_status(names, machine.folder, machine.home, space=self.principal.space)

    @performs(Operation.CONFIGURE, _DRY_PLUGIN)
    def write_plugin(self, target: Path, wish: Connecting) -> Sequence[Path]:
        """Write the plug-in folder; return the files that change."""
        from holdfast.bootstrap.machine.tools import write_plugin

        return write_plugin(target, wish, self._machine.folder, self._machine.home)

    @performs(Operation.RECORD)
    def collect_context(self, holdfast: Callable[[], Holdfast]) -> None:
        """Write the active context for tools that read it from a page.

        The memory is opened only if there is a store and there are pages.
        """
        from holdfast.bootstrap.machine.tools import collect_context

        collect_context(holdfast, self._machine.folder, self._machine.home)

    @performs(Operation.READ)
    def foreign_context(self) -> Sequence[Flaw]:
        """Return the pages that tools read as the context from Holdfast, and that came with git."""
        from holdfast.bootstrap.machine.tools import foreign_context

        return foreign_context(self._machine.folder)


class GitHooks(MachinePart):
    """Git's hooks of the repository."""

    @performs(Operation.READ)
    def status(self) -> Sequence[Hook]:
        """Return the hooks of the repository."""
        from holdfast.bootstrap.hooks.hooks import hooks_status

        machine = self._machine
        return hooks_status(machine.folder, machine.home, space=self.principal.space)

    @performs(Operation.CONFIGURE, DRY)
    def install(self, *, is_dry: bool = False, is_forced: bool = False) -> Sequence[Hook]:
        """Install Holdfast's hooks beside existing ones; return those that change."""
        from holdfast.bootstrap.hooks.hooks import install_hooks

        machine, space = self._machine, self.principal.space
        return install_hooks(
            machine.folder, machine.home, space=space, is_dry=is_dry, is_forced=is_forced
        )

    @performs(Operation.CONFIGURE, DRY)
    def remove(self, *, is_dry: bool = False, is_forced: bool = False) -> Sequence[Hook]:
        """Remove Holdfast's hooks and restore the earlier ones; return those that change."""
        from holdfast.bootstrap.hooks.hooks import remove_hooks

        machine, space = self._machine, self.principal.space
        return remove_hooks(
            machine.folder, machine.home, space=space, is_dry=is_dry, is_forced=is_forced
        )

    @performs(Operation.MAINTAIN)
    def turn_to_note(self, *, may_wait: bool) -> AbstractContextManager[bool]:
        """Yield whether there is something to record and this process holds the lock for it."""
        from holdfast.bootstrap.hooks.hooks import turn_to_note

        return turn_to_note(self._machine.folder, self._machine.home, may_wait=may_wait)

    @performs(Operation.MAINTAIN)
    def confirmed(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """Return the reported rewrites that the commits themselves confirm."""
        from holdfast.bootstrap.hooks.hooks import confirmed

        return confirmed(pairs, self._machine.folder)

    @performs(Operation.MAINTAIN)
    def note_first_commits(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Record the new hash of a repository's first commit after it was rewritten."""
        from holdfast.bootstrap.hooks.hooks import note_first_commits

        note_first_commits(pairs, self._machine.folder, self._machine.home)
