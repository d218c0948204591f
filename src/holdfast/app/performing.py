"""The only place that checks which operations a principal may perform.

``performs`` declares the operation of a public method. Before the method runs, the operation is
checked against the principal that the part acts for.

Build the ports of use cases from an open memory.
"""

from __future__ import annotations

from functools import partial, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from holdfast.app import Holdfast
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.selection import Checkout
    from holdfast.usecases.anchors.checking import RepositoryPorts, ViewPorts
    from holdfast.usecases.checks.check_ports import Checker
    from holdfast.usecases.recall.recalled_memories import RecallPorts


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


OfHoldfast = TypeVar("OfHoldfast")
AnyPart = TypeVar("AnyPart", bound=Part)


def over(part: AnyPart, holdfast: Holdfast) -> AnyPart:
    """Return the same part over another open memory."""
    from copy import copy

    other = copy(part)
    other._holdfast = holdfast  # noqa: SLF001 - the copy is not used anywhere yet
    return other


def here(part: OfHoldfast | None) -> OfHoldfast:
    """Return a port of the repository.

    Raises:
        NoHistoryError: The port is None, so there is no repository.
    """
    if part is None:
        from holdfast.domain.lookup_errors import NoHistoryError

        raise NoHistoryError
    return part


def id_here(memory: Holdfast, reference: str) -> str:
    """Return the id of the memory that has a label in this repository's pages, or a key here.

    Every other reference is returned as it is: ids, keys of one memory, and labels of other places.

    Raises:
        NoSuchError: It names a note of an agent that the caller may not see.
        AmbiguousError: Several memories of this repository have the label.
    """
    hide_notes(memory, reference)
    if reference[1:2] == "_" or not reference.strip():
        return reference  # an id
    from holdfast.domain.pages.page_entry import is_label
    from holdfast.usecases.anchors.checking import view
    from holdfast.usecases.naming import keyed_here, labelled_here

    place = memory.surroundings.place()
    with memory.store.reading() as tx:
        if is_label(reference):
            return labelled_here(tx, reference, place) or reference
        seen = partial(view, place, tx=tx, verifier=memory.verifier)
        return keyed_here(tx, reference, place, seen) or reference


def ids_here(memory: Holdfast, references: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of several references, as ``id_here`` does for one."""
    return tuple(id_here(memory, reference) for reference in references)


def oversees(memory: Holdfast) -> bool:
    """Return whether the principal sees the notes of agents."""
    return Operation.OVERSEE in memory.principal.may


def hide_notes(memory: Holdfast, *references: str) -> None:
    """Return if no reference names a note, or an answer to an agent, that the caller may not see.

    Raises:
        NoSuchError: One does; for this caller it does not exist.
    """
    if not oversees(memory):
        from holdfast.usecases.agents.privacy import refuse_notes

        refuse_notes(references, store=memory.store)


def refuse_others(holdfast: Holdfast, reference: str, *, act: str = "ends it") -> None:
    """Return if the principal may end a session, hide turns of it, or tie them to other commits.

    Raises:
        MayNotError: It is a program, and somebody else started the session.
    """
    if Operation.DECIDE in holdfast.principal.may:
        return
    from holdfast.usecases.sessions.sessions import session_named

    session = session_named(reference, store=holdfast.store)
    refuse_tool(holdfast, session.tool, what=f"the session {session.id}", act=act)


def refuse_tool(holdfast: Holdfast, tool: str, *, what: str, act: str) -> None:
    """Return if the principal owns a session or run that was started with a tool.

    Raises:
        MayNotError: Somebody else started it.
    """
    principal = holdfast.principal
    if principal.owns(tool):
        return
    from holdfast.domain.access_errors import MayNotError

    why = f"{what} belongs to '{tool}', and only a person {act}"
    raise MayNotError(kind=principal.kind, name=principal.name, operation=Operation.DECIDE, why=why)


def repository_ports(memory: Holdfast) -> RepositoryPorts:
    """Return the ports of a use case that checks evidence."""
    from holdfast.usecases.anchors.checking import RepositoryPorts

    return RepositoryPorts(
        store=memory.store,
        clock=memory.clock,
        surroundings=memory.surroundings,
        verifier=here(memory.verifier),
    )


def view_ports(memory: Holdfast) -> ViewPorts:
    """Return the place of the principal, and the verifier of its checkout."""
    from holdfast.usecases.anchors.checking import ViewPorts

    return ViewPorts(surroundings=memory.surroundings, verifier=memory.verifier)


def checkout_of(memory: Holdfast) -> Checkout:
    """Return the checkout in which a decision is made."""
    from holdfast.usecases.anchors.checking import checkout_here

    return checkout_here(
        store=memory.store, surroundings=memory.surroundings, verifier=memory.verifier
    )


def checker_of(memory: Holdfast) -> Checker | None:
    """Return the brief run of checks, whose ports are opened when a memory has a check."""
    attachments = memory.attachments
    if attachments is None:
        return None
    return lambda texts, **given: attachments.checks(memory).brief(texts, **given)


def means_of(memory: Holdfast) -> RecallPorts:
    """Return the ports of a recall."""
    from holdfast.domain.choices import Deep
    from holdfast.usecases.recall.recalled_memories import RecallPorts
    from holdfast.usecases.recall.rereading import Reranking

    chosen = () if memory.embedder is None else (memory.embedder,)
    return RecallPorts(
        store=memory.store,
        clock=memory.clock,
        counter=memory.counter,
        surroundings=memory.surroundings,
        embedders=(*chosen, *memory.older_embedders),
        retrieval=memory.retrieval,
        wording=memory.heuristics.wording,
        judge=memory.heuristics.judge,
        reranking=Reranking(
            plugged_in=memory.reranker, reader=memory.reader, is_deep=memory.deep is Deep.ON
        ),
        verifier=memory.verifier,
        code=memory.code_index,
        history=memory.history_index,
        checker=checker_of(memory),
        keeper=memory.keeper,
    )
