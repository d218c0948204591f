"""The marks of entries in many versions of a page: what two versions share is read once."""

from __future__ import annotations

import pytest

from holdfast.adapters.files import pages
from holdfast.adapters.files.entries import read_piece
from holdfast.adapters.files.page_text import PagePiece
from holdfast.adapters.files.pages import fields_of
from holdfast.adapters.git.entry_marks import MarkReader
from holdfast.adapters.git.page_versions import PageVersion
from holdfast.domain.memory.entry import field_marks, removal_marks

PAGE = ".holdfast/memory/decisions.md"
UIDS = [f"m_{number:026}" for number in range(20)]


def version(number: int) -> bytes:
    """A page with many entries, one of which has a new text."""
    entries = (
        f"---\nuid: {uid}\nstatus: accepted\n---\nText {number if at == number % 20 else 0}.\n"
        for at, uid in enumerate(UIDS)
    )
    return f"# Version {number}\n{''.join(entries)}".encode()


def test_an_entry_that_stays_the_same_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[PagePiece] = []

    def noting(piece: PagePiece, path: str) -> object:
        read.append(piece)
        return read_piece(piece, path)

    monkeypatch.setattr(pages, "read_piece", noting)

    found = [fields_of(PAGE, version(number), set(UIDS)) for number in range(100, 140)]

    assert len(read) <= 20 + 40
    assert all(set(one) == set(UIDS) for one in found)
    assert found[0][UIDS[1]] is found[2][UIDS[1]]


def test_an_entry_that_is_twice_on_a_page_has_the_marks_of_both() -> None:
    content = f"---\nuid: {UIDS[0]}\nkey: {{}}\n---\nText.\n"
    page = (content.format("one") + content.format("two")).encode()

    found = fields_of(PAGE, page, {UIDS[0]})

    assert field_marks({"key": "one"}) | field_marks({"key": "two"}) <= found[UIDS[0]]
    assert fields_of(PAGE, page, {UIDS[1]}) == {}


@pytest.mark.parametrize(
    ("parents", "is_its_own"), [(["a, b"], True), (["a, b", "b"], True), (["a, b", "a"], False)]
)
def test_a_merge_removes_only_what_each_parent_has(parents: list[str], *, is_its_own: bool) -> None:
    tags = {"0": "a", **{str(at): tags for at, tags in enumerate(parents, start=1)}}
    contents = {
        blob: f"---\nuid: {UIDS[0]}\ntype: rule\ntags: [{named}]\n---\nText.\n".encode()
        for blob, named in tags.items()
    }
    reader = MarkReader(fields_of, contents, UIDS[:1])
    version = PageVersion("c", PAGE, "0", tuple(sorted(contents.keys() - {"0"})))

    found = {mark for _, mark in reader.introduced([version])}

    assert (removal_marks({"tags": (("b",), ())}) <= found) is is_its_own
