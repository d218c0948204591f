"""Chroma is chosen, but its package is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.chroma.collection import ChromaMissingError
from holdfast.adapters.sqlite.store import SqliteStore
from holdfast.app import Holdfast
from holdfast.bootstrap.plugs import scanning
from holdfast.heuristics.english import ENGLISH
from tests.builders import ADA, FixedClock, PlainSurroundings, WordCounter
from tests.requirements import requirement
from tests.usecases.reading import SmallReader
from tests.usecases.wishes import asked, said


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "find_spec", lambda _name: None)

    with pytest.raises(ChromaMissingError, match=r"pip install 'holdfast\[chroma\]'"):
        scanning.chroma_index("chroma:/data", "/home/x-1")

    monkeypatch.setattr(scanning, "find_spec", lambda name: None if name == "chromadb" else name)
    assert scanning.lacks_packages("chroma")
    assert not scanning.lacks_packages("chroma+http://127.0.0.1:9")
    assert not scanning.lacks_packages("sidecar")


@requirement("chroma.away")
def test_recall_goes_on_by_words_without_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "find_spec", lambda _name: None)
    store = SqliteStore.open(
        tmp_path / "holdfast.db", index=scanning.vector_store(lambda: "chroma")
    )
    holdfast = Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
        embedder=SmallReader(),
    )
    wanted = said(holdfast, "Tokens rotate.")

    found = asked(holdfast, "Tokens").bundle

    store.close()
    assert [item.memory_id for item in found.items] == [wanted.memory.id]
    assert "searched by words only: recall.index is chroma" in found.notes[0]
    assert "pip install" in found.notes[0]
