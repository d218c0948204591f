"""The quick look at a memory on a server: hooks do not wait for it, so it sees nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.ports.sessions.tool_sessions import StoreChange

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.alerting import Caution
    from holdfast.domain.sessions.tool_action import ToolAction


class RemoteWatch:
    """Sees no changes: a tool hears of a server's memories when its session starts."""

    def pulse(self, since: int) -> StoreChange:
        """Return that nothing is known to have changed."""
        return StoreChange(newest=since, has_news=False)

    def cautions(self, doing: ToolAction, *, repo: str | None, workspace: str) -> Sequence[Caution]:
        """Return nothing: a warning before an action must not wait for a network."""
        del doing, repo, workspace
        return ()
