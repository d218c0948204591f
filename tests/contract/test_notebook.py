"""The promises of every notebook: in memory and in files, with git and without.

A person's edits are part of them, so each notebook comes with a way to make these edits.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from holdfast.adapters.files.notebook import FileNotebook
from holdfast.adapters.git.pages.pages import GitVersions
from holdfast.adapters.inmemory.notebook import InMemoryNotebook
from holdfast.domain.choices import Kind, Origin, Status
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.pages.syncing import Edits
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Base, Notebook, Put
from tests.adapters.histories import Scene
from tests.requirements import requirement

PAGE = ".holdfast/memory/decisions.md"
UID = MemoryId("m_1")
ENTRY = PageEntry(body="Use one queue.", kind=Kind.DECISION, uid=UID, label="DEC-001")


class Hand(Protocol):
    """What people do: write, edit and remove an entry, commit, check out a branch."""

    notebook: Notebook

    def add(self, body: str) -> None: ...
    def edit(self, old: str, new: str) -> None: ...
    def remove(self) -> None: ...
    def commit(self) -> None: ...
    def check_out(self, branch: str) -> None: ...
    def edit_generated(self, name: str) -> None: ...


class MemoryHand:
    """A person's edits of the notebook in memory."""

    def __init__(self, *, has_git: bool) -> None:
        self.memory = InMemoryNotebook(has_git=has_git)
        self.notebook: Notebook = self.memory

    def add(self, body: str) -> None:
        self.memory.add(PageEntry(body=body, kind=Kind.DECISION))

    def edit(self, old: str, new: str) -> None:
        page = self.memory.pages[PAGE]
        self.memory.pages[PAGE] = [
            replace(entry, body=entry.body.replace(old, new)) for entry in page
        ]

    def remove(self) -> None:
        self.memory.pages.clear()

    def commit(self) -> None:
        self.memory.commit()

    def check_out(self, branch: str) -> None:
        self.memory.check_out(branch)

    def edit_generated(self, name: str) -> None:
        self.memory.edit_generated(name, "mine")


class FileHand:
    """A person's edits of files, inside or outside a repository."""

    def __init__(self, folder: Path, *, has_git: bool) -> None:
        self.folder = folder
        (folder / ".holdfast" / "memory").mkdir(parents=True)
        (folder / ".holdfast" / "config.toml").touch()
        self.scene = Scene(folder) if has_git else None
        versions = None if self.scene is None else GitVersions(self.scene.repository)
        self.notebook: Notebook = FileNotebook(folder, versions)

    @property
    def page(self) -> Path:
        return self.folder / PAGE

    def add(self, body: str) -> None:
        before = self.page.read_text(encoding="utf-8") if self.page.exists() else ""
        self.page.write_text(f"{before}\n---\ntype: decision\n---\n{body}\n", encoding="utf-8")

    def edit(self, old: str, new: str) -> None:
        text = self.page.read_text(encoding="utf-8")
        self.page.write_text(text.replace(old, new), encoding="utf-8")

    def remove(self) -> None:
        self.page.unlink()

    def commit(self) -> None:
        assert self.scene is not None
        self.scene.commit("now")

    def check_out(self, branch: str) -> None:
        assert self.scene is not None
        known = self.scene.git("branch", "--list", branch)
        self.scene.git("checkout", "-q", *([] if known else ["-b"]), branch)

    def edit_generated(self, name: str) -> None:
        path = self.folder / ".holdfast" / "memory" / name
        path.write_text(path.read_text(encoding="utf-8") + "mine\n", encoding="utf-8")


HANDS: dict[str, Callable[[Path], Hand]] = {
    "inmemory": lambda _: MemoryHand(has_git=True),
    "files": lambda folder: FileHand(folder / "clone", has_git=True),
}
WITHOUT_GIT: dict[str, Callable[[Path], Hand]] = {
    "inmemory": lambda _: MemoryHand(has_git=False),
    "files": lambda folder: FileHand(folder / "folder", has_git=False),
}


@pytest.fixture(params=HANDS)
def hand(request: pytest.FixtureRequest, tmp_path: Path) -> Hand:
    return HANDS[request.param](tmp_path)


@pytest.fixture(params=WITHOUT_GIT)
def bare(request: pytest.FixtureRequest, tmp_path: Path) -> Hand:
    return WITHOUT_GIT[request.param](tmp_path)


def entries(hand: Hand) -> list[PageEntry]:
    return [placed.entry for placed in hand.notebook.read().entries]


def write(hand: Hand, entry: PageEntry, over: str | None = None) -> str | None:
    (written,) = hand.notebook.write([Put(entry=entry, over=over)])
    return written.path


def test_pages_that_are_there_exist(hand: Hand) -> None:
    assert hand.notebook.exists()
    assert hand.notebook.read().entries == ()


@requirement("files.write-only-over-what-was-read")
def test_a_new_entry_is_written_once(hand: Hand) -> None:
    assert write(hand, ENTRY) == PAGE
    assert entries(hand) == [ENTRY]
    assert write(hand, ENTRY) is None


def test_a_page_that_was_made_is_told(hand: Hand, bare: Hand) -> None:
    for one, is_new in ((hand, True), (hand, False), (bare, False)):
        (written,) = one.notebook.write([Put(entry=replace(ENTRY, uid=None))])

        assert (written.path, written.is_new) == (PAGE, is_new)


@requirement("files.write-only-over-what-was-read")
def test_an_entry_is_written_over_what_was_read(hand: Hand) -> None:
    write(hand, ENTRY)
    wanted = replace(ENTRY, body="Use two queues.", status=Status.DEPRECATED, was=("DEC-007",))

    assert write(hand, wanted, ENTRY.digest) == PAGE
    assert entries(hand) == [wanted]


def test_what_a_wish_does_not_say_beside_the_text_stays(hand: Hand) -> None:
    known = replace(ENTRY, source="by hand", updated="2026-01-01", was=("DEC-9",), tags=("a",))
    write(hand, known)
    wish = PageEntry(body="Other.", kind=Kind.DECISION, uid=UID)

    assert write(hand, wish, known.digest) == PAGE
    assert entries(hand) == [replace(known, body="Other.", tags=())]


@requirement("files.write-only-over-what-was-read")
def test_a_wish_over_something_else_comes_back_unwritten(hand: Hand) -> None:
    write(hand, ENTRY)
    hand.edit("one queue", "three queues")

    assert write(hand, replace(ENTRY, body="Mine."), ENTRY.digest) is None
    assert [entry.body for entry in entries(hand)] == ["Use three queues."]


@requirement("files.write-only-over-what-was-read")
def test_a_wish_for_an_entry_that_is_gone_comes_back_unwritten(hand: Hand) -> None:
    write(hand, ENTRY)
    hand.remove()

    assert write(hand, replace(ENTRY, body="Mine."), ENTRY.digest) is None
    assert entries(hand) == []


def take_out(hand: Hand, entry: PageEntry) -> str | None:
    (written,) = hand.notebook.write([Put(entry=entry, over=entry.digest, is_removal=True)])
    return written.path


@requirement("files.write-only-over-what-was-read")
def test_an_entry_is_taken_out_only_as_it_was_read(hand: Hand) -> None:
    other = replace(ENTRY, uid=MemoryId("m_2"), label="DEC-002", body="Other.")
    write(hand, ENTRY)
    write(hand, other)
    hand.edit("one queue", "three queues")

    assert take_out(hand, ENTRY) is None
    assert take_out(hand, other) == PAGE
    assert take_out(hand, other) is None
    assert [entry.body for entry in entries(hand)] == ["Use three queues."]


def test_a_page_without_its_last_entry_can_be_made_again(hand: Hand) -> None:
    write(hand, ENTRY)

    assert take_out(hand, ENTRY) == PAGE
    assert entries(hand) == []
    (written,) = hand.notebook.write([Put(entry=ENTRY)])
    assert (written.path, written.is_new) == (PAGE, True)


def test_an_entry_by_hand_gets_its_names_where_it_stands(hand: Hand) -> None:
    hand.add("First by hand.")
    hand.add("Second by hand.")
    placed = hand.notebook.read().entries
    puts = [
        Put(
            entry=replace(one.entry, uid=MemoryId(f"m_{number}"), label=f"DEC-{number:03}"),
            over=one.entry.digest,
            at=(one.path, one.line),
        )
        for number, one in enumerate(placed)
    ]

    written = hand.notebook.write(puts)

    assert [one.path for one in written] == [PAGE, PAGE]
    assert entries(hand) == [put.entry for put in puts]


def test_wishes_that_fit_are_written_beside_one_that_does_not(hand: Hand) -> None:
    write(hand, ENTRY)
    other = replace(ENTRY, uid=MemoryId("m_2"), label="DEC-002", body="Other.")

    written = hand.notebook.write(
        [Put(entry=replace(ENTRY, body="Mine."), over="stale"), Put(entry=other)]
    )

    assert [one.path for one in written] == [None, PAGE]
    assert entries(hand) == [ENTRY, other]


def test_the_last_commit_is_told_from_the_files(hand: Hand) -> None:
    assert hand.notebook.committed() == {}
    write(hand, ENTRY)
    hand.add("By hand.")
    hand.commit()
    hand.edit("one queue", "two queues")

    committed = hand.notebook.committed()

    by_hand = PageEntry(body="By hand.", kind=Kind.DECISION)
    assert committed == {
        UID: frozenset({ENTRY.digest}),
        MemoryId(by_hand.digest): frozenset({by_hand.digest}),
    }


def test_without_git_nothing_is_committed(bare: Hand) -> None:
    write(bare, ENTRY)

    assert bare.notebook.committed() is None
    assert bare.notebook.heal() == ()


@requirement("files.bases-are-of-their-branch")
def test_what_was_agreed_on_belongs_to_its_branch(hand: Hand) -> None:
    hand.commit()
    gone = Base(digest="", tip=MemoryId("m_8"), at="abc", is_removed=True)
    here = {UID: Base(digest="d", tip=MemoryId("m_9"), head="abc", is_removal_proposed=True)}
    here |= {MemoryId("m_8"): gone}
    hand.notebook.bases()
    hand.notebook.set_bases(here)

    hand.check_out("aside")

    assert hand.notebook.bases() == {}
    hand.notebook.set_bases({UID: Base(digest="e", tip=UID)})
    hand.check_out("main")
    assert hand.notebook.bases() == here


@requirement("files.agents-edits-stay-theirs")
def test_the_edits_of_agents_are_kept_on_every_branch_until_they_are_settled(hand: Hand) -> None:
    hand.commit()
    found = Edits(proposed={"one": Origin.AGENT, "two": Origin.TOOL})
    hand.notebook.set_bases({}, edits=found)

    hand.check_out("aside")
    hand.notebook.set_bases({})

    assert hand.notebook.read().proposed == found.proposed
    hand.notebook.set_bases({}, edits=Edits(settled=frozenset({"one"})))
    assert hand.notebook.read().proposed == {"two": Origin.TOOL}


def test_without_git_what_was_agreed_on_is_kept_too(bare: Hand) -> None:
    here = {UID: Base(digest="d", tip=UID)}

    bare.notebook.set_bases(here)

    assert bare.notebook.bases() == here


@requirement("files.generated-pages-yield")
def test_a_generated_page_is_written_when_it_changes(hand: Hand) -> None:
    assert hand.notebook.write_generated("candidates.md", "# One\n").is_changed
    assert not hand.notebook.write_generated("candidates.md", "# One\n").is_changed
    assert hand.notebook.write_generated("candidates.md", "# Two\n").is_changed
    assert hand.notebook.read().entries == ()


@requirement("files.generated-pages-yield")
def test_a_generated_page_that_a_person_edited_is_left(hand: Hand) -> None:
    hand.notebook.write_generated("candidates.md", "# One\n")
    hand.edit_generated("candidates.md")

    done = hand.notebook.write_generated("candidates.md", "# Two\n")
    assert not done.is_changed
    assert done.problem


@requirement("spaces.pages-keep-origins")
@pytest.mark.parametrize("origin", [None, *Origin])
def test_a_written_text_keeps_its_origin_unless_a_person_wrote_it(
    hand: Hand, origin: Origin | None
) -> None:
    entry = PageEntry(uid=MemoryId("m_1"), kind=Kind.DECISION, body="Owls fly.", origin=origin)

    for _ in range(2):
        hand.notebook.write([Put(entry=entry)])

    kept = {} if origin in {None, Origin.HUMAN} else {entry.digest: origin}
    assert hand.notebook.read().written == kept
