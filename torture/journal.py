"""Records what was attempted and what was acknowledged, out of reach of every fault.

A line is one ``write(2)`` to a file opened for appending. It starts with a line break, so that a
line truncated by a kill damages only itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

TRY, ACK, ERR = "TRY", "ACK", "ERR"
LINES_PER_OPERATION = 4
"""Line breaks: one before and one after each of two lines, the attempt and what came of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One operation: the facts it removes from the store and those it adds."""

    owner: str
    number: int
    what: str
    adds: frozenset[str]
    drops: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """The name that all lines about this attempt share."""
        return f"{self.owner}:{self.number}"


@dataclass(slots=True)
class History:
    """All records of the writers, in order."""

    attempts: dict[str, Attempt] = field(default_factory=dict)
    acknowledged: dict[str, None] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    def hear(self, line: str) -> None:
        """Add one line; a truncated line is ignored."""
        word, _, rest = line.partition(" ")
        try:
            said = json.loads(rest)
        except json.JSONDecodeError:
            return
        if word == TRY:
            attempt = _attempt(said)
            self.attempts[attempt.name] = attempt
        elif word == ACK:
            self.acknowledged[said["name"]] = None
        elif word == ERR:
            self.errors.append(f"{said['name']} {said['error']}")

    def in_order(self) -> Iterator[tuple[Attempt, bool]]:
        """Yield each attempt and whether it was acknowledged."""
        for name, attempt in self.attempts.items():
            yield attempt, name in self.acknowledged


class Journal:
    """Where a writer records its attempts and acknowledgements."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def tries(self, attempt: Attempt) -> None:
        """Record an attempt before it is made."""
        self._say(
            TRY,
            {
                "owner": attempt.owner,
                "number": attempt.number,
                "what": attempt.what,
                "adds": sorted(attempt.adds),
                "drops": sorted(attempt.drops),
            },
        )

    def acknowledges(self, attempt: Attempt) -> None:
        """Record that the store acknowledged an attempt."""
        self._say(ACK, {"name": attempt.name})

    def fails(self, name: str, error: BaseException) -> None:
        """Record that the store refused an attempt."""
        self._say(ERR, {"name": name, "error": f"{type(error).__name__}: {error}"})

    def _say(self, word: str, said: dict[str, object]) -> None:
        os.write(self._file, f"\n{word} {json.dumps(said)}\n".encode())


def history(path: Path) -> History:
    """Read a journal."""
    return heard(path.read_text("utf-8", "replace").splitlines() if path.exists() else ())


def heard(lines: Iterable[str]) -> History:
    """Return the history in the lines of a journal."""
    told = History()
    for line in lines:
        told.hear(line)
    return told


def _attempt(said: dict[str, object]) -> Attempt:
    adds, drops = said["adds"], said["drops"]
    assert isinstance(adds, list)
    assert isinstance(drops, list)
    return Attempt(
        owner=str(said["owner"]),
        number=int(str(said["number"])),
        what=str(said["what"]),
        adds=frozenset(map(str, adds)),
        drops=frozenset(map(str, drops)),
    )
