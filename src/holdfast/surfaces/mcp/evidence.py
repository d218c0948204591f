"""Check that an agent's evidence is more than its own statement."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import InvalidError

if TYPE_CHECKING:
    from holdfast.usecases.anchors.gather import Grounds


class AgentsWordError(InvalidError, code="agents-word"):
    """A statement of an agent is not evidence by itself; only a person's own statement is."""


def check_grounds(grounds: Grounds) -> None:
    """Refuse grounds that consist only of an agent's own statement.

    Raises:
        AgentsWordError: They do.
    """
    is_word = all(item.type is EvidenceType.STATEMENT for item in grounds.given)
    if is_word and not grounds.places and grounds.from_bundle is None:
        raise AgentsWordError
