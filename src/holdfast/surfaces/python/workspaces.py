"""Methods about folders that are kept in snapshots: ``hf.workspaces``."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.workspaces.snapshot import CycleMoment, Limits, TreeRules
from holdfast.surfaces.python.advice import with_advice_as
from holdfast.surfaces.python.expecting import (
    TEXT,
    TRUTH,
    WHOLE,
    expect,
    expect_given,
    expect_options,
    expect_positive,
    place_of,
    texts_of,
)
from holdfast.surfaces.python.snapshots import (
    RestoredWorkspace,
    WorkspaceChange,
    WorkspaceSnapshot,
)
from holdfast.usecases.workspaces.restore_plan import RestoreSnapshot
from holdfast.usecases.workspaces.snapshot import TakeSnapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self, Unpack

    from holdfast.app.work.workspaces import WorkspacesPart
    from holdfast.usecases.workspaces.compare import Compared

    Place = Path | str | None
    Keep = Callable[[CycleMoment], "WorkspaceSnapshot"]
    Compare = Callable[["WorkspaceSnapshot", "WorkspaceSnapshot"], tuple["WorkspaceChange", ...]]


class RestoreOptions(TypedDict, total=False):
    """The options of ``restore``.

    >>> options: holdfast.RestoreOptions = {"force": True, "mtime": True}
    >>> hf.workspaces.restore(hf.workspaces.snapshot("src"), folder="src", **options).steps
    {}
    """

    force: bool
    delete: bool
    mtime: bool
    dry_run: bool


class TrackedWorkspace:
    """A folder before and after a piece of work; leaving the ``with`` block compares both.

    >>> from pathlib import Path
    >>> with hf.workspaces.track("src") as tracked:
    ...     _ = Path("src/report.md").write_text("done")
    >>> [(one.kind, one.path) for one in tracked.changes]
    [('added', 'report.md')]
    >>> tracked.evidence("report.md").type.value
    'artifact'
    """

    def __init__(self, keep: Keep, compare: Compare) -> None:
        self._keep = keep
        self._compare = compare
        self.before: WorkspaceSnapshot | None = None
        """The folder when the block began."""
        self.after: WorkspaceSnapshot | None = None
        """The folder when the block ended, also after an exception."""
        self.changes: tuple[WorkspaceChange, ...] = ()
        """What changed meanwhile."""

    def __enter__(self) -> Self:
        """Keep the folder as it is."""
        self.before = self._keep(CycleMoment.BEFORE)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Keep the folder again, and compare."""
        self.after = self._keep(CycleMoment.AFTER)
        if self.before is not None:
            self.changes = self._compare(self.before, self.after)

    def evidence(self, path: str) -> Evidence:
        """Return a file of the folder after the work as evidence for a claim.

        >>> from pathlib import Path
        >>> with hf.workspaces.track("src") as tracked:
        ...     _ = Path("src/report.md").write_text("done")
        >>> kept = hf.remember("The report is done.", evidence=[tracked.evidence("report.md")])
        >>> kept.evidence[0].type.value
        'artifact'
        """
        kept = self.after or self.before
        name = "latest" if kept is None else kept.id
        return Evidence(type=EvidenceType.ARTIFACT, reference=f"{name}/{path}")


@with_advice_as("Workspaces")
class Workspaces:
    """Folders of this machine that are kept in snapshots; see ``MemoryStore.workspaces``.

    ``folder`` is the folder that the memory was opened with, unless it is given. A snapshot is
    named by its id, the start of it, or ``"latest"``.

    >>> kept = hf.workspaces.snapshot("src", note="before the rewrite")
    >>> hf.workspaces.list("src")[0].note
    'before the rewrite'
    """

    def __init__(self, part: WorkspacesPart, is_closed: Callable[[], bool]) -> None:
        self.part = part
        """The engine's own part; its methods may change between versions."""
        self._is_closed = is_closed

    @property
    def is_closed(self) -> bool:
        """Whether the memory was closed.

        >>> hf.workspaces.is_closed
        False
        """
        return self._is_closed()

    def snapshot(
        self,
        folder: Place = None,
        *,
        note: str = "",
        agent: str | None = None,
        everything: bool = False,
        include_secrets: bool = False,
        largest_file: int | None = None,
    ) -> WorkspaceSnapshot:
        """Keep a folder as it is now; an unchanged folder keeps its newest snapshot.

        ``everything`` also keeps what git ignores, and ``.git``.

        >>> hf.workspaces.snapshot("src").is_new
        True
        >>> hf.workspaces.snapshot("src").is_new
        False
        """
        place = place_of("snapshot", folder=folder)
        expect("snapshot", TEXT, note=note)
        expect("snapshot", TRUTH, everything=everything, include_secrets=include_secrets)
        expect_given("snapshot", TEXT, agent=agent)
        expect_positive("snapshot", largest_file=largest_file)
        limits = Limits() if largest_file is None else Limits(file=largest_file)
        rules = TreeRules(keeps_ignored=everything, keeps_secrets=include_secrets, limits=limits)
        wish = TakeSnapshot(note=note, agent=agent, rules=rules)
        taken = self.part.snapshot(wish, folder=place)
        return WorkspaceSnapshot(taken.snapshot, is_new=taken.is_new)

    def list(
        self, folder: Place = None, *, limit: int = 20, everywhere: bool = False
    ) -> tuple[WorkspaceSnapshot, ...]:
        """Return the snapshots of a folder, newest first.

        >>> hf.workspaces.list("src")
        ()
        """
        expect("list", WHOLE, limit=limit)
        expect("list", TRUTH, everywhere=everywhere)
        place = place_of("list", folder=folder)
        found = self.part.list(folder=place, limit=limit, everywhere=everywhere)
        return tuple(WorkspaceSnapshot(one) for one in found.snapshots)

    def show(
        self, snapshot: WorkspaceSnapshot | str, *, folder: Place = None
    ) -> dict[str, str | None]:
        """Return the paths of a snapshot, each with the SHA-256 of its file.

        >>> kept = hf.workspaces.snapshot("src")
        >>> sorted(hf.workspaces.show(kept))
        ['auth', 'auth/tokens.py']
        """
        shown = self.part.show(_name("show", snapshot), folder=place_of("show", folder=folder))
        return {one.path: one.hash or None for one in shown.entries}

    def diff(
        self,
        old: WorkspaceSnapshot | str,
        new: WorkspaceSnapshot | str | None = None,
        *,
        folder: Place = None,
        path: str | None = None,
    ) -> tuple[WorkspaceChange, ...]:
        """Compare a snapshot with another one, or with a folder, usually its own, as it is now.

        >>> from pathlib import Path
        >>> kept = hf.workspaces.snapshot("src")
        >>> Path("src/auth/tokens.py").rename("src/auth/keys.py").name
        'keys.py'
        >>> [(one.kind, one.was, one.path) for one in hf.workspaces.diff(kept)]
        [('renamed', 'auth/tokens.py', 'auth/keys.py')]
        """
        place = place_of("diff", folder=folder)
        expect_given("diff", TEXT, path=path)
        second = None if new is None else _name("diff", new)
        found = self.part.diff(_name("diff", old), second, folder=place, path=path)
        return _changes(found)

    def restore(
        self,
        snapshot: WorkspaceSnapshot | str,
        *,
        into: Place = None,
        folder: Place = None,
        paths: Sequence[str] = (),
        **options: Unpack[RestoreOptions],
    ) -> RestoredWorkspace:
        """Write a snapshot into its folder, or into another one.

        Nothing is replaced unless ``force`` is given; what is replaced is kept in a snapshot of
        its own. ``delete`` removes what the snapshot does not have, ``mtime`` sets the times of
        files, and ``dry_run`` only returns the steps. ``paths`` chooses files and folders.

        >>> from pathlib import Path
        >>> kept = hf.workspaces.snapshot("src")
        >>> _ = Path("src/auth/tokens.py").write_text("broken")
        >>> done = hf.workspaces.restore(kept, folder="src", force=True)
        >>> done.steps
        {'auth/tokens.py': 'replace'}
        >>> hf.workspaces.diff(kept, folder="src")
        ()
        """
        target, place = place_of("restore", into=into), place_of("restore", folder=folder)
        expect_options("restore", options, RestoreOptions)
        wish = RestoreSnapshot(
            reference=_name("restore", snapshot),
            paths=texts_of("restore", paths=paths),
            replaces=options.get("force", False),
            removes=options.get("delete", False),
            with_times=options.get("mtime", False),
            dry_run=options.get("dry_run", False),
        )
        done = self.part.restore(wish, into=target, folder=place)
        return RestoredWorkspace(done)

    def delete(self, snapshot: WorkspaceSnapshot | str, *, folder: Place = None) -> str:
        """Delete a snapshot that no memory and no cycle refers to; return its id.

        >>> kept = hf.workspaces.snapshot("src")
        >>> hf.workspaces.delete(kept) == kept.id
        True
        """
        name = _name("delete", snapshot)
        return self.part.delete(name, folder=place_of("delete", folder=folder)).id

    def gc(self, *, dry_run: bool = False) -> int:
        """Remove the content that no snapshot needs; return how many bytes it took.

        >>> hf.workspaces.gc()
        0
        """
        expect("gc", TRUTH, dry_run=dry_run)
        return self.part.gc(dry_run=dry_run).freed

    def track(self, folder: Place = None, *, note: str = "") -> TrackedWorkspace:
        """Return a context manager that keeps a folder before and after a piece of work.

        >>> from pathlib import Path
        >>> with hf.workspaces.track("src") as tracked:
        ...     Path("src/auth/tokens.py").unlink()
        >>> [(one.kind, one.path) for one in tracked.changes]
        [('removed', 'auth/tokens.py')]
        """
        place = place_of("track", folder=folder)
        expect("track", TEXT, note=note)

        def keep(moment: CycleMoment) -> WorkspaceSnapshot:
            return self.snapshot(place, note=note if moment is CycleMoment.AFTER else "")

        return TrackedWorkspace(keep, lambda old, new: self.diff(old, new, folder=place))


def _changes(found: Compared) -> tuple[WorkspaceChange, ...]:
    return tuple(WorkspaceChange(one.kind.value, one.path, one.was) for one in found.changes)


def _name(verb: str, snapshot: WorkspaceSnapshot | str) -> str:
    if isinstance(snapshot, WorkspaceSnapshot):
        return snapshot.id
    expect(verb, TEXT, snapshot=snapshot)
    return snapshot
