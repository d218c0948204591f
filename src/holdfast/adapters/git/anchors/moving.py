"""Asks the history whether a text came from the place that evidence cites.

A text that left one file and appeared in another was moved if one step did both: a commit, or the
uncommitted changes. Two separate steps may be the work of two people, who wrote the same lines.
"""

from __future__ import annotations

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
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from holdfast.adapters.git.anchors.views import FileView
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.memory.evidence import Span

# Chosen by hand: how often a text may have been moved on, and the versions that one round reads.
_MOST_MOVES = 6
_MOST_VERSIONS = 2_000
APART = "the same text, but no commit moved it there, so it may have been written independently"
_HEADER = b"\x01"
_LOG = ("log", "--raw", "-m", "--full-diff", "--no-follow", "--no-renames", "--no-abbrev", "-z")


class Claim(NamedTuple):
    """A span that is said to be in a file now; ``text`` are its lines, if they are known."""

    span: Span
    path: str
    text: Sequence[str] | None

    def count_in(self, file: Text | None) -> int:
        """Return how often a file has the text of the span."""
        if file is None:
            return 0
        if self.text is None:
            return len(Marked(file.lines).windows(self.span))
        return len(file.occurrences(self.text))


class _FileStep(NamedTuple):
    """The contents of a file before and after a step; None if it was not there."""

    before: str | None
    after: str | None


class _Step(NamedTuple):
    """A commit: its parents, and the changes against each parent that differs from it."""

    parents: int
    changes: list[dict[str, _FileStep]]


class MoveHistory:
    """The steps that led to the files of a view."""

    def __init__(self, repository: Repository, view: FileView) -> None:
        self._repository = repository
        self._view = view
        self._texts: dict[str | None, Text | None] = {None: None}

    def unproved(self, claims: Collection[Claim]) -> list[Claim]:
        """Return the claims of which no step shows that the text came from its own place.

        Inside its own file, a text is unproved if it was removed and came back in another step.
        """
        own = [claim for claim in claims if claim.path == claim.span.path]
        others = [claim for claim in claims if claim.path != claim.span.path]
        try:
            proved = self._proved(others)
            return [*self._written_anew(own), *(one for one in others if one not in proved)]
        except OutsideUnavailableError:
            return list(claims)

    def _proved(self, claims: Collection[Claim]) -> list[Claim]:
        """Return the claims whose text went from its own file to the other one, step by step."""
        # Each claim with the file in whose history the text is looked for next.
        asked = self._sources_on_disk(claims)
        found = [claim for claim, source in asked if source == claim.span.path]
        asked = [one for one in asked if one[0] not in found]
        for _ in range(_MOST_MOVES):
            if not asked:
                break
            sources = self._sources(asked)
            found += [claim for claim, source in sources if source == claim.span.path]
            asked = [one for one in sources if one[0] not in found]
        return found

    def _written_anew(self, claims: Collection[Claim]) -> list[Claim]:
        """Return the claims whose text was removed from its own file and came back later."""
        if not claims:
            return []
        paths = {claim.path for claim in claims}
        head = self._held_at_head(paths)
        steps = self._steps([claim.span for claim in claims], paths)
        self._read(_blobs(steps, paths))
        return [claim for claim in claims if self._is_anew(claim, head.get(claim.path), steps)]

    def _is_anew(self, claim: Claim, head: str | None, steps: Sequence[_Step]) -> bool:
        """Tell whether a version of the file lacks the text, between two that have it."""
        came = self._gain(claim, claim.path, steps)
        rest = steps
        if claim.count_in(self._texts.get(head)):
            rest = [] if came is None else steps[steps.index(came) + 1 :]
        return any(self._is_lost(claim, claim.path, step) for step in rest)

    def _sources_on_disk(self, claims: Collection[Claim]) -> list[tuple[Claim, str]]:
        """Return each text with the file that had it before the uncommitted changes.

        A text that is committed where it is now came from there.
        """
        head = self._held_at_head({name for one in claims for name in (one.path, one.span.path)})
        found, new = [], []
        for claim in claims:
            names = (claim.path, claim.span.path)
            had = [one for one in names if claim.count_in(self._texts.get(head.get(one)))]
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
            if len(had := [one for one in blobs if claim.count_in(self._texts.get(blobs[one]))])
            == 1
        ]

    def _sources(self, asked: Collection[tuple[Claim, str]]) -> list[tuple[Claim, str]]:
        """Return each text with the file that lost it in the step that brought it to a file."""
        paths = {path for _, path in asked}
        steps = self._steps([claim.span for claim, _ in asked], paths)
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
        for step in steps:
            files = [change[path] for change in step.changes if path in change]
            if len(files) == step.parents and all(self._gained(claim, file) for file in files):
                return step
        return None

    def _gained(self, claim: Claim, file: _FileStep) -> bool:
        before, after = map(self._texts.get, file)
        return claim.count_in(after) > claim.count_in(before)

    def _is_lost(self, claim: Claim, path: str, step: _Step) -> bool:
        """Tell whether a parent of a step had the text more often in a file."""
        files = [change[path] for change in step.changes if path in change]
        return any(self._gained(claim, _FileStep(file.after, file.before)) for file in files)

    def _read(self, blobs: Iterable[str | None]) -> None:
        """Read contents that were not read yet, unless they are too many."""
        missing = {blob for blob in blobs if blob is not None} - self._texts.keys()
        if not missing or len(missing) > _MOST_VERSIONS:
            return
        held = read_blobs(self._repository, missing)
        lines = {blob: maybe_lines(held.get(blob)) for blob in missing}
        self._texts |= {blob: None if some is None else Text(some) for blob, some in lines.items()}

    def _held_at_head(self, paths: Iterable[str]) -> dict[str, str]:
        """Return the contents of files in the commit of the view, after reading them."""
        commit = self._view.commit or "HEAD"
        names = {path: path.encode("utf-8", "surrogateescape") for path in paths}
        found = blobs_at(self._repository, [(commit, name) for name in names.values()])
        self._read(found.values())
        return {
            path: found[commit, name] for path, name in names.items() if (commit, name) in found
        }

    def _steps(self, spans: Collection[Span], paths: Collection[str]) -> list[_Step]:
        """Return the commits that changed some files since the spans were read, newest first."""
        heads = {span.anchor.head for span in spans if span.anchor is not None}
        known = existing(self._repository, [head for head in heads if head is not None])
        if not known or self._view.commit is None:
            return []
        start = common_start(self._repository, known)
        words = [*_LOG, "--topo-order", "--format=%x01%H %P", self._view.commit]
        words += [] if start is None else [f"^{start}"]
        words += ["--", *(f":(literal){path}" for path in sorted(paths))]
        return list(_read_log(git_answer(self._repository, *words)))


def _read_log(answer: bytes) -> Iterator[_Step]:
    """Parse what git says; a merge is said once for each parent that it differs from."""
    steps: dict[bytes, _Step] = {}
    step: _Step | None = None
    fields = iter(answer.split(b"\0"))
    for field in fields:
        word = field.lstrip(b"\n")
        if word.startswith(_HEADER):
            name, *parents = word[1:].split()
            step = steps.setdefault(name, _Step(max(1, len(parents)), []))
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
