"""The models in the package that read the best hits of a deep recall, once for each process."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from holdfast.domain.choices import Deep
from holdfast.domain.review.curation import HealthFinding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.machine.settings import SettingsFile
    from holdfast.ports.recall.models import AnswerReader, Embedder, Reranker


_REINSTALL = "Install the package holdfast again; until then recall and conflicts go on without it."


def damaged_readers() -> Iterator[HealthFinding]:
    """Return a finding for each of these models, or the judge, whose weights are not intact."""
    from holdfast.adapters.embedding.answering import LAVER
    from holdfast.adapters.embedding.errors import WeightsDamagedError
    from holdfast.adapters.embedding.fetching import carried
    from holdfast.adapters.embedding.judging import WRACK
    from holdfast.adapters.embedding.reading import DULSE

    for source in (WRACK, LAVER, DULSE):
        try:
            carried(source)
        except WeightsDamagedError as error:
            yield HealthFinding(
                check="models",
                severity=Severity.WARNING,
                message=error.message,
                advice=_REINSTALL,
            )


def reader() -> Reranker:
    """Return the model that reads the turns of conversations and code again."""
    from holdfast.adapters.embedding.reading import carried_reader

    return carried_reader()


def answer_reader() -> AnswerReader:
    """Return the model that reads claims again, and knows whether they answer."""
    from holdfast.adapters.embedding.answering import carried_answer_reader

    return carried_answer_reader()


def can_run() -> bool:
    """Tell whether the package that runs these models is installed."""
    return find_spec("onnxruntime") is not None


def deep_of(kept: SettingsFile, chosen: Embedder | None) -> Deep:
    """Return when the best hits are read again; a search by words only is not slowed down.

    By default they are not if onnxruntime is missing: nobody chose the models, so no note is due.
    """
    name, source = kept.value("recall.deep")
    wanted = Deep(name)
    if wanted is not Deep.AUTO:
        return wanted
    is_unwanted = chosen is None or (source == "default" and not can_run())
    return Deep.OFF if is_unwanted else wanted
