"""Figures, pictures and numbers on pages that no command prints are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.generator.indexes import UNUSED
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.recall import packing, ranking, read_hits, resolution, sifting
from holdfast.domain.recall.question import READ_AT_MOST
from holdfast.domain.recall.weighing import Weights
from holdfast.surfaces.http.agents_door.sessions import MOST_OF_A_TOKEN
from holdfast.usecases.recall import search
from holdfast.usecases.review import pair_reading
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "holdfast"
RECALL = "docs/explanation/recall.md"
TRAINING = "training/README.md"
ARCHITECTURE = ROOT / "docs" / "explanation" / "ARCHITECTURE.md"
WORDS = {4: "four", 5: "five", 6: "six"}
SHARES = {0.34: "a third", 0.3: "a third", 0.6: "three fifths", 0.5: "half"}
DOUBT = Weights().doubt
WEIGHTS = {
    path.parent.name: path.stat().st_size / 1_000_000
    for path in (SOURCE / "adapters" / "embedding" / "weights").glob("*/model.*")
}
ALL_WEIGHTS = sum(WEIGHTS.values())
FIGURES = {
    f"at most {READ_AT_MOST:,} characters of a question": RECALL,
    f"the best {search._POOL} hits by words": RECALL,
    f"the best {search._POOL} by meaning": RECALL,
    f"the {WORDS[search._HOPPING]} best hits": RECALL,
    f"gets {SHARES[Weights().answered]} of the question's score": RECALL,
    f"scores the best {resolution.LOOKED_AT} hits against the question": RECALL,
    f"less than {SHARES[sifting._FAR]} of the best score": RECALL,
    f"up to {WORDS[sifting._SHORT_QUESTION]} significant words": RECALL,
    f"the {WORDS[sifting._FEW]} strongest hits": RECALL,
    f"contain {SHARES[sifting._ENOUGH_OF_PASSAGE]} of the question": RECALL,
    f"{WORDS[int(sifting._MANY_OF_PASSAGE)]} of its words": RECALL,
    f"drifted evidence loses {DOUBT * ranking._DOUBT[Verdict.DRIFTED]:.2f}": RECALL,
    f"missing evidence {DOUBT * ranking._DOUBT[Verdict.ORPHANED]:.2f}": RECALL,
    f"memories get {SHARES[packing._SHARE_OF_MEMORY]} of the budget": RECALL,
    f"reads the best {read_hits.READ} hits if they are short memories": RECALL,
    f"at most {MOST_OF_A_TOKEN} sessions and {MOST_OF_A_TOKEN} streams": (
        "docs/how-to/connect-a-coding-agent.md"
    ),
    f"reads at most {pair_reading.MOST_LETTERS:,} letters": "docs/explanation/conflicts.md",
    f"{ALL_WEIGHTS:.0f} MB of weights": "README.md",
    f"{ALL_WEIGHTS:.0f} MB in all": TRAINING,
    **{f"`{name}` | {size:.1f} MB": TRAINING for name, size in WEIGHTS.items()},
}
NODE = re.compile(r"^\s+(\w+)(?:\[.*\])?$", re.MULTILINE)


def folders(room: str) -> set[str]:
    return {path.parent.name for path in (SOURCE / room).glob("*/__init__.py")}


def drawn(picture: str, room: str) -> set[str]:
    """Return the parts of a room that a picture shows."""
    inside = re.search(rf"subgraph {room}\[.*?\]\n(.*?)\n\s+end", picture, re.DOTALL)
    return set(NODE.findall(f"{inside[1]}\n")) if inside else set()


def gaps(names: list[str]) -> set[int]:
    """Return the numbers that no page of decisions has, below the highest."""
    numbers = {int(name[:4]) for name in names}
    return set(range(1, max(numbers) + 1)) - numbers


@requirement("docs.figures-are-real")
@pytest.mark.parametrize(("figure", "page"), FIGURES.items())
def test_a_figure_on_a_page_is_the_one_in_the_code(figure: str, page: str) -> None:
    assert figure in (ROOT / page).read_text(encoding="utf-8")


@requirement("docs.figures-are-real")
@pytest.mark.parametrize("room", ["adapters", "surfaces"])
def test_the_picture_of_the_rooms_shows_every_folder_and_no_other(room: str) -> None:
    assert drawn(ARCHITECTURE.read_text(encoding="utf-8"), room) == folders(room)


def test_every_number_of_a_decision_has_a_page_or_is_named_as_unused() -> None:
    names = [path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")]

    assert gaps(names) == set(UNUSED)


def test_a_picture_without_a_folder_or_a_missing_number_is_noticed() -> None:
    picture = 'subgraph adapters["the world"]\n        git["git: places"]\n        sqlite\n    end'

    assert drawn(picture, "adapters") == {"git", "sqlite"}
    assert drawn(picture, "surfaces") == set()
    assert gaps(["0001-a.md", "0003-c.md"]) == {2}
