"""Where transcripts are, and how far they were read."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from holdfast.adapters.transcripts.bookmarks import BookmarkFile
from holdfast.bootstrap.sessions.transcripts import (
    bookmarks,
    detect_tool,
    find_transcripts,
    read_transcript,
    reader,
)
from holdfast.domain.errors import UnknownChoiceError
from holdfast.domain.refusals import NothingToImportError
from holdfast.domain.sessions.transcript import Bookmark
from holdfast.domain.workspace_errors import FolderUnusableError
from tests.adapters import transcript_samples as samples
from tests.adapters.transcript_samples import written
from tests.requirements import requirement


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's folder in which tools keep their transcripts."""
    home = tmp_path / "person"
    home.mkdir()
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    return home


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def found(tool: str, project: Path, *paths: Path, is_everywhere: bool = False) -> list[str]:
    files = find_transcripts(tool, paths, folder=project, is_everywhere=is_everywhere)
    return [Path(path).name for path in files]


def test_claude_is_asked_for_the_folders_of_this_project(person: Path, project: Path) -> None:
    projects = person / ".claude" / "projects"
    slug = str(project).replace("/", "-").replace("_", "-")
    for name in (slug, f"{slug}-src", "-elsewhere"):
        written(projects / name / f"{name[-5:]}.jsonl", samples.claude_session())
    written(projects / slug / "s" / "subagents" / "agent.jsonl", samples.claude_session())

    assert sorted(found("claude", project)) == sorted([f"{slug[-5:]}.jsonl", "p-src.jsonl"])
    assert len(found("claude", project, projects)) == 3
    assert len(found("claude", project, is_everywhere=True)) == 3


def test_codex_and_copilot_are_told_by_the_folder_in_their_start(
    person: Path, project: Path
) -> None:
    meta = {"id": "s", "cwd": str(project)}
    ours = [{"timestamp": "t", "type": "session_meta", "payload": meta}]
    folder = person / ".codex" / "sessions" / "2026" / "11" / "15"
    written(folder / "rollout-ours.jsonl", ours)
    written(folder / "rollout-theirs.jsonl", samples.codex_rollout())
    written(folder / "notes.jsonl", ours)
    start = {"type": "session.start", "data": {"context": {"cwd": str(project)}}}
    written(person / ".copilot" / "session-state" / "a" / "events.jsonl", [start])
    written(person / ".copilot" / "session-state" / "b" / "events.jsonl", samples.copilot_events())

    assert found("codex", project) == ["rollout-ours.jsonl"]
    assert sorted(found("codex", project, person / ".codex")) == [
        "rollout-ours.jsonl",
        "rollout-theirs.jsonl",
    ]
    assert len(found("copilot", project)) == 1


def test_gemini_is_told_by_the_hash_of_the_folder(person: Path, project: Path) -> None:
    name = hashlib.sha256(str(project).encode()).hexdigest()
    chats = person / ".gemini" / "tmp" / "x" / "chats"
    written(chats / "session-ours.jsonl", [{"sessionId": "s", "projectHash": name}])
    written(chats / "session-theirs.jsonl", samples.gemini_session())

    assert found("gemini", project) == ["session-ours.jsonl"]


def test_opencode_and_aider_have_one_file(
    person: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(person / "data"))
    samples.opencode_database(person / "data" / "opencode" / "opencode.db")
    (project / ".aider.chat.history.md").write_text(samples.aider_history(), encoding="utf-8")

    assert found("opencode", project) == ["opencode.db"]
    assert found("aider", project) == [".aider.chat.history.md"]


@requirement("import.links-not-followed")
def test_no_link_is_followed_and_nothing_is_said_so(person: Path, project: Path) -> None:
    secret = written(project / "else" / "rollout-x.jsonl", samples.codex_rollout())
    folder = person / "given"
    folder.mkdir()
    (folder / "rollout-link.jsonl").symlink_to(secret)
    (folder / "down").symlink_to(secret.parent)

    with pytest.raises(NothingToImportError, match="transcripts codex"):
        found("codex", project, folder)


def test_the_oldest_transcript_comes_first(person: Path, project: Path) -> None:
    folder = person / "given"
    new = written(folder / "rollout-a.jsonl", samples.codex_rollout())
    old = written(folder / "rollout-b.jsonl", samples.codex_rollout())
    os.utime(old, (1, 1))
    os.utime(new, (2, 2))

    assert found("codex", project, folder, new) == ["rollout-b.jsonl", "rollout-a.jsonl"]


def test_a_tool_nobody_knows_is_refused_with_those_we_know(tmp_path: Path) -> None:
    path = written(tmp_path / "rollout-x.jsonl", samples.codex_rollout())

    with pytest.raises(UnknownChoiceError, match="claude, codex"):
        reader("emacs")
    assert detect_tool(path) == "codex"
    assert read_transcript("codex", path).tool == "codex"


def test_bookmarks_are_kept_and_tell_whether_a_file_grew(tmp_path: Path) -> None:
    path = written(tmp_path / "s.jsonl", samples.claude_session())
    marks = bookmarks(tmp_path / "home")

    before = (marks.of(str(path)), marks.is_unchanged(str(path)))
    marks.put(str(path), Bookmark(last={"s": "u9"}))
    kept = (marks.of(str(path)), marks.is_unchanged(str(path)))
    with path.open("a", encoding="utf-8") as file:
        file.write("{}\n")

    assert before == (None, False)
    assert kept == (Bookmark(last={"s": "u9"}), True)
    assert not marks.is_unchanged(str(path))
    assert (tmp_path / "home" / "imported.json").stat().st_mode & 0o777 == 0o600
    assert [one.name for one in (tmp_path / "home").glob(".imported*")] == [".imported.json.lock"]


def test_a_database_may_have_grown_beside_its_file(tmp_path: Path) -> None:
    path = samples.opencode_database(tmp_path / "opencode.db")
    marks = BookmarkFile(tmp_path / "imported.json")
    marks.put(str(path), Bookmark())

    assert not marks.is_unchanged(str(path))


@pytest.mark.parametrize("text", ["", "[]", '{"files": 1}', '{"files": {"/f": 1}}', "{broken"])
def test_a_damaged_file_of_bookmarks_counts_as_none(text: str, tmp_path: Path) -> None:
    file = tmp_path / "imported.json"
    file.write_text(text, encoding="utf-8")
    marks = BookmarkFile(file)

    assert marks.of("/f") is None
    marks.put("/f", Bookmark())
    assert marks.of("/f") == Bookmark()


def test_bookmarks_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file", encoding="utf-8")

    with pytest.raises(FolderUnusableError):
        BookmarkFile(tmp_path / "home" / "imported.json").put("/f", Bookmark())
