"""The heuristics for English behind their ports; each rule is loaded when it is first used."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from holdfast.heuristics.change_signs import has_sign
from holdfast.ports.heuristics import Heuristics

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from holdfast.domain.recall.amendment import Amendment
    from holdfast.domain.review.suspicion import Suspicion
    from holdfast.domain.sessions.session import Proposal
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.domain.text.paragraphs import DocumentParagraph

RULES = "rules"
"""The name of the judge and of the proposer in reasons and in the provenance."""


class EnglishJudge:
    """Suspects contradictions; implements the port ``Judge``."""

    name = RULES

    def judged(self, newer: str, older: str, found: Suspicion | None) -> Suspicion | None:
        """Return why the newer claim seems to contradict the older one, or None."""
        from holdfast.heuristics.conflict.judging import judged

        seen = judged(newer, older, found)
        if seen is not None or found is not None or not has_sign(newer):
            return seen
        from holdfast.heuristics.changes import suspected_change

        return suspected_change(newer, older)


class EnglishObjector:
    """Finds claims that are not worth keeping; implements the port ``Objector``."""

    def objection(self, claim: str) -> str:
        """Return why the claim is not worth keeping; empty if it is."""
        from holdfast.heuristics.junk.scoring import objection

        return objection(claim)

    def doubts(self, claim: str, *names: str) -> tuple[str, ...]:
        """Return why a claim needs a person; empty if it only describes code, in plain English."""
        from holdfast.heuristics.plain_claims import doubts

        return doubts(claim, *names)


class EnglishProposer:
    """Finds decisions in conversations; implements the port ``Proposer``."""

    name = RULES

    def propose(self, transcript: Transcript, *, limit: int) -> Sequence[Proposal]:
        """Return the proposals from a conversation, the most certain first."""
        from holdfast.heuristics.extraction.extracting import extract

        return extract(transcript, limit=limit)


class EnglishWords:
    """Compares texts word by word; implements the port ``WordComparer``."""

    def is_task(self, text: str) -> bool:
        """Tell whether a text tells somebody to do something, instead of asking."""
        from holdfast.heuristics.intent import is_task

        return is_task(text)

    def asks_agent_words(self, text: str) -> bool:
        """Tell whether a question asks what an agent said before: its advice, a list it gave."""
        from holdfast.heuristics.intent import asks_agent_words

        return asks_agent_words(text)

    def names_nothing(self, word: str) -> bool:
        """Tell whether a word names no topic."""
        from holdfast.heuristics.words import says_nothing

        return says_nothing(word)

    def support(self, claim: str, *texts: str) -> float:
        """Return the share of a claim's content words that the texts contain."""
        from holdfast.heuristics.written import containment, content_words

        return containment(content_words(claim), frozenset().union(*map(content_words, texts)))

    def written_in(
        self, claim: str, passages: Iterable[DocumentParagraph]
    ) -> DocumentParagraph | None:
        """Return the passage that already states the claim, or None."""
        from holdfast.heuristics.written import written_in

        return written_in(claim, passages)

    def one_slot(self, claims: Sequence[str]) -> Sequence[tuple[int, int]]:
        """Return the pairs of claims that give one topic two values."""
        from holdfast.heuristics.same_start import one_slot

        return one_slot(claims)

    def amendments(
        self, sources: Sequence[Sequence[str]], talks: Collection[int]
    ) -> Sequence[Amendment]:
        """Return which sources amend earlier ones: same subject, later, and incompatible."""
        # The oldest source amends nothing.
        if not talks and not any(map(has_sign, chain.from_iterable(sources[1:]))):
            return ()
        from holdfast.heuristics.amending import amendments

        return amendments(sources, talks)


ENGLISH = Heuristics(
    judge=EnglishJudge(),
    objector=EnglishObjector(),
    proposer=EnglishProposer(),
    wording=EnglishWords(),
)
