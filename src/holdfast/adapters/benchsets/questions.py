"""Reads the questions of a set."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from holdfast.adapters.benchsets.documents import DEFAULT_GROUP
from holdfast.adapters.benchsets.files import part, records
from holdfast.domain.errors import BadFieldError, InvalidError
from holdfast.domain.evaluation.benchmark import BadSetError, NoSetError, Query
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from holdfast.domain.fields import Fields

_DEFAULT_CATEGORY = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question as it is in the file, and its restrictions."""

    query: Query
    group: str
    corpus: str | None
    before: str | None


def questions_in(folder: Path) -> tuple[AskedQuestion, ...]:
    """Return the questions of a folder.

    Raises:
        BadSetError: The file is damaged, has invalid values, or repeats an id.
        NoSetError: There is no such file.
    """
    path = part(folder, "queries")
    if path is None:  # it existed a moment ago
        raise NoSetError(str(folder), "its questions are gone.")
    asked: dict[str, AskedQuestion] = {}
    for number, fields in records(path, noun="query"):
        try:
            one = _asked(fields)
        except InvalidError as error:
            raise BadSetError(str(path), f"makes no sense: {error}", line=number) from None
        name = one.query.id
        if name in asked:
            problem = f"repeats the id '{name}' of an earlier question. Give each its own id."
            raise BadSetError(str(path), problem, line=number)
        asked[name] = one
    return tuple(asked.values())


def _asked(fields: Fields) -> AskedQuestion:
    meta = fields.raw("meta")
    about = cast("Mapping[str, object]", meta) if isinstance(meta, dict) else {}
    corpus, before = about.get("corpus"), about.get("new")
    return AskedQuestion(
        query=Query(
            id=fields.text("id"),
            text=_text(fields),
            category=fields.maybe_text("category") or _DEFAULT_CATEGORY,
            gold=fields.words("gold"),
            answers=_answers(fields.raw("answer")),
            key=fields.words("key") if fields.raw("key") is not None else (),
            stale=fields.words("stale") if fields.raw("stale") is not None else (),
        ),
        group=fields.maybe_text("group") or DEFAULT_GROUP,
        corpus=corpus if isinstance(corpus, str) else None,
        before=before if isinstance(before, str) else None,
    )


def _text(fields: Fields) -> str:
    text = fields.text("text")
    if not text.strip():
        raise BadFieldError(field="query's text", problem="is empty.")
    return text


def _answers(value: object) -> tuple[str, ...]:
    values = value if isinstance(value, list) else [value]
    return tuple(str(one) for one in values if one is not None)
