"""What an agent must give as evidence: more than its own word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import InvalidError

if TYPE_CHECKING:
    from holdfast.usecases.anchors.gather import Grounds


class AgentsWordError(InvalidError, code="agents-word"):
    """A statement of an agent is not evidence by itself; only a person's own word is."""


def check_grounds(grounds: Grounds) -> None:
    """Refuse grounds that are nothing but an agent's own word.

    Raises:
        AgentsWordError: They are.
    """
    is_word = all(item.type is EvidenceType.STATEMENT for item in grounds.given)
    if is_word and not grounds.places and grounds.from_bundle is None:
        raise AgentsWordError
