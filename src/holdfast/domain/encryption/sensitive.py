"""What of a sensitive record is encrypted, and what stands in the store in its place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

from holdfast.domain.agents.shapes import (
    proposal_from_json,
    proposal_json,
    result_from_json,
    result_json,
)
from holdfast.domain.choices import EvidenceType
from holdfast.domain.encryption.placeholder import placeholder
from holdfast.domain.fields import Fields
from holdfast.domain.memory.decision import AUTHOR
from holdfast.domain.memory.evidence import UNREAD, Evidence, evidence_from_json, evidence_json
from holdfast.domain.memory.statement import statement_form
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.agents.cycle import ActionProposal, ActionResult
    from holdfast.domain.memory.memory import Memory

ENCRYPTED = "encrypted"
"""The text that stands in place of an encrypted text of an agent."""
NOT_CHECKED = "encrypted; only a verification checks it"
"""Why the lines that a sensitive memory cites have no verdict where it is shown."""
_HIDDEN = Evidence(type=EvidenceType.STATEMENT, reference=ENCRYPTED)


def without_text(memory: Memory) -> Memory:
    """Return a memory as it is stored if it is sensitive: without claim, evidence and metadata.

    Only who wrote it stays: on a server, people must see whose claim they cannot read.
    """
    return replace(
        memory,
        claim=placeholder(memory.kind, memory.id),
        evidence=(_HIDDEN,),
        metadata={name: value for name, value in memory.metadata.items() if name == AUTHOR},
    )


def text_of(memory: Memory, spans: Sequence[Mapping[str, object]] = ()) -> str:
    """Return what of a sensitive memory is encrypted, as JSON.

    The places that evidence names are texts too. The spans are those of its evidence, as JSON:
    their hashes could be guessed, so they are stored nowhere else.
    """
    evidence = [evidence_json(replace(one, span=None)) for one in memory.evidence]
    parts = {"claim": memory.claim, "evidence": evidence, "metadata": dict(memory.metadata)}
    kept = {"spans": list(spans)} if spans else {}
    return json.dumps(parts | kept, ensure_ascii=False)


def spans_in(text: str) -> list[object]:
    """Return the spans of a decrypted text, as JSON; one from before they were kept has none."""
    fields = Fields(json.loads(text), noun="sensitive memory")
    return list(fields.items("spans")) if fields.raw("spans") else []


def with_text(memory: Memory, text: str) -> Memory:
    """Return a sensitive memory with the text that was decrypted."""
    fields = Fields(json.loads(text), noun="sensitive memory")
    return replace(
        memory,
        claim=fields.text("claim"),
        evidence=tuple(map(_unchecked, fields.items("evidence"))),
        metadata=cast("Mapping[str, object]", fields.raw("metadata")),
    )


def _unchecked(shape: object) -> Evidence:
    """Return decrypted evidence; lines of a file say why they cannot be checked."""
    evidence = evidence_from_json(shape)
    if evidence.type is not EvidenceType.SPAN:
        return evidence
    return replace(evidence, facts={UNREAD: NOT_CHECKED, **evidence.facts})


def compared_form(text: str) -> str:
    """Return the form of a decrypted claim in which two claims are compared; else nothing."""
    parts = json.loads(text)
    claim = parts.get("claim") if isinstance(parts, dict) else None
    return statement_form(claim) if isinstance(claim, str) else ""


SENSITIVE = "holdfast:sensitive"
"""The name in the configuration of an agent that says that its texts are encrypted."""


def is_sensitive_agent(agent: Agent) -> bool:
    """Tell whether the directives, proposals and results of an agent are encrypted."""
    return agent.config.get(SENSITIVE) is True


def configured(agent: Agent, config: Mapping[str, object]) -> dict[str, object]:
    """Return a new configuration of an agent, which stays as sensitive as it was."""
    plain = {name: value for name, value in config.items() if name != SENSITIVE}
    return {**plain, SENSITIVE: True} if is_sensitive_agent(agent) else plain


def proposal_without_text(proposal: ActionProposal) -> ActionProposal:
    """Return a proposal as it is stored: the tool has a name, and the rest is encrypted."""
    return replace(proposal, args={}, reasoning=ENCRYPTED, plan=(), cues=())


def result_without_text(result: ActionResult) -> ActionResult:
    """Return a result as it is stored: whether it failed, and nothing else."""
    error = None if result.error is None else ENCRYPTED
    return replace(result, summary=ENCRYPTED, output=None, error=error, artifacts=())


def proposal_text(proposal: ActionProposal) -> str:
    """Return a proposal as the text that is encrypted."""
    return json.dumps(proposal_json(proposal), ensure_ascii=False)


def proposal_with_text(text: str) -> ActionProposal:
    """Return the proposal of a decrypted text."""
    return proposal_from_json(json.loads(text))


def result_text(result: ActionResult) -> str:
    """Return a result as the text that is encrypted."""
    return json.dumps(result_json(result), ensure_ascii=False)


def result_with_text(text: str) -> ActionResult:
    """Return the result of a decrypted text."""
    return result_from_json(json.loads(text))
