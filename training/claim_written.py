"""Reads the pairs that were written one by one for the judge: five newer texts for each older one.

    python -m training.claim_written software.tsv life.tsv world.tsv

puts files with the columns label, older and newer into ``claim_pairs_written.tsv``, sorted by
domain and older text. Every fifth older text of a domain is held out and never trained on; the
threshold is chosen on one half of these, and the figures are of the other half.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.conflict_sets import EVERYDAY, fresh_pairs, own_pairs
from training.claims import AMENDS, COMPATIBLE, ClaimPair
from training.overlap import words_of

WRITTEN = Path(__file__).with_name("claim_pairs_written.tsv")
CONFLICT = "conflict"
_HELD_EVERY, _ALIKE = 5, 0.6
_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class WrittenPair:
    """A written pair; ``anchor`` is the number of its older text within the domain."""

    domain: str
    anchor: int
    is_conflict: bool
    older: str
    newer: str

    @property
    def is_held(self) -> bool:
        """Whether the pair is never trained on."""
        return self.anchor % _HELD_EVERY == _HELD_EVERY - 1

    @property
    def is_for_threshold(self) -> bool:
        """Whether a held pair is of the half that the threshold is chosen on."""
        return self.anchor // _HELD_EVERY % 2 == 0

    def as_claims(self) -> ClaimPair:
        """Return the pair as the training reads it."""
        return ClaimPair(
            "written", self.older, self.newer, AMENDS if self.is_conflict else COMPATIBLE
        )


def written_pairs(path: Path = WRITTEN) -> list[WrittenPair]:
    """Return all pairs in the order of the file."""
    found: list[WrittenPair] = []
    anchors: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        domain, label, older, newer = line.split("\t")
        known = anchors.setdefault(domain, {})
        number = known.setdefault(older, len(known))
        found.append(WrittenPair(domain, number, label == CONFLICT, older, newer))
    return found


def trained(pairs: list[WrittenPair]) -> list[WrittenPair]:
    """Return the pairs to train on: none that is held out, and none whose older text is like one.

    Two older texts are alike if they share three of five of their words. An older text is left out
    too if it, or one of its newer texts, is a text of the sets that a judge is asked about.
    """
    held = [set(words_of(text)) for text in {one.older for one in pairs if one.is_held}]
    own = [*own_pairs(), *fresh_pairs(), *fresh_pairs(EVERYDAY)]
    asked = {" ".join(words_of(text)) for one in own for text in (one.older, one.newer)}
    left = {
        one.older
        for one in pairs
        if one.is_held
        or not asked.isdisjoint(" ".join(words_of(text)) for text in (one.older, one.newer))
    }
    for text in {one.older for one in pairs} - left:
        said = set(words_of(text))
        if any(_shared(said, other) >= _ALIKE for other in held):
            left.add(text)
    return [one for one in pairs if one.older not in left]


def _shared(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)


def _read(path: Path) -> list[tuple[str, str, str, str]]:
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        cells = [" ".join(cell.split()) for cell in line.split("\t")]
        if len(cells) == _COLUMNS - 1 and cells[0] in {CONFLICT, "none"} and all(cells):
            rows.append((path.stem, cells[0], cells[1], cells[2]))
    return rows


def main() -> None:
    """Sort the pairs of several files into one; say how many of each kind there are."""
    rows = sorted(
        {row for name in sys.argv[1:] for row in _read(Path(name))},
        key=lambda row: (row[0], row[2], row[1], row[3]),
    )
    WRITTEN.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    pairs = written_pairs()
    counts = Counter((one.domain, one.is_held, one.is_conflict) for one in pairs)
    for (domain, is_held, is_conflict), count in sorted(counts.items()):
        print(domain, "held" if is_held else "trained", "conflict" if is_conflict else "none",
              count)  # fmt: skip
    print("left out as like one that is asked:", sum(not one.is_held for one in pairs)
          - len(trained(pairs)))  # fmt: skip


if __name__ == "__main__":
    main()
