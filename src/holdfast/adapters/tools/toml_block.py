"""Holdfast's lines between markers in a TOML file."""

from __future__ import annotations

import json

from holdfast.adapters.tools.writing import MarkedBlock, MisfitError, OwnText, TextDraft
from holdfast.domain.text.managed import CommentStyle
from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TomlBlock:
    """Lines between markers in TOML: they must add their own settings, and nothing else."""

    body: str
    path: tuple[str, ...]

    @property
    def words(self) -> str:
        """Return the lines."""
        return self._block.words

    @property
    def _block(self) -> MarkedBlock:
        return MarkedBlock(body=self.body, comment=CommentStyle.HASH)

    def seen(self, text: str) -> OwnText | None:
        """Return the current lines, or what a person wrote under the same name."""
        found = self._block.seen(text)
        if found is not None:
            return found
        held: object = read_toml(text)
        for name in self.path:
            held = held.get(name) if isinstance(held, dict) else None
        if held is None:
            return None
        return OwnText(words=json.dumps(held, sort_keys=True, default=str), line=1)

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Add the lines at the end, if all other settings still parse to the same values."""
        before = read_toml(draft.text)
        trial = draft.text + "\n" + self.body
        after = read_toml(trial, else_say="what is there leaves no room for our lines")
        if _without(after, self.path) != _without(before, self.path):
            raise MisfitError(
                problem=f"our lines would change what stands beside {'.'.join(self.path)}"
            )
        self._block.put(draft, is_new=is_new)

    def take(self, draft: TextDraft) -> bool:
        """Remove the lines."""
        return self._block.take(draft)


def read_toml(text: str, *, else_say: str = "") -> dict[str, object]:
    """Return the parsed TOML.

    Raises:
        MisfitError: It is not TOML.
    """
    import tomllib

    try:
        return tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except tomllib.TOMLDecodeError as error:
        said = str(error)
        _, _, number = said.partition("(at line ")
        line = number.partition(",")[0]
        raise MisfitError(
            problem=else_say or f"it is no TOML ({said})", line=int(line) if line.isdigit() else 1
        ) from error


def _without(held: dict[str, object], path: tuple[str, ...]) -> dict[str, object]:
    """Return settings without the value at a path and without tables that become empty."""
    name, *rest = path
    inner = held.get(name)
    left = {key: value for key, value in held.items() if key != name}
    if rest and isinstance(inner, dict):
        kept = _without(inner, tuple(rest))
        if kept:
            left[name] = kept
    return left
