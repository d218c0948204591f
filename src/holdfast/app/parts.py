"""What the verbs of an open memory work with, put together from its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.domain.memory.view import Checkout
    from holdfast.usecases.anchors.witnessing import Looker, RepositoryPorts
    from holdfast.usecases.recall.knowing import RecallPorts

Part = TypeVar("Part")


def here(part: Part | None) -> Part:
    """Return what was plugged in for a repository.

    Raises:
        NoHistoryError: Nothing was, so there is no repository to ask.
    """
    if part is None:
        from holdfast.domain.errors import NoHistoryError

        raise NoHistoryError
    return part


def world_of(memory: Holdfast) -> RepositoryPorts:
    """Return what a question about evidence needs."""
    from holdfast.usecases.anchors.witnessing import RepositoryPorts

    return RepositoryPorts(
        store=memory.store,
        clock=memory.clock,
        surroundings=memory.surroundings,
        witness=here(memory.witness),
    )


def looker_of(memory: Holdfast) -> Looker:
    """Return who asks, and from which checkout."""
    from holdfast.usecases.anchors.witnessing import Looker

    return Looker(surroundings=memory.surroundings, witness=memory.witness)


def checkout_of(memory: Holdfast) -> Checkout:
    """Return what reaches the checkout that a decision is made in."""
    from holdfast.usecases.anchors.witnessing import checkout_here

    return checkout_here(
        store=memory.store, surroundings=memory.surroundings, witness=memory.witness
    )


def means_of(memory: Holdfast) -> RecallPorts:
    """Return what a recall needs."""
    from holdfast.usecases.recall.knowing import RecallPorts

    chosen = () if memory.embedder is None else (memory.embedder,)
    return RecallPorts(
        store=memory.store,
        clock=memory.clock,
        counter=memory.counter,
        surroundings=memory.surroundings,
        embedders=(*chosen, *memory.older_embedders),
        retrieval=memory.retrieval,
        reranker=memory.reranker,
        witness=memory.witness,
        code=memory.code_index,
        history=memory.history_index,
    )
