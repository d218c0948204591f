"""The recipe of the model: questions by rules, and the check that no benchmark is in the data."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from tests.requirements import requirement
from training.overlap import compare, marks_of, report
from training.pools import Ask, Pool, read_pools, write_pools
from training.programming import docstrings
from training.rules import about_function, about_turn
from training.sources import development

PASSAGE = (
    "The lighthouse on the northern cape was built in eighteen fifty two by engineers of the navy"
)


def chance(seed: int) -> Random:
    return Random(seed)  # noqa: S311 - chance, no secret


def a_set(folder: Path) -> Path:
    part = folder / "cosqa" / "dev"
    part.mkdir(parents=True)
    asked = {"id": "q1", "text": "Who built the lighthouse?", "gold": ["d1"], "group": None}
    docs = [{"id": "d0", "text": "Nothing of note."}, {"id": "d1", "text": PASSAGE}]
    (part / "queries.jsonl").write_text(json.dumps(asked) + "\n")
    (part.parent / "corpus.jsonl").write_text("\n".join(map(json.dumps, docs)) + "\n")
    return folder


@requirement("training.overlap-is-found")
def test_a_copied_passage_and_a_copied_question_are_found(tmp_path: Path) -> None:
    sets = a_set(tmp_path)
    pools = [
        Pool(
            "qmsum", "a", [f"As we read: {PASSAGE.upper()}!", "Short."], [Ask("What is new?", [1])]
        ),
        Pool("heading", "b", ["Other text."], [Ask("who built the lighthouse", [0])]),
        Pool("commit", "c", ["The lighthouse on the northern cape."], [Ask("Cape", [0])]),
        Pool("cosqa", "d", [PASSAGE], [Ask("Who built the lighthouse?", [0])]),
    ]

    marks = marks_of(sets, ["cosqa"])
    found = compare(pools, marks)

    assert set(found) == {("qmsum", "cosqa"), ("heading", "cosqa")}
    assert found["qmsum", "cosqa"].passages == {"d1"}
    assert found["heading", "cosqa"].questions == {"who built the lighthouse"}
    assert "Without any overlap: commit." in report(pools, marks, found)


def test_a_set_becomes_a_pool_and_comes_back_from_its_file(tmp_path: Path) -> None:
    [pool] = development(a_set(tmp_path) / "cosqa")
    pool.asks.append(Ask("nobody knows", []))

    write_pools(tmp_path / "pools.jsonl", [pool])
    [again] = read_pools(tmp_path / "pools.jsonl")

    assert again.docs == ["Nothing of note.", PASSAGE]
    assert again.asks == [Ask("Who built the lighthouse?", [1], id="q1")]


def test_a_question_about_a_turn_names_its_speaker_and_is_never_in_the_first_person() -> None:
    turn = "I've moved my workshop to the old bakery because we needed daylight."

    made = {about_turn("Priya", turn, chance(seed)) for seed in range(40)}

    assert len(made) > 10
    assert not any(word in (question or "").split() for question in made for word in ("I", "my"))
    assert about_turn("Priya", "Is it so?", chance(1)) is None
    assert about_turn("Priya", "Yes, ok.", chance(1)) is None


def test_a_function_is_asked_for_by_its_docstring_which_is_cut_out(tmp_path: Path) -> None:
    (tmp_path / "package.py").write_text(
        "def load(path):\n"
        '    """Returns the settings of a user from a file."""\n'
        "    with open(path) as file:\n"
        "        return dict(line.split('=') for line in file)\n"
    )
    (tmp_path / "broken.py").write_text("def (")

    [pool] = docstrings([tmp_path], chance(3))

    assert "settings" in pool.asks[0].q
    assert '"""' not in pool.docs[0]
    assert about_function("Returns the sum of two numbers", chance(2)).startswith(
        ("Returns", "how to", "python", "return")
    )
