"""The recipe of the model: questions by rules, and the check that no benchmark is in the data."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from benchmarks.rewording import FORMS
from holdfast.adapters.embedding.reading import MOST_READ
from holdfast.domain.recall.read_hits import spread
from tests.requirements import requirement
from training.folds import Left
from training.overlap import compare, marks_of, report
from training.pools import Ask, Pool, read_pools, write_pools
from training.programming import docstrings
from training.reread import WEIGHT, as_pool, divided, found_by, reordered
from training.reworded import reworded
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


def test_other_wordings_keep_what_is_asked_and_are_not_those_of_the_benchmark() -> None:
    asked = "When did Maria visit the town in May?"

    made = {reworded(asked, chance(seed)) for seed in range(200)}

    assert len(made) > 20
    assert "In May, when did Maria visit the town?" in made
    assert "At what time did Maria go to the city in May?" in made
    others = {rule(asked) for name, rule in FORMS.items() if name != "lower"}
    assert not made & (others - {asked})


def halves() -> list[Pool]:
    talks = [Pool("locomo", name, ["a", "b"], [Ask("?", [0]), Ask("!", [1])]) for name in "xyz"]
    asks = [Ask("1", [0]), Ask("2", [1, 2]), Ask("3", [2]), Ask("4", [3]), Ask("5", [4])]
    return [*talks, Pool("cosqa", "all", list("abcde"), asks), Pool("qmsum", "m", ["t"], asks[:1])]


def left_out(wish: str) -> list[list[int]]:
    pools = halves()
    left = Left(wish, pools)
    return [[n for n in range(len(pool.asks)) if left.out(pool, n)] for pool in pools]


@requirement("training.left-out-is-whole")
def test_a_half_leaves_out_whole_conversations_and_questions_with_a_common_answer() -> None:
    zero, one = left_out("0"), left_out("1")

    assert zero[:3] == [[0, 1], [], [0, 1]]
    assert one[:3] == [[], [0, 1], []]
    assert sorted(zero[3] + one[3]) == [0, 1, 2, 3, 4]
    assert ({1, 2} <= {*zero[3]}) or ({1, 2} <= {*one[3]})
    assert min(len(zero[3]), len(one[3])) == 2
    assert zero[4] == one[4] == []


def test_every_set_or_some_sets_or_none_are_left_out() -> None:
    assert left_out("sets") == [[0, 1]] * 3 + [[0, 1, 2, 3, 4], []]
    assert left_out("cosqa,2wiki") == [[]] * 3 + [[0, 1, 2, 3, 4], []]
    assert left_out("nothing") == [[]] * 5
    with pytest.raises(ValueError, match="qmsum"):
        Left("qmsum", halves())


def test_what_answers_a_question_left_out_is_known() -> None:
    pools = halves()
    pools[0].asks[1].id = "q1"

    assert Left("0", pools).questions(pools[:2]) == {("locomo", ""), ("locomo", "q1")}
    assert Left("nothing", pools).questions(pools) == set()

    assert Left("0", pools).answers(pools[0]) == {0, 1}
    assert Left("0", pools).answers(pools[1]) == set()
    assert Left("cosqa", pools).answers(pools[3]) == {0, 1, 2, 3, 4}


def a_question(group: str, name: str, gold: list[str], hits: list[str]) -> dict[str, object]:
    return {
        "set": "locomo",
        "group": group,
        "id": name,
        "text": f"{name}?",
        "gold": gold,
        "links": False,
        "hits": [
            {
                "text": f"said {hit}",
                "score": 1.0,
                "names": [hit],
                "right": [hit] if hit in gold else [],
            }
            for hit in hits
        ],
    }


@requirement("training.left-out-is-whole")
def test_hits_that_answer_a_question_left_out_are_not_trained_on() -> None:
    found = [
        a_question("a", "q0", ["a1"], ["a1", "a2"]),
        a_question("b", "q1", ["b1"], ["b2", "a1", "b1"]),
    ]

    kept, out = divided(found, {("locomo", "q0"), ("cosqa", "q1")})

    assert [line["id"] for line in out] == ["q0"]
    assert [hit["names"] for hit in kept[0]["hits"]] == [["b2"], ["b1"]]
    pool = as_pool(kept[0])
    assert (pool.src, pool.docs, pool.asks[0].gold) == ("locomo", ["said b2", "said b1"], [1])
    assert divided(found, {("locomo", "q0"), ("locomo", "q1")}) == ([], found)
    assert divided(found, set()) == (found, [])


def test_hits_are_ordered_as_a_deep_recall_orders_them() -> None:
    scores = [1.0 - number / 10 for number in range(14)]
    read = [float(number % 5) for number in range(14)]
    fits = spread(read[:MOST_READ])
    lifted = [score + WEIGHT * fit for score, fit in zip(scores, fits, strict=False)]

    order = reordered(scores, read, links=False)

    assert order[:MOST_READ] == sorted(range(MOST_READ), key=lambda number: -lifted[number])
    assert order[MOST_READ:] == [12, 13]
    assert order != sorted(order)
    assert reordered(scores, read, links=True) == list(range(14))
    assert reordered([1.0], [2.0], links=False) == [0]


def test_what_an_order_finds_is_counted_by_all_answers() -> None:
    line = a_question("a", "q0", ["x", "y", "z", "w"], ["o", "x", "p", "q", "r", "y"])

    assert found_by(line, range(6)) == (0.25, 0.5, 0.5)
    assert found_by(line, [5, 1, 0, 2, 3, 4]) == (0.5, 0.5, 1.0)
