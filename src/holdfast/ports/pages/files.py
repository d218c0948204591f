"""The Markdown pages of a repository, where people read and edit memories.

The documentation that a repository already has.

Places outside the store that may contain the text of a forgotten memory.

The list of clones whose pages a person trusts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import Flaw, PageEntry, Pages
from holdfast.domain.pages.syncing import NO_EDITS, Edits
from holdfast.domain.pages.trusting import Trusted
from holdfast.domain.review.traces import GoneText, Trace
from holdfast.domain.text.paragraphs import DocumentParagraph
from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The last synchronised state of an entry on this branch: the entry and its memory.

    ``at`` is the commit that was checked out then, and ``held`` the digest that this commit has, if
    it was agreed in this clone before. ``head`` is the commit in which the entry was
    last seen; none means that it was never seen in a commit. ``replaced`` are the digests that
    Holdfast's own writes overwrote, and ``written`` is the time of the last such write, in seconds:
    an editor that was open then may save the old text again. ``is_removal_proposed``: the entry was
    missing while an agent was at work, so only a person can confirm the removal. ``is_own``:
    Holdfast wrote the text of this memory into the page; no sync read it there first.
    ``is_removed``: a commit took the entry out, and the memory was deprecated; then there is no
    digest, and ``at`` is the commit of the last sync that saw the pages without the entry.
    """

    digest: str
    tip: MemoryId
    head: str | None = None
    at: str | None = None
    held: str | None = None
    replaced: tuple[str, ...] = ()
    written: int = 0
    is_removal_proposed: bool = False
    is_own: bool = False
    is_removed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A request to write one entry.

    ``over`` is the digest that the entry in the file must still have; none means that the entry
    must not exist yet. For an entry without a uid in the file, ``at`` is its position.
    ``is_removal``: the entry is taken out of its page instead.
    """

    entry: PageEntry
    over: str | None = None
    at: tuple[str, int] | None = None
    is_removal: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The result of a write request: the path, or none because the file had changed.

    ``is_elsewhere``: the page was missing here, and git has it in another commit or in the stash.
    With a path it was made nevertheless, and git refuses a checkout until it is committed.
    ``is_new``: the write made the file, in a repository.
    """

    put: Put
    path: str | None
    is_elsewhere: bool = False
    is_new: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedPage:
    """What happened to a page made from the store.

    ``problem`` is why a page with another text was left as it is; empty if it was not.
    """

    is_changed: bool = False
    is_there: bool = True
    problem: str = ""


class Notebook(Protocol):
    """The pages of one clone."""

    def exists(self) -> bool:
        """Return whether this repository has pages."""
        ...

    def read(self) -> Pages:
        """Read every page from disk; a part that cannot be read must be returned as a flaw."""
        ...

    def write(self, puts: Sequence[Put]) -> Sequence[Written]:
        """Write entries, each only over the digest it expects; all other bytes must stay.

        If somebody saves the file at the same moment, nothing must be lost: the adapter reads the
        displaced file again, and a request whose entry has changed is returned unwritten. A page
        that has nothing left but the heading that a new page gets must be removed.
        """
        ...

    def committed(self) -> Mapping[MemoryId, frozenset[str]] | None:
        """Return the digests of the entries in the last commit; None without git.

        An entry without a uid must be listed under its digest. A uid that several entries of the
        commit have, on any pages, must map to the digests of all of them.
        """
        ...

    def bases(self) -> Mapping[MemoryId, Base]:
        """Return the last synchronised state of each entry on the current branch."""
        ...

    def set_bases(self, bases: Mapping[MemoryId, Base], *, edits: Edits = NO_EDITS) -> None:
        """Store the synchronised state; after a crash it must be either complete or unchanged.

        The origins of proposed edits must be kept for every store and branch of the clone until
        the same content is settled.
        """
        ...

    def heal(self) -> Sequence[Flaw]:
        """Rebuild pages that contain merge conflict markers; return what a person must look at."""
        ...

    def write_generated(self, name: str, text: str) -> GeneratedPage:
        """Write a page made from the store, such as ``candidates.md``.

        A generated page that a person edited must not be overwritten, nor one that a commit has.
        """
        ...


class Documents(Protocol):
    """Pages that people and tools read anyway; their content needs no memory."""

    def passages(self) -> Sequence[DocumentParagraph]:
        """Return the paragraphs of all pages; a page that cannot be read must be skipped."""
        ...


class Traces(Protocol):
    """One such place: the pages of a clone, its history, or the folder of the store."""

    def remove(self, gone: Sequence[GoneText]) -> Sequence[Trace]:
        """Remove the texts where Holdfast wrote them; return every place that contained one.

        Text that a person wrote must stay, and must be returned as left. The number of processes
        that it starts must not grow with the number of texts.
        """
        ...


class TrustBook(Protocol):
    """The clones that a person trusts, by their path on this machine."""

    def entries(self) -> Sequence[Trusted]:
        """Return every trusted clone, ordered by path."""
        ...

    def put(self, trusted: Trusted) -> None:
        """Store that a clone is trusted; the same path again must replace its entry."""
        ...

    def remove(self, clone: str) -> bool:
        """Remove a clone from the list; return whether it was there."""
        ...
