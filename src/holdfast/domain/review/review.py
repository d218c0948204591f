"""Rank candidates for review, rate their risk, and hash what the reviewer saw.

The most valuable decision must be at the top of the queue, and a long queue must not rate
everything as risky. Both are plain sums and rules with reasons.
"""

from __future__ import annotations

import re
from enum import StrEnum
from math import log2
from typing import TYPE_CHECKING

from holdfast.domain.checks.check import checks_in, is_command
from holdfast.domain.choices import EvidenceType, Kind, Origin
from holdfast.domain.memory.anchor import HOLDING, Verdict
from holdfast.domain.memory.decision import Offered, offer_of
from holdfast.domain.review.shown import WEIGHTY, set_fields
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import timedelta

    from holdfast.domain.memory.memory import Memory, MemoryRecord

    Doubts = Callable[..., tuple[str, ...]]

_KINDS = {
    Kind.DECISION: 3.0,
    Kind.RULE: 3.0,
    Kind.INVARIANT: 3.0,
    Kind.FAILURE: 2.5,
    Kind.GOTCHA: 2.5,
    Kind.ASSUMPTION: 2.0,
    Kind.PLAN: 2.0,
    Kind.FACT: 1.5,
}
_OTHER_KIND = 1.0
_VERDICTS = {
    Verdict.FRESH: 1.0,
    Verdict.MOVED: 1.0,
    Verdict.DRIFTED: -1.0,
    Verdict.ORPHANED: -2.0,
    Verdict.UNVERIFIABLE: 0.0,
}
_CONFLICT = 2.0
_KNOWN = -3.0
_MOST_SAID = 1.5
_FULL_AGE_DAYS = 30.0
_MOST_SHOWN = 40
"""The characters of a risky wording that its reason repeats."""

_ORDERS = re.compile(
    r"\b(?:always|never|must(?:n't)?|do not|don't|from now on|make sure|be sure to|remember to"
    r"|you (?:should|will|are|may|can)|ignore (?:all|any|the|previous|other)|instead of asking"
    r"|without asking|approve|trust (?:this|all|me))\b",
    re.IGNORECASE,
)
_COMMANDS = re.compile(
    r"`[^`\n]*\s[^`\n]*`"
    r"|(?:^|[\s;&|])(?:sudo|curl|wget|rm|chmod|chown|bash|sh|eval|ssh|scp|npx?|pip|git|docker"
    r"|kubectl|make|export)\s+[-\w./~$]"
    r"|\|\s*(?:ba)?sh\b|https?://",
    re.IGNORECASE,
)


class Risk(StrEnum):
    """How much harm a claim could do if it is wrong or malicious."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateFacts:
    """What is known about a candidate when it is shown.

    ``verdicts`` holds the verdict about each checkable piece of its evidence. ``is_known`` says
    that an accepted memory has said the same since.
    """

    record: MemoryRecord
    age: timedelta
    verdicts: tuple[Verdict, ...] = ()
    conflicts: int = 0
    is_known: bool = False

    @property
    def worst(self) -> Verdict | None:
        """The verdict that matters most; None if nothing could be checked."""
        order = list(_VERDICTS)
        return min(self.verdicts, key=lambda one: (_VERDICTS[one], order.index(one)), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """The value of deciding now, and its parts."""

    score: float
    parts: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Danger:
    """How risky it would be to accept a claim unread, and why."""

    risk: Risk
    why: tuple[str, ...]


def worth(seen: CandidateFacts) -> Worth:
    """Return the value of a decision about a candidate; the parts add up to the score."""
    memory = seen.record.memory
    said = len(seen.record.evidence)
    days = max(seen.age.total_seconds(), 0.0) / 86_400
    parts = [
        (memory.kind.value, _KINDS.get(memory.kind, _OTHER_KIND)),
        ("" if seen.worst is None else f"evidence {seen.worst.value}", _weight(seen.worst)),
        ("it contradicts an accepted memory", _CONFLICT if seen.conflicts else 0.0),
        (f"{said} reasons", min(log2(said), _MOST_SAID)),
        (f"waits for {days:.0f} days", min(days / _FULL_AGE_DAYS, 1.0)),
        ("known already", _KNOWN if seen.is_known else 0.0),
    ]
    counted = tuple((name, round(amount, 3)) for name, amount in parts if round(amount, 3))
    return Worth(score=round(sum(amount for _, amount in counted), 3), parts=counted)


def danger(seen: CandidateFacts, doubts: Doubts) -> Danger:
    """Return the risk of a candidate; ``doubts`` tells why its wording needs a person.

    A claim that gives orders, contains commands, or comes from a tool or the web is always high.
    Low is only a gotcha about code that is exactly as it was read, in plain English, for this
    repository, without a weight, label or metadata of its own. Everything else is medium.
    """
    memory = seen.record.memory
    high = [
        said
        for said, is_so in (
            ("it is a rule", memory.kind is Kind.RULE),
            ("it would remove a memory for good", _would_forget(memory)),
            (f"it comes from {_from(memory.trust)}", _is_from_afar(seen.record)),
            *_wordings(memory.claim),
            ("its check is a command", any(map(is_command, checks_in(memory.metadata)))),
        )
        if is_so
    ]
    if high:
        return Danger(risk=Risk.HIGH, why=tuple(high))
    missing = [
        said
        for said, is_so in (
            (
                f"a claim of the kind {memory.kind.value} is never of low risk",
                memory.kind is not Kind.GOTCHA,
            ),
            ("it contradicts an accepted memory", seen.conflicts > 0),
            (f"it comes from {_from(memory.trust)}", memory.trust in {Origin.REPO, Origin.TOOL}),
            ("no evidence of it was found fresh", not _is_borne_out(seen.verdicts)),
        )
        if is_so
    ]
    missing += [f"it sets its {name}" for name, _ in set_fields(seen.record) if name in WEIGHTY]
    missing += doubts(memory.claim, memory.key or "", *memory.tags)
    if missing:
        return Danger(risk=Risk.MEDIUM, why=tuple(missing))
    return Danger(risk=Risk.LOW, why=("a gotcha about code that is just as it was read",))


def _wordings(claim: str) -> tuple[tuple[str, bool], ...]:
    """Return why the words of a claim are risky, each with the words that show it.

    The words may be a description as well: "The cache never evicts" orders nothing.
    """
    order, command = _ORDERS.search(claim), _COMMANDS.search(claim)
    return (
        (f'"{_shown(order)}" may give an order', order is not None),
        (f'"{_shown(command)}" may be a command or an address', command is not None),
    )


def _shown(found: re.Match[str] | None) -> str:
    """Return the words that a pattern found, the last of them whole, in one line."""
    if found is None:
        return ""
    rest = found.string[found.end() :].partition("`")[0]
    word = "" if not rest or rest[0].isspace() else rest.split(maxsplit=1)[0]
    words = " ".join(f"{found[0]}{word}".strip("`;&|.,!?: \t\n").split())
    return words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 1]}…"


def _weight(verdict: Verdict | None) -> float:
    return 0.0 if verdict is None else _VERDICTS[verdict]


def _from(origin: Origin) -> str:
    return {Origin.TOOL: "a tool", Origin.WEB: "the web", Origin.REPO: "a file"}.get(
        origin, origin.value
    )


def _would_forget(memory: Memory) -> bool:
    offer = offer_of(memory)
    return offer is not None and offer.what is Offered.FORGETTING


def _is_from_afar(record: MemoryRecord) -> bool:
    """Tell whether others wrote it; a tool that only read a run's own summary did not."""
    trust = record.memory.trust
    is_summary = all(item.type is EvidenceType.JOB_RUN for item in record.memory.evidence)
    return trust is Origin.WEB or (trust is Origin.TOOL and not is_summary)


def _is_borne_out(verdicts: Sequence[Verdict]) -> bool:
    return Verdict.FRESH in verdicts and set(verdicts) <= HOLDING
