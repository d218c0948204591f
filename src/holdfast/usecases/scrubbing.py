"""Scrub: leave no byte of what was forgotten in the files of the store, where it has files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.review.health import Ability

if TYPE_CHECKING:
    from holdfast.ports.store.store import Store

_NOT_OURS = (
    "this store keeps its files elsewhere, and they may hold the text until they are cleaned;"
    " ask whoever runs it"
)


def scrubbed(store: Store) -> str:
    """Scrub the store; return why bytes of what was forgotten may still be there, or nothing."""
    upkeep = store.upkeep
    if Ability.SCRUB not in upkeep.abilities:
        return _NOT_OURS
    try:
        upkeep.scrub()
    except UnavailableError as error:
        return str(error)
    return ""
