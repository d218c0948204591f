"""What a conversation needs from the code that opens the memory; only type checkers read it."""

from __future__ import annotations

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from typing import Protocol

    from holdfast.surfaces.mcp.calling import ClientSide
    from holdfast.surfaces.mcp.protocol import Json

    class Calls(Protocol):
        """Runs what needs the memory; every failure is a result or a refusal."""

        def call(self, name: str, arguments: Json, *, client: ClientSide) -> Json:
            """Return the result of a tool; an error is a result with its message."""
            ...

        def ask(self, method: str, params: Json) -> Json:
            """Return the answer about resources, prompts or completions, or refuse it."""
            ...

        def versions(self, uris: list[str]) -> dict[str, str]:
            """Return a hash of each resource."""
            ...
