"""Made-up memories with the statistics of real notes: stop words, topics, a long tail."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

_STOP_WORDS = (
    "the of and to in a is that for it as was with be by on not he this are or his from at which"
    " but have an had they you were their one all we can her has there been if more when will"
    " would who so no what how does do why where"
)
_SOUNDS = (
    "ba be bi bo bu ca ce co cu da de di do fa fe fi fo ga ge go ha he ho ja jo ka ke ki ko la le"
    " li lo lu ma me mi mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to"
    " tu va ve vi vo wa we za ze zo"
)
_STOP = _STOP_WORDS.split()
_SYLLABLES = _SOUNDS.split()
_VOCABULARY = 60_000
_TOPICS = 2_000


class Corpus:
    """Memories of 40 to 100 words, deterministic for a seed."""

    def __init__(self, seed: int = 7) -> None:
        self._chance = random.Random(seed)
        self._words = list(
            dict.fromkeys(
                "".join(self._chance.choices(_SYLLABLES, k=self._chance.choice((2, 3, 3, 4))))
                for _ in range(_VOCABULARY)
            )
        )
        self._weights = list(
            itertools.accumulate(1 / rank for rank in range(2, len(self._words) + 2))
        )
        self._stops = list(itertools.accumulate(1 / rank for rank in range(1, len(_STOP) + 1)))
        self._topics = [self._pick(12) for _ in range(_TOPICS)]

    def _pick(self, count: int) -> list[str]:
        return self._chance.choices(self._words, cum_weights=self._weights, k=count)

    def memories(self) -> Iterator[str]:
        """Yield memories without end."""
        for number in itertools.count():
            length = self._chance.randint(40, 100)
            stops = self._chance.choices(_STOP, cum_weights=self._stops, k=length // 2)
            topic = self._chance.choice(self._topics)
            own = self._chance.choices(topic, k=length // 6) + self._pick(length // 3)
            words = [*stops, *own, f"n{number:x}"]
            self._chance.shuffle(words)
            yield " ".join(words) + "."

    def stop_heavy_question(self, memory: str) -> str:
        """Return a question of six to ten words about a memory, half of them stop words."""
        words = memory.rstrip(".").split()
        rare = [word for word in words if word not in _STOP and not word.startswith("n")]
        count = self._chance.randint(3, 5)
        asked = self._chance.sample(rare, min(count, len(rare)))
        return " ".join([*self._chance.choices(_STOP, cum_weights=self._stops, k=count), *asked])
