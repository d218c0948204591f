"""The service behind a server: it recognises callers and carries out their requests."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.machine.folders import data_folder_name
from holdfast.app.performing import admit
from holdfast.bootstrap.plugs.addresses import DEFAULT_TENANT, tenant_of
from holdfast.bootstrap.plugs.spaces import folder_of
from holdfast.bootstrap.service.calls import ServiceCalls
from holdfast.bootstrap.service.cancelling import cancellable
from holdfast.bootstrap.service.folders import folder_bytes
from holdfast.bootstrap.service.page_sessions import PageSessions
from holdfast.bootstrap.service.removed import refuse_removed
from holdfast.bootstrap.service.reply_secret import reply_secret
from holdfast.bootstrap.service.served_checkout import ServedCheckout
from holdfast.bootstrap.service.spaces import OpenSpaces, SpaceName
from holdfast.bootstrap.service.stated import StatedSurroundings
from holdfast.bootstrap.service.undisclosed import undisclosed
from holdfast.domain.access_errors import MayNotError, NoSuchStoreError
from holdfast.domain.errors import NotFoundError, UnavailableError
from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId
from holdfast.domain.service.ids import is_store_id
from holdfast.domain.service.replies import Reply
from holdfast.domain.service.tokens import IN_A_FILE, TokenId, read_token
from holdfast.domain.service_errors import NotAuthenticatedError
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.recall.shared_keeping import KeptLater
from holdfast.usecases.screened_surroundings import ScreenedSurroundings
from holdfast.usecases.service.once import Attempt, carried_out
from holdfast.usecases.service.quota import Quota, quota_use, refuse_beyond
from holdfast.usecases.service.tokens import bearer, bearer_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import TypeVar

    from holdfast.app import Holdfast
    from holdfast.bootstrap.service.deadline import RequestDeadline
    from holdfast.bootstrap.service.spaces import OpenSpace
    from holdfast.domain.memory.anchor import BranchPoint
    from holdfast.domain.memory.place import Place
    from holdfast.ports.recall.bundle_keeper import BundleKeeper
    from holdfast.ports.store.store import Store

    Done = TypeVar("Done")
    Work = Callable[[Holdfast], Reply]


class Caller(NamedTuple):
    """Who sent a request: the principal, the space, and the id of the token."""

    principal: Principal
    name: SpaceName
    token_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceOptions:
    """Where the stores are, and the limits of each space and tenant; 0 is no limit."""

    home: str = ""
    address: str | None = None
    connections: int = 8
    most_memories: int = 0
    most_bytes: int = 0
    checkout: str = ""
    """A checkout on this machine for the agents of one space; empty for none."""
    checkout_space: SpaceId = DEFAULT_SPACE
    checkout_tenant: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedRequest:
    """One request to carry out.

    ``is_in_checkout`` says that its caller works with the checkout of the server.
    """

    caller: Caller
    place: Place
    point: BranchPoint | None = None
    deadline: RequestDeadline
    key: str | None = None
    digest: str = ""
    is_in_checkout: bool = False


class Service:
    """The memories of many spaces, for the callers of a server."""

    def __init__(self, options: ServiceOptions) -> None:
        self._options = options
        self._spaces = OpenSpaces(
            home=options.home, address=options.address, connections=options.connections
        )
        self._quota = Quota(
            most_memories=options.most_memories, most_bytes=options.most_bytes, used=self._used
        )
        self._sessions = PageSessions(
            Path(data_folder_name(options.home)), now=self._spaces.clock.now
        )
        self._lock = Lock()
        self._calls: ServiceCalls | None = None
        self._checkout = self._served_checkout() if options.checkout else None

    def caller(self, shown: str, deadline: RequestDeadline) -> Caller:
        """Return who shows a token.

        Raises:
            NotAuthenticatedError: The token is malformed, unknown, wrong, expired or revoked; the
                error is the same for all of these.
            TimedOutError: The server gave the request up.
        """
        token = read_token(shown)
        if token is None:
            raise NotAuthenticatedError
        name = SpaceName(token.tenant, token.space)
        principal = self._principal(name, partial(bearer, token), deadline)
        if principal is None:
            raise NotAuthenticatedError
        return Caller(principal, name, token.id)

    def sign_in(self, shown: str, deadline: RequestDeadline) -> tuple[Caller, str]:
        """Return the bearer of a token, and the cookie of a new session of theirs.

        Raises:
            NotAuthenticatedError: The token is not valid.
            UnavailableError: The session cannot be stored.
        """
        caller = self.caller(shown, deadline)
        return caller, self._sessions.begin(caller.token_id, caller.name)

    def signed_in(self, cookie: str, deadline: RequestDeadline) -> Caller:
        """Return whose session a cookie opens; it ends with the token that began it.

        Raises:
            NotAuthenticatedError: There is no such session, or its token is not valid any more.
        """
        session = self._sessions.of(cookie)
        if session is None:
            raise NotAuthenticatedError
        find = partial(bearer_of, TokenId(session.token_id))
        principal = self._principal(session.name, find, deadline)
        if principal is None:
            self._sessions.end(cookie)
            raise NotAuthenticatedError
        return Caller(principal, session.name, session.token_id)

    def _principal(
        self,
        name: SpaceName,
        find: Callable[..., Principal | None],
        deadline: RequestDeadline,
    ) -> Principal | None:
        """Return whom the store of a space knows; None if it knows nobody.

        A store on a server may have been removed since it was opened. It has no tokens then, and
        the space may have another store by now.

        Raises:
            NotAuthenticatedError: The space has no store.
            TimedOutError: The server gave the request up.
        """

        def found(space: OpenSpace) -> Principal | None:
            with space.store.cancelled_by(deadline):
                return find(store=space.store, clock=self._spaces.clock)

        try:
            with undisclosed():
                with suppress(NoSuchStoreError), self._spaces.used(name) as space:
                    principal = found(space)
                    if principal is None and self._spaces.is_on_server:
                        refuse_removed(space.store)
                    return principal
                with self._spaces.used(name) as space:
                    return found(space)
        except NotFoundError as error:
            raise NotAuthenticatedError from error

    def admit(self, caller: Caller, usual: Operation, *others: Operation) -> None:
        """Return if a caller may perform one of some operations.

        Raises:
            MayNotError: The caller may not.
        """
        allowed = [one for one in others if one in caller.principal.may]
        admit(caller.principal, allowed[0] if allowed else usual)

    def sign_out(self, cookie: str) -> None:
        """End a session."""
        self._sessions.end(cookie)

    def agent(self, space: SpaceId, tenant: str | None) -> Caller:
        """Return the caller of a server that asks for no tokens: an agent in one space."""
        named = str(tenant_of(tenant)) if self._spaces.is_on_server else IN_A_FILE
        agent = Principal.of(PrincipalKind.AGENT, space=space, name="an HTTP client")
        return Caller(agent, SpaceName(named, space), "none")

    def has_checkout(self, caller: Caller, place: Place, point: BranchPoint | None) -> bool:
        """Return whether a caller at a place works with the checkout of the server."""
        return self._checkout is not None and self._checkout.serves(caller.name, place, point)

    def _served_checkout(self) -> ServedCheckout:
        options = self._options
        space = options.checkout_space
        home = Path(data_folder_name(folder_of(space, options.home)))
        name = self.agent(space, options.checkout_tenant).name
        return ServedCheckout(options.checkout, name=name, home=home)

    def calls(self, request: ServedRequest) -> ServiceCalls:
        """Return the memory service for the caller of a request, bound to the caller's tenant.

        Raises:
            MayNotError: The caller's token does not allow it.
        """
        caller = request.caller
        if is_store_id(caller.name.space):
            # A token of one user's store must not open the stores of the others.
            raise MayNotError(
                kind=caller.principal.kind,
                name=caller.principal.name,
                operation=Operation.SERVE,
                why="a token of one store opens no store of the service",
            )
        admit(caller.principal, Operation.SERVE)
        with self._lock:
            if self._calls is None:
                home = Path(self._options.home) if self._options.home else None
                self._calls = ServiceCalls(home=home, address=self._options.address)
        tenant = caller.name.tenant
        named = DEFAULT_TENANT if tenant == IN_A_FILE else tenant
        attempt = Attempt(key=request.key, request_hash=request.digest, commits=_nothing)
        return self._calls.of_tenant(named, quota=self._quota, attempt=attempt)

    def look(self, request: ServedRequest, work: Callable[[Holdfast], Done]) -> Done:
        """Return the answer of work that changes no memory.

        Its bundles are stored before it returns, together with those of other requests. Once the
        request is given up, the work ends, and stores nothing.

        Raises:
            TimedOutError: The server gave the request up.
        """
        with self._spaces.used(request.caller.name) as space:
            later = KeptLater()
            answer = self._looked(space, request, work, later)
            try:
                later.store(space.keeping)
            except UnavailableError:
                # The work is done again, and its answer says what could not be stored.
                return self._looked(space, request, work, None)
            return answer

    def _looked(
        self,
        space: OpenSpace,
        request: ServedRequest,
        work: Callable[[Holdfast], Done],
        keeper: BundleKeeper | None,
    ) -> Done:
        deadline = request.deadline
        with (
            self._spaces.turn(),
            space.store.cancelled_by(deadline),
            self._seen(space.holdfast, request) as seen,
        ):
            heuristics = cancellable(seen.heuristics, deadline)
            answer = work(replace(seen, keeper=keeper, heuristics=heuristics))
            # A read that was cancelled may have been taken for a fault, and passed over.
            deadline.refuse_cancelled()
            return answer

    def write(self, request: ServedRequest, work: Callable[[Holdfast], Done]) -> Done:
        """Return the answer of work that is stored whole or not at all.

        Raises:
            TimedOutError: The server gave the request up before the commit.
        """
        made: list[Done] = []

        def kept(holdfast: Holdfast) -> Reply:
            made[:] = [work(holdfast)]
            return Reply(key="", request_hash="", status=200, body="", at=holdfast.now())

        self.change(request, kept)
        return made[0]

    def serve(self, request: ServedRequest, work: Work) -> Reply:
        """Return the answer of a call of the memory service, which commits by itself.

        The server waits for a call that has begun: it cannot say whether it was committed.
        """
        request.deadline.claim()
        with self._spaces.held(request.caller.name) as holdfast:
            return work(_as(holdfast, request))

    def change(self, request: ServedRequest, work: Work) -> Reply:
        """Return the answer of work that is stored whole or not at all, and at most once per key.

        Raises:
            KeyReusedError: The key was used for another request.
            TimedOutError: The server gave the request up before the commit.
        """
        request.deadline.refuse_cancelled()
        with self._spaces.held(request.caller.name) as holdfast:
            attempt = Attempt(
                key=request.key, request_hash=request.digest, commits=request.deadline.claim
            )
            inside = partial(self._inside, holdfast, request, work)
            return carried_out(attempt, inside, store=holdfast.store, clock=holdfast.clock)

    def _inside(
        self, holdfast: Holdfast, request: ServedRequest, work: Work, store: Store
    ) -> Reply:
        before = quota_use(self._quota, store)
        with self._seen(holdfast, request) as seen:
            reply = work(replace(seen, store=store))
        refuse_beyond(self._quota, before=before, store=store)
        return reply

    def _seen(self, holdfast: Holdfast, request: ServedRequest) -> AbstractContextManager[Holdfast]:
        """Return the memory as the caller of a request sees it."""
        seen = _as(holdfast, request)
        if self._checkout is None or not request.is_in_checkout:
            return nullcontext(seen)
        return self._checkout.seen(seen)

    def _used(self, store: Store) -> int:
        """Return the bytes of all stores of a tenant; in files, the tenant is the whole folder."""
        if self._spaces.is_on_server:
            return store.upkeep.tenant_bytes()
        return folder_bytes(self._options.home)

    def reply_secret(self) -> bytes:
        """Return the secret for the hashes of sensitive requests, the same in every process.

        Raises:
            UnavailableError: It can be neither read nor made.
        """
        return reply_secret(Path(data_folder_name(self._options.home)))

    def probe(self) -> None:
        """Return if the stores can be used.

        Raises:
            UnavailableError: The database server does not answer, or its role or schema is refused;
                whoever asks has shown no token, so that only ``for_log`` has the whole message.
        """
        with undisclosed():
            self._spaces.probe()

    def close(self) -> None:
        """Close every store."""
        self._spaces.close()
        if self._calls is not None:
            self._calls.close()


def _nothing() -> None:
    """Let a call of the memory service commit: the server waits for one that has begun."""


def _as(holdfast: Holdfast, request: ServedRequest) -> Holdfast:
    surroundings = ScreenedSurroundings(
        StatedSurroundings(stated=request.place, point=request.point)
    )
    return replace(holdfast, principal=request.caller.principal, surroundings=surroundings)
