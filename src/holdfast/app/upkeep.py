"""Upkeep: the state of the store, its checks and repair, and its derived data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import view_ports
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.review.curation import HealthFinding, Repair, StoreFacts
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.recall.reembedding import ReembeddingMark
    from holdfast.ports.store.upkeep import Progress
    from holdfast.usecases.inspect import StoreStatus


class UpkeepPart(Part):
    """Checks, repairs and rebuilds the store."""

    @performs(Operation.READ)
    def status(self, *, everywhere: bool = False) -> StoreStatus:
        """Return the number of memories, and what waits for a person."""
        from holdfast.usecases.inspect import status
        from holdfast.usecases.review.waiting import full_sources

        holdfast = self._holdfast
        chosen = holdfast.embedder
        found = status(
            store=holdfast.store,
            clock=holdfast.clock,
            ports=view_ports(holdfast),
            embedders=() if chosen is None else (chosen, *holdfast.older_embedders),
            everywhere=everywhere,
            heuristics=holdfast.heuristics,
        )
        with holdfast.store.reading() as tx:
            return replace(found, full=full_sources(most=holdfast.most_waiting, tx=tx))

    @performs(Operation.READ)
    def embedded(self) -> Mapping[str, int]:
        """Return how many memories each embedding model has embedded."""
        with self._holdfast.store.reading() as tx:
            return {use.model.name: use.memories for use in tx.finding.meaning.models()}

    @performs(Operation.READ)
    def facts(self) -> StoreFacts:
        """Return the size and the counts of the store."""
        return self._holdfast.store.upkeep.facts()

    @performs(Operation.MAINTAIN)
    def catch_up(self, progress: Progress, using: Embedder | None = None) -> int:
        """Embed the memories and said turns without a vector of a model yet; return how many.

        The model is the chosen one, or another one that a person is about to choose.
        """
        from holdfast.usecases.recall.recalled_memories import catch_up
        from holdfast.usecases.recall.said_passages import catch_up_said

        store, clock, embedder = self._holdfast.store, self._holdfast.clock, self._model(using)
        caught = catch_up(store=store, clock=clock, embedder=embedder, progress=progress)
        said, _ = catch_up_said(store=store, clock=clock, embedder=embedder, progress=progress)
        return caught.memories + said

    @performs(Operation.MAINTAIN)
    def embed_again(
        self, progress: Progress, *, mark: ReembeddingMark, using: Embedder | None = None
    ) -> int:
        """Embed every memory again; the stored vectors stay in use until they are replaced."""
        from holdfast.usecases.recall.reembedding import embed_again

        return embed_again(
            store=self._holdfast.store,
            clock=self._holdfast.clock,
            embedder=self._model(using),
            mark=mark,
            progress=progress,
        )

    @performs(Operation.MAINTAIN)
    def drop_vectors(self, name: str) -> int:
        """Remove the vectors of a model that is not in use; return how many memories had one."""
        from holdfast.usecases.recall.reembedding import drop_vectors

        holdfast = self._holdfast
        return drop_vectors(
            name, chosen=holdfast.embedder, store=holdfast.store, clock=holdfast.clock
        )

    def _model(self, using: Embedder | None) -> Embedder:
        from holdfast.domain.lookup_errors import NoModelError

        found = using or self._holdfast.embedder
        if found is None:
            raise NoModelError
        return found

    @performs(Operation.MAINTAIN)
    def check(self, progress: Progress) -> Sequence[HealthFinding]:
        """Check everything the store holds."""
        from holdfast.domain.review.curation import not_offered

        upkeep = self._holdfast.store.upkeep
        found = upkeep.check(progress)
        return (*found, *self._snapshots(progress), *not_offered(upkeep.abilities))

    def _snapshots(self, progress: Progress) -> Sequence[HealthFinding]:
        """Check the content of snapshots; a machine without folders of its own keeps none.

        A store that is too damaged to name its snapshots was reported by its own check.
        """
        from holdfast.domain.errors import StoreDamagedError
        from holdfast.domain.workspace_errors import NoWorkspacesError
        from holdfast.usecases.workspaces.collect import check_contents

        attachments = self._holdfast.attachments
        if attachments is None:
            return ()
        try:
            kept = attachments.workspace(None)
            return check_contents(
                store=self._holdfast.store,
                contents=kept.contents,
                host=kept.folder.host,
                progress=progress,
            )
        except (NoWorkspacesError, StoreDamagedError):
            return ()

    @performs(Operation.REPAIR)
    def repair(self, progress: Progress) -> Repair:
        """Rescue everything that can be read; keep the damaged file."""
        return self._holdfast.store.upkeep.repair(progress)

    @performs(Operation.MAINTAIN)
    def rebuild(self, progress: Progress) -> int:
        """Rebuild all derived data."""
        return self._holdfast.store.upkeep.rebuild(progress)
