"""Searches patterns with RE2, which takes time linear in the text for every pattern.

Patterns come from repositories that nobody reviewed. Python's ``re`` backtracks and has no time
limit, so it is not used for them. RE2 has no look-around and no back-references; such a pattern is
refused with its reason.

A text is its lines: nothing matches after the last line feed, nor in an empty text.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import re2

NOT_INSTALLED = "patterns need the package google-re2: install holdfast[checks]"
# About a thousand instructions: such a pattern takes at most seven seconds for a file of 1 MiB.
_PATTERN_MEMORY = 64 * 1024
_SET_MEMORY = 16 * 1024 * 1024
_SMALL, _WINDOW = 16 * 1024, 4 * 1024
_LINES = "(?m)"
_REPEATED = "{"
_ALWAYS = ""
"""A pattern that matches every text: if a scan does not find it, the scan ran out of memory."""


class LinearPatterns:
    """Implements the patterns of checks."""

    @property
    def missing(self) -> str:
        """Why no pattern can be searched here; empty if patterns can be."""
        from importlib.util import find_spec

        return "" if find_spec("re2") else NOT_INSTALLED

    def problem(self, pattern: str) -> str:
        """Return why a pattern cannot be used; empty if it can."""
        import re2

        try:
            _compiled(pattern)
        except re2.error as error:
            return _words(error)
        return ""

    def scan(self, patterns: Sequence[str], *, seconds: float) -> LinearScan:
        """Return a scan for these patterns that takes about this much processor time at most."""
        return LinearScan(patterns, seconds=seconds)

    def lines(self, pattern: str, content: bytes, *, most: int) -> Sequence[int]:
        """Return the first lines on which a pattern begins to match, counted from 1."""
        found: list[int] = []
        search = _compiled(pattern).search
        line, at = 1, 0
        while len(found) < most and (match := search(content, at)) is not None:
            if _is_past_end(match.start(), content):
                break
            line += content.count(b"\n", at, match.start())
            found.append(line)
            # One match on each line: a pattern may match at every letter, and look ahead each time.
            if (at := content.find(b"\n", match.start()) + 1) == 0:
                break
            line += 1
        return found


class LinearScan:
    """Searches many patterns in one pass over a text, until its time is used up.

    A call into RE2 cannot be interrupted, and a thousand patterns that keep many states alive cost
    a quarter of a millisecond for each byte. A large text is therefore first searched in windows:
    this costs as much as the whole text, and the time is looked at after each.
    """

    def __init__(self, patterns: Sequence[str], *, seconds: float) -> None:
        import re2

        self._patterns = patterns
        self._until = time.thread_time() + seconds
        self.problems: dict[int, str] = {}
        self._numbers: list[int] = []
        made = re2.Set.SearchSet(_options(_SET_MEMORY))
        for number, pattern in enumerate(patterns):
            try:
                if _REPEATED in pattern:
                    # Only a counted repetition makes a short pattern large.
                    _compiled(pattern)
                made.Add(f"{_LINES}{pattern}")
                self._numbers.append(number)
            except re2.error as error:
                self.problems[number] = _words(error)
        made.Add(_ALWAYS)
        self._set = made if _is_compiled(made) else None

    def found(self, content: bytes) -> Collection[int] | None:
        """Return the numbers of the patterns that occur in a text; None if the time is used up."""
        if self._is_late() or not self._is_quick(content):
            return None
        met = [] if self._set is None else self._set.Match(content)
        # Without the last one, the automaton of all grew too large; each alone is still linear.
        is_whole = len(self._numbers) in met
        named = [self._numbers[one] for one in met if one < len(self._numbers)]
        found = set(named if is_whole else self._numbers)
        again = self._inexact(found) if is_whole else found
        for number in sorted(again):
            if self._is_late():
                return None
            match = _compiled(self._patterns[number]).search(content)
            if match is None or _is_past_end(match.start(), content):
                found.discard(number)
        return found

    def _inexact(self, found: set[int]) -> set[int]:
        """Return the patterns whose only match may be past the end of the text."""
        return {number for number in found if _can_be_empty(self._patterns[number])}

    def _is_quick(self, content: bytes) -> bool:
        """Return whether the time suffices for a text, judged by searching its windows."""
        if self._set is None or len(content) <= _SMALL:
            return True
        for start in range(0, len(content), _WINDOW):
            self._set.Match(content[start : start + _WINDOW])
            if self._is_late():
                return False
        return True

    def _is_late(self) -> bool:
        return time.thread_time() > self._until


def _options(memory: int) -> re2.Options:
    import re2

    options = re2.Options()
    options.max_mem = memory
    options.log_errors = False
    return options


@cache
def _pattern_options() -> re2.Options:
    return _options(_PATTERN_MEMORY)


@cache
def _compiled(pattern: str) -> re2._Regexp:
    import re2

    return re2.compile(f"{_LINES}{pattern}", _pattern_options())


@cache
def _can_be_empty(pattern: str) -> bool:
    return _compiled(pattern).search(b"") is not None


def _is_past_end(start: int, content: bytes) -> bool:
    return start == len(content) and content[-1:] in {b"", b"\n"}


def _is_compiled(made: re2.Set) -> bool:
    import re2

    try:
        made.Compile()
    except re2.error:
        return False
    return True


def _words(error: Exception) -> str:
    reason = error.args[0] if error.args else ""
    words = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
    return f"the pattern cannot be read: {words.replace(_LINES, '')}"
