"""Run tool calls: check the arguments, call the tool, and turn errors into results.

It is imported with the first tool call; a greeting does not need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from holdfast.domain.errors import BadFieldError, HoldfastError, StoreDamagedError
from holdfast.surfaces.mcp.advice import advice, worded
from holdfast.surfaces.mcp.arguments import complaint, without_nothing
from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.mcp.tools import TOOL_BY_NAME, in_words, source_of, structured
from holdfast.surfaces.wire.failures import error_json, outward

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.arguments import Complaint
    from holdfast.surfaces.mcp.protocol import Json

_SCHEMAS = {str(tool["name"]): cast("Json", tool["inputSchema"]) for tool in TOOLS}
ERROR_KEY = "holdfast/error"
"""The key in ``_meta`` of a result for the code and the facts of an error."""
_HANDING_IN = "run.finish"
_RETRY = "This may be temporary: try the same call again."


class MemoryOpener(Protocol):
    """Opens the memory and keeps it open."""

    def here(self) -> Holdfast:
        """Return the memory as seen from the current folder and branch."""
        ...

    def release(self) -> None:
        """Close the memory; the next call opens it again."""
        ...


class ToolCalls:
    """Runs tool calls, one after the other."""

    def __init__(self, engine: MemoryOpener) -> None:
        self._engine = engine
        self._warned: set[str] = set()

    def call(self, name: str, arguments: Json, *, client: str) -> Json:
        """Return the result of a tool; an error is a result too."""
        given = without_nothing(arguments)
        if wrong := complaint(name, given, _SCHEMAS[name]):
            return _misused(wrong)
        try:
            return self._warning(self._carry_out(name, given, source_of(client)))
        except HoldfastError as error:
            return self._refused(error)

    def _carry_out(self, name: str, given: Json, source: str) -> Json:
        app = self._engine.here()
        if name != _HANDING_IN:
            return TOOL_BY_NAME[name](app, given, source)
        from holdfast.surfaces.mcp.finish_run import finish_run

        return structured(finish_run(app, given, source))

    def _warning(self, result: Json) -> Json:
        """Add the problems of the store to a result, each once per session."""
        said = [one for one in self._engine.here().warnings if one not in self._warned]
        self._warned.update(said)
        parts = [{"type": "text", "text": f"warning: {one}"} for one in said]
        return {**result, "content": [*cast("list[Json]", result["content"]), *parts]}

    def close(self) -> None:
        """Close the memory."""
        self._engine.release()

    def _refused(self, error: HoldfastError) -> Json:
        words = worded(error)
        if outward(error).retry:
            self._engine.release()
            if not isinstance(error, StoreDamagedError):
                words = f"{words}\n{_RETRY}"
        # Programs tell errors apart by the code; agents read the text.
        return {**_failed(words), "_meta": {ERROR_KEY: error_json(error, advice(error))}}


def _misused(wrong: Complaint) -> Json:
    """Return the result for arguments that do not fit the schema, with the object of an error."""
    error = BadFieldError(field=wrong.argument, problem=wrong.problem)
    shape = {**error_json(error, advice(error)), "message": wrong.problem}
    return {**_failed(wrong.text), "_meta": {ERROR_KEY: shape}}


def _failed(text: str) -> Json:
    return {**in_words(text), "isError": True}
