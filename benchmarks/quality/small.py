"""A small set of our own, for a run that needs no data of others."""

from __future__ import annotations

import json
from pathlib import Path

_HERE = Path(__file__).parents[1]


def write_small_set(folder: Path) -> Path:
    """Write the memories and questions of the benchmark of silence as a set; return its folder."""
    small = folder / "small"
    small.mkdir(parents=True)
    memories = [line.split("\t") for line in _lines("silence_memories.tsv")]
    documents = [{"id": name, "text": claim} for name, claim in memories]
    known = {name for name, _ in memories}
    asked = [line.split("\t") for line in _lines("silence_questions.tsv")]
    queries = [
        {"id": f"q{number}", "text": question, "category": form, "gold": [name]}
        for number, (name, form, question) in enumerate(asked)
        if name in known
    ]
    for name, rows in (("corpus", documents), ("queries", queries)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (small / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return folder


def _lines(name: str) -> list[str]:
    text = (_HERE / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
