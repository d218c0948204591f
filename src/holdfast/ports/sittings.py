"""What the sessions of tools were told, and a light look at the store for their hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from holdfast.domain.caution import Caution
    from holdfast.domain.doing import Doing
    from holdfast.domain.hooking import Occasion, Sitting


class Pulse(NamedTuple):
    """The newest event of the store, and whether any since then was about a memory."""

    newest: int
    has_news: bool


class Sittings(Protocol):
    """Keeps one small note for each session of a tool."""

    def change(self, session: str, change: Callable[[Sitting], Sitting]) -> Sitting:
        """Change a note while nobody else does, and return it as it is now.

        A session nobody knows begins with an empty note, and so must one that cannot be read.

        Raises:
            UnavailableError: It cannot be written.
        """
        ...

    def turn(self, session: str) -> AbstractContextManager[None]:
        """Hold a session's turn: what it is told at the same time is told one after the other.

        Raises:
            UnavailableError: It did not come soon enough.
        """
        ...

    def latest(self, *, limit: int) -> Sequence[Sitting]:
        """Return the notes that were changed last, newest first."""
        ...

    def prune(self, *, before: int) -> None:
        """Remove the notes that were not changed since a moment, in seconds of the epoch."""
        ...


class Watch(Protocol):
    """Looks at the store without opening it; it must never wait, write or make one."""

    def pulse(self, since: int) -> Pulse | None:
        """Return where the store stands; None where there is none that can be read."""
        ...

    def cautions(self, doing: Doing, *, repo: str | None, workspace: str) -> Sequence[Caution]:
        """Return accepted memories of a place that may speak of what is about to be done.

        Those that do must be among them, the newest first; others may be.
        """
        ...


class Leaving(Protocol):
    """Starts what goes on after the hook has answered."""

    def propose(self, occasion: Occasion) -> bool:
        """Have candidates proposed from a session's transcript; tell whether that was begun."""
        ...
