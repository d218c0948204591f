"""The conflict judge that a person set, loaded when the first pair is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.bootstrap.opening.own_settings import settings
from holdfast.bootstrap.opening.pair_reading import IN_THE_PACKAGE, OFF, SETTING
from holdfast.bootstrap.plugs.plugging import PlugIn

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.domain.review.suspicion import Suspicion
    from holdfast.ports.judge import Judge

_JUDGES = "holdfast.judge"


def judge(home: Path | None = None) -> Judge | None:
    """Return the plug-in that the settings name; None if they name none."""
    name = settings(home).value(SETTING)[0]
    return PluggedJudge(name) if name not in {"", OFF, IN_THE_PACKAGE} else None


class PluggedJudge:
    """A judge that is set by name; its result is validated before use."""

    def __init__(self, name: str) -> None:
        self._plug_in: PlugIn[Judge] = PlugIn(_JUDGES, name, setting=SETTING)

    @property
    def name(self) -> str:
        """The judge's name in explanations."""
        return self._plug_in.name

    def judged(self, newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
        """Return the plug-in's suspicion about the pair.

        Raises:
            PlugInFailedError: It is missing, it failed, or its result is not a suspicion.
        """
        return self._plug_in.asked(
            lambda made: self._checked(made.judged(newer, older, found), found)
        )

    def _checked(self, said: Suspicion | None, found: Suspicion | None) -> Suspicion | None:
        """Return the result as a Suspicion; a result of another shape is a failure."""
        if said is None or said == found:
            return said
        from holdfast.domain.review.suspicion import Clash, Suspicion

        return Suspicion(
            clash=Clash(said.clash),
            reason=f"{self.name}: {said.reason}",
            confidence=min(max(float(said.confidence), 0.0), 1.0),
        )
