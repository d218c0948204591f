"""The measurement of the extractor, on a set small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.extraction import main

_SAID = {
    "chat-200": [
        ("user", "Rows with an empty price vanish."),
        ("assistant", "I'll store them as zero."),
        ("user", "No, zero is a real price. Store null and flag the row."),
        (
            "assistant",
            "Recap: rows with an empty price are stored as null and flagged, never zero.",
        ),
    ],
    "chat-201": [
        ("user", "We need names for the queues."),
        ("assistant", "What about animals?"),
        ("user", "Name every queue after the team that reads it."),
        ("assistant", "I'll rename them."),
        ("user", "Thanks."),
    ],
    "chat-001": [
        ("user", "How does the scheduler pick a job?"),
        ("assistant", "It always takes the oldest one."),
    ],
}


def test_decisions_and_false_alarms_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": f"{name}#{n}", "role": who, "text": text, "meta": {"source": "chat"}}
        for name, said in _SAID.items()
        for n, (who, text) in enumerate(said)
    ]
    rows.append({"id": "commit-1", "role": "user", "text": "x", "meta": {"source": "commit"}})
    queries = [
        _query("chat-200", key=3, answer="empty price stored null and flagged"),
        _query("chat-201", key=4, answer="queue named after the team that reads it"),
    ]
    (tmp_path / "dev").mkdir()
    for path, lines in (("corpus.jsonl", rows), ("dev/queries.jsonl", queries)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (tmp_path / path).write_text(text, encoding="utf-8")

    assert main(["--data", str(tmp_path)]) == 0

    said = " ".join(capsys.readouterr().out.split())
    assert "decision is a candidate 2 of 2 (1.00)" in said
    assert "its key turn is cited 1 of 2 (0.50)" in said
    assert "undecided conversations 1 candidates a conversation 0.00" in said


def _query(name: str, *, key: int, answer: str) -> dict[str, object]:
    gold = [f"{name}#{number}" for number in range(len(_SAID[name]))]
    return {"id": name, "answer": answer, "gold": gold, "key": [f"{name}#{key}"], "stale": []}
