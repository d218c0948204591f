"""One call of a client: its arguments, who sent it, and how to reach the client meanwhile.

A tool that needs a person's answer asks for it with ``confirmed``. The call is then run again with
the answer, so a tool must not change anything before it asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.protocol import Json

CONFIRM = "confirm"
"""The one field of the form that a person fills in, and the name of the question."""


class CallCancelledError(Exception):
    """The client cancelled the call; nobody waits for its answer."""


class PersonAskedError(Exception):
    """A person has to answer first; ``message`` is the question, in words for people."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def form(self) -> Json:
        """Return the question as the parameters of the protocol's request."""
        field_: Json = {
            "type": "boolean",
            "title": "Yes, do it",
            "description": "Only a person may answer this.",
            "default": False,
        }
        schema: Json = {"type": "object", "properties": {CONFIRM: field_}, "required": [CONFIRM]}
        return {"mode": "form", "message": self.message, "requestedSchema": schema}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonAnswer:
    """What the client reported that its user answered to a question."""

    question: str
    refusal: str = ""
    """Why it is not a yes, as a sentence; empty for a yes."""

    @classmethod
    def read(cls, question: str, result: object) -> PersonAnswer:
        """Read the answer of a client; anything but a clear yes decides nothing."""
        shape: Mapping[str, object] = result if isinstance(result, dict) else {}
        content = shape.get("content")
        said = content.get(CONFIRM) if isinstance(content, dict) else None
        return cls(question=question, refusal=_refusal(shape.get("action"), said))


def _refusal(action: object, said: object) -> str:
    match action, said:
        case "accept", True:
            return ""
        case ("accept", False) | ("decline", _):
            return "A person was asked, and said no."
        case "cancel", _:
            return "A person was asked, and closed the question without an answer."
        case _:
            return "The client was asked to ask a person, and sent back no answer that can be read."


def _never() -> None:
    """Return: the call was not cancelled."""


def _quietly(_done: float, _total: float, _words: str) -> None:
    """Report nothing: the client did not ask for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientSide:
    """The client of a call.

    ``may_ask`` is whether its user can be asked. ``checked`` raises CallCancelledError if the
    client cancelled the call, and ``told`` reports progress.
    """

    name: str = ""
    may_ask: bool = False
    answer: PersonAnswer | None = None
    checked: Callable[[], None] = _never
    told: Callable[[float, float, str], None] = _quietly


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """A call of a tool whose arguments fit the schema.

    ``source`` is the source of the client's proposals. ``person`` is the name under which an answer
    of the client's user is a decision; empty if such an answer decides nothing.
    """

    app: Holdfast
    given: Json
    source: str
    client: ClientSide = field(default_factory=ClientSide)
    person: str = ""

    def progress(self, done: float, total: float, words: str) -> None:
        """Report progress, and stop if the client cancelled the call.

        Raises:
            CallCancelledError: The client cancelled it.
        """
        self.client.checked()
        self.client.told(done, total, words)

    def deciding(self, question: str) -> Holdfast | None:
        """Return the memory for an act that a person decides; None if no person decided it.

        A client is an agent, so it never decides by itself. The answer of its user is a decision
        only where a person has set that up.

        Raises:
            PersonAskedError: The client's user has to answer first.
            DeclinedError: The user did not say yes.
        """
        if not self.client.may_ask or not self.person:
            return None
        answer = self.client.answer
        if answer is None or answer.question != question:
            raise PersonAskedError(question)
        if answer.refusal:
            raise DeclinedError(answer.refusal)
        return replace(self.app, principal=self.app.principal.as_person(self.person))


class DeclinedError(Exception):
    """The person who was asked did not say yes, so nothing was changed; the text says why."""
