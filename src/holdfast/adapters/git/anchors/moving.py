"""Asks the history whether a text came from the place that evidence cites.

A text that left one file and appeared in another was moved if one step did both: a commit, or the
uncommitted changes. Two separate steps may be the work of two people, who wrote the same lines.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from holdfast.adapters.git.reading.graph import common_start
from holdfast.adapters.git.reading.objects import (
    blobs_at,
    existing,
    git_answer,
    path_of,
    read_blobs,
)
from holdfast.adapters.git.reading.reading import maybe_lines
from holdfast.domain.anchors.file_lines import Text
from holdfast.domain.anchors.marking import Marked
from holdfast.domain.errors import OutsideUnavailableError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from holdfast.adapters.git.anchors.views import FileView
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.evidence import Span

# Chosen by hand: how often a text may have been moved on, the versions that one round reads, and
# those that are in memory together.
_MOST_MOVES = 6
_MOST_VERSIONS = 2_000
_AT_ONCE = 100
APART = "the same text, but no commit moved it there, so it may have been written independently"
UNTOLD = "the same text, but git cannot tell whether it was moved there"
_HEADER = b"\x01"
_LOG = ("log", "--raw", "-m", "--full-diff", "--no-follow", "--no-renames", "--no-abbrev", "-z")


class Claim(NamedTuple):
    """A span that is said to be in a file now; ``text`` are its lines, if they are known."""

    span: Span
    path: str
    text: Sequence[str] | None

    @property
    def head(self) -> str | None:
        """The commit at which the span was read."""
        return None if self.span.anchor is None else self.span.anchor.head

    def count_in(self, file: Text, marked: Marked) -> int:
        """Return how often a file has the text of the span."""
        if self.text is None:
            return len(marked.windows(self.span))
        return len(file.occurrences(self.text))


class _FileStep(NamedTuple):
    """The contents of a file before and after a step; None if it was not there."""

    before: str | None
    after: str | None


class _Step(NamedTuple):
    """A commit: its parents, and the changes against each parent that differs from it."""

    commit: str
    parents: int
    changes: list[dict[str, _FileStep]]


class MoveHistory:
    """The steps that led to the files of a view."""

    def __init__(self, repository: Repository, view: FileView, claims: Collection[Claim]) -> None:
        self._repository = repository
        self._view = view
        self._claims = claims
        # How often each content has the text of each span; no content is kept.
        self._counts: dict[str | None, Mapping[SpanId, int]] = {None: {}}
        self._is_cut = False

    def unproved(self) -> dict[SpanId, str]:
        """Return the spans of which no step shows that the text came from its place, and why.

        Inside its own file, a text is unproved if it was removed and came back in another step.
        """
        own = [claim for claim in self._claims if claim.path == claim.span.path]
        others = [claim for claim in self._claims if claim.path != claim.span.path]
        try:
            proved = self._proved(others)
            rest = [claim for claim in others if claim.span.id not in proved]
            return {one.span.id: self._why(one) for one in (*self._written_anew(own), *rest)}
        except OutsideUnavailableError:
            return {claim.span.id: UNTOLD for claim in self._claims}

    def _why(self, claim: Claim) -> str:
        return UNTOLD if self._is_cut or claim.head not in self._heads else APART

    def _proved(self, claims: Collection[Claim]) -> set[SpanId]:
        """Return the spans whose text went from their own file to the other one, step by step."""
        # Each claim with the file in whose history the text is looked for next.
        asked = self._sources_on_disk(claims)
        found = {claim.span.id for claim, source in asked if source == claim.span.path}
        asked = [one for one in asked if one[0].span.id not in found]
        for _ in range(_MOST_MOVES):
            if not asked:
                break
            sources = self._sources(asked)
            found |= {claim.span.id for claim, source in sources if source == claim.span.path}
            asked = [one for one in sources if one[0].span.id not in found]
        return found

    def _written_anew(self, claims: Collection[Claim]) -> list[Claim]:
        """Return the claims whose text was removed from its own file and came back later."""
        if not claims:
            return []
        paths = {claim.path for claim in claims}
        head = self._held_at_head(paths)
        steps = self._steps(paths)
        self._read(_blobs(steps, paths))
        return [claim for claim in claims if self._is_anew(claim, head.get(claim.path), steps)]

    def _is_anew(self, claim: Claim, head: str | None, steps: Sequence[_Step]) -> bool:
        """Tell whether a version of the file lacks the text, between two that have it."""
        came = self._gain(claim, claim.path, steps)
        rest = self._since(claim, steps)
        if self._count(claim, head):
            rest = [] if came is None else rest[rest.index(came) + 1 :]
        return any(self._is_lost(claim, claim.path, step) for step in rest)

    def _sources_on_disk(self, claims: Collection[Claim]) -> list[tuple[Claim, str]]:
        """Return each text with the file that had it before the uncommitted changes.

        A text that is committed where it is now came from there.
        """
        head = self._held_at_head({name for one in claims for name in (one.path, one.span.path)})
        found, new = [], []
        for claim in claims:
            names = (claim.path, claim.span.path)
            had = [one for one in names if self._count(claim, head.get(one))]
            found += [(claim, had[0])] if had else []
            new += [] if had else [claim]
        return [*found, *self._lost_on_disk(new)]

    def _lost_on_disk(self, claims: Collection[Claim]) -> list[tuple[Claim, str]]:
        """Return each text with the only changed file that had it, if there is one."""
        commit = self._view.commit
        if not claims or commit is None:
            return []
        changed = self._view.differing([commit]).get(commit, ())
        blobs = {one.renamed_from or one.path: one.blob for one in changed if one.blob}
        self._read(blobs.values())
        return [
            (claim, had[0])
            for claim in claims
            if len(had := [one for one in blobs if self._count(claim, blobs[one])]) == 1
        ]

    def _sources(self, asked: Collection[tuple[Claim, str]]) -> list[tuple[Claim, str]]:
        """Return each text with the file that lost it in the step that brought it to a file."""
        paths = {path for _, path in asked}
        steps = self._steps(paths)
        self._read(_blobs(steps, paths))
        gains = [
            (claim, step)
            for claim, path in asked
            if (step := self._gain(claim, path, steps)) is not None
        ]
        own = {claim.span.path for claim, _ in gains}
        self._read(_blobs([step for _, step in gains], own))
        found, others = [], []
        for claim, step in gains:
            is_own = self._is_lost(claim, claim.span.path, step)
            found += [(claim, claim.span.path)] if is_own else []
            others += [] if is_own else [(claim, step)]
        self._read(_blobs([step for _, step in others]))
        for claim, step in others:
            names = {name for change in step.changes for name in change}
            had = [name for name in names if self._is_lost(claim, name, step)]
            found += [(claim, had[0])] if len(had) == 1 else []
        return found

    def _gain(self, claim: Claim, path: str, steps: Sequence[_Step]) -> _Step | None:
        """Return the newest step that brought the text to a file: no parent had it there."""
        for step in self._since(claim, steps):
            files = [change[path] for change in step.changes if path in change]
            if len(files) == step.parents and all(self._gained(claim, file) for file in files):
                return step
        return None

    def _gained(self, claim: Claim, file: _FileStep) -> bool:
        return self._count(claim, file.after) > self._count(claim, file.before)

    def _is_lost(self, claim: Claim, path: str, step: _Step) -> bool:
        """Tell whether a parent of a step had the text more often in a file."""
        files = [change[path] for change in step.changes if path in change]
        return any(self._gained(claim, _FileStep(file.after, file.before)) for file in files)

    def _since(self, claim: Claim, steps: Sequence[_Step]) -> list[_Step]:
        """Return the steps after a span was read; the others are for spans that are older."""
        if claim.head not in self._heads:
            return []
        bit = self._heads[claim.head]
        return [step for step in steps if not self._readers.get(step.commit, 0) & bit]

    def _count(self, claim: Claim, blob: str | None) -> int:
        """Return how often a content has the text of a span; 0 if it was not read."""
        return self._counts.get(blob, {}).get(claim.span.id, 0)

    def _read(self, blobs: Iterable[str | None]) -> None:
        """Count the texts in contents that were not read yet, unless they are too many."""
        missing = [blob for blob in dict.fromkeys(blobs) if blob not in self._counts]
        if len(missing) > _MOST_VERSIONS:
            self._is_cut = True
            return
        for at in range(0, len(missing), _AT_ONCE):
            some = [blob for blob in missing[at : at + _AT_ONCE] if blob is not None]
            held = read_blobs(self._repository, some)
            self._counts |= {blob: self._counted(held.get(blob)) for blob in some}

    def _counted(self, content: bytes | None) -> dict[SpanId, int]:
        lines = maybe_lines(content)
        if lines is None:
            return {}
        file, marked = Text(lines), Marked(lines)
        counts = {claim.span.id: claim.count_in(file, marked) for claim in self._claims}
        return {span_id: count for span_id, count in counts.items() if count}

    def _held_at_head(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the contents of files in the commit of the view, after reading them."""
        commit = self._view.commit or "HEAD"
        names = {path: path.encode("utf-8", "surrogateescape") for path in paths}
        found = blobs_at(self._repository, [(commit, name) for name in names.values()])
        self._read(found.values())
        return {
            path: found[commit, name] for path, name in names.items() if (commit, name) in found
        }

    @cached_property
    def _start(self) -> str | None:
        """The commit that all the commits at which spans were read come from."""
        return common_start(self._repository, [head for head in self._heads if head])

    @cached_property
    def _heads(self) -> Mapping[str | None, int]:
        """The commits at which spans were read, each with a bit of its own."""
        heads = {claim.head for claim in self._claims}
        found = existing(self._repository, [head for head in heads if head is not None])
        return {head: 1 << number for number, head in enumerate(sorted(found))}

    @cached_property
    def _readers(self) -> Mapping[str, int]:
        """For each commit since the start, the bits of the commits that it led to."""
        if len(self._heads) < 2:  # noqa: PLR2004 - one commit is the start itself
            return {}
        found = {head: bit for head, bit in self._heads.items() if head is not None}
        words = ("rev-list", "--topo-order", "--parents", "--stdin")
        given = [*found, *self._after_start]
        for line in git_answer(self._repository, *words, given=given).decode().splitlines():
            commit, *parents = line.split()
            for parent in parents:
                found[parent] = found.get(parent, 0) | found[commit]
        return found

    def _steps(self, paths: Collection[str]) -> list[_Step]:
        """Return the commits that changed some files since the spans were read, newest first."""
        if not self._heads or self._view.commit is None:
            return []
        words = [*_LOG, "--topo-order", "--format=%x01%H %P", self._view.commit]
        words += self._after_start
        words += ["--", *(f":(literal){path}" for path in sorted(paths))]
        return list(_read_log(git_answer(self._repository, *words)))

    @property
    def _after_start(self) -> list[str]:
        return [] if self._start is None else [f"^{self._start}"]


def _read_log(answer: bytes) -> Iterator[_Step]:
    """Parse what git says; a merge is said once for each parent that it differs from."""
    steps: dict[bytes, _Step] = {}
    step: _Step | None = None
    fields = iter(answer.split(b"\0"))
    for field in fields:
        word = field.lstrip(b"\n")
        if word.startswith(_HEADER):
            name, *parents = word[1:].split()
            step = steps.setdefault(name, _Step(name.decode(), max(1, len(parents)), []))
            step.changes.append({})
        elif word.startswith(b":") and step is not None:
            _, _, before, after, _ = word.decode().split()
            names = (name if name.strip("0") else None for name in (before, after))
            step.changes[-1][path_of(next(fields))] = _FileStep(*names)
    yield from steps.values()


def _blobs(steps: Iterable[_Step], paths: Collection[str] | None = None) -> Iterator[str | None]:
    """Return the contents of files, or of all files, before and after some steps."""
    for step in steps:
        for change in step.changes:
            for path in change.keys() if paths is None else change.keys() & paths:
                yield from change[path]
