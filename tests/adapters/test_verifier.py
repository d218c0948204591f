"""What became of spans, in real repositories."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.adapters.git.anchors import candidates, following, tree_view, views
from holdfast.adapters.git.anchors.surroundings import LARGEST_FILE, LocalSurroundings
from holdfast.adapters.git.anchors.verifier import GitVerifier
from holdfast.adapters.processes import running
from holdfast.domain.anchors.tracing import UNKNOWN_PAST
from holdfast.domain.code.code import Symbol
from holdfast.domain.errors import OutsideUnavailableError
from holdfast.domain.ids import SpanId
from holdfast.domain.lookup_errors import NoHistoryError, NoSuchRevisionError
from holdfast.domain.memory.anchor import BranchPoint, CommitName, CommitPosition, Sighting, Verdict
from holdfast.domain.memory.evidence import Span, read_place
from holdfast.domain.values import replace
from holdfast.ports.recall.code import Outline
from tests.adapters.test_repository import git
from tests.builders import NOON
from tests.requirements import requirement
from tests.unit.places import FILE, function, line_of

REPO = "repo_1"
APP = "src/app.py"
FIRST = line_of(FILE, "def rotate")
LAST = FIRST + 3
ROTATE = f"{APP}:{FIRST}-{LAST}"
BLOCK = FILE[FIRST - 1 : LAST + 2]
OTHER = function("greet_everybody", "store.say_hello_to_all()", "store.and_say_goodbye()")


def written(path: Path, lines: Sequence[str], end: str = "\n") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes("".join(f"{line}{end}" for line in lines).encode())


def committed(root: Path, message: str = "work") -> str:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)
    return git(root, "rev-parse", "HEAD")


def a_project(root: Path, *options: str) -> Path:
    root.mkdir(parents=True)
    git(root, "init", "-q", *options)
    written(root / APP, FILE)
    written(root / "src" / "other.py", OTHER)
    committed(root)
    return root


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return a_project(tmp_path / "app")


def read(root: Path, place: str = ROTATE, name: str = "s_1") -> Span:
    """The span that evidence becomes when it is read."""
    found = LocalSurroundings(root, cache=root.parent / "repositories.json").read_span(
        read_place(place)
    )
    return Span(
        id=SpanId(name),
        repo=REPO,
        path=found.path,
        first=found.first,
        last=found.last,
        text_hash=found.text_hash,
        captured_at=NOON,
        anchor=found.anchor,
    )


def verifier(root: Path, outline: Outline | None = None) -> GitVerifier:
    cache = root.parent / "verdicts"
    return GitVerifier(root, cache=cache, repo=lambda: REPO, outline=outline)


def seen(root: Path, span: Span, *, at: str | None = None) -> Sighting:
    return verifier(root).examine([span], at=at)[span.id]


def told(sighting: Sighting) -> tuple[Verdict, list[str]]:
    return sighting.verdict, [place.reference for place in sighting.places]


def moved(path: str, by: int = 0) -> tuple[Verdict, list[str]]:
    return Verdict.MOVED, [f"{path}:{FIRST + by}-{LAST + by}"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The commands that were run, each as it was run."""
    commands: list[list[str]] = []
    real = running.run_program

    def counting(command: Sequence[str], **words: Any) -> tuple[int, bytes, bytes]:
        commands.append(list(command))
        return real(command, **words)

    monkeypatch.setattr(running, "run_program", counting)
    return commands


FRESH = (Verdict.FRESH, [ROTATE])


@requirement("verdict.fresh")
@requirement("verdict.few-processes")
def test_lines_of_an_unchanged_file_are_fresh_and_git_is_not_asked(
    root: Path, asked: list[list[str]]
) -> None:
    span = read(root)
    asked.clear()

    assert told(seen(root, span)) == FRESH
    assert asked == []


def test_verdicts_that_may_not_be_written_are_cached_in_memory(
    root: Path, asked: list[list[str]]
) -> None:
    span, cache = read(root), root.parent / "verdicts"
    path = root / span.path
    path.write_text(f"# first\n{path.read_text(encoding='utf-8')}", encoding="utf-8")
    checks = GitVerifier(root, cache=cache, repo=lambda: REPO, may_write=lambda: False)

    first = checks.examine([span])
    asked.clear()
    again = checks.examine([span])

    assert told(first[span.id]) == moved(span.path, 1)
    assert again == first
    assert asked == []
    assert not cache.exists()


@requirement("verdict.moved")
@pytest.mark.parametrize("is_committed", [False, True])
def test_lines_that_shift_have_moved(root: Path, *, is_committed: bool) -> None:
    span = read(root)
    written(root / APP, ["# A new first line.", *FILE])
    if is_committed:
        committed(root)

    assert told(seen(root, span)) == moved(APP, 1)


@requirement("verdict.fresh")
def test_what_was_read_in_a_dirty_file_is_found_again_before_and_after_it_is_committed(
    root: Path,
) -> None:
    written(root / APP, [*FILE[:3], "# not committed yet", *FILE[3:]])
    span = read(root, f"{APP}:{FIRST + 1}-{LAST + 1}")
    assert span.anchor is not None
    assert not span.anchor.is_committed

    assert told(seen(root, span))[0] is Verdict.FRESH
    committed(root)
    assert told(seen(root, span))[0] is Verdict.FRESH
    git(root, "reset", "-q", "--hard", "HEAD~1")
    assert told(seen(root, span)) == moved(APP)


@requirement("verdict.drifted")
def test_lines_that_changed_have_drifted_with_the_difference(root: Path) -> None:
    span = read(root)
    written(root / APP, [line.replace("rotate_now", "rotate_later") for line in FILE])

    sighting = seen(root, span)

    assert told(sighting) == (Verdict.DRIFTED, [ROTATE])
    assert "-        token.rotate_now()" in sighting.change
    assert "+        token.rotate_later()" in sighting.change


@requirement("verdict.moved")
def test_a_renamed_file_is_followed(root: Path) -> None:
    span = read(root)
    git(root, "mv", APP, "src/renamed.py")
    written(root / "src" / "renamed.py", ["# A new first line.", *FILE])

    assert told(seen(root, span)) == moved("src/renamed.py", 1)
    committed(root)
    assert told(seen(root, span)) == moved("src/renamed.py", 1)


@requirement("verdict.moved")
def test_a_file_that_was_renamed_twice_is_followed_by_its_first_name(root: Path) -> None:
    line = line_of(FILE, "for token")
    span = read(root, f"{APP}:{line}")
    git(root, "mv", APP, "src/second.py")
    committed(root)
    git(root, "mv", "src/second.py", "src/third.py")
    now = [line.replace("for token in", "for each_token in") for line in FILE]
    written(root / "src" / "third.py", now)
    git(root, "add", "-A")

    assert told(seen(root, span)) == (Verdict.DRIFTED, [f"src/third.py:{line}"])


@requirement("verdict.never-invented")
def test_a_renamed_file_is_named_and_followed_once_it_is_added_to_git(root: Path) -> None:
    span = read(root)
    (root / APP).rename(root / "src" / "new one.py")

    sighting = seen(root, span)
    assert sighting.verdict is Verdict.DRIFTED
    assert sighting.how == UNKNOWN_PAST
    assert told(sighting)[1] == moved("src/new one.py")[1]
    git(root, "add", "src/new one.py")
    assert told(seen(root, span)) == moved("src/new one.py")


@requirement("verdict.never-invented")
@pytest.mark.parametrize("copy", ["src/app.py.orig", "build/app.py"])
@pytest.mark.parametrize("how", ["cut", "rm", "rename"])
def test_lines_never_moved_to_an_older_copy_that_git_does_not_track(
    root: Path, how: str, copy: str
) -> None:
    written(root / copy, FILE)
    span = read(root)
    if how == "cut":
        written(root / APP, FILE[: FIRST - 1] + FILE[LAST + 2 :])
    elif how == "rm":
        git(root, "rm", "-q", APP)
        git(root, "commit", "-qm", "Remove it")
    else:
        git(root, "mv", APP, "src/renamed.py")
        changed = [line.replace("rotate_now", "rotate_one") for line in FILE]
        written(root / "src" / "renamed.py", changed)

    sighting = seen(root, span)
    assert sighting.verdict is Verdict.DRIFTED
    assert {one.path for one in sighting.places} == {"src/renamed.py" if how == "rename" else copy}


@requirement("verdict.moved")
def test_a_function_that_went_to_another_file_is_followed(root: Path) -> None:
    span = read(root)
    written(root / APP, FILE[: FIRST - 1] + FILE[LAST + 2 :])
    written(root / "src" / "other.py", [*OTHER, *BLOCK])
    by = len(OTHER) + 1 - FIRST

    assert told(seen(root, span)) == moved("src/other.py", by)
    committed(root)
    assert told(seen(root, span)) == moved("src/other.py", by)


@requirement("verdict.moved")
def test_a_file_that_is_split_is_followed(root: Path) -> None:
    span = read(root)
    written(root / APP, FILE[: FIRST - 1])
    written(root / "src" / "second.py", ["import os", "", "", *FILE[FIRST - 1 :]])
    committed(root)

    assert told(seen(root, span)) == moved("src/second.py", 4 - FIRST)


@requirement("verdict.never-invented")
def test_a_copy_that_was_always_there_is_not_where_the_lines_went(root: Path) -> None:
    written(root / "src" / "copy.py", FILE)
    committed(root)
    span = read(root)
    (root / APP).unlink()
    written(root / "src" / "copy.py", ["# A new first line.", *FILE])
    committed(root)

    sighting = seen(root, span)
    assert sighting.verdict is Verdict.ORPHANED
    assert "moved to no other file" in sighting.how


@requirement("verdict.never-invented")
def test_a_header_that_every_file_has_did_not_move_to_a_new_file(root: Path) -> None:
    header = ["# The terms of this project apply to this file.", "# Read them before you copy it."]
    for name in ("a", "b", "c"):
        written(root / f"{name}.py", [*header, f"{name} = 'something of its own'"])
    committed(root)
    span = read(root, "a.py:1-2")
    (root / "a.py").unlink()
    written(root / "d.py", [*header, "import another_thing_altogether"])
    committed(root)

    sighting = seen(root, span)

    assert sighting.verdict is not Verdict.MOVED
    assert "d.py:1-2" in [place.reference for place in sighting.places]


@requirement("verdict.never-invented")
def test_lines_that_stayed_in_part_speak_against_a_move(root: Path) -> None:
    span = read(root)
    written(root / APP, [line.replace("rotate_now", "rotate_later") for line in FILE])
    written(root / "src" / "other.py", [*OTHER, *BLOCK])
    committed(root)

    sighting = seen(root, span)

    assert sighting.verdict is Verdict.DRIFTED
    assert [place.path for place in sighting.places] == [APP, "src/other.py"]


@requirement("verdict.orphaned")
def test_a_file_that_was_deleted_takes_its_lines_along(root: Path) -> None:
    span = read(root)
    (root / APP).unlink()

    assert seen(root, span).verdict is Verdict.ORPHANED
    committed(root)
    assert seen(root, span).verdict is Verdict.ORPHANED


@requirement("verdict.unverifiable")
def test_what_is_no_text_any_more_cannot_be_checked(root: Path) -> None:
    span = read(root)
    (root / APP).write_bytes(b"\x7fELF\0\1")
    assert "not text any more" in seen(root, span).how

    with (root / APP).open("wb") as huge:
        huge.truncate(LARGEST_FILE + 1)
    assert "at most" in seen(root, span).how
    assert seen(root, span).verdict is Verdict.UNVERIFIABLE


def test_a_link_in_the_place_of_the_file_is_not_followed(root: Path, tmp_path: Path) -> None:
    span = read(root)
    (root / APP).rename(tmp_path / "outside.py")
    (root / APP).symlink_to(tmp_path / "outside.py")

    assert seen(root, span).verdict is Verdict.ORPHANED


@requirement("verdict.unverifiable")
def test_what_is_elsewhere_cannot_be_checked_here(root: Path, tmp_path: Path) -> None:
    span = read(root)
    spans = [
        replace(span, repo="repo_2", id=SpanId("s_2")),
        replace(span, repo=None, id=SpanId("s_3")),
    ]

    found = verifier(root).examine(spans)
    nowhere = verifier(tmp_path).examine([span])

    assert {one.verdict for one in found.values()} == {Verdict.UNVERIFIABLE}
    assert found[SpanId("s_2")].how == "it is not in this repository"
    assert nowhere[span.id].how == "there is no repository here"


@requirement("verdict.fresh")
def test_a_commit_is_asked_as_well_as_the_files_on_disk(root: Path) -> None:
    span = read(root)
    written(root / APP, ["# A new first line.", *FILE])
    committed(root)
    git(root, "mv", APP, "src/second.py")
    moving = committed(root)
    git(root, "rm", "-q", "src/second.py")
    last = committed(root)

    assert told(seen(root, span, at="HEAD~3")) == FRESH
    assert told(seen(root, span, at="HEAD~2")) == moved(APP, 1)
    assert told(seen(root, span, at=moving)) == moved("src/second.py", 1)
    assert seen(root, span, at=last).verdict is Verdict.ORPHANED


def test_a_file_in_a_commit_that_is_too_large_cannot_be_checked(root: Path) -> None:
    span = read(root)
    (root / APP).write_bytes(b"x" * (LARGEST_FILE + 1))
    committed(root)

    assert seen(root, span, at="HEAD").verdict is Verdict.UNVERIFIABLE


@requirement("recall.as-of-is-quick")
def test_a_check_at_a_commit_reads_no_file_of_the_commit_twice(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = read(root)
    (root / APP).rename(root / "src/second.py")
    for number in range(4):
        written(root / f"src/other{number}.py", [f"other = {number}", *FILE[:2]])
    last = committed(root)
    blobs: list[bytes] = []
    real = running.run_program

    def noting(command: Sequence[str], **words: Any) -> tuple[int, bytes, bytes]:
        if "--batch" in command:
            blobs.extend(words["given"].split())
        return real(command, **words)

    monkeypatch.setattr(running, "run_program", noting)

    assert told(seen(root, span, at=last)) == moved("src/second.py")
    here = git(root, "ls-tree", "-r", "--object-only", last).split()
    renamed = git(root, "rev-parse", f"{last}:src/second.py").strip()
    assert {name: blobs.count(name.encode()) for name in here if name != renamed} == dict.fromkeys(
        set(here) - {renamed}, 1
    )


@requirement("verdict.fresh")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_other_line_ends_and_a_byte_order_mark_change_nothing(root: Path, end: str) -> None:
    span = read(root)
    written(root / APP, FILE, end)
    (root / APP).write_bytes(b"\xef\xbb\xbf" + (root / APP).read_bytes())

    assert told(seen(root, span)) == FRESH
    committed(root)
    assert told(seen(root, span)) == FRESH


def test_a_file_that_git_converts_is_the_one_that_was_committed(root: Path) -> None:
    git(root, "config", "core.autocrlf", "true")
    written(root / APP, FILE, "\r\n")

    span = read(root)

    assert span.anchor is not None
    assert span.anchor.is_committed
    assert told(seen(root, span)) == FRESH


@requirement("verdict.fresh")
def test_a_worktree_and_a_detached_head_are_checked_like_any_other(
    root: Path, tmp_path: Path
) -> None:
    span = read(root)
    git(root, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    written(tmp_path / "tree" / APP, ["# A new first line.", *FILE])

    assert told(seen(tmp_path / "tree", span)) == moved(APP, 1)
    assert told(seen(root, span)) == FRESH


@requirement("verdict.moved")
def test_a_repository_with_longer_names_is_checked_like_any_other(tmp_path: Path) -> None:
    root = a_project(tmp_path / "app", "--object-format=sha256")
    span = read(root)
    assert span.anchor is not None
    assert len(span.anchor.blob or "") == 64
    git(root, "mv", APP, "src/renamed.py")
    committed(root)

    assert told(seen(root, span)) == moved("src/renamed.py")


@requirement("verdict.fresh")
def test_nothing_need_be_committed(tmp_path: Path) -> None:
    root = tmp_path / "app"
    root.mkdir()
    git(root, "init", "-q")
    written(root / APP, FILE)
    span = read(root)
    assert told(seen(root, span)) == FRESH

    written(root / APP, ["# A new first line.", *FILE])
    assert told(seen(root, span)) == moved(APP, 1)
    (root / APP).rename(root / "elsewhere.py")
    assert seen(root, span).verdict is Verdict.DRIFTED
    (root / "elsewhere.py").unlink()
    assert seen(root, span).verdict is Verdict.ORPHANED


@requirement("verdict.fresh")
def test_a_file_left_out_of_a_sparse_checkout_is_read_from_git(root: Path) -> None:
    span = read(root)
    written(root / "docs" / "page.md", ["# A page"])
    committed(root)
    git(root, "sparse-checkout", "set", "docs")
    assert not (root / APP).exists()

    assert told(seen(root, span)) == FRESH


@requirement("verdict.moved")
def test_lines_that_moved_to_a_file_left_out_are_found_there(root: Path) -> None:
    span = read(root)
    written(root / "docs" / "page.md", ["# A page"])
    git(root, "mv", APP, "src/renamed.py")
    committed(root)
    git(root, "sparse-checkout", "set", "docs")

    assert told(seen(root, span)) == moved("src/renamed.py")


@requirement("verdict.unverifiable")
def test_a_submodule_is_checked_where_it_is_checked_out(root: Path, tmp_path: Path) -> None:
    above = a_project(tmp_path / "above")
    git(above, "submodule", "--quiet", "add", str(root), "part")
    committed(above)
    span = read(above, f"part/{ROTATE}")
    assert seen(above, span).verdict is Verdict.FRESH

    git(above, "submodule", "--quiet", "deinit", "--force", "part")

    sighting = seen(above, span)
    assert sighting.verdict is Verdict.UNVERIFIABLE
    assert "submodule part" in sighting.how
    assert seen(above, span, at="HEAD").verdict is Verdict.UNVERIFIABLE


@requirement("verdict.unverifiable")
def test_a_shallow_clone_does_not_say_that_lines_are_gone(root: Path, tmp_path: Path) -> None:
    span = read(root)
    written(root / APP, ["nothing_is_left = 'of it'"])
    committed(root)
    written(root / APP, ["nothing_is_left = 'of it at all'"])
    committed(root)
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{root}", "shallow")

    assert seen(root, span).verdict is Verdict.ORPHANED
    sighting = seen(tmp_path / "shallow", span)
    assert sighting.verdict is Verdict.UNVERIFIABLE
    assert "does not have the file as it was read" in sighting.how


@requirement("verdict.few-processes")
def test_a_partial_clone_is_not_made_to_fetch(root: Path, tmp_path: Path) -> None:
    span = read(root)
    written(root / APP, ["# A new first line.", *FILE])
    committed(root)
    git(root, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{root}", "partial")
    shutil.rmtree(root)

    assert told(seen(tmp_path / "partial", span)) == moved(APP, 1)
    (tmp_path / "partial" / APP).write_text("nothing = 'left'\n")
    assert seen(tmp_path / "partial", span).verdict is Verdict.UNVERIFIABLE


def test_a_harmed_object_is_as_good_as_none(root: Path) -> None:
    span = read(root)
    assert span.anchor is not None
    blob = span.anchor.blob or ""
    harmed = root / ".git" / "objects" / blob[:2] / blob[2:]
    harmed.chmod(0o600)
    harmed.write_bytes(b"nothing that git can read")
    written(root / APP, ["# A new first line.", *FILE])

    assert told(seen(root, span)) == moved(APP, 1)


@requirement("verdict.unverifiable")
def test_without_git_what_the_files_show_is_still_said(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    span, other = read(root), read(root, "src/other.py:1-3", "s_2")
    (root / "src" / "other.py").unlink()
    written(root / APP, ["# A new first line.", *FILE])
    monkeypatch.setenv("PATH", str(tmp_path))

    found = verifier(root).examine([span, other])

    assert told(found[span.id]) == moved(APP, 1)
    assert found[other.id].verdict is Verdict.UNVERIFIABLE
    assert "no program called git" in found[other.id].how


def test_a_span_from_before_anchors_is_still_checked(root: Path) -> None:
    span = replace(read(root), anchor=None)
    assert told(seen(root, span)) == FRESH

    written(root / APP, ["# A new first line.", *FILE])
    assert told(seen(root, span)) == moved(APP, 1)
    (root / APP).unlink()
    assert seen(root, span).verdict is Verdict.ORPHANED


@requirement("verdict.drifted")
def test_a_function_that_was_written_anew_is_found_by_its_name(root: Path) -> None:
    class Named:
        def symbols(self, path: str, text: str) -> Sequence[Symbol]:
            assert path == APP
            lines = enumerate(text.split("\n"), 1)
            heads = [(number, re.match(r"def (\w+)", line)) for number, line in lines]
            return [
                Symbol(name=head[1], kind="function", first=number, last=number + 1)
                for number, head in heads
                if head is not None
            ]

    span = read(root, f"{APP}:{FIRST + 1}-{LAST}")
    assert span.anchor is not None
    span = replace(span, anchor=replace(span.anchor, symbol="rotate_tokens"))
    written(root / APP, ["# new", "def rotate_tokens(all):", "    everything_else(all)"])

    by_name = verifier(root, outline=Named())

    assert told(by_name.examine([span])[span.id]) == (Verdict.DRIFTED, [f"{APP}:2-3"])
    written(root / APP, ["# new", "def another(all):", "    everything_else(all)"])
    assert by_name.examine([span])[span.id].verdict is Verdict.ORPHANED
    (root / APP).unlink()
    assert by_name.examine([span])[span.id].verdict is Verdict.ORPHANED


@requirement("verdict.few-processes")
def test_git_is_asked_as_often_about_many_spans_as_about_one(
    root: Path, asked: list[list[str]]
) -> None:
    for number in range(20):
        written(root / f"part{number}.py", function(f"part_{number}", f"store.part({number})"))
    committed(root)
    places = [f"part{number}.py:1-3" for number in range(20)]
    spans = [read(root, place, f"s_{number}") for number, place in enumerate(places)]
    for number in range(0, 20, 2):
        git(root, "mv", f"part{number}.py", f"moved{number}.py")
    committed(root)
    for number in range(1, 20, 2):
        written(root / f"part{number}.py", ["# A new first line."])

    def processes(some: Sequence[Span]) -> int:
        shutil.rmtree(root.parent / "verdicts", ignore_errors=True)
        asked.clear()
        verifier(root).examine(some)
        return len(asked)

    assert processes(spans) == processes(spans[:2]) <= 16


@requirement("verdict.unverifiable")
def test_more_files_than_can_be_searched_are_not_searched(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = read(root)
    (root / APP).unlink()
    for number in range(4):
        written(root / f"part{number}.py", [f"part = {number}"])
    committed(root)
    monkeypatch.setattr(candidates, "MOST_FILES", 3)

    sighting = seen(root, span)

    assert sighting.verdict is Verdict.UNVERIFIABLE
    assert "files would have to be searched" in sighting.how


@requirement("verdict.never-invented")
@pytest.mark.parametrize("at", [None, "HEAD"])
def test_where_not_all_files_were_read_nothing_is_claimed(
    root: Path, monkeypatch: pytest.MonkeyPatch, at: str | None
) -> None:
    span = read(root)
    git(root, "mv", APP, "src/renamed.py")
    committed(root)
    for module in (tree_view, views):
        monkeypatch.setattr(module, "MOST_BYTES", 300)

    assert seen(root, span, at=at).verdict in {Verdict.DRIFTED, Verdict.UNVERIFIABLE}


def test_a_folder_that_is_a_link_now_is_not_searched(root: Path, tmp_path: Path) -> None:
    written(root / "part" / "new.py", OTHER)
    committed(root)
    span = read(root)
    (root / APP).unlink()
    written(root / "part" / "new.py", [*OTHER, *BLOCK])
    (root / "part").rename(tmp_path / "outside")
    (root / "part").symlink_to(tmp_path / "outside")

    assert seen(root, span).verdict is Verdict.ORPHANED


def test_a_name_means_the_commit_that_git_says(root: Path) -> None:
    first = git(root, "rev-parse", "HEAD")
    git(root, "tag", "-a", "v1", "-m", "the first")
    written(root / APP, OTHER)
    committed(root)

    for name in ("v1", "HEAD~1", first[:10], first):
        assert verifier(root).resolve(name).id == first
    moment = int(git(root, "show", "-s", "--format=%ct", first))
    assert verifier(root).resolve("v1").at.timestamp() == moment


@pytest.mark.parametrize(
    ("name", "near"), [("v4.18.0", "4.18.0"), ("4.18", "4.18.0"), ("mian", "main"), ("other", "")]
)
def test_a_name_that_means_no_commit_is_answered_with_the_nearest(
    root: Path, name: str, near: str
) -> None:
    git(root, "branch", "-M", "main")
    git(root, "tag", "4.18.0")

    with pytest.raises(NoSuchRevisionError) as refusal:
        verifier(root).resolve(name)

    assert (f"Did you mean '{near}'?" if near else "Name a branch") in str(refusal.value)
    assert ("Did you mean" in str(refusal.value)) is bool(near)


@pytest.mark.parametrize("name", ["", " ", "-x", "--all", "nowhere", "v1\0", "HEAD:src/app.py"])
def test_a_name_that_means_no_commit_is_refused(root: Path, name: str) -> None:
    with pytest.raises(NoSuchRevisionError):
        verifier(root).resolve(name)


def test_without_a_repository_there_is_no_history(tmp_path: Path) -> None:
    with pytest.raises(NoHistoryError):
        verifier(tmp_path).resolve("HEAD")


def test_a_repository_that_cannot_be_read_is_not_a_name_that_means_nothing(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    harmed = root / ".git" / "objects" / head[:2] / head[2:]
    harmed.chmod(0o600)
    harmed.write_bytes(b"nothing that git can read")

    with pytest.raises(OutsideUnavailableError):
        verifier(root).resolve("HEAD")


def test_commits_are_known_by_their_whole_names_and_by_what_they_change(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")

    found = verifier(root).identify([head[:8], "nowhere"])

    assert found.keys() == {head[:8]}
    assert found[head[:8]].id == head
    assert found[head[:8]].patch is not None


@requirement("verify.no-verdict-through-a-filter")
@pytest.mark.parametrize("attribute", ["filter=mask", "working-tree-encoding=UTF-16", "ident"])
def test_at_a_commit_nothing_is_said_of_a_file_that_a_filter_writes(
    root: Path, attribute: str
) -> None:
    span = read(root)
    assert told(seen(root, span, at="HEAD")) == FRESH

    (root / ".gitattributes").write_text(f"*.py {attribute}\n")

    found = seen(root, span, at="HEAD")
    assert found.verdict is Verdict.UNVERIFIABLE
    assert attribute.partition("=")[0] in found.how
    assert told(seen(root, span)) == FRESH


def test_what_became_of_commits_is_asked_of_the_history(root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    point = BranchPoint(branch="side", head=head, is_aside=True)

    fates = verifier(root).fates([CommitName(id=head)], {})

    assert fates[head].whereabouts is CommitPosition.REACHABLE
    assert verifier(root).arrived([point], {}).points == {point}


@requirement("recall.as-of")
def test_a_day_names_the_last_commit_of_it(root: Path) -> None:
    for day in ("2026-01-10", "2026-01-12"):
        git(root, "-c", f"alias.late=!GIT_COMMITTER_DATE={day}T12:00:00Z git commit", "late",
            "--allow-empty", "--quiet", "--message", day)  # fmt: skip
    second = git(root, "rev-parse", "HEAD")
    first = git(root, "rev-parse", "HEAD~1")

    assert verifier(root).resolve("2026-01-11").id == first
    assert verifier(root).resolve("2026-01-12").id == second
    assert verifier(root).resolve("2026-01-12").at == datetime(2026, 1, 13, tzinfo=UTC)
    begins = datetime.fromtimestamp(
        int(git(root, "log", "--max-parents=0", "--format=%ct")), tz=UTC
    )
    with pytest.raises(NoSuchRevisionError, match=f"the history begins on {begins:%Y-%m-%d}"):
        verifier(root).resolve("2020-01-01")


@pytest.mark.parametrize(
    "day", ["0001-01-01", "1800-01-01", "1969-12-31", "1970-01-01", "1972-05-01"]
)
@requirement("recall.as-of")
def test_a_day_that_git_reads_as_another_moment_is_before_the_history(root: Path, day: str) -> None:
    with pytest.raises(NoSuchRevisionError, match=f"No commit is from {day} or before"):
        verifier(root).resolve(day)


def test_a_day_names_no_commit_where_nothing_was_committed(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")

    with pytest.raises(NoSuchRevisionError, match="'2026-01-11' names neither"):
        verifier(tmp_path).resolve("2026-01-11")


STEPPED = "settings.ini"
MIDDLE = ["timeout = 90", "retry = three"]


def stepped(above: str, below: str, *, shift: int = 0) -> list[str]:
    return [*["# new"] * shift, above, above.upper(), *MIDDLE, below, below.upper()]


@pytest.fixture
def doubted(root: Path) -> Span:
    """A span whose lines above and below were replaced since, in one commit each."""
    written(root / STEPPED, stepped("the first neighbour", "the second neighbour"))
    committed(root)
    span = read(root, f"{STEPPED}:3-4")
    written(root / STEPPED, stepped("another line entirely", "the second neighbour", shift=1))
    committed(root)
    written(root / STEPPED, stepped("another line entirely", "and a different end", shift=1))
    committed(root)
    return span


@requirement("verdict.moved")
def test_lines_are_followed_through_the_versions_of_their_file(root: Path, doubted: Span) -> None:
    assert told(seen(root, doubted)) == (Verdict.MOVED, [f"{STEPPED}:4-5"])
    assert told(seen(root, doubted, at="HEAD")) == (Verdict.MOVED, [f"{STEPPED}:4-5"])


@requirement("verdict.moved")
def test_lines_are_followed_into_a_file_with_uncommitted_changes(root: Path, doubted: Span) -> None:
    lines = stepped("another line entirely", "and a different end", shift=1)
    written(root / STEPPED, ["# not committed", *lines])

    assert told(seen(root, doubted)) == (Verdict.MOVED, [f"{STEPPED}:5-6"])


def test_lines_that_were_away_in_between_are_not_followed(root: Path) -> None:
    written(root / STEPPED, stepped("the first neighbour", "the second neighbour"))
    committed(root)
    span = read(root, f"{STEPPED}:3-4")
    written(root / STEPPED, ["nothing of it is left here"])
    committed(root)
    written(root / STEPPED, stepped("another line entirely", "and a different end", shift=1))
    committed(root)

    assert seen(root, span).verdict is Verdict.DRIFTED


def test_without_git_lines_are_not_followed(
    root: Path, doubted: Span, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_words: object, **_named: object) -> bytes:
        raise OutsideUnavailableError(who="git", words="it is away")

    monkeypatch.setattr(following, "git_answer", refused)

    assert seen(root, doubted).verdict is Verdict.DRIFTED


@pytest.mark.parametrize("limit", ["_MOST_VERSIONS", "_MOST_STEPS_OF_A_SPAN"])
def test_a_way_that_is_too_long_is_not_followed(
    root: Path, doubted: Span, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(following, limit, 0)

    assert seen(root, doubted).verdict is Verdict.DRIFTED


@requirement("verdict.few-processes")
def test_many_doubtful_lines_are_followed_with_the_same_number_of_processes(
    root: Path, doubted: Span, asked: list[list[str]]
) -> None:
    asked.clear()
    seen(root, doubted)
    for_one = len(asked)
    asked.clear()
    many = [replace(doubted, id=SpanId(f"s_{number}")) for number in range(2, 9)]
    verifier(root).examine(many)

    assert len(asked) <= for_one
