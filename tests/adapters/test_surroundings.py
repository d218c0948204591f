from __future__ import annotations

import hashlib
import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.git.surroundings import LARGEST_FILE, LocalSurroundings
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.evidence import FilePlace, read_place
from holdfast.domain.place import Place
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


def test_the_lines_that_were_read_are_the_lines_that_are_hashed(root: Path) -> None:
    read = around(root).read_span(read_place("src/app.py:2-3"))

    assert (read.path, read.first, read.last) == ("src/app.py", 2, 3)
    assert read.text_hash == hashlib.sha256(b"two\nthree").hexdigest()


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
