"""The models people use. `make model` installs the default one; the others run where they are."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from holdfast.adapters.embedding.model_folder import ModelFolder
from holdfast.adapters.embedding.registry import open_embedder
from holdfast.adapters.machine.settings import DEFAULT_MODEL
from holdfast.domain.recall.finding import Vector
from holdfast.domain.service.similarity import NEAR_ENOUGH, similarity_of
from holdfast.ports.recall.models import Embedder
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
SHELF = ModelFolder(Path(os.environ.get("HOLDFAST_MODELS") or ROOT / ".models"))
HERE = SHELF.names()

TURNS = (
    "We release on Tuesdays, because support is fully staffed then.",
    "The refresh token is replaced at every use; an old one revokes them all.",
    "Melanie took her children camping by the lake last July.",
    "Invoices are kept for ten years, as the tax office demands.",
    "The test suite talks to a real database in a container.",
)
QUESTIONS = (
    "On which day do we deploy?",
    "What happens when somebody replays stolen credentials?",
    "Where did Melanie go on holiday?",
    "How long must billing documents be stored?",
    "Do we mock the storage layer?",
)
ANSWERED = (
    ("Ada drinks green tea in the morning.", "what does Ada like to drink"),
    ("The office in Lisbon opens at nine.", "When does the Lisbon office open?"),
    ("Grace flies to Oslo on the third of May.", "when does Grace travel to Oslo"),
)


def cosine(one: Vector, other: Vector) -> float:
    form = f"<{one.model.dimension}f"
    pairs = zip(struct.unpack(form, one.values), struct.unpack(form, other.values), strict=True)
    return float(sum(left * right for left, right in pairs))


def opened(name: str) -> Embedder:
    found = open_embedder(name, SHELF.folder)
    assert found is not None
    return found


@pytest.mark.skipif(DEFAULT_MODEL not in HERE, reason="run make model first")
def test_the_default_model_finds_what_shares_no_word_with_the_question() -> None:
    model = opened(DEFAULT_MODEL)
    turns = [vectors[0] for vectors in model.embed(TURNS)]

    for number, question in enumerate(QUESTIONS):
        asked = model.ask(question)
        nearest = max(range(len(turns)), key=lambda other: cosine(asked, turns[other]))
        assert nearest == number, question


@requirement("service.one-scale")
@pytest.mark.skipif(DEFAULT_MODEL not in HERE, reason="run make model first")
@pytest.mark.parametrize(("claim", "question"), ANSWERED)
def test_the_usual_limit_of_the_service_lets_answers_through(claim: str, question: str) -> None:
    model = opened(DEFAULT_MODEL)
    asked = model.ask(question)

    def similarity(text: str) -> float:
        found = cosine(asked, model.embed([text])[0][0])
        return similarity_of(found, unrelated=model.unrelated)

    assert similarity(claim) >= NEAR_ENOUGH
    assert max(similarity(other) for other in TURNS) < NEAR_ENOUGH


@pytest.mark.parametrize("name", HERE)
def test_an_installed_model_is_whole_and_makes_sense(name: str) -> None:
    card = SHELF.verify(name)

    assert card.dimension == 384
    assert card.licence in {"MIT", "Apache-2.0"}


@requirement("model.same-text-same-vector")
@pytest.mark.parametrize("name", HERE)
def test_a_vector_does_not_depend_on_its_company(name: str) -> None:
    *together, long = opened(name).embed([*TURNS, "x " * 3000])
    alone = [opened(name).embed([text])[0] for text in TURNS]

    assert together == alone
    assert len(long) == 8


@pytest.mark.skipif(DEFAULT_MODEL not in HERE, reason="run make model first")
def test_a_model_is_known_by_name_without_loading_what_runs_it() -> None:
    program = """
import sys
from pathlib import Path
from holdfast.adapters.embedding.registry import open_embedder
print(open_embedder(sys.argv[2], Path(sys.argv[1])).model.name)
heavy = {"numpy", "onnx", "onnxruntime", "tokenizers", "tempfile", "shutil", "subprocess"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run(  # noqa: S603 - this Python
        [sys.executable, "-c", program, str(SHELF.folder), DEFAULT_MODEL],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )

    name, heavy = done.stdout.splitlines()
    assert name.startswith(f"{DEFAULT_MODEL}@")
    assert heavy == "[]"


@requirement("model.no-telemetry")
@pytest.mark.skipif(DEFAULT_MODEL not in HERE, reason="run make model first")
def test_the_model_leaves_no_trace_in_the_home_and_opens_no_socket(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path\n"
        "from holdfast.adapters.embedding.registry import open_embedder\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, _: opened.append(name) if 'socket' in name else None)\n"
        f"open_embedder({DEFAULT_MODEL!r}, Path({str(SHELF.folder)!r})).ask('tokens')\n"
        "assert not opened, opened\n"
    )

    subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", script],
        check=True,
        env={"HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "src"), "PATH": os.environ["PATH"]},
    )

    assert list(tmp_path.rglob("*")) == []
