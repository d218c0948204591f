"""The enumerations of the model."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from holdfast.domain.errors import UnknownChoiceError


class Kind(StrEnum):
    """The sort of claim; it decides how the memory ranks and how it ages."""

    FACT = "fact"
    GOTCHA = "gotcha"
    DECISION = "decision"
    PLAN = "plan"
    RULE = "rule"
    NAME_ALIAS = "name-alias"
    INSIGHT = "insight"
    EXEMPLAR = "exemplar"
    ASSUMPTION = "assumption"
    INVARIANT = "invariant"
    OBSERVATION = "observation"
    REFLECTION = "reflection"
    RESULT = "result"
    FAILURE = "failure"


class Scope(StrEnum):
    """How far a memory reaches, from the narrowest to the widest."""

    REPO = "repo"
    WORKSPACE = "workspace"
    GLOBAL = "global"


class Status(StrEnum):
    """What people have decided about a memory."""

    CANDIDATE = "candidate"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    DEPRECATED = "deprecated"
    NOTED = "noted"
    """An agent's own note: nobody is asked about it, and only that agent's recall gives it."""


LIVE = frozenset({Status.CANDIDATE, Status.ACCEPTED})
"""The statuses of memories that are valid, or would be if a person accepted them."""
OVER = frozenset({Status.REJECTED, Status.SUPERSEDED, Status.DEPRECATED})
"""The statuses of memories that people rejected, replaced or deprecated."""
SHARED = LIVE | OVER
"""The statuses of memories that are for everybody, not one agent's own notes."""


class Origin(StrEnum):
    """The author of a claim, most trusted first. Trust follows this order and never rises."""

    HUMAN = "human"
    AGENT = "agent"
    TOOL = "tool"
    REPO = "repo"
    WEB = "web"


class EvidenceType(StrEnum):
    """The types of evidence for a claim."""

    SPAN = "span"
    QUERY = "query"
    JOB_RUN = "job_run"
    BUNDLE = "bundle"
    COMMIT = "commit"
    TURN = "turn"
    COMMAND = "command"
    ARTIFACT = "artifact"
    URL = "url"
    STATEMENT = "statement"


class LinkKind(StrEnum):
    """The link kinds that Holdfast itself interprets; people may use other words."""

    SUPPORTS = "supports"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived-from"
    RELATED = "related"
    DEPENDS_ON = "depends-on"
    ABOUT = "about"
    COMPATIBLE = "compatible"
    """A person has decided that both claims are valid."""
    WITHDRAWN = "withdrawn"
    """A judge has found a suspicion to be wrong."""


class Retrieval(StrEnum):
    """How memories are found: by words, by words and embeddings, or by following links too."""

    WORDS = "words"
    HYBRID = "hybrid"
    GRAPH = "graph"


class Deep(StrEnum):
    """When the best hits are read again: always, only if asked, or as their use suggests.

    ``auto`` reads them if asked, for MCP clients, and before an answer says that nothing answers.
    """

    AUTO = "auto"
    ON = "on"
    OFF = "off"


class PassageKind(StrEnum):
    """Where a passage of an answer comes from."""

    CODE = "code"
    HISTORY = "history"
    TASK = "task"
    CYCLE = "cycle"
    SAID = "said"


Choice = TypeVar("Choice", bound=StrEnum)


def choose(choices: type[Choice], value: str, *, what: str) -> Choice:
    """Return the choice with this value.

    Raises:
        UnknownChoiceError: No choice has this value; the message lists all of them.
    """
    try:
        return choices(value)
    except ValueError:
        raise UnknownChoiceError(
            what=what, value=value, choices=[choice.value for choice in choices]
        ) from None


def least_trusted(origins: list[Origin]) -> Origin:
    """Return the least trusted of the origins: trust is the minimum over a lineage."""
    order = list(Origin)
    return max(origins, key=order.index)
