"""The methods of the protocol about resources, prompts and completions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.values import dataclass
from holdfast.surfaces.mcp.listed.addresses import PROMPTS, TEMPLATES
from holdfast.surfaces.mcp.protocol import INVALID_PARAMS, RefusedError, as_object
from holdfast.surfaces.mcp.serving.prompts import PROMPT_BY_NAME, prompt
from holdfast.surfaces.mcp.serving.resources import (
    list_resources,
    newest,
    page_paths,
    read_resource,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.app import Holdfast
    from holdfast.surfaces.mcp.protocol import Json

_MOST_COMPLETED = 100
_LOOKED_THROUGH = 200
_LONGEST_URI = 2_000
_PROMPTS = {str(one["name"]): one for one in PROMPTS}
_TEMPLATES = {str(one["uriTemplate"]) for one in TEMPLATES}


def _listed(app: Holdfast, params: Json) -> Json:
    if params.get("cursor") is not None:
        raise RefusedError(INVALID_PARAMS, "There is no such page; one holds all resources.")
    return {"resources": list_resources(app)}


def _read(app: Holdfast, params: Json) -> Json:
    return {"contents": [read_resource(app, uri_of(params))]}


def uri_of(params: Json) -> str:
    """Return the address that a request names.

    Raises:
        RefusedError: It names none.
    """
    uri = params.get("uri")
    if not isinstance(uri, str) or not 0 < len(uri) <= _LONGEST_URI:
        raise RefusedError(INVALID_PARAMS, "The params need the resource's uri.")
    return uri


def _got(app: Holdfast, params: Json) -> Json:
    name, given = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or name not in PROMPT_BY_NAME:
        raise RefusedError(INVALID_PARAMS, f"Unknown prompt: {str(name)[:80]}")
    if given is not None and not isinstance(given, dict):
        raise RefusedError(INVALID_PARAMS, "The arguments must be an object.")
    words = {key: value for key, value in as_object(given).items() if value not in {None, ""}}
    if not all(isinstance(value, str) for value in words.values()):
        raise RefusedError(INVALID_PARAMS, "The arguments of a prompt must be texts.")
    texts = {key: str(value) for key, value in words.items()}
    return {"description": _PROMPTS[name]["description"], "messages": prompt(app, name, texts)}


def _completed(app: Holdfast, params: Json) -> Json:
    wanted = _Completion.read(params)
    found = [value for value in wanted.candidates(app) if wanted.fits(value)]
    values = found[:_MOST_COMPLETED]
    return {
        "completion": {
            "values": values,
            "total": len(found),
            "hasMore": len(found) > len(values),
        }
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Completion:
    """A request to complete one argument of a template or a prompt."""

    of: str
    argument: str
    start: str

    @classmethod
    def read(cls, params: Json) -> _Completion:
        """Read the request.

        Raises:
            RefusedError: It is malformed, or names what does not exist.
        """
        ref, argument = as_object(params.get("ref")), as_object(params.get("argument"))
        name, start = argument.get("name"), argument.get("value")
        of = ref.get("uri") if ref.get("type") == "ref/resource" else ref.get("name")
        if not isinstance(of, str) or not isinstance(name, str) or not isinstance(start, str):
            raise RefusedError(INVALID_PARAMS, "The params need a ref and an argument.")
        if of not in _TEMPLATES and of not in _PROMPTS:
            raise RefusedError(INVALID_PARAMS, f"There is nothing to complete: {of[:80]}")
        return cls(of=of, argument=name, start=start)

    def fits(self, value: str) -> bool:
        """Return whether a value begins as the person typed it."""
        return value.startswith(self.start)

    def candidates(self, app: Holdfast) -> list[str]:
        """Return the values that the argument may have."""
        match self.of, self.argument:
            case "memory://{id}", "id":
                return [one.memory.id for one in newest(app, limit=_LOOKED_THROUGH)]
            case "session://{id}", "id":
                return [one.id for one in app.sessions.latest(limit=_LOOKED_THROUGH)]
            case "page://{path}", "path":
                return page_paths(app)
            case "summarise-run", "run":
                return [one.label for one in app.runs.latest(limit=_LOOKED_THROUGH)]
            case _:
                return []


METHODS: dict[str, Callable[[Holdfast, Json], Json]] = {
    "resources/list": _listed,
    "resources/read": _read,
    "prompts/get": _got,
    "completion/complete": _completed,
}
"""The methods that need the memory."""
