"""The outcome of a check: it holds, it is broken at these places, or nobody can tell."""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.values import dataclass

SHOWN_BREACHES = 3
MOST_BREACHES = 50


class CheckState(StrEnum):
    """What came out. A check that could not be run is never said to hold."""

    HOLDS = "holds"
    BROKEN = "broken"
    UNKNOWN = "unknown"
    ASIDE = "not concerned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """A place where a check is broken; line 0 means the file as a whole, or no file."""

    path: str
    line: int = 0
    what: str = ""

    @property
    def place(self) -> str:
        """The place in the usual notation: ``src/app.py:12``."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOutcome:
    """What came out of one check, in words that may be shown.

    ``more`` counts the breaches that are not listed. ``why`` says why the outcome is unknown, or
    how a command ended. ``within`` are the files that were looked at if the check reads more.
    """

    text: str
    state: CheckState
    breaches: tuple[Breach, ...] = ()
    more: int = 0
    why: str = ""
    within: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The outcome in a few words: ``holds``, ``broken at src/a.py:12``, ``unknown: …``."""
        if self.state is CheckState.BROKEN:
            shown = ", ".join(one.place for one in self.breaches[:SHOWN_BREACHES])
            rest = len(self.breaches[SHOWN_BREACHES:]) + self.more
            places = f" at {shown}{f' and {rest} more' if rest else ''}" if shown else ""
            said = self.why or self._what
            return f"broken{places}{f': {said}' if said else ''}"
        if self.state is CheckState.UNKNOWN:
            return f"unknown: {self.why}"
        if self.state is CheckState.HOLDS and self.within:
            rest = len(self.within[SHOWN_BREACHES:])
            places = ", ".join(self.within[:SHOWN_BREACHES])
            return f"holds in {places}{f' and {rest} more' if rest else ''}"
        return self.state.value

    @property
    def _what(self) -> str:
        """What is wrong with whole files, if it is the same for each; empty for lines."""
        said = {"" if one.line else one.what for one in self.breaches}
        return said.pop() if len(said) == 1 else ""


def holds(text: str, why: str = "") -> CheckOutcome:
    """Return the outcome of a check that holds."""
    return CheckOutcome(text=text, state=CheckState.HOLDS, why=why)


def unknown(text: str, why: str) -> CheckOutcome:
    """Return the outcome of a check that could not be run."""
    return CheckOutcome(text=text, state=CheckState.UNKNOWN, why=why)


def aside(text: str) -> CheckOutcome:
    """Return the outcome of a check that the change does not concern."""
    return CheckOutcome(text=text, state=CheckState.ASIDE)


def broken(text: str, breaches: list[Breach], why: str = "") -> CheckOutcome:
    """Return the outcome of a broken check; at most fifty places are listed."""
    return CheckOutcome(
        text=text,
        state=CheckState.BROKEN,
        breaches=tuple(breaches[:MOST_BREACHES]),
        more=len(breaches[MOST_BREACHES:]),
        why=why,
    )
