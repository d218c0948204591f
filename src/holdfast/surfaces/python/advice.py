"""The advice of the Python API by error code: methods and arguments.

The advice is added to the exception as a note, so a traceback shows it below the message.
"""

from __future__ import annotations

from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.wire.failures import advised

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.wire.failures import Advice, Facts


Door = TypeVar("Door")
Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def _ids(facts: Facts) -> str:
    """Return the method that lists ids of that type."""
    return "list() returns the ids of memories." if facts["noun"] == "memory" else ""


ADVICE: dict[str, Advice] = {
    "may-not": "A person can run the same program in a terminal of their own.",
    "needs-person": "A person can run the same program in a terminal of their own.",
    "no-evidence": "Pass evidence=['src/app.py:10-30'], evidence=[url(…)], from_bundle='c_…' or"
    " because='…'.",
    "no-repository": "Open the memory with folder= inside a repository, or pass scope='workspace'"
    " or scope='global'.",
    "no-store": "Check the argument home.",
    "no-such-store": "Check the argument space.",
    "no-such": _ids,
    "secret-refused": "Remove the secret from the text.",
    "too-few-ratings": "Rate more answers with feedback(), or pass a longer period as since.",
    "unresolved-conflict": "Resolve the conflict with curation.resolve().",
    "words-contradict": "Edit the other memory first with curation.edit(), or resolve the"
    " conflict with curation.resolve().",
}
"""Advice by code; a code without an entry has its advice in its message."""


def with_advice(door: type[Door]) -> type[Door]:
    """Make every public method of a class add advice to the errors that it raises."""
    for name, method in list(vars(door).items()):
        if isinstance(method, FunctionType) and not name.startswith("_"):
            setattr(door, name, _advising(method))
    return door


def _advising(method: Callable[Given, Returned]) -> Callable[Given, Returned]:
    @wraps(method)
    def advised_method(*given: Given.args, **named: Given.kwargs) -> Returned:
        try:
            return method(*given, **named)
        except HoldfastError as error:
            advise(error)
            raise

    return advised_method


def advise(error: HoldfastError) -> None:
    """Add the advice for an error's code to the error, once."""
    said = advised(error, ADVICE)
    if said and said not in getattr(error, "__notes__", ()):
        error.add_note(said)
