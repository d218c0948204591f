"""Files that a caller is told nothing about: those that git ignores, and git's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.git.anchors.surroundings import LocalSurroundings
from holdfast.adapters.git.anchors.verifier import GitVerifier
from holdfast.adapters.git.reading.ignored import IGNORED, withheld
from holdfast.adapters.git.reading.repository import find_repository
from holdfast.domain.errors import EvidenceUnreadableError
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.anchor import FoundLines, Verdict
from holdfast.domain.memory.callers import Visible
from holdfast.domain.memory.evidence import read_place
from holdfast.domain.values import replace
from tests.adapters.test_repository import git
from tests.adapters.test_verifier import REPO, committed, read, written
from tests.requirements import requirement

ALLOW = ("-c", "protocol.file.allow=always")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with an ignored file, an ignored folder, and a tracked file that matches."""
    folder = tmp_path / "app"
    written(folder / ".gitignore", [".env", "keys/", "*.log"])
    written(folder / "app.py", ["one", "two"])
    written(folder / "kept.log", ["kept"])
    git(folder, "init", "-q")
    git(folder, "add", "-f", "kept.log")
    committed(folder)
    written(folder / ".env", ["TOKEN=1"])
    written(folder / "keys" / "a", ["k"])
    written(folder / "new.py", ["new"])
    return folder


def names(root: Path, *paths: str) -> set[str]:
    repository = find_repository(root)
    assert repository is not None
    return set(withheld(repository, paths))


def seen_by(visible: Visible, folder: Path) -> LocalSurroundings:
    return LocalSurroundings(folder, cache=folder.parent / "book.json", visible=visible)


@requirement("mcp.ignored-files")
def test_ignored_paths_and_those_of_git_are_withheld_whether_they_exist_or_not(root: Path) -> None:
    hidden = {".env", "keys/a", "keys/none", "x.log", ".git/config", "a/.GIT/none"}

    assert names(root, *hidden, "app.py", "new.py", "kept.log", "none.py") == hidden
    assert names(root) == set()


def test_a_submodule_answers_for_its_own_files(root: Path, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    written(inner / ".gitignore", ["secret"])
    written(inner / "lib.py", ["lib"])
    git(inner, "init", "-q")
    committed(inner)
    git(root, *ALLOW, "submodule", "--quiet", "add", str(inner), "inner")
    git(root, *ALLOW, "submodule", "--quiet", "add", str(inner), "bare")
    git(root, "submodule", "--quiet", "deinit", "-f", "bare")

    asked = ("inner/lib.py", "inner/secret", "app.py", ".env", "bare/lib.py")

    assert names(root, *asked) == {"inner/secret", ".env", "bare/lib.py"}
    assert names(root, "inner/lib.py") == set()


def test_a_path_that_git_cannot_answer_for_is_withheld(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "way").symlink_to(tmp_path)

    assert names(root, "way/elsewhere", "app.py") == {"way/elsewhere", "app.py"}
    monkeypatch.setenv("PATH", str(tmp_path))
    assert names(root, "app.py") == {"app.py"}


@requirement("mcp.ignored-files")
@pytest.mark.parametrize("path", [".env", ".env:9", "keys/none", ".git/HEAD", ".git/none"])
def test_evidence_in_such_a_file_is_refused_in_the_same_words(root: Path, path: str) -> None:
    place = read_place(path)
    for visible in (Visible.NOT_IGNORED, Visible.CHECKOUT_ONLY):
        with pytest.raises(EvidenceUnreadableError, match=IGNORED):
            seen_by(visible, root).read_span(place)
        with pytest.raises(EvidenceUnreadableError, match=IGNORED):
            seen_by(visible, root).read_lines(FoundLines(path=place.path, first=1, last=1))
    assert seen_by(Visible.NOT_IGNORED, root).read_span(read_place("new.py:1")).path == "new.py"
    assert seen_by(Visible.EVERY_FILE, root).read_span(read_place(".env:1")).path == ".env"


def test_without_a_repository_only_the_files_of_git_are_withheld(tmp_path: Path) -> None:
    written(tmp_path / ".env", ["TOKEN=1"])
    here = seen_by(Visible.NOT_IGNORED, tmp_path)

    assert here.read_span(read_place(".env:1")).first == 1
    with pytest.raises(EvidenceUnreadableError, match=IGNORED):
        here.read_span(read_place(".git/config"))


@requirement("mcp.ignored-files")
def test_no_verdict_confirms_a_guess_about_such_a_file(root: Path) -> None:
    secret, known = read(root, ".env:1", "s_1"), read(root, "app.py:1-2", "s_2")
    loose = replace(secret, id=SpanId("s_3"), repo=None, path=str(root / ".env"))
    spans = [secret, known, loose]

    def verdicts(visible: Visible) -> list[Verdict]:
        cache = root.parent / "verdicts"
        verifier = GitVerifier(root, cache=cache, repo=lambda: REPO, visible=visible)
        found = verifier.examine(spans)
        return [found[span.id].verdict for span in spans]

    assert verdicts(Visible.EVERY_FILE) == [Verdict.FRESH] * 3
    unknown, fresh = Verdict.UNVERIFIABLE, Verdict.FRESH
    assert verdicts(Visible.NOT_IGNORED) == [unknown, fresh, fresh]
    assert verdicts(Visible.CHECKOUT_ONLY) == [unknown, fresh, unknown]
