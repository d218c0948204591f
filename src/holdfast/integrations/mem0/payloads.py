"""What mem0 keeps about a memory, how it shows it, and what its filters mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from hashlib import md5
from typing import Any

ENTITIES = ("user_id", "agent_id", "run_id")
ANYBODY = "*"
"""mem0 reads it as every user; here the records of one user do not exist for another."""
IDENTITY = frozenset({*ENTITIES, "actor_id"})
_PROMOTED = (*ENTITIES, "actor_id", "role", "attributed_to", "expiration_date")
_CORE = frozenset({"data", "hash", "created_at", "updated_at", "id", *_PROMOTED})

_NAMING = frozenset({"eq", "in"})

Payload = dict[str, Any]


def now_text() -> str:
    """Return this moment as mem0 writes it."""
    return datetime.now(UTC).isoformat()


def hash_of(text: str) -> str:
    """Return the hash that mem0 shows for a text; it protects nothing."""
    return md5(text.encode(), usedforsecurity=False).hexdigest()


def shown(
    memory_id: str, payload: Mapping[str, Any], *, score: float | None = None, scored: bool = True
) -> Payload:
    """Return a memory in the shape of mem0's answers."""
    item: Payload = {
        "id": memory_id,
        "memory": payload.get("data", ""),
        "hash": payload.get("hash"),
        "metadata": None,
    }
    if scored:
        item["score"] = score
    item |= {"created_at": payload.get("created_at"), "updated_at": payload.get("updated_at")}
    item |= {name: payload[name] for name in _PROMOTED if name in payload}
    if more := {name: value for name, value in payload.items() if name not in _CORE}:
        item["metadata"] = more
    return item


def entity(value: object, name: str) -> str | None:
    """Return the id of a user, an agent or a run without surrounding space.

    Raises:
        ValueError: It is blank, contains white space, or stands for everybody.
    """
    if value is None:
        return None
    text = str(value).strip()
    if not text:
        message = f"Invalid {name}: cannot be empty or whitespace-only. Provide a valid identifier."
        raise ValueError(message)
    if text == ANYBODY:
        message = f"Invalid {name}: '*' would mean everybody. Provide one identifier."
        raise ValueError(message)
    if any(letter.isspace() for letter in text):
        message = (
            f"Invalid {name}: cannot contain whitespace. Provide a valid identifier without spaces."
        )
        raise ValueError(message)
    return text


def expiration(value: object) -> str | None:
    """Return the day on which a memory expires, as YYYY-MM-DD.

    Raises:
        ValueError: It is no day.
    """
    match value:
        case None:
            return None
        case datetime():
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case str():
            try:
                return date.fromisoformat(value).isoformat()
            except ValueError:
                pass
        case _:
            pass
    message = f"expiration_date must be a date in YYYY-MM-DD format, got: {value!r:.40}"
    raise ValueError(message)


def has_expired(payload: Mapping[str, Any]) -> bool:
    """Return whether the last day of a memory is over."""
    day = payload.get("expiration_date")
    return day is not None and date.fromisoformat(str(day)) < datetime.now(UTC).date()


def _text_in(value: Any, wanted: Any) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, str | list) and wanted in value


_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, wanted: bool(value == wanted),
    "ne": lambda value, wanted: bool(value != wanted),
    "in": lambda value, wanted: value in wanted,
    "nin": lambda value, wanted: value not in wanted,
    "gt": lambda value, wanted: value is not None and bool(value > wanted),
    "gte": lambda value, wanted: value is not None and bool(value >= wanted),
    "lt": lambda value, wanted: value is not None and bool(value < wanted),
    "lte": lambda value, wanted: value is not None and bool(value <= wanted),
    "contains": _text_in,
    "icontains": lambda value, wanted: (
        isinstance(value, str) and str(wanted).lower() in value.lower()
    ),
}


def matches(payload: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    """Return whether a memory passes filters, with mem0's operators.

    Raises:
        ValueError: An operator is unknown, or a logical one has no list.
    """
    return all(_holds(payload, name, wanted) for name, wanted in filters.items())


def _refuse_many(name: str, wanted: object) -> None:
    """Refuse a condition that holds for users, agents or runs that it does not name.

    Raises:
        ValueError: It is such a condition.
    """
    if wanted == ANYBODY or (isinstance(wanted, dict) and not wanted.keys() <= _NAMING):
        message = f"Invalid {name}: name the identifiers; '*' and other operators mean everybody."
        raise ValueError(message)


def _holds(payload: Mapping[str, Any], name: str, wanted: Any) -> bool:  # noqa: ANN401 - any JSON
    if name in {"AND", "OR", "NOT"}:
        if not isinstance(wanted, list) or (name != "AND" and not wanted):
            kind = "" if name == "AND" else "non-empty "
            message = f"{name} operator requires a {kind}list of conditions"
            raise ValueError(message)
        found = [matches(payload, one) for one in wanted]
        return {"AND": all(found), "OR": any(found), "NOT": not any(found)}[name]
    value = payload.get(name)
    if name in ENTITIES:
        _refuse_many(name, wanted)
    if wanted == ANYBODY:
        return value is not None
    if not isinstance(wanted, dict):
        return bool(value == wanted)
    for operator in wanted:
        if operator not in _COMPARED:
            message = f"Unsupported metadata filter operator: {operator}"
            raise ValueError(message)
    return all(_COMPARED[operator](value, one) for operator, one in wanted.items())
