"""Check the evidence of sensitive memories: decrypted in memory, and nothing of it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.encryption.sensitive import ENCRYPTED, spans_in
from holdfast.domain.errors import UnavailableError
from holdfast.domain.exchange.shapes import span_from_json
from holdfast.domain.memory.anchor import Checked, Sighting, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.encryption.ciphering import Cipher
    from holdfast.ports.store.store import Transaction

    Verdicts = Mapping[MemoryId, tuple[Checked, ...]]


def readable_spans(
    records: Sequence[MemoryRecord], *, tx: Transaction, cipher: Callable[[], Cipher] | None
) -> dict[MemoryId, tuple[Span, ...]]:
    """Return the spans of those sensitive memories that can be decrypted here."""
    found: dict[MemoryId, tuple[Span, ...]] = {}
    if not records or cipher is None:
        return found
    try:
        opened = cipher()
    except UnavailableError:
        return found
    for record in records:
        name = record.memory.id
        ciphertext = tx.names.ciphertexts.get(name)
        if ciphertext is not None:
            try:
                shapes = spans_in(opened.decrypt(ciphertext))
            except UnavailableError:
                continue
            found[name] = tuple(span_from_json(shape) for shape in shapes)
    return found


def check_spans(
    spans: Mapping[MemoryId, tuple[Span, ...]], *, verifier: Verifier, as_of: str | None
) -> Verdicts:
    """Return the verdicts on the evidence of sensitive memories, without the places it names.

    Raises:
        UnavailableError: The repository cannot be read.
    """
    every = [span for cited in spans.values() for span in cited]
    if not every:
        return dict.fromkeys(spans, ())
    seen = verifier.examine(every, at=as_of, is_noted=False)
    return {
        name: tuple(_told(Sighting(verdict=seen[span.id].verdict)) for span in cited)
        for name, cited in spans.items()
    }


def unchecked_spans(spans: Mapping[MemoryId, tuple[Span, ...]]) -> Verdicts:
    """Return that the evidence of sensitive memories could not be checked."""
    told = _told(Sighting(verdict=Verdict.UNVERIFIABLE))
    return {name: (told,) * len(cited) for name, cited in spans.items()}


def _told(sighting: Sighting) -> Checked:
    return Checked(reference=ENCRYPTED, span=None, sighting=sighting)
