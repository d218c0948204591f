"""Reads spans at old commits of a real history, and judges them at a later one.

The lines are followed twice, by two of git's diff algorithms. A ``fresh`` or ``moved`` that both
refute is WRONG. A span that both find whole in one place is a continuation: its verdict should be
``fresh`` or ``moved``, and every other verdict on it counts as LOST. ``--repo`` names the
repository; without it a small one is generated.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from holdfast.adapters.git.anchors.surroundings import LocalSurroundings
from holdfast.adapters.git.anchors.verifier import GitVerifier
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import FoundLines, Sighting, Verdict
from holdfast.domain.memory.evidence import Span, read_place
from torture.git_asking import said_of
from torture.git_lines import Tree
from torture.git_site import git_surroundings, made
from torture.git_truth import Judgement, KeptProposal, Place, Said, State, around, judged
from torture.git_writing import author
from torture.history_lines import LineHistory, run_git
from torture.plants import Plant, planted
from torture.report import Report, Tally, aligned, faulty
from torture.task import Task

MOST_COMMITS = 2_000
LONGEST = 40
LEAST_CLAIMED = 0.95
_PER_COMMIT = 20
_REPO = "repo_history"
_TELLING = 20
_SHOWN = 30
_VERDICTS = tuple(verdict.value for verdict in Verdict)


@dataclass(slots=True)
class Findings:
    """The verdicts on spans, by the true state of the spans."""

    matrix: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    placed: int = 0

    @property
    def continuations(self) -> int:
        """How many spans are whole in one place."""
        return sum(number for (state, _), number in self.matrix.items() if state == State.INTACT)

    @property
    def share_claimed(self) -> float:
        """The share of these with the verdict fresh or moved."""
        total = self.continuations
        return 1 - len(self.lost) / total if total else 1.0


def run(task: Task) -> Report:
    """Read spans along the history, judge them at its end, and return the matrix."""
    work = task.folder("history")
    source = task.repo or _written(work / "site", task.seed)
    number = task.number(short=120, full=1_000)
    found = findings(work, source, number, task.seed)
    print("\n".join(matrix(found)))
    share = 100 * found.share_claimed
    tally = Tally(
        acks=sum(found.matrix.values()),
        faults=found.continuations,
        bad=len(found.wrong),
        notes=tuple(found.wrong[:8]),
    )
    if found.share_claimed < LEAST_CLAIMED:
        tally += faulty(f"only {share:.1f} % of the continuations are called fresh or moved")
    name = source.name if task.repo else "a written repository"
    done = f"{number} spans in {name}, {share:.1f} % of the continuations claimed"
    return Report(tool="history", done=done, tally=tally)


def _written(work: Path, seed: int) -> Path:
    os.environ.update(git_surroundings(work))
    return made(work, author(f"{seed}"), lambda _site, _number: None).root


def findings(work: Path, source: Path, number: int, seed: int) -> Findings:
    """Clone a repository, read spans at random commits, and judge them at its HEAD."""
    root = work / "clone"
    run_git(work, "clone", "--quiet", str(source), str(root))
    sides = [
        LineHistory(root, most=MOST_COMMITS, algorithm=name) for name in ("myers", "histogram")
    ]
    chance = random.Random(seed)
    commits = sides[0].commits
    starts = [chance.choice(commits[:-1]) for _ in range(max(1, number // _PER_COMMIT))]
    spans: list[tuple[str, Span]] = []
    for start in sorted(set(starts), key=commits.index):
        run_git(root, "checkout", "--quiet", start)
        wanted = starts.count(start) * _PER_COMMIT
        places = _places(sides[0].trees[start], chance, wanted)
        spans += [
            (start, _read(root, work, place, len(spans) + at)) for at, place in enumerate(places)
        ]
    run_git(root, "checkout", "--quiet", commits[-1])
    seen = _seen(root, work, [span for _, span in spans])
    result = Findings()
    for start, span in spans:
        _judge(result, sides, start, span, seen[span.id])
    return result


def _places(tree: Tree, chance: random.Random, number: int) -> list[str]:
    files = sorted(path for path, page in tree.items() if len(page.lines) > 2)
    places: list[str] = []
    while len(places) < number:
        path = chance.choice(files)
        lines = tree[path].lines
        first = chance.randint(1, len(lines))
        last = min(len(lines), first + chance.randint(1, LONGEST) - 1)
        if any(line.text.strip() for line in lines[first - 1 : last]):
            places.append(f"{path}:{first}-{last}")
    return places


def _read(root: Path, work: Path, place: str, number: int) -> Span:
    surroundings = LocalSurroundings(root, cache=work / "repositories.json")
    found = surroundings.read_span(read_place(place))
    return Span(
        id=SpanId(f"s_{number}"),
        repo=_REPO,
        path=found.path,
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        captured_at=datetime.now(UTC),
        anchor=found.anchor,
    )


def _seen(root: Path, work: Path, spans: Sequence[Span]) -> dict[SpanId, Sighting]:
    verifier = GitVerifier(root, cache=work / "verdicts", repo=lambda: _REPO)
    seen = dict(verifier.examine(spans))
    if planted(Plant.FIRST_OF_EQUALS):
        seen = {span.id: _hasty(span, seen[span.id]) for span in spans}
    return seen


def _hasty(span: Span, sighting: Sighting) -> Sighting:
    """A planted bug: a place that is only likely is claimed."""
    if sighting.verdict is not Verdict.DRIFTED or not sighting.places:
        return sighting
    first = sighting.places[0]
    stays = first == FoundLines(path=span.path, first=span.first, last=span.last)
    return Sighting(verdict=Verdict.FRESH if stays else Verdict.MOVED, places=(first,))


def _judge(
    result: Findings, sides: Sequence[LineHistory], start: str, span: Span, sighting: Sighting
) -> None:
    said = said_of(sighting)
    both = [_judgement(side, start, span, said) for side in sides]
    truths = [one.truth for one in both]
    is_whole = all(truth.state is State.INTACT for truth in truths)
    is_agreed = truths[0].places == truths[1].places
    state = truths[0].state.value if truths[0].state is truths[1].state else "disputed"
    if is_whole and not is_agreed:
        state = "disputed"
    result.matrix[state, said.verdict] += 1
    told = (
        f"{start[:10]} {span.reference} said {said.verdict}"
        f" {' or '.join(map(str, said.places[:3]))} ({said.how}); truly {state}"
        f" {' and '.join(map(str, truths[0].places[:2]))}"
    )
    if all(one.wrong for one in both):
        result.wrong.append(f"WRONG {said.verdict}: {both[0].wrong}: {told}")
    elif state == State.INTACT and said.verdict not in {"fresh", "moved"}:
        result.lost.append(told)
        result.placed += both[0].is_found


def _judgement(side: LineHistory, start: str, span: Span, said: Said) -> Judgement:
    place = Place(path=span.path, first=span.first, last=span.last)
    page = side.trees[start][span.path]
    kept = KeptProposal(
        place=place,
        lines=page.lines[span.first - 1 : span.last],
        around=around(page, place),
        claim="",
        branch="",
        memory="",
        span=span.id,
    )
    end = side.trees[side.commits[-1]]
    judgement = judged(kept, said, end)
    if judgement.wrong and judgement.truth.state is State.GONE and _is_only_heir(kept, said, end):
        return replace(judgement, wrong="", is_excused=True)
    return judgement


def _is_only_heir(kept: KeptProposal, said: Said, end: Tree) -> bool:
    """Return whether the text occurs only at the claimed place, on new lines.

    One commit removed the lines, and another one added them: no diff shows that as a move.
    """
    if len(said.places) != 1 or sum(map(str.isalnum, "".join(kept.texts))) < _TELLING:
        return False
    found = [
        (path, at + 1)
        for path, page in end.items()
        for at in range(len(page.lines) - len(kept.lines) + 1)
        if page.lines[at].text == kept.texts[0]
        and tuple(line.text for line in page.lines[at : at + len(kept.lines)]) == kept.texts
    ]
    newest = max(line.id for line in kept.lines)
    place = said.places[0]
    if found != [(place.path, place.first)]:
        return False
    return all(line.id > newest for line in end[place.path].lines[place.first - 1 : place.last])


def matrix(found: Findings) -> list[str]:
    """Return the matrix of true states and verdicts, and below it the missed spans."""
    rows = [["truth", *_VERDICTS, "all"]]
    for state in (*(state.value for state in State), "disputed"):
        numbers = [found.matrix[state, verdict] for verdict in _VERDICTS]
        rows.append([state, *(f"{number:,}" for number in (*numbers, sum(numbers)))])
    told = [
        *aligned(rows),
        f"continuations: {found.continuations:,}, claimed {100 * found.share_claimed:.1f} %",
        f"lost: {len(found.lost):,}, their place named in {found.placed:,}",
        f"wrong: {len(found.wrong)}",
        *(f"  {one}" for one in found.wrong[:_SHOWN]),
        *(f"  lost: {one}" for one in found.lost[:_SHOWN]),
    ]
    return told
