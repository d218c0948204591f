"""Reads agents' instruction files: one claim for each bullet or passage that is a rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.markdown import BULLET, CODE, HEADING, PARAGRAPH, bare, blocks
from holdfast.adapters.foreign.markup import is_task, plain
from holdfast.adapters.foreign.passages import last_sentence, leans_on_another, passages, under
from holdfast.adapters.foreign.reading import files_in, files_of, read_text, regular
from holdfast.adapters.foreign.rule_words import (
    DECISION,
    GENERIC,
    GOTCHA,
    LEADS_ORDERS,
    MODAL,
    NEGATED,
    ORDERS,
    POLARITY,
    SECTIONS,
    is_unread,
    is_unspaced,
)
from holdfast.domain.choices import Kind
from holdfast.domain.exchange.foreign import (
    FOLDERS,
    NAMES,
    SINGLE_FILES,
    FoundNotes,
    LeftNote,
    cut_note,
    tags_of,
    together,
    told_about,
)
from holdfast.domain.memory.entry import Flaw
from holdfast.domain.refusals import NothingToImportError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.markdown import MarkdownBlock
    from holdfast.adapters.foreign.reading import ImportSource
    from holdfast.domain.exchange.foreign import Foreign

_DEEPEST = 4
_ENDINGS = (".md", ".mdc", ".txt")
_LABEL = re.compile(r"[\w` /&.,-]{1,48}:\s+(?=\S)")
_ONLY_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)[.,;]?|@\S+|https?://\S+")
_WORD = re.compile(r"[\w']+")
_WORDS = re.compile(r"\w.*\w", re.DOTALL)
_FEWEST_WORDS = 3
_FEW_WORDS = 6
_FEWEST_SIGNS = 6
_LONGEST_SHOWN = 200
_LONGEST_PASSAGE = 600


class Instructions:
    """Reads the instruction files of a project, or the given ones."""

    def __init__(self, import_source: ImportSource, paths: Sequence[Path]) -> None:
        self._whence = import_source
        self._paths = paths

    def read(self) -> FoundNotes:
        """Return every rule with its lines, and what was left out with the reason."""
        files = self._files()
        if not files:
            looked = ", ".join((*NAMES[:3], *list(FOLDERS)[:3], SINGLE_FILES[-1]))
            raise NothingToImportError(what="instructions", looked=f"{looked} and their like")
        flaws = list[Flaw]()
        found = [
            self._rules(path, read_text(path, shown=self._whence.shown(path), flaws=flaws))
            for path in files
        ]
        return together([*found, FoundNotes(flaws=tuple(flaws))])

    def _files(self) -> list[Path]:
        root = self._whence.root
        found = files_of(self._paths, *_ENDINGS)
        if not self._paths:
            found += [path for path in files_in(root, *NAMES, depth=_DEEPEST) if path.name in NAMES]
            found += [root / name for name in SINGLE_FILES if regular(root / name)]
            for name, endings in FOLDERS.items():
                found += files_in(root / name, *endings)
        return list(dict.fromkeys(found))

    def _rules(self, path: Path, text: str) -> FoundNotes:
        parts: list[FoundNotes] = []
        before: MarkdownBlock | None = None
        page = list(blocks(text))
        named = _named_lists(page)
        for block in page:
            if block.sort == BULLET:
                parts.append(self._point(path, block, before, is_named=block.trail in named))
            elif block.sort == PARAGRAPH:
                parts += self._passages(path, block, block.parent or _paragraph(before))
            elif block.sort != HEADING:
                why = "a fenced block" if block.sort == CODE else "a table"
                parts.append(self._left(path, block, told_about(block.lead, bare(block)), why))
            before = block if block.sort in {PARAGRAPH, BULLET} else None
        return together(parts)

    def _point(
        self, path: Path, block: MarkdownBlock, before: MarkdownBlock | None, *, is_named: bool
    ) -> FoundNotes:
        claim = plain(block.text)
        if claim.endswith((":", "：")):  # its nested bullets include its words
            return FoundNotes()
        if why := _why_no_point(block):
            return self._left(path, block, claim, why)
        section = _section(block.trail)
        note = self._note(path, block, claim, section, before, is_named=is_named)
        return FoundNotes(notes=(note,))

    def _passages(self, path: Path, block: MarkdownBlock, before: str) -> Iterator[FoundNotes]:
        """Yield the passages of a paragraph: sentences that belong together, with their subject."""
        section = _section(block.trail)
        for passage in self._parted(block, before, section):
            whys = [why_no_rule(one, section=_of_passages(section)) for one in passage]
            claim = " ".join(passage)
            if "" in whys:
                yield FoundNotes(notes=(self._note(path, block, claim, section),))
            elif not claim.endswith((":", "：")):
                yield self._left(path, block, claim, whys[-1])

    def _parted(self, block: MarkdownBlock, before: str, section: Kind | None) -> list[list[str]]:
        """Split a paragraph; a short one under a heading such as "Gotchas" stays whole."""
        text = plain(block.text)
        is_one = _of_passages(section) is not None and len(text) <= _LONGEST_PASSAGE
        return [[text]] if is_one else passages(text, before=before)

    def _left(self, path: Path, block: MarkdownBlock, text: str, why: str) -> FoundNotes:
        place = self._whence.place(path, block.first, block.last)
        shown = " ".join(text.split())[:_LONGEST_SHOWN]
        return FoundNotes(left=(LeftNote(text=shown, place=place, why=why),))

    def _note(
        self,
        path: Path,
        block: MarkdownBlock,
        claim: str,
        section: Kind | None,
        before: MarkdownBlock | None = None,
        *,
        is_named: bool = False,
    ) -> Foreign:
        headings = block.trail[:-1] if block.lead else block.trail
        heading = headings[-1] if headings else ""
        told = _told_whole(claim, block, heading=heading, before=before)
        if is_named and told == claim and not _LABEL.match(claim):
            told = _under_heading(claim, heading)
        note = self._whence.note(
            path,
            claim=cut_note(told),
            kind=_kind(claim, section),
            at=(block.first, block.last),
        )
        tag = block.trail[-1] if block.trail else ""
        return replace(note, tags=tags_of("instructions", tag.casefold()))


def _paragraph(block: MarkdownBlock | None) -> str:
    return plain(block.text) if block is not None and block.sort == PARAGRAPH else ""


def _told_whole(
    claim: str, block: MarkdownBlock, *, heading: str, before: MarkdownBlock | None
) -> str:
    """Return a claim with the context it depends on.

    That is the parent bullet, else the paragraph directly before the list, else the heading, else
    the bullet before it.
    """
    if block.sort == BULLET and block.parent.rstrip(":：") != block.lead:
        claim = under(block.parent, claim)
    is_open = leans_on_another(claim) and not block.lead
    if is_open and (intro := _paragraph(before)):
        return under(last_sentence(intro), claim)
    told = _with_subject(claim, lead=block.lead, heading=heading)
    earlier = "" if before is None else plain(before.text)
    is_open = is_open and told == claim and not leans_on_another(earlier)
    return under(earlier, claim) if is_open else told


def _with_subject(claim: str, *, lead: str, heading: str) -> str:
    """Return a claim that names its subject, so that it is understood without context."""
    needs_sense = bool(POLARITY.fullmatch(_bare(lead)))
    if lead and (needs_sense or not _is_generic(lead)):
        claim = told_about(lead, claim)
    if POLARITY.fullmatch(_bare(heading)):
        return claim if needs_sense or NEGATED.match(claim) else told_about(heading, claim)
    return claim if _stands_alone(claim) else _under_heading(claim, heading)


def _stands_alone(claim: str) -> bool:
    """Tell whether a claim is long enough to name its subject itself."""
    is_long = len(claim.split()) >= _FEW_WORDS or is_unspaced(claim)
    return is_long and not leans_on_another(claim)


def _under_heading(claim: str, heading: str) -> str:
    """Return a claim after its heading; a word such as "Rules" names no subject."""
    is_empty = SECTIONS.fullmatch(_bare(heading)) or POLARITY.fullmatch(_bare(heading))
    return claim if is_empty else told_about(heading, claim)


def _named_lists(page: Sequence[MarkdownBlock]) -> frozenset[tuple[str, ...]]:
    """Return the headings of the lists in which an item needs the heading: then all get it."""
    return frozenset(
        block.trail
        for block in page
        if block.sort == BULLET and not block.lead and not _why_no_point(block)
        if not _stands_alone(plain(block.text))
    )


def _why_no_point(block: MarkdownBlock) -> str:
    """Return why a bullet is not a rule to import; '' if it is one."""
    is_ordered = LEADS_ORDERS.match(block.lead) is not None
    # A list of steps with boxes is a rule only after words such as "Before each release:".
    if is_task(block.text) and not is_ordered:
        return "a task"
    section = _section(block.trail) or (Kind.RULE if is_ordered else None)
    return why_no_rule(plain(block.text), section=section)


def _bare(heading: str) -> str:
    """Return a heading without surrounding punctuation."""
    found = _WORDS.search(heading)
    return found[0] if found else ""


def _is_generic(lead: str) -> bool:
    return GENERIC.issuperset(word.casefold() for word in _WORD.findall(lead))


def why_no_rule(claim: str, *, section: Kind | None = None) -> str:
    """Return why a line is not a rule to import; '' if it is one.

    In a section whose heading announces rules, every bullet counts as one.
    """
    if _ONLY_LINK.fullmatch(claim):
        return "only a link"
    if _is_too_short(claim):
        return "too short to stand alone"
    if claim.endswith(("?", "？")):
        return "a question"
    if section or _reads_like_a_rule(claim):
        return ""
    return (
        "in a language that is not read here" if is_unread(claim) else "does not read like a rule"
    )


def _is_too_short(claim: str) -> bool:
    if claim.endswith((":", "：")):
        return True
    if is_unspaced(claim):
        return len(claim) < _FEWEST_SIGNS
    return len(claim.split()) < _FEWEST_WORDS


def _reads_like_a_rule(claim: str) -> bool:
    return bool(MODAL.search(claim) or DECISION.search(claim)) or _is_order(claim)


def _is_order(claim: str) -> bool:
    """Return whether a claim begins with an instruction, possibly after a label."""
    starts = [claim, *(claim[label.end() :] for label in [_LABEL.match(claim)] if label)]
    words = [start.split(maxsplit=1)[0].strip("`*_\"'(,.").casefold() for start in starts]
    return any(word in ORDERS for word in words)


def _section(trail: Sequence[str]) -> Kind | None:
    """Return the kind that the nearest known heading gives to the text below it."""
    for heading in reversed(trail):
        if found := SECTIONS.search(heading):
            return Kind(str(found.lastgroup))
    return None


def _of_passages(section: Kind | None) -> Kind | None:
    """Drop kinds that count for bullets only: a paragraph under "Rules" may introduce them."""
    return None if section is Kind.RULE else section


def _kind(claim: str, section: Kind | None) -> Kind:
    if section is not None and section is not Kind.RULE:
        return section
    if GOTCHA.search(claim):
        return Kind.GOTCHA
    return Kind.DECISION if DECISION.search(claim) else Kind.RULE
