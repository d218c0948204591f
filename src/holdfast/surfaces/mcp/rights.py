"""Which operation each MCP tool performs; whoever speaks MCP is taken for an agent."""

from __future__ import annotations

from holdfast.domain.callers import CallerKind, Operation

KIND = CallerKind.AGENT
OPERATIONS = {
    "memory.list": Operation.READ,
    "memory.create": Operation.PROPOSE,
    # It removes a proposal; what people decided about, it only proposes to forget.
    "memory.delete": Operation.PROPOSE,
    "context.assemble": Operation.READ,
    "run.finish": Operation.PROPOSE,
}
"""What each tool performs."""
