"""Accepts calls from the start, and imports the code that runs them at the first call.

This is the outermost layer: after any failure behind it, the agent gets an error and the session
goes on.
"""

from __future__ import annotations

from holdfast.surfaces.mcp.protocol import INTERNAL_ERROR, RefusedError

TYPE_CHECKING = False  # same value as in the typing module, without the cost of importing it
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calling import ClientSide
    from holdfast.surfaces.mcp.protocol import Json
    from holdfast.surfaces.mcp.tool_calls import ToolCalls

_TOLD = "internal error, reported on stderr"


class GuardedToolCalls:
    """Passes calls to the tool runner, and reports every bug on stderr."""

    def __init__(self, load: Callable[[], ToolCalls], *, report: Callable[[str], None]) -> None:
        self._load = load
        self._report = report
        self._tool_calls: ToolCalls | None = None

    def call(self, name: str, arguments: Json, *, client: ClientSide) -> Json:
        """Return the result of a tool; a failure is a result too.

        Raises:
            CallCancelledError: The client cancelled the call.
            PersonAskedError: A person has to answer first.
        """
        from holdfast.surfaces.mcp.calling import CallCancelledError, PersonAskedError

        try:
            return self._loaded().call(name, arguments, client=client)
        except (CallCancelledError, PersonAskedError):
            raise
        except Exception as error:  # noqa: BLE001 - the last door: a bug must not end the session
            self._report(f"internal error in {name}: {_told(error)}")
            return {"content": [{"type": "text", "text": _TOLD}], "isError": True}

    def ask(self, method: str, params: Json) -> Json:
        """Return the answer to a request about resources, prompts or completions.

        Raises:
            RefusedError: It is refused, or it failed.
        """
        try:
            return self._loaded().ask(method, params)
        except RefusedError:
            raise
        except Exception as error:
            self._report(f"internal error in {method}: {_told(error)}")
            raise RefusedError(INTERNAL_ERROR, _TOLD) from error

    def versions(self, uris: list[str]) -> dict[str, str]:
        """Return a hash of each resource; none if they cannot be read now."""
        try:
            return self._loaded().versions(uris)
        except Exception as error:  # noqa: BLE001 - the last door: a bug must not end the session
            self._report(f"internal error while watching: {_told(error)}")
            return {}

    def _loaded(self) -> ToolCalls:
        if self._tool_calls is None:
            self._tool_calls = self._load()
        return self._tool_calls

    def close(self) -> None:
        """Close what was loaded; a failure is reported and otherwise ignored."""
        try:
            if self._tool_calls is not None:
                self._tool_calls.close()
        except Exception as error:  # noqa: BLE001 - the session is over and all is written
            self._report(f"internal error while closing: {_told(error)}")


def _told(error: Exception) -> str:
    """Return the error and its place in one line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        file = trace.tb_frame.f_code.co_filename.rpartition("/")[2]
        place = f" at {file}:{trace.tb_lineno}"
    return " ".join(f"{type(error).__name__}: {error}{place}".split())
