"""The description of a position where a program or a sentence expects a secret."""

from __future__ import annotations

from collections.abc import Callable

from holdfast.domain.gates.literals import is_literal
from holdfast.domain.values import dataclass

VALUE = r"(?:\"([^\"\n]{3,128})\"|'([^'\n]{3,128})'|([^\s\"'`|;&<>\\]{3,128}))"
_ARGUMENTS = r"\b[^\n|;`]{0,160}?[ \t]"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretPlace:
    """A position where a secret is expected, and the test that its value must pass."""

    rule: str
    triggers: tuple[str, ...]
    pattern: str
    judge: Callable[[str], bool] = is_literal
    fewest: int = 1


def command(programs: str, option: str, *, is_attached: bool = False) -> SecretPlace:
    """Describe an option that takes a password, after a blank unless it is attached."""
    gap = "" if is_attached else r"[ \t=]{1,4}"
    return SecretPlace(
        rule="command-password",
        triggers=tuple(programs.lower().split("|")),
        pattern=rf"(?<![\w-])(?:{programs}){_ARGUMENTS}{option}{gap}{VALUE}",
    )
