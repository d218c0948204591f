"""What is noted of sessions, and what went wrong, on a real disk."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from holdfast.adapters.tool_sessions.detached import DetachedProcess
from holdfast.adapters.tool_sessions.notes import ToolSessionFiles, root_of
from holdfast.adapters.tool_sessions.trouble_log import LARGEST, note_trouble, read_trouble
from holdfast.domain.errors import UnavailableError
from holdfast.domain.sessions.hook_calls import HookCall, HookEvent, ToolSession, placed, told
from holdfast.domain.values import replace
from tests.requirements import requirement


def test_a_note_reads_back_as_it_was_written(tmp_path: Path) -> None:
    notes = ToolSessionFiles(str(tmp_path))

    def change(opened: ToolSession) -> ToolSession:
        known = told(opened, ("m_1",), tokens=7)
        known = replace(known, claims=(("start", 3),), is_briefed=True)
        return placed(known, "/app", ("/app", None, "default"))

    written = notes.change("s-1", change)

    assert notes.change("s-1", lambda opened: opened) == written
    assert (tmp_path / "sittings").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "sittings" / "s-1.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("session", ["../x", "a/b", "", "é" * 300, "x" * 300, "\0"])
def test_no_session_leads_out_of_the_folder(tmp_path: Path, session: str) -> None:
    notes = ToolSessionFiles(str(tmp_path))

    notes.change(session, lambda opened: told(opened, ("m_1",)))

    assert notes.change(session, lambda opened: opened).told == ("m_1",)
    assert [one.parent.name for one in tmp_path.rglob("*.json")] == ["sittings"]


def test_the_latest_notes_come_first_and_old_ones_go(tmp_path: Path) -> None:
    notes = ToolSessionFiles(str(tmp_path))
    assert notes.latest(limit=5) == []
    for number, session in enumerate(("a", "b", "c")):
        notes.change(session, lambda opened: replace(opened, tokens=1))
        os.utime(tmp_path / "sittings" / f"{session}.json", (number, number))

    assert [one.session for one in notes.latest(limit=2)] == ["c", "b"]
    notes.prune(before=2)
    assert [one.session for one in notes.latest(limit=5)] == ["c"]


def test_a_note_another_holds_for_long_is_not_waited_for(tmp_path: Path) -> None:
    notes = ToolSessionFiles(str(tmp_path))
    notes.change("a", lambda opened: replace(opened, tokens=1))
    with (tmp_path / "sittings" / "a.json").open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        with pytest.raises(UnavailableError):
            notes.change("a", lambda opened: opened)


def test_a_turn_is_held_by_one_and_not_waited_for_for_long(tmp_path: Path) -> None:
    notes = ToolSessionFiles(str(tmp_path))
    notes.change("a", lambda opened: replace(opened, tokens=1))

    with notes.turn("a"):
        notes.change("a", lambda opened: replace(opened, tokens=2))
        with pytest.raises(UnavailableError), notes.turn("a"):
            pytest.fail("two held it")
        with notes.turn("b"):
            pass

    assert [one.tokens for one in notes.latest(limit=9)] == [2]
    notes.prune(before=2**40)
    assert list((tmp_path / "sittings").iterdir()) == []


def test_a_turn_without_a_folder_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError), ToolSessionFiles(str(tmp_path)).turn("a"):
        pytest.fail("there is no folder")


def test_a_folder_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "sittings").write_text("", encoding="utf-8")

    with pytest.raises(UnavailableError, match="sittings"):
        ToolSessionFiles(str(tmp_path)).change("a", lambda opened: opened)


def test_the_log_stays_small_and_on_one_line_each(tmp_path: Path) -> None:
    for number in range(500):
        note_trouble(str(tmp_path), who="claude Stop", what=f"{number}\n\x1b[31m" + "x" * 400)

    lines = read_trouble(str(tmp_path), limit=3)

    assert (tmp_path / "hook.log").stat().st_size <= LARGEST
    assert [line.split()[3] for line in lines] == ["497", "498", "499"]
    assert all(len(line) <= 300 for line in lines)
    assert not any("\x1b" in line for line in lines)


def test_a_log_that_cannot_be_written_or_read_is_none(tmp_path: Path) -> None:
    note_trouble(str(tmp_path / "nowhere"), who="claude", what="lost")

    assert read_trouble(str(tmp_path / "nowhere"), limit=3) == []


def test_a_root_is_the_nearest_folder_with_git_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "app" / "src" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "app" / ".git").mkdir()

    assert root_of(str(inner)) == str(tmp_path / "app")
    assert root_of("/") == "/"


@pytest.mark.parametrize(
    ("tool", "transcript"), [("cursor", "/x/y.jsonl"), ("claude", ""), ("windsurf", "/x")]
)
def test_nothing_is_begun_for_a_transcript_nobody_can_read(tool: str, transcript: str) -> None:
    hook_call = HookCall(tool=tool, happening=HookEvent.END, session="s", transcript=transcript)

    assert not DetachedProcess(("/bin/true",)).propose(hook_call)


TOKEN = "ghp_" + "x8Kq2ZtY7Lw4Bv9NmR3PcHs6JdFgA1uE0oTi"


@requirement("gate.logs-hold-no-secret")
def test_a_log_and_a_note_hold_no_secret(tmp_path: Path) -> None:
    note_trouble(str(tmp_path), who=f"hook {TOKEN}", what=f"{'x ' * 140}{TOKEN} cannot be read")
    notes = ToolSessionFiles(str(tmp_path))
    folder = f"/home/ada/{TOKEN}/app"

    def change(opened: ToolSession) -> ToolSession:
        changed = replace(opened, folder=folder, transcript=f"/tmp/{TOKEN}.jsonl")  # noqa: S108 - never opened
        return placed(changed, folder, (folder, None, "default"))

    notes.change("s-1", change)

    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN[:20] not in written
    assert written.count("[secret removed: github]") == 3
