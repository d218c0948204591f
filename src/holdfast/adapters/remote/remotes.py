"""The servers that this machine knows, and their tokens, in files that only their owner reads."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from holdfast.adapters.disk.atomic_files import make_own_folder, read_plain, write_whole
from holdfast.adapters.disk.failures import disk_problem
from holdfast.adapters.disk.file_locks import turn_at
from holdfast.adapters.disk.json_files import read_json
from holdfast.adapters.http.addresses import is_local
from holdfast.domain.errors import BadFieldError, NoSuchError
from holdfast.domain.fields import Fields
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.remote_errors import BadRemoteError, SeveralRemotesError
from holdfast.domain.service.remotes import Remote
from holdfast.domain.workspace_errors import FolderUnusableError

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

REMOTES_FILE = "remotes.json"
"""The list of remotes; a command looks only whether it exists, if no store is named."""
FOLDER = "remotes"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_TAKES = "1 to 64 small letters, digits, '.', '_' and '-', and begins with a letter or a digit."
_NO_NAME = "looks like a secret, and names are kept as plain text; choose another one."
_THIS_MACHINE = "local"
_NOT_A_REMOTE = "is 'local', which means the store of this machine; choose another one."
_LONGEST_TOKEN = 512
_NO_ADDRESS = (
    "it must begin with https://, or with http:// for this machine, and name a host, in ASCII and"
    " without spaces."
)
_TOO_MUCH = "it must have no user, no query and no fragment; the token is given apart."
_ADD_AGAIN = "Move it away, and add your remotes again."
_NOT_PRIVATE = "without TLS everybody on the way reads the token. Use https://."


class RemoteFiles:
    """The remotes of a home: a list in one file, and a folder for each remote."""

    def __init__(self, home: Path) -> None:
        self._file = home / REMOTES_FILE
        self._folder = home / FOLDER

    def all(self) -> list[Remote]:
        """Return every remote, by name.

        Raises:
            UnavailableError: The file is damaged.
        """
        default, known = self._read()
        return [
            Remote(name=name, url=url, is_default=name == default)
            for name, url in sorted(known.items())
        ]

    def find(self, reference: str) -> Remote:
        """Return the remote of a name or an address.

        Raises:
            NoSuchError: There is none.
            SeveralRemotesError: Several have the address.
        """
        found = next((one for one in self.all() if one.name == reference), None)
        found = found or self.at_address(reference)
        if found is None:
            raise NoSuchError(noun="remote", reference=reference)
        return found

    def at_address(self, address: str) -> Remote | None:
        """Return the remote of an address, which may name one after a '#'; None if none has it.

        Raises:
            SeveralRemotesError: Several have the address, and none of them is named.
        """
        url, _, name = address.partition("#")
        found = [one for one in self.all() if one.url == url.rstrip("/")]
        if name:
            return next((one for one in found if one.name == name), None)
        if len(found) > 1:
            raise SeveralRemotesError(tuple(one.name for one in found))
        return found[0] if found else None

    def default(self) -> Remote | None:
        """Return the remote that is used if no store is named; None if there is none."""
        return next((one for one in self.all() if one.is_default), None)

    def add(self, remote: Remote, *, token: str | None) -> None:
        """Add a remote, or change its address, its token and whether it is the default.

        Without a token it has none afterwards.

        Raises:
            BadFieldError: The name or the token cannot be used.
            UnavailableError: The files cannot be written.
        """
        if _NAME.fullmatch(remote.name) is None:
            raise BadFieldError(field="name", problem=f"takes {_TAKES}")
        if remote.name == _THIS_MACHINE:
            raise BadFieldError(field="name", problem=_NOT_A_REMOTE)
        if find_secrets(remote.name):
            raise BadFieldError(field="name", problem=_NO_NAME)
        if token is None:
            (self.folder(remote.name) / "token").unlink(missing_ok=True)
        else:
            self._write_token(remote.name, token)
        with self._changing() as (default, known):
            known[remote.name] = remote.url
            self._write(remote.name if remote.is_default else default, known)

    def use(self, name: str | None) -> None:
        """Choose the default remote; None uses the store of this machine again.

        Raises:
            NoSuchError: No remote has that name.
        """
        with self._changing() as (_, known):
            if name is not None and name not in known:
                raise NoSuchError(noun="remote", reference=name)
            self._write(name, known)

    def remove(self, name: str) -> None:
        """Remove a remote with its token, its cached answers and its outbox.

        Raises:
            NoSuchError: No remote has that name.
        """
        from shutil import rmtree

        with self._changing() as (default, known):
            if known.pop(name, None) is None:
                raise NoSuchError(noun="remote", reference=name)
            self._write(None if default == name else default, known)
        with suppress(FileNotFoundError):
            rmtree(self.folder(name))

    def folder(self, name: str) -> Path:
        """Return the folder of what is kept for a remote."""
        return self._folder / name

    def token(self, name: str) -> str:
        """Return the token of a remote; empty if it has none.

        Raises:
            UnavailableError: The file exists and cannot be read.
        """
        path = self.folder(name) / "token"
        try:
            return read_plain(path).decode("ascii", "replace").strip()
        except FileNotFoundError:
            return ""
        except OSError as error:
            raise disk_problem(path, error) from error

    def _write_token(self, name: str, token: str) -> None:
        words = checked_token(token)
        path = self.folder(name) / "token"
        try:
            write_whole(path, f"{words}\n".encode())
        except OSError as error:
            raise disk_problem(path, error) from error

    @contextmanager
    def _changing(self) -> Generator[tuple[str | None, dict[str, str]], None, None]:
        try:
            make_own_folder(self._file.parent)
            with turn_at(self._file.with_suffix(".lock")):
                yield self._read()
        except OSError as error:
            raise disk_problem(self._file, error) from error

    def _read(self) -> tuple[str | None, dict[str, str]]:
        try:
            fields = Fields(read_json(self._file), noun="list of remotes")
            found = [Fields(one, noun="remote") for one in fields.items("remotes")]
            known = {one.text("name"): read_url(one.text("url"), plain=True) for one in found}
            return fields.maybe_text("default"), known
        except FileNotFoundError:
            return None, {}
        except OSError as error:
            raise disk_problem(self._file, error) from error
        except (ValueError, BadFieldError, BadRemoteError) as error:
            path = str(self._file)
            raise FolderUnusableError(path, problem="it is damaged", hint=_ADD_AGAIN) from error

    def _write(self, default: str | None, known: dict[str, str]) -> None:
        shapes = [{"name": name, "url": url} for name, url in sorted(known.items())]
        text = json.dumps({"default": default, "remotes": shapes}, indent=1)
        write_whole(self._file, text.encode())


def checked_token(token: str) -> str:
    """Return a token without the space around it.

    Raises:
        BadFieldError: It cannot be one; the message does not repeat it.
    """
    words = token.strip()
    is_word = words.isascii() and words.isprintable() and " " not in words
    if not is_word or not 0 < len(words) <= _LONGEST_TOKEN:
        raise BadFieldError(field="token", problem="is empty, too long, or not one word of ASCII.")
    return words


def read_url(address: str, *, plain: bool = False) -> str:
    """Return the address of a server in its usual form, without a slash at its end.

    ``plain`` allows HTTP without TLS to other machines.

    Raises:
        BadRemoteError: It cannot be used. The message does not repeat it: a token may be in it.
    """
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(address.strip())
        is_whole = bool(parts.hostname) and parts.port != 0
    except ValueError as error:
        raise BadRemoteError(_NO_ADDRESS) from error
    if parts.scheme not in {"https", "http"} or not is_whole:
        raise BadRemoteError(_NO_ADDRESS)
    if parts.username is not None or parts.query or parts.fragment:
        raise BadRemoteError(_TOO_MUCH)
    if parts.scheme == "http" and not plain and not is_local(address):
        raise BadRemoteError(_NOT_PRIVATE)
    if not address.isascii() or any(sign in address for sign in "\\\r\n\t "):
        raise BadRemoteError(_NO_ADDRESS)
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def name_of(url: str) -> str:
    """Return the usual name of a server: its host."""
    from urllib.parse import urlsplit

    host = (urlsplit(url).hostname or "").lower().replace(":", "-")
    return host or "server"
