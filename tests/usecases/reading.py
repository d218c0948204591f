"""A small model of one's own: words that mean the same point the same way."""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import pack

from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import NoMeaningError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.recall.finding import EmbeddingModel, Vector
from holdfast.usecases.anchors.gather import Grounds
from tests.usecases.wishes import said

MEANT = {
    "credentials": "token",
    "renewed": "rotate",
    "minutes": "hourly",
    "canteen": "lunch",
    "eat": "lunch",
}
_DIMENSION = 96
_SHARED = 0.3
_SMALL = frozenset(["a", "and", "are", "at", "do", "how", "in", "is", "of", "the", "to", "we"])


@dataclass
class SmallReader:
    """Reads a text as a bag of stems; every vector has a little in common with every other."""

    name: str = "small"
    is_deaf: bool = False
    is_blind: bool = False
    questions: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def model(self) -> EmbeddingModel:
        """Which model this is."""
        return EmbeddingModel(name=self.name, dimension=_DIMENSION)

    @property
    def unrelated(self) -> float:
        """The cosine of two texts that share nothing, about."""
        return 0.05

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        """Read texts, or say why not."""
        if self.is_blind:
            raise NoMeaningError(problem="The model is torn.", hint="Install it again.")
        self.texts += texts
        return [(self._read(text),) for text in texts]

    def ask(self, question: str) -> Vector:
        """Read a question, or say why not."""
        if self.is_deaf:
            raise NoMeaningError(problem="The model does not answer.", hint="Try again later.")
        self.questions.append(question)
        return self._read(question)

    def _read(self, text: str) -> Vector:
        numbers = [_SHARED] + [0.0] * (_DIMENSION - 1)
        for word in re.findall(r"\w+", text.casefold()):
            if word not in _SMALL:
                stem = MEANT.get(word, word.rstrip("s"))
                numbers[1 + zlib.crc32(stem.encode()) % (_DIMENSION - 1)] += 1.0
        length = sum(number * number for number in numbers) ** 0.5
        values = pack(f"<{_DIMENSION}f", *(number / length for number in numbers))
        return Vector(model=self.model, values=values)


def told(holdfast: Holdfast, claim: str, place: str) -> MemoryRecord:
    """Let a person say something in a turn of a thread, ``talk#3``."""
    turn = Evidence(type=EvidenceType.TURN, reference=place)
    return said(holdfast, claim, grounds=Grounds(given=(turn,)))
