"""What callers ask for: whose memories, which filters, how many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.integrations.mem0.payloads import ENTITIES, Payload, entity, has_expired, matches

if TYPE_CHECKING:
    from collections.abc import Mapping

_LEAST = 0.1
_NEEDED = (
    "filters must contain at least one of: user_id, agent_id, run_id. Example:"
    " filters={'user_id': 'u1'}"
)


def read_ids(user_id: object, agent_id: object, run_id: object) -> dict[str, str]:
    """Return the ids that are given.

    Raises:
        ValueError: One of them is blank, or contains white space.
    """
    given = zip(ENTITIES, (user_id, agent_id, run_id), strict=True)
    found = {name: entity(value, name) for name, value in given}
    return {name: value for name, value in found.items() if value is not None}


def read_filters(filters: Mapping[str, Any] | None, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return filters together with ids that are given as arguments.

    Raises:
        ValueError: They name no user, agent or run.
    """
    given = dict(filters or {})
    wanted = {
        name: entity(one, name) if name in ENTITIES and not isinstance(one, dict) else one
        for name, one in given.items()
    }
    wanted |= ids
    inner = [one for part in wanted.get("AND") or () if isinstance(part, dict) for one in part]
    if not any(name in wanted or name in inner for name in ENTITIES):
        raise ValueError(_NEEDED)
    return wanted


def is_wanted(payload: Payload, wanted: Mapping[str, Any], *, expired: bool) -> bool:
    """Return whether a memory passes the filters, and has not expired."""
    return matches(payload, wanted) and (expired or not has_expired(payload))


def read_count(most: object) -> int:
    """Return how many memories are wanted at most.

    Raises:
        ValueError: It is no count.
    """
    if not isinstance(most, int) or isinstance(most, bool):
        message = "top_k must be a valid integer"
        raise ValueError(message)  # noqa: TRY004 - mem0 raises it too
    if most < 0:
        message = f"Invalid top_k: {most}. Must be a non-negative integer."
        raise ValueError(message)
    return most


def read_threshold(least: float | None) -> float:
    """Return the least score of an answer.

    Raises:
        ValueError: It is not between 0 and 1.
    """
    if least is not None and not 0 <= least <= 1:
        message = f"Invalid threshold: {least}. Must be between 0 and 1 (inclusive)."
        raise ValueError(message)
    return _LEAST if least is None else least
