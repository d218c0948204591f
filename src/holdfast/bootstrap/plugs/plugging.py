"""Plug-ins of other packages, found by entry point and loaded on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.recall.models import Reranker

Made = TypeVar("Made")
Answer = TypeVar("Answer")

PLUG_IN_FAILURES = (Exception, SystemExit, GeneratorExit)
"""What a plug-in may raise without ending the program; Ctrl-C still ends it."""

_RERANKERS, _SETTING = "holdfast.reranker", "recall.reranker"


def plugged_in(group: str, name: str, *, setting: str) -> Callable[..., object]:
    """Return the factory of an entry point.

    Raises:
        PlugInFailedError: No package offers that name, or it cannot be loaded.
    """
    from importlib.metadata import entry_points

    for point in entry_points(group=group):
        if point.name == name:
            try:
                return cast("Callable[..., object]", point.load())
            except PLUG_IN_FAILURES as error:
                problem = f"it cannot be loaded: {_told(error)}"
                raise PlugInFailedError(setting=setting, name=name, problem=problem) from error
    raise PlugInFailedError(setting=setting, name=name, problem="no package offers it")


class PlugIn(Generic[Made]):
    """A plug-in that a person set by name; it is created on first use and then kept.

    ``given`` are the arguments that it is created with.
    """

    def __init__(
        self, group: str, name: str, *, setting: str, given: tuple[object, ...] = ()
    ) -> None:
        self.name = name
        self.setting = setting
        self._group = group
        self._given = given
        self.made: Made | None = None

    def asked(self, question: Callable[[Made], Answer]) -> Answer:
        """Return the plug-in's answer.

        Raises:
            PlugInFailedError: The plug-in is missing or fails.
            UnavailableError: The plug-in, or the store that it read, says that it is unavailable.
        """
        try:
            if self.made is None:
                make = plugged_in(self._group, self.name, setting=self.setting)
                self.made = cast("Made", make(*self._given))
            return question(self.made)
        except UnavailableError:
            raise
        except PLUG_IN_FAILURES as error:
            problem = f"it failed with {_told(error)}"
            raise self.failed(problem=problem) from error

    def failed(self, *, problem: str) -> PlugInFailedError:
        """Return the error that names this plug-in."""
        return PlugInFailedError(setting=self.setting, name=self.name, problem=problem)


class PluggedReranker:
    """A reranker that is set by name and loaded at the first question."""

    def __init__(self, name: str) -> None:
        self._plug_in: PlugIn[Reranker] = PlugIn(_RERANKERS, name, setting=_SETTING)

    @property
    def name(self) -> str:
        """The reranker's name in explanations."""
        return self._plug_in.name

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a score for each claim.

        Raises:
            UnavailableError: The plug-in is missing or fails, or does not score every claim.
        """
        return self._plug_in.asked(lambda made: _scores(made.fits(question, claims), len(claims)))


def _scores(found: Sequence[float], wanted: int) -> list[float]:
    scores = [float(fit) for fit in found]
    if len(scores) != wanted:
        another = f"fits returned {len(scores):,} scores for {wanted:,} claims"
        raise ValueError(another)
    return scores


def _told(error: BaseException) -> str:
    from holdfast.domain.gates.foreign_words import failure_of

    return failure_of(error)
