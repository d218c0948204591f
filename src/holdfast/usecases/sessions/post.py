"""The ports that answering a tool's hooks needs.

Most calls need nothing, so each part is opened when it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.hooking import placed
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.sessions.hooking import Occasion, ToolSession
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
    """The ports of a hook call: the session state, the store watch, the proposals, and the aids."""

    sittings: ToolSessions
    watch: Watch
    leaving: Leaving
    aids: Aids


def note_place(occasion: Occasion, means: RecallPorts, post: HookPorts) -> ToolSession:
    """Store the place of a folder in the session's state."""
    place = means.surroundings.place()
    where = (post.aids.root(occasion.folder), place.repo, place.workspace)
    return post.sittings.change(occasion.session, lambda now: placed(now, occasion.folder, where))
