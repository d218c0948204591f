"""Plug-ins of other packages, by entry point: loaded when they are first needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.domain.errors import PlugInFailedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.ports.reranker import Reranker

_RERANKERS, _SETTING = "holdfast.reranker", "recall.reranker"
# Whatever another package may raise; a mistake of ours elsewhere still shows as one.
_FAILURES = (
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
            except _FAILURES as error:
                raise PlugInFailedError(setting=setting, name=name, problem=str(error)) from error
    raise PlugInFailedError(setting=setting, name=name, problem="no package offers it")


class PluggedReranker:
    """A reranker that is set by name; only a question needs it."""

    def __init__(self, name: str) -> None:
        self._wanted = name
        self._loaded: Reranker | None = None

    @property
    def name(self) -> str:
        """What it is called in the reasons."""
        return self._wanted

    def fits(self, question: str, claims: Sequence[str]) -> Sequence[float]:
        """Return a number for each claim."""
        make = plugged_in(_RERANKERS, self._wanted, setting=_SETTING)
        try:
            if self._loaded is None:
                self._loaded = cast("Reranker", make())
            return [float(fit) for fit in self._loaded.fits(question, claims)]
        except _FAILURES as error:
            raise PlugInFailedError(
                setting=_SETTING, name=self._wanted, problem=f"it failed with: {error}"
            ) from error
