"""The space, repository and branch that a question is asked from."""

from __future__ import annotations

from typing import NewType

from holdfast.domain.values import dataclass

SpaceId = NewType("SpaceId", str)
DEFAULT_SPACE = SpaceId("default")
DEFAULT_WORKSPACE = "default"
LONGEST_SPACE = 64
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")
SPACE_TAKES = f"lowercase letters, digits, '-', '_' and '.', no '.' first, {LONGEST_SPACE} at most"
"""The characters that a space's name may have, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The position of a principal; it decides which memories reach them."""

    space: SpaceId = DEFAULT_SPACE
    workspace: str = DEFAULT_WORKSPACE
    repo: str | None = None
    branch: str | None = None


def read_space(name: str, *, what: str = "space") -> SpaceId:
    """Return the space of that name; ``what`` names another thing with the same rule.

    Raises:
        BadFieldError: The name is missing, or it is not a space's name.
    """
    if name and len(name) <= LONGEST_SPACE and _LETTERS.issuperset(name) and name[0] != ".":
        return SpaceId(name)
    from holdfast.domain.errors import BadFieldError

    problem = "is missing" if not name else f"is '{name[:LONGEST_SPACE]}'"
    raise BadFieldError(field=what, problem=f"{problem}; it takes {SPACE_TAKES}.")
