"""Parse requests: one parser per request, for every door.

The command line passes its options, MCP its arguments, Python its keywords, a batch its lines. A
field that is missing comes from the defaults of the door.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.choices import Kind, Origin, Scope, Status, choose
from holdfast.domain.errors import BadFieldError
from holdfast.domain.fields import Fields
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.question import Question
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from enum import StrEnum

    from holdfast.domain.memory.place import Place
    from holdfast.usecases.memory.browse import Browse
    from holdfast.usecases.memory.remember import Remember

    Choice = TypeVar("Choice", bound=StrEnum)

REMEMBER = (
    *("claim", "kind", "scope", "key", "label", "ttl", "tags", "importance", "weight", "pinned"),
    *(
        "metadata",
        "checks",
        "origin",
        "source",
        "evidence",
        "because",
        "from_bundle",
        "derived_from",
        "sensitive",
    ),
)
"""The fields of a request to remember; ``value`` is another name of ``claim``."""


def read_remember(given: Mapping[str, object], defaults: Remember, *, noun: str) -> Remember:
    """Return the request to remember.

    Raises:
        BadFieldError: The request is not an object, or one of its fields is invalid.
        UnknownChoiceError: A kind, a scope or an origin does not exist.
    """
    from holdfast.usecases.memory.restating import RENEWABLE

    fields = Fields(given, noun=noun)
    _refuse_unknown(given, (*REMEMBER, "value"), noun=noun)
    if "claim" in given and "value" in given and given["claim"] != given["value"]:
        problem = "and the value differ; both name the same field, so give only the claim."
        raise BadFieldError(field="claim", problem=problem)
    readers: dict[str, Callable[[], object]] = {
        "kind": lambda: choose(Kind, fields.text("kind"), what="kind"),
        "scope": lambda: choose(Scope, fields.text("scope"), what="scope"),
        "origin": lambda: _no_better(fields.text("origin"), defaults),
        "key": lambda: fields.maybe_text("key"),
        "label": lambda: fields.maybe_text("label"),
        "source": lambda: fields.text("source"),
        "tags": lambda: fields.words("tags"),
        "importance": lambda: fields.number("importance"),
        "weight": lambda: fields.number("weight"),
        "pinned": lambda: bool(fields.maybe_bool("pinned")),
        "sensitive": lambda: bool(fields.maybe_bool("sensitive")),
        "metadata": lambda: _metadata(fields.raw("metadata")),
        "checks": lambda: fields.words("checks"),
    }
    changes: dict[str, object] = {name: read() for name, read in readers.items() if name in given}
    if "ttl" in given:
        changes["keep_for"] = _lifetime(fields)
    changes["stated"] = defaults.stated | RENEWABLE.intersection(given)
    wish = replace(defaults, claim=fields.claim(), **changes)  # type: ignore[arg-type]  # each was parsed to its type
    return _grounded(wish, fields, given)


def read_question(given: Mapping[str, object], defaults: Question, *, noun: str) -> Question:
    """Return the question of a request.

    Raises:
        BadFieldError: The question is blank, or a field of the request is invalid.
        UnknownChoiceError: A kind or a scope does not exist.
    """
    fields = Fields(given, noun=noun)
    text = fields.text("q")
    if not text.strip():
        raise BadFieldError(field="question", problem="is blank; say what you want to know.")
    readers: dict[str, Callable[[], object]] = {
        "budget": lambda: _whole(fields, "budget"),
        "limit": lambda: _whole(fields, "limit"),
        "include": lambda: fields.words("include"),
        "kinds": lambda: _choices(fields, "kinds", Kind, what="kind"),
        "scopes": lambda: _choices(fields, "scopes", Scope, what="scope"),
        "tags": lambda: fields.words("tags"),
        "as_of": lambda: fields.maybe_text("as_of"),
        "all_branches": lambda: bool(fields.maybe_bool("all_branches")),
        "verbose": lambda: bool(fields.maybe_bool("verbose")),
        "deep": lambda: fields.maybe_bool("deep"),
    }
    changes = {name: read() for name, read in readers.items() if name in given}
    return replace(defaults, text=text, **changes)  # type: ignore[arg-type]  # each was parsed to its type


def read_browse(
    given: Mapping[str, object], *, place: Place | None, now: datetime, noun: str
) -> Browse:
    """Return the request to list memories; only memories that reach ``place`` are listed.

    Raises:
        BadFieldError: A field of the request is invalid.
        UnknownChoiceError: A kind, a scope, a status or an origin does not exist.
    """
    from holdfast.usecases.memory.browse import Browse

    fields = Fields(given, noun=noun)
    selection = Selection(
        place=place,
        kinds=frozenset(_choices(fields, "kinds", Kind, what="kind")),
        scopes=frozenset(_choices(fields, "scopes", Scope, what="scope")),
        statuses=frozenset(_choices(fields, "statuses", Status, what="status")),
        origins=frozenset(_choices(fields, "origins", Origin, what="origin")),
        tags=frozenset(fields.words("tags") if "tags" in given else ()),
        key=fields.maybe_text("key"),
        labels=frozenset(fields.words("labels") if "labels" in given else ()),
        source=fields.maybe_text("source"),
        pinned=fields.maybe_bool("pinned"),
        expired_at=now if _is_wanted(fields, "expired") else None,
        recallable_at=now if _is_wanted(fields, "recallable") else None,
        branch=fields.maybe_text("branch"),
    )
    if place is not None:
        selection = replace(selection, space=place.space)
    is_oldest_first = bool(fields.maybe_bool("oldest_first"))
    page = Page(limit=_whole(fields, "limit"), oldest_first=is_oldest_first)
    return Browse(selection=selection, query=fields.maybe_text("q") or "", page=page)


def _is_wanted(fields: Fields, name: str) -> bool:
    """Return whether a filter was asked for that has no opposite."""
    found = fields.maybe_bool(name)
    if found is False:
        problem = "can only be true; leave the field out to list memories of both kinds."
        raise BadFieldError(field=name, problem=problem)
    return found is True


def said(**fields: object) -> dict[str, object]:
    """Return the fields that are not None; None means that the field was not given."""
    return {name: value for name, value in fields.items() if value is not None}


def _refuse_unknown(given: Mapping[str, object], known: tuple[str, ...], *, noun: str) -> None:
    if unknown := sorted(set(given) - set(known)):
        takes = ", ".join(sorted(known))
        field = f"{noun}'s {unknown[0][:40]}"
        raise BadFieldError(field=field, problem=f"is unknown; the {noun} takes {takes}.")


def _no_better(word: str, defaults: Remember) -> Origin:
    """Return the origin that a request names; only a person's request may name a person.

    Raises:
        BadFieldError: The request claims to be a person's, and its sender is not a person.
    """
    origin = choose(Origin, word, what="origin")
    if origin is Origin.HUMAN and defaults.origin is not Origin.HUMAN:
        problem = f"is human, and this is said by: {defaults.origin.value}."
        raise BadFieldError(field="origin", problem=problem)
    return origin


def _lifetime(fields: Fields) -> timedelta | None:
    given = fields.raw("ttl")
    return given if isinstance(given, timedelta) else read_lifetime(fields.text("ttl"))


def _grounded(wish: Remember, fields: Fields, given: Mapping[str, object]) -> Remember:
    grounds = wish.grounds
    if "because" in given:
        grounds = replace(grounds, because=fields.maybe_text("because"))
    if "from_bundle" in given:
        grounds = replace(grounds, from_bundle=fields.maybe_text("from_bundle"))
    if "derived_from" in given:
        grounds = replace(grounds, derived_from=fields.words("derived_from"))
    if "evidence" in given:
        from holdfast.surfaces.wire.memory import read_grounds

        grounds = read_grounds(fields.items("evidence"), grounds)
    return replace(wish, grounds=grounds)


def _metadata(value: object) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise BadFieldError(field="metadata", problem="must be an object.")
    return {str(name): item for name, item in value.items()}


def _whole(fields: Fields, name: str) -> int:
    """Return a whole number; some clients write 10 as 10.0 in JSON."""
    number = fields.number(name)
    return int(number) if float(number).is_integer() else fields.whole(name)


def _choices(fields: Fields, name: str, choices: type[Choice], *, what: str) -> tuple[Choice, ...]:
    if fields.raw(name) is None:
        return ()
    return tuple(choose(choices, word, what=what) for word in fields.words(name))
