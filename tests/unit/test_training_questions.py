"""The questions that were written to train the reader of answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy
import pytest
from numpy.typing import NDArray

from training.answer_figures import OTHERS, added, read, summary
from training.written_questions import (
    HELD_OUT,
    NEAREST,
    NOTHING,
    ROOM,
    Questions,
    area,
    arrays,
    as_pools,
    groups,
    row,
)

WRITTEN = sorted((Path(__file__).parents[2] / "training" / "questions").glob("*.txt"))
GROUP = """\
A: Tokens rotate hourly.
B: Tokens are signed with the key of the cluster.
a: How often are credentials renewed?
a: When do tokens change?
a: token rotation
b: What vouches for a credential?
b: Which key signs tokens?
b: token signing key
n: Who may read the tokens?
n: How long is a token?
"""


def vectors(texts: list[str]) -> NDArray[numpy.float32]:
    return numpy.eye(len(texts), 64, dtype="float32")


def written(folder: Path, text: str) -> Path:
    path = folder / "small.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_written_group_can_be_read_and_none_is_there_twice() -> None:
    found = [*groups(WRITTEN)]
    claims = [claim for group in found for claim in group.claims]
    held = sum(group.is_held_out for group in found)

    assert len(found) > 2_500
    assert len({*claims}) == len(claims)
    assert held == pytest.approx(len(found) / HELD_OUT, rel=0.2)
    assert all(question.strip() for group in found for question, _ in group.questions)


def test_a_group_of_other_lines_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, GROUP.replace("b: token signing key\n", ""))

    with pytest.raises(ValueError, match="other lines"):
        list(groups([path]))


def test_questions_know_their_claim_and_near_claims_of_others(tmp_path: Path) -> None:
    many = "\n".join(GROUP.replace("Tokens", f"Tokens {number}") for number in range(20))
    made = arrays([*groups([written(tmp_path, many)])], vectors)

    assert made.claims == 40
    assert made.answer[:8].tolist() == [0, 0, 0, 1, 1, 1, NOTHING, NOTHING]
    assert made.answer[8:16].tolist() == [2, 2, 2, 3, 3, 3, NOTHING, NOTHING]
    assert made.near.shape == (160, NEAREST)
    assert all(
        near // 2 != group
        for places, group in zip(made.near, made.group, strict=True)
        for near in places
    )
    made.save(tmp_path / "made.npz")
    again = Questions.load(tmp_path / "made.npz")
    assert again.claims == made.claims
    assert (again.rows([(0, 0), (3, 1)]) == made.rows([(0, 0), (3, 1)])).all()


def test_a_row_has_marks_and_room() -> None:
    short, long = numpy.array([7, 8], "uint16"), numpy.full(300, 9, "uint16")

    assert row(short, short, ROOM) == [101, 7, 8, 102, 7, 8, 102]
    assert len(row(long, long, ROOM)) == ROOM
    assert len(row(short, long, 64)) == 64


def test_pools_have_every_text(tmp_path: Path) -> None:
    (pool,) = as_pools(groups([written(tmp_path, GROUP)]))

    assert len(pool.docs) == 4
    assert [ask.gold for ask in pool.asks] == [[0]] * 3 + [[1]] * 3


@dataclass(frozen=True)
class Words:
    """A reader that counts the words that a question and a claim share."""

    name: str = "words"

    def readings(self, question: str, claims: Sequence[str]) -> Sequence[float | None]:
        """Return the number of shared words."""
        asked = {word.strip(".?").lower() for word in question.split()}
        return [float(len(asked & {*claim.lower().strip(".").split()})) for claim in claims]


def test_what_a_reader_knows_of_questions_left_out_is_counted(tmp_path: Path) -> None:
    held = [*groups([written(tmp_path, GROUP)])]
    found = read(Words(), held)
    cells = summary("small", found).split(" | ")

    assert len(found.right) == 6
    assert len(found.near) == 6 + 2 * 2
    assert len(found.far) == 8 * OTHERS
    assert cells[0] == "| small"
    assert cells[1] == "6"
    assert float(cells[-1].rstrip(" |")) == pytest.approx(sum(found.is_first) / 6, abs=0.001)
    assert added(found, found).right == found.right * 2


def test_the_area_is_the_chance_that_a_right_pair_scores_higher() -> None:
    assert area([3.0, 4.0], [1.0, 2.0]) == 1.0
    assert area([1.0], [1.0, 2.0]) == 0.0
    assert area([2.0], [1.0, 3.0]) == 0.5
