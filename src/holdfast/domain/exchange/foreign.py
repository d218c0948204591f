"""Notes of other tools before they become candidates: claims with their places.

The instruction files for coding agents in a project, for all tools.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, LinkKind, Origin, Status
from holdfast.domain.text.fencing import without_injected
from holdfast.domain.text.words import singular, stem
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from holdfast.domain.memory.entry import Flaw


LONGEST_NOTE = 4_000
_WORD = re.compile(r"\w+")
_NOT_OF_A_KIND = re.compile(r"[^a-z0-9]+")
_NOT_OF_A_TAG = re.compile(r"[^\w./+-]+")
_LONGEST_WORD = 40
_KINDS: dict[str, Kind] = {
    "decision": Kind.DECISION,
    "design": Kind.DECISION,
    "rule": Kind.RULE,
    "convention": Kind.RULE,
    "requirement": Kind.RULE,
    "constraint": Kind.RULE,
    "preference": Kind.RULE,
    "policy": Kind.RULE,
    "feedback": Kind.RULE,
    "standard": Kind.RULE,
    "gotcha": Kind.GOTCHA,
    "risk": Kind.GOTCHA,
    "issue": Kind.GOTCHA,
    "problem": Kind.GOTCHA,
    "bug": Kind.GOTCHA,
    "bugfix": Kind.GOTCHA,
    "warning": Kind.GOTCHA,
    "pitfall": Kind.GOTCHA,
    "insight": Kind.INSIGHT,
    "idea": Kind.INSIGHT,
    "lesson": Kind.INSIGHT,
    "learning": Kind.INSIGHT,
    "assumption": Kind.ASSUMPTION,
    "invariant": Kind.INVARIANT,
    "plan": Kind.PLAN,
    "todo": Kind.PLAN,
    "task": Kind.PLAN,
    "epic": Kind.PLAN,
    "feature": Kind.PLAN,
    "failure": Kind.FAILURE,
    "example": Kind.EXEMPLAR,
    "alias": Kind.NAME_ALIAS,
}
_LINKS = {
    "relates-to": LinkKind.RELATED,
    "links-to": LinkKind.RELATED,
    "blocks": LinkKind.DEPENDS_ON,
    "requires": LinkKind.DEPENDS_ON,
    "uses": LinkKind.DEPENDS_ON,
}
# These kinds settle something between our memories; another tool's link must not do that.
_SETTLING = frozenset({"supersedes", "replaces", "contradicts", "derived-from", "compatible"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignLink:
    """A link from a note to another one of the same import, by that note's name."""

    to: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """One claim from another tool's notes.

    ``place`` is a reference for people: a path with its lines, or a file and a row. ``is_here``
    says that the place is in the current repository, so that it can be anchored and checked later.
    ``name`` is the name that links use. ``status`` is candidate, or superseded if the notes
    themselves say so.
    """

    claim: str
    kind: Kind
    source: str
    place: str
    origin: Origin = Origin.AGENT
    is_here: bool = False
    key: str | None = None
    name: str = ""
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None
    links: tuple[ForeignLink, ...] = ()
    status: Status = Status.CANDIDATE

    @property
    def clean_claim(self) -> str:
        """The claim without text that Holdfast injected, stripped of surrounding white space."""
        return without_injected(self.claim).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftNote:
    """A note that is not taken over, with the reason."""

    text: str
    place: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundNotes:
    """The notes to take over, the notes that were skipped, and the files that could not be read."""

    notes: tuple[Foreign, ...] = ()
    left: tuple[LeftNote, ...] = ()
    flaws: tuple[Flaw, ...] = ()


def together(parts: Iterable[FoundNotes]) -> FoundNotes:
    """Merge the results from several places."""
    every = list(parts)
    return FoundNotes(
        notes=tuple(note for one in every for note in one.notes),
        left=tuple(note for one in every for note in one.left),
        flaws=tuple(flaw for one in every for flaw in one.flaws),
    )


def kind_of(word: str, *, otherwise: Kind = Kind.FACT) -> Kind:
    """Return the kind that matches another tool's word."""
    plain = _NOT_OF_A_KIND.sub("-", word.casefold()).strip("-")
    return _KINDS.get(plain) or _KINDS.get(plain.removesuffix("s"), otherwise)


def link_kind(word: str) -> str:
    """Return the link kind for a relation: ours if it is known, otherwise the relation's word."""
    plain = _NOT_OF_A_KIND.sub("-", word.casefold()).strip("-")[:_LONGEST_WORD].strip("-")
    if not plain or not plain[0].isalpha() or plain in _SETTLING:
        return LinkKind.RELATED
    return _LINKS.get(plain, plain)


def tag_of(word: str) -> str:
    """Return a word as a tag: short and without spaces; empty if nothing is left."""
    return _NOT_OF_A_TAG.sub("-", word.strip().strip("#")).strip("-")[:_LONGEST_WORD]


def tags_of(*words: str) -> tuple[str, ...]:
    """Return words as tags, each once."""
    return tuple(dict.fromkeys(tag for tag in map(tag_of, words) if tag))


def told_about(subject: str, text: str) -> str:
    """Return a text that names its subject, so that it is complete by itself."""
    name, plain = subject.strip(), text.strip()
    if not name or not plain:
        return name or plain
    return plain if _is_named_in(plain, name) else f"{name}: {plain}"


def _is_named_in(text: str, name: str) -> bool:
    """Tell whether a text has each word of a name in any form: "Deploys" beside "deploy"."""
    if name.casefold() in text.casefold():
        return True
    named, said = map(_stems, (name, text))
    return bool(named) and named <= said


def _stems(text: str) -> set[str]:
    return {stem(singular(word)) for word in _WORD.findall(text.casefold())}


def cut_note(text: str) -> str:
    """Return a note cut to the size of a claim; a cut is stated at its end."""
    plain = text.strip()
    if len(plain) <= LONGEST_NOTE:
        return plain
    return f"{plain[:LONGEST_NOTE].rstrip()} [… the rest stands in the note]"


NAMES = ("CLAUDE.md", "AGENTS.md", "AGENTS.override.md", "AGENT.md", "GEMINI.md", "CONVENTIONS.md")
"""File names that may occur in any folder."""
SINGLE_FILES = (
    *(".cursorrules", ".windsurfrules", ".clinerules", ".rules", ".roorules"),
    ".github/copilot-instructions.md",
)
"""Files with a fixed path."""
FOLDERS = {
    ".claude/rules": (".md",),
    ".clinerules": (".md", ".txt"),
    ".cursor/rules": (".mdc",),
    ".github/instructions": (".instructions.md",),
    ".roo/rules": (".md", ".txt"),
    ".windsurf/rules": (".md",),
}
"""Folders of instruction files, and the endings of their names."""
