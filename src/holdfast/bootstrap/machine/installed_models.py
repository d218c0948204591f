"""The embedding models of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import performs
from holdfast.bootstrap.machine.parts import MachinePart
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.embedding.card import Card
    from holdfast.bootstrap.opening.choosing import ModelWish, PreparedModel
    from holdfast.bootstrap.opening.models import ModelLine
    from holdfast.domain.recall.finding import EmbeddingModel
    from holdfast.domain.review.curation import HealthFinding
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.recall.reembedding import ReembeddingMark
    from holdfast.ports.store.upkeep import Progress


class Models(MachinePart):
    """The embedding models of this machine."""

    @performs(Operation.READ)
    def lines(self) -> Sequence[ModelLine]:
        """Return every model that is known or installed."""
        from holdfast.bootstrap.opening.models import model_lines

        return model_lines(self._machine.home)

    @performs(Operation.READ)
    def names(self) -> Sequence[str]:
        """Return the names of the installed models."""
        from holdfast.bootstrap.opening.models import shelf

        return shelf(self._machine.home).names()

    @performs(Operation.READ)
    def chosen(self) -> str:
        """Return the name of the model that is set."""
        from holdfast.bootstrap.opening.models import chosen

        return chosen(self._machine.home)

    @performs(Operation.READ)
    def can_install(self) -> bool:
        """Return whether the model that is set can be installed here."""
        from holdfast.bootstrap.opening.models import can_install

        return can_install(self._machine.home)

    @performs(Operation.READ)
    def no_meaning(self) -> str:
        """Return in one line why memories are found by words only, and what to do about it."""
        from holdfast.bootstrap.opening.embedders import no_meaning

        return no_meaning(self._machine.home)

    @performs(Operation.MAINTAIN)
    def findings(self) -> Sequence[HealthFinding]:
        """Check the model in use, and the models in the package that read again and judge."""
        from holdfast.bootstrap.opening.models import finding
        from holdfast.bootstrap.opening.readers import damaged_readers

        return [finding(self._machine.home), *damaged_readers()]

    @performs(Operation.CONFIGURE)
    def install(self, name: str, given: Path | None, *, force: bool, progress: Progress) -> Card:
        """Download a model, or build it from a given file."""
        from holdfast.bootstrap.opening.models import shelf

        return shelf(self._machine.home).install(name, given, force=force, progress=progress)

    @performs(Operation.CONFIGURE)
    def prepare(self, wish: ModelWish) -> PreparedModel:
        """Return a model that can be chosen; nothing changes yet."""
        from holdfast.bootstrap.opening.choosing import prepare

        return prepare(wish, self._machine.home)

    @performs(Operation.CONFIGURE)
    def use(self, prepared: PreparedModel) -> None:
        """Choose the model to use."""
        from holdfast.bootstrap.opening.choosing import use

        use(prepared, self._machine.home)

    @performs(Operation.READ)
    def destination(self) -> str:
        """Return who receives the texts that the chosen model embeds; empty if they stay here."""
        from holdfast.bootstrap.opening.embedders import destination

        return destination(self._machine.home)

    @performs(Operation.MAINTAIN)
    def patient(self, *, is_fresh: bool = False) -> Embedder | None:
        """Return the chosen model for work that may take long; a fresh one ignores its cache.

        Raises:
            NoMeaningError: It cannot be used.
        """
        from holdfast.bootstrap.opening.embedders import Hurry, named_embedder

        home = self._machine.home
        return named_embedder(self.chosen(), home, hurry=Hurry.WORK, is_fresh=is_fresh)

    @performs(Operation.MAINTAIN)
    def mark(self, model: EmbeddingModel, *, store: str) -> ReembeddingMark:
        """Return the mark of a new embedding of all memories."""
        from holdfast.adapters.embedding.marks import MarkFile
        from holdfast.adapters.machine.settings import data_folder

        return MarkFile(self._machine.home or data_folder(), store=store, model=model)

    @performs(Operation.MAINTAIN)
    def verify(self, name: str) -> None:
        """Check that a model is complete and separates similar texts from different ones."""
        from holdfast.bootstrap.opening.models import verify

        verify(name, self._machine.home)

    @performs(Operation.CONFIGURE)
    def remove(self, name: str) -> None:
        """Remove the files of a model."""
        from holdfast.bootstrap.opening.models import shelf

        shelf(self._machine.home).remove(name)
