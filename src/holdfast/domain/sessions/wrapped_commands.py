"""Find the commands that another command starts: ``timeout 5 make`` starts ``make``.

A table names the programs that start others, and where the started command begins. It is a guard
against slips, not a sandbox: a script in a file, or in another language, is not read.
"""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from holdfast.domain.sessions.aliases import defined_aliases
from holdfast.domain.sessions.program_name import name_and_version, program_name
from holdfast.domain.sessions.wrapper_table import LOUD, QUIET
from holdfast.domain.values import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_KEYWORDS = frozenset({"if", "then", "else", "elif", "while", "until", "do", "!", "{", "coproc"})
SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh", "ash", "fish"})
_READING = SHELLS | {"at", "batch"}
"""Programs that run what they read from a pipe."""
_PRINTING = frozenset({"echo", "printf"})
_FED = frozenset({"xargs", "parallel"})
_EXECUTING = frozenset({"-exec", "-execdir", "-ok", "-okdir"})
_RUNNING_IMAGES = frozenset({"docker", "podman"})
_COMMAND = frozenset({"-c", "--command"})
_BETWEEN = frozenset({":::", "::::"})
"""What ``parallel`` writes between a command and its arguments."""
_LONGEST_CLUSTER = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrapper:
    """How a program names the command it starts."""

    is_quiet: bool
    skips: int | None
    """How many words stand before the command; None if no words are a command."""
    marks: frozenset[str]
    """The words after the first of which the command begins; none if no word marks it."""
    is_text: bool
    valued: frozenset[str]
    texts: frozenset[str]
    beginning: frozenset[str]
    """The options whose value is the first word of the command."""
    is_named: bool
    """Whether the last word of the name is the first word of the command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """What a command starts: other commands as words, and texts for a shell.

    ``itself`` has its own words without prefixes, if the command is also one of its own.
    """

    commands: tuple[tuple[str, ...], ...] = ()
    texts: tuple[str, ...] = ()
    itself: tuple[str, ...] = ()


def started_by(words: Sequence[str], *, fed: Sequence[str] = ()) -> Started:
    """Return what a command starts; ``fed`` are the words of the command that pipes into it."""
    rest = _without_keywords(words)
    if not rest:
        return Started()
    if program_name(rest[0]) == "find":
        return Started(commands=tuple(_executed(rest)), itself=tuple(rest))
    aliased = tuple(defined_aliases(rest))
    begin, wrapper = _wrapper_of(rest)
    if wrapper is None:
        return Started(texts=aliased, itself=tuple(rest))
    printed = list(fed[1:]) if fed and program_name(fed[0]) in _PRINTING else []
    started = _started(rest, begin, wrapper, printed)
    return replace(started, texts=(*aliased, *started.texts))


def _started(rest: list[str], begin: int, wrapper: _Wrapper, printed: list[str]) -> Started:
    """Return what a wrapper starts; ``begin`` is the place of its own arguments."""
    name, given = program_name(rest[0]), rest[begin:]
    commands, texts = _words_inside(given, wrapper), list(_texts_inside(given, wrapper))
    if name in _READING:
        texts += _read_texts(given, printed)
    if name in _FED:
        commands = (*commands, *printed)
    if wrapper.is_text:
        # Each of several quoted words may be a command, as those of hyperfine are.
        texts += dict.fromkeys((" ".join(commands), *(word for word in commands if " " in word)))
        commands = ()
    elif len(commands) == 1 and " " in commands[0]:
        texts, commands = [*texts, *commands], ()
    is_image = name in _RUNNING_IMAGES and rest[begin - 1] == "run"
    image = _as_image(given, wrapper) if is_image else ()
    is_only_a_shell = name in SHELLS and bool(texts)
    return Started(
        commands=tuple(one for one in (commands, image) if one),
        texts=tuple(texts),
        itself=() if wrapper.is_quiet or is_only_a_shell else tuple(rest),
    )


def _without_keywords(words: Sequence[str]) -> list[str]:
    """Return a command without the keywords of the shell and without assignments."""
    rest = list(words)
    while rest and (rest[0] in _KEYWORDS or _ASSIGNED.match(rest[0])):
        rest.pop(0)
    return rest


def _words_inside(given: Sequence[str], wrapper: _Wrapper) -> tuple[str, ...]:
    """Return the words of the command that follows the options of a wrapper."""
    rest = list(given)
    if wrapper.marks:
        marked = (place for place, word in enumerate(rest) if word in wrapper.marks)
        return tuple(rest[next(marked, len(rest)) + 1 :])
    while rest and rest[0].startswith("-") and rest[0] != "--":
        option = rest.pop(0)
        if option[:2] in wrapper.beginning and option[2:]:
            return (option[2:], *rest)
        if _is_one_of(option, wrapper.beginning):
            return tuple(rest)
        if _is_one_of(option, wrapper.valued | wrapper.texts) and rest:
            rest.pop(0)
    if wrapper.skips is None:
        return ()
    return tuple(word for word in _after_words(rest, wrapper.skips) if word not in _BETWEEN)


def _as_image(given: Sequence[str], wrapper: _Wrapper) -> tuple[str, ...]:
    """Return the command that an image runs if it is named after its program."""
    image, *rest = _words_inside(given, replace(wrapper, skips=0)) or ("",)
    return (posixpath.basename(image).partition(":")[0], *rest) if image else ()


def _texts_inside(given: Sequence[str], wrapper: _Wrapper) -> Iterator[str]:
    """Yield the texts for a shell in the options of a wrapper."""
    for place, word in enumerate(given):
        name, equals, value = word.partition("=")
        if word.startswith("-") and _is_one_of(name, wrapper.texts):
            yield value if equals else " ".join(given[place + 1 : place + 2])


def _after_words(rest: list[str], count: int) -> list[str]:
    kept = rest[1:] if rest[:1] == ["--"] else rest
    kept = kept[count:]
    while kept and (kept[0] == "--" or _ASSIGNED.match(kept[0])):
        kept = kept[1:]
    return kept


def _is_one_of(name: str, options: frozenset[str]) -> bool:
    """Tell whether an option is in a set; ``-xc`` is ``-x -c``."""
    if name in options:
        return True
    is_cluster = name[1:2] != "-" and name[1:].isalpha() and f"-{name[-1]}" in options
    return is_cluster and len(name) <= _LONGEST_CLUSTER


def _read_texts(given: Sequence[str], printed: Sequence[str]) -> Iterator[str]:
    """Yield the texts that a shell reads from a pipe, or from a word after ``<<<``."""
    if printed:
        yield " ".join(printed)
    is_text = not any(_is_one_of(word, _COMMAND) for word in given if word.startswith("-"))
    yield from (word for word in given if is_text and " " in word)


def _executed(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the commands that ``find`` runs for its files; one may run another ``find``."""
    rest = list(words)
    while execute := next((place for place, word in enumerate(rest) if word in _EXECUTING), None):
        rest = rest[execute + 1 :]
        end = next((place for place, word in enumerate(rest) if word in {";", "+"}), len(rest))
        yield tuple(rest[:end])
        rest = rest[end:]


def _wrapper_of(words: Sequence[str]) -> tuple[int, _Wrapper | None]:
    """Return where the words of a wrapper begin, and the wrapper; the longest name counts."""
    named, _version = name_and_version(words[0])
    for name, wrapper in _table().get(named, ()):
        if (begin := _after_name(name, words)) is not None:
            return begin - wrapper.is_named, wrapper
    return 1, None


def _after_name(name: Sequence[str], words: Sequence[str]) -> int | None:
    """Return where a name ends; options and their values may stand between its words."""
    place = 1
    for part in name[1:]:
        while place < len(words) and words[place] != part:
            if not words[place].startswith("-") and not words[place - 1].startswith("-"):
                return None
            place += 1
        place += 1
    return place if place <= len(words) else None


_PARSED: dict[str, list[tuple[tuple[str, ...], _Wrapper]]] = {}


def _table() -> dict[str, list[tuple[tuple[str, ...], _Wrapper]]]:
    """Return the wrappers by their first word, the longest name first; parsed when needed."""
    if not _PARSED:
        for text, is_quiet in ((QUIET, True), (LOUD, False)):
            for line in text.strip().splitlines():
                name, wrapper = _parsed(line, is_quiet=is_quiet)
                _PARSED.setdefault(name[0], []).append((name, wrapper))
        for named in _PARSED.values():
            named.sort(key=lambda one: -len(one[0]))
    return _PARSED


def _parsed(line: str, *, is_quiet: bool) -> tuple[tuple[str, ...], _Wrapper]:
    head, _, options = line.partition(":")
    *name, last = head.split()
    count = re.fullmatch(r"([0-9]*|[x>])(!?)", last)
    skips, is_text = (count[1], count[2]) if count else ("", "")
    if count is None:
        name.append(last)
    every = options.split()
    is_named = name[-1].startswith("=")
    name[-1] = name[-1].removeprefix("=")
    wrapper = _Wrapper(
        is_quiet=is_quiet,
        skips=None if skips == "x" else int(skips.strip(">") or 0),
        marks=frozenset(every if skips == ">" else ()),
        is_text=bool(is_text),
        valued=frozenset(one for one in every if not one.endswith(("!", "@"))),
        texts=frozenset(one.removesuffix("!") for one in every if one.endswith("!")),
        beginning=frozenset(one.removesuffix("@") for one in every if one.endswith("@")),
        is_named=is_named,
    )
    return tuple(name), wrapper
