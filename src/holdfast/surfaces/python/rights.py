"""Which operation each method of the Python door performs, checked before it runs."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from holdfast.domain.callers import MEANINGS
from holdfast.domain.errors import HoldfastError, NeedsPersonError
from holdfast.surfaces.python.advice import advise

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.callers import Caller, Operation


class Called(Protocol):
    """Whatever knows who calls it."""

    caller: Caller


Given = ParamSpec("Given")
Returned = TypeVar("Returned")
Self = TypeVar("Self", bound=Called)
PERFORMED: dict[str, Operation] = {}
"""What each method performs, by its name."""


def performs(
    operation: Operation,
) -> Callable[
    [Callable[Concatenate[Self, Given], Returned]], Callable[Concatenate[Self, Given], Returned]
]:
    """Name the operation of a method, and let it run only for callers who may do that."""

    def gate(
        method: Callable[Concatenate[Self, Given], Returned],
    ) -> Callable[Concatenate[Self, Given], Returned]:
        @wraps(method)
        def admitted(self: Self, /, *given: Given.args, **named: Given.kwargs) -> Returned:
            try:
                admit(self.caller, operation)
                return method(self, *given, **named)
            except HoldfastError as error:
                advise(error)
                raise

        PERFORMED[admitted.__name__] = operation
        return admitted

    return gate


def admit(caller: Caller, operation: Operation) -> None:
    """Let a caller go on who may do that; a program has nobody whom it could ask.

    Raises:
        NeedsPersonError: They may not.
    """
    if not caller.may(operation):
        raise NeedsPersonError(
            what=f"{caller.name} seems to run this, and agents propose;"
            f" only a person may {MEANINGS[operation]}.",
        )
