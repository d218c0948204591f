"""What was said in a session: the words of a person or an agent, kept to be quoted.

A said turn is no memory: it is never given as knowledge, and nothing is derived from it.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from holdfast.domain.ids import millis
from holdfast.domain.recall.finding import thread_position
from holdfast.domain.recall.question import inner_words
from holdfast.domain.text.words import STOP_WORDS, stem
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from holdfast.domain.ids import SessionId
    from holdfast.domain.recall.finding import ThreadPosition

LONGEST_SAID = 8_000
"""How many characters of a turn are kept; chosen by hand, about four pages."""
LONGEST_SPEAKER = 80
_LONGEST_WORD = 64
_PIECE = re.compile(r"[^\W_]+")
_CHANCES = 1 << 10
_MARK_LETTERS = 6


class SaidBy(StrEnum):
    """Who said something in a session."""

    PERSON = "person"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTurn:
    """The words of one turn of a session.

    ``number`` counts the turns of the session from 1. ``name`` is the speaker's name, where the
    conversation gives one. ``at`` is when it was said, ``kept_at`` when it was kept. ``branch`` and
    ``head`` are what was checked out. ``key`` is the same however often the turn is handed in.
    ``sequence`` is the number that the store gave it; of two turns, the later one has the larger.
    """

    session_id: SessionId
    number: int
    at: datetime
    by: SaidBy
    text: str
    name: str = ""
    repo: str | None = None
    branch: str | None = None
    head: str | None = None
    key: str = ""
    kept_at: datetime | None = None
    sequence: int = 0

    @property
    def reference(self) -> str:
        """The reference that evidence and answers cite: ``i_01m7…/3``."""
        return f"{self.session_id}/{self.number}"

    @property
    def since(self) -> datetime:
        """Since when it is kept."""
        return self.kept_at or self.at

    @property
    def searched(self) -> str:
        """The text that is searched: the words, after the speaker's name if there is one."""
        return f"{self.name}: {self.text}" if self.name else self.text

    @property
    def speaker(self) -> str:
        """Who said it, as it is shown: a name that an agent has never stands for a person."""
        if self.by is SaidBy.AGENT:
            return f'agent "{self.name}"' if self.name else self.by.value
        return self.name or self.by.value

    @property
    def quoted(self) -> str:
        """The words as they are shown, after the speaker if it has a name."""
        return f"{self.speaker}: {self.text}" if self.name else self.text

    @property
    def position(self) -> ThreadPosition:
        """The place of the turn in its session."""
        return thread_position(
            self.session_id, self.number, self.searched, is_agent=self.by is SaidBy.AGENT
        )


def said_mark(turn: SaidTurn) -> str:
    """Return a short hash of a turn's speaker and words, which a tombstone keeps.

    Many other words have the same one, so that it confirms no guess.
    """
    words = f"{turn.session_id} {turn.by} {turn.text}"
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK_LETTERS]


class WordUse(NamedTuple):
    """How often a turn contains a word, and how many words the turn has."""

    sequence: int
    word: str
    times: int
    words: int


def first_sequence(turn: SaidTurn) -> int:
    """Return the sequence that a new turn should get: by time, then by number, then by chance."""
    within = turn.number % _CHANCES * _CHANCES + crc32(turn.session_id.encode()) % _CHANCES
    return max(0, millis(turn.at)) * _CHANCES**2 + within


def said_words(text: str) -> Counter[str]:
    """Return how often a text contains each word that is searched, by its stem."""
    pieces = [*_PIECE.findall(text), *inner_words(text)]
    folded = [piece.casefold()[:_LONGEST_WORD] for piece in pieces]
    return Counter(stem(word) for word in folded if word not in STOP_WORDS)


def word_total(words: Mapping[str, int]) -> int:
    """Return how many words a text has, at least one."""
    return max(1, sum(words.values()))
