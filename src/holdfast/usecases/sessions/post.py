"""The ports that answering a tool's hooks needs.

Most calls need nothing, so each part is opened when it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.hooking import placed
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.sessions.hooking import HookAnswer, Occasion, ToolSession
    from holdfast.ports.sessions.sittings import Leaving, ToolSessions, Watch
    from holdfast.ports.store.store import Store
    from holdfast.usecases.recall.knowing import RecallPorts


@dataclass(frozen=True, slots=True, kw_only=True)
class Aids:
    """Ports that are needed rarely; each is opened or called on demand."""

    means: Callable[[], RecallPorts]
    keep_in: Callable[[], Store]
    setting: Callable[[str], str]
    badge: Callable[[], str]
    root: Callable[[str], str]
    now: Callable[[], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookPorts:
    """The ports of a hook call: the session state, the store watch, the proposals, and the aids.

    ``say`` writes the answer for the tool, and returns whether it was written: the call's time may
    be up, and the tool may have closed the pipe.
    """

    sittings: ToolSessions
    watch: Watch
    leaving: Leaving
    aids: Aids
    say: Callable[[HookAnswer], bool]


class Draft:
    """What an answer changes in the note of a session; stored only after the answer was written.

    A process that ends in between leaves the note as it was, so that the next call repeats the
    answer. A session may be told twice, but nothing is recorded that it was not told.
    """

    def __init__(self, sitting: ToolSession) -> None:
        self.sitting = sitting
        self._changes: list[Callable[[ToolSession], ToolSession]] = []

    def change(self, change: Callable[[ToolSession], ToolSession]) -> ToolSession:
        """Change the draft, and return the session as it will be."""
        self.sitting = change(self.sitting)
        self._changes.append(change)
        return self.sitting

    def deliver(self, answer: HookAnswer, post: HookPorts) -> None:
        """Write the answer, then store the changes in the note, which may have changed since."""
        if post.say(answer) and self._changes:
            post.sittings.change(self.sitting.session, self._applied)

    def _applied(self, now: ToolSession) -> ToolSession:
        for change in self._changes:
            now = change(now)
        return now


def note_place(
    occasion: Occasion, means: RecallPorts, draft: Draft, post: HookPorts
) -> ToolSession:
    """Record the place of a folder in the session's state."""
    place = means.surroundings.place()
    where = (post.aids.root(occasion.folder), place.repo, place.workspace)
    return draft.change(lambda now: placed(now, occasion.folder, where))
