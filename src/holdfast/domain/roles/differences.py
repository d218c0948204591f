"""How a replay of a step differs from its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_DIFFERENCES = 100
_SHOWN = 200
_NAMES = ("key", "task", "subject", "id")
"""Fields that name the items of a list, so that one more item is one difference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place of an answer that differs: where, what was recorded, and what it is now."""

    where: str
    recorded: str
    now: str


def differences(recorded: object, now: object, *, where: str = "") -> tuple[Difference, ...]:
    """Return where two JSON values differ, in a fixed order, the first hundred."""
    return tuple(
        one for one, _ in zip(_walk(recorded, now, where), range(MOST_DIFFERENCES), strict=False)
    )


def _walk(recorded: object, now: object, where: str) -> Iterator[Difference]:
    if isinstance(recorded, Mapping) and isinstance(now, Mapping):
        for name in sorted({*map(str, recorded), *map(str, now)}):
            beyond = f"{where}.{name}" if where else name
            yield from _walk(recorded.get(name), now.get(name), beyond)
    elif (old_items := _by_name(recorded)) and (new_items := _by_name(now)):
        for name in dict.fromkeys((*old_items, *new_items)):
            yield from _walk(old_items.get(name), new_items.get(name), f"{where}[{name}]")
    elif isinstance(recorded, list | tuple) and isinstance(now, list | tuple):
        pairs = max(len(recorded), len(now))
        for place in range(pairs):
            old = recorded[place] if place < len(recorded) else None
            new = now[place] if place < len(now) else None
            yield from _walk(old, new, f"{where}[{place}]")
    elif recorded != now:
        yield Difference(where=where, recorded=_words(recorded), now=_words(now))


def _by_name(value: object) -> Mapping[str, object]:
    """Return the items of a list by their names; nothing if they do not all have one."""
    items = value if isinstance(value, list | tuple) else ()
    for field in _NAMES:
        found = {str(one[field]): one for one in items if isinstance(one, Mapping) and field in one}
        if found and len(found) == len(items):
            return found
    return {}


def _words(value: object) -> str:
    return "nothing" if value is None else str(value)[:_SHOWN]
