"""Who calls Holdfast, what a call does, and the one table that says who may do what.

Each door makes one principal. Every public method of the application names one operation, and
the application checks the operation against the principal before it does anything.
"""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.choices import Origin
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId, read_space
from holdfast.domain.values import dataclass


class PrincipalKind(StrEnum):
    """What sort of principal it is."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    SERVICE = "service"


class Operation(StrEnum):
    """What a call does to the memory."""

    READ = "read"
    PROPOSE = "propose"
    RECORD = "record"
    MAINTAIN = "maintain"
    DECIDE = "decide"
    FORGET = "forget"
    PIN = "pin"
    TRUST = "trust"
    CONFIGURE = "configure"
    REPAIR = "repair"
    RESTORE = "restore"
    EXPORT = "export"


class Answer(StrEnum):
    """What the table says to a caller and an operation."""

    ALLOWED = "allowed"
    ASKS = "asks a person"
    REFUSED = "refused"


KINDS = {
    PrincipalKind.PERSON: "whoever types in a shell of their own, or runs a program of their own",
    PrincipalKind.AGENT: "a coding agent: every MCP client, and what runs in an agent's shell",
    PrincipalKind.TOOL: "a program that passes on what others wrote: hooks, importers, git",
    PrincipalKind.SERVICE: "an unattended job that names itself so, for example a nightly backup",
}
"""Who is meant by each kind of caller."""
MEANINGS = {
    Operation.READ: "answer questions and show what is kept",
    Operation.PROPOSE: "add candidates and evidence that wait for a person",
    Operation.RECORD: "note what was done: sessions, runs, ratings of answers",
    Operation.MAINTAIN: "check evidence, and make anew what is derived",
    Operation.DECIDE: "decide about memories, or take decisions back",
    Operation.FORGET: "forget memories for good",
    Operation.PIN: "pin memories and places, or unpin them",
    Operation.TRUST: "trust the pages of a clone",
    Operation.CONFIGURE: "change settings, models, weights, and what other programs are told",
    Operation.REPAIR: "replace the store by what can be rescued of it",
    Operation.RESTORE: "take an export in, with what it says was accepted",
    Operation.EXPORT: "write the memories of every repository into one file",
}
"""What each operation does, as the second half of "only a person may"."""

DOORS = ("cli", "python")
"""The sources of what people say at each door, unless they name another."""
_OPEN = dict.fromkeys(PrincipalKind, Answer.ALLOWED)
_PEOPLE = {
    PrincipalKind.PERSON: Answer.ALLOWED,
    # A person may well type in the shell of an agent; nobody types for a tool or a service.
    PrincipalKind.AGENT: Answer.ASKS,
    PrincipalKind.TOOL: Answer.REFUSED,
    PrincipalKind.SERVICE: Answer.REFUSED,
}
TABLE = {
    Operation.READ: _OPEN,
    Operation.PROPOSE: _OPEN,
    Operation.RECORD: _OPEN,
    Operation.MAINTAIN: _OPEN,
    Operation.DECIDE: _PEOPLE,
    Operation.FORGET: _PEOPLE,
    Operation.PIN: _PEOPLE,
    Operation.TRUST: _PEOPLE,
    Operation.CONFIGURE: _PEOPLE,
    Operation.REPAIR: _PEOPLE,
    Operation.RESTORE: _PEOPLE,
    # A backup is what a service is for; what it writes is not shown to anybody.
    Operation.EXPORT: {**_PEOPLE, PrincipalKind.SERVICE: Answer.ALLOWED},
}
"""Who may do what."""
ORIGINS = {
    PrincipalKind.PERSON: Origin.HUMAN,
    PrincipalKind.AGENT: Origin.AGENT,
    PrincipalKind.TOOL: Origin.TOOL,
    PrincipalKind.SERVICE: Origin.TOOL,
}
"""The origin of what each kind of principal says, unless its door names another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who acts, in which space, and which operations they may perform there.

    The name of a program says how the program is known, for example by its environment.
    ``origin`` is the origin of what the principal says.
    """

    space: SpaceId
    name: str
    kind: PrincipalKind
    may: frozenset[Operation]
    origin: Origin

    @classmethod
    def of(
        cls,
        kind: PrincipalKind,
        *,
        space: SpaceId = DEFAULT_SPACE,
        name: str = "",
        origin: Origin | None = None,
    ) -> Principal:
        """Return a principal of that kind, with the operations that the table allows it.

        Raises:
            BadFieldError: The space is missing, or its name is not a space's name.
        """
        return cls(
            space=read_space(space),
            name=name,
            kind=kind,
            may=frozenset(one for one in Operation if answer(kind, one) is Answer.ALLOWED),
            origin=ORIGINS[kind] if origin is None else origin,
        )

    @property
    def voice(self) -> Origin:
        """Whose word an edit of a page is that nobody committed: a person's, or an agent's."""
        return Origin.HUMAN if self.kind is PrincipalKind.PERSON else Origin.AGENT

    def as_person(self, name: str) -> Principal:
        """Return the person who acts in place of this principal, in the same space."""
        return Principal.of(PrincipalKind.PERSON, space=self.space, name=name)

    def source(self, given: str | None, *, door: str) -> str:
        """Return where what they say comes from: the tool they name, else the door they use.

        An agent's source begins with the agent's name, so that nothing of it passes for a
        person's and a revert finds all of it. A program that names its origin also names its
        sources; only the doors of people are not among them.
        """
        if self.kind is PrincipalKind.PERSON:
            return given or door
        agent, _, word = self.name.lower().removeprefix("an ").replace(" ", "-").partition("=")
        if word:
            return f"{word}:{door}" if given in {None, *DOORS} else str(given)
        if given in {None, agent, *DOORS}:
            return agent
        return str(given) if str(given).startswith(f"{agent}:") else f"{agent}:{given}"


def answer(kind: PrincipalKind, operation: Operation) -> Answer:
    """Return what the table says to a caller and an operation."""
    return TABLE[operation][kind]
