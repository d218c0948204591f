"""Run tool calls: check the arguments, call the tool, and turn errors into results.

It is imported with the first tool call; a greeting does not need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from holdfast.domain.errors import BadFieldError, HoldfastError, StoreDamagedError
from holdfast.domain.remote_errors import WriteWaitsError
from holdfast.domain.text.outside import words_outside
from holdfast.surfaces.mcp.advice import advice, worded
from holdfast.surfaces.mcp.arguments import complaint, without_nothing
from holdfast.surfaces.mcp.calling import ToolCall
from holdfast.surfaces.mcp.protocol import INVALID_PARAMS, RefusedError
from holdfast.surfaces.mcp.results import failed, source_of
from holdfast.surfaces.mcp.tools.every import SCHEMAS, TOOL_BY_NAME
from holdfast.surfaces.wire.failures import error_json, outward

if TYPE_CHECKING:
    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.arguments import Complaint
    from holdfast.surfaces.mcp.calling import ClientSide
    from holdfast.surfaces.mcp.protocol import Json

ERROR_KEY = "holdfast/error"
"""The key in ``_meta`` of a result for the code and the facts of an error."""
_RETRY = "This may be temporary: try the same call again."


class MemoryOpener(Protocol):
    """Opens the memory and keeps it open."""

    @property
    def person(self) -> str:
        """The name under which an answer of the client's user decides; empty if none does."""
        ...

    def here(self) -> Holdfast:
        """Return the memory as seen from the current folder and branch."""
        ...

    def release(self) -> None:
        """Close the memory; the next call opens it again."""
        ...


class ToolCalls:
    """Runs the calls of clients, one after the other."""

    def __init__(self, engine: MemoryOpener) -> None:
        self._engine = engine
        self._warned: set[str] = set()

    def call(self, name: str, arguments: Json, *, client: ClientSide) -> Json:
        """Return the result of a tool; an error is a result too.

        Raises:
            CallCancelledError: The client cancelled the call.
            PersonAskedError: A person has to answer first.
        """
        given = without_nothing(arguments)
        if wrong := complaint(name, given, SCHEMAS[name]):
            return _misused(wrong)
        try:
            client.checked()
            client.told(0, 1, "opening the memory")
            call = ToolCall(
                app=self._engine.here(),
                given=given,
                source=source_of(client.name),
                client=client,
                person=self._engine.person,
            )
            return self._warning(TOOL_BY_NAME[name](call))
        except HoldfastError as error:
            return self._refused(error)

    def ask(self, method: str, params: Json) -> Json:
        """Return the answer to a request about resources, prompts or completions.

        Raises:
            RefusedError: It names nothing that exists, or is malformed.
        """
        from holdfast.surfaces.mcp.serving.methods import METHODS

        try:
            return METHODS[method](self._engine.here(), params)
        except HoldfastError as error:
            if outward(error).retry:
                self._engine.release()
            data: Json = {ERROR_KEY: error_json(error, advice(error))}
            if "uri" in params:
                data["uri"] = params["uri"]
            raise RefusedError(INVALID_PARAMS, worded(error), data=data) from error

    def versions(self, uris: list[str]) -> dict[str, str]:
        """Return a hash of each resource; it changes whenever the resource does."""
        from holdfast.surfaces.mcp.serving.resources import version_of

        app = self._engine.here()
        return {uri: version_of(app, uri) for uri in uris}

    def _warning(self, result: Json) -> Json:
        """Add the problems of the store to a result, each once per session."""
        said = [one for one in self._engine.here().warnings if one not in self._warned]
        self._warned.update(said)
        parts = [{"type": "text", "text": f"warning: {words_outside(one)}"} for one in said]
        return {**result, "content": [*cast("list[Json]", result["content"]), *parts]}

    def close(self) -> None:
        """Close the memory."""
        self._engine.release()

    def _refused(self, error: HoldfastError) -> Json:
        words = worded(error)
        if outward(error).retry:
            self._engine.release()
            if not isinstance(error, StoreDamagedError | WriteWaitsError):
                words = f"{words}\n{_RETRY}"
        # Programs tell errors apart by the code; agents read the text.
        return {**failed(words), "_meta": {ERROR_KEY: error_json(error, advice(error))}}


def _misused(wrong: Complaint) -> Json:
    """Return the result for arguments that do not fit the schema, with the object of an error."""
    error = BadFieldError(field=wrong.argument, problem=wrong.problem)
    shape = {**error_json(error, advice(error)), "message": wrong.problem}
    return {**failed(wrong.text), "_meta": {ERROR_KEY: shape}}
