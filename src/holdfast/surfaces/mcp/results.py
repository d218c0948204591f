"""The results of tools: values with a twin in text, or only text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.mcp.protocol import compact
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from holdfast.surfaces.mcp.protocol import Json

_LONGEST_CLIENT = 64


def source_of(client: str) -> str:
    """Return the source of a client's proposals: its name, cleaned up."""
    try:
        name = " ".join(screened(client[:_LONGEST_CLIENT], what="client's name").split())
    except HoldfastError:
        name = ""
    return f"mcp:{name or 'unknown'}"


def in_words(text: str) -> Json:
    """Return a result that is only text."""
    return {"content": [{"type": "text", "text": text}], "isError": False}


def structured(value: Json) -> Json:
    """Return a result as values, and as text for clients that read only text."""
    return {**in_words(compact(value)), "structuredContent": value}


def failed(text: str) -> Json:
    """Return the result of a call that was refused."""
    return {**in_words(text), "isError": True}
