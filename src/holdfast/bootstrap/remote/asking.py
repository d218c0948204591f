"""What the calls of every part need: requests from this place, and records by their ids."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from holdfast.adapters.remote.requests import request_to, sendable
from holdfast.bootstrap.remote.cached_records import has_records
from holdfast.domain.errors import InvalidError, NoSuchError, NotFoundError
from holdfast.domain.exchange.shapes import record_from_json, span_from_json
from holdfast.domain.fields import Fields
from holdfast.domain.memory.place import DEFAULT_WORKSPACE
from holdfast.domain.remote_errors import NotOnRemoteError, RemoteAnswerError, UnknownOutcomeError
from holdfast.domain.values import dataclass
from holdfast.usecases.screening import SecretPolicy, screened

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import TypeVar

    from holdfast.adapters.remote.server import RemoteServer
    from holdfast.app import Holdfast
    from holdfast.app.performing import Part
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord

    Json = dict[str, object]
    Value = TypeVar("Value")

MEMORY, BUNDLE, SPAN, RUN, SESSION = "memory", "bundle", "span", "run", "session"
THING = "thing"
"""What a reference may name, if nothing says which of them."""
_MOST_SPANS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A server, and the local memory whose place, clock and checkout the calls use."""

    server: RemoteServer
    holdfast: Holdfast
    part: Part

    def get(self, path: str, read: Callable[[Fields], Value], **query: object) -> Value:
        """Ask for something, and return what its reader makes of the answer."""
        request = request_to("GET", path, query={**self.place(), **query})
        return self._understood(self.server.read(request), read)

    def get_now(self, path: str, read: Callable[[Fields], Value], **query: object) -> Value:
        """Ask for something that is answered from all that was read here if the server is away."""
        request = request_to("GET", path, query={**self.place(), **query})
        return self._understood(self.server.read(request, holds=lambda _: False), read)

    def ask(
        self,
        path: str,
        body: Json | None,
        read: Callable[[Fields], Value],
        *,
        holds: Callable[[Json], bool] | None = None,
    ) -> Value:
        """Ask a question that changes no memory; ``holds`` tells if an old answer may be given."""
        request = request_to("POST", path, query=self.place(), body=body)
        return self._understood(self.server.read(request, holds=holds), read)

    def send(
        self,
        method: str,
        path: str,
        read: Callable[[Fields], Value],
        *,
        body: Json | None = None,
        query: Json | None = None,
        may_wait: bool = False,
    ) -> Value:
        """Change something, and return what the reader makes of the answer."""
        request = request_to(method, path, query={**self.place(), **(query or {})}, body=body)
        answer = self.server.write(request, may_wait=may_wait)
        is_dry = any((part or {}).get("dry_run") for part in (body, query))
        if has_records(answer) and not is_dry:
            # What was decided here must not look undecided while the server is away.
            self.server.cache.put(request, answer, at=self.server.now())
        return self._understood(answer, read, is_done=not is_dry)

    @contextmanager
    def forgetting(self) -> Generator[None, None, None]:
        """Clear the cached answers after a request that the server carried out, or may have."""
        try:
            yield
        except (UnknownOutcomeError, RemoteAnswerError):
            self.server.cache.clear()
            raise
        self.server.cache.clear()

    def _understood(
        self, body: Json, read: Callable[[Fields], Value], *, is_done: bool = False
    ) -> Value:
        try:
            return read(Fields(body, noun="answer"))
        except InvalidError as error:
            # A newer server may name a kind that is new, which is no mistake of the caller.
            server = self.server.access.shown
            raise RemoteAnswerError(server=server, problem=str(error), is_done=is_done) from error

    def place(self) -> Json:
        """Return the query that says where the request is made."""
        place, point = self.holdfast.place(), self.holdfast.surroundings.branch_point()
        workspace = None if place.workspace == DEFAULT_WORKSPACE else place.workspace
        found: Json = {"repo": place.repo, "branch": place.branch, "workspace": workspace}
        if point is not None:
            found |= {"head": point.head, "aside": point.is_aside or None}
            found |= {"shared": point.is_shared or None}
            found["branch"] = place.branch if place.branch is not None else point.branch
        return found

    def record(self, reference: str) -> MemoryRecord:
        """Return a memory of the server."""
        return self.get(
            f"/v1/memories/{quoted(reference)}", lambda found: record_from_json(found.raw("data"))
        )

    def maybe_record(self, reference: str | None) -> MemoryRecord | None:
        """Return a memory of the server; None without an id, or if it was forgotten meanwhile."""
        if reference is None:
            return None
        try:
            return self.record(reference)
        except NotFoundError:
            return None

    def spans(self, names: Iterable[SpanId]) -> dict[SpanId, Span]:
        """Return places in files by their ids; those that do not exist are left out."""
        wanted, found = sorted(set(names)), {}
        for start in range(0, len(wanted), _MOST_SPANS):
            some = self.get(
                "/v1/spans",
                lambda answer: [span_from_json(one) for one in answer.items("spans")],
                ids=list(wanted[start : start + _MOST_SPANS]),
            )
            found.update({one.id: one for one in some})
        return found

    def refused(self, what: str) -> NotOnRemoteError:
        """Return the error of something that a server cannot do; ``what`` is a clause."""
        return NotOnRemoteError(server=self.server.access.shown, what=what)


def quoted(reference: str, noun: str = MEMORY) -> str:
    """Return a reference as a part of a path.

    Raises:
        NoSuchError: It is empty, and no path has an empty part.
    """
    if not reference:
        raise NoSuchError(noun=noun, reference=reference)
    return quote(sendable(reference), safe="")


def given(**fields: object) -> Json:
    """Return the fields that are neither None nor empty text."""
    return {name: value for name, value in fields.items() if value is not None and value != ""}


def plain(text: str, what: str) -> str:
    """Return a text that may leave this machine.

    Raises:
        SecretRefusedError: It contains a secret.
    """
    return screened(text, what=what)


def masked(text: str, what: str) -> str:
    """Return a text with a note in place of each secret."""
    return screened(text, what=what, secrets=SecretPolicy.REDACT)
