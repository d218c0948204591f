"""Passages: code and commits that answer a question, beside memories."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError, NothingCommittedError
from holdfast.domain.recall.sifting import sifted_passages
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.recall.bundle import Passage
    from holdfast.domain.recall.question import Question
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.recall.code import CodeIndex, HistoryIndex

CODE, HISTORY = "code", "history"
_NO_CODE = "there is no code index here, so only memories were searched"
NO_COMMITS_READ = "the commits of this repository are not indexed yet, so history was not searched"
_NO_REPOSITORY = "this folder is not in a git repository, so {what} was not searched"
_NO_COMMIT = "this repository has no commits yet, so {what} was not searched"
_PRESENT_CODE = "code is shown as it is in this checkout now, not as of {at}"
UNREAD_CODE = "code: only {files} of {all} files are indexed so far, so some code may be missing"
UNREAD_COMMITS = (
    "history: only {read} of {all} commits are indexed so far, so some commits may be missing"
)
UNEMBEDDED_CODE = "code: {many} symbols have no embedding yet, and were searched by words only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passages:
    """The passages, best first, and notes about the search."""

    found: tuple[Passage, ...] = ()
    notes: tuple[str, ...] = ()


def passages(
    question: Question,
    *,
    code: CodeIndex | None,
    history: HistoryIndex | None,
    verifier: Verifier | None,
) -> Passages:
    """Search code and history as the question requests; a note names what was not searched.

    As of a commit or a day, only the commits that lead to it are searched.

    The best hits of each source come before the second hits of any, because code alone could fill
    every answer.
    """
    found: list[tuple[int, Passage]] = []
    notes: list[str] = []
    for what, index, missing in (
        (CODE, partial(_code, code), _NO_CODE),
        (HISTORY, partial(_history, history, verifier), NO_COMMITS_READ),
    ):
        if what not in question.include:
            continue
        try:
            answer = index(question, notes)
        except NothingCommittedError:
            notes.append(_NO_COMMIT.format(what=what))
        except NoHistoryError:
            notes.append(_NO_REPOSITORY.format(what=what))
        except UnavailableError as error:
            notes.append(f"{what} was not searched: {error}")
        else:
            notes += [missing] if answer is None else []
            if what == CODE and answer and question.as_of is not None:
                notes.append(_PRESENT_CODE.format(at=question.as_of))
            found += enumerate(sifted_passages(answer or (), question.text))
    found.sort(key=lambda ranked: (ranked[0], -ranked[1].score))
    return Passages(found=tuple(passage for _, passage in found), notes=tuple(notes))


def _code(
    index: CodeIndex | None, question: Question, notes: list[str]
) -> Sequence[Passage] | None:
    """Return the code that answers; None if there is no index.

    Notes count the files that were not read yet, and the symbols that were not embedded yet.
    """
    if index is None:
        return None
    found = index.search(question.text, limit=question.limit)
    if found.unread:
        notes.append(
            UNREAD_CODE.format(files=f"{found.files:,}", all=f"{found.files + found.unread:,}")
        )
    elif found.unembedded:
        notes.append(UNEMBEDDED_CODE.format(many=f"{found.unembedded:,}"))
    return found.passages


def _history(
    index: HistoryIndex | None, verifier: Verifier | None, question: Question, notes: list[str]
) -> Sequence[Passage] | None:
    """Return the commits that answer; None if none were read yet.

    A note counts the commits that were not read yet.
    """
    if index is None:
        return None
    at = None
    if question.as_of is not None:
        if verifier is None:
            raise NoHistoryError
        at = verifier.resolve(question.as_of).id
    found = index.search(question.text, limit=question.limit, at=at)
    if found is None:
        return None
    if found.unread:
        every = found.commits + found.unread
        notes.append(UNREAD_COMMITS.format(read=f"{found.commits:,}", all=f"{every:,}"))
    return found.passages
