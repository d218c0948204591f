"""Wishes the way people and agents have them, and what a test asks again and again."""

from __future__ import annotations

from typing import Any

from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Origin
from holdfast.domain.ids import BundleId, MemoryId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.recall.question import Question
from holdfast.domain.recall.rendering import Recalled
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember, Remembered
from holdfast.usecases.review.approve import Approve, Reject

SECRET = "ghp_" + "a1B2" * 9  # no secret, only shaped like one


def a_wish(claim: str = "Tokens rotate hourly.", **changes: Any) -> Remember:
    """A person's wish, with their own word as evidence."""
    fields: dict[str, Any] = {
        "origin": Origin.HUMAN,
        "grounds": Grounds(because="I decided it."),
    }
    return Remember(claim=claim, **(fields | changes))


def an_agents_wish(claim: str = "Tokens rotate hourly.", **changes: Any) -> Remember:
    """An agent's wish, with a command it ran as evidence."""
    ran = Evidence(type=EvidenceType.COMMAND, reference="pytest -q")
    fields: dict[str, Any] = {"origin": Origin.AGENT, "grounds": Grounds(given=(ran,))}
    return Remember(claim=claim, **(fields | changes))


def said(holdfast: Holdfast, claim: str = "Tokens rotate hourly.", **changes: Any) -> MemoryRecord:
    """Let a person say something; return the memory it became."""
    return holdfast.memories.remember(a_wish(claim, **changes)).record


def proposed(
    holdfast: Holdfast, claim: str = "Tokens rotate hourly.", **changes: Any
) -> MemoryRecord:
    """Let an agent propose something; return the memory it became."""
    return holdfast.memories.remember(an_agents_wish(claim, **changes)).record


def approve(
    holdfast: Holdfast, reference: str, *, by: str, shown_hash: str | None = None
) -> MemoryRecord:
    """Let a person accept a candidate; return it."""
    shown = {} if shown_hash is None else {reference: shown_hash}
    wish = Approve(references=(reference,), by=by, shown=shown)
    return holdfast.review.approve(wish).records[0]


def reject(holdfast: Holdfast, reference: str, *, by: str, reason: str = "") -> MemoryRecord:
    """Let a person refuse a candidate; return it."""
    wish = Reject(references=(reference,), by=by, reason=reason)
    return holdfast.review.reject(wish).records[0]


def asked(holdfast: Holdfast, text: str = "tokens", **changes: Any) -> Recalled:
    """Ask, and return the answer."""
    return holdfast.answers.recall(Question(text=text, **changes))


def given(holdfast: Holdfast, text: str = "tokens", **changes: Any) -> list[MemoryId]:
    """Ask, and return the ids of what was given."""
    return [item.memory_id for item in asked(holdfast, text, **changes).bundle.items]


def bundle_about(holdfast: Holdfast, text: str = "tokens", **changes: Any) -> BundleId:
    """Ask, and return the bundle's id."""
    return asked(holdfast, text, **changes).bundle.id


def now(holdfast: Holdfast, record: MemoryRecord | Remembered) -> MemoryRecord:
    """Return a memory as it stands now."""
    memory = record.record if isinstance(record, Remembered) else record
    shown = holdfast.memories.show(memory.memory.id)
    assert isinstance(shown, MemoryRecord)
    return shown
