"""Every verb of the app can be reached from every door, or a reason says why not."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from pathlib import Path
from types import FunctionType

import pytest

from holdfast.app import Holdfast
from holdfast.app.adoption import Adoption
from holdfast.app.care import Care
from holdfast.app.curation import Curation
from holdfast.app.filing import Filing
from holdfast.app.intake import Intake
from holdfast.app.runs import Runs
from holdfast.surfaces.cli.index import INDEX, module_name
from holdfast.surfaces.mcp.handing_in import finish_run
from holdfast.surfaces.mcp.tools import TOOL_BY_NAME
from tests.quality.bindings import Bindings, Sources
from tests.requirements import requirement

PACKAGE = Path(__file__).parents[2] / "src" / "holdfast"
SURFACES = PACKAGE / "surfaces"
VERBS = [name for name, _ in inspect.getmembers(Holdfast, inspect.isfunction) if name[0] != "_"]
PEOPLE = "only a person decides this; agents propose"
SETTLED = "the Curation part decides, with conflicts settled first"
CLOSING = "the door closes what it opened; it is no verb"
UPKEEP = "the store's health is a person's concern"
PARTS = [Adoption, Care, Curation, Filing, Intake, Runs]
UNREACHED = {"has_pages": "bootstrap asks it before it follows a decision with the pages"}
EXEMPT: dict[str, dict[str, str]] = {
    "cli": {
        "approve": SETTLED,
        "reject": SETTLED,
        "answer": "eval measures with it; people ask by recall, which keeps its bundle",
    },
    "mcp": {
        "answer": "eval measures with it; agents ask by context.assemble",
        "close": CLOSING,
        "approve": PEOPLE,
        "reject": PEOPLE,
        "pin": PEOPLE,
        "pin_span": PEOPLE,
        "link": PEOPLE,
        "unlink": PEOPLE,
        "learn": PEOPLE,
        "reset_weights": PEOPLE,
        "undo_weights": PEOPLE,
        "check": UPKEEP,
        "repair": UPKEEP,
        "rebuild": UPKEEP,
        "catch_up": "the server catches up by itself while it runs",
        "status": UPKEEP,
        "export": "a person moves their memory, not an agent",
        "bring_in": "a person moves their memory, not an agent",
        "note_rewrites": "git's hooks call it",
        "note_head": "git's hooks call it",
        "verify": "every answer says the verdict of what it gives",
        "checks_of": "every answer says the verdict of what it gives",
        "sight": "every answer says the verdict of what it gives",
        "blame": "the four promised tools are enough to recall and propose",
        "difference": "the four promised tools are enough to recall and propose",
        "surround": "the four promised tools are enough to recall and propose",
        "index_code": "context.assemble brings the index in line by itself",
        "read_history": "a person decides whether history is read",
        "remember_all": "an agent proposes one claim at a time",
        "replay": "the four promised tools are enough to recall and propose",
        "shown": "the four promised tools are enough to recall and propose",
        "show": "the four promised tools are enough to recall and propose",
        "explain": "the four promised tools are enough to recall and propose",
        "explain_in_bundle": "the four promised tools are enough to recall and propose",
        "related": "the four promised tools are enough to recall and propose",
        "feedback": "the four promised tools are enough to recall and propose",
        "start_session": "the four promised tools are enough to recall and propose",
        "add_turn": "the four promised tools are enough to recall and propose",
        "end_session": "the four promised tools are enough to recall and propose",
        "sessions": "the four promised tools are enough to recall and propose",
    },
}


SOURCES = Sources.of(PACKAGE)
FOLLOWED = ("holdfast.surfaces.", "holdfast.bootstrap.")


def entries(door: str) -> list[str]:
    """Return the functions that a door binds to its verbs or tools."""
    if door == "cli":
        return [f"{module_name(name)}.{entry[1]}" for name, entry in INDEX.items()]
    tools = [
        f"{tool.__module__}.{tool.__qualname__}"
        for tool in TOOL_BY_NAME.values()
        if isinstance(tool, FunctionType)
    ]
    return [*tools, f"{finish_run.__module__}.{finish_run.__qualname__}"]


@cache
def called_in(door: str) -> set[str]:
    """Return ``module.Class.method`` of every call that a door's verbs or tools lead to."""
    return Bindings(SOURCES, FOLLOWED).follow(entries(door))


def verbs_of(part: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(part, inspect.isfunction) if name[0] != "_"}


def reached(part: type, door: str) -> set[str]:
    """Return the methods of a class that a door calls on a value of that class."""
    prefix = f"{part.__module__}.{part.__qualname__}"
    return {verb for verb in verbs_of(part) if f"{prefix}.{verb}" in called_in(door)}


@requirement("app.every-verb-at-every-door")
@pytest.mark.parametrize("door", EXEMPT)
def test_every_verb_can_be_reached_or_says_why_not(door: str) -> None:
    missing = set(VERBS) - reached(Holdfast, door) - set(EXEMPT[door])

    assert not missing, f"the {door} door cannot reach: {sorted(missing)}"


@pytest.mark.parametrize("door", EXEMPT)
def test_no_verb_that_is_reached_has_an_excuse(door: str) -> None:
    assert reached(Holdfast, door) & set(EXEMPT[door]) == set()


@requirement("app.every-verb-at-every-door")
@pytest.mark.parametrize("part", PARTS)
def test_every_verb_of_a_part_can_be_reached_from_the_command_line(part: type) -> None:
    assert verbs_of(part) - reached(part, "cli") <= set(UNREACHED)


@pytest.mark.parametrize("part", [Care, Curation, Filing, Adoption])
def test_no_agent_reaches_what_people_decide(part: type) -> None:
    imported = {
        node.module
        for path in (SURFACES / "mcp").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    }

    assert part.__module__ not in imported


@pytest.mark.parametrize("door", EXEMPT)
def test_no_excuse_outlives_its_verb(door: str) -> None:
    assert set(EXEMPT[door]) <= set(VERBS)
