"""beads: issues and remembered notes, one JSON object per line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.foreign.reading import listed, read_objects, regular, said
from holdfast.domain.choices import Kind, LinkKind
from holdfast.domain.exchange.foreign import (
    ForeignLink,
    FoundNotes,
    LeftNote,
    cut_note,
    kind_of,
    link_kind,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.moments import moment_of
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.reading import ImportSource

_FILES = (".beads/issues.jsonl", ".beads/beads.jsonl")
_DURABLE = frozenset({Kind.DECISION, Kind.GOTCHA, Kind.RULE, Kind.INSIGHT})
_LINKS = {"blocks": LinkKind.DEPENDS_ON, "parent-child": "part-of"}


class Beads:
    """Reads ``.beads/issues.jsonl``, or the export that is named."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return the remembered notes, decisions and lessons, and the open issues."""
        usual = [self._whence.root / name for name in _FILES]
        files = [path for path in self._paths or usual if regular(path)]
        if not files:
            raise self._whence.nothing_in(self._paths or usual)
        found, flaws = list[FoundNotes](), list[Flaw]()
        for path in files:
            shown = self._whence.shown(path)
            for number, line in read_objects(path, shown=shown, flaws=flaws):
                if line.get("_type") == "memory":
                    found.append(self._memory(path, number, line))
                else:
                    found.append(self._issue(path, number, line))
        return together([*found, FoundNotes(flaws=tuple(flaws))])

    def _memory(self, path: Path, number: int, line: dict[str, object]) -> FoundNotes:
        key, value = said(line, "key"), said(line, "value", "content")
        if not value:
            why = "nothing is written in it"
            place = self._whence.place(path, number)
            return FoundNotes(left=(LeftNote(text=key, place=place, why=why),))
        note = self._whence.note(
            path,
            claim=cut_note(value),
            kind=Kind.FACT,
            at=(number, number),
        )
        known = replace(note, key=f"beads:{key}"[:200] if key else None, name=key, tags=("beads",))
        return FoundNotes(notes=(known,))

    def _issue(self, path: Path, number: int, line: dict[str, object]) -> FoundNotes:
        title, sort = said(line, "title"), said(line, "issue_type", "type")
        kind = kind_of(sort, otherwise=Kind.PLAN)
        if why := _why_not(line, title, kind):
            place = self._whence.place(path, number)
            text = title or said(line, "id")
            return FoundNotes(left=(LeftNote(text=text, place=place, why=why),))
        body = " ".join(said(line, "description").split("\n\n")[0].split())
        reason = said(line, "close_reason")
        whole = ". ".join(part.rstrip(".") for part in (body, reason) if part)
        name = said(line, "id")
        note = self._whence.note(
            path,
            claim=cut_note(told_about(title, whole) if whole else title),
            kind=kind,
            at=(number, number),
        )
        known = replace(
            note,
            key=f"beads:{name}"[:200] if name else None,
            name=name,
            tags=tags_of("beads", sort, *listed(line.get("labels"))),
            created_at=moment_of(line.get("updated_at") or line.get("created_at")),
            links=_links(line),
        )
        return FoundNotes(notes=(known,))


def _why_not(line: dict[str, object], title: str, kind: Kind) -> str:
    status = said(line, "status")
    if not title:
        return "it has no title"
    if status == "tombstone":
        return "it was deleted"
    if status == "closed" and kind not in _DURABLE:
        return "a finished task; what came of it is in the history"
    return ""


def _links(line: dict[str, object]) -> tuple[ForeignLink, ...]:
    held = line.get("dependencies")
    links: list[ForeignLink] = []
    for one in held if isinstance(held, list) else []:
        if isinstance(one, dict) and (to := said(one, "depends_on_id", "id")):
            word = said(one, "type", "dependency_type") or "blocks"
            links.append(ForeignLink(to=to, kind=_LINKS.get(word, link_kind(word))))
    return tuple(links)
