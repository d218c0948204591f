from __future__ import annotations

from collections.abc import Sequence

from holdfast.adapters.embedding.registry import CachedEmbedder
from holdfast.domain.recall.finding import EmbeddingModel, Vector


class Counting:
    """Keeps what it was asked to read."""

    model = EmbeddingModel(name="counting", dimension=1)
    unrelated = 0.0

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Sequence[Sequence[Vector]]:
        self.texts += texts
        return [[Vector(model=self.model, values=text.encode())] for text in texts]

    def ask(self, question: str) -> Vector:
        self.texts.append(f"? {question}")
        return Vector(model=self.model, values=f"? {question}".encode())


def test_a_text_is_read_once() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting)

    first = cached.embed(["a", "b", "a"])
    second = cached.embed(["b", "c"])

    assert counting.texts == ["a", "b", "c"]
    assert [one[0].values for one in [*first, *second]] == [b"a", b"b", b"a", b"b", b"c"]


def test_a_question_and_a_text_of_the_same_words_are_not_mixed_up() -> None:
    cached = CachedEmbedder(Counting())
    cached.embed(["a"])

    assert cached.ask("a").values == b"? a"
    assert cached.ask("a").values == b"? a"
    assert cached.embed(["a"])[0][0].values == b"a"


def test_the_least_used_is_let_go_first() -> None:
    counting = Counting()
    cached = CachedEmbedder(counting, most=2)
    cached.embed(["a", "b"])
    cached.embed(["a"])
    cached.embed(["c"])

    cached.embed(["a", "b"])

    assert counting.texts == ["a", "b", "c", "b"]
