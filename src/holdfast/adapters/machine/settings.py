"""Reads a person's settings: environment first, then the settings file, then the defaults."""

from __future__ import annotations

import os
from pathlib import Path

from holdfast.adapters.machine.folders import SPACES, data_folder_name
from holdfast.adapters.machine.known_settings import DEFAULT_MODEL, SETTINGS
from holdfast.adapters.machine.setting_values import Setting
from holdfast.domain.errors import BadFieldError

__all__ = [
    "DEFAULT_MODEL",
    "KNOWN",
    "SETTINGS",
    "Setting",
    "SettingsFile",
    "data_folder",
    "environment_name",
    "known_setting",
    "models_folders",
    "settings_file",
]
_SETTINGS = "holdfast/config.toml"
_MODELS = "models"
# src/holdfast/adapters/machine/settings.py of a checkout: make setup puts models into its root.
_CHECKOUT = Path(__file__).parents[4]
_MODELS_OF_CHECKOUT = ".models"


_MEND = "Mend it, or move it aside."
KNOWN = {setting.name: setting for setting in SETTINGS}


def data_folder() -> Path:
    """Return the folder of the store: HOLDFAST_HOME, else the XDG data folder."""
    return Path(data_folder_name())


def models_folders(home: Path | None = None, *, checkout: Path = _CHECKOUT) -> tuple[Path, ...]:
    """Return the folders that are searched for models, in order; new models go into the first.

    HOLDFAST_MODELS names the only one. Without it, they are the folder beside the store, for a
    space also the folder of the home that holds it, and, if the program runs from its own
    checkout, the one that ``make setup`` fills.
    """
    if given := os.environ.get("HOLDFAST_MODELS"):
        return (Path(os.path.abspath(os.path.expanduser(given))),)  # noqa: PTH100, PTH111 - never fails
    folder = home or data_folder()
    own: tuple[Path, ...] = (folder / _MODELS,)
    if folder.parent.name == SPACES:
        own = (*own, folder.parent.parent / _MODELS)
    beside = checkout / _MODELS_OF_CHECKOUT
    is_checkout = os.path.isdir(beside) and os.path.exists(checkout / "pyproject.toml")  # noqa: PTH110, PTH112 - never fail
    return (*own, beside) if is_checkout else own


def settings_file() -> Path:
    """Return the settings file: in HOLDFAST_HOME, else in the XDG config folder."""
    if os.environ.get("HOLDFAST_HOME"):
        return data_folder() / "config.toml"
    base = os.environ.get("XDG_CONFIG_HOME", "")
    # The XDG standard wants a relative path there to be ignored.
    folder = Path(base if base.startswith("/") else os.path.expanduser("~/.config"))  # noqa: PTH111 - never fails
    return folder / _SETTINGS


def environment_name(name: str) -> str:
    """Return the variable that overrides a setting: HOLDFAST_RECALL_BUDGET for recall.budget."""
    return "HOLDFAST_" + name.upper().replace(".", "_")


class SettingsFile:
    """The current settings of one person."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def value(self, name: str) -> tuple[str, str]:
        """Return a setting's value and its source: environment, file or default.

        Raises:
            BadFieldError: There is no such setting, or its value is invalid.
        """
        setting = known_setting(name)
        variable = environment_name(name)
        if setting.has_variable and (given := os.environ.get(variable)) is not None:
            return _accepted(setting, given, f"variable {variable}"), "environment"
        if (kept := self._readable().get(name)) is not None:
            return _accepted(setting, kept, f"setting {name} in {self.path}"), "file"
        return setting.default, "default"

    def problem(self) -> str | None:
        """Return why the file cannot be read, and that defaults are used; None if it can."""
        try:
            self._parsed(self._read())
        except BadFieldError as error:
            return f"{error} Defaults are used until it is mended."
        return None

    def _readable(self) -> dict[str, str]:
        """Return the settings of the file; none if it is damaged, so that every verb still runs."""
        try:
            return self._parsed(self._read())
        except BadFieldError:
            return {}

    def set(self, name: str, value: str | None) -> None:
        """Write a setting, or remove it; other lines and comments stay unchanged.

        Raises:
            BadFieldError: There is no such setting, it does not take that value, the value
                contains a secret, or the file has the setting in a form that only a person should
                edit. The file is not changed.
        """
        known_setting(name)
        if value is None and name not in self._parsed(self._read()):
            return
        line = [] if value is None else [f'{name} = "{self.accepted(name, value)}"']
        from holdfast.adapters.disk.file_locks import changing

        try:
            with changing(self._target()):
                self._write(self._changed(name, line))
        except OSError as error:
            from holdfast.adapters.disk.failures import disk_problem

            raise disk_problem(self.path, error) from error

    def accepted(self, name: str, value: str) -> str:
        """Return a value that the setting takes.

        Raises:
            BadFieldError: There is no such setting, it does not take that value, or the value
                contains a secret.
        """
        from holdfast.adapters.machine.screened_settings import refuse_secret

        setting = known_setting(name)
        found = _accepted(setting, value, f"setting {name}")
        refuse_secret(setting, found)
        return found

    def _changed(self, name: str, line: list[str]) -> str:
        """Return the text of the file with another line for a setting, or with none."""
        old = self._read()
        self._parsed(old)
        top, tables = _halves(old)
        rest = [text for text in top if "".join(text.split()).partition("=")[0] != name]
        if name in self._parsed("\n".join([*rest, *tables])):
            raise BadFieldError(
                field=f"file {self.path}", problem=f"sets {name} in a table; edit it there by hand."
            )
        fresh = "\n".join([*rest, *line, *tables]).strip("\n") + "\n"
        self._parsed(fresh)
        return fresh

    def _read(self) -> str:
        from holdfast.adapters.disk.atomic_files import read_plain

        try:
            # A link to a settings file elsewhere is a person's own choice.
            return read_plain(self.path, follows_link=True).decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            raise BadFieldError(
                field=f"file {self.path}", problem=f"cannot be read: {error.strerror}. {_MEND}"
            ) from error
        except UnicodeDecodeError as error:
            raise BadFieldError(
                field=f"file {self.path}", problem=f"is not UTF-8 text. {_MEND}"
            ) from error

    def _parsed(self, text: str) -> dict[str, str]:
        if not text.strip():
            return {}
        import tomllib

        try:
            found = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadFieldError(
                field=f"file {self.path}", problem=f"is not TOML: {error}. {_MEND}"
            ) from error
        return dict(_flat(found, ""))

    def _write(self, text: str) -> None:
        from holdfast.adapters.disk.atomic_files import write_whole

        write_whole(self._target(), text.encode())

    def _target(self) -> Path:
        """Return the file that is written: a link to a shared file stays a link."""
        return Path(os.path.realpath(self.path))


def known_setting(name: str) -> Setting:
    """Return the setting of that name.

    Raises:
        BadFieldError: There is none; the message lists all settings.
    """
    if name not in KNOWN:
        raise BadFieldError(
            field=f"setting '{name}'",
            problem=f"does not exist; there are: {', '.join(_like(name))}.",
        )
    return KNOWN[name]


def _accepted(setting: Setting, value: str, where: str) -> str:
    if not setting.accepts(value) or not value.isprintable() or '"' in value or "\\" in value:
        from holdfast.domain.gates.secrets import find_secrets, redact

        shown = redact(value, find_secrets(value))
        raise BadFieldError(field=where, problem=f"is '{shown}'; it takes {setting.takes}.")
    return value


def _halves(text: str) -> tuple[list[str], list[str]]:
    """Return the lines before the first table, and the rest."""
    lines = text.splitlines()
    first = next((n for n, line in enumerate(lines) if line.lstrip().startswith("[")), len(lines))
    return lines[:first], lines[first:]


def _flat(table: dict[str, object], prefix: str) -> list[tuple[str, str]]:
    flat: list[tuple[str, str]] = []
    for name, value in table.items():
        if isinstance(value, dict):
            flat += _flat(value, f"{prefix}{name}.")
        else:
            flat.append((f"{prefix}{name}", str(value)))
    return flat


def _like(name: str) -> list[str]:
    """Return the settings of the same section, or spelled nearly the same; else all of them."""
    from difflib import get_close_matches

    section = f"{name.partition('.')[0]}."
    near = {one for one in KNOWN if one.startswith(section)} | set(get_close_matches(name, KNOWN))
    return sorted(near or KNOWN)
