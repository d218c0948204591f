"""Conversations of any program: messages in lines or in a list."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from holdfast.adapters.transcripts import chat
from holdfast.adapters.transcripts.chat import ChatTranscripts
from holdfast.adapters.transcripts.detecting import detected
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Speaker
from tests.requirements import requirement

LINES: list[dict[str, object]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Hello.", "at": "2026-01-02T10:00:00Z", "id": 7},
    {"role": "assistant", "content": [{"type": "text", "text": "Hi."}], "ts": 1767348000},
    {"speaker": "Caroline", "text": "I am here.", "session": "two", "id": True},
    {"speaker": "Bot", "text": "Me too.", "session": "two"},
    {"role": "user", "speaker": "Mel", "text": "And I.", "session": 3},
    {"role": "user", "content": ""},
    {"kind": "noise"},
]


def lines(path: Path, *messages: object) -> Path:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in messages), encoding="utf-8")
    return path


@requirement("said.imported")
def test_messages_in_lines_are_read_by_session(tmp_path: Path) -> None:
    path = lines(tmp_path / "talk.jsonl", *LINES)

    found = list(ChatTranscripts().conversations(str(path), tell=lambda _: None))

    assert detected(str(path)) == "chat"
    assert [talk.session for talk in found] == ["talk", "two", "3"]
    first, second, third = (talk.turns for talk in found)
    assert [(turn.speaker, turn.text, turn.name, turn.who) for turn in first] == [
        (Speaker.USER, "Hello.", "7", ""),
        (Speaker.ASSISTANT, "Hi.", "", ""),
    ]
    assert first[0].at == datetime(2026, 1, 2, 10, tzinfo=UTC)
    assert first[1].at is not None
    assert [(turn.speaker, turn.text, turn.who) for turn in second] == [
        (Speaker.USER, "I am here.", "Caroline"),
        (Speaker.ASSISTANT, "Me too.", "Bot"),
    ]
    assert [turn.who for turn in third] == ["Mel"]
    assert ChatTranscripts().read(str(path)) == found[-1]


@pytest.mark.parametrize("is_wrapped", [True, False])
def test_messages_in_a_list_are_read(tmp_path: Path, *, is_wrapped: bool) -> None:
    messages = [{"role": "user", "content": "Hello."}, "noise", {"role": "ai", "content": "Hi."}]
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"messages": messages} if is_wrapped else messages, indent=1))

    talk = ChatTranscripts().read(str(path))

    assert detected(str(path)) == "chat"
    assert [turn.text for turn in talk.turns] == ["Hello.", "Hi."]


def test_one_message_is_a_conversation_and_half_a_line_is_told(tmp_path: Path) -> None:
    alone = lines(tmp_path / "one.jsonl", {"role": "user", "content": "Hello."})
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"role": "user", "content": "Hello."}\nnoise\n', encoding="utf-8")
    flaws: list[Flaw] = []

    assert len(ChatTranscripts().read(str(alone)).turns) == 1
    (talk,) = ChatTranscripts().conversations(str(broken), tell=flaws.append)
    assert len(talk.turns) == 1
    assert [flaw.line for flaw in flaws] == [2]


def test_a_file_without_messages_is_refused(tmp_path: Path) -> None:
    path = lines(tmp_path / "x.jsonl", {"kind": "noise"}, {"role": 5, "content": "x"})

    assert detected(str(path)) is None
    with pytest.raises(UnreadableSourceError):
        ChatTranscripts().read(str(path))


def test_a_file_too_large_to_be_one_value_is_read_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chat, "_LARGEST_WHOLE", 10)
    path = lines(tmp_path / "talk.jsonl", {"role": "user", "content": "Hello."})

    assert len(ChatTranscripts().read(str(path)).turns) == 1
