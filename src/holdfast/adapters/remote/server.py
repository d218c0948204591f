"""A Holdfast server as this machine uses it: it reads, writes, and sends what waits.

A read that fails is answered from the cache. A write that fails is kept in the outbox, if it may
wait. Every write carries an idempotency key, so a write that is sent again is stored once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, cast

from holdfast.adapters.http.requesting import HttpCall, HttpReply, NoReplyError, exchanged
from holdfast.adapters.remote.replies import (
    is_from_holdfast,
    object_of,
    problem_of,
    said,
    why_no_answer,
)
from holdfast.domain.remote_errors import ServerAwayError, UnknownOutcomeError, WriteWaitsError
from holdfast.domain.service.remotes import Pushed, RemoteRequest, WaitingWrite
from holdfast.domain.service.tokens import read_token
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from holdfast.adapters.remote.answer_cache import AnswerCache
    from holdfast.adapters.remote.outbox import Outbox
    from holdfast.domain.errors import HoldfastError

    Json = dict[str, object]
    Refusal = Callable[[int, Json], HoldfastError]
    Holds = Callable[[Json], bool]

_OK, _REDIRECT, _SERVER_FAULT = 200, 300, 500
_UNAUTHENTICATED, _TIMED_OUT, _TOO_EARLY, _TOO_MANY = 401, 408, 425, 429
_LATER = frozenset({_UNAUTHENTICATED, _TIMED_OUT, _TOO_EARLY, _TOO_MANY})
_BUG = "bug"
_CARRIED_OUT = "reply-forgotten"
"""The code of a request that was carried out before; what it stored was forgotten since."""
_LACKS = frozenset(
    {
        *("no-encryption-key", "encryption-key-missing", "encryption-key-unreadable"),
        *("no-cipher", "no-ciphertext", "ciphertext-damaged"),
        *("no-meaning", "no-model", "model-missing", "model-broken", "plug-in-failed"),
    }
)
"""Codes of answers about the request itself: the server is there, and lacks what it needs."""
_HEALTH = "/healthz"
KEY_IS_KNOWN_FOR = timedelta(hours=23)
"""How long a write may be repeated; the server remembers its key an hour longer."""
_TOO_LATE = (
    "the server may have stored it, and no longer remembers its key: look there before you retry it"
)
_ROTATED = "the server may have stored it under another token: look there before you retry it"
_OTHER_HOLDER = "it was made with another token, and is sent with that one only"
_OTHER_ADDRESS = "it was made for another address of the server"
_OTHERS_SEND = "is being sent earlier writes by another process"
_WITH_A_READ = 20
_FINGERPRINT = 16
_BEFORE_A_WRITE = 2.0
_OTHER_SPACE = "it was made for another space than the one of the token now"
_FORGOTTEN, _UNKNOWN = "forgotten", "no-such"
_MEMORY = "m_"
_SHORT_ID = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoteAccess:
    """Where a server is, and what this machine shows and waits for."""

    url: str
    name: str = ""
    token: str = ""
    seconds: float = 10.0

    @property
    def shown(self) -> str:
        """How messages name the server: never with the token."""
        return self.name or self.url

    @property
    def fingerprint(self) -> str:
        """A hash that tells tokens apart, and does not tell what they are."""
        from hashlib import sha256

        return sha256(self.token.encode()).hexdigest()[:_FINGERPRINT] if self.token else ""

    @property
    def space(self) -> str:
        """The tenant and the space of the token."""
        found = read_token(self.token)
        return "" if found is None else f"{found.tenant}/{found.space}"


class RemoteServer:
    """Sends requests to one server; see the module."""

    def __init__(
        self,
        access: RemoteAccess,
        *,
        outbox: Outbox,
        cache: AnswerCache,
        now: Callable[[], datetime],
        refusal: Refusal,
    ) -> None:
        self.access = access
        self.outbox = outbox
        self.cache = cache
        self.now = now
        self._refusal = refusal
        self._told: dict[str, None] = {}
        self.is_away = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know about the answers so far, each once."""
        return tuple(self._told)

    def tell(self, words: str) -> None:
        """Add a warning."""
        self._told[words] = None

    def read(self, request: RemoteRequest, *, holds: Holds | None = None) -> Json:
        """Return the answer of the server; if it is away, the last one that it gave.

        ``holds`` tells whether that one may still be given.

        Raises:
            ServerAwayError: It is away, and this was never asked before, or holds no more.
            HoldfastError: It refused the request.
        """
        self._send_waiting(most=_WITH_A_READ, patience=0.0)
        try:
            body = self.ask(request)
        except ServerAwayError as error:
            self.is_away = True
            found = self.cache.get(request, now=self.now())
            if found is None or (holds is not None and not holds(found.body)):
                raise
            self.tell(f"{error} This is its answer of {found.at:%Y-%m-%d %H:%M} UTC.")
            return found.body
        self.is_away = False
        self.cache.put(request, body, at=self.now())
        return body

    def write(self, request: RemoteRequest, *, may_wait: bool, key: str | None = None) -> Json:
        """Return the answer to a write; if the server is away, the write waits here.

        ``key`` is the idempotency key of a caller who may repeat the write.

        Raises:
            WriteWaitsError: The server is away; the write is kept, and is sent later.
            UnknownOutcomeError: The write may not wait, and the server may have carried it out.
            ServerAwayError: The write may not wait, and the server has not received it.
            HoldfastError: The server refused it.
        """
        from secrets import token_hex

        key = key or token_hex(16)
        pushed = self._send_waiting(patience=_BEFORE_A_WRITE)
        if pushed.waiting and may_wait:
            # Writes keep their order: this one waits behind the others.
            away = self._away(pushed.stopped or "has not taken earlier writes yet", arrived=False)
            raise self._kept(request, key, away)
        try:
            return self.ask(request, key=key)
        except ServerAwayError as error:
            if may_wait:
                raise self._kept(request, key, error) from error
            if not error.may_have_arrived:
                raise
            raise UnknownOutcomeError(server=error.server, problem=error.problem) from error

    def push(self, *, most: int | None = None, patience: float = 30.0) -> Pushed:
        """Send what waits, in order, until the server is away or nothing waits.

        ``most`` limits how many are sent; ``patience`` is how many seconds another process that
        sends is waited for.
        """
        with self.outbox.sending(patience=patience) as is_held:
            files = self.outbox.files()
            if not is_held:
                return Pushed(waiting=len(files), stopped=_OTHERS_SEND)
            problem = self._absence() if files else ""
            sent = refused = gone = 0
            for file in [] if problem else files[:most]:
                write = self.outbox.read(file)
                if write is None:
                    gone += 1
                    continue
                try:
                    is_taken = self._pushed(write)
                except ServerAwayError as error:
                    problem = error.problem
                    break
                sent, refused = sent + is_taken, refused + (not is_taken)
        left = len(files) - sent - refused - gone
        return Pushed(sent=sent, refused=refused, waiting=left, stopped=problem)

    def ask(self, request: RemoteRequest, *, key: str | None = None) -> Json:
        """Return the answer of the server, without the cache and the outbox.

        Raises:
            ServerAwayError: It does not answer, answers that it cannot now, or something else
                answers in its place.
            HoldfastError: It refused the request.
        """
        try:
            return self._answered(self._reply(request, key))
        except ServerAwayError as error:
            # Without a key, only requests that change nothing are repeated.
            if not error.may_have_arrived or (key is None and request.method != "GET"):
                raise
        return self._answered(self._reply(request, key))

    def lines(self, request: RemoteRequest) -> list[str]:
        """Return the lines of an answer in JSON lines."""
        reply = self._reply(request, None)
        if reply.status >= _REDIRECT or not is_from_holdfast(reply):
            self._answered(reply)  # raises what it reports
        return reply.body.decode("utf-8", "replace").splitlines()

    def _send_waiting(self, *, most: int | None = None, patience: float) -> Pushed:
        """Send what waits before anything else; say if something was refused."""
        if not self.outbox.files():
            return Pushed()
        pushed = self.push(most=most, patience=patience)
        if pushed.refused:
            self.tell(
                f"The server {self.access.shown} refused {pushed.refused} of the writes that"
                " waited; they are set aside."
            )
        if pushed.waiting:
            many = "1 write waits" if pushed.waiting == 1 else f"{pushed.waiting} writes wait"
            self.tell(f"{many} here for the server {self.access.shown}.")
        return pushed

    def _absence(self) -> str:
        """Return why the server cannot take writes now; empty if it can."""
        try:
            reply = self._reply(RemoteRequest(method="GET", target=_HEALTH), None)
        except ServerAwayError as error:
            return error.problem
        if reply.status != _OK:
            return f"answers with HTTP {reply.status}"
        return why_no_answer(reply)

    def _pushed(self, write: WaitingWrite) -> bool:
        """Send one write; return whether the server took it, otherwise it is set aside.

        Raises:
            ServerAwayError: The write still waits.
        """
        if problem := self._unsendable(write):
            self.outbox.set_aside(write, problem)
            return False
        if write.sent_at is None:
            self.outbox.note_sent(write, self.now())
        try:
            reply = self._reply(write.request, write.key)
        except ServerAwayError as error:
            if write.sent_at is None and not error.may_have_arrived:
                self.outbox.note_unsent(write)
            raise
        if problem := why_no_answer(reply):
            raise self._away(problem, arrived=True)
        shape = problem_of(reply)
        if reply.status < _REDIRECT or shape.get("code") == _CARRIED_OUT:
            self.outbox.done(write)
            return True
        is_bug = shape.get("code") == _BUG
        if reply.status in _LATER or (reply.status >= _SERVER_FAULT and not is_bug):
            raise self._away(said(reply, shape), arrived=True)
        arrived = replace(write, sent_at=write.sent_at or self.now())
        self.outbox.set_aside(arrived, str(shape.get("detail") or f"HTTP {reply.status}"))
        return False

    def _unsendable(self, write: WaitingWrite) -> str:
        """Return why a write must not be sent; empty if it may."""
        if write.space != self.access.space:
            return _OTHER_SPACE
        if write.url != self.access.url:
            return _OTHER_ADDRESS
        if write.token != self.access.fingerprint:
            return _OTHER_HOLDER if write.sent_at is None else _ROTATED
        if write.sent_at is None:
            return ""
        # A clock that was set back far does not tell either how long ago it was sent.
        return _TOO_LATE if abs(self.now() - write.sent_at) > KEY_IS_KNOWN_FOR else ""

    def _kept(self, request: RemoteRequest, key: str, away: ServerAwayError) -> WriteWaitsError:
        now = self.now()
        write = WaitingWrite(
            key=key,
            number=0,
            request=request,
            at=now,
            token=self.access.fingerprint,
            space=self.access.space,
            url=self.access.url,
            sent_at=now if away.may_have_arrived else None,
        )
        kept = self.outbox.add(write)
        waiting = len(self.outbox.files())
        self.is_away = True
        return WriteWaitsError(
            server=self.access.shown,
            problem=away.problem,
            key=kept.key,
            waiting=waiting,
            may_have_arrived=away.may_have_arrived,
        )

    def _reply(self, request: RemoteRequest, key: str | None) -> HttpReply:
        access = self.access
        headers = {"Accept": "application/json", "User-Agent": "holdfast"}
        if access.token and request.target != _HEALTH:
            headers["Authorization"] = f"Bearer {access.token}"
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        call = HttpCall(
            method=request.method,
            url=f"{access.url}{request.target}",
            body=None if request.body is None else request.body.encode(),
            headers=headers,
        )
        try:
            return self._without_token(exchanged(call, access.seconds))
        except NoReplyError as error:
            raise self._away(error.problem, arrived=error.may_have_arrived) from error

    def _without_token(self, reply: HttpReply) -> HttpReply:
        """Return a reply in which an echo of the token is masked: messages quote the server."""
        secret = read_token(self.access.token)
        if secret is None or (found := secret.secret.encode()) not in reply.body:
            return reply
        return replace(reply, body=reply.body.replace(found, b"[token]"))

    def _answered(self, reply: HttpReply) -> Json:
        """Return the body of an answer, or raise what it reports."""
        if problem := why_no_answer(reply):
            raise self._away(problem, arrived=True)
        if reply.status < _REDIRECT:
            return cast("Json", object_of(reply.body))
        shape = problem_of(reply)
        is_refused = shape.get("code") in _LACKS
        if (reply.status >= _SERVER_FAULT and not is_refused) or reply.status == _TIMED_OUT:
            raise self._away(said(reply, shape), arrived=True)
        error = self._refusal(reply.status, shape)
        if gone := _gone(error):
            self.cache.remove(gone)
        raise error

    def _away(self, problem: str, *, arrived: bool) -> ServerAwayError:
        return ServerAwayError(server=self.access.shown, problem=problem, may_have_arrived=arrived)


def _gone(error: HoldfastError) -> str:
    """Return the letters of the id of a memory that the server has no more; empty without one."""
    names = {_FORGOTTEN: "memory_id", _UNKNOWN: "reference"}
    name = str(error.facts.get(names.get(error.code, ""), ""))
    letters = name.removeprefix(_MEMORY)
    # A short id is the end of a whole one.
    return letters if name.startswith(_MEMORY) and len(letters) >= _SHORT_ID else ""
