"""Build the ports of use cases from an open memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from holdfast.app import Holdfast
    from holdfast.domain.memory.view import Checkout
    from holdfast.usecases.anchors.checking import RepositoryPorts, ViewPorts
    from holdfast.usecases.recall.recalled_memories import RecallPorts

Part = TypeVar("Part")


def here(part: Part | None) -> Part:
    """Return a port of the repository.

    Raises:
        NoHistoryError: The port is None, so there is no repository.
    """
    if part is None:
        from holdfast.domain.lookup_errors import NoHistoryError

        raise NoHistoryError
    return part


def id_here(memory: Holdfast, reference: str) -> str:
    """Return the id of the memory that has a label in this repository's pages.

    Every other reference is returned as it is: ids, keys, and labels of other places.

    Raises:
        AmbiguousError: Several memories of this repository have the label.
    """
    from holdfast.domain.pages.page_entry import is_label
    from holdfast.usecases.naming import labelled_here

    if not is_label(reference):
        return reference
    with memory.store.reading() as tx:
        return labelled_here(tx, reference, memory.surroundings.place()) or reference


def ids_here(memory: Holdfast, references: Iterable[str]) -> tuple[str, ...]:
    """Return the ids of several references, as ``id_here`` does for one."""
    return tuple(id_here(memory, reference) for reference in references)


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


def means_of(memory: Holdfast) -> RecallPorts:
    """Return the ports of a recall."""
    from holdfast.usecases.recall.recalled_memories import RecallPorts

    chosen = () if memory.embedder is None else (memory.embedder,)
    return RecallPorts(
        store=memory.store,
        clock=memory.clock,
        counter=memory.counter,
        surroundings=memory.surroundings,
        embedders=(*chosen, *memory.older_embedders),
        retrieval=memory.retrieval,
        wording=memory.heuristics.wording,
        reranker=memory.reranker,
        verifier=memory.verifier,
        code=memory.code_index,
        history=memory.history_index,
    )
