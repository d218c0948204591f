"""The MCP tools, read from the static data that clients are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from docs.generator.markdown import Page, code, sentences
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.surfaces.mcp.catalogue import CORE, TOOLS, tools_of
from holdfast.surfaces.mcp.listed.addresses import PROMPTS, TEMPLATES
from holdfast.surfaces.mcp.listed.instructions import INSTRUCTIONS
from holdfast.surfaces.mcp.tools.every import NEEDS, OF_A_CHECKOUT

Shape = Mapping[str, object]


def agent_tools() -> str:
    """Return the page of every tool with what it takes and gives."""
    page = Page("The MCP tools, resources and prompts")
    page.text(
        "`holdfast mcp` serves these tools on stdin and stdout, `holdfast serve` at `/mcp`.",
        "Some clients show the names with an underscore in place of the dot.",
    )
    _add_profiles(page)
    page.heading("Instructions to the agent")
    page.text(*(f"> {line}" for line in sentences(INSTRUCTIONS)))
    for tool in TOOLS:
        _add_tool(page, cast("Shape", tool))
    _add_resources(page)
    _add_prompts(page)
    return page.written()


def _add_profiles(page: Page) -> None:
    page.heading("Profiles and scopes")
    core = ", ".join(code(str(tool["name"])) for tool in tools_of(CORE))
    page.text(
        f"The profile `core` lists {core}, in few words.",
        "The profile `full`, which is the default, lists all tools.",
        "`holdfast mcp --profile core`, the setting `mcp.profile`, or `/mcp?profile=core` choose.",
        "A token needs the scope of a tool; the core checks every call.",
        "Some tools read the files of a checkout: a server offers them to the agents of one space,"
        " if it was started with `--checkout`.",
        "No client over HTTP decides, so `memory.link` is served on stdin and stdout only.",
    )
    page.table(
        ["tool", "scope", "over HTTP"],
        [[code(name), NEEDS[name].value, _over_http(name)] for name in NEEDS],
    )


def _over_http(name: str) -> str:
    """Return whether a client over HTTP can get a tool: it acts as an agent, whatever its token."""
    agent = Principal.of(PrincipalKind.PERSON).as_agent()
    if NEEDS[name] not in agent.may:
        return ""
    return "with a checkout" if name in OF_A_CHECKOUT else "yes"


def _add_resources(page: Page) -> None:
    page.heading("Resources")
    page.text(
        "The newest memories and sessions and all pages are listed; ids and paths are completed.",
        "A client can subscribe to each of them, and is told when it changed.",
    )
    page.table(
        ["address", "type", "content"],
        [
            [code(str(one["uriTemplate"])), str(one["mimeType"]), str(one["description"])]
            for one in TEMPLATES
        ],
    )


def _add_prompts(page: Page) -> None:
    page.heading("Prompts")
    rows = []
    for one in PROMPTS:
        arguments = cast("list[Shape]", one["arguments"])
        told = "; ".join(f"{code(str(a['name']))}: {a['description']}" for a in arguments)
        rows.append([code(str(one["name"])), str(one["description"]), told])
    page.table(["prompt", "what it gives", "arguments"], rows)


def tool_names() -> list[str]:
    """Return the name of every tool."""
    return [str(cast("Shape", tool)["name"]) for tool in TOOLS]


def _add_tool(page: Page, tool: Shape) -> None:
    page.heading(str(tool["name"]))
    page.text(*sentences(str(tool["description"])))
    _add_fields(page, "argument", tool["inputSchema"])
    if "outputSchema" in tool:
        page.text("It returns, as structured content:")
        _add_fields(page, "field", tool["outputSchema"])
    else:
        page.text("It returns Markdown text.")
    hints = cast("Shape", tool["annotations"])
    page.text("Hints to the client: " + ", ".join(f"`{n}: {_word(v)}`" for n, v in hints.items()))


def _add_fields(page: Page, noun: str, schema: object) -> None:
    shape = cast("Shape", schema)
    required = cast("list[str]", shape["required"])
    properties = cast("Mapping[str, Shape]", shape["properties"])
    page.table(
        [noun, "type", "required", "meaning"],
        [
            [code(name), _type(field), "yes" if name in required else "", _meaning(field)]
            for name, field in properties.items()
        ],
    )


def _type(field: Shape) -> str:
    kind = field.get("type", "")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _meaning(field: Shape) -> str:
    said = str(field.get("description", ""))
    items = field.get("items")
    if isinstance(items, dict) and "properties" in items:
        said = f"{said} Objects with {', '.join(map(code, items['properties']))}.".strip()
    choices = field.get("enum")
    if isinstance(choices, list) and not all(str(choice) in said for choice in choices):
        said = f"{said} One of {', '.join(code(str(choice)) for choice in choices)}.".strip()
    return said


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
