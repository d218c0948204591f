"""Instruction files for agents: one claim for every bullet and sentence that reads like a rule."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.foreign.markdown import BULLET, PARAGRAPH, blocks, plain
from holdfast.adapters.foreign.reading import files_in, files_of, read_text, regular
from holdfast.domain.choices import Kind
from holdfast.domain.entry import Flaw
from holdfast.domain.foreign import Found, LeftNote, cut_note, tags_of, together, told_about
from holdfast.domain.instruction_files import FOLDERS, NAMES, SINGLE_FILES
from holdfast.domain.refusals import NothingToImportError
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from holdfast.adapters.foreign.markdown import Block
    from holdfast.adapters.foreign.reading import Whence
    from holdfast.domain.foreign import Foreign

_DEEPEST = 4
_ENDINGS = (".md", ".mdc", ".txt")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'(*_])")
_LABEL = re.compile(r"[\w` /&.,-]{1,48}:\s+(?=\S)")
_ONLY_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)[.,;]?|@\S+|https?://\S+")
_FEWEST_WORDS = 3
_FEW_WORDS = 6
_MODAL = re.compile(
    r"\b(?:must|never|always|should|shall|do not|don't|doesn't|cannot|can't|may not|only|avoid|"
    r"prefer(?:red)?|required?|forbidden|mandatory|not allowed|make sure|ensure|instead of|"
    r"no longer|at least|at most|by default|without|unless|beware|watch out|careful)\b",
    re.IGNORECASE,
)
_GOTCHA = re.compile(
    r"\b(?:gotcha|beware|watch out|careful|caveat|known issue|pitfall|surpris\w+)\b", re.IGNORECASE
)
_RULES = re.compile(
    r"\b(?:rules?|conventions?|guidelines?|standards?|principles?|constraints?|requirements?|"
    r"invariants?|polic(?:y|ies)|practices|style|gotchas?|pitfalls?|important|must|never|always|"
    r"do(?:n'ts?|s)?|do nots?)\b",
    re.IGNORECASE,
)
_DECISION = re.compile(r"\b(?:we (?:decided|chose|agreed)|decision:)", re.IGNORECASE)
# fmt: off
_ORDERS = frozenset("""
    add adopt ask assume attach avoid await batch build bump cache call check choose cite clean
    close commit compare configure convert copy create cut declare decline define delete deploy
    describe design develop disable do document drop emit enable escape exclude expect explain
    export extend extract fail fetch filter fix flag follow format generate give group guard handle
    hide hold ignore implement import include inject inline install isolate keep label leave let
    limit link lint list load lock log make mark match merge migrate mock monitor move name never
    no normalize note notify open order organize override parse pass pin place plan prefer prefix
    preserve print propose pull push put quote raise read rebase record refactor refer register
    reject release reload remember remove rename replace report request require reset resolve
    respect restart return reuse revert review rewrite rotate round run sanitize save scope search
    separate serve set share show sign simplify skip sort specify split squash stage start stay
    stick stop store stub suggest tag target tell test throw track translate treat trim try type
    unify update upgrade use validate verify wait warn watch wrap write
""".split())  # noqa: SIM905 - a list of quoted words would be a page long
# fmt: on


class Instructions:
    """Reads the instruction files of a project, or those that are named."""

    def __init__(self, whence: Whence, paths: Sequence[Path]) -> None:
        self._whence = whence
        self._paths = paths

    def read(self) -> Found:
        """Return every rule with its lines."""
        files = self._files()
        if not files:
            looked = ", ".join((*NAMES[:3], *list(FOLDERS)[:3], SINGLE_FILES[-1]))
            raise NothingToImportError(what="instructions", looked=f"{looked} and their like")
        flaws = list[Flaw]()
        found = [
            self._rules(path, read_text(path, shown=self._whence.shown(path), flaws=flaws))
            for path in files
        ]
        return together([*found, Found(flaws=tuple(flaws))])

    def _files(self) -> list[Path]:
        root = self._whence.root
        found = files_of(self._paths, *_ENDINGS)
        if not self._paths:
            found += [path for path in files_in(root, *NAMES, depth=_DEEPEST) if path.name in NAMES]
            found += [root / name for name in SINGLE_FILES if regular(root / name)]
            for name, endings in FOLDERS.items():
                found += files_in(root / name, *endings)
        return list(dict.fromkeys(found))

    def _rules(self, path: Path, text: str) -> Found:
        notes: list[Foreign] = []
        left: list[LeftNote] = []
        for block in blocks(text):
            if block.sort == BULLET:
                claim = plain(block.text)
                why = why_no_rule(claim, under="".join(block.trail[-1:]))
                if not why:
                    notes.append(self._note(path, block, claim))
                elif claim.endswith(":"):
                    continue
                else:
                    place = self._whence.place(path, block.first, block.last)
                    left.append(LeftNote(text=claim, place=place, why=why))
            elif block.sort == PARAGRAPH:
                sentences = _SENTENCES.split(plain(block.text))
                claims = [one for one in sentences if not why_no_rule(one)]
                notes += [self._note(path, block, claim) for claim in claims]
        return Found(notes=tuple(notes), left=tuple(left))

    def _note(self, path: Path, block: Block, claim: str) -> Foreign:
        heading = block.trail[-1] if block.trail else ""
        stands_alone = len(claim.split()) >= _FEW_WORDS
        note = self._whence.note(
            path,
            claim=cut_note(claim if stands_alone else told_about(heading, claim)),
            kind=_kind(claim),
            at=(block.first, block.last),
        )
        return replace(note, tags=tags_of("instructions", heading.casefold()))


def why_no_rule(claim: str, *, under: str = "") -> str:
    """Say why a line is no rule to take over; nothing where it reads like one.

    Under a heading that says so, every bullet is meant as one.
    """
    if _ONLY_LINK.fullmatch(claim):
        return "only a link"
    if len(claim.split()) < _FEWEST_WORDS or claim.endswith(":"):
        return "too short to stand alone"
    if claim.endswith("?"):
        return "a question"
    if _RULES.search(under) or _MODAL.search(claim) or _DECISION.search(claim) or _is_order(claim):
        return ""
    return "does not read like a rule"


def _is_order(claim: str) -> bool:
    """Tell whether a claim begins with what somebody shall do, after a label or not."""
    starts = [claim, *(claim[label.end() :] for label in [_LABEL.match(claim)] if label)]
    words = [start.split(maxsplit=1)[0].strip("`*_\"'(,.").casefold() for start in starts]
    return any(word in _ORDERS for word in words)


def _kind(claim: str) -> Kind:
    if _GOTCHA.search(claim):
        return Kind.GOTCHA
    return Kind.DECISION if _DECISION.search(claim) else Kind.RULE
