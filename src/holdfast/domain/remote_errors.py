"""Errors of a memory that is on a Holdfast server: it is away, or it cannot do what was asked."""

from __future__ import annotations

from holdfast.domain.errors import (
    ConflictError,
    InvalidError,
    NotFoundError,
    UnavailableError,
)


class BadRemoteError(InvalidError, code="bad-remote"):
    """The address of a server cannot be used."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"The address of the server cannot be used: {problem}", problem=problem)


class RemoteExistsError(ConflictError, code="remote-exists"):
    """A remote has the name already."""

    def __init__(self, *, name: str, url: str) -> None:
        super().__init__(
            f"There is a remote {name} already, for {url}; nothing was changed.", name=name, url=url
        )


class NoDefaultRemoteError(NotFoundError, code="no-default-remote"):
    """No remote is the default, and none was named."""

    def __init__(self, names: tuple[str, ...]) -> None:
        known = f" There are: {', '.join(names)}." if names else " There is none on this machine."
        super().__init__(f"No remote is named, and none is the default.{known}", names=list(names))


class SeveralRemotesError(ConflictError, code="several-remotes"):
    """Several remotes have the address, and each has its own token."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__(
            f"Several remotes have this address: {', '.join(names)}. Each has its own token; name"
            " one of them instead.",
            names=list(names),
        )


class TokenOfOtherSpaceError(ConflictError, code="token-of-other-space"):
    """The token opens another space of the server than the one that is named."""

    def __init__(self, *, server: str, space: str, wanted: str) -> None:
        super().__init__(
            f"The token opens the space {space} of {server}, and the space {wanted} is named."
            " Nothing was read or written.",
            server=server,
            space=space,
            wanted=wanted,
        )


class NotOnRemoteError(ConflictError, code="not-on-remote"):
    """The memory is on a server, and this needs the store itself."""

    def __init__(self, *, server: str, what: str = "this needs the store itself") -> None:
        super().__init__(f"The memory is on the server {server}, and {what}.", server=server)


class ServerAwayError(UnavailableError, code="server-away"):
    """The server does not answer.

    ``may_have_arrived`` tells whether the server may have received the request all the same.
    """

    may_have_arrived: bool
    server: str
    problem: str

    def __init__(self, *, server: str, problem: str, may_have_arrived: bool) -> None:
        super().__init__(
            f"The server {server} {problem}.",
            server=server,
            problem=problem,
            may_have_arrived=may_have_arrived,
        )


class UnknownOutcomeError(UnavailableError, code="unknown-outcome"):
    """The server does not answer, and it may have carried the request out."""

    def __init__(self, *, server: str, problem: str) -> None:
        super().__init__(
            f"The server {server} {problem}; it may have carried the request out all the same.",
            server=server,
            problem=problem,
        )


class WriteWaitsError(UnavailableError, code="write-waits"):
    """The write is kept on this machine; the server has not confirmed it yet."""

    hint: str = "Do not repeat it: the next call that reaches the server sends it."

    def __init__(
        self, *, server: str, problem: str, key: str, waiting: int, may_have_arrived: bool = False
    ) -> None:
        not_yet = "confirmed" if may_have_arrived else "got"
        super().__init__(
            f"Kept here; the server has not {not_yet} it yet: {server} {problem}.",
            server=server,
            problem=problem,
            key=key,
            waiting=waiting,
        )


class WritesWaitError(ConflictError, code="writes-wait"):
    """Writes wait for the server, and removing or replacing it would lose them."""

    def __init__(self, *, name: str, waiting: int, what: str = "removing") -> None:
        is_one = waiting == 1
        many = "1 write waits" if is_one else f"{waiting} writes wait"
        lost = "this write" if is_one else "them"
        super().__init__(
            f"{many} here for the remote {name}; {what} the remote would lose {lost}.",
            name=name,
            waiting=waiting,
        )


class OutboxUnusableError(UnavailableError, code="outbox-unusable"):
    """The write could be neither sent nor kept."""

    def __init__(self, *, path: str, problem: str) -> None:
        super().__init__(
            f"The write could be neither sent nor kept in {path}: {problem}.",
            path=path,
            problem=problem,
        )


class RemoteAnswerError(UnavailableError, code="remote-answer"):
    """The server answered in a form that this version cannot read.

    ``is_done`` tells that it was asked to change something, and has done so.
    """

    def __init__(self, *, server: str, problem: str, is_done: bool = False) -> None:
        done = " It has carried the request out." if is_done else ""
        super().__init__(
            f"The server {server} answered in a form that this version cannot read: {problem}"
            f"{done}",
            server=server,
            problem=problem,
            is_done=is_done,
        )
