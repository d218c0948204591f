"""``python -m benchmarks.stale``: is what was amended marked, and only that?

The pairs of ``amended_pairs_held.tsv`` were written before the rules. Their sums were seen while
the rules were made, the single mistakes were not. They are decisions of developers with a later one
that amends them, half of these in words of change (``said``) and half without (``bare``), and
look-alikes that amend nothing. Each pair is compared as two conversations and as two memories.

With ``--data`` all conversations of ``sde_decisions`` are compared with each other in three forms:
as they are worded, with the words of amending replaced by others, and with those words left out.
What real answers mark is the measure ``fresh`` of ``holdfast eval``.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from holdfast.adapters.benchsets.files import find_sets
from holdfast.adapters.benchsets.reading import plan
from holdfast.domain.evaluation.benchmark import Trial
from holdfast.heuristics.english import ENGLISH

PAIRS = Path(__file__).parent / "amended_pairs_held.tsv"
_SET = "sde_decisions"
_SPLIT = "dev"
_RULE = r"(rule|policy|decision)"
_IN_OTHER_WORDS: tuple[tuple[str, str], ...] = (
    (r"\b(?:two )?updates to the (.+?) we settled", r"from now on the \1 is another one than"),
    (r"\b(?:incident-driven )?amendment to the", "new rule for the"),
    (r"\bamendment\b", "new rule"),
    (rf"\bamended {_RULE}", r"new \1"),
    (r"\bamending the (?:policy|rule)", "the new rule"),
    (r"\bsuperseding\b", "dropping"),
    (r"\bgoing forward", "from now on"),
)
_IN_NO_WORDS: tuple[tuple[str, str], ...] = (
    (r"\b(?:two )?updates to the (.+?) we settled", r"about the \1 we have had for"),
    (r"\b(?:incident-driven )?amendment (?:to|after) the", "about the"),
    (r"\bthe only thing this amendment changes is", "it is about"),
    (rf"\bamended {_RULE}", r"the \1"),
    (r"\bamending the (?:policy|rule)", "the policy"),
    (r",? superseding [^:;.,]+", ""),
    (r" going forward", ""),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPair:
    """An earlier and a later decision; ``label`` tells whether it amends, and in which words."""

    label: str
    older: str
    newer: str

    @property
    def is_amended(self) -> bool:
        """Whether the earlier decision no longer holds."""
        return self.label.startswith("amended")


def labelled(path: Path = PAIRS) -> list[LabelledPair]:
    """Read the pairs."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [LabelledPair(label=label, older=older, newer=newer) for label, older, newer in rows]


def is_marked(pair: LabelledPair, *, as_talk: bool) -> bool:
    """Tell whether the earlier one is marked as superseded."""
    talks = {0, 1} if as_talk else set[int]()
    found = ENGLISH.wording.amendments([[pair.older], [pair.newer]], talks)
    return any(one.differs is not None for one in found)


def is_disputed(pair: LabelledPair) -> bool:
    """Tell whether the judge suspects a contradiction, so that both are marked as disputed."""
    return ENGLISH.judge.judged(pair.newer, pair.older, None) is not None


def pair_table(pairs: Sequence[LabelledPair]) -> str:
    """Return how many are marked, by label, as a Markdown table."""
    lines = [
        "| pairs | n | marked, as talk | marked, as memories | marked or disputed, as memories |",
        "|---|---:|---:|---:|---:|",
    ]
    for label in dict.fromkeys(pair.label for pair in pairs):
        own = [pair for pair in pairs if pair.label == label]
        talk = sum(is_marked(pair, as_talk=True) for pair in own)
        kept = [is_marked(pair, as_talk=False) for pair in own]
        either = sum(one or is_disputed(pair) for one, pair in zip(kept, own, strict=True))
        lines.append(f"| {label} | {len(own)} | {talk} | {sum(kept)} | {either} |")
    return "\n".join(lines)


def reworded(rules: Sequence[tuple[str, str]]) -> Callable[[str], str]:
    """Return a function that applies the rules to a text, and keeps capitals at its start."""

    def apply(text: str) -> str:
        for pattern, new in rules:
            text = re.sub(pattern, new, text, flags=re.IGNORECASE)
        return text[:1].upper() + text[1:]

    return apply


FORMS: dict[str, Callable[[str], str]] = {
    "as worded": str,
    "in other words": reworded(_IN_OTHER_WORDS),
    "in no words": reworded(_IN_NO_WORDS),
}


def compared(trial: Trial, form: Callable[[str], str]) -> set[tuple[str, str]]:
    """Return which conversations are marked, each with the one that amends it."""
    talks: dict[str, list[str]] = {}
    for one in trial.documents:
        if "#" in one.id:
            talks.setdefault(_thread(one.id), []).append(form(one.claim))
    names = list(talks)
    found = ENGLISH.wording.amendments(list(talks.values()), set(range(len(names))))
    return {(names[one.older[0]], names[one.newer[0]]) for one in found if one.differs is not None}


def compared_table(found: dict[str, set[tuple[str, str]]], stale: set[str], talks: int) -> str:
    """Return how many conversations are marked in each form, and which."""
    lines = [
        f"| wording of {talks} conversations | marked | labelled stale | others |",
        "|---|---:|---:|---:|",
    ]
    for form, pairs in found.items():
        olders = {older for older, _ in pairs}
        right = f"{len(olders & stale)} of {len(stale)}"
        lines.append(f"| {form} | {len(olders)} | {right} | {len(olders - stale)} |")
    lines += [_told(form, pairs) for form, pairs in found.items()]
    return "\n".join(lines)


def _told(form: str, pairs: set[tuple[str, str]]) -> str:
    told = ", ".join(f"{older} by {newer}" for older, newer in sorted(pairs))
    return f"\n{form}: {told or 'none'}"


def _thread(name: str) -> str:
    return name.partition("#")[0]


def main(given: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stale", description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of the public sets")
    parser.add_argument("--show", action="store_true", help="print every wrong pair")
    options = parser.parse_args(given)
    pairs = labelled()
    sys.stdout.write(pair_table(pairs) + "\n")
    if options.show:
        wrong = [one for one in pairs if is_marked(one, as_talk=True) != one.is_amended]
        sys.stdout.writelines(f"{one.label}: {one.older} / {one.newer}\n" for one in wrong)
    if options.data is None:
        return
    sets = {one.name: one for one in find_sets(options.data, _SPLIT)}
    (trial,) = plan(sets[_SET]).trials
    stale = {_thread(name) for query in trial.queries for name in query.stale}
    talks = {_thread(one.id) for one in trial.documents if "#" in one.id}
    pairs_by_form = {name: compared(trial, form) for name, form in FORMS.items()}
    sys.stdout.write("\n" + compared_table(pairs_by_form, stale, len(talks)) + "\n")


if __name__ == "__main__":
    main()
