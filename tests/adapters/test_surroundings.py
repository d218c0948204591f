from __future__ import annotations

import hashlib
import os
import shutil
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.git.anchors.surroundings import LARGEST_FILE, LocalSurroundings
from holdfast.adapters.processes import running
from holdfast.domain.code.code import Symbol
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.memory.anchor import Anchor, FoundLines, anchored
from holdfast.domain.memory.callers import Visible
from holdfast.domain.memory.evidence import FilePlace, read_place
from holdfast.domain.memory.place import Place
from tests.adapters.test_repository import a_repository, git
from tests.requirements import requirement


def around(folder: Path) -> LocalSurroundings:
    return LocalSurroundings(folder, cache=folder / "cache.json")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder that is no repository, which is quicker to make; the rules are the same."""
    folder = tmp_path / "app"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "app.py").write_text("one\ntwo\nthree\n")
    return folder


def refusal(folder: Path, evidence: str) -> str:
    with pytest.raises(EvidenceUnreadableError) as refused:
        around(folder).read_span(read_place(evidence))
    said = str(refused.value)
    said.encode("utf-8")
    assert len(said) < 400
    return said


@requirement("files.evidence-is-proved-by-the-page")
def test_a_place_of_a_page_is_read_from_the_root_wherever_we_stand(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "sub").mkdir()
    (tmp_path / "app.py").write_text("one\n", encoding="utf-8")
    inside = LocalSurroundings(tmp_path / "sub", cache=tmp_path / "repositories.json")

    found = inside.read_span(FilePlace(path="app.py", first=1, last=1, is_from_root=True))

    assert (found.path, found.first, found.last) == ("app.py", 1, 1)
    with pytest.raises(EvidenceUnreadableError):
        inside.read_span(FilePlace(path="app.py", first=1, last=1))


def test_the_lines_that_were_read_are_the_lines_that_are_hashed(root: Path) -> None:
    read = around(root).read_span(read_place("src/app.py:2-3"))

    assert (read.path, read.first, read.last) == (str(root / "src/app.py"), 2, 3)
    assert read.text_hash == hashlib.sha256(b"two\nthree").hexdigest()


@requirement("review.cited-lines")
def test_cited_lines_are_read_from_the_root_wherever_the_command_runs(repository: Path) -> None:
    (repository / "deep").mkdir()
    (repository / "src").mkdir(exist_ok=True)
    (repository / "src" / "new.py").write_text("one\ntwo\nthree\n")
    here = around(repository / "deep")

    assert here.read_lines(FoundLines(path="src/new.py", first=2, last=9)) == ["two", "three"]
    with pytest.raises(EvidenceUnreadableError):
        here.read_lines(FoundLines(path="../outside.py", first=1, last=1))
    with pytest.raises(EvidenceUnreadableError):
        here.read_lines(FoundLines(path="src/none.py", first=1, last=1))


def test_without_lines_the_whole_file_is_meant(root: Path) -> None:
    read = around(root).read_span(read_place("src/app.py"))

    assert (read.first, read.last) == (1, 3)


def test_line_ends_a_byte_order_mark_and_a_missing_last_one_make_no_difference(root: Path) -> None:
    forms = [b"one\ntwo", b"one\ntwo\n", b"one\r\ntwo\r\n", b"\xef\xbb\xbfone\ntwo\n", b"one\rtwo"]
    hashes = set()
    for form in forms:
        (root / "text").write_bytes(form)
        hashes.add(around(root).read_span(read_place("text:1-2")).text_hash)

    assert len(hashes) == 1


@pytest.mark.parametrize("odd", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_lines_are_numbered_as_editors_and_git_number_them(root: Path, odd: str) -> None:
    (root / "text").write_text(f"a{odd}b\nsecond\n", encoding="utf-8")

    read = around(root).read_span(read_place("text:2"))

    assert read.text_hash == hashlib.sha256(b"second").hexdigest()
    assert "2 lines" in refusal(root, "text:3")


@given(lines=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0\ufeff"))))
def test_any_text_is_read_line_by_line(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    (folder / "text").write_text("".join(f"{line}\n" for line in lines), "utf-8", newline="")

    for number, line in enumerate(lines, start=1):
        read = around(folder).read_span(FilePlace(path="text", first=number, last=number))
        assert read.text_hash == hashlib.sha256(line.encode()).hexdigest()
    with pytest.raises(EvidenceUnreadableError):
        around(folder).read_span(FilePlace(path="text", first=len(lines) + 1))


@requirement("evidence.place-checked")
@pytest.mark.parametrize(
    ("evidence", "problem"),
    [
        ("src/gone.py", "no such file"),
        ("gone/app.py:1", "no such file"),
        ("src/app.py:abc", "If 'abc' should name lines, write a number: src/app.py:10, or "),
        ("gone.py:1-", "If '1-' should name lines"),
        ("src/app.py#L1-L2", "Lines are written as src/app.py:1-2."),
        ("src/app.py#L2", "Lines are written as src/app.py:2."),
        ("src/app.py:1:2", "Lines are written as src/app.py:1-2, and one line as src/app.py:1."),
        ("src/app.py:3:1", "no such file. Lines are written as src/app.py:3."),
        ("HEAD~2", "A commit is written as commit:HEAD~2."),
        ("4d22f0a", "A commit is written as commit:4d22f0a."),
        ("make test", "A command that was run is written as command:make test."),
        ("src/app.py:4", "it has 3 lines, line 4 is not there"),
        ("src/app.py:2-999999999", "line 999999999 is not there"),
        ("src", "it is a folder"),
        (".", "it is a folder"),
        ("", "it is a folder"),
        ("src/app.py/deeper", "Not a directory"),
        ("../elsewhere.txt", "outside app"),
        ("src/../../elsewhere.txt:1", "outside app"),
        ("/etc/passwd", "outside app"),
        ("a\0b", "no such file"),
        ("\ud800", "no such file"),
        ("../\0", "outside app"),
        ("x" * 5_000, "File name too long"),
    ],
)
def test_evidence_that_cannot_be_read_is_refused_in_one_sentence(
    root: Path, evidence: str, problem: str
) -> None:
    (root.parent / "elsewhere.txt").write_text("secret\n")

    assert problem in refusal(root, evidence)


@pytest.mark.parametrize("evidence", ["a file.txt", "some notes.md:3", "4d22f0a.py", "HEADS"])
def test_a_path_that_may_be_one_is_taken_for_nothing_else(root: Path, evidence: str) -> None:
    assert "is written as" not in refusal(root, evidence)


@requirement("evidence.place-checked")
def test_a_path_from_the_root_is_named_as_a_subfolder_writes_it(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "src" / "auth").mkdir(parents=True)
    (tmp_path / "src" / "app.py").write_text("one\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("secret.py\n", encoding="utf-8")
    (tmp_path / "secret.py").write_text("one\n", encoding="utf-8")
    inside = tmp_path / "src" / "auth"
    agent = LocalSurroundings(inside, cache=tmp_path / "cache.json", visible=Visible.NOT_IGNORED)

    assert "For src/app.py of the repository write ../app.py." in refusal(inside, "src/app.py:1")
    assert "write" not in refusal(inside, "src/gone.py")
    assert "For secret.py" in refusal(inside, "secret.py")
    with pytest.raises(EvidenceUnreadableError, match="git ignores|no such file") as refused:
        agent.read_span(read_place("secret.py"))
    assert "For secret.py" not in str(refused.value)


@requirement("evidence.place-checked")
def test_a_link_is_not_followed_wherever_it_stands_or_leads(root: Path) -> None:
    (root.parent / "elsewhere").mkdir()
    (root.parent / "elsewhere" / "text").write_text("secret\n")
    (root / "out").symlink_to(root.parent / "elsewhere")
    (root / "in").symlink_to(root / "src")
    (root / "file").symlink_to(root / "src" / "app.py")
    (root / "dangling").symlink_to(root / "nowhere")
    (root / "circle").symlink_to(root / "circle")

    for evidence in ("out/text", "in/app.py", "file", "dangling", "circle"):
        assert "symbolic link" in refusal(root, evidence)


@requirement("evidence.place-checked")
def test_what_is_no_plain_text_file_is_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "binary").write_bytes(b"\x7fELF\0\1")
    (root / "latin").write_bytes("naïve".encode("latin-1"))
    (root / "wide").write_bytes("text".encode("utf-16"))
    (root / "empty").touch()
    with (root / "huge").open("wb") as huge:
        huge.truncate(LARGEST_FILE + 1)

    assert "not a file" in refusal(root, "pipe")
    assert "binary" in refusal(root, "binary")
    assert "not UTF-8" in refusal(root, "latin")
    assert "binary" in refusal(root, "wide")
    assert "it is empty" in refusal(root, "empty")
    assert "at most 16,777,216 are read" in refusal(root, "huge")


def test_a_socket_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")

        assert "cannot be used" in refusal(root, "socket")


def test_no_refusal_leaves_a_file_open(root: Path) -> None:
    os.mkfifo(root / "pipe")
    before = len(list(Path("/proc/self/fd").iterdir()))

    for evidence in ("pipe", "src", "src/gone.py", "src/app.py/deeper", "gone/app.py"):
        refusal(root, evidence)

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_a_folder_that_is_gone_is_refused_too(tmp_path: Path) -> None:
    assert "no such file" in refusal(tmp_path / "gone", "text")


def test_a_path_is_cited_from_the_root_however_it_was_written(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    (root / "src").mkdir()
    (root / "src" / "app.py").write_text("one\n")
    (tmp_path / "way").symlink_to(root)
    ways = ["app.py", "../src/app.py", f"{root}/src/app.py", f"{tmp_path}/way/src/app.py"]

    for folder in (root / "src", tmp_path / "way" / "src"):
        for way in ways:
            assert around(folder).read_span(read_place(f"{way}:1")).path == "src/app.py"


@requirement("scope.reaches-its-place")
def test_a_place_names_the_repository_the_branch_and_the_workspace(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    (tmp_path / "way").symlink_to(root)
    cache = tmp_path / "cache.json"

    direct = LocalSurroundings(root, cache=cache, workspace="work").place()
    by_link = LocalSurroundings(tmp_path / "way", cache=cache, workspace="work").place()

    assert (direct.workspace, direct.branch) == ("work", "main")
    assert direct.repo is not None
    assert direct == by_link


def test_without_a_repository_only_the_workspace_is_known(tmp_path: Path) -> None:
    assert around(tmp_path).place() == Place()


def test_a_place_is_of_the_moment_it_was_first_asked_for(tmp_path: Path) -> None:
    root = a_repository(tmp_path / "app")
    surroundings = LocalSurroundings(root, cache=tmp_path / "cache.json")
    first = surroundings.place()
    git(root, "checkout", "-q", "-b", "other")

    assert surroundings.place() == first


TEXT = "".join(f"statement number {number}\n" for number in range(1, 21))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = a_repository(tmp_path / "repository")
    (root / "app.py").write_text(TEXT)
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "second")
    return root


def anchor(folder: Path, evidence: str) -> Anchor:
    read = LocalSurroundings(folder, cache=folder.parent / "cache.json").read_span(
        read_place(evidence)
    )
    assert read.anchor is not None
    return read.anchor


def test_without_a_repository_there_is_no_anchor_and_no_standpoint(root: Path) -> None:
    assert around(root).read_span(read_place("src/app.py:1")).anchor is None
    assert around(root).branch_point() is None


@requirement("anchor.content-first")
def test_an_anchor_notes_the_content_and_where_it_stood(repository: Path) -> None:
    found = anchor(repository, "app.py:5-7")

    content = anchored(TEXT.splitlines(), 5, 7)
    assert (found.marks, found.before, found.after) == (
        content.marks,
        content.before,
        content.after,
    )
    assert found.blob == git(repository, "rev-parse", "HEAD:app.py")
    assert found.is_committed
    assert found.head == git(repository, "rev-parse", "HEAD")
    assert found.branch == "main"


@requirement("anchor.content-first")
def test_what_was_read_in_a_dirty_file_is_what_is_anchored(repository: Path) -> None:
    (repository / "app.py").write_text(f"# not committed\n{TEXT}")

    found = anchor(repository, "app.py:5-7")

    assert found.blob == git(repository, "hash-object", "app.py")
    assert not found.is_committed


def test_the_commit_that_touched_the_lines_last_is_noted(repository: Path) -> None:
    text = TEXT.replace("number 6\n", "number six\n")
    (repository / "app.py").write_text(text)
    git(repository, "commit", "-q", "-a", "-m", "third")
    change = git(repository, "diff-tree", "-p", "--root", "HEAD")
    (repository / "patch").write_text(f"{change}\n")
    patch = git(repository, "-c", "alias.id=!git patch-id --stable <patch", "id").split()[0]

    newer, older = anchor(repository, "app.py:5-7"), anchor(repository, "app.py:1-3")

    assert newer.touched_by == git(repository, "rev-parse", "HEAD")
    assert newer.patch == patch
    assert older.touched_by == git(repository, "rev-parse", "HEAD~1")


def test_lines_that_are_not_committed_were_touched_by_no_commit(repository: Path) -> None:
    (repository / "app.py").write_text(TEXT.replace("number 6\n", "number six\n"))
    (repository / "new.py").write_text(TEXT)

    assert anchor(repository, "app.py:6").touched_by is None
    assert anchor(repository, "new.py:6").touched_by is None


@requirement("anchor.capture-constant")
def test_many_places_are_read_with_a_few_questions_to_git(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    real = running.run_program

    def counting(command: Sequence[str], **words: Any) -> tuple[int, bytes, bytes]:
        asked.append(command)
        return real(command, **words)

    monkeypatch.setattr(running, "run_program", counting)
    surroundings = LocalSurroundings(repository, cache=repository.parent / "cache.json")

    def read(places: int) -> set[bool]:
        anchors = [surroundings.read_span(read_place("app.py:3")).anchor for _ in range(places)]
        return {one is not None and one.is_committed for one in anchors}

    assert read(12) == {True}
    few = len(asked)
    assert read(60) == {True}
    assert len(asked) == few


def test_a_repository_that_moves_on_is_looked_at_again(repository: Path) -> None:
    surroundings = LocalSurroundings(repository, cache=repository.parent / "cache.json")
    before = surroundings.read_span(read_place("app.py:3")).anchor
    git(repository, "checkout", "-q", "-b", "other")
    git(repository, "commit", "-q", "--allow-empty", "-m", "third")

    after = surroundings.read_span(read_place("app.py:3")).anchor

    assert before is not None
    assert after is not None
    assert (before.branch, after.branch) == ("main", "other")
    assert after.head == git(repository, "rev-parse", "HEAD")
    point = surroundings.branch_point()
    assert point is not None
    assert (point.branch, point.head) == ("other", after.head)


def test_the_innermost_symbol_around_the_lines_is_noted(repository: Path) -> None:
    read: list[str] = []

    class Nested:
        def symbols(self, path: str, text: str) -> Sequence[Symbol]:
            read.append(path)
            assert (path, text.splitlines()) == ("app.py", TEXT.splitlines())
            names = [("Store", 1, 20), ("Store.rotate", 4, 9), ("Store.rotate.inner", 6, 6)]
            return [
                Symbol(name=name, kind="function", first=first, last=last)
                for name, first, last in names
            ]

    cache = repository.parent / "cache.json"
    surroundings = LocalSurroundings(repository, cache=cache, outline=Nested())

    def symbol(evidence: str) -> str | None:
        found = surroundings.read_span(read_place(evidence)).anchor
        assert found is not None
        return found.symbol

    assert symbol("app.py:5-7") == "Store.rotate"
    assert symbol("app.py:6") == "Store.rotate.inner"
    assert symbol("app.py:8-12") == "Store"
    assert read == ["app.py"]  # once for as many places as come together


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_before_the_first_commit_the_content_is_noted(tmp_path: Path, form: str) -> None:
    git(tmp_path, "init", "-q", f"--object-format={form}", "new")
    (tmp_path / "new" / "app.py").write_text(TEXT)

    found = anchor(tmp_path / "new", "app.py:3")

    assert found.blob == git(tmp_path / "new", "hash-object", "app.py")
    assert (found.head, found.is_committed) == (None, False)


def test_a_path_is_taken_as_it_is_written(repository: Path) -> None:
    odd = ["a b.py", "ü*.py", ":(glob)x.py", "[x].py"]
    for name in odd:
        (repository / name).write_text(TEXT)
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "odd names")

    for name in odd:
        assert anchor(repository, f"{name}:2").is_committed


@requirement("evidence.whatever-git-says")
def test_without_git_the_lines_are_read_all_the_same(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    found = anchor(repository, "app.py:5-7")

    assert found.blob is not None
    assert found.head is not None
    assert (found.is_committed, found.touched_by, found.patch) == (False, None, None)


@requirement("evidence.whatever-git-says")
def test_a_harmed_repository_does_not_keep_a_file_from_being_read(repository: Path) -> None:
    head = git(repository, "rev-parse", "HEAD")
    harmed = repository / ".git" / "objects" / head[:2] / head[2:]
    harmed.chmod(0o600)
    harmed.write_bytes(b"nothing that git can read")

    found = anchor(repository, "app.py:5-7")

    assert (found.head, found.is_committed, found.touched_by) == (head, False, None)


@requirement("evidence.whatever-git-says")
def test_a_slow_git_is_not_waited_for(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    slow = tmp_path / "bin" / "git"
    slow.write_text(
        f'#!/bin/sh\ncase " $* " in *" blame "*) exec sleep 60;; esac\nexec {real} "$@"\n'
    )
    slow.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr("holdfast.adapters.git.anchors.capture._QUICK", 0.1)

    found = anchor(repository, "app.py:5-7")

    assert found.is_committed
    assert found.touched_by is None


def test_ignored_and_untracked_files_are_anchored_by_their_content(repository: Path) -> None:
    (repository / ".gitignore").write_text("*.log\n")
    (repository / "new.log").write_text(TEXT)

    found = anchor(repository, "new.log:2")

    assert (found.is_committed, found.touched_by) == (False, None)
    assert found.marks
