"""The Markdown pages of a repository, where people read and edit what is remembered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from holdfast.domain.entry import Entry, Flaw, Pages
from holdfast.domain.ids import MemoryId
from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What the file and the store agreed on last, on this branch: the entry, and its memory.

    ``at`` is the commit that was checked out then; ``head`` the one that had the entry when it
    was last seen in one: none means that no commit was ever seen to have it. ``replaced`` are the
    digests that our own writes took the place of, ``written`` when the last of them was, in
    seconds: an editor that was open then may save such a text again. ``is_removal_proposed``: the
    entry was gone while an agent was at work, so that only a person who says so removes it.
    """

    digest: str
    tip: MemoryId
    head: str | None = None
    at: str | None = None
    replaced: tuple[str, ...] = ()
    written: int = 0
    is_removal_proposed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A wish to write one entry.

    ``over`` is the digest the entry in the file must still have; none means that there must be
    no such entry yet. For an entry without a uid in the file, ``at`` says where it stands.
    """

    entry: Entry
    over: str | None = None
    at: tuple[str, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What became of a wish: the path it was written to, or none because the file had changed."""

    put: Put
    path: str | None


class Notebook(Protocol):
    """The pages of one clone."""

    def exists(self) -> bool:
        """Tell whether this repository keeps pages at all."""
        ...

    def read(self) -> Pages:
        """Read every page as it is on disk now; what cannot be read must come back as a flaw."""
        ...

    def write(self, puts: Sequence[Put]) -> Sequence[Written]:
        """Write entries, each only over what the wish expects; all other bytes must stay.

        A file that somebody saves at the same moment must lose nothing: what was displaced is
        looked at again, and a wish whose entry changed meanwhile comes back unwritten.
        """
        ...

    def committed(self) -> Mapping[MemoryId, frozenset[str]] | None:
        """Return the digests of the entries as the last commit has them; none without git.

        An entry without a uid must be there under its digest. A uid that several entries of the
        commit bear, on whatever pages, must have the digests of them all.
        """
        ...

    def bases(self) -> Mapping[MemoryId, Base]:
        """Return what was agreed on last, on the branch that is checked out."""
        ...

    def set_bases(self, bases: Mapping[MemoryId, Base]) -> None:
        """Keep what is agreed on now; it must survive a crash whole or not at all."""
        ...

    def heal(self) -> Sequence[Flaw]:
        """Rebuild pages that a merge left with conflict markers; return what a person must see."""
        ...

    def write_generated(self, name: str, text: str) -> bool:
        """Write a page that is made from the store, such as ``candidates.md``; tell if it changed.

        A generated page that a person edited must not be overwritten.
        """
        ...
