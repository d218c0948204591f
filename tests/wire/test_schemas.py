"""The published schemas: valid, complete, and made of the model's own words."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.surfaces.wire.requests import REMEMBER as READ
from holdfast.surfaces.wire.schema import words
from holdfast.surfaces.wire.schema.nouns import NOUNS
from holdfast.surfaces.wire.schema.published import ANSWERS, described, document
from holdfast.surfaces.wire.schema.requests import REMEMBER
from holdfast.usecases.memory.remember import RememberOutcome
from tests.mcp.schema import is_a_schema
from tests.requirements import requirement

ROOT = Path(__file__).parents[2]
SURFACES = ROOT / "src" / "holdfast" / "surfaces"
PUBLISHED = ROOT / "docs" / "reference" / "schemas" / "holdfast.json"


def test_every_description_is_a_schema() -> None:
    assert [name for name, one in described().items() if not is_a_schema(one)] == []


@requirement("wire.every-answer-has-a-schema")
def test_the_published_schema_is_what_the_program_writes() -> None:
    published = json.loads(PUBLISHED.read_text(encoding="utf-8"))

    assert is_a_schema(published)
    assert published == document()
    assert published["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_everything_that_is_referred_to_is_described() -> None:
    named = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(document())))

    assert named <= set(described())


def test_the_words_of_the_schemas_are_those_of_the_model() -> None:
    assert words.KINDS == [kind.value for kind in Kind]
    assert words.SCOPES == [scope.value for scope in Scope]
    assert words.STATUSES == [status.value for status in Status]
    assert words.ORIGINS == [origin.value for origin in Origin]
    assert words.EVIDENCE_TYPES == [kind.value for kind in EvidenceType]
    assert words.OUTCOMES == [outcome.value for outcome in RememberOutcome]


def test_the_reader_and_the_schema_of_a_claim_know_the_same_fields() -> None:
    assert set(REMEMBER) == {*READ, "value"}


@requirement("wire.claim-everywhere")
def test_no_noun_and_no_answer_calls_a_claim_otherwise() -> None:
    settings = {"config list", "config get", "config set", "config unset"}
    shapes = {**NOUNS, **{verb: ANSWERS[verb] for verb in set(ANSWERS) - settings}}

    assert [name for name, shape in shapes.items() if '"value"' in json.dumps(shape)] == []


def test_the_command_line_writes_no_json_of_its_own() -> None:
    own = {"as_json", "complain_json", "verb_json"}
    found = [
        f"{path.relative_to(SURFACES)}: {node.name}"
        for path in sorted((SURFACES / "cli").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and node.name.endswith(("_json", "_shape"))
        if node.name not in own
    ]

    assert found == []


def test_every_answer_of_the_command_line_comes_from_the_wire() -> None:
    found = [
        f"{path.relative_to(SURFACES)}:{node.lineno}"
        for path in sorted((SURFACES / "cli").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "json"
        and any(isinstance(argument, ast.Dict) for argument in node.args)
    ]

    assert found == []
