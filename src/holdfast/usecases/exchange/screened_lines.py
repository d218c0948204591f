"""Screen the texts of an imported line, in every field."""

from __future__ import annotations

from functools import lru_cache, partial

from holdfast.domain.agents.agent import LARGEST_OUTPUT
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.memory import content_hash
from holdfast.usecases.screening import SecretPolicy, screened, screened_values

_FREE = frozenset({"metadata", "facts", "foreign", "config", "args", "output", "error"})

_DEEPEST = 64
"""How deeply a line may be nested; no export nests its lines more than ten deep."""
_SHORT = 200
"""The longest text that is remembered as screened; bundles repeat ids and reasons in each item."""


class LineScreening:
    """The screening of one import; it remembers short texts for as long as the import takes."""

    def __init__(self, secrets: SecretPolicy) -> None:
        self.secrets = secrets
        self._short = lru_cache(maxsize=8_192)(partial(_screened, secrets))

    def line(self, data: object, what: str, *, depth: int = 0) -> object:
        """Return a line's data with every text in it screened, in every field.

        Raises:
            BadFieldError: It is nested too deeply.
        """
        if depth > _DEEPEST:
            raise BadFieldError(field=what, problem=f"is nested more than {_DEEPEST} deep.")
        match data:
            case str() if len(data) <= _SHORT:
                return self._short(data, what)
            case str():
                return _screened(self.secrets, data, what)
            case dict():
                return {
                    name: screened_values(item, what=name, secrets=self.secrets, cap=LARGEST_OUTPUT)
                    if name in _FREE
                    else self.line(item, str(name), depth=depth + 1)
                    for name, item in data.items()
                }
            case list():
                return [self.line(item, what, depth=depth + 1) for item in data]
            case _:
                return data


def _screened(secrets: SecretPolicy, text: str, what: str) -> str:
    return screened(text, what=what, secrets=secrets)


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
