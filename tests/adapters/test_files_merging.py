"""Pages joined by uid: what both sides did stays, and git itself agrees."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.files.merging import Prefer, merge_pages
from holdfast.adapters.files.notebook import FileNotebook
from holdfast.adapters.files.pages import MEMORY, read_pages
from holdfast.adapters.git.pages.pages import GitVersions
from holdfast.domain.memory.entry import PageEntry
from tests.adapters.histories import Scene
from tests.requirements import requirement

PAGE = f"{MEMORY}/decisions.md"


def entry(number: int, body: str = "", **more: str) -> str:
    keys = {"id": f"DEC-{number:03}", "uid": f"m_{number}", "type": "decision"} | more
    head = "".join(f"{key}: {value}\n" for key, value in keys.items() if value)
    return f"---\n{head}---\n{body or f'Number {number}.'}\n\n"


def merged(base: str, ours: str, theirs: str, *, prefer: Prefer = Prefer.NEITHER) -> str:
    """Return the joined page, which must have no conflict."""
    made = merge_pages(base.encode(), ours.encode(), theirs.encode(), path=PAGE, prefer=prefer)
    assert made.conflicts == ()
    return made.content.decode()


def said(text: str) -> list[PageEntry]:
    pages = read_pages({PAGE: text.encode()})
    assert pages.flaws == ()
    return [placed.entry for placed in pages.entries]


TOP = "# Decisions\n\n"
BASE = TOP + entry(1) + entry(2)


@requirement("files.merge-by-uid")
def test_what_both_sides_added_both_stays() -> None:
    made = merged(BASE, BASE + entry(3), BASE + entry(4))

    assert made == BASE + entry(3) + entry(4)


@requirement("files.merge-by-uid")
def test_what_one_side_changed_or_removed_is_taken() -> None:
    ours = TOP + entry(1, "Changed.") + entry(2)
    theirs = "# Our decisions\n\n" + entry(1)

    assert merged(BASE, ours, theirs) == "# Our decisions\n\n" + entry(1, "Changed.")


@requirement("files.merge-by-uid")
def test_an_entry_that_moved_is_still_the_same_entry() -> None:
    made = merged(BASE, TOP + entry(2) + entry(1), BASE.replace("Number 1.", "Changed."))

    assert [one.body for one in said(made)] == ["Number 2.", "Changed."]


@requirement("files.merge-by-uid")
def test_two_keys_of_one_entry_may_be_changed_by_two_sides() -> None:
    ours = TOP + entry(1, status="deprecated", tags="[a, b]") + entry(2)
    theirs = TOP + entry(1, "Changed.", tags="[c]") + entry(2)

    (one, _) = said(merged(BASE, ours, theirs))

    assert (one.status, one.body, one.tags) == ("deprecated", "Changed.", ("a", "b", "c"))


def test_what_they_wrote_beside_our_keys_is_kept() -> None:
    ours, theirs = (
        BASE.replace("Number 1.", "Changed."),
        BASE.replace("id: DEC-001\n", "# why\nid: DEC-001\nstatus: deprecated\n"),
    )

    made = merged(BASE, ours, theirs)

    assert "# why\n" in made
    assert [one.body for one in said(made)] == ["Changed.", "Number 2."]


def test_one_entry_that_two_clones_named_keeps_the_first_name() -> None:
    base = TOP + entry(1, id="", uid="")
    ours, theirs = TOP + entry(1, id="DEC-001", uid="m_b"), TOP + entry(1, id="DEC-002", uid="m_a")

    (one,) = said(merged(base, ours, theirs))

    assert (one.uid, one.label, one.was) == ("m_a", "DEC-002", ("DEC-001",))


@requirement("files.conflicts-are-marked")
def test_an_entry_that_both_changed_is_marked_and_nothing_else_is() -> None:
    ours, theirs = BASE.replace("Number 1.", "Ours."), BASE.replace("Number 1.", "Theirs.")

    made = merge_pages(BASE.encode(), (ours + entry(3)).encode(), theirs.encode(), path=PAGE)

    text = made.content.decode()
    assert made.conflicts == ("DEC-001",)
    assert text.count("<<<<<<< ours\n") == text.count(">>>>>>> theirs\n") == 1
    pages = read_pages({PAGE: made.content})
    assert [one.entry.label for one in pages.entries] == ["DEC-002", "DEC-003"]
    assert [flaw.line for flaw in pages.flaws] == [3]


@requirement("files.conflicts-are-marked")
def test_an_entry_that_one_removed_and_the_other_changed_is_kept_and_marked() -> None:
    ours, theirs = TOP + entry(2), BASE.replace("Number 1.", "Theirs.")

    made = merge_pages(BASE.encode(), ours.encode(), theirs.encode(), path=PAGE)

    assert made.conflicts == ("DEC-001",)
    assert "Theirs." in made.content.decode()


def test_prose_that_both_changed_is_marked() -> None:
    ours, theirs = BASE.replace("# D", "# Our d"), BASE.replace("# D", "# Their d")

    made = merge_pages(BASE.encode(), ours.encode(), theirs.encode(), path=PAGE)

    assert len(made.conflicts) == 1
    assert "# Our decisions" in made.content.decode()


@requirement("files.labels-are-made-different")
def test_of_two_entries_with_one_label_the_later_gets_the_next_number() -> None:
    ours, theirs = BASE + entry(7, uid="m_z"), BASE + entry(7, "Theirs.", uid="m_a")

    for made in (merged(BASE, ours, theirs), merged(BASE, theirs, ours)):
        named = {str(one.uid): (one.label, one.was) for one in said(made)}
        assert named["m_a"] == ("DEC-007", ())
        assert named["m_z"] == ("DEC-008", ("DEC-007",))


def test_a_side_that_is_believed_leaves_no_conflict() -> None:
    ours, theirs = BASE.replace("Number 1.", "Ours."), BASE.replace("Number 1.", "Theirs.")

    made = merged(BASE, ours + entry(3), theirs, prefer=Prefer.THEIRS)

    assert [one.body for one in said(made)] == ["Theirs.", "Number 2.", "Number 3."]


def test_pages_with_other_line_ends_are_joined_by_what_they_say() -> None:
    ours = (BASE + entry(3)).replace("\n", "\r\n")

    made = merged(BASE, ours, BASE + entry(4))

    assert [one.label for one in said(made)] == ["DEC-001", "DEC-002", "DEC-003", "DEC-004"]


@given(st.binary(max_size=60), st.binary(max_size=60), st.binary(max_size=60))
def test_no_bytes_make_a_merge_fail(base: bytes, ours: bytes, theirs: bytes) -> None:
    head = entry(1).encode()

    merge_pages(head + base, ours + head, head + theirs)


@given(st.data())
def test_no_entry_of_either_side_is_ever_lost(data: st.DataObject) -> None:
    numbers = st.lists(st.integers(1, 6), unique=True, max_size=5)
    base, ours, theirs = (data.draw(numbers) for _ in range(3))
    text = [TOP + "".join(entry(one) for one in side) for side in (base, ours, theirs)]

    kept = {one.uid for one in said(merged(*text))}

    added = (set(ours) | set(theirs)) - set(base)
    both = set(ours) & set(theirs)
    assert kept == {f"m_{one}" for one in added | both}


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    made = Scene(tmp_path / "clone")
    made.commit("first", **{PAGE: BASE})
    return made


def with_driver(scene: Scene) -> None:
    """Let git join pages as ours do."""
    program = (
        "import sys;from pathlib import Path;"
        "from holdfast.adapters.files.merging import merge_pages;"
        "b,o,t=map(Path,sys.argv[1:4]);"
        "m=merge_pages(b.read_bytes(),o.read_bytes(),t.read_bytes(),path=sys.argv[4]);"
        "o.write_bytes(m.content);sys.exit(bool(m.conflicts))"
    )
    scene.git("config", "merge.holdfast.driver", f'{sys.executable} -c "{program}" %O %A %B %P')
    (scene.folder / ".gitattributes").write_text(f"{MEMORY}/** merge=holdfast\n")


def two_branches(scene: Scene, ours: str, theirs: str) -> None:
    scene.git("checkout", "-q", "-b", "aside")
    scene.commit("theirs", **{PAGE: theirs})
    scene.git("checkout", "-q", "main")
    scene.commit("ours", **{PAGE: ours})


@requirement("files.merge-by-uid")
def test_git_joins_two_branches_through_the_driver(scene: Scene) -> None:
    with_driver(scene)
    scene.commit("driver")
    two_branches(scene, BASE + entry(7, uid="m_z"), BASE + entry(7, "Theirs.", uid="m_a"))

    scene.git("merge", "-q", "aside")

    labels = [one.label for one in said((scene.folder / PAGE).read_text())]
    assert labels == ["DEC-001", "DEC-002", "DEC-008", "DEC-007"]
    assert scene.git("status", "--porcelain") == ""


@requirement("files.conflict-markers-healed")
def test_a_page_that_git_left_with_markers_is_rebuilt_from_the_index(scene: Scene) -> None:
    two_branches(scene, BASE + entry(3), BASE + entry(4))
    scene.git("merge", "-q", "aside", check=False)
    page = scene.folder / PAGE
    assert "<<<<<<<" in page.read_text()
    notebook = FileNotebook(scene.folder, GitVersions(scene.repository))

    assert notebook.heal() == ()

    assert page.read_text() == BASE + entry(3) + entry(4)
    assert notebook.read().flaws == ()


@requirement("files.conflict-markers-healed")
def test_a_conflict_that_only_a_person_can_settle_stays_and_is_told(scene: Scene) -> None:
    ours, theirs = BASE.replace("Number 1.", "Ours."), BASE.replace("Number 1.", "Theirs.")
    two_branches(scene, ours, theirs)
    scene.git("merge", "-q", "aside", check=False)
    notebook = FileNotebook(scene.folder, GitVersions(scene.repository))

    (flaw,) = notebook.heal()

    assert (flaw.path, flaw.line) == (PAGE, 3)
    assert [one.entry.label for one in notebook.read().entries] == ["DEC-002"]


@requirement("files.conflict-markers-healed")
def test_a_conflict_that_a_person_began_to_settle_is_left_to_them(scene: Scene) -> None:
    two_branches(scene, BASE + entry(3), BASE + entry(4))
    scene.git("merge", "-q", "aside", check=False)
    page = scene.folder / PAGE
    begun = page.read_text().replace("Number 3.", "Number 3, and I am not done.")
    page.write_text(begun)
    notebook = FileNotebook(scene.folder, GitVersions(scene.repository))

    assert len(notebook.heal()) >= 1
    assert page.read_text() == begun


@requirement("files.conflict-markers-healed")
def test_markers_that_were_committed_are_told_with_file_and_line(scene: Scene) -> None:
    two_branches(scene, BASE + entry(3), BASE + entry(4))
    scene.git("merge", "-q", "aside", check=False)
    scene.commit("with the markers")
    notebook = FileNotebook(scene.folder, GitVersions(scene.repository))

    flaws = notebook.heal()

    assert {flaw.path for flaw in flaws} == {PAGE}
    assert all(flaw.advice for flaw in flaws)
