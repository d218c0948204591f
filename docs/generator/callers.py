"""Who may call what, read from the table and from what each door names."""

from __future__ import annotations

from docs.generator.markdown import Page, code, sentence
from holdfast.domain.acting import AGENTS, ORIGIN_VARIABLE, VALUES
from holdfast.domain.callers import KINDS, MEANINGS, TABLE, Answer, CallerKind, Operation, answer
from holdfast.surfaces.cli.rights import RULES, Case
from holdfast.surfaces.hook.rights import OPERATIONS as HOOK_EVENTS
from holdfast.surfaces.mcp.rights import OPERATIONS as MCP_TOOLS
from holdfast.surfaces.python import api
from holdfast.surfaces.python.rights import PERFORMED

_ANSWERS = {Answer.ALLOWED: "yes", Answer.ASKS: "asks", Answer.REFUSED: "no"}
_KINDS = [kind.value for kind in CallerKind]


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
    page.heading("MCP tools")
    page.text("Whoever speaks MCP is taken for an agent.")
    page.table(["tool", "operation"], [[code(name), op.value] for name, op in MCP_TOOLS.items()])
    page.heading("Methods in Python")
    page.text("The caller is whoever runs the program, as its environment says.")
    page.table(
        ["method", "operation"],
        [[code(name), PERFORMED[name].value] for name in vars(api.Memory) if name in PERFORMED],
    )
    page.heading("Hook events")
    page.text("Whoever calls a hook is taken for a tool.")
    page.table(["event", "operation"], [[code(name), op.value] for name, op in HOOK_EVENTS.items()])
    return page.written()


def _values() -> str:
    named = [f"{name}={value}" for name, values in VALUES.items() for value in values]
    return ", ".join(map(code, named))


def _answers(operation: Operation) -> list[str]:
    return [_ANSWERS[answer(kind, operation)] for kind in CallerKind]


def _verbs() -> list[list[str]]:
    rows = []
    for name, rule in RULES.items():
        rows.append([code(name), rule.usual.value, *_answers(rule.usual), rule.reason])
        for case in rule.cases:
            words = [code(_worded(name, case)), case.operation.value]
            rows.append([*words, *_answers(case.operation), ""])
    return rows


def _worded(name: str, case: Case) -> str:
    if case.option in {"file", "ids"}:
        return f"{name} {'|'.join(sorted(case.words)) or 'ID'}"
    option = f"{name} --{case.option.replace('_', '-')}"
    return f"{option} {'|'.join(sorted(case.words))}" if case.words else option
