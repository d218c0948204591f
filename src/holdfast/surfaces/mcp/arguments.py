"""Check a tool's arguments against its schema, and describe what does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from holdfast.surfaces.mcp.protocol import Json


_MOST_TOLD = 4
_LONGEST_QUOTE = 60
_TYPES: dict[str, tuple[type, str]] = {
    "boolean": (bool, "true or false"),
    "string": (str, "text"),
    "integer": (int, "a whole number"),
    "array": (list, "a list"),
    "object": (dict, "an object"),
}


def without_nothing(arguments: Json) -> Json:
    """Return the arguments without nulls, because many clients send null for 'not given'."""
    return {name: value for name, value in arguments.items() if value is not None}


class Complaint(NamedTuple):
    """The text about all problems of the arguments, and the first argument with its problem."""

    text: str
    argument: str
    problem: str


def complaint(tool: str, arguments: Json, schema: Json) -> Complaint | None:
    """Return what is wrong with the arguments and what each should be; None if they fit."""
    found = [*_absent(tool, arguments), *_object_problems("", arguments, schema)]
    if not found:
        return None
    lines = [f"{tool}: {problem}" for _, problem in found[:_MOST_TOLD]]
    properties = cast("dict[str, Json]", schema["properties"])
    for name in dict.fromkeys(_top(where) for where, _ in found[:_MOST_TOLD]):
        if name in properties:
            lines.append(f"{name}: {properties[name]['description']}")
    return Complaint("\n".join(lines), *found[0])


_ONE_OF = {"memory.create": ("claim", "value")}
"""Arguments of which one is needed. A schema cannot say it: clients refuse a choice at its top."""


def _absent(tool: str, arguments: Json) -> Iterator[tuple[str, str]]:
    names = _ONE_OF.get(tool, ())
    if names and not any(name in arguments for name in names):
        yield names[0], f"{_named(names[0])} is missing."


def _problems(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    if "anyOf" in schema:
        yield from _choice_problems(where, value, cast("list[Json]", schema["anyOf"]))
        return
    if not _is_of_type(value, schema):
        yield where, f"{_named(where)} must be {_wanted(schema)}; it is {_said(value)}."
        return
    if "enum" in schema and value not in (choices := cast("list[str]", schema["enum"])):
        yield where, f"{_named(where)} must be one of {', '.join(choices)}; it is {_said(value)}."
    yield from _size_problems(where, value, schema)
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _problems(f"{where}[{index}]", item, cast("Json", schema["items"]))
    if isinstance(value, dict):
        yield from _object_problems(f"{where}.", value, schema)


def _object_problems(prefix: str, value: Json, schema: Json) -> Iterator[tuple[str, str]]:
    properties = cast("dict[str, Json]", schema["properties"])
    for name in cast("list[str]", schema["required"]):
        if name not in value:
            yield f"{prefix}{name}", f"{_named(f'{prefix}{name}')} is missing."
    for name, item in value.items():
        if name in properties:
            yield from _problems(f"{prefix}{name}", item, properties[name])
        else:
            where = f"{prefix}{_quoted(name)}"
            known = f"there are: {', '.join(properties)}" if properties else "there are none"
            yield where, f"there is no argument {where}; {known}."


def _choice_problems(where: str, value: object, choices: list[Json]) -> Iterator[tuple[str, str]]:
    """Yield the problems with the alternative of the value's type; if none fits, name them all."""
    for choice in choices:
        if _is_of_type(value, choice):
            yield from _problems(where, value, choice)
            return
    wanted = " or ".join(_wanted(choice) for choice in choices)
    yield where, f"{_named(where)} must be {wanted}; it is {_said(value)}."


def _size_problems(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    least, most, size, noun = _bounds(value, schema)
    verb, state = ("have", "has") if noun else ("be", "is")
    if least is not None and size < least:
        wanted = _amount(least, noun)
        yield where, f"{_named(where)} must {verb} at least {wanted}; it {state} {_number(size)}."
    if most is not None and size > most:
        wanted = _amount(most, noun)
        yield where, f"{_named(where)} must {verb} at most {wanted}; it {state} {_number(size)}."


def _bounds(value: object, schema: Json) -> tuple[int | None, int | None, float, str]:
    """Return the minimum and the maximum, the value's size, and the unit."""
    match value:
        case str():
            return *_limits(schema, "minLength", "maxLength"), len(value), "character"
        case list():
            return *_limits(schema, "minItems", "maxItems"), len(value), "item"
        case int() | float():
            return *_limits(schema, "minimum", "maximum"), value, ""
        case _:
            return None, None, 0, ""


def _amount(count: int, noun: str) -> str:
    plural = "s" if noun and count != 1 else ""
    return f"{count:,} {noun}{plural}".strip()


def _limits(schema: Json, least: str, most: str) -> tuple[int | None, int | None]:
    return cast("int | None", schema.get(least)), cast("int | None", schema.get(most))


def _is_of_type(value: object, schema: Json) -> bool:
    kind, _ = _TYPES[str(schema["type"])]
    if kind is int and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _wanted(schema: Json) -> str:
    return _TYPES[str(schema["type"])][1]


def _named(where: str) -> str:
    return f"the argument '{where}'"


def _top(where: str) -> str:
    return where.split(".", 1)[0].split("[", 1)[0]


def _said(value: object) -> str:
    """Return a value as a message shows it; only text is quoted, as other values may be huge."""
    match value:
        case str():
            return f"'{_quoted(value)}'"
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case int() | float():
            return _number(value)
        case list():
            return "a list"
        case _:
            return "an object"


def _number(value: float) -> str:
    return _quoted(f"{value:,}")


def _quoted(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}…"
