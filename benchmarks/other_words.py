"""Asks in other words than the memory has; ``python -m benchmarks.other_words``.

126 claims were written as a team would remember them, 21 each from the documents of six projects.
156 questions ask for one of them with little or no wording in common. 115 near misses ask for
another fact about the same subject, and 42 questions are about something else: neither has an
answer. Rules are chosen with the first three projects and judged with the others (decision 160).

A small store has the claims of one project and four others, the large one has all of them;
``--beside FILE`` adds a third one that has the lines of a file too.
``--deep`` says when the best are read again, as the setting ``recall.deep``.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from benchmarks.silence import DEEP, holding
from holdfast.app import Holdfast
from holdfast.domain.recall.question import Question

CHOSEN = ("flask", "requests", "celery")
JUDGED = ("pytest", "httpx", "boltons")
HALVES = {"chosen": CHOSEN, "judged": JUDGED}
CLAIM, ASKED, NEAR, FAR = "claim", "asked", "near", "far"
_FILE = Path(__file__).with_name("other_words.tsv")
_FEW, _FROM_OTHERS, _EVERY = 3, 4, 26


class Line(NamedTuple):
    """A claim, or a question with the name of the claim that it is about.

    The project of a question about something else is the half that it belongs to.
    """

    project: str
    kind: str
    name: str
    text: str


@dataclass(kw_only=True)
class Counts:
    """What a store answered; ``first`` to ``silent`` are of the questions in other words."""

    asked: int = 0
    first: int = 0
    among_three: int = 0
    given: int = 0
    silent: int = 0
    without: dict[str, int] = field(default_factory=lambda: {NEAR: 0, FAR: 0})
    """Questions without an answer, by kind."""
    answered: dict[str, int] = field(default_factory=lambda: {NEAR: 0, FAR: 0})
    """Those of them that got an item."""


def lines() -> list[Line]:
    """Return the claims and the questions."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        return [Line(*row) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def counted(
    memory: Holdfast, asked: Sequence[Line], claims: Sequence[Line], *, deep: bool | None = False
) -> Counts:
    """Ask every question, and count what came back."""
    found, right = Counts(), {one.name: one.text for one in claims}
    for one in asked:
        recalled = memory.answers.answer(Question(text=one.text, deep=deep))
        items = [recalled.records[item.memory_id].memory.claim for item in recalled.bundle.items]
        if one.kind != ASKED:
            found.without[one.kind] += 1
            found.answered[one.kind] += bool(items)
            continue
        wanted = right[one.name]
        found.asked += 1
        found.first += items[:1] == [wanted]
        found.among_three += wanted in items[:_FEW]
        found.given += wanted in items
        found.silent += not items
    return found


def added(parts: Sequence[Counts]) -> Counts:
    """Return the sum of the counts of several stores."""
    whole = Counts()
    for part in parts:
        whole.asked += part.asked
        whole.first += part.first
        whole.among_three += part.among_three
        whole.given += part.given
        whole.silent += part.silent
        for kind in (NEAR, FAR):
            whole.without[kind] += part.without[kind]
            whole.answered[kind] += part.answered[kind]
    return whole


def of_half(every: Sequence[Line], half: str) -> list[Line]:
    """Return the questions of a half, those about something else too."""
    return [one for one in every if one.kind != CLAIM and one.project in (*HALVES[half], half)]


def small_store(claims: Sequence[Line], project: str) -> list[str]:
    """Return the claims of a project, and four of the others."""
    own = [one.text for one in claims if one.project == project]
    others = [one.text for one in claims if one.project != project]
    return [*own, *others[::_EVERY][:_FROM_OTHERS]]


def measured(
    folder: Path, beside: Sequence[str] = (), *, deep: bool | None = False
) -> Iterator[tuple[int, str, Counts]]:
    """Yield the size of each store, the half, and what it answered."""
    every = lines()
    claims = [one for one in every if one.kind == CLAIM]
    for half, projects in HALVES.items():
        asked, parts, size = of_half(every, half), [], 0
        for project in projects:
            texts = small_store(claims, project)
            memory, size = holding(folder / project, texts), len(texts)
            own = [one for one in asked if one.project in {project, half}]
            parts.append(counted(memory, own, claims, deep=deep))
            memory.close()
        yield size, half, added(parts)
    texts = [one.text for one in claims]
    for many in [texts, [*texts, *beside]] if beside else [texts]:
        memory = holding(folder / str(len(many)), many)
        for half in HALVES:
            yield len(many), half, counted(memory, of_half(every, half), claims, deep=deep)
        memory.close()


def main(words: list[str]) -> int:
    """Print a row for every store and half."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.other_words", description=__doc__)
    parser.add_argument("--beside", type=Path, help="a file of further memories, one a line")
    parser.add_argument("--deep", choices=DEEP, default="auto", help="when the best are read again")
    given = parser.parse_args(words)
    beside = given.beside.read_text(encoding="utf-8").splitlines() if given.beside else []
    print(
        "| half | memories | first | among three | given | silent | near answered | far answered |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="holdfast-other-words-") as folder:
        for size, half, found in measured(Path(folder), beside, deep=DEEP[given.deep]):
            cells = [half, f"{size:,}", f"{found.first} of {found.asked}"]
            cells += map(str, (found.among_three, found.given, found.silent))
            cells += [f"{found.answered[kind]} of {found.without[kind]}" for kind in (NEAR, FAR)]
            print(f"| {' | '.join(cells)} |", flush=True)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("HOLDFAST_MODELS", str(Path(__file__).parents[1] / ".models"))
    sys.exit(main(sys.argv[1:]))
