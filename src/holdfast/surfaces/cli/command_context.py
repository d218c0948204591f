"""The context of a command: the open memory, the settings, and the output."""

from __future__ import annotations

import os
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.bootstrap.plugs.addresses import STORE_VARIABLE, TENANT_VARIABLE, chosen_store
from holdfast.bootstrap.plugs.spaces import folder_of, wanted_space
from holdfast.domain.errors import NoStoreError
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.memory.recognising import ORIGIN_VARIABLE, SERVICE_WORD, principal_of
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from tempfile import TemporaryDirectory

    from holdfast.app import Holdfast
    from holdfast.bootstrap.machine.installed import Configuration
    from holdfast.bootstrap.machine.machine import Machine
    from holdfast.domain.choices import Origin
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.place import SpaceId
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.surfaces.cli.present.terminal.progress import ProgressBar


class CommandContext:
    """Opens each resource on first use, so that a verb loads only what it uses."""

    def __init__(self, given: Namespace, output: Output, *, may_create_store: bool = False) -> None:
        self.output = output
        self.tokens = "estimate"
        self.tells_health = False
        self.told: set[str] = set()
        self.has_made_store = False
        """Whether this command made a store in a space of a server that had none."""
        if given.tenant is not None:
            os.environ[TENANT_VARIABLE] = given.tenant
        self.space = wanted_space(given.space)
        self.home = _home(given.home, self.space)
        # In the environment, so that hooks and programs that this command starts use it too.
        os.environ[STORE_VARIABLE] = chosen_store(
            given.server, "" if self.home is None else str(self.home)
        )
        self._folder = given.folder
        self._may_create_store = may_create_store
        self._is_dry = bool(getattr(given, "dry_run", False))
        self._temporary: TemporaryDirectory[str] | None = None

    @cached_property
    def folder(self) -> Path:
        """Return the folder that the command runs in."""
        if self._folder is None:
            try:
                return Path.cwd()
            except OSError as error:
                raise UnusableFileError(
                    path="The current folder", problem=error.strerror
                ) from error
        folder = Path(self._folder).expanduser().absolute()
        if not folder.is_dir():
            raise MissingFileError(str(self._folder), noun="folder")
        return folder

    @cached_property
    def principal(self) -> Principal:
        """Return the principal who runs this command, from the environment."""
        return principal_of(os.environ, space=self.space, user=_environment_user())

    @property
    def origin(self) -> Origin:
        """Return the principal's origin.

        Raises:
            UnknownChoiceError: HOLDFAST_ORIGIN holds a word that is no origin.
        """
        word = os.environ.get(ORIGIN_VARIABLE, "").strip().lower()
        if word and word != SERVICE_WORD:
            values.origin(word)  # an unknown origin is refused instead of guessed
        return self.principal.origin

    def act_as_person(self) -> None:
        """Continue as the person who confirmed at the terminal that they are one."""
        self.principal = self.principal.as_person(_environment_user())
        if "holdfast" in vars(self):
            from holdfast.domain.values import replace

            self.holdfast = replace(self.holdfast, principal=self.principal)
        for made in ("machine", "settings"):
            vars(self).pop(made, None)

    @cached_property
    def machine(self) -> Machine:
        """Return the parts that need no open memory: settings, models, tools and files."""
        from holdfast.bootstrap.machine.machine import Machine
        from holdfast.bootstrap.plugs.addresses import ServerPlace

        at = ServerPlace(adds_store=self._may_create_store, tell_of_new=self._tell_of_new)
        return Machine(principal=self.principal, home=self.home, folder=lambda: self.folder, at=at)

    @cached_property
    def holdfast(self) -> Holdfast:
        """Open the memory of the principal's space, seen from the folder.

        Raises:
            NoStoreError: There is none, and the verb adds nothing: the home may be mistyped.
        """
        from holdfast.bootstrap.plugs.folder_ports import CodeReading

        machine = self.machine
        if not self._may_create_store and not machine.has_store():
            if self.space != DEFAULT_SPACE:
                from holdfast.domain.access_errors import NoSuchStoreError

                raise NoSuchStoreError(self.space)
            is_named = self.home is not None or bool(os.environ.get("HOLDFAST_HOME"))
            raise NoStoreError(str(machine.store_file().parent), is_named=is_named)
        is_new = not machine.has_store()
        if is_new and self._is_dry:
            machine = self._machine_without_store()
        opened = machine.open(
            tokens=self.tokens,
            reading=CodeReading(is_program=True, watch=partial(self.progress, "reading code")),
        )
        if is_new and not self._is_dry and self.home is not None:
            self.output.note(f"There was no store in {self.home}; a new one was created.")
        return opened

    def _tell_of_new(self, words: str) -> None:
        self.has_made_store = True
        self.output.note(words)

    def _machine_without_store(self) -> Machine:
        """Return a machine with an empty temporary store: a dry run creates none in the home."""
        from tempfile import TemporaryDirectory

        from holdfast.bootstrap.machine.machine import Machine

        self._temporary = TemporaryDirectory(prefix="holdfast-dry-run-")
        home = Path(self._temporary.name)
        return Machine(principal=self.principal, home=home, folder=lambda: self.folder)

    @cached_property
    def settings(self) -> Configuration:
        """Return the settings of the space."""
        return self.machine.settings

    def setting(self, name: str) -> str:
        """Return a setting's value."""
        return self.settings.value(name)[0]

    @property
    def user(self) -> str:
        """Return the name that a person's decisions are recorded under."""
        return self.setting("user") or _system_user()

    def progress(self, label: str) -> ProgressBar:
        """Return a progress bar for long work."""
        from holdfast.surfaces.cli.present.terminal.progress import ProgressBar

        return ProgressBar(label, self.output)

    def close(self) -> None:
        """Print the problems of the store, once, and close the store if it was opened."""
        if not self.tells_health and (problem := self.settings.problem()) is not None:
            self._warn((problem,))
        if "holdfast" not in vars(self):
            return
        if not self.tells_health:
            self._warn(self.holdfast.warnings)
        self.holdfast.close()
        if self._temporary is not None:
            self._temporary.cleanup()

    def _warn(self, warnings: Sequence[str]) -> None:
        if warnings and self.output.as_json:
            self.output.complain_json({"warnings": list(warnings)})
        elif warnings:
            from holdfast.surfaces.cli.present.terminal.colour import Warn

            for warning in (one for one in warnings if one not in self.told):
                self.output.complain(Warn("warning"), f": {warning}")


def _home(given: str | None, space: SpaceId) -> Path | None:
    """Return the folder of the space; None for the usual folder of the default space."""
    named = "" if given is None else str(Path(given).expanduser().absolute())
    folder = folder_of(space, named)
    return Path(folder) if folder else None


def _environment_user() -> str:
    """Return the user name from the environment; empty if there is none."""
    for variable in ("LOGNAME", "USER"):
        name = os.environ.get(variable, "")
        if name.strip() and name.isprintable():
            return name
    return ""


def _system_user() -> str:
    if name := _environment_user():
        return name
    from pwd import getpwuid

    try:
        return getpwuid(os.getuid()).pw_name
    except KeyError:
        return "person"
