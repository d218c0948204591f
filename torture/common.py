"""Common lines that occur in many places: the search is cheap, and no verdict claims one of them.

Memories rest on lines that hundreds of places repeat, and the files they were read in are removed.
In an earlier version, two such memories took minutes to check. The CPU time of the check is
bounded, and no verdict may claim one of the many places.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence

from holdfast.app import Holdfast
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import HOLDING, FoundLines, Sighting, Verdict
from holdfast.domain.memory.evidence import Span
from holdfast.domain.values import replace
from holdfast.ports.anchors.verifier import Verifier
from holdfast.usecases.anchors.verify import Verify
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.small_repository import Delegating, keep, make, opened
from torture.task import Task

COPIES = 60
MOST_SECONDS = 20.0
"""CPU seconds: the check takes one second, or a few on a slow machine; the bug took minutes."""
_BLOCK = "    for item in sorted(items):\n        result.append(item)\n    log(result)\n"


class Claiming(Delegating):
    """A verifier with the planted bug: it claims the first file for a span that is not found."""

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        """Return the verdict on each span."""
        place = FoundLines(path="part7.py", first=2, last=4)
        claimed = Sighting(verdict=Verdict.MOVED, places=(place,))
        return dict.fromkeys(self.inner.examine(spans, at=at, is_noted=is_noted), claimed)


def run(task: Task) -> Report:
    """Check memories whose lines occur in many places."""
    spans = task.number(short=6, full=60)
    chance = random.Random(task.seed)
    files = {f"part{number}.py": _module(chance) for number in range(8 + spans // 4)}
    root = make(task.folder("common"), files)
    cited = sorted(files)[: max(2, spans // 4)]
    with opened(root) as app:
        for number in range(spans):
            first = 2 + 5 * chance.randrange(COPIES)
            path = cited[number % len(cited)]
            keep(app, f"Part {number} logs its result.", f"{path}:{first}-{first + 2}")
        for path in cited:
            (root / path).unlink()
        began = time.process_time()
        checked = _with_planted(app).evidence.verify(Verify()).checked
        spent = time.process_time() - began
    tally = Tally(faults=spans)
    if spent > MOST_SECONDS:
        tally += faulty(f"the check took {spent:.0f} s of CPU")
    if len(checked) != spans:
        tally += faulty(f"{len(checked)} of {spans} memories were checked")
    for one in checked:
        if one.verdict in HOLDING:
            tally += faulty(f"{one.verdict.value}, though {COPIES} places say the same")
    done = f"{spans} memories on lines of {COPIES * len(files)} places, {spent:.1f} s of CPU"
    return Report(tool="common", done=done, tally=tally)


def _with_planted(app: Holdfast) -> Holdfast:
    if planted(Plant.CLAIMS_ONE) and app.verifier is not None:
        verifier: Verifier = Claiming(app.verifier)
        return replace(app, verifier=verifier)
    return app


def _module(chance: random.Random) -> str:
    return "".join(
        f"def part_{chance.getrandbits(40)}(items, result, log):\n{_BLOCK}\n" for _ in range(COPIES)
    )
