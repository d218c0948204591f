"""Installs and removes the git hooks that notify Holdfast.

Writes git hook scripts: run the earlier hook, then start Holdfast, and never fail.

The earlier hook gets the same arguments and the same standard input, and its exit code is returned.
If it is a shell script, it is read under its old name, because hook managers find their own files
by it. Holdfast is started in the background, without output, and git does not wait for it.
"""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, read_plain, write_new
from holdfast.adapters.git.hooks.errors import (
    AnotherStoresHooksError,
    EditedHookError,
    HooksOffError,
    HooksUnwritableError,
    SharedHooksError,
)
from holdfast.adapters.git.hooks.scripts import MARK, hook_script, is_untouched, store_in
from holdfast.adapters.git.reading.repository import ask_git, ask_git_bytes
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.git.reading.repository import Repository


EVENTS = ("post-commit", "post-merge", "post-checkout", "post-rewrite")
BEFORE = ".before-holdfast"
_EXECUTABLE = 0o755


class HookState(StrEnum):
    """The state of a hook file."""

    ABSENT = "absent"
    OTHERS = "others"
    INSTALLED = "installed"
    OUTDATED = "outdated"
    EDITED = "edited"
    ANOTHER = "another"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    """One hook: its path, its state, and whether it runs an earlier hook first."""

    event: str
    path: Path
    state: HookState
    is_chained: bool


def hooks_folder(repository: Repository) -> Path:
    """Return git's hooks folder: core.hooksPath, else the folder all worktrees share.

    Raises:
        OutsideUnavailableError: Git is not installed, or refuses to read the repository.
    """
    # Without Holdfast's own git settings: one of them turns hooks off.
    status, answer, trouble = ask_git_bytes(
        repository, "rev-parse", "--git-path", "hooks", settings=()
    )
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)
    return repository.root / os.fsdecode(answer.removesuffix(b"\n"))


def check_hooks_folder(repository: Repository, folder: Path) -> None:
    """Refuse a path that is no folder, and a folder whose hooks others would run, too.

    Raises:
        HooksOffError: There is no such folder, and there can be none.
        SharedHooksError: The folder is outside the repository, or it is part of the working tree
            and git does not ignore it.
    """
    real = Path(os.path.realpath(folder))
    if real.exists() and not real.is_dir():
        raise HooksOffError(folder)
    places = (repository.root, repository.git_dir, repository.common_dir)
    root, *inside = (Path(os.path.realpath(one)) for one in places)
    if any(map(real.is_relative_to, inside)):
        return
    if not real.is_relative_to(root):
        raise SharedHooksError(
            folder,
            "is outside this repository, because core.hooksPath names it, so the hooks would run"
            " in every repository that uses it.",
        )
    hook = str((real / EVENTS[0]).relative_to(root))
    status, _, trouble = ask_git(repository, "check-ignore", "--quiet", "--", hook)
    if status == 1:
        raise SharedHooksError(
            folder, "is part of the working tree, so the hooks would be committed for everybody."
        )
    if status != 0:
        raise OutsideUnavailableError(who="git", words=trouble)


class Hooks:
    """The four hooks of a folder, and the command that starts Holdfast from them."""

    def __init__(self, folder: Path, program: Sequence[str]) -> None:
        self._folder = folder
        self._program = tuple(program)

    def status(self) -> tuple[Hook, ...]:
        """Return the state of each hook."""
        return tuple(self._seen(event) for event in EVENTS)

    def install(self, *, is_dry: bool = False, is_forced: bool = False) -> tuple[Hook, ...]:
        """Install Holdfast's hooks after the existing ones; return those that change.

        Raises:
            AnotherStoresHooksError: They serve another store, and ``is_forced`` is false.
            EditedHookError: An existing hook cannot be moved; nothing is changed.
            HooksUnwritableError: The folder cannot be written.
        """
        wanted = [one for one in self.status() if one.state is not HookState.INSTALLED]
        for hook in wanted:
            self._check_room(hook)
            self._check_store(hook, is_forced=is_forced)
        if not is_dry:
            try:
                # Under a permissive umask, other users could otherwise add programs that git runs.
                make_own_folder(self._folder, rights=_EXECUTABLE)
                for hook in wanted:
                    self._put(hook)
            except OSError as error:
                raise HooksUnwritableError(self._folder, error.strerror) from error
        return tuple(wanted)

    def remove(self, *, is_dry: bool = False, is_forced: bool = False) -> tuple[Hook, ...]:
        """Remove Holdfast's hooks and restore the earlier ones; return those that change.

        Raises:
            EditedHookError: One of them was edited, and ``is_forced`` is false.
            AnotherStoresHooksError: They serve another store, and ``is_forced`` is false.
            HooksUnwritableError: The folder cannot be written.
        """
        theirs = {HookState.ABSENT, HookState.OTHERS}
        wanted = [hook for hook in self.status() if hook.state not in theirs]
        for hook in wanted:
            self._check_store(hook, is_forced=is_forced)
            if hook.state is HookState.EDITED and not is_forced:
                raise EditedHookError(
                    hook.path,
                    "was edited after it was installed. Move those lines elsewhere.",
                    can_force=True,
                )
        if not is_dry:
            try:
                for hook in wanted:
                    if hook.is_chained:
                        _before(hook.path).replace(hook.path)
                    else:
                        hook.path.unlink()
            except OSError as error:
                raise HooksUnwritableError(self._folder, error.strerror) from error
        return tuple(wanted)

    def _seen(self, event: str) -> Hook:
        path = self._folder / event
        is_chained = os.path.lexists(_before(path))
        text = _content(path)
        if text is None:
            state = HookState.ABSENT
        elif MARK not in text.partition(b"\n")[2].partition(b"\n")[0]:
            state = HookState.OTHERS
        elif not is_untouched(text):
            state = HookState.EDITED
        else:
            state = self._own_state(path, text, is_chained=is_chained)
        return Hook(event=event, path=path, state=state, is_chained=is_chained)

    def _own_state(self, path: Path, text: bytes, *, is_chained: bool) -> HookState:
        script = self._script(path, is_chained=is_chained)
        if text == script:
            return HookState.INSTALLED
        return HookState.OUTDATED if store_in(text) == store_in(script) else HookState.ANOTHER

    def _check_store(self, hook: Hook, *, is_forced: bool) -> None:
        if hook.state is HookState.ANOTHER and not is_forced:
            serves = store_in(_content(hook.path) or b"") or "the default space"
            raise AnotherStoresHooksError(hook.path, serves)

    def _script(self, path: Path, *, is_chained: bool) -> bytes:
        before = _content(_before(path)) if is_chained else None
        return hook_script(path.name, self._program, before=before)

    def _check_room(self, hook: Hook) -> None:
        if hook.state is HookState.EDITED:
            raise EditedHookError(
                hook.path, "was edited after it was installed. Move those lines elsewhere first."
            )
        if hook.state is not HookState.OTHERS or not hook.is_chained:
            return
        # Another tool overwrote Holdfast's hook, mostly with the content of the earlier one.
        if _content(hook.path) != _content(_before(hook.path)):
            raise EditedHookError(
                _before(hook.path),
                f"is the hook from before, and {hook.path.name} is another one now."
                " Keep one of the two, remove the other, and install again.",
            )

    def _put(self, hook: Hook) -> None:
        """Put the script there atomically; the existing hook is never missing."""
        before = _before(hook.path)
        fresh = hook.path.with_name(f"{hook.path.name}.new-holdfast")
        if hook.state is HookState.OTHERS and not hook.is_chained:
            _keep(hook.path, before)
        fresh.unlink(missing_ok=True)
        script = self._script(hook.path, is_chained=os.path.lexists(before))
        write_new(fresh, script, rights=_EXECUTABLE, durable=False)
        fresh.replace(hook.path)


def _before(path: Path) -> Path:
    return path.with_name(path.name + BEFORE)


def _keep(path: Path, under: Path) -> None:
    """Give a file, or a link in its place, a second name; the file itself does not change."""
    try:
        os.link(path, under, follow_symlinks=False)
    except OSError:
        # Not every file system supports hard links.
        path.rename(under)


def _content(path: Path) -> bytes | None:
    """Return the content of a hook; None for a dangling link."""
    try:
        return read_plain(path, follows_link=True)
    except OSError:
        return b"" if os.path.lexists(path) else None
