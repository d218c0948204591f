from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.code.isolated import IsolatedOutline
from holdfast.adapters.code.outline import CodeOutline
from holdfast.adapters.embedding.cache import CachedEmbedder
from holdfast.adapters.git.history import GitHistory
from holdfast.adapters.git.log import GitLog
from holdfast.adapters.git.surroundings import LocalSurroundings, ReadLines
from holdfast.adapters.git.witness import GitWitness
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.adapters.machine.clock import MachineClock
from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.adapters.tokens.exact import ExactTokens
from holdfast.adapters.vectors.sidecar import Sidecar
from holdfast.bootstrap.code import code_index, history_index
from holdfast.ports.anchors import Anchors, Past, Spans
from holdfast.ports.clock import Clock
from holdfast.ports.code import CodeIndex, HistoryIndex, Outline
from holdfast.ports.embedder import Embedder
from holdfast.ports.finding import Around, Finding, Meaning, Tunings, VectorStore, Words
from holdfast.ports.history import Chronicle, History
from holdfast.ports.reranker import Reranker
from holdfast.ports.store import Store, Transaction
from holdfast.ports.surroundings import SpanText, Surroundings
from holdfast.ports.tokens import TokenCounter
from holdfast.ports.upkeep import Upkeep
from holdfast.ports.witness import Witness
from tests.builders import NOON
from tests.usecases.reading import SmallReader
from tests.usecases.test_search import Judge

STORE = InMemoryStore()
with STORE.writing(NOON) as TX:
    SOCKETS: list[tuple[type, object]] = [
        (Store, STORE),
        (Transaction, TX),
        (Finding, TX.finding),
        (Words, TX.finding.words),
        (Meaning, TX.finding.meaning),
        (Around, TX.finding.around),
        (Tunings, TX.finding.tunings),
        (VectorStore, Sidecar),
        (Embedder, SmallReader()),
        (Embedder, CachedEmbedder(SmallReader())),
        (Reranker, Judge()),
        (Anchors, TX.anchors),
        (Spans, TX.anchors.spans),
        (Past, TX.anchors.past),
        (Witness, GitWitness(Path("/"), cache=Path("/none"), repo=lambda: None)),
        (CodeIndex, code_index(folder=Path("/"))),
        (HistoryIndex, history_index(folder=Path("/"))),
        (Chronicle, GitLog(Path("/"))),
        (Outline, CodeOutline()),
        (Outline, IsolatedOutline()),
        (History, GitHistory(Path("/"))),
        (Upkeep, STORE.upkeep),
        (Clock, MachineClock()),
        (Surroundings, LocalSurroundings(Path("/"), cache=Path("/none"))),
        (SpanText, ReadLines(path="a.py", first=1, last=1, text_hash="")),
        (TokenCounter, EstimatedTokens()),
        (TokenCounter, ExactTokens()),
    ]


@pytest.mark.parametrize(("port", "adapter"), SOCKETS)
def test_an_adapter_offers_all_that_its_port_asks_for(port: type, adapter: object) -> None:
    asked = {name for name in vars(port) if not name.startswith("_")}

    assert asked
    assert asked <= set(dir(adapter))
