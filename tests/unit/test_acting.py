from __future__ import annotations

import pytest

from holdfast.domain.choices import Origin
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.recognising import AGENTS, VALUES, principal_of
from tests.requirements import requirement

PERSON = Principal.of(PrincipalKind.PERSON)


@requirement("curation.only-people-decide")
@pytest.mark.parametrize("variable", AGENTS)
def test_an_agent_is_known_by_what_it_leaves_in_the_environment(variable: str) -> None:
    caller = principal_of({variable: "1"})

    assert (caller.kind, caller.name) == (PrincipalKind.AGENT, AGENTS[variable])
    assert caller.origin is Origin.AGENT


@pytest.mark.parametrize("value", ["", "0", "false", "No"])
def test_a_variable_that_says_no_is_no_agent(value: str) -> None:
    assert principal_of({"CLAUDECODE": value}) == PERSON


@requirement("curation.only-people-decide")
@pytest.mark.parametrize(
    ("variable", "value"), [(name, value) for name, all_ in VALUES.items() for value in all_]
)
def test_some_variables_name_an_agent_by_their_value(variable: str, value: str) -> None:
    assert principal_of({variable: value.upper()}).name == VALUES[variable][value]
    assert principal_of({variable: "ssh-agent"}) == PERSON


def test_a_plain_shell_is_a_persons() -> None:
    assert principal_of({"TERM": "xterm"}, user="ada").name == "ada"
    assert principal_of({"TERM": "xterm"}) == PERSON
    assert principal_of({"HOLDFAST_ORIGIN": " Human "}) == PERSON


@pytest.mark.parametrize(
    ("word", "kind", "origin"),
    [
        ("agent", PrincipalKind.AGENT, Origin.AGENT),
        ("tool", PrincipalKind.TOOL, Origin.TOOL),
        ("repo", PrincipalKind.TOOL, Origin.REPO),
        ("web", PrincipalKind.TOOL, Origin.WEB),
        ("service", PrincipalKind.SERVICE, Origin.TOOL),
        ("robot", PrincipalKind.AGENT, Origin.AGENT),
    ],
)
def test_an_origin_that_is_no_person_names_the_caller(
    word: str, kind: PrincipalKind, origin: Origin
) -> None:
    caller = principal_of({"HOLDFAST_ORIGIN": word})

    assert (caller.kind, caller.name, caller.origin) == (kind, f"HOLDFAST_ORIGIN={word}", origin)


def test_what_an_agent_passes_on_is_no_better_than_where_it_comes_from() -> None:
    caller = principal_of({"CLAUDECODE": "1", "HOLDFAST_ORIGIN": "web"})

    assert (caller.kind, caller.origin) == (PrincipalKind.AGENT, Origin.WEB)
    assert principal_of({"CLAUDECODE": "1", "HOLDFAST_ORIGIN": "human"}).origin is Origin.AGENT
