"""The true state of a remembered span, and whether the program's verdict agrees with it.

The truth comes from the identities of the lines alone. A place is indistinguishable from the
remembered one if its text and the three lines before and after are equal; two places of one file
are indistinguishable if these are equal in both. Nobody could tell them apart, so a confusion is
not an error of the program, but it is counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from torture.git_lines import Line, Page, Tree

CONTEXT = 3
_GAP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A range of lines in a file, counted from 1."""

    path: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first}-{self.last}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptProposal:
    """A span as it was when it was remembered, and the memory that rests on it."""

    place: Place
    lines: tuple[Line, ...]
    around: tuple[tuple[str, ...], tuple[str, ...]]
    claim: str
    branch: str
    memory: str
    span: str

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of the remembered lines."""
        return tuple(line.text for line in self.lines)


class State(StrEnum):
    """The true state of a span."""

    INTACT = "intact"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """The true state of a span and its place; ``left`` counts the lines with the same text.

    A span that was split has several places, each with a good part of it. Blank lines do not count.
    """

    state: State
    places: tuple[Place, ...] = ()
    left: int = 0
    of: int = 0
    length: int = 0

    @property
    def still_exists(self) -> bool:
        """Return whether a person would call it still existing: at least half of it is left."""
        return self.state is State.INTACT or (self.left > 0 and 2 * self.left >= self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The program's verdict on a span."""

    verdict: str
    places: tuple[Place, ...] = ()
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The comparison of a verdict with the truth; ``wrong`` says why it is false."""

    verdict: str
    truth: Truth
    wrong: str = ""
    is_found: bool = False
    is_excused: bool = False


def around(page: Page, place: Place) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the texts of the three lines before and after a place."""
    texts = [line.text for line in page.lines]
    before = texts[max(0, place.first - 1 - CONTEXT) : place.first - 1]
    return tuple(before), tuple(texts[place.last : place.last + CONTEXT])


def truth_of(kept: KeptProposal, tree: Tree) -> Truth:
    """Return the true state of a span in these files."""
    wanted = {line.id: line.text for line in kept.lines}
    of, left = sum(bool(text.strip()) for text in kept.texts), 0
    runs: list[tuple[str, list[int]]] = []
    for path, page in tree.items():
        at = [index for index, line in enumerate(page.lines) if line.id in wanted]
        if at and _is_intact(kept, page, at):
            return Truth(state=State.INTACT, places=(_place(path, at),), length=len(wanted))
        said = [(page.lines[index].text, wanted[page.lines[index].id]) for index in at]
        left = max(left, sum(now == then and bool(now.strip()) for now, then in said))
        runs += [(path, run) for run in _runs(at)]
    if not runs:
        return Truth(state=State.GONE, of=of, length=len(wanted))
    most = max(len(run) for _, run in runs)
    good = [(path, run) for path, run in runs if len(run) == most or 3 * len(run) >= len(wanted)]
    places = tuple(_place(path, run) for path, run in good)
    return Truth(state=State.CHANGED, places=places, left=left, of=of, length=len(wanted))


def _is_intact(kept: KeptProposal, page: Page, at: list[int]) -> bool:
    found = page.lines[at[0] : at[-1] + 1]
    return [(line.id, line.text) for line in found] == [(line.id, line.text) for line in kept.lines]


def _runs(at: list[int]) -> list[list[int]]:
    """Return the indices in consecutive groups, ignoring small gaps."""
    runs: list[list[int]] = []
    for index in at:
        if runs and index - runs[-1][-1] <= _GAP + 1:
            runs[-1].append(index)
        else:
            runs.append([index])
    return runs


def _place(path: str, at: list[int]) -> Place:
    return Place(path=path, first=at[0] + 1, last=at[-1] + 1)


def judged(kept: KeptProposal, said: Said, tree: Tree) -> Judgement:
    """Compare the program's verdict with the truth."""
    truth = truth_of(kept, tree)
    match said.verdict:
        case "fresh":
            claimed: tuple[Place, ...] = (kept.place,)
        case "moved":
            claimed = said.places
        case _:
            return Judgement(
                verdict=said.verdict, truth=truth, is_found=_is_placed(said.places, truth)
            )
    if len(claimed) != 1:
        return Judgement(verdict=said.verdict, truth=truth, wrong="it names no single place")
    if truth.state is State.INTACT and truth.places == claimed:
        stays = said.verdict == "moved" and claimed[0] == kept.place
        wrong = "it is where it was" if stays else ""
        return Judgement(verdict=said.verdict, truth=truth, is_found=True, wrong=wrong)
    if problem := _distinguished(kept, truth, claimed[0], tree):
        return Judgement(verdict=said.verdict, truth=truth, wrong=problem)
    return Judgement(verdict=said.verdict, truth=truth, is_found=True, is_excused=True)


def _distinguished(kept: KeptProposal, truth: Truth, claimed: Place, tree: Tree) -> str:
    """Return how the claimed place differs visibly from the true one; "" if it does not."""
    page = tree.get(claimed.path)
    if page is None:
        return f"there is no {claimed.path}"
    texts = tuple(line.text for line in page.lines[claimed.first - 1 : claimed.last])
    if texts != kept.texts:
        return "another text stands there"
    if around(page, claimed) == kept.around:
        # The place looks exactly like the remembered one, whichever lines these were before: if two
        # equal functions change places, not one byte shows it.
        return ""
    # If both places are in one file, a reader sees two, and must be able to tell which is meant.
    is_one_file = truth.state is State.INTACT and truth.places[0].path == claimed.path
    if is_one_file and around(page, claimed) == around(page, truth.places[0]):
        return ""
    return "the same text, but other lines around it"


def _is_placed(places: tuple[Place, ...], truth: Truth) -> bool:
    """Return whether a true place is among those named, and not inside a much larger one."""
    fitting = [place for place in places if place.last - place.first < 3 * truth.length + 10]
    return any(_covers(place, true) for place in fitting for true in truth.places)


def _covers(place: Place, true: Place) -> bool:
    length = true.last - true.first + 1
    common = min(true.last, place.last) - max(true.first, place.first) + 1
    return place.path == true.path and 2 * common >= length and common > 0
