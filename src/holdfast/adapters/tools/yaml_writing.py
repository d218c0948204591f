"""Adds an item to a list in a YAML file without rewriting the rest."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from holdfast.adapters.tools.writing import MarkedBlock, MisfitError, OwnText
from holdfast.domain.text.managed import CommentStyle, find_block
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node, SequenceNode

    from holdfast.adapters.tools.writing import TextDraft


@dataclass(frozen=True, slots=True, kw_only=True)
class YamlItem:
    """An item of a named list; if the name is missing, a Holdfast block adds the list."""

    name: str
    item: str

    @property
    def words(self) -> str:
        """Return the item."""
        return self.item

    @property
    def _block(self) -> MarkedBlock:
        return MarkedBlock(body=f"{self.name}:\n  - {self.item}", comment=CommentStyle.HASH)

    def seen(self, text: str) -> OwnText | None:
        """Return the item if it is in the list."""
        block = find_block(text)
        if block is not None:
            is_whole = block.is_untouched and block.body == self._block.words
            said = self.item if is_whole else block.body
            return OwnText(words=said, line=block.line, is_untouched=block.is_untouched)
        for node in _items(_listed(text, self.name)):
            if node.value == self.item:
                return OwnText(words=self.item, line=node.start_mark.line + 1)
        return None

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Add the item at the end of the list; a single value becomes a list."""
        text = draft.text
        before = _plain(text)
        value = _listed(text, self.name)
        if value is None:
            self._block.put(draft, is_new=is_new)
        else:
            self._join(draft, value)
        wanted = {**before, self.name: [*_as_list(before.get(self.name)), self.item]}
        if _plain(draft.text) != wanted:
            raise MisfitError(
                problem=f"nothing can be added to '{self.name}' there", line=_line(value)
            )

    def _join(self, draft: TextDraft, value: Node) -> None:
        listed = _sequence(value)
        if listed is None:
            if not isinstance(value.value, str):
                raise MisfitError(problem=f"'{self.name}' is no list there", line=_line(value))
            draft.insert(value.end_mark.index, f", {self.item}]")
            draft.insert(value.start_mark.index, "[")
            return
        items = _items(value)
        if listed.flow_style and items:
            draft.insert(items[-1].end_mark.index, f", {self.item}")
        elif listed.flow_style:
            draft.insert(value.start_mark.index + 1, self.item)
        elif items:
            line = draft.text.rfind("\n", 0, items[-1].start_mark.index) + 1
            lead = draft.text[line : items[-1].start_mark.index]
            end = draft.text.find("\n", items[-1].end_mark.index)
            newline = "\r\n" if "\r\n" in draft.text else "\n"
            end = len(draft.text) if end < 0 else end + 1 - len(newline)
            draft.insert(end, f"{newline}{lead}{self.item}")

    def take(self, draft: TextDraft) -> bool:
        """Remove the item, or the whole Holdfast block."""
        if find_block(draft.text) is not None:
            return self._block.take(draft)
        value = _sequence(_listed(draft.text, self.name))
        items = _items(value)
        for place, node in enumerate(items):
            if value is None or node.value != self.item:
                continue
            start, end = node.start_mark.index, node.end_mark.index
            if value.flow_style:
                start = items[place - 1].end_mark.index if place else start
                draft.cut(start, end)
            else:
                line = draft.text.rfind("\n", 0, start)
                stop = draft.text.find("\n", end)
                draft.cut(max(line, 0), len(draft.text) if stop < 0 else stop)
            break
        return False


def _listed(text: str, name: str) -> Node | None:
    """Return the value under a name.

    Raises:
        MisfitError: It is not YAML, or not a single mapping.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError
    from ruamel.yaml.nodes import MappingNode

    try:
        root = YAML().compose(io.StringIO(text))
    except YAMLError as error:
        raise _no_yaml(error) from error
    if root is None:
        return None
    if not isinstance(root, MappingNode):
        raise MisfitError(problem="it is no YAML mapping")
    for key, value in root.value:
        if key.value == name:
            found: Node = value
            return found
    return None


def _sequence(value: Node | None) -> SequenceNode | None:
    from ruamel.yaml.nodes import SequenceNode

    return value if isinstance(value, SequenceNode) else None


def _items(value: Node | None) -> list[Node]:
    listed = _sequence(value)
    return [] if listed is None else list(listed.value)


def _plain(text: str) -> dict[str, object]:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        held = YAML(typ="safe", pure=True).load(io.StringIO(text))
    except YAMLError as error:
        raise _no_yaml(error) from error
    return dict(held) if isinstance(held, dict) else {}


def _no_yaml(error: Exception) -> MisfitError:
    mark = getattr(error, "problem_mark", None)
    return MisfitError(problem="it is no YAML", line=mark.line + 1 if mark else 1)


def _as_list(held: object) -> list[object]:
    if held is None:
        return []
    return list(held) if isinstance(held, list) else [held]


def _line(value: Node | None) -> int:
    return 1 if value is None else value.start_mark.line + 1
