"""Pages in memory: entries by path, with branches and commits as plain copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdfast.domain.choices import Origin
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PAGES, Flaw, PageEntry, Pages, PlacedEntry, SetAside
from holdfast.domain.pages.syncing import NO_EDITS, Edits
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Base, GeneratedPage, Put, Written

_FOLDER = ".holdfast/memory"
_LINES_PER_ENTRY = 10
"""Every entry takes ten lines, so that a line number identifies an entry."""


class InMemoryNotebook:
    """A clone's pages, with the operations of a person and of git."""

    def __init__(self, *, has_pages: bool = True, has_git: bool = True) -> None:
        """Create an empty notebook on the branch ``main``."""
        self.has_pages = has_pages
        self.has_git = has_git
        self.branch = "main"
        self.pages: dict[str, list[PageEntry]] = {}
        self.commits: dict[str, dict[str, list[PageEntry]]] = {}
        self.noted: set[MemoryId] = set()
        self.flaws: list[Flaw] = []
        self.unhealed: list[Flaw] = []
        self.aside: tuple[SetAside, ...] = ()
        self.forgotten: frozenset[str] = frozenset()
        self.written: dict[str, Origin] = {}
        self.proposed: dict[str, Origin] = {}
        self.generated: dict[str, tuple[str, str]] = {}
        self.agreed: dict[str, dict[MemoryId, Base]] = {}

    def exists(self) -> bool:
        """Return whether this repository has pages."""
        return self.has_pages

    def read(self) -> Pages:
        """Return the entries ordered by path and line, and the flaws that a test added."""
        placed = [
            PlacedEntry(
                entry=entry, path=path, line=_line(number), has_more=entry.uid in self.noted
            )
            for path, entries in sorted(self.pages.items())
            for number, entry in enumerate(entries)
        ]
        return Pages(
            entries=tuple(placed),
            flaws=tuple(self.flaws),
            aside=self.aside,
            forgotten=self.forgotten,
            written=dict(self.written),
            proposed=dict(self.proposed),
        )

    def write(self, puts: Sequence[Put]) -> Sequence[Written]:
        """Write each entry if the current one has the expected digest, else leave it."""
        entries = [put.entry for put in puts if not put.is_removal]
        self.written |= {
            one.digest: one.origin for one in entries if one.origin not in {None, Origin.HUMAN}
        }
        known = set(self.pages) if self.has_git else None
        written = [(put, self._written(put)) for put in puts]
        return tuple(
            Written(
                put=put, path=path, is_new=bool(path and known is not None and path not in known)
            )
            for put, path in written
        )

    def committed(self) -> Mapping[MemoryId, frozenset[str]] | None:
        """Return the digests of the entries in the last commit of this branch."""
        if not self.has_git:
            return None
        pages = self.commits.get(self.branch, {})
        found: dict[MemoryId, set[str]] = {}
        for entry in (entry for page in pages.values() for entry in page):
            found.setdefault(entry.uid or MemoryId(entry.digest), set()).add(entry.digest)
        return {name: frozenset(digests) for name, digests in found.items()}

    def bases(self) -> Mapping[MemoryId, Base]:
        """Return the last synchronised state of each entry on this branch."""
        return dict(self.agreed.get(self.branch, {}))

    def set_bases(self, bases: Mapping[MemoryId, Base], *, edits: Edits = NO_EDITS) -> None:
        """Store the synchronised state, and the edits of agents."""
        self.agreed[self.branch] = dict(bases)
        known = {**self.proposed, **edits.proposed}
        self.proposed = {mark: one for mark, one in known.items() if mark not in edits.settled}

    def heal(self) -> Sequence[Flaw]:
        """Return the flaws that a test added as not repairable."""
        return tuple(self.unhealed)

    def write_generated(self, name: str, text: str) -> GeneratedPage:
        """Write a generated page, unless a person edited the existing one."""
        made, shown = self.generated.get(name, (None, None))
        if shown != made:
            return GeneratedPage(problem="a person edited it")
        self.generated[name] = (text, text)
        return GeneratedPage(is_changed=text != made)

    def add(self, entry: PageEntry, *, path: str | None = None) -> PlacedEntry:
        """Add an entry, as a person does with an editor, and return it with its place."""
        place = path or _page_of(entry)
        page = self.pages.setdefault(place, [])
        page.append(entry)
        return PlacedEntry(entry=entry, path=place, line=_line(len(page) - 1))

    def edit(self, uid: MemoryId, *, body: str) -> None:
        """Change the text of an entry, as a person does."""
        path, number = self._place_of(uid)
        self.pages[path][number] = replace(self.pages[path][number], body=body)

    def annotate(self, uid: MemoryId) -> None:
        """Add a comment to the frontmatter of an entry, as a person does."""
        self.noted.add(uid)

    def remove(self, uid: MemoryId) -> None:
        """Remove an entry from its page, as a person does."""
        path, number = self._place_of(uid)
        del self.pages[path][number]

    def edit_generated(self, name: str, text: str) -> None:
        """Edit a generated page, as a person does."""
        made, _ = self.generated[name]
        self.generated[name] = (made, text)

    def commit(self) -> None:
        """Commit the pages as they are, on this branch."""
        self.commits[self.branch] = _copied(self.pages)

    def check_out(self, branch: str) -> None:
        """Check out a branch; a new one starts with the current pages."""
        if branch not in self.commits:
            self.commits[branch] = _copied(self.pages)
        self.branch = branch
        self.pages = _copied(self.commits[branch])

    def _written(self, put: Put) -> str | None:
        """Write one entry and return its path; None if the current entry is another one."""
        place = self._found(put)
        if place is None:
            return None if put.over is not None else self.add(put.entry).path
        path, number = place
        if self.pages[path][number].digest != put.over:
            return None
        if put.is_removal:
            del self.pages[path][number]
            self.pages = {name: page for name, page in self.pages.items() if page}
            return path
        self.pages[path][number] = _over(self.pages[path][number], put.entry)
        return path

    def _found(self, put: Put) -> tuple[str, int] | None:
        """Return the page and the position of the entry that a request names."""
        for path, entries in self.pages.items():
            for number, entry in enumerate(entries):
                is_meant = entry.uid is None and put.at == (path, _line(number))
                if is_meant or (entry.uid is not None and entry.uid == put.entry.uid):
                    return path, number
        return None

    def _place_of(self, uid: MemoryId) -> tuple[str, int]:
        """Return the page and the position of an existing entry."""
        return next(
            (path, number)
            for path, entries in self.pages.items()
            for number, entry in enumerate(entries)
            if entry.uid == uid
        )


def _over(known: PageEntry, wanted: PageEntry) -> PageEntry:
    """Return the wanted entry; fields it does not set keep the values of the existing one."""
    return replace(
        wanted,
        label=wanted.label or known.label,
        source=wanted.source or known.source,
        updated=wanted.updated or known.updated,
        was=wanted.was or known.was,
    )


def _line(number: int) -> int:
    return number * _LINES_PER_ENTRY + 1


def _page_of(entry: PageEntry) -> str:
    return f"{_FOLDER}/{PAGES[entry.kind][0]}.md"


def _copied(pages: Mapping[str, Sequence[PageEntry]]) -> dict[str, list[PageEntry]]:
    return {path: list(entries) for path, entries in pages.items()}
