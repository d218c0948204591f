"""Where whoever answers a tool's hooks stands, and what is at hand there.

Most calls need nothing, so each part is opened when it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.hooking import placed
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.hooking import Occasion, Sitting
    from holdfast.ports.sittings import Leaving, Sittings, Watch
    from holdfast.ports.store import Store
    from holdfast.usecases.knowing import Means


@dataclass(frozen=True, slots=True, kw_only=True)
class Aids:
    """What is needed now and then: each is opened or asked when it is."""

    means: Callable[[], Means]
    keep_in: Callable[[], Store]
    setting: Callable[[str], str]
    badge: Callable[[], str]
    root: Callable[[str], str]
    now: Callable[[], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """Where an attendant stands: the notes, the view of the store, the way out, and the aids."""

    sittings: Sittings
    watch: Watch
    leaving: Leaving
    aids: Aids


def note_place(occasion: Occasion, means: Means, post: Post) -> Sitting:
    """Keep in the session's note what was found out about its folder."""
    place = means.surroundings.place()
    where = (post.aids.root(occasion.folder), place.repo, place.workspace)
    return post.sittings.change(occasion.session, lambda now: placed(now, occasion.folder, where))
