"""Plug-ins of other packages, found by entry point and loaded on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from holdfast.domain.lookup_errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.recall.models import Reranker

Made = TypeVar("Made")
Answer = TypeVar("Answer")

_RERANKERS, _SETTING = "holdfast.reranker", "recall.reranker"
# The errors that a plug-in may raise; bugs in Holdfast's own code are not caught.
FAILURES = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


def plugged_in(group: str, name: str, *, setting: str) -> Callable[[], object]:
    """Return the factory of an entry point.

    Raises:
        PlugInFailedError: No package offers that name, or it cannot be loaded.
    """
    from importlib.metadata import entry_points

    for point in entry_points(group=group):
        if point.name == name:
            try:
                return cast("Callable[[], object]", point.load())
            except FAILURES as error:
                raise PlugInFailedError(setting=setting, name=name, problem=str(error)) from error
    raise PlugInFailedError(setting=setting, name=name, problem="no package offers it")


class PlugIn(Generic[Made]):
    """A plug-in that a person set by name; it is created on first use and then kept."""

    def __init__(self, group: str, name: str, *, setting: str) -> None:
        self.name = name
        self._group = group
        self._setting = setting
        self._made: Made | None = None

    def asked(self, question: Callable[[Made], Answer]) -> Answer:
        """Return the plug-in's answer.

        Raises:
            PlugInFailedError: The plug-in is missing or fails.
        """
        make = plugged_in(self._group, self.name, setting=self._setting)
        try:
            if self._made is None:
                self._made = cast("Made", make())
            return question(self._made)
        except FAILURES as error:
            raise PlugInFailedError(
                setting=self._setting, name=self.name, problem=f"it failed with: {error}"
            ) from error


class PluggedReranker:
    """A reranker that is set by name and loaded at the first question."""

    def __init__(self, name: str) -> None:
        self._plug_in: PlugIn[Reranker] = PlugIn(_RERANKERS, name, setting=_SETTING)

    @property
    def name(self) -> str:
        """The reranker's name in explanations."""
        return self._plug_in.name

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a score for each claim."""
        return self._plug_in.asked(lambda made: [float(fit) for fit in made.fits(question, claims)])
