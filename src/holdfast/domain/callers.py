"""Who calls Holdfast, what a call does, and the one table that says who may do what.

Every verb of the command line, every MCP tool, every method of the Python door and every hook
event names one operation. The door looks the pair up here before anything is done, so that
nothing is open because somebody forgot to close it.
"""

from __future__ import annotations

from enum import StrEnum

from holdfast.domain.choices import Origin
from holdfast.domain.values import dataclass


class CallerKind(StrEnum):
    """What sort of caller it is."""

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
    CallerKind.PERSON: "whoever types in a shell of their own, or runs a program of their own",
    CallerKind.AGENT: "a coding agent: every MCP client, and what runs in an agent's shell",
    CallerKind.TOOL: "a program that passes on what others wrote: hooks, importers, git",
    CallerKind.SERVICE: "an unattended job that names itself so, for example a nightly backup",
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
_OPEN = dict.fromkeys(CallerKind, Answer.ALLOWED)
_PEOPLE = {
    CallerKind.PERSON: Answer.ALLOWED,
    # A person may well type in the shell of an agent; nobody types for a tool or a service.
    CallerKind.AGENT: Answer.ASKS,
    CallerKind.TOOL: Answer.REFUSED,
    CallerKind.SERVICE: Answer.REFUSED,
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
    Operation.EXPORT: {**_PEOPLE, CallerKind.SERVICE: Answer.ALLOWED},
}
"""Who may do what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who calls, and the origin of what they say.

    The name says how that is known, and is empty for a person.
    """

    kind: CallerKind
    name: str = ""
    origin: Origin = Origin.HUMAN

    def may(self, operation: Operation) -> bool:
        """Tell whether this caller may do that without a person being asked."""
        return answer(self.kind, operation) is Answer.ALLOWED

    def source(self, given: str | None, *, door: str) -> str:
        """Return where what they say comes from: the tool they name, else the door they use.

        An agent's source begins with the agent's name, so that nothing of it passes for a
        person's and a revert finds all of it. A program that names its origin also names its
        sources; only the doors of people are not among them.
        """
        if self.kind is CallerKind.PERSON:
            return given or door
        agent, _, word = self.name.lower().removeprefix("an ").replace(" ", "-").partition("=")
        if word:
            return f"{word}:{door}" if given in {None, *DOORS} else str(given)
        if given in {None, agent, *DOORS}:
            return agent
        return str(given) if str(given).startswith(f"{agent}:") else f"{agent}:{given}"


PERSON = Caller(kind=CallerKind.PERSON)


def answer(kind: CallerKind, operation: Operation) -> Answer:
    """Return what the table says to a caller and an operation."""
    return TABLE[operation][kind]
