"""Two small sets of our own: facts of a harbour, and a talk that decides something."""

from __future__ import annotations

import json
from pathlib import Path

HARBOUR = [
    "The harbour master closes the lock gate at half past nine.",
    "Fishing boats pay the mooring fee every Friday.",
    "The green buoy marks the channel into the harbour.",
    "Pilots board large ships near the outer breakwater.",
    "A diver inspects the slipway rails each spring.",
    "The crane on the north quay lifts twelve tonnes.",
    "Storm flags are hoisted on the signal tower.",
    "Ice for the fish market comes from the cold store.",
    "The ferry to the island leaves from the east pier.",
    "Ropes are sold in the chandlery behind the customs house.",
    "The tide table hangs beside the harbour office door.",
    "Rowing lessons start at the small jetty on Sundays.",
]
ASKED = [
    ("when does the lock gate close", 0, "half past nine"),
    ("what do fishing boats pay on Friday", 1, "the mooring fee"),
    ("which buoy marks the channel", 2, "green"),
    ("where does the island ferry leave from", 8, "the east pier"),
    ("who inspects the slipway rails", 4, "A diver"),
    ("how much does the crane lift", 5, "twelve tonnes"),
]
TALK = [
    ("user", "Should the client retry a failed upload?"),
    ("assistant", "We could retry, but an upload is not safe to repeat."),
    ("user", "Then let us decide: uploads are retried twice, with a pause of five seconds."),
    ("assistant", "Decided. Uploads are retried twice, five seconds apart."),
    ("user", "And the log file?"),
    ("assistant", "The log file is rotated at midnight."),
]


def written(path: Path, *shapes: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(shape) + "\n" for shape in shapes), encoding="utf-8")


def write_sets(folder: Path) -> Path:
    """Write the sets ``harbour`` and ``talk`` into a folder."""
    documents = [
        {"id": f"h{place}", "group": "all", "ts": None, "text": text}
        for place, text in enumerate(HARBOUR)
    ]
    written(folder / "harbour" / "dev" / "corpus.jsonl", *documents)
    questions = [
        {
            "id": f"q{place}",
            "group": "all",
            "text": text,
            "category": "even" if place % 2 == 0 else "odd",
            "gold": [f"h{gold}"],
            "answer": answer,
        }
        for place, (text, gold, answer) in enumerate(ASKED)
    ]
    written(folder / "harbour" / "dev" / "queries.jsonl", *questions)
    turns = [
        {
            "id": f"t{place}",
            "group": "talk",
            "ts": place,
            "role": role,
            "text": text,
            "meta": {"session": "talk-1"},
        }
        for place, (role, text) in enumerate(TALK)
    ]
    written(folder / "talk" / "corpus.jsonl", *turns)
    written(
        folder / "talk" / "dev" / "queries.jsonl",
        {
            "id": "uploads",
            "group": "talk",
            "text": "uploads are retried how often",
            "category": "decision",
            "gold": ["t2", "t3"],
            "key": ["t3"],
            "stale": ["t5"],
        },
    )
    return folder
