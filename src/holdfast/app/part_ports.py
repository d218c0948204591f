"""What the parts of Holdfast share: references, ownership, and the ports of use cases."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from holdfast.app.performing import Part
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.app import Holdfast
    from holdfast.domain.memory.selection import Checkout
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.anchors.checking import RepositoryPorts, ViewPorts
    from holdfast.usecases.checks.check_ports import Checker
    from holdfast.usecases.recall.recalled_memories import RecallPorts
    from holdfast.usecases.review.pair_reading import PairPorts

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
    """Return the id of the memory that has a label or a key here.

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
    from holdfast.usecases.naming import labelled_here, named_here

    place = memory.surroundings.place()
    with memory.store.reading() as tx:
        seen = partial(view, place, tx=tx, verifier=memory.verifier)
        if is_label(reference):
            return labelled_here(tx, reference, place, seen) or reference
        return named_here(tx, reference, place, seen) or reference


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


def pair_ports(memory: Holdfast, progress: Progress | None = None) -> PairPorts:
    """Return the ports with which a model reads pairs of claims."""
    from holdfast.usecases.review.pair_reading import PairPorts, no_progress

    return PairPorts(
        reader=memory.pair_reader,
        store=memory.store,
        clock=memory.clock,
        seen=view_ports(memory),
        heuristics=memory.heuristics,
        progress=progress or no_progress,
    )


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
        broken_model=memory.broken_model,
        retrieval=memory.retrieval,
        wording=memory.heuristics.wording,
        judge=memory.heuristics.judge,
        reranking=Reranking(
            plugged_in=memory.reranker,
            reader=memory.reader,
            answer_reader=memory.answer_reader,
            is_deep=memory.deep is Deep.ON,
            looks_twice=memory.looks_twice and memory.deep is Deep.AUTO,
        ),
        verifier=memory.verifier,
        code=memory.code_index,
        history=memory.history_index,
        checker=checker_of(memory),
        keeper=memory.keeper,
    )
