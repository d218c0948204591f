"""Passages: code and commits that answer a question, beside what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoHistoryError, NothingCommittedError, UnavailableError
from holdfast.domain.sifting import sifted_passages
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.passage import Passage
    from holdfast.domain.question import Question
    from holdfast.ports.code import CodeIndex, HistoryIndex

CODE, HISTORY = "code", "history"
_NO_CODE = "there is no code index here, so only memories are searched"
_NO_HISTORY = "no commit of this repository was read yet; `holdfast import git` reads them"
_NO_REPOSITORY = "there is no repository here, so no {what} is searched"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """What was found, best first, and what to say about it."""

    found: tuple[Passage, ...] = ()
    notes: tuple[str, ...] = ()


def passages(
    question: Question, *, code: CodeIndex | None, history: HistoryIndex | None
) -> Passages:
    """Search what the question includes besides memories; what cannot be searched says so.

    The best of each come before the second of any: code alone could fill every answer.
    """
    found: list[tuple[int, Passage]] = []
    notes: list[str] = []
    if CODE in question.include:
        searched = _searched(CODE, question, code) if code else Passages(notes=(_NO_CODE,))
        found += enumerate(searched.found)
        notes += searched.notes
    if HISTORY in question.include:
        searched = _told(question, history) if history else Passages(notes=(_NO_HISTORY,))
        found += enumerate(searched.found)
        notes += searched.notes
    found.sort(key=lambda ranked: (ranked[0], -ranked[1].score))
    return Passages(found=tuple(passage for _, passage in found), notes=tuple(notes))


def _told(question: Question, history: HistoryIndex) -> Passages:
    """Search the commits, and say how they are read where none was."""
    searched = _searched(HISTORY, question, history)
    if searched.found or searched.notes or history.is_read():
        return searched
    return Passages(notes=(_NO_HISTORY,))


def _searched(what: str, question: Question, index: CodeIndex | HistoryIndex) -> Passages:
    try:
        found = index.search(question.text, limit=question.limit)
    except (NoHistoryError, NothingCommittedError):
        return Passages(notes=(_NO_REPOSITORY.format(what=what),))
    except UnavailableError as error:
        return Passages(notes=(f"no {what} was searched: {error}",))
    return Passages(found=tuple(sifted_passages(found, question.text)))
