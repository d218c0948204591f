"""The places that keys come from: files, the keyring of the system, and variables."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_IMODE
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, read_plain, write_new
from holdfast.domain.encryption.errors import KeyPlaceError, KeySourceError
from holdfast.domain.encryption.keys import KeyBytes, KeyPlace, KeySource, read_key

if TYPE_CHECKING:
    from types import ModuleType

DEFAULT_VARIABLE = "HOLDFAST_ENCRYPTION_KEY"
"""A key in this variable is known without being added."""
_FOLDER_VARIABLE = "HOLDFAST_KEYS"
_SERVICE = "holdfast"
_OTHERS = 0o077
_LARGEST = 4_096


def default_folder() -> Path:
    """Return the folder for new key files: HOLDFAST_KEYS, else one in the XDG config folder.

    It is not the folder of the store, because a copy of that folder should not contain the key.
    """
    if given := os.environ.get(_FOLDER_VARIABLE):
        return Path(given).expanduser().absolute()
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return Path(base if base.startswith("/") else "~/.config").expanduser() / "holdfast" / "keys"


def read_from(source: KeySource) -> KeyBytes:
    """Return the key in a place.

    Raises:
        KeySourceError: The place cannot be read, or has nothing.
        KeyPlaceError: It is a file in a repository, or one that others may read.
        BadKeyError: There is something else.
    """
    match source.place:
        case KeyPlace.FILE:
            text = _read_file(Path(source.name))
        case KeyPlace.KEYRING:
            text = _read_keyring(source)
        case KeyPlace.ENVIRONMENT:
            text = os.environ.get(source.name, "")
            if not text.strip():
                raise KeySourceError(place=str(source), problem="it is not set.")
    return read_key(text, place=_capital(source))


def write_to(source: KeySource, key: KeyBytes) -> None:
    """Put a key into a place; a variable is set by whoever starts the program.

    Raises:
        KeySourceError: The place cannot be written.
        KeyPlaceError: It is a file in a repository, or it exists.
    """
    match source.place:
        case KeyPlace.FILE:
            _write_file(Path(source.name), key)
        case KeyPlace.KEYRING:
            keyring = _keyring(source)
            try:
                keyring.set_password(_SERVICE, source.name, key.text)
            except keyring.errors.KeyringError as error:
                raise KeySourceError(place=str(source), problem=f"{error}") from error
        case KeyPlace.ENVIRONMENT:
            pass


def delete_from(source: KeySource) -> None:
    """Delete a key from its place; a variable is removed by whoever set it.

    Raises:
        KeySourceError: It cannot be deleted.
    """
    match source.place:
        case KeyPlace.FILE:
            try:
                Path(source.name).unlink(missing_ok=True)
            except OSError as error:
                raise KeySourceError(place=str(source), problem=_words(error)) from error
        case KeyPlace.KEYRING:
            keyring = _keyring(source)
            try:
                keyring.delete_password(_SERVICE, source.name)
            except keyring.errors.PasswordDeleteError:
                pass
        case KeyPlace.ENVIRONMENT:
            pass


def whole_source(source: KeySource) -> KeySource:
    """Return a source that means the same in every folder."""
    if source.place is not KeyPlace.FILE:
        return source
    return KeySource(place=KeyPlace.FILE, name=str(Path(source.name).expanduser().absolute()))


def _read_file(path: Path) -> str:
    _refuse_repository(path)
    try:
        content = read_plain(path)
        rights = path.stat()
    except OSError as error:
        raise KeySourceError(place=f"the file {path}", problem=_words(error)) from error
    if S_IMODE(rights.st_mode) & _OTHERS:
        problem = (
            f"others may read it. Change its rights to 600; they are {rights.st_mode & 0o777:o}."
        )
        raise KeyPlaceError(place=str(path), problem=problem)
    if rights.st_uid not in {os.geteuid(), 0}:
        raise KeyPlaceError(place=str(path), problem="it belongs to another user.")
    return content[:_LARGEST].decode("utf-8", "replace")


def _write_file(path: Path, key: KeyBytes) -> None:
    _refuse_repository(path)
    try:
        make_own_folder(path.parent)
        write_new(path, f"{key.text}\n".encode())
    except FileExistsError as error:
        problem = "it exists, and is not overwritten."
        raise KeyPlaceError(place=str(path), problem=problem) from error
    except OSError as error:
        raise KeySourceError(place=f"the file {path}", problem=_words(error)) from error


def _refuse_repository(path: Path) -> None:
    """Refuse a file inside the work tree of a git repository, where it would be committed.

    Raises:
        KeyPlaceError: It is inside one.
    """
    folder = Path(os.path.realpath(path.parent))
    for one in (folder, *folder.parents):
        if (one / ".git").exists():
            problem = f"it is inside the git repository {one}."
            raise KeyPlaceError(place=str(path), problem=problem)


def _read_keyring(source: KeySource) -> str:
    keyring = _keyring(source)
    try:
        text = keyring.get_password(_SERVICE, source.name)
    except keyring.errors.KeyringError as error:
        raise KeySourceError(place=str(source), problem=f"{error}") from error
    if not text:
        raise KeySourceError(place=str(source), problem="the keyring has no such entry.")
    return str(text)


def _keyring(source: KeySource) -> ModuleType:
    try:
        import keyring
        import keyring.errors
    except ImportError as error:
        problem = "the library is not installed. Install holdfast[keyring]."
        raise KeySourceError(place=str(source), problem=problem) from error
    return keyring


def _words(error: OSError) -> str:
    return f"{error.strerror or error}."


def _capital(source: KeySource) -> str:
    words = str(source)
    return f"{words[:1].upper()}{words[1:]}"
