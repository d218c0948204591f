"""The ports that answering a tool's hooks needs.

Most calls need nothing, so each part is opened when it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.hook_calls import placed
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.sessions.hook_calls import HookAnswer, HookCall, ToolSession
    from holdfast.ports.sessions.pending_turns import PendingTurns
    from holdfast.ports.sessions.tool_sessions import BackgroundWork, ToolSessions, Watch
    from holdfast.ports.store.store import Store
    from holdfast.usecases.recall.recalled_memories import RecallPorts


@dataclass(frozen=True, slots=True, kw_only=True)
class RareHookPorts:
    """Ports that are needed rarely; each is opened or called on demand."""

    recall_ports: Callable[[], RecallPorts]
    keep_in: Callable[[], Store]
    setting: Callable[[str], str]
    badge: Callable[[], str]
    root: Callable[[str], str]
    now: Callable[[], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPorts:
    """What keeping turns needs: those that are not stored yet, and the checkout.

    ``where`` returns the branch and the commit that are checked out, as quickly as it can.
    ``settle`` stores what sessions left in this folder, and ``hydrate`` returns what a new session
    is told within so many tokens and characters.
    """

    pending: PendingTurns
    where: Callable[[], tuple[str, str]]
    settle: Callable[[], None]
    hydrate: Callable[[int, int], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookPorts:
    """The ports of a hook call: the session state, the store watch, the proposals, and the aids.

    ``say`` writes the answer for the tool, and returns whether it was written: the call's time may
    be up, and the tool may have closed the pipe.
    """

    sessions: ToolSessions
    watch: Watch
    leaving: BackgroundWork
    aids: RareHookPorts
    say: Callable[[HookAnswer], bool]
    keeping: TurnPorts | None = None


class Draft:
    """What an answer changes in the note of a session; stored only after the answer was written.

    A process that ends in between leaves the note as it was, so that the next call repeats the
    answer. A session may be told twice, but nothing is recorded that it was not told.
    """

    def __init__(self, session: ToolSession) -> None:
        self.session = session
        self._changes: list[Callable[[ToolSession], ToolSession]] = []

    def change(self, change: Callable[[ToolSession], ToolSession]) -> ToolSession:
        """Change the draft, and return the session as it will be."""
        self.session = change(self.session)
        self._changes.append(change)
        return self.session

    def deliver(self, answer: HookAnswer, ports: HookPorts) -> None:
        """Write the answer, then store the changes in the note, which may have changed since."""
        if ports.say(answer) and self._changes:
            ports.sessions.change(self.session.session, self._applied)

    def _applied(self, now: ToolSession) -> ToolSession:
        for change in self._changes:
            now = change(now)
        return now


def note_place(
    hook_call: HookCall, recall_ports: RecallPorts, draft: Draft, ports: HookPorts
) -> ToolSession:
    """Record the place of a folder in the session's state."""
    place = recall_ports.surroundings.place()
    where = (ports.aids.root(hook_call.folder), place.repo, place.workspace)
    return draft.change(lambda now: placed(now, hook_call.folder, where))
