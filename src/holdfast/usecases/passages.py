"""Passages: code and commits that answer a question, beside what is remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import NoHistoryError, NothingCommittedError, UnavailableError
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from holdfast.domain.passage import Passage
    from holdfast.domain.question import Question
    from holdfast.ports.code import CodeIndex, HistoryIndex

CODE, HISTORY = "code", "history"
_NO_CODE = "there is no code index here, so only memories are searched"
_NO_HISTORY = "no commits were read yet; `holdfast import git` reads them"
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
    for what, index, missing in (
        (CODE, code, _NO_CODE),
        (HISTORY, history, _NO_HISTORY),
    ):
        if what not in question.include:
            continue
        if index is None:
            notes.append(missing)
            continue
        try:
            found += enumerate(index.search(question.text, limit=question.limit))
        except (NoHistoryError, NothingCommittedError):
            notes.append(_NO_REPOSITORY.format(what=what))
        except UnavailableError as error:
            notes.append(f"no {what} was searched: {error}")
    found.sort(key=lambda ranked: (ranked[0], -ranked[1].score))
    return Passages(found=tuple(passage for _, passage in found), notes=tuple(notes))
