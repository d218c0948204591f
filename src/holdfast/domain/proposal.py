"""What somebody or something proposes to remember, and where it was said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.choices import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A claim taken from a conversation.

    ``turn`` is the number of the turn that says it, ``first`` and ``last`` are where in the
    turn's text (``text[first:last]`` is ``quote``), ``rule`` says what recognised it, and
    ``agreed`` is the number of the turn in which a person said yes to it, where one did.
    """

    claim: str
    kind: Kind
    turn: int
    quote: str
    first: int
    last: int
    rule: str
    confidence: float = 0.5
    key: str | None = None
    tags: tuple[str, ...] = ()
    agreed: int | None = None
