"""JSON Schema as the outside world reads it."""

from __future__ import annotations

from typing import Any

# The library ships no types; it comes with the SDK, and only these three lines touch it.
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]


def is_a_schema(schema: Any) -> bool:
    Draft202012Validator.check_schema(schema)
    return True


def fits(value: object, schema: Any) -> bool:
    return bool(Draft202012Validator(schema).is_valid(value))
