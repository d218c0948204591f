"""Turns that are not stored yet, in files that a kill may leave at any byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.adapters.git.reading.light import find_checkout, head_of
from holdfast.adapters.tool_sessions.pending import PendingTurnFiles
from holdfast.domain.sessions.pending import PendingTurn
from holdfast.domain.values import replace
from tests.adapters.histories import Scene, two_commits
from tests.requirements import requirement
from tests.usecases.wishes import SECRET

TURN = PendingTurn(
    session="s1", tool="claude", began=7, root="/x", key="s1:p1", asked="Fix it.", branch="main"
)


@pytest.fixture
def pending(tmp_path: Path) -> PendingTurnFiles:
    return PendingTurnFiles(str(tmp_path))


@requirement("session.turn-once")
def test_turns_are_read_back_until_they_are_stored(pending: PendingTurnFiles) -> None:
    pending.begin(TURN)
    pending.add("s1", commands=["make test"], paths=["a.py"])
    assert pending.of("s1") == [replace(TURN, commands=("make test",), paths=("a.py",))]
    assert pending.end("s1", transcript="/t.jsonl", reply="It is fixed.")
    pending.begin(replace(TURN, key="s1:p2"))
    first, second = pending.of("s1")
    assert (first.reply, second.reply) == ("It is fixed.", "")
    assert (first.is_over, first.transcript, second.is_over) == (True, "/t.jsonl", False)
    assert [one.key for one in pending.left_in("/x", limit=1)] == ["s1:p2"]
    assert pending.left_in("/y", limit=9) == []

    pending.clear("s1", stored=[first, second])
    assert len(pending.of("s1")) == 2  # the second one goes on
    pending.end("s1", transcript="")
    pending.clear("s1", stored=[first])
    assert len(pending.of("s1")) == 2  # another one was added
    pending.clear("s1", stored=pending.of("s1"))
    assert pending.of("s1") == []
    assert not pending.end("s1", transcript="")


@requirement("session.approvals")
def test_a_question_waits_until_the_tool_goes_on(pending: PendingTurnFiles) -> None:
    pending.ask("s1", "Bash: too early")
    pending.begin(TURN)
    pending.ask("s1", "Bash: make")
    pending.ask("s1", "Bash: make")
    pending.ask("s1", f"Bash: login --token {SECRET}")
    (turn,) = pending.of("s1")
    assert turn.asks[0] == "Bash: make"
    assert len(turn.asks) == 2
    assert SECRET not in str(turn.asks)

    pending.add("s1", commands=["make"], paths=[])
    (turn,) = pending.of("s1")
    assert (turn.asks, len(turn.answered)) == ((), 2)
    pending.ask("s1", "Write: a.py")
    pending.end("s1", transcript="")
    assert (pending.of("s1")[0].asks, pending.of("s1")[0].answered[-1]) == ((), "Write: a.py")
    pending.begin(replace(TURN, key="s1:p2"))
    pending.ask("s1", "Bash: again")
    pending.begin(replace(TURN, key="s1:p3"))
    assert [turn.asks for turn in pending.of("s1")] == [(), (), ()]


@requirement("session.hooks")
def test_half_a_line_and_other_garbage_are_left_out(
    pending: PendingTurnFiles, tmp_path: Path
) -> None:
    pending.begin(TURN)
    path = tmp_path / "sittings" / "s1.json.asked"
    with path.open("ab") as file:
        file.write(b'7\n[]\n{"key": "x"}\n{"commands": 3}\n\xff\xfe\n{"commands": ["a"], "pat')
    assert pending.of("s1") == [TURN]
    path.write_bytes(b'{"commands": ["a"], "paths": []}\n{"end": ""}\n')
    assert pending.of("s1") == []


def test_no_secret_is_written(pending: PendingTurnFiles, tmp_path: Path) -> None:
    pending.begin(replace(TURN, asked=f"Use {SECRET}", root=f"/x/{SECRET}", branch=SECRET))
    pending.add("s1", commands=[f"curl {SECRET}"], paths=[SECRET])
    pending.end("s1", transcript=f"/{SECRET}", reply=f"It is {SECRET}.")
    for path in tmp_path.rglob("*.asked"):
        assert SECRET not in path.read_text(encoding="utf-8")


def test_without_a_place_to_write_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "sittings").write_text("a file")
    pending = PendingTurnFiles(str(tmp_path))
    pending.begin(TURN)
    pending.add("s1", commands=["x"], paths=[])
    pending.clear("s1", stored=[])
    assert pending.of("s1") == []
    assert pending.left_in("/x", limit=9) == []


def test_the_commit_of_a_checkout_is_read_from_its_files(tmp_path: Path) -> None:
    scene = two_commits(tmp_path / "app")

    def head() -> str:
        found = find_checkout(str(scene.folder))
        assert found is not None
        return head_of(*found)

    assert head() == scene.head()
    scene.git("pack-refs", "--all")
    assert head() == scene.head()
    scene.git("checkout", "-q", "--detach")
    assert head() == scene.head()
    empty = Scene(tmp_path / "empty")
    found = find_checkout(str(empty.folder))
    assert found is not None
    assert head_of(*found) == ""
