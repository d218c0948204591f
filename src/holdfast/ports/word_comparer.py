"""The port that compares texts by their words, in the language that people write."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

from holdfast.domain.recall.amendment import Amendment
from holdfast.domain.text.paragraphs import DocumentParagraph


class WordComparer(Protocol):
    """Compares texts word by word. It knows a language; the domain knows none."""

    def is_task(self, text: str) -> bool:
        """Tell whether a text tells somebody to do something, instead of asking."""
        ...

    def asks_agent_words(self, text: str) -> bool:
        """Tell whether a question asks what an agent said before: its advice, a list it gave."""
        ...

    def names_nothing(self, word: str) -> bool:
        """Tell whether a word names no topic, so that sharing it does not relate two claims."""
        ...

    def support(self, claim: str, *texts: str) -> float:
        """Return the share of a claim's content words that the texts contain, from 0 to 1."""
        ...

    def written_in(
        self, claim: str, passages: Iterable[DocumentParagraph]
    ) -> DocumentParagraph | None:
        """Return the passage that already states the claim; None if the claim adds something."""
        ...

    def one_slot(self, claims: Sequence[str]) -> Sequence[tuple[int, int]]:
        """Return the pairs of claims that give one topic two values, as places in the sequence.

        ``The owner of billing is Ada`` and ``The owner of billing is Ben`` are such a pair.
        """
        ...

    def amendments(
        self, sources: Sequence[Sequence[str]], talks: Collection[int]
    ) -> Sequence[Amendment]:
        """Return which sources amend earlier ones: same subject, later, and incompatible.

        A source is a memory or the turns of a conversation; the oldest comes first. ``talks`` are
        the places of conversations, in which the later word counts. Between others, only an
        amendment counts that says that something changes.
        """
        ...
