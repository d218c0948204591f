from __future__ import annotations

import pytest

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.callers import (
    KINDS,
    MEANINGS,
    TABLE,
    Operation,
    Permission,
    Principal,
    PrincipalKind,
    answer,
    plain_tool,
)
from holdfast.domain.memory.place import SpaceId, read_space
from tests.requirements import requirement

OPEN = {Operation.READ, Operation.PROPOSE, Operation.RECORD, Operation.MAINTAIN}


@requirement("callers.one-table")
def test_the_table_answers_every_caller_and_every_operation() -> None:
    assert set(TABLE) == set(Operation) == set(MEANINGS)
    assert set(KINDS) == set(PrincipalKind)
    for row in TABLE.values():
        assert set(row) == set(PrincipalKind)


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
def test_a_person_may_do_everything(operation: Operation) -> None:
    assert operation in Principal.of(PrincipalKind.PERSON).may


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
def test_an_agent_reads_and_proposes_and_asks_for_the_rest(operation: Operation) -> None:
    expected = Permission.ALLOWED if operation in OPEN else Permission.ASKS

    assert answer(PrincipalKind.AGENT, operation) is expected


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize("kind", [PrincipalKind.TOOL, PrincipalKind.SERVICE])
def test_nobody_is_asked_where_nobody_types(kind: PrincipalKind, operation: Operation) -> None:
    of_services = {Operation.EXPORT, Operation.SERVE}
    is_own = kind is PrincipalKind.SERVICE and operation in of_services

    assert (operation in Principal.of(kind).may) is (operation in OPEN or is_own)
    assert answer(kind, operation) is not Permission.ASKS


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
    kind = PrincipalKind.AGENT if name else PrincipalKind.PERSON

    assert Principal.of(kind, name=name).source(given, door="python") == source


@requirement("callers.origin-of-the-principal")
@pytest.mark.parametrize("kind", PrincipalKind)
def test_only_what_a_person_says_is_of_human_origin(kind: PrincipalKind) -> None:
    principal = Principal.of(kind)

    is_person = kind is PrincipalKind.PERSON
    assert (principal.origin is Origin.HUMAN) is is_person
    assert principal.voice is (Origin.HUMAN if is_person else Origin.AGENT)
    assert principal.as_person("ada").origin is Origin.HUMAN


@requirement("spaces.one-name-each")
@pytest.mark.parametrize("name", ["default", "team-a", "a", "9_x.y", "a" * 64])
def test_a_space_has_a_plain_name(name: str) -> None:
    assert Principal.of(PrincipalKind.AGENT, space=SpaceId(name)).space == read_space(name) == name


@requirement("spaces.one-name-each")
@pytest.mark.parametrize(
    "name", ["", ".", "..", ".hidden", "a/b", "../x", "A", "a b", "a\n", "ä", "a" * 65, "a\0"]
)
def test_a_principal_without_a_proper_space_is_refused(name: str) -> None:
    with pytest.raises(BadFieldError, match="The space is"):
        Principal.of(PrincipalKind.PERSON, space=SpaceId(name))


@requirement("mcp.a-client-is-an-agent")
@pytest.mark.parametrize("kind", PrincipalKind)
def test_a_client_with_somebodys_rights_is_an_agent_with_no_more_rights(
    kind: PrincipalKind,
) -> None:
    bearer = Principal.of(kind, space=SpaceId("team"), name="bob")

    agent = bearer.as_agent()

    assert (agent.kind, agent.space, agent.name) == (PrincipalKind.AGENT, "team", "bob")
    assert agent.may == bearer.may & Principal.of(PrincipalKind.AGENT).may
    assert agent.origin is (Origin.TOOL if bearer.origin is Origin.TOOL else Origin.AGENT)


@requirement("sessions.ended-by-their-own")
@pytest.mark.parametrize(
    ("name", "given", "tool"),
    [
        ("Claude Code", "shell", "claude-code"),
        ("Claude Code", "cli", "claude-code"),
        ("Claude Code", "claude-code", "claude-code"),
        ("Claude Code", "walrus", "claude-code:walrus"),
        ("HOLDFAST_ORIGIN=tool", "shell", "tool:shell"),
        ("HOLDFAST_ORIGIN=tool", "walrus", "walrus"),
    ],
)
def test_the_session_of_a_program_is_its_own(name: str, given: str, tool: str) -> None:
    program = Principal.of(PrincipalKind.AGENT, name=name)

    assert program.session_tool(given) == tool
    assert program.owns(tool)
    assert not program.owns("shell")
    assert program.session_tool(f"person/{given}") == tool


@requirement("sessions.ended-by-their-own")
@pytest.mark.parametrize("tool", ["claude-code", "bot", "bot:z", "person/bot", "shell", "", "cli"])
@pytest.mark.parametrize("name", ["Claude Code", "bot", "person/bot", "HOLDFAST_ORIGIN=tool"])
def test_the_session_of_a_person_is_no_programs_whatever_its_tool(name: str, tool: str) -> None:
    person = Principal.of(PrincipalKind.PERSON, name="ada")
    program = Principal.of(PrincipalKind.AGENT, name=name)

    started = person.session_tool(tool)

    assert not program.owns(started)
    assert person.owns(started)
    assert person.session_tool(started) == started
    assert plain_tool(started) == (plain_tool(tool) or "shell")
