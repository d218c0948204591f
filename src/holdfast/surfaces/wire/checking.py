"""Check a JSON value against a schema of ``surfaces/wire/schema``, and describe what is wrong.

It knows the words that these schemas use, and no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from holdfast.domain.errors import BadFieldError

Json = dict[str, object]
_LONGEST_SHOWN = 60
_NAMES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}
_SIZES = (
    ("string", "minLength", "maxLength", "characters"),
    ("array", "minItems", "maxItems", "items"),
    ("object", "minProperties", "maxProperties", "fields"),
)


def check(value: object, schema: Mapping[str, object], *, noun: str) -> None:
    """Return if the value fits the schema.

    Raises:
        BadFieldError: It does not; the error names the first field that is wrong.
    """
    for where, problem in _problems(noun, value, cast("Json", schema)):
        raise BadFieldError(field=where, problem=problem)


def _problems(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    kinds = _kinds(schema)
    if kinds and not any(_is_a(kind, value) for kind in kinds):
        wanted = " or ".join(_NAMES[kind] for kind in kinds)
        yield where, f"must be {wanted}; it is {_said(value)}."
        return
    if "enum" in schema and value not in (words := cast("list[object]", schema["enum"])):
        yield where, f"must be one of {', '.join(map(str, words))}; it is {_said(value)}."
    yield from _range(where, value, schema)
    yield from _inner(where, value, schema)
    yield from _choices(where, value, schema)


def _kinds(schema: Json) -> list[str]:
    kind = schema.get("type")
    return [kind] if isinstance(kind, str) else cast("list[str]", kind or [])


def _is_a(kind: str, value: object) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    match kind:
        case "integer":
            return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        case "number":
            return isinstance(value, int | float)
        case "null":
            return value is None
        case _:
            return isinstance(value, {"string": str, "array": list, "object": dict}.get(kind, ()))


def _range(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    for kind, least, most, unit in _SIZES:
        if _is_a(kind, value):
            size = len(cast("str", value))
            yield from _bounds(where, size, (schema.get(least), schema.get(most)), unit)
    if isinstance(value, int | float) and not isinstance(value, bool):
        yield from _bounds(where, value, (schema.get("minimum"), schema.get("maximum")), "")


def _bounds(
    where: str, size: float, limits: tuple[object, object], unit: str
) -> Iterator[tuple[str, str]]:
    least, most = limits
    verb, has = ("have", "has") if unit else ("be", "is")
    if isinstance(least, int | float) and size < least:
        units = unit.removesuffix("s") if least == 1 else unit
        yield where, f"must {verb} at least {least:,} {units}".rstrip() + f"; it {has} {size:,}."
    if isinstance(most, int | float) and size > most:
        shown = f"{size:,}"[:_LONGEST_SHOWN]
        yield where, f"must {verb} at most {most:,} {unit}".rstrip() + f"; it {has} {shown}."


def _inner(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from _problems(f"{where}[{index}]", item, cast("Json", schema["items"]))
    if isinstance(value, dict):
        yield from _fields(where, value, schema)


def _fields(where: str, value: Json, schema: Json) -> Iterator[tuple[str, str]]:
    properties = cast("dict[str, Json]", schema.get("properties", {}))
    others = schema.get("additionalProperties", True)
    # A field with another name is often the one that is missing, so it is named first.
    for name in value if others is False else ():
        if name not in properties:
            known = ", ".join(sorted(properties)) or "no fields"
            field = f"{where}.{name[:_LONGEST_SHOWN]}"
            yield field, f"is unknown; the {where} takes {known}."
    for name in cast("list[str]", schema.get("required", [])):
        if name not in value:
            yield f"{where}.{name}", "is missing."
    for name, item in value.items():
        if name in properties:
            yield from _problems(f"{where}.{name}", item, properties[name])
        elif isinstance(others, dict):
            yield from _problems(f"{where}.{name[:_LONGEST_SHOWN]}", item, others)


def _choices(where: str, value: object, schema: Json) -> Iterator[tuple[str, str]]:
    """Yield the problems with the nearest alternative, if none fits."""
    found = [
        list(_problems(where, value, one)) for one in cast("list[Json]", schema.get("anyOf", []))
    ]
    if found and all(found):
        yield min(found, key=lambda problems: len(problems[0][1].split("must be")) == 1)[0]


def _said(value: object) -> str:
    match value:
        case str():
            return f"'{value[:_LONGEST_SHOWN]}'"
        case bool():
            return "true" if value else "false"
        case None:
            return "null"
        case int() | float():
            return f"{value}"[:_LONGEST_SHOWN]
        case list():
            return "a list"
        case _:
            return "an object"
