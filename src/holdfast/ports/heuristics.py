"""The heuristics about wording that use cases need, together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.ports.judge import Judge
    from holdfast.ports.objector import Objector
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.ports.word_comparer import WordComparer


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristics:
    """Rules about one language, without a model. They suspect and propose; people decide.

    ``judge`` suspects contradictions, ``objector`` rejects claims that are not worth keeping,
    ``proposer`` finds decisions in conversations, and ``wording`` compares texts.
    """

    judge: Judge
    objector: Objector
    proposer: Proposer
    wording: WordComparer
