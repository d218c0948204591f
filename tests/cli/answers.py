"""Holds what a command writes with ``--json`` against the published schemas."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

# The library ships no types; it comes with the MCP SDK.
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]

from holdfast.surfaces.cli.index import INDEX
from holdfast.surfaces.wire.schema.published import ANSWERS, schema_of

_VALUED = frozenset({"--home", "-C"})


@cache
def validator(name: str) -> Any:
    """Return the validator of what is described under a name."""
    return Draft202012Validator(schema_of(name))


def problem(value: object, name: str) -> str:
    """Say what does not fit the schema; nothing where it fits."""
    found = best_match(validator(name).iter_errors(value))
    return "" if found is None else f"{name}: {found.json_path}: {found.message[:600]}"


def answer_of(verb: str) -> str:
    """Return the name under which the answer of a verb is described."""
    return f"answer.{verb.replace(' ', '-')}"


def verb_of(words: Sequence[str]) -> str:
    """Return the verb of a command, or nothing."""
    named: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _VALUED:
            next(rest, "")
        elif not word.startswith("-"):
            named.append(word)
    two = " ".join(named[:2])
    return two if two in INDEX else named[0] if named and named[0] in INDEX else ""


def check_answer(words: Sequence[str], out: str, err: str) -> None:
    """Insist that a command's JSON, and the JSON of its error, are as they are published."""
    before_dashes = words[: words.index("--")] if "--" in words else words
    verb = verb_of(words)
    if "--json" not in before_dashes or not verb:
        return
    if {"--help", "-h"} & set(before_dashes):
        assert not (said := problem(json.loads(out), "answer.help")), said
        return
    if verb in ANSWERS:
        for line in out.splitlines():
            value = json.loads(line)
            name = "kept-here" if "kept_here" in value else answer_of(verb)
            assert not (said := problem(value, name)), said
    for line in err.splitlines():
        if line.startswith('{"error": '):
            assert not (said := problem(json.loads(line), "error")), said
