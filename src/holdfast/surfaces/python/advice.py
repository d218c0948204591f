"""The advice of the Python API by error code: methods and arguments.

The advice is the attribute ``advice`` of the exception, and a note that a traceback shows below
the message.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import wraps
from textwrap import fill, indent
from types import FunctionType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar, cast

from holdfast.domain.errors import HoldfastError, InvalidError, UnavailableError
from holdfast.domain.service.ids import MEMORY_NOUN, STORE_NOUN
from holdfast.surfaces.wire.failures import advised, outward

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.wire.failures import Advice, Facts


Door = TypeVar("Door")
Given = ParamSpec("Given")
Returned = TypeVar("Returned")


_WIDTH, _INDENT = 90, " " * 8


class ClosedError(InvalidError, code="closed"):
    """This memory was closed, so it can no longer be used."""


_IDS = {
    "memory": "list() returns the ids of memories.",
    "snapshot": "workspaces.list(everywhere=True) returns the snapshots.",
    "task": "tasks.list() returns the ids of tasks.",
    "agent": "agents.list() returns the names of agents.",
    STORE_NOUN: "get_or_create_store() returns the id of a store. To use an id from before, open"
    " the service with tenant=.",
    MEMORY_NOUN: "Both memories of a relationship are in one store. To use an id from before,"
    " open the service with tenant=.",
}
"""How to get an id, by what it is an id of."""


def _ids(facts: Facts) -> str:
    """Return the method that returns ids of that type."""
    return _IDS.get(str(facts["noun"]), "")


def _held(facts: Facts) -> str:
    """Return how to get an agent that this process or another one has open."""
    ways = ["Close it first with close()"]
    if not facts.get("is_own"):
        ways = ["Close it there", "wait until the lease ends"]
    if not facts.get("is_deletion"):
        ways.append("pass take_over=True to open()")
    return f"{', '.join(ways[:-1])}{', or ' if ways[1:] else ''}{ways[-1]}."


def _ready(facts: Facts) -> str:
    """Return what says why nothing can start, or how to add the first task."""
    return "tasks.ready().held says why." if facts["held"] else "tasks.add() adds one."


def _unresolved(facts: Facts) -> str:
    """Return the call that resolves the conflict; if there are several, all or one of them."""
    if not facts.get("others"):
        return "Resolve the conflict with resolve()."
    return (
        f"Replace all of them with resolve('{facts['memory_id']}', 'supersede'), or decide about"
        " one of them with against= and 'keep-both' or 'merge'."
    )


ADVICE: dict[str, Advice] = {
    "agent-held": _held,
    "agent-taken-over": "Open the agent again with agents.open(), and call resume().",
    "already-decided": "review() gives the memories that wait for a decision.",
    "changed-since-shown": "Call review() again, and decide about what it returns.",
    "closed": "Open it again with holdfast.open(), or keep it open longer.",
    "may-not": "A person can run the same program in a terminal of their own.",
    "needs-person": "A person can run the same program in a terminal of their own.",
    "no-cycle": "Begin one with agent.cycle(), and track inside its block.",
    "no-evidence": "Pass evidence=['src/app.py:10-30'], evidence=[holdfast.url(…)],"
    " from_bundle='c_…' or because='…'.",
    "no-encryption-key": "Make one once, in a shell: holdfast key create.",
    "encryption-key-missing": "Make it known once, in a shell: holdfast key add.",
    "sensitive-record": "Pass sensitive=True to remember() for the new claim.",
    "undo-reveals": "Encrypt that wording first with protect('{memory_id}').",
    "no-model": "Install one once, in a shell: holdfast model install.",
    "no-repository": "Open the memory with folder= inside a repository, or pass scope='workspace'"
    " or scope='global'.",
    "no-store": "Check the argument home.",
    "no-such-store": "Check the argument space.",
    "no-such": _ids,
    "prune-too-much": "prune(dry_run=True) lists them. Prune less at once with kinds, namespaces"
    " or causes, or allow it with force=True.",
    "proposed-too-fast": "Propose less, or later; the setting review.hourly has the limit.",
    "too-many-waiting": "A person can decide about them with review() or 'holdfast review'.",
    "not-on-remote": "Name a folder, or postgresql://…, as the store.",
    "token-of-other-space": "Leave out space=, or set HOLDFAST_TOKEN to a token of that space.",
    "nothing-ready": _ready,
    "task-claimed": "Take another one with tasks.claim_next().",
    "task-lease-lost": "A person overrides the claim with anyway=True.",
    "task-is-done": "Reopen it with tasks.reopen().",
    "task-waits": "Finish those first, or remove the dependency with tasks.edit(not_after=…).",
    "checkout-changed": "Pass branch='continue' or branch='fork', or resume_supervised() later.",
    "run-complete": "Do it again with replay_supervised().",
    "run-not-supervised": "supervised() lists the supervised runs.",
    "secret-refused": "Remove the secret from the text.",
    "proposes-forgetting": "Forget the memory itself with forget('{about}').",
    "only-suspected": "Pass against= to resolve().",
    "several-conflicts": "Pass against= to resolve().",
    "too-few-ratings": "Rate more answers with feedback(), or pass a longer period as since.",
    "unknown-outcome": "Look what is stored before you repeat it. add_memory() can be repeated"
    " if it was given an idempotency_key.",
    "unresolved-conflict": _unresolved,
    "said-is-off": "A person switches the setting session.said on.",
    "said-already": "Choose other words, or forget() one of the two.",
    "snapshot-elsewhere": "Pass a folder of this machine: into= to restore, folder= to compare.",
    "would-replace": "Pass into= another folder, or force=True, which keeps what it replaces.",
    "words-contradict": "Edit the other memory first with edit(), or resolve the conflict"
    " with resolve().",
}
"""Advice by code; a code without an entry has its advice in its message."""


class Openable(Protocol):
    """Something that can be closed."""

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        ...


def with_advice(door: type[Door]) -> type[Door]:
    """Make every public method of a class refuse a closed memory, and add advice to errors."""
    return with_advice_as("MemoryStore")(door)


def with_advice_as(public: str) -> Callable[[type[Door]], type[Door]]:
    """Do the same for a class that is public under this name."""

    def guard(door: type[Door]) -> type[Door]:
        for name, method in list(vars(door).items()):
            if isinstance(method, FunctionType) and not name.startswith("_") and name != "close":
                method.__qualname__ = f"{public}.{name}"  # what Python's own messages name
                _name_options(method)
                setattr(door, name, _guarded(method))
        return door

    return guard


def _name_options(method: FunctionType) -> None:
    """Add its options to a method's docstring, because ``help`` only names their type."""
    found = re.fullmatch(r"Unpack\[(\w+)\]", str(method.__annotations__.get("options")))
    if found is None or method.__doc__ is None or found[1] not in method.__globals__:
        return
    names = ", ".join(f"``{name}``" for name in method.__globals__[found[1]].__annotations__)
    words = fill(f"The options (``holdfast.{found[1]}``) are {names}.", _WIDTH)
    # The example stays last, as in every docstring.
    first, example, rest = method.__doc__.partition("\n\n        >>> ")
    method.__doc__ = f"{first.rstrip()}\n\n{indent(words, _INDENT)}{example}{rest}"


def _guarded(
    method: Callable[Concatenate[Openable, Given], Returned],
) -> Callable[Concatenate[Openable, Given], Returned]:
    @wraps(method)
    def guarded_method(self: Openable, /, *given: Given.args, **named: Given.kwargs) -> Returned:
        with _advised(self):
            if self.is_closed:
                raise ClosedError
            returned = method(self, *given, **named)
        if isinstance(returned, Iterator):
            return cast("Returned", _lines(self, returned))
        return returned

    return guarded_method


@contextmanager
def _advised(door: Openable) -> Generator[None, None, None]:
    """Add advice to errors; what fails because another thread closed the memory says so."""
    try:
        yield
    except HoldfastError as error:
        if isinstance(error, UnavailableError) and door.is_closed:
            closed = ClosedError()
            advise(closed)
            raise closed from error
        advise(error)
        raise


def _lines(door: Openable, lines: Iterator[object]) -> Iterator[object]:
    """Yield what is read while it is iterated, such as the lines of an export."""
    with _advised(door):
        yield from lines


def advising(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """Make a function add advice to the errors that it raises."""

    @wraps(function)
    def advised_function(*given: Given.args, **named: Given.kwargs) -> Returned:
        try:
            return function(*given, **named)
        except HoldfastError as error:
            advise(error)
            raise

    return advised_function


def advise(error: HoldfastError) -> None:
    """Set the advice for an error's code, and show it as a note below the traceback, once."""
    said = advised(error, ADVICE)
    error.advice = f"{error.hint} {said}".strip() or outward(error).advice
    if said and said not in getattr(error, "__notes__", ()):
        error.add_note(said)
