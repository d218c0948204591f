"""Takes tool calls from the first moment on; the desk behind it is loaded when one comes.

This is the outermost door: whatever breaks behind it, the agent is told so and the talk goes on.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as the typing module would set it, without the cost of loading it
if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.desk import ToolCalls
    from holdfast.surfaces.mcp.protocol import Json


class Reception:
    """Passes calls on to the desk, and tells the person who runs this about every bug."""

    def __init__(self, load: Callable[[], ToolCalls], *, report: Callable[[str], None]) -> None:
        self._load = load
        self._report = report
        self._desk: ToolCalls | None = None

    def call(self, name: str, arguments: Json, *, client: str) -> Json:
        """Return the result of a tool; whatever goes wrong is a result too."""
        try:
            if self._desk is None:
                self._desk = self._load()
            return self._desk.call(name, arguments, client=client)
        except Exception as error:  # noqa: BLE001 - the last door: a bug must not end the session
            self._report(f"internal error in {name}: {_told(error)}")
            text = "internal error, reported on stderr"
            return {"content": [{"type": "text", "text": text}], "isError": True}

    def close(self) -> None:
        """Let go of what was loaded; trouble with that is told and nothing more."""
        try:
            if self._desk is not None:
                self._desk.close()
        except Exception as error:  # noqa: BLE001 - the session is over and all is written
            self._report(f"internal error while closing: {_told(error)}")


def _told(error: Exception) -> str:
    """Say what broke and where, in one line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = ""
    if trace is not None:
        file = trace.tb_frame.f_code.co_filename.rpartition("/")[2]
        place = f" at {file}:{trace.tb_lineno}"
    return " ".join(f"{type(error).__name__}: {error}{place}".split())
