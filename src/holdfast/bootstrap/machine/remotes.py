"""The servers that this machine knows: add, choose, test and remove them, and send what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import Operation
from holdfast.domain.remote_errors import NoDefaultRemoteError, RemoteExistsError, WritesWaitError
from holdfast.domain.service.remotes import Remote, RemoteState
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.adapters.remote.remotes import RemoteFiles
    from holdfast.adapters.remote.server import RemoteServer
    from holdfast.domain.service.remotes import Pushed, WaitingWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRemote:
    """A request to add a server; ``allows_plain`` takes HTTP without TLS to other machines.

    ``replaces`` changes the address and the token of a remote that has the name already.
    """

    url: str
    name: str | None = None
    token: str | None = None
    is_default: bool = False
    allows_plain: bool = False
    replaces: bool = False


class Remotes(MachinePart):
    """The remotes of a home."""

    @performs(Operation.CONFIGURE)
    def add(self, wish: AddRemote) -> RemoteState:
        """Add a server, or change its address or token, and ask whether it answers.

        It is kept if it does not answer, too.

        Raises:
            RemoteExistsError: The name is taken, and it is not to be replaced.
            WritesWaitError: Writes wait for the remote that is to be replaced.
            BadRemoteError: The address cannot be used.
            BadFieldError: The name or the token cannot be used.
        """
        from holdfast.adapters.remote.remotes import name_of, read_url

        url = read_url(wish.url, plain=wish.allows_plain)
        name = wish.name or name_of(url)
        files = self._files()
        known = next((one for one in files.all() if one.name == name), None)
        if known is not None:
            self._refuse_replacing(known, wish)
        files.add(Remote(name=name, url=url, is_default=wish.is_default), token=wish.token)
        return self._asked(files.find(name))

    def _refuse_replacing(self, known: Remote, wish: AddRemote) -> None:
        """Refuse to replace a remote that is not to be replaced, or that writes wait for."""
        if not wish.replaces:
            raise RemoteExistsError(name=known.name, url=known.url)
        if waiting := len(self._server(known).outbox.files()):
            raise WritesWaitError(name=known.name, waiting=waiting, what="replacing")

    @performs(Operation.READ)
    def all(self) -> Sequence[RemoteState]:
        """Return every server and what waits for it, without asking any."""
        return [self._state(one) for one in self._files().all()]

    @performs(Operation.READ)
    def test(self, name: str | None = None) -> RemoteState:
        """Ask a server whether it answers and takes the token; without a name the chosen one."""
        return self._asked(self._chosen(name))

    @performs(Operation.CONFIGURE)
    def use(self, name: str | None) -> None:
        """Choose the server that is used if no store is named; None is the store here.

        Raises:
            NoSuchError: No remote has that name.
        """
        self._files().use(name)

    @performs(Operation.CONFIGURE)
    def remove(self, name: str, *, drops_waiting: bool = False) -> RemoteState:
        """Remove a server with its token and its cached answers; return what it was.

        Raises:
            NoSuchError: No remote has that name.
            WritesWaitError: Writes wait for it, and they are not to be dropped.
        """
        files = self._files()
        before = self._state(files.find(name))
        waiting = len(before.waiting) + len(before.refused) + len(before.damaged)
        if waiting and not drops_waiting:
            raise WritesWaitError(name=before.remote.name, waiting=waiting)
        files.remove(before.remote.name)
        return before

    @performs(Operation.RECORD)
    def push(self, name: str | None = None) -> Pushed:
        """Send what waits for a server."""
        return self._server(self._chosen(name)).push()

    @performs(Operation.RECORD)
    def retry(self, reference: str, *, name: str | None = None) -> WaitingWrite:
        """Let a refused write wait again.

        Raises:
            NoSuchError: No refused write has that key.
        """
        from secrets import token_hex

        return self._server(self._chosen(name)).outbox.retry(reference, key=token_hex(16))

    @performs(Operation.CONFIGURE)
    def drop(self, reference: str, *, name: str | None = None) -> WaitingWrite:
        """Remove a refused write, or one that waits.

        Raises:
            NoSuchError: No such write has that key.
        """
        return self._server(self._chosen(name)).outbox.drop(reference)

    def _files(self) -> RemoteFiles:
        from holdfast.adapters.machine.settings import data_folder
        from holdfast.adapters.remote.remotes import RemoteFiles

        return RemoteFiles(self._machine.home or data_folder())

    def _chosen(self, name: str | None) -> Remote:
        """Return the remote of a name, else the one that this command uses, else the only one."""
        from holdfast.bootstrap.plugs.addresses import remote_address
        from holdfast.bootstrap.remote.opening import known_remote

        files = self._files()
        if name is not None:
            return files.find(name)
        if address := remote_address(self._machine.at.address):
            return known_remote(files, address)
        found = files.all()
        if len(found) != 1:
            raise NoDefaultRemoteError(tuple(one.name for one in found))
        return found[0]

    def _server(self, remote: Remote) -> RemoteServer:
        from holdfast.bootstrap.remote.opening import server_of

        return server_of(remote, home=self._machine.home)

    def _state(self, remote: Remote) -> RemoteState:
        server = self._server(remote)
        return RemoteState(
            remote=remote,
            has_token=bool(server.access.token),
            waiting=tuple(server.outbox.waiting()),
            refused=tuple(server.outbox.refused()),
            damaged=tuple(server.outbox.damaged()),
        )

    def _asked(self, remote: Remote) -> RemoteState:
        """Return the state of a remote after asking for its version, and for a page of sessions.

        Sessions can be read with every token that may read.
        """
        from holdfast.adapters.remote.requests import request_to
        from holdfast.domain.fields import Fields

        server, state = self._server(remote), self._state(remote)
        version = ""
        try:
            document = Fields(server.ask(request_to("GET", "/v1/openapi.json")), noun="document")
            version = Fields(document.raw("info"), noun="info").text("version")
            server.ask(request_to("GET", "/v1/sessions", query={"limit": 1}))
        except HoldfastError as error:
            return replace(state, problem=str(error), version=version)
        return replace(state, problem="", version=version)
