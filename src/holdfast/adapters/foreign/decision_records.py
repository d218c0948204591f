"""Architecture decision records: one decision per file, with its status and replacements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.markdown import CODE, HEADING, TABLE, blocks, frontmatter
from holdfast.adapters.foreign.markup import plain
from holdfast.adapters.foreign.reading import files_in, read_text
from holdfast.domain.choices import Kind, LinkKind, Status
from holdfast.domain.exchange.foreign import (
    ForeignLink,
    FoundNotes,
    LeftNote,
    cut_note,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.markdown import MarkdownBlock
    from holdfast.adapters.foreign.reading import ImportSource

FOLDERS = (
    "docs/adr",
    "docs/adrs",
    "docs/decisions",
    "docs/architecture/decisions",
    "docs/architecture/adr",
    "doc/adr",
    "doc/architecture/decisions",
    "adr",
    "adrs",
    "architecture/decisions",
)
_NUMBER = re.compile(r"(?:adr[-_ ]?)?0*([0-9]+)", re.IGNORECASE)
_TITLE_NUMBER = re.compile(r"(?:adr[-_ ]?)?[0-9]+\s*[.:)–—-]?\s+", re.IGNORECASE)
_STATUS_LINE = re.compile(r"status[^\w:]{0,10}:\s*(.+)", re.IGNORECASE)
_REPLACED_BY = re.compile(r"super[sc]eded\s+by\W+(.+)", re.IGNORECASE)
_REPLACES = re.compile(r"super[sc]edes:?\s+((?:\[|adr\b|#|0[0-9]).*)", re.IGNORECASE)
_RECORD = re.compile(r"(?:adr[-_ ]?)?0*([0-9]{1,5})", re.IGNORECASE)
_DECIDED = ("decision outcome", "decision", "decisions", "outcome", "resolution")
_NOT_DECIDED = ("proposed", "draft", "pending", "rfc", "under review")
_REFUSED = ("rejected", "declined", "withdrawn", "abandoned")
_ENOUGH = 700
_OVER = ("deprecated", "retired", "obsolete", "superseded", "superceded")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """The parsed content of one file."""

    title: str
    status: str
    decision: str
    at: tuple[int, int]
    replaces: tuple[str, ...]
    replaced_by: tuple[str, ...]


class DecisionRecords:
    """Reads folders of architecture decision records."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every decision; one marked as superseded is imported as superseded."""
        folders = self._paths or [self._whence.root / name for name in FOLDERS]
        files = [path for folder in folders for path in _records_in(folder)]
        if not files:
            raise self._whence.nothing_in(folders)
        flaws = list[Flaw]()
        records = {
            path: _record(read_text(path, shown=self._whence.shown(path), flaws=flaws))
            for path in files
        }
        replaces = _all_replacements(records)
        found = [self._taken(path, record, replaces) for path, record in records.items()]
        return together([*found, FoundNotes(flaws=tuple(flaws))])

    def _taken(self, path: Path, record: _Record, replaces: dict[str, set[str]]) -> FoundNotes:
        name = _name(path)
        place = self._whence.place(path, *record.at)
        heirs = {heir for heir, old in replaces.items() if name in old}
        is_over = bool(heirs) or record.status.startswith(_OVER)
        if why := _why_not(record, is_over=is_over, has_heir=bool(heirs)):
            text = record.title or self._whence.shown(path)
            return FoundNotes(left=(LeftNote(text=text, place=place, why=why),))
        links = [
            ForeignLink(to=old, kind=LinkKind.SUPERSEDES)
            for old in sorted(replaces.get(name, set()))
        ]
        note = self._whence.note(
            path,
            claim=cut_note(told_about(record.title, record.decision)),
            kind=Kind.DECISION,
            at=record.at,
        )
        decision = replace(
            note,
            key=f"adr:{name}",
            name=name,
            tags=("adr",),
            links=tuple(links),
            status=Status.SUPERSEDED if is_over else Status.CANDIDATE,
        )
        return FoundNotes(notes=(decision,))


def _records_in(folder: Path) -> list[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        return []
    return [path for path in files_in(folder, ".md") if _NUMBER.match(path.stem)]


def _why_not(record: _Record, *, is_over: bool, has_heir: bool) -> str:
    if not record.title and not record.decision:
        return "no decision is written in it"
    if record.status.startswith(_NOT_DECIDED):
        return f"its status is '{record.status}': nobody has decided it yet"
    if record.status.startswith(_REFUSED):
        return f"its status is '{record.status}'"
    if is_over and not has_heir:
        return f"its status is '{record.status}', and no record here replaces it"
    return ""


def _name(path: Path) -> str:
    number = _NUMBER.match(path.stem)
    return f"{int(number[1]):04d}" if number else path.stem


def _all_replacements(records: dict[Path, _Record]) -> dict[str, set[str]]:
    """Return which record replaces which, as stated in either of the two."""
    known = {_name(path) for path in records}
    replaces: dict[str, set[str]] = {}
    for path, record in records.items():
        name = _name(path)
        pairs = [(name, old) for old in record.replaces]
        pairs += [(heir, name) for heir in record.replaced_by]
        for heir, old in pairs:
            if heir != old and {heir, old} <= known:
                replaces.setdefault(heir, set()).add(old)
    return replaces


def _record(text: str) -> _Record:
    facts, _ = frontmatter(text)
    every = [block for block in blocks(text) if block.sort not in {CODE, TABLE}]
    headings = [block for block in every if block.sort == HEADING]
    title = _TITLE_NUMBER.sub("", headings[0].text, count=1) if headings else ""
    said_status = facts.get("status")
    statuses = [said_status] if isinstance(said_status, str) else []
    statuses += [plain(block.text) for block in _under(every, ("status",))]
    statuses += [found[1] for block in every if (found := _STATUS_LINE.match(plain(block.text)))]
    decided = _first_words(_under(every, _DECIDED))
    at = (decided[0].first, decided[-1].last) if decided else _first_lines(headings)
    everything = [*statuses, *(plain(block.text) for block in every if block.sort != HEADING)]
    return _Record(
        title=title,
        status=statuses[0].strip().casefold() if statuses else "",
        decision=" ".join(plain(block.text) for block in decided),
        at=at,
        replaces=_named(_REPLACES, everything),
        replaced_by=_named(_REPLACED_BY, statuses),
    )


def _under(every: list[MarkdownBlock], names: tuple[str, ...]) -> list[MarkdownBlock]:
    """Return the blocks under the first heading with one of these names; deeper ones if needed."""
    said = [block for block in every if block.sort != HEADING]
    for name in names:
        for depth in (1, 2):
            found = [
                block
                for block in said
                if any(one.casefold().strip(" :") == name for one in block.trail[-depth:])
            ]
            if found:
                return found
    return []


def _first_words(decided: list[MarkdownBlock]) -> list[MarkdownBlock]:
    """Return the first blocks of a decision, as many as fit into a claim."""
    taken: list[MarkdownBlock] = []
    for block in decided:
        if taken and sum(len(one.text) for one in (*taken, block)) > _ENOUGH:
            break
        taken.append(block)
    return taken


def _first_lines(headings: list[MarkdownBlock]) -> tuple[int, int]:
    return (headings[0].first, headings[0].last) if headings else (1, 1)


def _named(pattern: re.Pattern[str], texts: list[str]) -> tuple[str, ...]:
    """Return the numbers of the records that texts name after certain words."""
    found = [_RECORD.search(said[1]) for text in texts for said in [pattern.search(text)] if said]
    return tuple(f"{int(number[1]):04d}" for number in found if number)
