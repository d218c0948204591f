"""Memories that may warn before a tool acts; a separate module, so that hooks load little."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.sessions.tool_action import ToolAction

SPEAKING_UP = ("failure", "gotcha", "invariant", "rule")
"""The kinds of memories that may warn."""
BINDING = frozenset({"rule", "invariant"})
_PERSONS = frozenset({"human", "repo"})
_CODE = "`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A memory that may warn: its claim, the places of its evidence, and its trigger patterns."""

    memory: str
    kind: str
    claim: str
    anchors: tuple[str, ...] = ()
    when_path: tuple[str, ...] = ()
    when_command: tuple[str, ...] = ()
    is_enforced: bool = False

    @property
    def is_binding(self) -> bool:
        """Tell whether the memory may block a tool, if a person has allowed blocking."""
        return self.is_enforced and self.kind in BINDING

    def may_speak_of(self, doing: ToolAction) -> bool:
        """Tell by a cheap check whether the full comparison is worth running."""
        has_place = not set(self.anchors).isdisjoint(doing.paths)
        return has_place or bool(self.when_path or self.when_command) or _CODE in self.claim


def when_of(metadata: Mapping[str, object], part: str) -> tuple[str, ...]:
    """Return the trigger patterns that ``metadata`` has for a part: one, or a list of them.

    They are under ``when`` and the part, or under one key such as ``when.path``.
    """
    when = metadata.get("when")
    found = when.get(part) if isinstance(when, dict) else metadata.get(f"when.{part}")
    patterns = found if isinstance(found, list) else [found]
    return tuple(one for one in patterns if isinstance(one, str) and one.strip())


def is_enforced(metadata: Mapping[str, object], *, origin: str) -> bool:
    """Tell whether a person wants a memory to block the tool, if they also allowed blocking.

    What an agent, a tool or a web page wrote does not count as a person's word, even after a
    person accepted the claim.
    """
    return origin in _PERSONS and str(metadata.get("enforce", "")).casefold() in {
        "true",
        "yes",
        "on",
    }
