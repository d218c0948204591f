"""Values are checked against schemas, and the first thing that is wrong is named."""

from __future__ import annotations

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.wire.checking import check

OBJECT = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "size": {"type": "integer"}},
    "required": ["name"],
    "additionalProperties": False,
}
CASES: list[tuple[object, dict[str, object], str]] = [
    (1, {"type": "string"}, "body must be text; it is 1."),
    (True, {"type": "integer"}, "body must be a whole number; it is true."),
    (1.5, {"type": "integer"}, "body must be a whole number; it is 1.5."),
    (None, {"type": ["string", "number"]}, "body must be text or a number; it is null."),
    ([], {"type": "object"}, "body must be an object; it is a list."),
    ({}, {"type": "array"}, "body must be a list; it is an object."),
    (False, {"type": "null"}, "body must be null; it is false."),
    ("x", {"enum": ["a", "b"]}, "body must be one of a, b; it is 'x'."),
    ("", {"type": "string", "minLength": 1}, "body must have at least 1 character; it has 0."),
    ("abc", {"type": "string", "maxLength": 2}, "body must have at most 2 characters; it has 3."),
    ([1, 2], {"maxItems": 1}, "body must have at most 1 items; it has 2."),
    ({}, {"minProperties": 1}, "body must have at least 1 field; it has 0."),
    (0, {"minimum": 1}, "body must be at least 1; it is 0."),
    (9.5, {"maximum": 9}, "body must be at most 9; it is 9.5."),
    ([1, "x"], {"items": {"type": "integer"}}, "body[1] must be a whole number; it is 'x'."),
    ({}, OBJECT, "body.name is missing."),
    ({"name": "a", "colour": 1}, OBJECT, "body.colour is unknown; the body takes name, size."),
    ({"name": "a", "size": "b"}, OBJECT, "body.size must be a whole number; it is 'b'."),
    ({"a": 1}, {"additionalProperties": {"type": "string"}}, "body.a must be text; it is 1."),
    ({"a": 1}, {"additionalProperties": False}, "body.a is unknown; the body takes no fields."),
    (1, {"anyOf": [{"type": "string"}, {"type": "array"}]}, "body must be text; it is 1."),
    ({}, {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, "body.a is missing."),
]
GOOD: list[tuple[object, dict[str, object]]] = [
    ("x", {"type": "string"}),
    (2.0, {"type": "integer", "minimum": 1}),
    (None, {"type": ["string", "null"]}),
    ({"name": "a", "size": 1}, OBJECT),
    ({"any": object}, {"type": "object"}),
    ({"a": "b"}, {"additionalProperties": {"type": "string"}}),
    ({"b": 1}, {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}),
    (True, {"type": "boolean", "maximum": 0}),
]


@pytest.mark.parametrize(("value", "schema", "said"), CASES)
def test_the_first_thing_that_is_wrong_is_named(
    value: object, schema: dict[str, object], said: str
) -> None:
    with pytest.raises(BadFieldError) as refusal:
        check(value, schema, noun="body")

    assert said in str(refusal.value)


@pytest.mark.parametrize(("value", "schema"), GOOD)
def test_a_value_that_fits_passes(value: object, schema: dict[str, object]) -> None:
    check(value, schema, noun="body")
