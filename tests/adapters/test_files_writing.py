"""Pages on a real disk: links, other people's saves, kills, folders, and what git sees of it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from holdfast.adapters.disk import atomic_files
from holdfast.adapters.files import disk, late_saves, replacing
from holdfast.adapters.files.clone_state import Bases
from holdfast.adapters.files.disk import LARGEST_PAGE, held_lock
from holdfast.adapters.files.notebook import FileNotebook
from holdfast.adapters.files.pages import HOME, MEMORY
from holdfast.adapters.files.replacing import Stash, Swapper
from holdfast.adapters.files.written import OriginsFile
from holdfast.adapters.git.pages.pages import GitVersions
from holdfast.domain.choices import Kind, Origin
from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import MemoryId
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.refusals import PagesBusyError, PageUnwritableError
from holdfast.domain.values import replace
from holdfast.ports.pages.files import Base, Put
from tests.adapters.histories import Scene
from tests.requirements import requirement

PAGE = f"{MEMORY}/decisions.md"
ENTRY = PageEntry(body="Use one queue.", kind=Kind.DECISION, uid=MemoryId("m_1"), label="DEC-001")
OTHER = replace(ENTRY, uid=MemoryId("m_2"), label="DEC-002", body="Use two.")


class Clone:
    """A clone with pages, as one process sees it."""

    def __init__(self, folder: Path) -> None:
        self.scene = Scene(folder)
        self.root = folder
        (folder / MEMORY).mkdir(parents=True)
        (folder / HOME / "config.toml").write_text("files = true\n")
        self.state = folder / ".git" / "holdfast"
        self.notebook = FileNotebook(folder, GitVersions(self.scene.repository))

    @property
    def page(self) -> Path:
        return self.root / PAGE

    def put(self, *entries: PageEntry) -> list[str | None]:
        """Write entries that are new."""
        return [one.path for one in self.notebook.write([Put(entry=one) for one in entries])]

    def change(self, entry: PageEntry, body: str) -> str | None:
        """Write another body over an entry."""
        put = Put(entry=replace(entry, body=body), over=entry.digest)
        return self.notebook.write([put])[0].path

    def bodies(self) -> list[str]:
        return [one.entry.body for one in self.notebook.read().entries]


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path / "clone")


def test_a_first_entry_makes_its_page(clone: Clone) -> None:
    assert clone.put(ENTRY) == [PAGE]
    assert clone.page.read_text() == (
        "# Decisions\n\n---\nid: DEC-001\nuid: m_1\ntype: decision\nstatus: accepted\n---\n"
        "Use one queue.\n"
    )
    assert clone.page.stat().st_mode & 0o777 == 0o644


@requirement("files.writing-leaves-no-dirt")
def test_writing_leaves_nothing_but_the_page(clone: Clone) -> None:
    clone.put(ENTRY)
    clone.change(ENTRY, "Changed.")
    clone.notebook.set_bases({MemoryId("m_1"): Base(digest="d", tip=MemoryId("m_1"))})

    made = clone.scene.git("status", "--porcelain", "-uall").splitlines()
    assert made == [f"?? {HOME}/config.toml", f"?? {PAGE}"]
    assert list((clone.state / "pages").iterdir()) == []


def test_a_page_keeps_its_rights(clone: Clone) -> None:
    clone.put(ENTRY)
    clone.page.chmod(0o600)

    clone.change(ENTRY, "Changed.")

    assert clone.page.stat().st_mode & 0o777 == 0o600


def test_entries_get_files_of_their_own_where_their_page_is_a_folder(clone: Clone) -> None:
    (clone.root / MEMORY / "decisions").mkdir()
    same = replace(OTHER, label="DEC-001", body="Use one queue!")
    unnamed = replace(OTHER, uid=MemoryId("m_3"), label=None, body="日本")

    paths = clone.put(ENTRY, same, unnamed)

    folder = f"{MEMORY}/decisions"
    assert paths == [
        f"{folder}/DEC-001-use-one-queue.md",
        f"{folder}/DEC-001-use-one-queue-2.md",
        f"{folder}/entry.md",
    ]
    assert clone.change(ENTRY, "Changed.") == paths[0]
    assert sorted(clone.bodies()) == ["Changed.", "Use one queue!", "日本"]


def test_a_page_that_is_full_goes_on_in_a_folder(clone: Clone) -> None:
    clone.page.write_text("x" * (LARGEST_PAGE - 100))

    assert clone.put(ENTRY) == [f"{MEMORY}/decisions/DEC-001-use-one-queue.md"]


@requirement("files.no-page-outgrows-its-reader")
def test_a_page_that_its_names_would_make_too_large_is_told_before_anything_is_taken(
    clone: Clone,
) -> None:
    entry = "---\ntype: decision\n---\n{}\n\n"
    room = LARGEST_PAGE - len(entry)
    clone.page.write_text(entry.format("x" * 1000) * (room // (len(entry) + 1000)))

    pages = clone.notebook.read()

    assert pages.entries == ()
    assert [flaw.problem.partition(";")[0] for flaw in pages.flaws] == [
        f"With the ids of its new entries it would be larger than {LARGEST_PAGE // 1024} KiB"
    ]


def test_what_editors_leave_is_not_read(clone: Clone) -> None:
    clone.put(ENTRY)
    for name in ("decisions.md~", ".decisions.md.swp", ".#decisions.md", "4913", "notes.txt"):
        (clone.root / MEMORY / name).write_bytes(clone.page.read_bytes())

    pages = clone.notebook.read()

    assert (len(pages.entries), pages.flaws) == (1, ())


def _linked(clone: Clone, elsewhere: Path) -> None:
    clone.page.symlink_to(elsewhere)


def _hard_linked(clone: Clone, elsewhere: Path) -> None:
    os.link(elsewhere, clone.page)


def _a_pipe(clone: Clone, _: Path) -> None:
    os.mkfifo(clone.page)


def _too_large(clone: Clone, _: Path) -> None:
    clone.page.write_text("---\ntype: fact\n---\n" + "x" * 5_000_000)


@pytest.mark.parametrize("plant", [_linked, _hard_linked, _a_pipe, _too_large])
@requirement("files.links-never-followed")
def test_what_is_no_plain_page_is_told_and_left_alone(
    clone: Clone, tmp_path: Path, plant: Callable[[Clone, Path], None]
) -> None:
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_text("---\nuid: m_1\ntype: decision\n---\nUse one queue.\n")
    before = elsewhere.read_bytes()
    plant(clone, elsewhere)
    seen = os.lstat(clone.page)

    (flaw,) = clone.notebook.read().flaws

    assert (flaw.path, flaw.line) == (PAGE, 1)
    assert clone.put(OTHER) in ([None], [f"{MEMORY}/decisions/DEC-002-use-two.md"])
    assert clone.change(ENTRY, "Changed.") is None
    assert elsewhere.read_bytes() == before
    assert os.lstat(clone.page).st_ino == seen.st_ino


@pytest.mark.parametrize("name", [".holdfast", MEMORY, f"{MEMORY}/decisions"])
@requirement("files.links-never-followed")
def test_a_folder_that_is_a_link_is_not_gone_into(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    (outside / "memory").mkdir(parents=True)
    (outside / "decisions.md").write_text("---\ntype: fact\n---\nOutside.\n")
    (outside / "memory" / "decisions.md").write_text("---\ntype: fact\n---\nOutside.\n")
    scene = Scene(tmp_path / "clone")
    place = scene.folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside)
    notebook = FileNotebook(scene.folder, GitVersions(scene.repository))

    assert notebook.exists()
    assert notebook.read().entries == ()
    before = sorted(outside.rglob("*"))
    notebook.write([Put(entry=ENTRY)])
    assert sorted(outside.rglob("*")) == before


def test_without_pages_nothing_is_written(tmp_path: Path) -> None:
    scene = Scene(tmp_path / "clone")
    notebook = FileNotebook(scene.folder, GitVersions(scene.repository))

    assert not notebook.exists()
    assert [one.path for one in notebook.write([Put(entry=ENTRY)])] == [None]
    assert not (scene.folder / ".holdfast").exists()


def save(page: Path, text: str) -> None:
    """Save a page as a plain editor does."""
    page.write_text(text)


def saving_between(monkeypatch: pytest.MonkeyPatch, saves: Callable[[], None]) -> None:
    """Let somebody save in the instant before a page and its new content change places."""
    real = disk.exchange
    saved: list[bool] = []

    def exchange(one: str, folder: int, other: str) -> bool:
        if not saved:
            saved.append(True)
            saves()
        return real(one, folder, other)

    monkeypatch.setattr(replacing, "exchange", exchange)


@requirement("files.no-save-is-lost")
def test_what_somebody_saves_in_that_instant_is_joined(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    saved = clone.page.read_text() + "\n---\ntype: decision\n---\nBy hand.\n"
    saving_between(monkeypatch, lambda: save(clone.page, saved))

    assert clone.put(OTHER) == [PAGE]

    assert sorted(clone.bodies()) == ["By hand.", "Use one queue.", "Use two."]


@requirement("files.no-save-is-lost")
def test_an_entry_that_somebody_changes_in_that_instant_is_theirs(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    saved = clone.page.read_text().replace("one queue", "no queue at all")
    saving_between(monkeypatch, lambda: save(clone.page, saved))

    assert clone.change(ENTRY, "Mine.") is None

    assert clone.bodies() == ["Use no queue at all."]


@requirement("files.no-save-is-lost")
def test_an_editor_that_is_still_writing_what_was_displaced_is_heard_later(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    text = clone.page.read_text() + "\n---\ntype: decision\n---\nSlowly, by hand.\n"
    editor = clone.page.open("r+", encoding="utf-8")
    monkeypatch.setattr(late_saves, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr("holdfast.adapters.files.disk._PATIENCE_SECONDS", 0.0)

    assert clone.put(OTHER) == [PAGE]
    assert clone.bodies() == ["Use one queue.", "Use two."]
    editor.write(text)
    editor.close()

    assert sorted(clone.bodies()) == ["Slowly, by hand.", "Use one queue.", "Use two."]
    assert list((clone.state / "pages").iterdir()) == []


@requirement("files.no-save-is-lost")
def test_a_page_that_is_gone_in_that_instant_is_not_made_again_over_it(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    saving_between(monkeypatch, clone.page.unlink)

    assert clone.change(ENTRY, "Mine.") is None
    assert not clone.page.exists()


@requirement("files.no-save-is-lost")
def test_something_huge_saved_in_that_instant_goes_back(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    huge = "y" * (LARGEST_PAGE + 1)
    saving_between(monkeypatch, lambda: save(clone.page, huge))

    assert clone.put(OTHER) == [None]
    assert clone.page.read_text() == huge


@pytest.fixture
def no_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk on which two names cannot change places."""
    monkeypatch.setattr(replacing, "exchange", lambda *_: False)
    monkeypatch.setattr(replacing, "give_name", lambda *_: False)


@pytest.mark.usefixtures("no_exchange")
def test_a_disk_without_the_exchange_is_written_too(clone: Clone) -> None:
    assert clone.put(ENTRY) == [PAGE]
    assert clone.put(OTHER) == [PAGE]
    assert clone.change(ENTRY, "Changed.") == PAGE
    assert clone.bodies() == ["Changed.", "Use two."]
    assert [path.name for path in (clone.root / MEMORY).iterdir()] == ["decisions.md"]


@pytest.mark.usefixtures("no_exchange")
@requirement("files.no-save-is-lost")
def test_a_late_save_on_such_a_disk_is_joined(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    text = clone.page.read_text() + "\n---\ntype: decision\n---\nBy hand.\n"
    editor = clone.page.open("r+", encoding="utf-8")
    real = disk.wait_for_writers

    def wait(file: int, *, within_seconds: float, unsure_seconds: float) -> bool:
        if not editor.closed:
            editor.write(text)
            editor.close()
        return real(file, within_seconds=within_seconds, unsure_seconds=unsure_seconds)

    monkeypatch.setattr(replacing, "wait_for_writers", wait)
    monkeypatch.setattr("holdfast.adapters.files.disk._PATIENCE_SECONDS", 0.0)

    assert clone.put(OTHER) == [PAGE]

    assert sorted(clone.bodies()) == ["By hand.", "Use one queue.", "Use two."]


@pytest.mark.usefixtures("no_exchange")
def test_a_page_replaced_in_that_instant_on_such_a_disk_is_read_again(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.put(ENTRY)
    text = clone.page.read_text() + "\n---\ntype: decision\n---\nBy hand.\n"
    real = atomic_files.write_new
    saved: list[bool] = []

    def write_new(
        path: Path | str,
        content: bytes,
        *,
        rights: int = 0o600,
        folder: int | None = None,
        durable: bool = True,
    ) -> None:
        real(path, content, rights=rights, folder=folder, durable=durable)
        if folder is not None and not saved:
            saved.append(True)
            fresh = clone.page.with_name("fresh")
            fresh.write_text(text)
            fresh.replace(clone.page)

    monkeypatch.setattr(replacing, "write_new", write_new)

    assert clone.put(OTHER) == [PAGE]
    assert sorted(clone.bodies()) == ["By hand.", "Use one queue.", "Use two."]


@requirement("files.no-save-is-lost")
@pytest.mark.parametrize("is_new_file", [False, True])
def test_a_save_while_an_emptied_page_is_removed_stays(
    clone: Clone, monkeypatch: pytest.MonkeyPatch, *, is_new_file: bool
) -> None:
    clone.put(ENTRY)
    saved = clone.page.read_bytes() + b"\nMine.\n"
    real, saves = disk.wait_for_writers, [saved]

    def wait(file: int, *, within_seconds: float, unsure_seconds: float) -> bool:
        for text in saves:
            aside = next(clone.page.parent.glob(".holdfast-aside-*"))
            aside.write_bytes(text)
            if is_new_file:
                clone.page.write_bytes(text)
        saves.clear()
        return real(file, within_seconds=within_seconds, unsure_seconds=unsure_seconds)

    monkeypatch.setattr(replacing, "wait_for_writers", wait)
    put = Put(entry=ENTRY, over=ENTRY.digest, is_removal=True)

    (written,) = clone.notebook.write([put])

    assert written.path is None
    assert clone.page.read_bytes() == saved
    assert [one.name for one in clone.page.parent.iterdir()] == ["decisions.md"]


def test_a_page_of_several_keeps_every_other_byte_when_one_goes(clone: Clone) -> None:
    clone.put(ENTRY)
    before = clone.page.read_bytes()
    third = replace(ENTRY, uid=MemoryId("m_3"), label="DEC-003", body="Use three.")
    clone.put(OTHER, third)
    puts = [Put(entry=one, over=one.digest, is_removal=True) for one in (OTHER, third)]

    clone.notebook.write(puts[:1])
    between = clone.bodies()
    clone.notebook.write(puts[1:])

    assert between == ["Use one queue.", "Use three."]
    assert clone.page.read_bytes() == before


LONG = f"{MEMORY}/decisions/{'ü' * 125}.md"


def long_page(clone: Clone) -> Path:
    """Move an entry into a file of its own, with the longest possible name."""
    clone.put(ENTRY)
    page = clone.root / LONG
    page.parent.mkdir()
    page.write_text(clone.page.read_text().removeprefix("# Decisions\n\n"))
    clone.page.unlink()
    return page


@pytest.mark.parametrize("has_exchange", [True, False])
def test_a_page_with_the_longest_name_is_written_and_removed(
    clone: Clone, monkeypatch: pytest.MonkeyPatch, *, has_exchange: bool
) -> None:
    if not has_exchange:
        monkeypatch.setattr(replacing, "exchange", lambda *_: False)
        monkeypatch.setattr(replacing, "give_name", lambda *_: False)
    page = long_page(clone)

    changed = clone.change(ENTRY, "Changed.")
    there = replace(ENTRY, body="Changed.")
    (removed,) = clone.notebook.write([Put(entry=there, over=there.digest, is_removal=True)])

    assert (changed, removed.path) == (LONG, LONG)
    assert list(page.parent.iterdir()) == []


def test_a_page_with_a_long_name_that_a_killed_process_moved_aside_is_read_again(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = long_page(clone)

    def killed(*_: object) -> bytes:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(replacing, "_read_late", killed)
        with pytest.raises(KeyboardInterrupt):
            clone.notebook.write([Put(entry=ENTRY, over=ENTRY.digest, is_removal=True)])

    clone.put(OTHER)

    assert sorted(clone.bodies()) == ["Use one queue.", "Use two."]
    assert page.stem.startswith(next(page.parent.glob("ü*.md")).stem)


@pytest.mark.parametrize(
    "added",
    [
        "# mine",
        "owner: bob",
        "tags:\n  - a # mine",
        "status: accepted  # mine",
    ],
)
def test_an_entry_with_lines_of_a_person_is_not_taken_out(clone: Clone, added: str) -> None:
    entry = replace(ENTRY, tags=("a",) if "tags" in added else ())
    clone.put(ENTRY)
    text = clone.page.read_text().replace("type:", f"{added}\ntype:")
    if "status" in added:
        text = text.replace("status: accepted\n", "")
    clone.page.write_text(text)

    (written,) = clone.notebook.write([Put(entry=entry, over=entry.digest, is_removal=True)])

    assert written.path is None
    assert clone.page.read_text() == text
    assert [one.has_more for one in clone.notebook.read().entries] == [True]


def test_what_holdfast_wrote_in_other_quotes_is_not_a_persons(clone: Clone) -> None:
    clone.put(replace(ENTRY, key="a: b", evidence=("statement: x",), tags=("d e", "f # g")))
    quoted = clone.page.read_text().replace("id: DEC-001", 'id: "DEC-001"')
    clone.page.write_bytes(quoted.replace("\n", "\r\n").encode())

    (found,) = clone.notebook.read().entries

    assert (found.entry.label, found.has_more) == ("DEC-001", False)


@requirement("files.a-kill-leaves-whole-pages")
def test_what_a_killed_process_left_is_finished_by_the_next(clone: Clone) -> None:
    clone.put(ENTRY)
    known = clone.page.read_bytes()
    kept = Stash(clone.state / "pages")
    done = kept.put(PAGE, known=known, fresh=b"fresh", rights=0o644)
    done.content.write_bytes(known + b"\n---\ntype: decision\n---\nBy hand.\n")
    kept.put(PAGE, known=known, fresh=b"never put there", rights=0o644)
    gone = kept.put(PAGE, known=known, fresh=b"x", rights=0o644)
    gone.content.unlink()
    for name in ("half.page", "half.base", "old.seen", "bad.note"):
        (clone.state / "pages" / name).write_text("not finished")
    (clone.root / MEMORY / f"{replacing.TEMPORARY}left").write_text("left")

    assert sorted(clone.bodies()) == ["By hand.", "Use one queue."]
    clone.put(OTHER)
    assert list((clone.state / "pages").iterdir()) == []
    assert [path.name for path in (clone.root / MEMORY).iterdir()] == ["decisions.md"]


def test_a_late_save_of_a_page_that_is_gone_makes_it_again(clone: Clone) -> None:
    clone.put(ENTRY)
    known = clone.page.read_bytes()
    item = Stash(clone.state / "pages").put(PAGE, known=known, fresh=b"fresh", rights=0o644)
    item.content.write_bytes(known + b"\nMore.\n")
    clone.page.unlink()

    assert clone.bodies() == ["Use one queue.\n\nMore."]


def test_a_late_save_that_cannot_be_brought_in_is_kept_and_told(clone: Clone) -> None:
    clone.put(ENTRY)
    known = clone.page.read_bytes()
    item = Stash(clone.state / "pages").put(PAGE, known=known, fresh=b"fresh", rights=0o644)
    item.content.write_bytes(known + b"\nMore.\n")
    clone.page.unlink()
    clone.page.symlink_to(clone.root)

    with pytest.raises(PageUnwritableError, match=r"symbolic link"):
        clone.notebook.read()

    assert item.content.read_bytes() == known + b"\nMore.\n"


def test_a_disk_that_does_not_take_it_is_told_and_the_page_stays(clone: Clone) -> None:
    clone.put(ENTRY)
    (clone.state / "pages").rmdir()
    (clone.state / "pages").write_text("in the way")

    with pytest.raises(PageUnwritableError, match=r"decisions\.md cannot be written"):
        clone.put(OTHER)

    assert clone.bodies() == ["Use one queue."]


def test_pages_that_somebody_else_writes_for_too_long_are_busy(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.adapters.files.disk._LOCK_SECONDS", 0.0)

    with held_lock(clone.state / "pages.lock"), pytest.raises(PagesBusyError):
        clone.put(ENTRY)


def test_a_lock_that_cannot_be_made_stops_writers_and_not_readers(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    path = tmp_path / "file" / "lock"

    with held_lock(path, shared=True):
        pass
    with pytest.raises(PagesBusyError), held_lock(path):
        pass


def test_whether_a_file_is_being_written_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "page"
    path.write_text("x")
    file = os.open(path, os.O_RDONLY)
    try:
        with path.open("a"):
            assert disk.is_being_written(file) is True
        assert disk.is_being_written(file) is False
    finally:
        os.close(file)


def test_a_system_without_leases_cannot_tell_and_goes_on(
    clone: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(fcntl, "F_SETLEASE")
    clone.put(ENTRY)

    assert clone.change(ENTRY, "Changed.") == PAGE
    assert clone.bodies() == ["Changed."]


@pytest.mark.parametrize("name", ["two\nlines.md", "bad\udcff.md", "bell\a.md"])
@requirement("files.flaws-name-file-and-line")
def test_a_name_that_cannot_be_shown_is_a_flaw(clone: Clone, name: str) -> None:
    (clone.root / MEMORY / name).write_text("---\ntype: fact\n---\nHidden.\n")

    pages = clone.notebook.read()

    assert pages.entries == ()
    assert [flaw.path.isprintable() for flaw in pages.flaws] == [True]


def test_a_page_that_changed_is_not_written_over(clone: Clone) -> None:
    clone.put(ENTRY)
    swapper = Swapper(clone.root, Stash(clone.state / "pages"))

    assert not swapper.swap(PAGE, b"something else", b"fresh")
    assert not swapper.swap(PAGE, None, b"fresh")
    assert not swapper.swap(f"{MEMORY}/nowhere/a.md", b"x", b"fresh")
    assert clone.bodies() == ["Use one queue."]


@requirement("files.bases-are-of-their-branch")
def test_what_was_agreed_on_is_dropped_when_the_branch_changed_meanwhile(clone: Clone) -> None:
    clone.scene.commit("first")
    clone.notebook.bases()
    clone.scene.git("checkout", "-q", "-b", "aside")

    clone.notebook.set_bases({MemoryId("m_1"): Base(digest="d", tip=MemoryId("m_1"))})

    assert clone.notebook.bases() == {}


@requirement("files.bases-are-of-their-branch")
def test_each_commit_without_a_branch_has_bases_of_its_own(clone: Clone) -> None:
    first = clone.scene.commit("first")
    clone.scene.commit("second")
    clone.scene.git("checkout", "-q", "--detach")
    clone.notebook.set_bases({MemoryId("m_1"): Base(digest="d", tip=MemoryId("m_1"))})

    clone.scene.git("checkout", "-q", first)

    assert clone.notebook.bases() == {}


def test_bases_of_many_commits_do_not_pile_up(tmp_path: Path) -> None:
    bases = Bases(tmp_path / "bases.json")
    some = {MemoryId("m_1"): Base(digest="d", tip=MemoryId("m_1"))}

    for number in range(20):
        bases.keep(f"HEAD@{number}", some)

    assert [number for number in range(20) if bases.of(f"HEAD@{number}")] == list(range(12, 20))


@pytest.mark.parametrize("content", ["", "[]", "{", '{"-": 1}', '{"-": {"m_1": {"tip": "x"}}}'])
def test_bases_that_cannot_be_read_are_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "bases.json"
    path.write_text(content)

    assert Bases(path).of("-") == {}


def test_bases_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(PageUnwritableError):
        Bases(tmp_path / "file" / "bases.json").keep("-", {})


def test_a_worktree_has_its_own_pages_and_state(clone: Clone, tmp_path: Path) -> None:
    clone.put(ENTRY)
    clone.scene.commit("first")
    clone.scene.git("worktree", "add", "-q", str(tmp_path / "beside"), "-b", "beside")
    beside = Scene.of(tmp_path / "beside")
    notebook = FileNotebook(beside.folder, GitVersions(beside.repository))

    assert notebook.committed() == {MemoryId("m_1"): frozenset({ENTRY.digest})}
    notebook.write([Put(entry=OTHER)])

    assert clone.bodies() == ["Use one queue."]
    assert beside.git("status", "--porcelain") == f"M {PAGE}"


def test_generated_pages_go_where_their_name_says(clone: Clone) -> None:
    assert clone.notebook.write_generated("context/active.md", "# Now\n").is_changed
    assert clone.notebook.write_generated("runs/run-1/summary.md", "# Run\r\n").is_changed

    text = (clone.root / ".holdfast/context/active.md").read_text()
    assert text.startswith("<!-- Made by holdfast")
    assert text.endswith(" -->\n# Now\n")
    assert not clone.notebook.write_generated("runs/run-1/summary.md", "# Run\n").is_changed


def test_a_generated_page_that_begins_with_frontmatter_keeps_it_first(clone: Clone) -> None:
    name, path = "runs/run-1/summary.md", clone.root / ".holdfast/runs/run-1/summary.md"

    assert clone.notebook.write_generated(name, "---\nid: r_1\n---\nDone.").is_changed

    assert path.read_text().startswith("---\nid: r_1\n---\nDone.\n<!-- Made by holdfast")
    assert clone.notebook.write_generated(name, "---\nid: r_1\n---\nMore.\n").is_changed
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert not clone.notebook.write_generated(name, "---\nid: r_1\n---\nMore.\n").is_changed
    path.write_text(path.read_text().replace("More", "Mine"))
    assert not clone.notebook.write_generated(name, "---\nid: r_1\n---\nLast.\n").is_changed


@requirement("files.generated-pages-yield")
def test_a_generated_page_yields_to_a_page_or_a_link_of_a_person(clone: Clone) -> None:
    folder = clone.root / ".holdfast" / "context"
    folder.mkdir()
    (folder / "active.md").write_text("Mine.\n")
    (folder / "linked.md").symlink_to(clone.root / "elsewhere.md")

    assert not clone.notebook.write_generated("context/active.md", "# Now\n").is_changed
    assert not clone.notebook.write_generated("context/linked.md", "# Now\n").is_changed
    assert (folder / "active.md").read_text() == "Mine.\n"
    assert not (clone.root / "elsewhere.md").exists()


@pytest.mark.parametrize("name", ["../x.md", "a/../../x.md", "/etc/x", "", "a//b.md", ".hidden"])
def test_a_generated_page_has_no_name_that_could_lead_elsewhere(clone: Clone, name: str) -> None:
    with pytest.raises(BadFieldError):
        clone.notebook.write_generated(name, "x")


@requirement("files.evil-repository")
def test_every_text_that_a_commit_has_under_a_uid_counts_as_committed(clone: Clone) -> None:
    clone.put(ENTRY)
    text = clone.page.read_text().removeprefix("# Decisions\n\n")
    others = {"decisions/a.md": "Folder.", ".a.md": "Hidden.", "a/b/c.md": "Deep."}
    for name, body in others.items():
        path = clone.root / MEMORY / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("Use one queue.", body))
    clone.page.write_text(text + "\n" + text.replace("Use one queue.", "Twice."))
    clone.scene.commit("evil")

    committed = clone.notebook.committed()

    bodies = ("Use one queue.", "Twice.", *others.values())
    assert committed == {
        MemoryId("m_1"): frozenset(replace(ENTRY, body=body).digest for body in bodies)
    }


@requirement("files.private-folders-stay-private")
def test_a_page_in_a_folder_of_ones_own_is_nobody_elses_to_read(clone: Clone) -> None:
    (clone.root / MEMORY).chmod(0o700)

    clone.put(ENTRY)
    clone.notebook.write_generated("candidates.md", "Private.\n")

    for name in ("decisions.md", "candidates.md"):
        assert (clone.root / MEMORY / name).stat().st_mode & 0o777 == 0o600


def test_origins_that_cannot_be_read_count_as_none(tmp_path: Path) -> None:
    path = tmp_path / "written.json"
    origins = OriginsFile(path)
    for text in ("[]", "{", '{"a": "nobody", "b": [3]}'):
        path.write_text(text, encoding="utf-8")
        assert origins.read() == {}


def test_origins_that_cannot_be_kept_are_a_refusal(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(PageUnwritableError):
        OriginsFile(tmp_path / "file" / "written.json").change({"a": Origin.AGENT})
