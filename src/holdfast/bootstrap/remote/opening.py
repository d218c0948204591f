"""Opens the memory of a Holdfast server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.machine.settings import SettingsFile, data_folder, settings_file
from holdfast.adapters.remote.answer_cache import AnswerCache
from holdfast.adapters.remote.outbox import Outbox
from holdfast.adapters.remote.remotes import RemoteFiles, checked_token, name_of, read_url
from holdfast.adapters.remote.server import RemoteAccess, RemoteServer
from holdfast.app import Holdfast
from holdfast.bootstrap.remote.carrier import ServerCarrier, StoreElsewhere
from holdfast.bootstrap.remote.refusals import refusal
from holdfast.domain.memory.place import DEFAULT_SPACE
from holdfast.domain.remote_errors import TokenOfOtherSpaceError
from holdfast.domain.service.remotes import Remote
from holdfast.domain.service.tokens import read_token
from holdfast.heuristics.english import ENGLISH

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app.attachments import Attachments
    from holdfast.bootstrap.plugs.folder_ports import FolderPorts
    from holdfast.domain.memory.callers import Principal
    from holdfast.ports.recall.models import TokenCounter
    from holdfast.ports.store.store import Store

TOKEN_VARIABLE = "HOLDFAST_TOKEN"  # noqa: S105 - the name of a variable, not a token
_LETTERS = 12


def open_remote(
    address: str,
    *,
    principal: Principal,
    home: Path | None,
    counter: TokenCounter,
    around: FolderPorts,
    attachments: Attachments,
) -> Holdfast:
    """Return a memory whose calls are carried out on a server; the checkout is the local one.

    Raises:
        TokenOfOtherSpaceError: The server was not added, and its token opens another space than the
            one that is named. Whoever added it to a space wants it there.
    """
    server = open_server(address, home=home)
    token = read_token(server.access.token)
    opened = DEFAULT_SPACE if token is None else token.space
    if not server.access.name and principal.space not in {DEFAULT_SPACE, opened}:
        raise TokenOfOtherSpaceError(
            server=server.access.shown, space=opened, wanted=principal.space
        )
    return Holdfast(
        principal=principal,
        store=cast("Store", StoreElsewhere(server, principal.space)),
        clock=MachineClock(),
        counter=counter,
        surroundings=around.surroundings,
        heuristics=ENGLISH,
        verifier=around.verifier,
        code_index=around.code,
        history_index=around.history,
        attachments=attachments,
        carrier=ServerCarrier(server),
    )


def open_server(address: str, *, home: Path | None, seconds: float | None = None) -> RemoteServer:
    """Return the server of an address, with the token and the files of its remote.

    ``seconds`` is how long it may take for an answer; None is what is set.

    Raises:
        BadRemoteError: The address cannot be used.
        SeveralRemotesError: Several remotes have the address.
        BadFieldError: HOLDFAST_TOKEN cannot be a token.
    """
    files = RemoteFiles(home or data_folder())
    remote = known_remote(files, address)
    is_added = any(one.name == remote.name for one in files.all())
    return server_of(remote, home=home, seconds=seconds, is_added=is_added)


def server_of(
    remote: Remote, *, home: Path | None, seconds: float | None = None, is_added: bool = True
) -> RemoteServer:
    """Return the server of a remote, with the token and the files that belong to its name.

    Messages name a server that was not added by its address.

    Raises:
        BadFieldError: HOLDFAST_TOKEN cannot be a token.
    """
    files = RemoteFiles(home or data_folder())
    kept = files.folder(remote.name)
    given = os.environ.get(TOKEN_VARIABLE, "")
    access = RemoteAccess(
        url=remote.url,
        name=remote.name if is_added else "",
        token=checked_token(given) if given.strip() else files.token(remote.name),
        seconds=seconds or _seconds(home),
    )
    space = access.space.replace("/", "_") or "open"
    return RemoteServer(
        access,
        outbox=Outbox(kept),
        cache=AnswerCache(kept / "answers" / space),
        now=MachineClock().now,
        refusal=refusal,
    )


def _seconds(home: Path | None) -> float:
    kept = SettingsFile(settings_file() if home is None else home / "config.toml")
    return float(kept.value("remote.timeout")[0])


def known_remote(files: RemoteFiles, address: str) -> Remote:
    """Return the remote of an address; one that was not added has a name of its own.

    Raises:
        BadRemoteError: The address cannot be used.
        SeveralRemotesError: Several remotes have the address.
    """
    from hashlib import sha256

    if found := files.at_address(address):
        return found
    url = read_url(address)
    return Remote(name=f"{name_of(url)}-{sha256(url.encode()).hexdigest()[:_LETTERS]}", url=url)
