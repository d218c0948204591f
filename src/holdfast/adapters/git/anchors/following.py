"""Follows spans through the versions of their file, where one comparison leaves a doubt.

Between two commits that are far apart, lines around a span change so much that its text may be
another copy. Each commit alone changes little. If every step from the version that was read to the
current one proves the place of the lines, then the whole way does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.graph import common_start
from holdfast.adapters.git.reading.objects import existing, git_answer, path_of, read_blobs
from holdfast.adapters.git.reading.reading import maybe_lines
from holdfast.domain.anchors.alignment import FileComparison
from holdfast.domain.anchors.file_lines import Budget, Text
from holdfast.domain.anchors.locating import MOST_STEPS, claimed, locate, read_then
from holdfast.domain.memory.anchor import Verdict
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.anchor import Sighting
    from holdfast.domain.memory.evidence import Span

# Chosen by hand.
_MOST_VERSIONS = 2_000
_MOST_STEPS_OF_A_SPAN = 200
_NOW = "now"


class _Version(NamedTuple):
    """A version of a file: its path and the name of its blob."""

    path: str
    blob: str


class Follower:
    """Follows spans from the versions that they were read in to the current contents."""

    def __init__(
        self, repository: Repository, *, commit: str, now: Mapping[str, Text], budget: Budget
    ) -> None:
        self._repository = repository
        self._commit = commit
        self._now = now
        self._budget = budget
        self._next: dict[_Version, list[_Version]] = {}
        self._texts: dict[str, Text | None] = {}
        self._compared: dict[tuple[str, str], FileComparison] = {}

    def run(self, spans: Sequence[Span]) -> dict[SpanId, Sighting]:
        """Return the verdict on each span whose way is proved step by step.

        Raises:
            OutsideUnavailableError: Git is not installed, or refuses to read the repository.
        """
        heads = {span.anchor.head for span in spans if span.anchor is not None}
        known = existing(self._repository, [head for head in heads if head is not None])
        if not known:
            return {}
        self._read_steps(common_start(self._repository, known), {span.path for span in spans})
        names = {version.blob for some in self._next.values() for version in some}
        names |= {version.blob for version in self._next}
        if not names or len(names) > _MOST_VERSIONS:
            return {}
        held = read_blobs(self._repository, names)
        lines = {name: maybe_lines(content) for name, content in held.items()}
        self._texts = {name: None if some is None else Text(some) for name, some in lines.items()}
        found = {span.id: self._followed(span) for span in spans}
        return {name: sighting for name, sighting in found.items() if sighting is not None}

    def _read_steps(self, start: str | None, paths: set[str]) -> None:
        """Read which version of each file followed which; a merge follows each of its parents."""
        words = ["log", "--raw", "--no-abbrev", "-m", "--no-renames", "-z", "--format="]
        words += [self._commit, *([] if start is None else [f"^{start}"])]
        words += ["--", *(f":(literal){path}" for path in sorted(paths))]
        before, after = "", ""
        for part in git_answer(self._repository, *words).split(b"\0"):
            word = part.lstrip(b"\n")
            if word.startswith(b":"):
                before, after = (name.decode() for name in word.split()[2:4])
            elif before:
                if before.strip("0") and after.strip("0"):
                    version = _Version(path_of(word), before)
                    self._next.setdefault(version, []).append(_Version(version.path, after))
                before = ""

    def _followed(self, span: Span) -> Sighting | None:
        """Return the verdict if every proved way leads to the same lines, else None."""
        if span.anchor is None or span.anchor.blob is None:
            return None
        begun = _Version(span.path, span.anchor.blob)
        seen, waiting, ends = {begun: span}, [begun], set[int]()
        while waiting:
            version = waiting.pop()
            if len(seen) > _MOST_STEPS_OF_A_SPAN or self._budget.is_spent:
                return None
            here = seen[version]
            end = self._place(here, version, _Version(span.path, _NOW))
            ends |= set() if end is None else {end.first}
            for later in dict.fromkeys(self._next.get(version, ())):
                there = self._place(here, version, later)
                if there is None:
                    continue
                if later not in seen:
                    waiting.append(later)
                if seen.setdefault(later, there).first != there.first:
                    return None
        return claimed(span, span.path, ends.pop() - 1) if len(ends) == 1 else None

    def _place(self, span: Span, version: _Version, later: _Version) -> Span | None:
        """Return the span in a later version of its file; None if nothing proves its place."""
        then = self._texts.get(version.blob)
        now = self._now.get(span.path) if later.blob == _NOW else self._texts.get(later.blob)
        if then is None or now is None or read_then(span, then.lines) is None:
            return None
        pair = (version.blob, f"{later.path}:{later.blob}")
        compared = self._compared.setdefault(pair, FileComparison(then, now))
        self._budget.spend(len(then.lines) + len(now.lines))
        sighting = locate(span, span.path, compared, budget=Budget(MOST_STEPS, whole=self._budget))
        if sighting is None or sighting.verdict not in {Verdict.FRESH, Verdict.MOVED}:
            return None
        (place,) = sighting.places
        return replace(span, first=place.first, last=place.last)
