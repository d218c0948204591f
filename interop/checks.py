"""What must be true of the requests a model got, and of the store afterwards."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from typing import Any

from interop.fake_model import ARGUMENTS

CLAIM = "Invoices are numbered by the ledger service and by nothing else."
DECISION = "we use zstd instead of gzip for the nightly archives"
PROMPT = (
    "Hello. How are invoices numbered here? And one thing for later:"
    f" let's go with zstd. From now on {DECISION}, because restores were too slow."
)
MOST_CHARACTERS = 9_000
_FENCE = re.compile(r"<holdfast-context\b.*?</holdfast-context>", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Whether a check held, and what was seen."""

    name: str
    is_held: bool
    seen: str


def checks_of(requests: list[tuple[str, dict[str, Any]]], candidates: list[str]) -> list[Verdict]:
    """Judge what one program sent to the model and what waits for a person afterwards."""
    turns = [body for _, body in requests if _is_turn(body)]
    # Gemini writes the signs of a tag out when it hands a hook's words on.
    texts = [html.unescape("\n".join(_strings(body))) for body in turns]
    first = texts[0] if texts else ""
    fences = _FENCE.findall(first)
    whole = "\n".join(fences)
    counts = [text.count(CLAIM) for text in texts]
    tools = sorted({name for body in turns for name in _tool_names(body)})
    ours = [name for name in tools if "memory" in name and "create" in name]
    proposed = [claim for claim in candidates if "zstd" in claim]
    called = [claim for claim in candidates if claim == ARGUMENTS["value"]]
    return [
        Verdict(name="arrived", is_held=CLAIM in first, seen=f"{len(turns)} turns"),
        Verdict(name="once", is_held=bool(counts) and set(counts) == {1}, seen=str(counts)),
        Verdict(name="fenced", is_held=CLAIM in whole, seen=f"{len(fences)} fences"),
        Verdict(
            name="short",
            is_held=0 < len(whole) <= MOST_CHARACTERS,
            seen=f"{len(whole):,} characters",
        ),
        Verdict(name="tools", is_held=bool(ours), seen=", ".join(ours) or f"{len(tools)} others"),
        Verdict(name="called", is_held=bool(called), seen=f"{len(called)} candidate"),
        Verdict(name="proposed", is_held=bool(proposed), seen="; ".join(proposed)[:60] or "none"),
    ]


def started(requests: list[tuple[str, dict[str, Any]]], exit_code: int) -> list[Verdict]:
    """Judge whether a program works although Holdfast is gone."""
    turns = [body for _, body in requests if _is_turn(body)]
    seen = f"{len(turns)} turns, exit {exit_code}"
    return [Verdict(name="started", is_held=bool(turns) and exit_code == 0, seen=seen)]


def _is_turn(body: dict[str, Any]) -> bool:
    """Tell a turn of the conversation from what tools ask models for beside it."""
    text = json.dumps(body)
    return DECISION in text and bool(_tool_names(body))


def _strings(held: object) -> list[str]:
    if isinstance(held, str):
        return [held]
    if isinstance(held, dict):
        return [text for value in held.values() for text in _strings(value)]
    if isinstance(held, list):
        return [text for value in held for text in _strings(value)]
    return []


def _tool_names(body: dict[str, Any]) -> list[str]:
    names: list[str] = []
    for tool in body.get("tools") or []:
        if not isinstance(tool, dict):
            continue
        function = tool.get("function")
        inner = [*tool.get("functionDeclarations", []), *tool.get("tools", [])]
        names += [f"{tool.get('name', '')} {one.get('name', '')}".strip() for one in inner]
        names.append(str(function.get("name") if isinstance(function, dict) else tool.get("name")))
    return [name for name in names if name and name != "None"]
