"""Type checks for the arguments of the Python API; an error names the wrong argument."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from holdfast.domain.choices import choose
from holdfast.domain.errors import BadFieldError, InvalidError
from holdfast.domain.memory.evidence import Evidence
from holdfast.surfaces.python.answers import Answer
from holdfast.surfaces.python.memories import HasId

if TYPE_CHECKING:
    from holdfast.domain.sessions.transcript import Turn

_LONGEST_QUOTE = 40


class WrongTypeError(InvalidError, TypeError, code="wrong-type"):
    """An argument has another type than the one that is expected."""

    def __init__(self, *, verb: str, name: str, expected: str, value: object) -> None:
        super().__init__(
            f"{verb}: {name} must be {expected}; it is {_said(value)}.",
            verb=verb,
            name=name,
            expected=expected,
        )


class UnknownOptionError(InvalidError, TypeError, code="unknown-option"):
    """A method has no such option."""

    def __init__(self, *, verb: str, name: str, options: Iterable[str]) -> None:
        known = list(options)
        super().__init__(
            f"{verb}: there is no option '{name}'; there are: {', '.join(known)}.",
            verb=verb,
            name=name,
            options=known,
        )


class Expected(NamedTuple):
    """A description of a type for messages, and the check for it."""

    words: str
    fits: Callable[[object], bool]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_several(value: object, kinds: type | tuple[type, ...] = str) -> bool:
    """Return whether it is one of these kinds, or a collection of them that can be read twice."""
    if isinstance(value, kinds):
        return True
    if not isinstance(value, list | tuple | set | frozenset):
        return False
    return all(isinstance(item, kinds) for item in value)


TEXT = Expected("text", lambda value: isinstance(value, str))
WHOLE = Expected(
    "a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)
)
NUMBER = Expected("a number", _is_number)
TRUTH = Expected("True or False", lambda value: isinstance(value, bool))
TEXTS = Expected("a text or a list of texts", _is_several)
EVIDENCE = Expected(
    "a list of places as text ('src/app.py:3-9') or of evidence (holdfast.url(…))",
    lambda value: _is_several(value, (str, Evidence, os.PathLike)),
)
LIFETIME = Expected(
    "a text such as '30d', or a timedelta", lambda value: isinstance(value, str | timedelta)
)
LEASE = Expected(
    "a text such as '30m', or a timedelta", lambda value: isinstance(value, str | timedelta)
)
FACTS = Expected("a dictionary", lambda value: isinstance(value, Mapping))
PLACE = Expected("a path", lambda value: isinstance(value, str | os.PathLike))
_NO_PATH = "is no path that this system can have."
MEMORY = Expected("a memory or its id", lambda value: isinstance(value, str | HasId))
MEMORIES = Expected(
    "a list of memories or their ids", lambda value: _is_several(value, (str, HasId))
)
ANSWER = Expected("an answer or its id", lambda value: isinstance(value, str | Answer))

OPTIONS: dict[str, Expected] = {
    **dict.fromkeys(("kind", "scope", "key", "label", "because", "origin"), TEXT),
    **dict.fromkeys(("source", "as_of", "branch", "max_risk", "merge", "reason"), TEXT),
    **dict.fromkeys(("scope_new", "scope_old"), TEXT),
    **dict.fromkeys(("max_age", "unused_for", "min_relevance"), TEXT),
    **dict.fromkeys(("namespaces", "causes"), TEXTS),
    **dict.fromkeys(("tags", "include", "kinds", "scopes", "checks"), TEXTS),
    **dict.fromkeys(("statuses", "origins"), TEXTS),
    **dict.fromkeys(("budget", "limit"), WHOLE),
    **dict.fromkeys(("importance", "weight"), NUMBER),
    **dict.fromkeys(("pinned", "all_branches", "verbose", "expired", "oldest_first"), TRUTH),
    **dict.fromkeys(("conflicting", "everywhere", "undoable", "deep"), TRUTH),
    "sensitive": TRUTH,
    **dict.fromkeys(("force", "delete", "mtime", "dry_run"), TRUTH),
    "against": MEMORY,
    "derived_from": MEMORIES,
    "from_bundle": ANSWER,
    "evidence": EVIDENCE,
    "ttl": LIFETIME,
    "metadata": FACTS,
}
"""The type of each option of every method; None means not given."""


def expect(verb: str, expected: Expected, **values: object) -> None:
    """Refuse values of another type; the error names the value.

    Raises:
        WrongTypeError: One has another type.
    """
    for name, value in values.items():
        if not expected.fits(value):
            raise WrongTypeError(verb=verb, name=name, expected=expected.words, value=value)


def expect_given(verb: str, expected: Expected, **values: object) -> None:
    """Refuse values of another type; None means that the caller left the argument out.

    Raises:
        WrongTypeError: One has another type.
    """
    for name, value in values.items():
        if value is not None:
            expect(verb, expected, **{name: value})


def expect_positive(verb: str, **values: object) -> None:
    """Refuse what is no whole number above 0; None means that the caller left it out.

    Raises:
        WrongTypeError: One is no whole number.
        BadFieldError: One is 0 or less.
    """
    expect_given(verb, WHOLE, **values)
    for name, value in values.items():
        if isinstance(value, int) and value < 1:
            raise BadFieldError(field=name, problem="must be at least 1.")


def texts_of(verb: str, **given: object) -> tuple[str, ...]:
    """Return the texts of one argument: a single text, or several in any collection.

    Raises:
        WrongTypeError: They are not texts.
    """
    ((name, value),) = given.items()
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping):
        value = tuple(value)
    expect(verb, TEXTS, **{name: value})
    return (value,) if isinstance(value, str) else cast("tuple[str, ...]", value)


def place_of(verb: str, **given: object) -> Path | None:
    """Return the path that one argument names; None if it was left out.

    Raises:
        WrongTypeError: It is no path.
        BadFieldError: It is empty, or the system cannot have such a path.
    """
    ((name, value),) = given.items()
    if value is None:
        return None
    expect(verb, PLACE, **{name: value})
    if value == "":
        raise BadFieldError(field=name, problem="is empty; leave it out for the usual one.")
    try:
        place = Path(cast("str", value)).expanduser()
        os.lstat(place)
    except (TypeError, ValueError, RuntimeError) as error:
        # Its path is bytes, it holds NUL or half a character, or the person of ~name is unknown.
        raise BadFieldError(field=name, problem=_NO_PATH) from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise BadFieldError(field=name, problem=_NO_PATH) from error
    return place


def expect_options(verb: str, options: Mapping[str, object], known: type) -> None:
    """Refuse a misspelt option as Python does, and an option of another type.

    Raises:
        UnknownOptionError: There is no such option.
        WrongTypeError: One has another type.
    """
    for name, value in options.items():
        if name not in known.__annotations__:
            raise UnknownOptionError(verb=verb, name=name, options=known.__annotations__)
        if value is not None:
            expect(verb, OPTIONS[name], **{name: value})


def expect_claims(claims: object) -> list[str]:
    """Return several claims; refuse a single text, which would be split into its letters.

    Raises:
        WrongTypeError: They are not several texts.
    """
    if isinstance(claims, Iterable) and not isinstance(claims, str | bytes | Mapping):
        read = list(claims)
        if all(isinstance(claim, str) for claim in read):
            return read
        index, odd = next(one for one in enumerate(read) if not isinstance(one[1], str))
        name = f"claims[{index}]"
        raise WrongTypeError(verb="remember_all", name=name, expected=TEXT.words, value=odd)
    raise WrongTypeError(
        verb="remember_all", name="claims", expected="several texts, as a list", value=claims
    )


def expect_question(text: object, *, verb: str = "recall") -> None:
    """Refuse a blank question.

    Raises:
        WrongTypeError: It is not text.
        BadFieldError: It is blank.
    """
    expect(verb, TEXT, question=text)
    if not str(text).strip():
        raise BadFieldError(field="question", problem="is blank; say what you want to know.")


def name_of(verb: str, **given: object) -> str:
    """Return the id that one argument names: it is an id, or something that has one.

    Raises:
        WrongTypeError: It is neither.
    """
    ((name, value),) = given.items()
    if isinstance(value, HasId):
        return value.id
    expect(verb, MEMORY, **{name: value})
    return str(value)


def bundle_of(verb: str, answer: object) -> str:
    """Return the id of an answer.

    Raises:
        WrongTypeError: It is neither an answer nor an id.
    """
    expect(verb, ANSWER, answer=answer)
    return answer.bundle_id if isinstance(answer, Answer) else str(answer)


def expect_lines(lines: object) -> Iterator[str]:
    """Yield the lines of an export; refuse one text, which would be split into its letters.

    Raises:
        WrongTypeError: They are not several texts.
    """
    words = "lines of text, such as an open file"
    if not isinstance(lines, Iterable) or isinstance(lines, str | bytes | Mapping):
        raise WrongTypeError(verb="import_", name="lines", expected=words, value=lines)
    for line in lines:
        if not isinstance(line, str):
            raise WrongTypeError(verb="import_", name="lines", expected=words, value=line)
        yield line


def expect_turns(turns: object) -> tuple[Turn, ...]:
    """Return the turns of a conversation.

    Raises:
        WrongTypeError: They are not pairs of texts.
        UnknownChoiceError: Somebody speaks who is no user, assistant or tool.
    """
    from holdfast.domain.sessions.transcript import Speaker, Turn

    words = "pairs of texts: who spoke, and what they said"
    if not isinstance(turns, Iterable) or isinstance(turns, str | bytes | Mapping):
        raise WrongTypeError(verb="propose", name="turns", expected=words, value=turns)
    read: list[Turn] = []
    for turn in turns:
        match turn:
            case (str(speaker), str(text)):
                said_by = choose(Speaker, speaker, what="speaker")
                read.append(Turn(number=len(read) + 1, speaker=said_by, text=text))
            case _:
                raise WrongTypeError(verb="propose", name="turns", expected=words, value=turn)
    return tuple(read)


def _said(value: object) -> str:
    """Return a value as a message shows it; only short values are quoted."""
    if value is None or isinstance(value, bool):
        return str(value)
    kind = type(value).__name__
    if isinstance(value, list | tuple | set | frozenset):
        inside = dict.fromkeys(type(item).__name__ for item in value)
        return f"{kind} of {' and '.join(inside)}" if inside else kind
    quoted = repr(value) if isinstance(value, str | int | float) else ""
    return f"{kind} {quoted}" if 0 < len(quoted) <= _LONGEST_QUOTE else kind
