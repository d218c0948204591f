"""Screen the texts of an imported line, in every field."""

from __future__ import annotations

from functools import lru_cache

from holdfast.domain.agents.agent import LARGEST_OUTPUT
from holdfast.domain.memory.memory import content_hash
from holdfast.usecases.screening import SecretPolicy, screened, screened_values

_FREE = frozenset({"metadata", "facts", "foreign", "config", "args", "output", "error"})

_SHORT = 200
"""The longest text that is remembered as screened; bundles repeat ids and reasons in each item."""


@lru_cache(maxsize=8_192)
def _screened_short(text: str, secrets: SecretPolicy, what: str) -> str:
    return screened(text, what=what, secrets=secrets)


def screened_line(data: object, secrets: SecretPolicy, what: str) -> object:
    """Return a line's data with every text in it screened, in every field."""
    match data:
        case str() if len(data) <= _SHORT:
            return _screened_short(data, secrets, what)
        case str():
            return screened(data, what=what, secrets=secrets)
        case dict():
            return {
                name: screened_values(item, what=name, secrets=secrets, cap=LARGEST_OUTPUT)
                if name in _FREE
                else screened_line(item, secrets, str(name))
                for name, item in data.items()
            }
        case list():
            return [screened_line(item, secrets, what) for item in data]
        case _:
            return data


def rehashed(data: object, clean: object) -> object:
    """Replace the hash of a claim that screening changed, if the old hash fitted the old claim."""
    if not isinstance(data, dict) or not isinstance(clean, dict):
        return clean
    name = "claim" if "claim" in data else "value"
    old, new = data.get(name), clean.get(name)
    if isinstance(old, str) and isinstance(new, str) and old != new:
        fitted = data.get("content_hash") == content_hash(old)
        return {**clean, "content_hash": content_hash(new) if fitted else ""}
    return clean
