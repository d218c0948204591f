"""Read the fields of a JSON object with type checks; an error names the wrong field."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import cast

from holdfast.domain.errors import BadFieldError

Shape = Mapping[str, object]
_TOO_LARGE = 2**63


class Fields:
    """Reads the fields of a JSON object, each with a type check."""

    def __init__(self, shape: object, *, noun: str) -> None:
        if not isinstance(shape, Mapping):
            raise BadFieldError(field=noun, problem="must be an object.")
        self._shape = cast("Shape", shape)
        self._noun = noun

    @property
    def shape(self) -> Shape:
        """The object itself."""
        return self._shape

    def raw(self, name: str) -> object:
        """Return a field, or None if it is missing."""
        return self._shape.get(name)

    def text(self, name: str) -> str:
        """Return a field that must be text."""
        value = self._shape.get(name)
        if not isinstance(value, str):
            raise BadFieldError(field=f"{self._noun}'s {name}", problem="must be text.")
        return value

    def claim(self) -> str:
        """Return the claim; ``value`` is its older name, which is still accepted."""
        is_old = self.raw("claim") is None and self.raw("value") is not None
        return self.text("value" if is_old else "claim")

    def maybe_text(self, name: str) -> str | None:
        """Return a field that is text or missing."""
        return None if self._shape.get(name) is None else self.text(name)

    def number(self, name: str) -> float:
        """Return a field that must be a number."""
        value = self._shape.get(name)
        is_bool = isinstance(value, bool)
        if isinstance(value, int | float) and not is_bool and abs(value) < _TOO_LARGE:
            return value
        raise BadFieldError(field=f"{self._noun}'s {name}", problem="must be a number.")

    def whole(self, name: str) -> int:
        """Return a field that must be a whole number."""
        value = self.number(name)
        if not isinstance(value, int):
            raise BadFieldError(field=f"{self._noun}'s {name}", problem="must be a whole number.")
        return value

    def maybe_bool(self, name: str) -> bool | None:
        """Return a field that is true, false or missing."""
        value = self._shape.get(name)
        if value is not None and not isinstance(value, bool):
            raise BadFieldError(field=f"{self._noun}'s {name}", problem="must be true or false.")
        return value

    def moment(self, name: str) -> datetime:
        """Return a field that must be a time with a zone."""
        words = self.text(name)
        try:
            moment = datetime.fromisoformat(words)
            if moment.tzinfo is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise BadFieldError(
            field=f"{self._noun}'s {name}",
            problem=f"'{words[:40]}' is no ISO 8601 time with a zone.",
        )

    def maybe_moment(self, name: str) -> datetime | None:
        """Return a field that is a time or missing."""
        return None if self._shape.get(name) is None else self.moment(name)

    def items(self, name: str) -> Sequence[object]:
        """Return a field that must be a list."""
        value = self._shape.get(name)
        if not isinstance(value, list):
            raise BadFieldError(field=f"{self._noun}'s {name}", problem="must be a list.")
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """Return a field that must be a list of texts."""
        items = self.items(name)
        words = tuple(item for item in items if isinstance(item, str))
        if len(words) != len(items):
            raise BadFieldError(field=f"{self._noun}'s {name}", problem="must be a list of texts.")
        return words


def time_text(moment: datetime | None) -> str | None:
    """Return a moment as ISO 8601, or None."""
    return None if moment is None else moment.astimezone(UTC).isoformat()
