"""Refuse a verb or an option that does not exist, and name the one that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.surfaces.cli.expected_words import instead_of, instead_of_option, synonym
from holdfast.surfaces.cli.values import closest

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHORTEST_START = 3


class UnknownWordError(InvalidError, code="unknown-word"):
    """A verb or an option does not exist."""

    def __init__(
        self, *, what: str, word: str, known: Iterable[str], help_with: str, group: str = ""
    ) -> None:

        # The name of the group is equal in all of them, and would make them look similar.
        names = [one.removeprefix(group) for one in known]
        own = word.removeprefix(group)
        is_verb = what == "verb"
        instead = instead_of(word) if is_verb else instead_of_option(word, help_with=help_with)
        near = (
            None if instead else synonym(own, names) or closest(own, names) or _longer(own, names)
        )
        near = f"{group}{near}" if near else None
        meant = f" Did you mean '{near}'?" if near else ""
        meant = f" {instead}" if instead else meant
        super().__init__(
            f"There is no {what} '{word}'.{meant} See '{help_with}'.",
            what=what,
            word=word,
            meant=near,
        )


def _longer(start: str, known: Iterable[str]) -> str | None:
    """Return the only known word that begins with this one, if there is exactly one."""
    found = [one for one in known if one.startswith(start)]
    return found[0] if len(found) == 1 and len(start) >= _SHORTEST_START else None
