from __future__ import annotations

import pytest

from holdfast.domain.acting import AGENTS, acting_agent
from tests.requirements import requirement


@requirement("curation.only-people-decide")
@pytest.mark.parametrize("variable", AGENTS)
def test_an_agent_is_known_by_what_it_leaves_in_the_environment(variable: str) -> None:
    assert acting_agent({variable: "1"}) == AGENTS[variable]


@pytest.mark.parametrize("value", ["", "0", "false", "No"])
def test_a_variable_that_says_no_is_no_agent(value: str) -> None:
    assert acting_agent({"CLAUDECODE": value}) == ""


def test_a_plain_shell_is_a_persons() -> None:
    assert acting_agent({"TERM": "xterm"}) == ""
    assert acting_agent({"HOLDFAST_ORIGIN": "human"}) == ""


def test_an_origin_that_is_no_person_is_an_agent() -> None:
    assert acting_agent({"HOLDFAST_ORIGIN": "agent"}) == "HOLDFAST_ORIGIN=agent"
