"""Measures whether recall is silent if no memory answers; ``python -m benchmarks.silence``.

Forty questions that no memory answers and sixty that one answers are asked of stores of 15, 500 and
10,000 memories, with the embedding model and by words alone. The memories and questions were
written for this measurement. The rule was fitted with the first set of questions in sight; the
second was written after its first form, the third before its present form was measured. Twenty
near misses share a word with a memory that does not answer them. ``--show`` prints every mistake,
``--deep`` says when the best are read again, as the setting ``recall.deep``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.principal import A_PERSON
from benchmarks.silence_material import (
    HELD,
    SIGHT,
    THIRD,
    Asked,
    near_misses,
    questions,
    store_of,
    written,
)
from holdfast.app import Holdfast
from holdfast.bootstrap.opening.wiring import open_holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember

SIZES = (15, 500, 10_000)
MOST_ANSWERED = 4
MOST_LOST = 1
DEEP = {"off": False, "auto": None, "on": True}
"""What a question says for each value of the setting: ``auto`` reads before an answer is silent."""
_BATCH = 256


@dataclass(kw_only=True)
class Outcome:
    """The results of a store for a set of questions.

    ``answered`` are unanswerable questions that got an item. ``lost`` are answerable ones whose
    memory was found but not returned, ``missed`` those whose memory was not found at all, and
    ``misled`` those of both that got other items.
    """

    answered: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    misled: int = 0
    answerable: int = 0
    unanswerable: int = 0
    items: int = 0

    @property
    def precision(self) -> float:
        """Return the share of the answers that contain the right memory."""
        right = self.answerable - len(self.lost) - len(self.missed)
        return right / max(1, right + self.misled + len(self.answered))

    @property
    def silence(self) -> float:
        """Return the share of the unanswerable questions that got nothing."""
        return 1 - len(self.answered) / max(1, self.unanswerable)


def filled(folder: Path, size: int) -> Holdfast:
    """Return a store of this many claims, all embedded if there is a model."""
    return holding(folder, store_of(size))


def holding(folder: Path, claims: Sequence[str]) -> Holdfast:
    """Return a store of these claims, all embedded if there is a model."""
    folder.mkdir(parents=True, exist_ok=True)
    memory = open_holdfast(principal=A_PERSON, home=folder, folder=folder, tokens="estimate")
    for start in range(0, len(claims), _BATCH):
        wishes = [
            Remember(
                origin=Origin.HUMAN, claim=claim, grounds=Grounds(because="it was written for this")
            )
            for claim in claims[start : start + _BATCH]
        ]
        memory.memories.remember_all(wishes)
    if memory.embedder is not None:
        memory.upkeep.catch_up(lambda _done, _total: None)
    return memory


def outcome(memory: Holdfast, asked: Sequence[Asked], *, deep: bool | None = False) -> Outcome:
    """Ask every question, and return which were answered wrongly."""
    found, claims = Outcome(), written()
    for one in asked:
        recalled = memory.answers.answer(Question(text=one.text, deep=deep))
        records, bundle = recalled.records, recalled.bundle
        given = {records[item.memory_id].memory.claim for item in bundle.items}
        considered = {records[left.memory_id].memory.claim for left in bundle.left_out}
        if not one.is_answerable:
            found.unanswerable += 1
            found.answered += [one.text] if given else []
            continue
        found.answerable += 1
        found.items += len(given)
        if claims[one.answer] not in given:
            found.misled += bool(given)
            (found.lost if claims[one.answer] in considered else found.missed).append(one.text)
    return found


def main(words: list[str]) -> int:
    """Print a row for every store and set."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.silence", description=__doc__)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="such as 15,500")
    parser.add_argument("--show", action="store_true", help="print every mistake")
    parser.add_argument("--deep", choices=DEEP, default="auto", help="when the best are read again")
    given = parser.parse_args(words)
    print(f"at most {MOST_ANSWERED} of 40 answered, at most {MOST_LOST} of 60 lost\n")
    print(_row(*_HEADS))
    print(_row("--:", "---", "---", *["--:"] * (len(_HEADS) - 3)))
    with tempfile.TemporaryDirectory(prefix="holdfast-silence-") as folder:
        for size in map(int, given.sizes.split(",")):
            memory = filled(Path(folder) / str(size), size)
            ways = {} if given.deep == "on" else {"words": replace(memory, embedder=None)}
            if memory.embedder is not None:
                ways[memory.embedder.model.name.partition("@")[0]] = memory
            for way, asking in ways.items():
                for name, asked in _sets().items():
                    found = outcome(asking, asked, deep=DEEP[given.deep])
                    print(_row(f"{size:,}", way, name, *_cells(found)), flush=True)
                    if given.show:
                        _print_mistakes(found)
            memory.close()
    return 0


_HEADS = (
    "memories", "with", "set", "answered", "lost", "not found", "items an answer",
    "precision of answers", "recall of silence",
)  # fmt: skip


def _sets() -> dict[str, list[Asked]]:
    named = {"first": SIGHT, "second": HELD, "third": THIRD}
    return {
        **{name: questions(file) for name, file in named.items()},
        "near misses": near_misses(),
    }


def _cells(found: Outcome) -> tuple[str, ...]:
    answered = f"{len(found.answered)} of {found.unanswerable}"
    if not found.answerable:
        return answered, "", "", "", "", f"{found.silence:.2f}"
    return (
        answered,
        f"{len(found.lost)} of {found.answerable}",
        str(len(found.missed)),
        f"{found.items / found.answerable:.1f}",
        f"{found.precision:.2f}",
        f"{found.silence:.2f}",
    )


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _print_mistakes(found: Outcome) -> None:
    for kind, texts in (
        ("answered", found.answered), ("lost", found.lost), ("not found", found.missed)
    ):  # fmt: skip
        for text in texts:
            print(f"  {kind}: {text}")


if __name__ == "__main__":
    os.environ.setdefault("HOLDFAST_MODELS", str(Path(__file__).parents[1] / ".models"))
    sys.exit(main(sys.argv[1:]))
