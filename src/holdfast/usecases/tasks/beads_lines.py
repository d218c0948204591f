"""Reads and screens the lines of beads' issues.jsonl."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.domain.tasks.beads import BeadsIssue, read_issue
from holdfast.domain.tasks.errors import BadTaskLineError
from holdfast.usecases.screening import SecretPolicy, screened_values

if TYPE_CHECKING:
    from collections.abc import Iterable

_LARGEST_LINE = 64 * 1024
_MOST_LINES = 200_000


def read_lines(lines: Iterable[str]) -> dict[str, BeadsIssue]:
    """Read and screen every line, before anything is written."""
    found: dict[str, BeadsIssue] = {}
    for number, text in enumerate(itertools.islice(lines, _MOST_LINES + 1), start=1):
        if number > _MOST_LINES:
            raise BadTaskLineError(number, f"the file has over {_MOST_LINES:,} lines.")
        if not text.strip():
            continue
        issue = _issue(number, text)
        if issue.id in (*issue.blocked_by, issue.parent):
            raise BadTaskLineError(number, f"'{issue.id}' waits for itself or is its own parent.")
        if issue.id in found:
            raise BadTaskLineError(number, f"the id '{issue.id}' is there twice.")
        found[issue.id] = issue
    return found


def _issue(number: int, text: str) -> BeadsIssue:
    if len(text.encode("utf-8", "replace")) > _LARGEST_LINE:
        raise BadTaskLineError(number, f"it has over {_LARGEST_LINE:,} bytes.")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise BadTaskLineError(number, "it is not JSON.") from None
    if not isinstance(value, dict):
        raise BadTaskLineError(number, "it is not an object.")
    try:
        return read_issue(screened_values(value, what="issue", secrets=SecretPolicy.REFUSE))
    except InvalidError as error:
        raise BadTaskLineError(number, str(error)) from error
