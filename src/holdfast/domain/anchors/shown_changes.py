"""The changed lines of a file as an answer shows them: few, short and without secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text.fencing import both_sides

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_MOST_CHANGED = 40
_SAME_WITHOUT = "… only a secret in these lines changed; it is not shown"
_WIDEST = 200
"""How many letters of a line are shown: an answer has room for a few thousand."""
_READ = 4_000
"""How many letters of a line are searched for secrets: those that are shown, and around them."""


def difference(then: Sequence[str], now: Sequence[str]) -> tuple[str, ...]:
    """Return the lines of a diff, shortened for people and without secrets.

    Of a long line it has the part around the first change.
    """
    from difflib import unified_diff

    changes = _first_changes(then, now)
    shown = without_secrets([_part(line, changes, _READ) for line in then])
    shown_now = without_secrets([_part(line, changes, _READ) for line in now])
    lines = list(unified_diff(shown, shown_now, lineterm="", n=2))[2:]
    if not lines and list(then) != list(now):
        return (_SAME_WITHOUT,)
    changes = _first_changes(_side(lines, "-"), _side(lines, "+"))
    lines = [f"{line[:1]}{_part(line[1:], changes, _WIDEST)}" for line in lines]
    if len(lines) > _MOST_CHANGED:
        rest = len(lines) - _MOST_CHANGED + 1
        lines = [*both_sides(lines, _MOST_CHANGED - 1), f"… {rest} more lines"]
    return tuple(lines)


def now_only(head: str, signed: Sequence[str]) -> tuple[str, ...]:
    """Return the current lines with their signs, below a line about the unknown old ones."""
    read = without_secrets([_part(line, {}, _READ) for line in signed])
    return tuple(both_sides([head, *(_part(line, {}, _WIDEST) for line in read)], _MOST_CHANGED))


def without_secrets(lines: Sequence[str]) -> Sequence[str]:
    """Return lines of a file as they may be shown: an answer about them goes into a prompt."""
    from holdfast.domain.gates.secrets import find_secrets, redact

    text = "\n".join(lines)
    secrets = find_secrets(text)
    return redact(text, secrets).split("\n") if secrets else lines


def _side(lines: Sequence[str], sign: str) -> Iterator[str]:
    return (line[1:] for line in lines if line.startswith(sign))


def _first_changes(
    then: Iterator[str] | Sequence[str], now: Iterator[str] | Sequence[str]
) -> Mapping[str, int]:
    """Return where the changed lines begin to differ from the lines in their place."""
    olds, news = list(then), list(now)
    here, before = set(news), set(olds)
    gone = [line for line in olds if line not in here]
    added = [line for line in news if line not in before]
    found: dict[str, int] = {}
    for one, other in zip(gone, added, strict=False):
        place = _same_letters(one, other)
        found.setdefault(one, place)
        found.setdefault(other, place)
    return found


def _same_letters(one: str, other: str) -> int:
    """Return how many letters at the beginning of two texts are the same."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _part(line: str, changes: Mapping[str, int], most: int) -> str:
    """Return a line, or the part of a long one around its first change."""
    if len(line) <= most:
        return line
    start = max(0, min(changes.get(line, 0) - most // 4, len(line) - most))
    end = start + most
    return f"{'…' if start else ''}{line[start:end]}{'…' if end < len(line) else ''}"
