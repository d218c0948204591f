"""Checks of patterns: many patterns at once, each file once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.outcome import Breach, broken, holds, unknown
from holdfast.usecases.checks.file_texts import UnreadFileError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from holdfast.domain.checks.kinds import PatternCheck
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.usecases.checks.check_run import CheckRun

_AT_ONCE = 1_000
_MOST_LINES = 20
_TOO_SLOW = "the patterns take too long here"


def pattern_outcomes(checks: Sequence[PatternCheck], run: CheckRun) -> list[CheckOutcome]:
    """Return the outcomes of checks of patterns."""
    done: list[CheckOutcome] = []
    sound: list[PatternCheck] = []
    missing = run.tools.patterns.missing if checks else ""
    for check in checks:
        if missing:
            done.append(unknown(check.text, missing))
        elif run.chosen(check.paths):
            sound.append(check)
        elif lost := _lost(check, run):
            done.append(broken(check.text, lost))
        else:
            done.append(run.nothing(check))
    for start in range(0, len(sound), _AT_ONCE):
        done += _Scanning(sound[start : start + _AT_ONCE], run).outcomes()
    return done


def _lost(check: PatternCheck, run: CheckRun) -> list[Breach]:
    """Return the files that must match and are not there."""
    return run.lost(check.paths, kind=lambda _path: True) if check.is_wanted else []


class _Scanning:
    """Searches the patterns of some checks together, in each file that one of them reads."""

    def __init__(self, checks: Sequence[PatternCheck], run: CheckRun) -> None:
        self._checks = checks
        self._run = run
        distinct = dict.fromkeys(one.pattern for one in checks)
        self._numbers = {pattern: number for number, pattern in enumerate(distinct)}
        self._breaches: list[list[Breach]] = [_lost(one, run) for one in checks]
        self._unread = [""] * len(checks)

    def outcomes(self) -> list[CheckOutcome]:
        """Read the files, and return what came out of each check."""
        seconds = self._run.tools.effort.seconds
        scan = self._run.tools.patterns.scan(tuple(self._numbers), seconds=seconds)
        readers: dict[str, list[int]] = {}
        for place, check in enumerate(self._checks):
            for path in self._run.chosen(check.paths):
                readers.setdefault(path, []).append(place)
        problems = {
            place: scan.problems[self._numbers[check.pattern]]
            for place, check in enumerate(self._checks)
            if self._numbers[check.pattern] in scan.problems
        }
        self._run.tools.tree.want(readers)
        for path, places in readers.items():
            try:
                content = self._run.texts.content(path)
            except UnreadFileError as error:
                self._miss(str(error), places)
                continue
            met = scan.found(content)
            if met is None:
                self._miss(f"{path}: {_TOO_SLOW}", places)
            else:
                self._compare(path, content, met, places)
        return [
            unknown(check.text, problems[place]) if place in problems else self._outcome(place)
            for place, check in enumerate(self._checks)
        ]

    def _miss(self, why: str, places: Sequence[int]) -> None:
        for place in places:
            self._unread[place] = self._unread[place] or why

    def _compare(
        self, path: str, content: bytes, met: Collection[int], places: Sequence[int]
    ) -> None:
        for place in places:
            check = self._checks[place]
            if (self._numbers[check.pattern] in met) == check.is_wanted:
                continue
            if check.is_wanted:
                self._breaches[place].append(Breach(path=path, what="nothing matches"))
                continue
            lines = self._run.tools.patterns.lines(check.pattern, content, most=_MOST_LINES)
            self._breaches[place] += [Breach(path=path, line=line) for line in lines]

    def _outcome(self, place: int) -> CheckOutcome:
        """Return what came out: a breach counts, and an unread file prevents a false ``holds``."""
        text, unread = self._checks[place].text, self._unread[place]
        if self._breaches[place]:
            return broken(text, self._breaches[place])
        return unknown(text, unread) if unread else holds(text)
