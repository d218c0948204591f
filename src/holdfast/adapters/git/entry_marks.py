"""Reads which marks of entries a commit added to pages, and which it removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.entry import removed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from holdfast.adapters.git.page_versions import PageVersion

    Marks = Mapping[str, frozenset[str]]
    FieldReader = Callable[[str, bytes, Collection[str]], Marks]


class MarkReader:
    """Reads the marks of some entries in versions of pages, each version once."""

    def __init__(
        self, fields: FieldReader, contents: Mapping[str, bytes], entries: Collection[str]
    ) -> None:
        self._fields = fields
        self._contents = contents
        self._entries = frozenset(entries)
        self._read: dict[tuple[str, str], Marks] = {}

    def introduced(self, versions: Collection[PageVersion]) -> Iterator[tuple[str, str]]:
        """Yield the entries and marks that the versions of one commit have, and no parent.

        What all parents have and the commit does not, it removed.
        """
        now = self._joined((one.path, one.blob) for one in versions if one.blob)
        before = self._joined((one.path, blob) for one in versions for blob in one.before)
        is_merge = any(len(one.before) > 1 for one in versions)
        kept = self._in_each_parent(versions) if is_merge else before
        for entry, marks in now.items():
            # Most entries of two versions are the same, and comparing their marks takes long.
            if marks is not (known := before.get(entry, frozenset())):
                yield from ((entry, mark) for mark in marks - known)
                gone = kept.get(entry, frozenset()) - marks
                yield from ((entry, removed(mark)) for mark in gone)

    def _in_each_parent(self, versions: Collection[PageVersion]) -> Marks:
        """Return the marks that a page has in each parent of a merge."""
        found: dict[str, frozenset[str]] = {}
        for one in versions:
            sides = [self._of(one.path, blob) for blob in one.before]
            for entry in sides[0] if sides else ():
                common = frozenset.intersection(*(side.get(entry, frozenset()) for side in sides))
                found[entry] = found.get(entry, frozenset()) | common
        return found

    def _joined(self, pages: Iterable[tuple[str, str]]) -> Marks:
        found: dict[str, frozenset[str]] = {}
        for path, blob in pages:
            for entry, marks in self._of(path, blob).items():
                known = found.get(entry, marks)
                found[entry] = marks if known is marks else known | marks
        return found

    def _of(self, path: str, blob: str) -> Marks:
        if (path, blob) not in self._read:
            content = self._contents.get(blob, b"")
            self._read[path, blob] = self._fields(path, content, self._entries)
        return self._read[path, blob]
