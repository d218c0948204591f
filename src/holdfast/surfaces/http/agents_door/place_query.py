"""The parameters of the address /mcp: the place of the client, and the profile of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.http.reading import storable
from holdfast.surfaces.mcp.catalogue import PROFILES
from holdfast.surfaces.wire.checking import check
from holdfast.surfaces.wire.schema.service import PLACE

if TYPE_CHECKING:
    from starlette.requests import Request

    from holdfast.surfaces.mcp.protocol import Json

PROFILE = "profile"
_TRUTHS = {"true": True, "false": False}


def place_query(request: Request) -> dict[str, object]:
    """Return the parameters of the address, each with its type.

    Raises:
        BadFieldError: One is unknown, given twice, or does not fit its schema.
    """
    found: dict[str, object] = {}
    known: dict[str, Json] = {**PLACE, PROFILE: {"type": "string", "enum": list(PROFILES)}}
    for name, word in request.query_params.multi_items():
        if name not in known or name in found:
            takes = ", ".join(sorted(known))
            problem = f"is unknown or given twice; this path takes {takes}."
            raise BadFieldError(field=f"parameter '{name[:40]}'", problem=problem)
        is_truth = known[name]["type"] == "boolean"
        value = _TRUTHS.get(word, word) if is_truth else word
        check(value, known[name], noun=f"parameter '{name}'")
        found[name] = storable(name, value)
    return found
