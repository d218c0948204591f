"""Filters and namespaces, as LangGraph's own stores define them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from langgraph.store.base import MatchCondition

_COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": lambda value, wanted: float(value) > float(wanted),
    "$gte": lambda value, wanted: float(value) >= float(wanted),
    "$lt": lambda value, wanted: float(value) < float(wanted),
    "$lte": lambda value, wanted: float(value) <= float(wanted),
}


def passes(value: Mapping[str, Any], wanted: Mapping[str, Any] | None) -> bool:
    """Return whether a value passes a filter.

    Raises:
        ValueError: The filter has an operator that is unknown.
    """
    return all(_equals(value.get(name), one) for name, one in (wanted or {}).items())


def _equals(value: Any, wanted: Any) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(wanted, dict):
        if any(name.startswith("$") for name in wanted):
            return all(_compares(value, name, one) for name, one in wanted.items())
        return isinstance(value, dict) and passes(value, wanted)
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(wanted)
            and all(_equals(one, other) for one, other in zip(value, wanted, strict=True))
        )
    return bool(value == wanted)


def _compares(value: Any, operator: str, wanted: Any) -> bool:  # noqa: ANN401 - any JSON
    if operator not in _COMPARED:
        message = f"Unsupported operator: {operator}"
        raise ValueError(message)
    return _COMPARED[operator](value, wanted)


def fits(namespace: tuple[str, ...], conditions: Sequence[MatchCondition]) -> bool:
    """Return whether a namespace matches all conditions; ``*`` stands for any label.

    Raises:
        ValueError: A condition is neither about the beginning nor about the end.
    """
    return all(_fits(namespace, one) for one in conditions)


def _fits(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if condition.match_type == "suffix":
        namespace, path = namespace[::-1], path[::-1]
    elif condition.match_type != "prefix":
        message = f"Unsupported match type: {condition.match_type}"
        raise ValueError(message)
    if len(namespace) < len(path):
        return False
    return all(wanted in {"*", label} for label, wanted in zip(namespace, path, strict=False))
