"""Principals, operations, and the one table of which principal may perform which operation.

Each door creates one principal. Every public method of the application names one operation, and the
application checks the operation against the principal before it does anything.

Find out who runs this process, from its environment variables.
"""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.choices import Origin, least_trusted
from holdfast.domain.memory.place import DEFAULT_SPACE, SpaceId, read_space
from holdfast.domain.values import dataclass, replace


class PrincipalKind(StrEnum):
    """The kinds of principals."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    SERVICE = "service"


class Visible(StrEnum):
    """Which files a door tells its callers about."""

    EVERY_FILE = "every file"
    NOT_IGNORED = "files that git does not ignore, and none of git's own"
    CHECKOUT_ONLY = "such files of one checkout, and none outside it"


class Operation(StrEnum):
    """The operations that a call can perform on the memory."""

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
    SERVE = "serve"
    OVERSEE = "oversee"
    REVEAL = "reveal"


class Permission(StrEnum):
    """The answer of the table for a kind of principal and an operation."""

    ALLOWED = "allowed"
    ASKS = "asks a person"
    REFUSED = "refused"


KINDS = {
    PrincipalKind.PERSON: "whoever types in a shell of their own, or runs a program of their own",
    PrincipalKind.AGENT: "a coding agent: every MCP client, and what runs in an agent's shell",
    PrincipalKind.TOOL: "a program that passes on what others wrote: hooks, importers, git",
    PrincipalKind.SERVICE: "an unattended job that names itself so, for example a nightly backup",
}
"""A description of each kind of principal."""
MEANINGS = {
    Operation.READ: "answer questions and show stored data",
    Operation.PROPOSE: "add candidates and evidence that wait for a person",
    Operation.RECORD: "record sessions, runs, tasks and ratings of answers",
    Operation.MAINTAIN: "check evidence, and rebuild derived data",
    Operation.DECIDE: "decide about memories, or undo decisions",
    Operation.FORGET: "forget memories permanently",
    Operation.PIN: "pin memories and places, or unpin them",
    Operation.TRUST: "trust the pages of a clone, or accept a command that may run there",
    Operation.CONFIGURE: "change settings, models, weights, and the settings of other programs",
    Operation.REPAIR: "replace the store with the data that can be recovered",
    Operation.RESTORE: "import an export, with the decisions in it",
    Operation.EXPORT: "write the memories of every repository into one file",
    Operation.SERVE: "add and relate memories in a store that a service keeps for a user",
    Operation.OVERSEE: "see the notes, directives and results of agents that work in cycles",
    Operation.REVEAL: "read the text of sensitive memories, which is encrypted",
}
"""What each operation does, as the second half of "only a person may"."""

DOORS = ("cli", "python")
"""The default sources of people's claims, one per door."""
SHELL = "shell"
"""The tool of a session that a person starts without naming one."""
_PERSONS_TOOLS = frozenset({SHELL, *DOORS})
_OF_A_PERSON = "person/"
_OPEN = dict.fromkeys(PrincipalKind, Permission.ALLOWED)
_PEOPLE = {
    PrincipalKind.PERSON: Permission.ALLOWED,
    # A person may type in an agent's shell; nobody types for a tool or a service.
    PrincipalKind.AGENT: Permission.ASKS,
    PrincipalKind.TOOL: Permission.REFUSED,
    PrincipalKind.SERVICE: Permission.REFUSED,
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
    # A service makes backups, so it may export; nobody is shown what it writes.
    Operation.EXPORT: {**_PEOPLE, PrincipalKind.SERVICE: Permission.ALLOWED},
    # What a service adds to its own store is accepted; an agent's claims wait for a person.
    Operation.SERVE: {**_PEOPLE, PrincipalKind.SERVICE: Permission.ALLOWED},
    # What an agent notes is its own; it reads it back by its opening.
    Operation.OVERSEE: _PEOPLE,
    Operation.REVEAL: _PEOPLE,
}
"""Which kind of principal may perform which operation."""
ORIGINS = {
    PrincipalKind.PERSON: Origin.HUMAN,
    PrincipalKind.AGENT: Origin.AGENT,
    PrincipalKind.TOOL: Origin.TOOL,
    PrincipalKind.SERVICE: Origin.TOOL,
}
"""The default origin of the claims of each kind of principal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who acts, in which space, and which operations they may perform there.

    ``name`` is the person's name, or the name by which a program is recognised, for example by its
    environment. ``origin`` is the origin of the claims that the principal makes.
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
            may=frozenset(one for one in Operation if answer(kind, one) is Permission.ALLOWED),
            origin=ORIGINS[kind] if origin is None else origin,
        )

    @property
    def voice(self) -> Origin:
        """The author of an uncommitted edit of a page: a person, or an agent."""
        return Origin.HUMAN if self.kind is PrincipalKind.PERSON else Origin.AGENT

    def at_most(self, origin: Origin) -> Origin:
        """Return an origin, lowered to the principal's own: trust never rises at a door."""
        return least_trusted([self.origin, origin])

    def as_person(self, name: str) -> Principal:
        """Return the person who acts in place of this principal, in the same space."""
        return Principal.of(PrincipalKind.PERSON, space=self.space, name=name)

    def as_agent(self) -> Principal:
        """Return the agent that acts with the rights of this principal, in the same space.

        Whoever holds the rights does not act: a model does, and it answers its own questions.
        """
        agent = Principal.of(
            PrincipalKind.AGENT,
            space=self.space,
            name=self.name,
            origin=self.at_most(ORIGINS[PrincipalKind.AGENT]),
        )
        return replace(agent, may=agent.may & self.may)

    def session_tool(self, tool: str) -> str:
        """Return the tool of a session that the principal starts: it says who started it.

        A tool that a person names begins with ``person/``, whatever programs are called like it.
        """
        bare = plain_tool(tool) or SHELL
        if self.kind is PrincipalKind.PERSON:
            return bare if bare in _PERSONS_TOOLS else f"{_OF_A_PERSON}{bare}"
        if self.owns(bare):
            return bare
        return self.source(None if bare in _PERSONS_TOOLS else bare, door=SHELL)

    def owns(self, tool: str) -> bool:
        """Return whether a session of a tool is the principal's own; a person's are all of them.

        The tool of a program's session begins with the name of the program, as ``source`` does.
        """
        if self.kind is PrincipalKind.PERSON:
            return True
        is_persons = tool in _PERSONS_TOOLS or tool.startswith(_OF_A_PERSON)
        return not is_persons and self.source(tool, door=DOORS[0]) == tool

    def source(self, given: str | None, *, door: str) -> str:
        """Return the source of the principal's claims: the tool they name, else their door.

        An agent's source begins with the agent's name. So an agent's claims never look like a
        person's, and a revert by source finds all of them. A program that sets its origin may also
        name its sources, except the names of the doors that people use.
        """
        if self.kind is PrincipalKind.PERSON:
            return given or door
        agent, _, word = self.name.lower().removeprefix("an ").replace(" ", "-").partition("=")
        if word:
            return f"{word}:{door}" if given in {None, *DOORS} else str(given)
        if given in {None, agent, *DOORS}:
            return agent
        return str(given) if str(given).startswith(f"{agent}:") else f"{agent}:{given}"


def plain_tool(tool: str) -> str:
    """Return the name of a session's tool alone, without who started the session."""
    return tool.removeprefix(_OF_A_PERSON)


def answer(kind: PrincipalKind, operation: Operation) -> Permission:
    """Return the answer of the table for a kind of principal and an operation."""
    return TABLE[operation][kind]
