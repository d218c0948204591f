"""Which operation each event of a coding tool performs; whoever calls a hook is a tool."""

from __future__ import annotations

from holdfast.domain.callers import CallerKind, Operation
from holdfast.surfaces.hook.dialects import AFTER, BEFORE, COMPACT, END, PROMPT, START, STOP

KIND = CallerKind.TOOL
OPERATIONS = {
    START: Operation.READ,
    PROMPT: Operation.READ,
    BEFORE: Operation.READ,
    AFTER: Operation.READ,
    STOP: Operation.PROPOSE,
    END: Operation.PROPOSE,
    COMPACT: Operation.PROPOSE,
}
"""What each event performs, by our own name for it."""
