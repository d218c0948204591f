"""The only place that checks which operations a principal may perform.

``performs`` declares the operation of a public method. Before the method runs, the operation is
checked against the principal that the part acts for.

Build the ports of use cases from an open memory.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.domain.memory.callers import Principal


class Acting(Protocol):
    """A part that acts for a principal."""

    @property
    def principal(self) -> Principal:
        """The principal who called."""
        ...


class Part:
    """One part of Holdfast; it acts for the principal of the object it belongs to."""

    def __init__(self, holdfast: Holdfast) -> None:
        self._holdfast = holdfast

    @property
    def principal(self) -> Principal:
        """The principal who called."""
        return self._holdfast.principal


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An operation that a method performs for some arguments only; ``words`` name these."""

    applies: Callable[..., bool]
    operation: Operation
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Performed:
    """The operation of a method; the first case that applies to the arguments counts."""

    usual: Operation
    cases: tuple[Case, ...] = ()

    def operation(self, *given: object, **named: object) -> Operation:
        """Return the operation for these arguments."""
        for case in self.cases:
            if case.applies(*given, **named):
                return case.operation
        return self.usual


Given = ParamSpec("Given")
Returned = TypeVar("Returned")
Self = TypeVar("Self", bound=Acting)
DECLARED = "performed"
"""The attribute of a method that holds its operations."""


def performs(
    usual: Operation, *cases: Case
) -> Callable[
    [Callable[Concatenate[Self, Given], Returned]], Callable[Concatenate[Self, Given], Returned]
]:
    """Declare the operation of a method, and refuse principals who may not perform it."""
    declared = Performed(usual=usual, cases=cases)

    def gate(
        method: Callable[Concatenate[Self, Given], Returned],
    ) -> Callable[Concatenate[Self, Given], Returned]:
        @wraps(method)
        def admitted(self: Self, /, *given: Given.args, **named: Given.kwargs) -> Returned:
            admit(self.principal, declared.operation(*given, **named))
            return method(self, *given, **named)

        setattr(admitted, DECLARED, declared)
        return admitted

    return gate


def when(applies: Callable[..., bool], operation: Operation, words: str) -> Case:
    """Return a case: the method performs another operation for some arguments."""
    return Case(applies=applies, operation=operation, words=words)


class _Rehearsable(Protocol):
    dry_run: bool


def _is_rehearsal(wish: _Rehearsable) -> bool:
    return wish.dry_run


def _is_dry_run(*, dry_run: bool = False) -> bool:
    return dry_run


REHEARSAL = when(_is_rehearsal, Operation.READ, "dry run")
"""A request that is a dry run: it only reads."""
DRY_RUN = when(_is_dry_run, Operation.READ, "dry run")
"""A call that is a dry run: it only reads."""


def admit(principal: Principal, operation: Operation) -> None:
    """Return if the principal may perform the operation.

    Raises:
        MayNotError: The principal may not.
    """
    if operation not in principal.may:
        from holdfast.domain.access_errors import MayNotError

        raise MayNotError(kind=principal.kind, name=principal.name, operation=operation)
