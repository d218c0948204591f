"""A quiet thread reads what was remembered, and gives way to every trouble."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event

import pytest

from holdfast.bootstrap.opening.background import CatchUp
from holdfast.bootstrap.opening.models import shelf
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.surfaces.python.api import open_memory
from tests.adapters.tiny_model import install_tiny
from tests.builders import ADA
from tests.requirements import requirement

SHORT = 0.01


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDFAST_MODELS", str(tmp_path / "home" / "models"))
    with open_memory(home=tmp_path / "home", folder=tmp_path) as memory:
        memory.remember_all(["The cat slept.", "The dog barked."], because="So.")
    return tmp_path / "home"


def read_by_the_model(home: Path) -> int:
    memory = open_holdfast(principal=ADA, home=home, folder=home)
    try:
        with memory.store.reading() as tx:
            return sum(use.memories for use in tx.finding.meaning.models())
    finally:
        memory.close()


def come_true(home: Path, count: int) -> bool:
    """Look again and again, for as long as a test may take."""
    return any(read_by_the_model(home) == count or Event().wait(SHORT) for _ in range(60_000))


@requirement("mcp.catches-up-by-itself")
def test_what_others_remember_is_read_beside_the_work(home: Path, tmp_path: Path) -> None:
    install_tiny(shelf(home), tmp_path / "source", name="minilm")
    beside = CatchUp(principal=ADA, home=home, folder=tmp_path, pause=SHORT)

    beside.start()

    assert come_true(home, 2)
    with open_memory(home=home, folder=tmp_path) as memory:
        memory.remember("The bird sang.", because="So.")
    assert come_true(home, 3)
    beside.stop()


@requirement("mcp.catches-up-by-itself")
def test_trouble_is_waited_out(home: Path, tmp_path: Path) -> None:
    store = home / "holdfast.db"
    store.rename(tmp_path / "aside.db")
    store.symlink_to(tmp_path, target_is_directory=True)
    beside = CatchUp(principal=ADA, home=home, folder=tmp_path, pause=SHORT)

    beside.start()
    Event().wait(10 * SHORT)
    # At one blow: between two, the thread could make a store of its own there.
    (tmp_path / "aside.db").replace(store)
    install_tiny(shelf(home), tmp_path / "source", name="minilm")

    assert come_true(home, 2)
    beside.stop()


def test_who_is_told_to_stop_reads_no_further(home: Path, tmp_path: Path) -> None:
    install_tiny(shelf(home), tmp_path / "source", name="minilm")
    beside = CatchUp(principal=ADA, home=home, folder=tmp_path, pause=SHORT)

    beside.stop()
    beside.start()
    Event().wait(10 * SHORT)

    assert read_by_the_model(home) == 0


STARTED = """
import sys, threading
from pathlib import Path
from holdfast.surfaces.mcp.engine import OpenMemory
engine = OpenMemory(home=Path(sys.argv[1]), folder=Path(sys.argv[1]))
engine.here()
engine.here()
print([one.name for one in threading.enumerate()].count("holdfast-catch-up"))
"""


@requirement("mcp.catches-up-by-itself")
@pytest.mark.parametrize("has_model", [True, False])
def test_the_mcp_door_starts_one_where_there_is_a_model(
    home: Path, tmp_path: Path, *, has_model: bool
) -> None:
    if has_model:
        install_tiny(shelf(home), tmp_path / "source", name="minilm")

    said = subprocess.run(
        [sys.executable, "-c", STARTED, str(home)], capture_output=True, check=True, text=True
    ).stdout

    assert int(said) == has_model
