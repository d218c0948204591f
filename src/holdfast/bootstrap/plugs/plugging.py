"""Plug-ins of other packages, by entry point: loaded when they are first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar, cast

from holdfast.domain.lookup_errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.recall.reranker import Reranker

Made = TypeVar("Made")
Answer = TypeVar("Answer")

_RERANKERS, _SETTING = "holdfast.reranker", "recall.reranker"
# Whatever another package may raise; a mistake of ours elsewhere still shows as one.
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
    """Return the maker that an entry point offers.

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
    """What a person set by name: made when it is first asked, and then kept."""

    def __init__(self, group: str, name: str, *, setting: str) -> None:
        self.name = name
        self._group = group
        self._setting = setting
        self._made: Made | None = None

    def asked(self, question: Callable[[Made], Answer]) -> Answer:
        """Return what it answers.

        Raises:
            PlugInFailedError: It is not there, or fails.
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
    """A reranker that is set by name; only a question needs it."""

    def __init__(self, name: str) -> None:
        self._plug_in: PlugIn[Reranker] = PlugIn(_RERANKERS, name, setting=_SETTING)

    @property
    def name(self) -> str:
        """What it is called in the reasons."""
        return self._plug_in.name

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a number for each claim."""
        return self._plug_in.asked(lambda made: [float(fit) for fit in made.fits(question, claims)])
