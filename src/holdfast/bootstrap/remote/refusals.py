"""Turns the problem that a server reports into the error that a local store would raise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import (
    ConflictError,
    HoldfastError,
    InvalidError,
    NeedsPersonError,
    NotFoundError,
    StaleError,
    UnavailableError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    Json = dict[str, object]

_FAMILIES: dict[str, type[HoldfastError]] = {
    "invalid": InvalidError,
    "not-found": NotFoundError,
    "conflict": ConflictError,
    "stale": StaleError,
    "unavailable": UnavailableError,
}
_FORBIDDEN, _SERVER_FAULT = 403, 500


def refusal(status: int, problem: Json) -> HoldfastError:
    """Return the error of a problem, of the same class where this version knows it.

    An error about the rights of the token is not one about the rights of the person here, who
    would be asked to confirm something that does not help; so it is only of the same family. It has
    the advice of the server, and so has an error about something that the server lacks.
    """
    code, message = str(problem.get("code", "")), str(problem.get("detail", f"HTTP {status}"))
    family = _FAMILIES.get(str(problem.get("family", "")), UnavailableError)
    found = _classes().get(code)
    if found is None or issubclass(found, NeedsPersonError | UnavailableError):
        hint = "" if found is None else found.hint
        found = _class_of(family, code, hint)
    if status >= _SERVER_FAULT:
        # Its words speak of the server as "here".
        message = f"The server answers: {message}"
    told = problem.get("facts")
    facts = told if isinstance(told, dict) else {}
    error = found.__new__(found)
    known = {name: value for name, value in facts.items() if name not in HoldfastError.NO_FACTS}
    HoldfastError.__init__(error, message, **known)
    error.is_of_server = True
    if status >= _SERVER_FAULT or status == _FORBIDDEN:
        error.hint, error.server_advice = "", str(problem.get("advice", ""))
    return error


def _class_of(family: type[HoldfastError], code: str, hint: str) -> type[HoldfastError]:
    """Return a class of a family for a code of the server."""
    words = {"__doc__": family.__doc__, "hint": hint, "__reduce__": _reduced}
    return type("RefusedByServerError", (family,), words, code=code)


def _reduced(error: HoldfastError) -> tuple[object, ...]:
    """Return how pickle makes an error again whose class it cannot find by name."""
    kind = type(error)
    return _made_again, (kind.__base__, kind.code, kind.hint, error.args), vars(error)


def _made_again(
    family: type[HoldfastError], code: str, hint: str, words: tuple[str, ...]
) -> HoldfastError:
    kind = _class_of(family, code, hint)
    return kind.__new__(kind, *words)


def _classes() -> dict[str, type[HoldfastError]]:
    from holdfast.domain import (  # noqa: F401 - imported so that their classes are found
        access_errors,
        database_errors,
        lookup_errors,
        refusals,
        review_errors,
        service_errors,
    )

    return {one.code: one for one in _below(HoldfastError)}


def _below(family: type[HoldfastError]) -> Iterator[type[HoldfastError]]:
    for one in family.__subclasses__():
        yield one
        yield from _below(one)
