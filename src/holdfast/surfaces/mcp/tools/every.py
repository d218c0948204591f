"""Every MCP tool by its name, and which of them change memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import Operation
from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.mcp.tools.knowing_tools import KNOWING_TOOLS
from holdfast.surfaces.mcp.tools.memory_tools import MEMORY_TOOLS
from holdfast.surfaces.mcp.tools.run_tools import RUN_TOOLS
from holdfast.surfaces.mcp.tools.session_tools import SESSION_TOOLS
from holdfast.surfaces.mcp.tools.task_tools import TASK_TOOLS

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calling import ToolCall
    from holdfast.surfaces.mcp.protocol import Json

TOOL_BY_NAME: dict[str, Callable[[ToolCall], Json]] = {
    **MEMORY_TOOLS,
    **KNOWING_TOOLS,
    **SESSION_TOOLS,
    **RUN_TOOLS,
    **TASK_TOOLS,
}
"""The function of each tool."""
SCHEMAS: dict[str, Json] = {
    str(tool["name"]): schema for tool in TOOLS if isinstance(schema := tool["inputSchema"], dict)
}
"""What each tool takes."""
READING = frozenset(
    str(tool["name"])
    for tool in TOOLS
    if isinstance(hints := tool["annotations"], dict) and hints["readOnlyHint"]
)
"""The tools that change no memory."""
_PROPOSING = ("memory.create", "memory.update", "memory.delete")
_RECORDING = ("memory.feedback", *SESSION_TOOLS, *RUN_TOOLS, *TASK_TOOLS)
NEEDS: dict[str, Operation] = {
    **dict.fromkeys(TOOL_BY_NAME, Operation.READ),
    **dict.fromkeys((name for name in _RECORDING if name not in READING), Operation.RECORD),
    **dict.fromkeys(_PROPOSING, Operation.PROPOSE),
    "memory.verify": Operation.MAINTAIN,
    "memory.link": Operation.DECIDE,
}
"""The operation that a token needs for a tool to be of use; the core checks every call."""
OF_A_CHECKOUT = frozenset({"code.context", "blame", "memory.verify"})
"""The tools that read the files of a checkout: a server offers them only where it has one."""
OWN_UNITS = frozenset({"memory.verify"})
"""The tools that wait for git: they store what they find in short units of work of their own."""
