"""The memories of the silence benchmark: written ones, and generated ones around them.

The generated memories read like the entries of a long changelog. They use the everyday words of a
software project (time, file, request, test, use) and none of the rare words in the questions.
"""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

SIGHT, HELD = "silence_questions.tsv", "silence_questions_held.tsv"
THIRD = "silence_questions_third.tsv"
NEAR_MISS = "shared"
"""The style of a question that shares a word with a memory that does not answer it."""
_HERE = Path(__file__).parent
_SEED = 20_261
_PARTS = (
    *("export job", "import job", "search index", "address book", "customer page", "admin console"),
    *("scan station", "parcel tracker", "return portal", "report builder", "mail sender"),
    *("event stream", "session store", "user directory", "order form", "stock counter"),
    *("route planner", "driver app", "invoice reader", "audit trail", "test harness"),
    *("build script", "health check", "metrics agent", "file watcher", "job runner"),
    *("upload form", "download page", "price list", "tax table", "contract archive"),
    *("notification center", "template engine", "error page", "login form", "settings page"),
)
_ACTIONS = (
    *("no longer reads", "now checks", "writes", "ignores", "keeps a copy of", "refuses"),
    *("skips", "merges", "splits", "sorts", "compresses", "validates", "counts", "removes"),
    *("waits for", "reloads", "caches", "renames", "locks", "closes", "shows", "hides"),
)
_OBJECTS = (
    *("an empty file", "the first line of a file", "the default value", "an unknown header"),
    *("a request without a body", "the old format", "duplicate rows", "a missing field"),
    *("the last page of results", "an expired session", "temporary files", "large images"),
    *("the language of the user", "a slow query", "every open connection", "a broken link"),
    *("the time of the last change", "a second request", "unused settings", "the full name"),
    *("the version number", "a partial result", "the working folder", "long messages"),
    *("a closed account", "the shipping country", "an unread message", "two equal orders"),
)
_REASONS = (
    *("since it used too much memory", "so that a test can run twice", "to save time"),
    *("because one customer has many of them", "when the service starts", "on each request"),
    *("unless the user asked for it", "as the support team wished", "after an error in May"),
    *("to make the first page load faster", "until the new version is used everywhere"),
    *("because the order of the list was not stable", "while another process writes"),
    *("whenever the file is larger than it should be", "so people know what to do next"),
    *("which took a long time before", "if the value is not set", "in the background"),
)


class Asked(NamedTuple):
    """A question, the memory that answers it (none: ``-``), and its style of wording."""

    answer: str
    wording: str
    text: str

    @property
    def is_answerable(self) -> bool:
        """Return whether one of the written memories answers it."""
        return self.answer != "-"


def written() -> dict[str, str]:
    """Return the memories that answer questions, by name."""
    return {name: claim for name, claim in _rows("silence_memories.tsv")}


def questions(name: str = SIGHT) -> list[Asked]:
    """Return the questions of a file without its near misses."""
    return [one for one in _asked(name) if one.wording != NEAR_MISS]


def near_misses() -> list[Asked]:
    """Return questions that share a word with a memory and have no answer."""
    return [one for one in _asked(THIRD) if one.wording == NEAR_MISS]


def _asked(name: str) -> list[Asked]:
    return [Asked(*row) for row in _rows(name)]


def store_of(size: int) -> list[str]:
    """Return this many claims: the written ones and generated ones, shuffled."""
    claims = list(written().values())
    chance = random.Random(_SEED)
    made: dict[str, None] = {}
    while len(made) < size - len(claims):
        made[_changelog_entry(chance)] = None
    mixed = [*claims, *made]
    chance.shuffle(mixed)
    return mixed


def _changelog_entry(chance: random.Random) -> str:
    part, action = chance.choice(_PARTS), chance.choice(_ACTIONS)
    thing, reason = chance.choice(_OBJECTS), chance.choice(_REASONS)
    return f"The {part} {action} {thing} {reason}."


def _rows(name: str) -> Sequence[list[str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
