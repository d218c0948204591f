from __future__ import annotations

import pytest

from holdfast.domain.callers import (
    KINDS,
    MEANINGS,
    PERSON,
    TABLE,
    Answer,
    Caller,
    CallerKind,
    Operation,
    answer,
)
from tests.requirements import requirement

OPEN = {Operation.READ, Operation.PROPOSE, Operation.RECORD, Operation.MAINTAIN}


@requirement("callers.one-table")
def test_the_table_answers_every_caller_and_every_operation() -> None:
    assert set(TABLE) == set(Operation) == set(MEANINGS)
    assert set(KINDS) == set(CallerKind)
    for row in TABLE.values():
        assert set(row) == set(CallerKind)


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
def test_a_person_may_do_everything(operation: Operation) -> None:
    assert PERSON.may(operation)


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
def test_an_agent_reads_and_proposes_and_asks_for_the_rest(operation: Operation) -> None:
    expected = Answer.ALLOWED if operation in OPEN else Answer.ASKS

    assert answer(CallerKind.AGENT, operation) is expected


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize("kind", [CallerKind.TOOL, CallerKind.SERVICE])
def test_nobody_is_asked_where_nobody_types(kind: CallerKind, operation: Operation) -> None:
    is_backup = kind is CallerKind.SERVICE and operation is Operation.EXPORT

    assert Caller(kind=kind).may(operation) is (operation in OPEN or is_backup)
    assert answer(kind, operation) is not Answer.ASKS


@requirement("callers.sources-name-agents")
@pytest.mark.parametrize(
    ("name", "given", "source"),
    [
        ("", None, "python"),
        ("", "notebook", "notebook"),
        ("Claude Code", None, "claude-code"),
        ("Claude Code", "cli", "claude-code"),
        ("Claude Code", "claude-code", "claude-code"),
        ("Claude Code", "claude-code:5f0c", "claude-code:5f0c"),
        ("Claude Code", "notebook", "claude-code:notebook"),
        ("an agent", None, "agent"),
        ("HOLDFAST_ORIGIN=tool", "python", "tool:python"),
        ("HOLDFAST_ORIGIN=tool", "importer", "importer"),
    ],
)
def test_a_source_names_the_agent_that_speaks(name: str, given: str | None, source: str) -> None:
    kind = CallerKind.AGENT if name else CallerKind.PERSON

    assert Caller(kind=kind, name=name).source(given, door="python") == source
