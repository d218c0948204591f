"""Checks evidence against the repository of a folder."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from holdfast.adapters.git.reading.repository import find_repository
from holdfast.domain.lookup_errors import NoHistoryError, NoSuchRevisionError
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.memory.callers import Visible

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from holdfast.adapters.git.anchors.verdict_cache import CachedVerdicts
    from holdfast.adapters.git.reading.repository import Repository
    from holdfast.domain.ids import SpanId
    from holdfast.domain.memory.anchor import (
        Arrivals,
        BranchPoint,
        CommitFate,
        CommitName,
        LossHow,
        Revision,
        Rewrite,
    )
    from holdfast.domain.memory.evidence import Span
    from holdfast.ports.recall.code import Outline
    from holdfast.ports.workspaces.contents import Contents

_OUTSIDE = "it was read outside the checkout of this server"


_ALIKE = 0.75
"""How alike a name is that was probably meant; chosen by hand, as for verbs and options."""
_UNKNOWN = ("bad revision", "unknown revision", "bad object", "ambiguous argument", "not a commit")
"""What git says about a name that means no commit; the rest is about the repository."""


class GitVerifier:
    """The facts that git's objects and the files on disk prove, seen from a folder.

    Verdicts are cached in the folder ``cache``, or in memory only while ``may_write`` forbids it.
    """

    def __init__(  # noqa: PLR0913 - what it reads, where it may write, and what it may tell
        self,
        folder: Path,
        *,
        cache: Path,
        repo: Callable[[], str | None],
        outline: Outline | None = None,
        contents: Callable[[], Contents] | None = None,
        may_write: Callable[[], bool] = lambda: True,
        visible: Visible = Visible.EVERY_FILE,
    ) -> None:
        self._visible = visible
        self._folder = folder
        self._contents = contents
        self._cache = cache
        self._cached: CachedVerdicts = {}
        self._may_write = may_write
        self._repo = repo
        self._outline = outline

    @cached_property
    def _here(self) -> Repository | None:
        return find_repository(self._folder.resolve())

    @property
    def _repository(self) -> Repository:
        if self._here is None:
            raise NoHistoryError
        return self._here

    def contents(self) -> Contents | None:
        """Return the content of snapshots that this machine keeps."""
        return None if self._contents is None else self._contents()

    def examine(
        self, spans: Sequence[Span], *, at: str | None = None, is_noted: bool = True
    ) -> Mapping[SpanId, Sighting]:
        """Return the verdict on each span: in the files on disk, or in the tree of a commit.

        A span that belongs to no repository is looked for on disk, whatever the current folder is.
        """
        found = self._of_no_repository(spans)
        rest = [span for span in spans if span.id not in found]
        if self._here is None:
            away = _unknown("there is no repository here")
            return found | dict.fromkeys([span.id for span in rest], away)
        ours = self._repo()
        away = _unknown("it is not in this repository")
        found |= dict.fromkeys([span.id for span in rest if span.repo != ours], away)
        found |= self._withheld(self._here, [span for span in rest if span.repo == ours], at)
        own = [span for span in rest if span.id not in found]
        if own:
            from holdfast.adapters.git.anchors.examination import Examination

            cache = self._cache if self._may_write() else self._cached
            examination = Examination(self._here, cache=cache, outline=self._outline)
            commit = None if at is None else self.resolve(at).id
            found |= examination.of(own, at=commit, is_noted=is_noted)
        return found

    def _of_no_repository(self, spans: Sequence[Span]) -> dict[SpanId, Sighting]:
        """Return the verdicts on spans of no repository; a client of a server gets none."""
        loose = [span for span in spans if span.repo is None]
        if not loose:
            return {}
        if self._visible is Visible.CHECKOUT_ONLY:
            return dict.fromkeys([span.id for span in loose], _unknown(_OUTSIDE))
        from holdfast.adapters.git.reading.objects import examined

        return examined(loose)

    def _withheld(
        self, repository: Repository, spans: Sequence[Span], at: str | None
    ) -> dict[SpanId, Sighting]:
        """Return no verdict for each span in a file that the caller is not told about.

        A caller can cite lines that it never read, so that a verdict would confirm a guess.
        """
        if self._visible is Visible.EVERY_FILE or at is not None or not spans:
            return {}
        from holdfast.adapters.git.reading.ignored import IGNORED, withheld

        hidden = withheld(repository, {span.path for span in spans})
        return {span.id: _unknown(IGNORED) for span in spans if span.path in hidden}

    def identify(self, commits: Collection[str]) -> Mapping[str, CommitName]:
        """Return the full name and the patch-id of each commit that exists here."""
        from holdfast.adapters.git.lineage.patches import patches_of
        from holdfast.adapters.git.reading.graph import meanings
        from holdfast.domain.memory.anchor import CommitName

        named = meanings(self._repository, commits).commits
        patches = patches_of(self._repository, set(named.values()))
        return {
            name: CommitName(id=commit, patch=patches.get(commit)) for name, commit in named.items()
        }

    def fates(
        self, commits: Collection[CommitName], known: Mapping[str, Rewrite]
    ) -> Mapping[str, CommitFate]:
        """Return the fate of each commit, seen from HEAD."""
        from holdfast.adapters.git.lineage.lineage import fates

        return fates(self._repository, commits, known)

    def arrived(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
        home: str | None = None,
    ) -> Arrivals:
        """Return the points whose work is part of a commit, by default HEAD."""
        from holdfast.adapters.git.lineage.arrival import arrived

        return arrived(self._repository, points, known, at, home)

    def losses(
        self,
        points: Collection[BranchPoint],
        known: Mapping[str, Rewrite],
        *,
        at: str | None = None,
    ) -> Mapping[str, LossHow]:
        """Return the commits of points that are not part of a commit, and how they were lost."""
        from holdfast.adapters.git.lineage.losses import losses

        return losses(self._repository, points, known, at)

    def resolve(self, revision: str) -> Revision:
        """Return the commit that a revision name means (rev-parse), or the last one of a day."""
        from datetime import UTC, datetime

        from holdfast.adapters.git.reading.repository import ask_git
        from holdfast.domain.memory.anchor import Revision
        from holdfast.domain.recall.days import end_of_day

        repository = self._repository
        if not revision.strip() or revision.startswith("-") or "\0" in revision:
            raise NoSuchRevisionError(revision)
        # No 'git show', which reads every setting about diffs and dies of a wrong one.
        form = ("--max-count=1", "--timestamp", "--end-of-options")
        status, words, trouble = ask_git(
            repository, "rev-list", *form, f"{revision}^{{commit}}", "--"
        )
        if status != 0 and (over := end_of_day(revision)) is not None:
            # Git reads a smaller or a negative number without '@' as another moment, such as now.
            before = f"--before=@{max(0, int(over.timestamp()) - 1)} +0000"
            status, words, trouble = ask_git(repository, "rev-list", "-1", before, "HEAD", "--")
            if status == 0 and words.strip():
                return Revision(id=words.strip(), at=over)
            raise NoSuchRevisionError(revision, begins=_first_day(repository))
        if status != 0:
            _refuse(revision, trouble, repository)
        moment, name = words.split()
        return Revision(id=name, at=datetime.fromtimestamp(int(moment), tz=UTC))


def _first_day(repository: Repository) -> str:
    """Return the day of the oldest commit without a parent; empty if nothing was committed."""
    from datetime import UTC, datetime

    from holdfast.adapters.git.reading.repository import ask_git

    form = ("--max-parents=0", "--timestamp")
    status, words, _ = ask_git(repository, "rev-list", *form, "HEAD", "--")
    moments = [int(line.split()[0]) for line in words.splitlines()] if status == 0 else []
    return f"{datetime.fromtimestamp(min(moments), tz=UTC):%Y-%m-%d}" if moments else ""


def _unknown(how: str) -> Sighting:
    return Sighting(verdict=Verdict.UNVERIFIABLE, how=how)


def _nearest_name(revision: str, repository: Repository) -> str:
    """Return the branch or tag that is most like a name; empty if none is alike."""
    from difflib import get_close_matches

    from holdfast.adapters.git.reading.repository import ask_git

    form = "--format=%(refname:short)"
    status, words, _ = ask_git(repository, "for-each-ref", form, "refs/heads", "refs/tags")
    names = words.splitlines() if status == 0 else []
    ends = {name.lower().lstrip("v"): name for name in names}
    alike = get_close_matches(revision[:80].lower().lstrip("v"), list(ends), n=1, cutoff=_ALIKE)
    return ends[alike[0]] if alike else ""


def _refuse(revision: str, trouble: str, repository: Repository) -> None:
    """Raise the right error for an unknown name or an unreadable repository."""
    from holdfast.domain.errors import OutsideUnavailableError

    if any(words in trouble for words in _UNKNOWN):
        raise NoSuchRevisionError(revision, near=_nearest_name(revision, repository))
    raise OutsideUnavailableError(who="git", words=trouble)
