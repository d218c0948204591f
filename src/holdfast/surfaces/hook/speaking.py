"""Write an answer in the tool's own format; an unknown key can make a tool discard it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.hook.dialects import BEFORE, DIALECTS, START
from holdfast.surfaces.wire.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.domain.sessions.hook_calls import HookAnswer

_ASKS = frozenset({"claude", "copilot", "cursor"})


def spoken(dialect: str, event: str, said: HookAnswer) -> str:
    """Return the text for stdout; an empty answer is an empty text or an empty object."""
    tool = DIALECTS[dialect]
    ours = tool.events.get(event, "")
    context = said.context if ours in tool.hears else ""
    stop = said.stop if ours == BEFORE else ""
    shapes: dict[str, Callable[[str, str, str, str, str], dict[str, object]]] = {
        "nested": _nested,
        "flat": _flat,
        "cursor": _cursor,
        "cline": _cline,
        "plain": _plain,
        "none": _nothing,
    }
    shape = shapes[tool.shape](dialect, event, context, said.message, stop)
    if not shape:
        return "{}\n" if tool.needs_json else ""
    return f"{json_text(shape, is_compact=False, ascii_only=True)}\n"


def _nested(dialect: str, event: str, context: str, message: str, stop: str) -> dict[str, object]:
    inner: dict[str, object] = {}
    outer: dict[str, object] = {}
    if context:
        inner["additionalContext"] = context
    if stop and dialect == "gemini":
        outer |= {"decision": "deny", "reason": stop}
    elif stop:
        inner["permissionDecision"] = _verdict(dialect)
        inner["permissionDecisionReason"] = stop
    if inner:
        outer["hookSpecificOutput"] = {"hookEventName": event, **inner}
    if message:
        outer["systemMessage"] = message
    return outer


def _verdict(dialect: str) -> str:
    """Return how a tool call is stopped: the tool asks the person if it can, else it denies."""
    return "ask" if dialect in _ASKS else "deny"


def _flat(dialect: str, _event: str, context: str, _message: str, stop: str) -> dict[str, object]:
    shape: dict[str, object] = {"additionalContext": context} if context else {}
    if stop:
        shape |= {"permissionDecision": _verdict(dialect), "permissionDecisionReason": stop}
    return shape


def _cursor(dialect: str, event: str, context: str, message: str, stop: str) -> dict[str, object]:
    shape: dict[str, object] = {"additional_context": context} if context else {}
    if stop:
        shape |= {"permission": _verdict(dialect), "user_message": stop, "agent_message": stop}
    elif message and DIALECTS[dialect].events.get(event) != START:
        shape |= {"continue": True, "user_message": message}
    return shape


def _cline(_dialect: str, _event: str, context: str, _message: str, stop: str) -> dict[str, object]:
    shape: dict[str, object] = {"contextModification": context} if context else {}
    if stop:
        shape |= {"cancel": True, "errorMessage": stop}
    return shape


def _plain(_dialect: str, _event: str, context: str, message: str, stop: str) -> dict[str, object]:
    """Return the answer for Holdfast's own plug-in, which passes on each part."""
    parts = {"context": context, "message": message, "stop": stop}
    return {name: text for name, text in parts.items() if text}


def _nothing(*_: str) -> dict[str, object]:
    return {}
