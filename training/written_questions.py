"""The questions that were written for laver, as arrays of tokens.

A file in ``training/questions`` has groups of ten lines: two claims about one subject (``A`` and
``B``), three questions that only the first answers (``a``), three that only the second answers
(``b``), and two near misses, which neither answers (``n``). The first question of three shares no
content word with its claim, the third is how a person in a hurry types it.

    python -m training.written_questions --written training/questions --out questions.npz
    python -m training.written_questions --written training/questions --pools written.jsonl

The second form writes all texts as pools, for ``training.overlap``.

The nearest other claims of each question, by the vectors of kelp, are stored with it: they are the
wrong answers that a search would bring. One group in eight is held out.
"""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

import numpy

from holdfast.adapters.embedding import wordpiece
from training.pools import Ask, Pool, write_pools

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

ROOM, QUESTION_ROOM, LEAST_OF_CLAIM = 112, 40, 8
NOTHING = -1
HELD_OUT = 8
NEAREST = 24
_FIRST, _LAST, _STEP = 101, 102, 16
_MARKS = ["A", "B", "a", "a", "a", "b", "b", "b", "n", "n"]
_LINE = re.compile(r"([ABabn]): (\S.*)")


class Group(NamedTuple):
    """Two claims, and questions with the number of the claim that answers each, or -1."""

    src: str
    claims: tuple[str, str]
    questions: tuple[tuple[str, int], ...]

    @property
    def is_held_out(self) -> bool:
        """Whether the group is asked and not trained on; it follows from its first claim."""
        return crc32(self.claims[0].encode()) % HELD_OUT == 0


def groups(paths: Iterable[Path]) -> Iterator[Group]:
    """Yield the groups of some files.

    Raises:
        ValueError: A group has other lines than a group has.
    """
    for path in paths:
        for block in re.split(r"\n\s*\n", path.read_text(encoding="utf-8").strip()):
            lines = [_LINE.fullmatch(line.strip()) for line in block.splitlines()]
            told = [line.groups() for line in lines if line is not None]
            if [mark for mark, _ in told] != _MARKS:
                problem = f"{path} has a group of other lines: {block[:60]}"
                raise ValueError(problem)
            answer = {"a": 0, "b": 1, "n": NOTHING}
            yield Group(
                path.stem,
                (told[0][1], told[1][1]),
                tuple((text, answer[mark]) for mark, text in told[2:]),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Questions:
    """Claims and questions as tokens; the claims of group n are 2 n and 2 n + 1."""

    tokens: NDArray[numpy.uint16]
    ends: NDArray[numpy.int64]
    """The end of each text: first those of the claims, then those of the questions."""
    claims: int
    group: NDArray[numpy.int32]
    """The group of each question."""
    answer: NDArray[numpy.int32]
    """The claim that answers each question, or -1."""
    near: NDArray[numpy.int32]
    """The claims of other groups that are nearest to each question."""
    held: NDArray[numpy.bool_]
    """Whether each question is held out."""

    def text(self, number: int) -> NDArray[numpy.uint16]:
        """Return the tokens of one text."""
        return self.tokens[self.ends[number - 1] if number else 0 : self.ends[number]]

    def rows(self, pairs: Iterable[tuple[int, int]], room: int = ROOM) -> NDArray[numpy.int64]:
        """Return the tokens of questions and claims with their marks, padded."""
        rows = [row(self.text(self.claims + one), self.text(claim), room) for one, claim in pairs]
        longest = max(map(len, rows))
        found = numpy.zeros((len(rows), -(-longest // _STEP) * _STEP), "int64")
        for number, one in enumerate(rows):
            found[number, : len(one)] = one
        return found

    def save(self, path: Path) -> None:
        """Write the arrays."""
        numpy.savez_compressed(path, **{name: getattr(self, name) for name in self.__slots__})

    @classmethod
    def load(cls, path: Path) -> Questions:
        """Return what was written."""
        with numpy.load(path) as kept:
            found = {name: kept[name] for name in kept.files if name != "claims"}
            return cls(claims=int(kept["claims"]), **found)


def row(question: NDArray[numpy.uint16], claim: NDArray[numpy.uint16], room: int) -> list[int]:
    """Return the tokens of one question and one claim with their marks; both are cut."""
    asked = question[:QUESTION_ROOM]
    left = max(LEAST_OF_CLAIM, room - len(asked) - 3)
    return [_FIRST, *asked.tolist(), _LAST, *claim[:left].tolist(), _LAST]


def arrays(found: list[Group], vectors: Callable[[list[str]], NDArray[numpy.float32]]) -> Questions:
    """Return groups as arrays; ``vectors`` returns vectors of length one for texts."""
    claims = [claim for group in found for claim in group.claims]
    asked = [
        (number, text, answer)
        for number, group in enumerate(found)
        for text, answer in group.questions
    ]
    pieces = wordpiece.WordPieces.read(Path(wordpiece.__file__).with_name("bert_uncased.txt"))
    texts = [*claims, *(text for _, text, _ in asked)]
    tokens = [numpy.array(pieces.pieces(text)[:ROOM], "uint16") for text in texts]
    group = numpy.array([number for number, _, _ in asked], "int32")
    alike = vectors([text for _, text, _ in asked]) @ vectors(claims).T
    for place, number in enumerate(group):
        alike[place, 2 * number : 2 * number + 2] = -2
    near = numpy.argsort(-alike, axis=1)[:, :NEAREST]
    return Questions(
        tokens=numpy.concatenate(tokens),
        ends=numpy.cumsum([len(one) for one in tokens]),
        claims=len(claims),
        group=group,
        answer=numpy.array(
            [NOTHING if answer < 0 else 2 * number + answer for number, _, answer in asked], "int32"
        ),
        near=near.astype("int32"),
        held=numpy.array([found[number].is_held_out for number in group]),
    )


def area(yes: ArrayLike, no: ArrayLike) -> float:
    """Return the chance that a right pair scores higher than a wrong one."""
    order = numpy.sort(no)
    return float(numpy.mean(numpy.searchsorted(order, yes) / len(order)))


def as_pools(found: Iterable[Group]) -> Iterator[Pool]:
    """Yield groups as pools; near misses are among the documents, so that no text is missing."""
    for number, group in enumerate(found):
        near = [text for text, answer in group.questions if answer == NOTHING]
        asks = [Ask(text, [answer]) for text, answer in group.questions if answer != NOTHING]
        yield Pool(f"written_{group.src}", str(number), [*group.claims, *near], asks)


def _by_kelp(texts: list[str]) -> NDArray[numpy.float32]:
    from holdfast.bootstrap.opening.embedders import embedder  # noqa: PLC0415 - not on the GPU

    kelp = embedder(Path(os.environ["HOLDFAST_MODELS"]))
    if kelp is None:
        problem = "kelp is not installed: run `make model`"
        raise SystemExit(problem)
    values = [parts[0].values for parts in kelp.embed(texts)]
    return numpy.stack([numpy.frombuffer(one, "<f4") for one in values])


def main() -> None:
    """Write the arrays of all files of a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--written", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--pools", type=Path)
    given = parser.parse_args()
    found = [*groups(sorted(given.written.glob("*.txt")))]
    if given.pools:
        write_pools(given.pools, as_pools(found))
    if not given.out:
        return
    made = arrays(found, _by_kelp)
    made.save(given.out)
    print(f"{made.claims} claims, {len(made.group)} questions, {int(made.held.sum())} held out")


if __name__ == "__main__":
    main()
