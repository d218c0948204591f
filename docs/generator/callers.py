"""Who may call what, read from the table and from what each door names."""

from __future__ import annotations

import inspect
from inspect import getsource
from textwrap import dedent
from typing import TYPE_CHECKING

from docs.generator.markdown import Page, code, sentence
from docs.generator.reached import MACHINE_PARTS, VERBS, methods, reached
from holdfast.app.occasions import Occasions
from holdfast.app.performing import DECLARED, Performed
from holdfast.bootstrap.machine.machine import Machine
from holdfast.domain.memory.callers import (
    KINDS,
    MEANINGS,
    TABLE,
    Operation,
    Permission,
    PrincipalKind,
    answer,
)
from holdfast.domain.memory.recognising import AGENTS, ORIGIN_VARIABLE, VALUES
from holdfast.domain.sessions.hook_calls import HookCall, HookEvent
from holdfast.surfaces.cli.permissions import RULES, RightsCase
from holdfast.surfaces.mcp.tools.every import TOOL_BY_NAME
from holdfast.surfaces.python import api

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ANSWERS = {Permission.ALLOWED: "yes", Permission.ASKS: "asks", Permission.REFUSED: "no"}
_KINDS = [kind.value for kind in PrincipalKind]


def callers() -> str:
    """Return the page of every verb, tool, method and event by kind of caller."""
    page = Page("Who may call what")
    page.text(
        "Each call performs one operation, and one table answers each kind of caller.",
        "`asks` means that a person in an agent's shell confirms at a terminal that they are one;"
        " without a terminal it is refused.",
    )
    page.heading("Kinds of caller")
    page.table(["caller", "who that is"], [[kind.value, words] for kind, words in KINDS.items()])
    page.text(
        f"An agent's shell is known by these variables: {', '.join(map(code, AGENTS))}.",
        f"Other programs set some variables too, so only these values count: {_values()}.",
        "An empty value, `0`, `false` or `no` means that no agent runs the shell.",
        f"{code(ORIGIN_VARIABLE)} names the caller where none of them is set: `agent`; `tool`,"
        " `repo` or `web` for a tool; `service`.",
        "What an agent says on the command line or in Python has a source that begins with the"
        " agent's name, such as `claude-code`; `holdfast revert --source` takes it back.",
        "A caller that hides this is taken for a person: it keeps honest programs honest.",
    )
    page.heading("The table")
    page.table(
        ["operation", *_KINDS, "what it does"],
        [[one.value, *_answers(one), sentence(MEANINGS[one])] for one in TABLE],
    )
    page.heading("The command line")
    page.table(["command", "operation", *_KINDS, "why"], list(_verbs()))
    page.heading("The application")
    page.text(
        "Every door calls these methods, and each method checks its operation before it does"
        " anything.",
        "What a door has no table for is decided here.",
    )
    page.table(["method", "for", "operation", *_KINDS], list(_methods()))
    page.heading("MCP tools")
    page.text("Whoever speaks MCP is taken for an agent.")
    page.table(["tool", "methods"], [[code(name), _called(one)] for name, one in _tools()])
    page.heading("Methods in Python")
    page.text(
        "The caller is whoever runs the program, as its environment says, or the kind that"
        " `holdfast.open(as_=…)` names.",
        "A program that an agent runs acts as that agent, whatever it names.",
    )
    page.table(["method", "methods of the application"], list(_python()))
    page.heading("Hook events")
    page.text("Whoever calls a hook is taken for a tool.")
    page.table(["event", "operation"], list(_events()))
    return page.written()


def _values() -> str:
    named = [f"{name}={value}" for name, values in VALUES.items() for value in values]
    return ", ".join(map(code, named))


def _answers(operation: Operation) -> list[str]:
    return [_ANSWERS[answer(kind, operation)] for kind in PrincipalKind]


def _verbs() -> list[list[str]]:
    rows = []
    for name, rule in RULES.items():
        rows.append([code(name), rule.usual.value, *_answers(rule.usual), rule.reason])
        for case in rule.cases:
            words = [code(_worded(name, case)), case.operation.value]
            rows.append([*words, *_answers(case.operation), ""])
    return rows


def _worded(name: str, case: RightsCase) -> str:
    if case.option in {"file", "ids"}:
        return f"{name} {'|'.join(sorted(case.words)) or 'ID'}"
    option = f"{name} --{case.option.replace('_', '-')}"
    return f"{option} {'|'.join(sorted(case.words))}" if case.words else option


def _methods() -> Iterator[list[str]]:
    for (part, method), declared in VERBS.items():
        yield from _rows(f"{part}.{method}", declared)
    for part, one in [("", Machine), *MACHINE_PARTS.items()]:
        for method, declared in methods(one).items():
            yield from _rows(".".join(filter(None, ("machine", part, method))), declared)


def _rows(method: str, declared: Performed | None) -> Iterator[list[str]]:
    if declared is not None:
        name = code(method)
        yield [name, "", declared.usual.value, *_answers(declared.usual)]
        for case in declared.cases:
            yield [name, case.words, case.operation.value, *_answers(case.operation)]


def _called(done_by: Callable[..., object]) -> str:
    found = reached(dedent(getsource(done_by)))
    return ", ".join(code(f"{part}.{method}") for part, method in sorted(found))


def _tools() -> Iterator[tuple[str, Callable[..., object]]]:
    yield from TOOL_BY_NAME.items()


def _python() -> Iterator[list[str]]:
    for name, method in inspect.getmembers(api.MemoryStore, inspect.isfunction):
        if not name.startswith("_"):
            yield [code(name), _called(method)]


def _events() -> Iterator[list[str]]:
    attend: Performed = getattr(Occasions.attend, DECLARED)
    for happening in HookEvent:
        hook_call = HookCall(tool="any", happening=happening, session="any")
        yield [code(happening.value), attend.operation(hook_call).value]
