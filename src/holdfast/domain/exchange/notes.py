"""Memories as linked notes: one Markdown file each, as note programs such as Obsidian read them.

The front matter has aliases and tags, and `[[links]]` lead to other notes, so that the note program
shows backlinks. The text of a memory is quoted as code if it would format or fetch something.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.ids import MemoryId, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord

MARK = "holdfast: "
"""The first field of the front matter, by which a note of ours is recognised."""
INDEX = "Holdfast"
_KEPT = frozenset({Status.ACCEPTED, Status.SUPERSEDED})
_LONGEST_NAME = 80
_SHORTEST_MENTION = 4
_UNSAFE_NAME = re.compile(r"[^\w .-]+")
_UNSAFE_TAG = re.compile(r"[^\w/-]+")
_ACTIVE = re.compile(r"!\[|<|\[\[|^#|%%|\$\$|```", re.MULTILINE)
_WORD = re.compile(r"(?<![\w.-])[\w.-]*\w")


def notes_of(records: Sequence[MemoryRecord], links: Iterable[Link]) -> dict[str, str]:
    """Return the text of each note by its name: accepted and superseded memories, and an index."""
    kept = [one for one in records if one.standing.status in _KEPT]
    names = _names(kept)
    by_key = {
        one.memory.key.lower(): names[one.memory.id]
        for one in kept
        if one.memory.key and one.standing.status is Status.ACCEPTED
    }
    linked: dict[MemoryId, list[str]] = {}
    for link in links:
        if link.src in names and link.dst in names:
            linked.setdefault(link.src, []).append(f"- {link.kind} [[{names[link.dst]}]]")
    notes = {
        names[one.memory.id]: _note(one, linked.get(one.memory.id, ()), names, by_key)
        for one in kept
    }
    notes[INDEX] = _index(kept, names)
    return notes


def _names(records: Sequence[MemoryRecord]) -> dict[MemoryId, str]:
    """Return a file name for each memory: its key, or its kind and short id; never one twice."""
    found: dict[MemoryId, str] = {}
    taken = {INDEX.lower()}
    for one in sorted(records, key=lambda one: one.standing.status is not Status.ACCEPTED):
        memory = one.memory
        plain = _UNSAFE_NAME.sub("-", memory.key or "").strip(" .-")[:_LONGEST_NAME]
        name = plain or f"{memory.kind.value} {short(memory.id)}"
        if name.lower() in taken:
            name = f"{name} {short(memory.id)}"
        taken.add(name.lower())
        found[memory.id] = name
    return found


def _note(
    record: MemoryRecord,
    linked: Iterable[str],
    names: Mapping[MemoryId, str],
    by_key: Mapping[str, str],
) -> str:
    memory, standing = record.memory, record.standing
    own = names[memory.id]
    aliases = [one for one in (memory.key, standing.label) if one and one != own]
    tags = [f"holdfast/{memory.kind.value}", *(_tag(tag) for tag in memory.tags)]
    lines = [
        "---",
        f"{MARK}{memory.id}",
        f"aliases: {json.dumps(aliases, ensure_ascii=False)}",
        f"tags: {json.dumps([one for one in tags if one], ensure_ascii=False)}",
        f"status: {standing.status.value}",
        f"created: {memory.created_at:%Y-%m-%d}",
        "---",
        "",
        *_quoted(memory.claim),
        "",
        "## Evidence",
        "",
        *(f"- {_code(str(item))}" for item in record.evidence),
        "",
    ]
    links = [*linked]
    newer = standing.superseded_by
    if newer is not None and newer in names:
        links.append(f"- superseded by [[{names[newer]}]]")
    mentioned = (
        by_key[word]
        for word in dict.fromkeys(_WORD.findall(memory.claim.lower()))
        if len(word) >= _SHORTEST_MENTION and word in by_key
    )
    links += [f"- mentions [[{name}]]" for name in mentioned if name != own]
    if links:
        lines += ["## Links", "", *links, ""]
    return "\n".join(lines)


def _index(records: Sequence[MemoryRecord], names: Mapping[MemoryId, str]) -> str:
    by_kind: dict[str, list[str]] = {}
    for one in records:
        if one.standing.status is Status.ACCEPTED:
            by_kind.setdefault(one.memory.kind.value, []).append(f"- [[{names[one.memory.id]}]]")
    lines = ["---", f"{MARK}index", "---", ""]
    for kind in sorted(by_kind):
        lines += [f"## {kind}", "", *sorted(by_kind[kind], key=str.lower), ""]
    return "\n".join(lines)


def _tag(tag: str) -> str:
    """Return a tag that note programs accept; they take none that is only a number."""
    plain = _UNSAFE_TAG.sub("-", tag).strip("-/")
    return "" if plain.isdigit() else plain


def _quoted(claim: str) -> list[str]:
    """Return a claim as it is, or as code if a note program would act on it."""
    if _ACTIVE.search(claim) is None:
        return claim.splitlines()
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", claim)), default=0))
    return [f"{fence}text", *claim.splitlines(), fence]


def _code(text: str) -> str:
    """Return a text of one line as code."""
    return f"`{' '.join(text.split()).replace('`', chr(39))}`"
