"""The transcripts of six tools, read as the conversations they are."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from holdfast.adapters.transcripts import json_lines
from holdfast.adapters.transcripts.detecting import READERS, detected
from holdfast.adapters.transcripts.drafting import LARGEST_TURN, compact, moment, words
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Speaker, Transcript
from tests.adapters import transcript_samples as samples
from tests.adapters.transcript_samples import ANSWERED, ASKED, SESSION, claude_line, written
from tests.requirements import requirement

MAKERS: dict[str, Callable[[Path], Path]] = {
    "claude": lambda folder: written(folder / "s.jsonl", samples.claude_session()),
    "codex": lambda folder: written(folder / "rollout-1.jsonl", samples.codex_rollout()),
    "gemini": lambda folder: written(folder / "session-1.jsonl", samples.gemini_session()),
    "copilot": lambda folder: written(folder / "x" / "events.jsonl", samples.copilot_events()),
    "opencode": lambda folder: samples.opencode_database(folder / "opencode.db"),
    "aider": lambda folder: _text(folder / ".aider.chat.history.md", samples.aider_history()),
}


def _text(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def read(tool: str, path: Path) -> Transcript:
    return READERS[tool]().read(str(path))


def said(transcript: Transcript, speaker: Speaker) -> list[str]:
    return [turn.text for turn in transcript.turns if turn.speaker is speaker]


@requirement("transcripts.six-tools-one-shape")
@pytest.mark.parametrize("tool", MAKERS)
def test_every_tool_is_recognised_and_read(tool: str, tmp_path: Path) -> None:
    path = MAKERS[tool](tmp_path)

    transcript = read(tool, path)

    assert detected(str(path)) == tool
    assert transcript.tool == tool
    assert transcript.source == str(path)
    assert any(ASKED in text for text in said(transcript, Speaker.USER))
    assert any(ANSWERED in text for text in said(transcript, Speaker.ASSISTANT))
    assert [turn.number for turn in transcript.turns] == list(range(1, len(transcript.turns) + 1))


@requirement("transcripts.injected-text-never-comes-back")
@pytest.mark.parametrize("tool", MAKERS)
def test_what_memory_or_the_harness_put_in_is_not_said_by_anybody(
    tool: str, tmp_path: Path
) -> None:
    transcript = read(tool, MAKERS[tool](tmp_path))

    everything = "\n".join(turn.text for turn in transcript.turns)

    for words_of_others in ("8080", "be quick", "AGENTS.md", "environment_context", "injected"):
        assert words_of_others not in everything
    assert "memory says hello" not in everything
    assert "not typed" not in everything


@pytest.mark.parametrize(
    ("tool", "name", "text"),
    [
        ("claude", "Bash", "make\nno rule"),
        ("codex", "shell", "make test\nboom"),
        ("gemini", "read_file", '{"path": "a.py"}\nno such file'),
        ("copilot", "bash", "ls\ndenied"),
        ("opencode", "bash", "make\nno rule"),
    ],
)
def test_a_tool_call_is_one_turn_with_its_answer(
    tool: str, name: str, text: str, tmp_path: Path
) -> None:
    transcript = read(tool, MAKERS[tool](tmp_path))

    call = next(turn for turn in transcript.turns if turn.speaker is Speaker.TOOL)

    assert (call.tool, call.text, call.has_failed) == (name, text, True)


def test_claude_gives_the_path_to_the_last_leaf(tmp_path: Path) -> None:
    transcript = read("claude", MAKERS["claude"](tmp_path))

    assert [turn.text for turn in transcript.turns] == [ASKED, "make\nno rule", ANSWERED]
    assert (transcript.session, transcript.folder, transcript.branch) == (
        SESSION,
        "/home/ada/shop",
        "main",
    )
    assert transcript.turns[0].at is not None


def test_a_parent_that_was_left_out_is_no_end_of_the_conversation(tmp_path: Path) -> None:
    lines = [
        claude_line(1, "user", ASKED),
        claude_line(2, "assistant", ANSWERED, parentUuid="gone"),
        claude_line(3, "user", "Thanks."),
    ]

    transcript = read("claude", written(tmp_path / "s.jsonl", lines))

    assert [turn.text for turn in transcript.turns] == [ASKED, ANSWERED, "Thanks."]


def test_lines_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    lines = [claude_line(1, "user", "a", parentUuid="u2"), claude_line(2, "user", "b")]

    transcript = read("claude", written(tmp_path / "s.jsonl", lines))

    assert len(transcript.turns) == 2


def test_codex_keeps_where_it_was_and_what_succeeded(tmp_path: Path) -> None:
    transcript = read("codex", MAKERS["codex"](tmp_path))

    calls = [turn for turn in transcript.turns if turn.speaker is Speaker.TOOL]
    assert (transcript.branch, transcript.head) == ("main", "ab" * 20)
    assert [call.has_failed for call in calls] == [True, False]
    assert calls[1].tool == "mcp__x__get"
    assert transcript.turns[-1].name == "msg_9"


def test_a_packed_rollout_is_read_too(tmp_path: Path) -> None:
    plain = written(tmp_path / "rollout-1.jsonl", samples.codex_rollout())
    packed = tmp_path / "rollout-1.jsonl.zst"
    packed.write_bytes(zstandard.ZstdCompressor().compress(plain.read_bytes()))

    assert read("codex", packed).turns == read("codex", plain).turns
    assert detected(str(packed)) == "codex"


def test_a_rollout_that_is_not_packed_as_its_name_says_is_refused(tmp_path: Path) -> None:
    broken = _text(tmp_path / "rollout-1.jsonl.zst", "not packed")

    with pytest.raises(UnreadableSourceError, match="unpacked"):
        read("codex", broken)


def test_other_answers_of_codex_are_read(tmp_path: Path) -> None:
    def item(payload: object) -> dict[str, object]:
        return {"timestamp": "x", "type": "response_item", "payload": payload}

    call = {"type": "custom_tool_call", "name": "patch", "input": "*** Begin", "call_id": "c"}
    outcomes = [
        {"content": [{"text": "refused"}], "success": False},
        "{broken",
        '{"other": 1}',
        "exit code: 3",
    ]
    heard = [
        read(
            "codex",
            written(
                tmp_path / f"{number}.jsonl",
                [
                    item(call),
                    item({"type": "custom_tool_call_output", "call_id": "c", "output": outcome}),
                ],
            ),
        ).turns[0]
        for number, outcome in enumerate(outcomes)
    ]

    assert [turn.has_failed for turn in heard] == [True, False, False, True]
    assert heard[0].text == "*** Begin\nrefused"


def test_an_older_session_of_gemini_is_one_json_text(tmp_path: Path) -> None:
    messages = [{"id": "m1", "type": "user", "content": ASKED}, 7]
    whole = {"sessionId": SESSION, "projectHash": "0" * 64, "messages": messages}
    path = _text(tmp_path / "session-1.json", json.dumps(whole, indent=2))

    transcript = read("gemini", path)

    assert (transcript.session, transcript.turns[0].text) == (SESSION, ASKED)
    assert detected(str(path)) == "gemini"
    with pytest.raises(UnreadableSourceError, match="no session"):
        read("gemini", _text(tmp_path / "session-2.json", "[1, 2"))


def test_a_large_session_of_gemini_is_told_by_its_start(tmp_path: Path) -> None:
    start = '{\n  "sessionId": "s",\n  "projectHash": "p",\n  "messages": ['

    assert detected(str(_text(tmp_path / "session-1.json", start))) == "gemini"


def test_other_answers_of_gemini_are_read(tmp_path: Path) -> None:
    answers = ["text", {"functionResponse": {"response": {"error": "e"}}}, {"text": "part"}, 4]
    calls = [{"name": f"t{number}", "result": answer} for number, answer in enumerate(answers)]
    lines = [{"id": "m", "type": "gemini", "content": "", "toolCalls": [*calls, "odd"]}]

    turns = read("gemini", written(tmp_path / "session-1.jsonl", lines)).turns

    assert [turn.text for turn in turns] == ["text", '{"error": "e"}', "part"]


def test_aider_keeps_every_chat_apart(tmp_path: Path) -> None:
    path = MAKERS["aider"](tmp_path)

    chats = list(READERS["aider"]().conversations(str(path), tell=lambda _: None))

    assert [chat.session for chat in chats] == ["2026-11-14T06:00:00", "2026-11-15T06:00:00"]
    assert chats[1].turns[0].text == f"{ASKED}\nAnd nothing else."
    assert chats[1].folder == str(tmp_path)
    assert said(chats[1], Speaker.TOOL) == ["Applied edit to a.py"]


def test_a_file_without_a_chat_of_aider_is_refused(tmp_path: Path) -> None:
    started = _text(tmp_path / "b.md", "# aider chat started at some time\n\n#### Hello\n")

    with pytest.raises(UnreadableSourceError, match="no chat"):
        read("aider", _text(tmp_path / "a.md", "# Notes\n"))
    assert read("aider", started).turns[0].at is None


def test_opencode_tells_of_what_it_cannot_read(tmp_path: Path) -> None:
    flaws: list[Flaw] = []
    path = MAKERS["opencode"](tmp_path)

    found = list(READERS["opencode"]().conversations(str(path), tell=flaws.append))

    assert [one.session for one in found] == ["ses_9", "ses_1"]
    assert found[1].folder == "/home/ada/shop"
    assert [flaw.problem for flaw in flaws] == ["The data of prt_6 is not a JSON object."]


@requirement("import.other-versions-refused")
def test_a_database_of_another_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE session (name TEXT)")
        database.execute("INSERT INTO session VALUES ('x')")
        database.commit()
    empty = tmp_path / "empty.db"
    with closing(sqlite3.connect(empty)) as database:
        database.executescript("CREATE TABLE session (id TEXT); CREATE TABLE message (id TEXT);")

    for path in (other, tmp_path / "none.db", empty, _text(tmp_path / "text.db", "no database")):
        with pytest.raises(UnreadableSourceError):
            read("opencode", path)
    assert detected(str(other)) is None


@requirement("transcripts.torn-and-broken-lines-tolerated")
def test_a_torn_last_line_is_nothing_and_a_broken_one_is_told(tmp_path: Path) -> None:
    lines = [claude_line(1, "user", ASKED), "{broken", "[1]", "", claude_line(2, "user", "More.")]
    path = written(tmp_path / "s.jsonl", lines, torn='{"type": "user", "mess')
    flaws: list[Flaw] = []

    (transcript,) = READERS["claude"]().conversations(str(path), tell=flaws.append)

    assert [turn.text for turn in transcript.turns] == [ASKED, "More."]
    assert [(flaw.path, flaw.line) for flaw in flaws] == [(str(path), 2), (str(path), 3)]


def test_a_line_too_long_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 600)
    lines = [claude_line(1, "user", "x" * 2000), claude_line(2, "user", ASKED, parentUuid=None)]
    flaws: list[Flaw] = []

    (transcript,) = READERS["claude"]().conversations(
        str(written(tmp_path / "s.jsonl", lines)), tell=flaws.append
    )

    assert [turn.text for turn in transcript.turns] == [ASKED]
    assert [flaw.line for flaw in flaws] == [1]


@requirement("transcripts.long-turns-cut-and-said")
def test_a_long_turn_is_cut_and_says_so(tmp_path: Path) -> None:
    lines = [claude_line(1, "user", "ä" * LARGEST_TURN)]

    turn = read("claude", written(tmp_path / "s.jsonl", lines)).turns[0]

    assert len(turn.text.encode()) < LARGEST_TURN + 100
    assert turn.text.endswith("[… 65,536 more bytes are left out here]")


@pytest.mark.parametrize("text", ["", "# Notes\n", '{"a": 1}\n', "\x00\x01", '{"type": "x"}'])
def test_a_file_of_nobody_is_nobodys(text: str, tmp_path: Path) -> None:
    assert detected(str(_text(tmp_path / "x", text))) is None


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    assert detected(str(tmp_path / "none")) is None
    with pytest.raises(UnreadableSourceError, match="No such file"):
        read("claude", tmp_path / "none.jsonl")


def test_odd_values_are_read_as_nothing() -> None:
    assert words({"content": [{"text": "a"}, {"image": 1}]}) == "a"
    assert words(None) == ""
    assert compact({"command": ["a", 1]}) == '{"command": ["a", 1]}'
    assert compact("{broken") == "{broken"
    assert compact(None) == ""
    assert moment("not a time") is None
    assert moment(10**30) is None
    assert moment("9999-12-31T23:59:59Z") is None
    assert moment("0001-01-01T00:00:00+14:00") is None
    assert moment(value=True) is None
    assert moment("2026-11-15T06:00:00") is not None
    assert moment(1794725467) == moment(1794725467000)


def test_what_the_program_put_in_is_taken_out_and_an_opening_without_an_end_stays(
    tmp_path: Path,
) -> None:
    text = "a<system-reminder>x</system-reminder>b<bash-input>c<bash-input>d"

    turn = read("claude", written(tmp_path / "s.jsonl", [claude_line(1, "user", text)])).turns[0]

    assert turn.text == "ab<bash-input>c<bash-input>d"


@pytest.mark.parametrize("tool", ["claude", "codex", "gemini", "copilot", "aider"])
def test_a_device_a_pipe_and_a_huge_file_are_refused_at_once(tmp_path: Path, tool: str) -> None:
    pipe, huge = tmp_path / "pipe.jsonl", tmp_path / "huge.jsonl"
    os.mkfifo(pipe)
    with huge.open("wb") as file:
        file.truncate(json_lines.LARGEST + 1)

    for path in ("/dev/zero", str(pipe)):
        with pytest.raises(UnreadableSourceError, match="not a regular file"):
            READERS[tool]().read(path)
    with pytest.raises(UnreadableSourceError, match="larger than 512 MiB"):
        READERS[tool]().read(str(huge))


def test_a_packed_transcript_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_lines, "LARGEST", 1 << 20)
    path = tmp_path / "bomb.jsonl.zst"
    path.write_bytes(zstandard.ZstdCompressor().compress((b" " * 1023 + b"\n") * (4 << 10)))

    with pytest.raises(UnreadableSourceError, match="larger than"):
        READERS["codex"]().read(str(path))
