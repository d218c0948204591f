"""Find a first claim for a newcomer to remember: a sentence about this repository's code.

Choose the files of a repository that most likely contain a first claim for a newcomer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from holdfast.domain.exchange.files_to_read import is_code, is_prose
from holdfast.domain.gates.secrets import find_secrets
from holdfast.domain.text.words import STOP_WORDS
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


_SHORTEST, _LONGEST, _FEWEST_WORDS = 20, 120, 4
_MOST_LINES_OF_SENTENCE = 4
_MOST_LINES_OF_SIGNATURE = 12
_MOST_LINES_OF_BODY = 40
_WORDS_TO_ASK = 3
_DEFINITION = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:export|default|public|private|protected|internal|static|async|final"
    r"|abstract|pub(?:\(\w+\))?|inline|virtual|override|unsafe|open|suspend)\s+)*"
    r"(?P<what>def|class|function|func|fn|fun|struct|interface|trait|module|enum|sub)\s+"
    r"(?:\([^()]*\)\s*)?(?P<name>[^\W\d]\w*)"
)
_DOCSTRING = re.compile(r"\s*[rRuU]{0,2}(?P<quotes>\"\"\"|''')(?P<text>.*)")
_COMMENT = re.compile(r"\s*(?:#+|//[/!]?|--+|;+|/\*\*?|\*/|\*)(?:[ \t]+(?P<text>\S.*)|[ \t]*\Z)")
_CLOSING = re.compile(r"[ \t]*(?:[)\]}]|end\b)")
_END_OF_SENTENCE = re.compile(r"(?<=[.!?])(?:\s|\Z)|(?<=。)")
_QUOTED = re.compile(r"(?<![:\w])(`{1,2})([^`]+)\1(?!_)")
# Letters, digits and plain punctuation: no special characters of shells or Markdown.
_PLAIN = re.compile(r"[\w ,.;:()'/%+。、，-]+")
_NO_CLAIM = re.compile(
    r"copyright|licen[cs]e|spdx|all rights|todo|fixme|xxx|noqa|pylint|eslint|pragma|coding[:=]"
    r"|deprecated|https?:|www\.|\A(?:note|see|usage|example|e\.g|param|args?|returns?):",
    re.IGNORECASE,
)
_FUNCTION, _CLASS, _REMARK, _PROSE = range(4)
_TELLING_LENGTH = 40
_BEST = (_FUNCTION, False, False)
_CLASSES = frozenset({"class", "struct", "interface", "trait", "module", "enum"})


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstClaim:
    """A claim, the lines it comes from, and a question that it answers."""

    path: str
    first: int
    last: int
    claim: str
    question: str


class _Found(NamedTuple):
    """A claim in one file; a lower rank means that it says more about the code."""

    rank: tuple[int, bool, bool]
    first: int
    last: int
    claim: str
    question: str


def first_claim(
    files: Iterable[tuple[str, Sequence[str]]], *, objection: Callable[[str], str]
) -> FirstClaim | None:
    """Return the best claim of the files, which come best first; None if they contain none.

    ``objection`` returns why a claim is not worth keeping; empty if it is.
    """
    best: tuple[_Found, str] | None = None
    for path, lines in files:
        for found in _claims(path, lines, objection):
            if best is None or found.rank < best[0].rank:
                best = found, path
        if best is not None and best[0].rank == _BEST:
            break
    if best is None:
        return None
    found, path = best
    return FirstClaim(
        path=path, first=found.first, last=found.last, claim=found.claim, question=found.question
    )


def _claims(path: str, lines: Sequence[str], objection: Callable[[str], str]) -> Iterator[_Found]:
    """Return the claims of a file that may be shown: no secrets, no hidden text, no orders."""
    found = _of_prose(lines) if is_prose(path) else _of_code(lines, is_code=is_code(path))
    for one in found:
        cited = lines[one.first - 1 : one.last]
        if not objection(one.claim) and not find_secrets("\n".join((one.claim, *cited))):
            yield one


def _of_code(lines: Sequence[str], *, is_code: bool) -> Iterator[_Found]:
    for row, line in enumerate(lines):
        definition = _DEFINITION.match(line) if is_code else None
        if definition is not None and not definition["name"].startswith("_"):
            sentence = _documentation(lines, row)
            if sentence:
                yield _of_definition(definition, sentence, row, lines)
        elif _begins_comment(lines, row):
            texts, after = _comment(lines, row)
            sentence = _sentence(texts)
            if sentence and after < len(lines) and lines[after].strip():
                yield _Found(
                    _rank(_REMARK, line, sentence), row + 1, after + 1, sentence, _topic(sentence)
                )


def _of_definition(
    definition: re.Match[str], sentence: str, row: int, lines: Sequence[str]
) -> _Found:
    name, is_class = definition["name"], definition["what"] in _CLASSES
    claim = sentence if re.search(rf"\b{name}\b", sentence) else f"{name}: {sentence}"
    question = f"what is {name} for" if is_class else f"what does {name} do"
    rank = _rank(_CLASS if is_class else _FUNCTION, lines[row], sentence)
    return _Found(rank, row + 1, _end_of_body(lines, row) + 1, claim, question)


def _rank(sort: int, line: str, sentence: str) -> tuple[int, bool, bool]:
    """Return the rank of a claim, lower is better: by its sort, then nesting, then shortness."""
    return sort, _indent(line) > 0, len(sentence) < _TELLING_LENGTH


def _of_prose(lines: Sequence[str]) -> Iterator[_Found]:
    """Return the first sentence of each paragraph; lists, headings and code blocks are skipped."""
    for row, line in enumerate(lines):
        begins = line[:1].strip() and (row == 0 or not lines[row - 1].strip())
        underlined = row + 1 < len(lines) and re.fullmatch(r"[=\-~^*#]{3,}\s*", lines[row + 1])
        if not begins or underlined:
            continue
        texts = _until_blank(lines, row)
        sentence = _sentence(texts)
        if sentence:
            rank = _rank(_PROSE, line, sentence)
            yield _Found(rank, row + 1, row + len(texts), sentence, _topic(sentence))


def _documentation(lines: Sequence[str], row: int) -> str:
    """Return the first sentence of a definition's docstring, or of the comment above it.

    If a signature ends with a colon, the language has docstrings, and a comment above is only a
    remark.
    """
    for end in range(row, min(row + _MOST_LINES_OF_SIGNATURE, len(lines) - 1)):
        opened = _DOCSTRING.match(lines[end + 1])
        if opened is not None:
            return _sentence(_docstring(lines, end + 1, opened))
        if lines[end].rstrip().endswith(":"):
            return ""
    above = row
    while above > 0 and _COMMENT.match(lines[above - 1]):
        above -= 1
    return _sentence(_comment(lines, above)[0])


def _docstring(lines: Sequence[str], row: int, opened: re.Match[str]) -> list[str]:
    texts = [opened["text"], *lines[row + 1 : row + 1 + _MOST_LINES_OF_SENTENCE]]
    if not texts[0].strip():
        texts = texts[1:]
    taken: list[str] = []
    for text in texts:
        before, quotes, _ = text.partition(opened["quotes"])
        taken.append(before)
        if quotes or not before.strip():
            break
    return taken


def _begins_comment(lines: Sequence[str], row: int) -> bool:
    """Tell whether a comment begins here; one at the top of a file usually holds its licence."""
    begins = row > 0 and _COMMENT.match(lines[row]) is not None
    return begins and not _COMMENT.match(lines[row - 1])


def _comment(lines: Sequence[str], row: int) -> tuple[list[str], int]:
    """Return the text of a comment, and the row after it."""
    texts: list[str] = []
    while row < len(lines) and (comment := _COMMENT.match(lines[row])) is not None:
        texts.append((comment["text"] or "").removesuffix("*/"))
        row += 1
    return texts, row


def _until_blank(lines: Sequence[str], row: int) -> list[str]:
    end = row
    while end < len(lines) and lines[end].strip() and end - row < _MOST_LINES_OF_SENTENCE:
        end += 1
    return list(lines[row:end])


def _sentence(texts: Sequence[str]) -> str:
    """Return the first sentence, if it is plain prose and short enough to type."""
    words = " ".join(" ".join(texts[:_MOST_LINES_OF_SENTENCE]).split())
    sentence = _QUOTED.sub(r"\2", _END_OF_SENTENCE.split(words)[0].strip())
    is_plain = _PLAIN.fullmatch(sentence) is not None and not _NO_CLAIM.search(sentence)
    begins = sentence[:1].isalnum() and not sentence[:1].islower()
    is_whole = begins and sentence.endswith((".", "。"))
    has_words = len(sentence.split()) >= _FEWEST_WORDS or not sentence.isascii()
    has_length = _SHORTEST <= len(sentence) <= _LONGEST
    return sentence if is_plain and is_whole and has_words and has_length else ""


def _end_of_body(lines: Sequence[str], row: int) -> int:
    """Return the last row of a definition: its indented lines and the closing one."""
    indent = _indent(lines[row])
    last = row
    for below in range(row + 1, min(row + _MOST_LINES_OF_BODY, len(lines))):
        line = lines[below]
        if not line.strip():
            continue
        if _indent(line) <= indent and not _CLOSING.match(line):
            break
        last = below
    return last


def _indent(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _topic(sentence: str) -> str:
    """Return the first content words of a sentence."""
    words = re.findall(r"\w[\w-]*", sentence)
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    return " ".join((telling or words)[:_WORDS_TO_ASK])
