"""Holdfast's entries in a JSON file: a named member, a hook in a list, a path in a list."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from holdfast.adapters.tools.json_text import NotJsonError, add_part, cut_part, indent_of, read_json
from holdfast.adapters.tools.writing import MisfitError, OwnText, TextDraft
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.adapters.tools.json_text import JsonNode, JsonPart

# Matches only Holdfast's own command lines, of any version.
_OURS = re.compile(r"\bholdfast\b.* hook [a-z]+ [A-Za-z]+")
_STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonEntry:
    """A value under a path of names; an element is added to the list there.

    Holdfast's hooks are looked for in every list beside the target list, so that one of an earlier
    version is found.
    """

    path: tuple[str, ...]
    value: object
    is_element: bool = False

    @property
    def family(self) -> tuple[str, ...]:
        """Return the path under which to look for Holdfast's entries."""
        return self.path[:-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonEntries:
    """Holdfast's entries, and members that the format requires (``{"version": 1}``)."""

    entries: tuple[JsonEntry, ...]
    companions: tuple[tuple[str, object], ...] = ()

    @property
    def words(self) -> str:
        """Return the entries in a canonical form."""
        return _canonical([(list(entry.path), entry.value) for entry in self.entries])

    def seen(self, text: str) -> OwnText | None:
        """Return Holdfast's entries in a text, and those a person wrote under the same name."""
        root = _read(text)
        found = list(self._found(root)) if root else []
        if not found:
            return None
        words = _canonical([(list(one.path), one.part.node.value) for one in found])
        first = min(one.part.start for one in found)
        return OwnText(words=words, line=text.count("\n", 0, first) + 1)

    def put(self, draft: TextDraft, *, is_new: bool) -> None:
        """Add the entries; everything else stays unchanged."""
        before = _read(draft.text)
        if before is None:
            draft.insert(0, "{}\n")
        held = before.value if before is not None and isinstance(before.value, dict) else {}
        wanted = json.loads(json.dumps(held))
        for name, value in self.companions:
            if name not in held:
                _add(draft, (name,), value, is_element=False)
                wanted[name] = value
        for entry in self.entries:
            _add(draft, entry.path, entry.value, is_element=entry.is_element)
            _join(wanted, entry)
        after = _read(draft.text)
        if after is None or after.value != wanted:
            raise MisfitError(problem="our entries cannot be added without changing others")

    def take(self, draft: TextDraft) -> bool:
        """Remove Holdfast's entries, and containers that become empty."""
        while True:
            root = _read(draft.text)
            found = next(self._found(root), None) if root else None
            if root is None or found is None:
                break
            holder, part = found.topmost(draft)
            cut_part(draft, holder, part)
        if root is None:
            return True
        has_comments = "/" in _STRINGS.sub("", draft.text)
        return not has_comments and not _without(root.value, self.companions)

    def _found(self, root: JsonNode) -> Iterator[_Found]:
        for entry in self.entries:
            if not entry.is_element:
                yield from _members(root, entry)
        for family in dict.fromkeys(entry.family for entry in self.entries if entry.is_element):
            exact = [one.value for one in self.entries if isinstance(one.value, str)]
            yield from _elements(root, family, exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    path: tuple[str, ...]
    trail: tuple[tuple[JsonNode, JsonPart], ...]

    @property
    def part(self) -> JsonPart:
        """Return the part that was found."""
        return self.trail[-1][1]

    def topmost(self, draft: TextDraft) -> tuple[JsonNode, JsonPart]:
        """Return the outermost container that was created for the entry and becomes empty."""
        place = len(self.trail) - 1
        while place and len(self.trail[place][0].parts) == 1:
            if not draft.may_cut(self.trail[place - 1][1].start):
                break
            place -= 1
        return self.trail[place]


def _members(root: JsonNode, entry: JsonEntry) -> Iterator[_Found]:
    trail: list[tuple[JsonNode, JsonPart]] = []
    node: JsonNode | None = root
    for name in entry.path:
        named = [part for part in (node.parts if node else ()) if part.name == name]
        if node is None or not named:
            return
        trail.append((node, named[-1]))
        node = named[-1].node
    yield _Found(path=entry.path, trail=tuple(trail))


def _elements(root: JsonNode, family: tuple[str, ...], exact: list[str]) -> Iterator[_Found]:
    trail: list[tuple[JsonNode, JsonPart]] = []
    node = root
    for name in family:
        named = [part for part in node.parts if part.name == name]
        if not named:
            return
        trail.append((node, named[-1]))
        node = named[-1].node
    for listed in node.parts:
        if not listed.node.is_array or not listed.name:
            continue
        path = (*family, listed.name)
        for part in listed.node.parts:
            here = (*trail, (node, listed), (listed.node, part))
            if part.node.value in exact or is_ours(part.node.value):
                yield _Found(path=path, trail=here)
            else:
                yield from _inner(part.node, path, here)


def _inner(
    group: JsonNode, path: tuple[str, ...], here: tuple[tuple[JsonNode, JsonPart], ...]
) -> Iterator[_Found]:
    """Find Holdfast's hooks that a person put into a group of their own."""
    for member in group.parts:
        if member.name == "hooks" and member.node.is_array:
            for part in member.node.parts:
                if is_ours(part.node.value):
                    yield _Found(path=path, trail=(*here, (group, member), (member.node, part)))


def is_ours(value: object) -> bool:
    """Return whether a hook runs Holdfast, or all hooks of a group do."""
    if not isinstance(value, dict):
        return False
    group = value.get("hooks")
    if isinstance(group, list):
        return bool(group) and all(is_ours(one) for one in group)
    runs = (value.get("command"), value.get("bash"))
    return any(isinstance(one, str) and _OURS.search(one) for one in runs)


def _add(draft: TextDraft, path: tuple[str, ...], value: object, *, is_element: bool) -> None:
    root = _read(draft.text)
    if root is None:
        raise MisfitError(problem="it holds nothing to add to")
    holder, rest = root, list(path)
    while rest and holder.is_object:
        inner = holder.at(rest[0])
        if inner is None:
            break
        holder, rest = inner, rest[1:]
    if not (holder.is_object if rest else holder.is_array and is_element):
        line = draft.text.count("\n", 0, holder.start) + 1
        raise MisfitError(
            problem=f"'{'.'.join(path)}' cannot be added to what stands there", line=line
        )
    whole: object = value
    if rest:
        whole = [value] if is_element else value
        for name in reversed(rest[1:]):
            whole = {name: whole}
    step = indent_of(draft.text, root)
    words = json.dumps(whole, indent=step, ensure_ascii=False)
    named = f"{json.dumps(rest[0])}: {words}" if rest else words
    add_part(draft, holder, named, indent=step)


def _join(held: dict[str, object], entry: JsonEntry) -> None:
    """Add an entry to the parsed values, to compare with the edited text."""
    *names, last = entry.path
    inner: object = held
    for name in names:
        inner = inner.setdefault(name, {}) if isinstance(inner, dict) else {}
    if not isinstance(inner, dict):
        return
    if entry.is_element:
        listed = inner.setdefault(last, [])
        if isinstance(listed, list):
            listed.append(entry.value)
    else:
        inner[last] = entry.value


def _read(text: str) -> JsonNode | None:
    """Return the parsed text; None if it is blank.

    Raises:
        MisfitError: It is not JSON, or not an object.
    """
    if not text.strip("\ufeff \t\r\n"):
        return None
    try:
        root = read_json(text)
    except NotJsonError as error:
        raise MisfitError(problem="it is no JSON", line=error.line) from error
    if not root.is_object:
        raise MisfitError(problem="it is no JSON object")
    return root


def _without(held: object, companions: tuple[tuple[str, object], ...]) -> object:
    if not isinstance(held, dict):
        return held
    return {name: value for name, value in held.items() if (name, value) not in companions}


def _canonical(pairs: list[tuple[list[str], object]]) -> str:
    return json.dumps(sorted(pairs, key=json.dumps), sort_keys=True)
