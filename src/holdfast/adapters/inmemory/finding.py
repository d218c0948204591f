"""The search ports, all implemented by a scan of every memory."""

from __future__ import annotations

from holdfast.adapters.inmemory.around import InMemoryAround
from holdfast.adapters.inmemory.meaning import InMemoryMeaning
from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.adapters.inmemory.tunings import InMemoryTunings
from holdfast.adapters.inmemory.words import InMemoryWords


class InMemoryFinding:
    """Search by words and by meaning, the context of hits, and the ranking weights."""

    def __init__(self, state: InMemoryState) -> None:
        self.words = InMemoryWords(state)
        self.meaning = InMemoryMeaning(state)
        self.around = InMemoryAround(state)
        self.tunings = InMemoryTunings(state)
