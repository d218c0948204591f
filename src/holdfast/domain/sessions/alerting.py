"""Choose the memories that warn about an action before a tool performs it.

Readers ignore warnings that come too often. A memory therefore warns only if it names the exact
file or command: in ``metadata.when``, in the place of its evidence, or in the ``code`` of its
claim. Code in a claim counts only if the claim warns about it and does not recommend it.

Memories that may warn before a tool acts; a separate module, so that hooks load little.
"""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.sessions.warned_code import BINDING, Cues, cues_of
from holdfast.domain.text.globs import glob_expression, glob_problem, separated_globs
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from holdfast.domain.sessions.command_options import Invocation
    from holdfast.domain.sessions.tool_action import ToolAction

_PERSONS = frozenset({"human", "repo"})
_CAUTION_CODE = "`"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caution:
    """A memory that may warn: its claim, places of evidence, trigger patterns and checks."""

    memory: str
    kind: str
    claim: str
    anchors: tuple[str, ...] = ()
    when_path: tuple[str, ...] = ()
    when_command: tuple[str, ...] = ()
    is_enforced: bool = False
    checks: tuple[str, ...] = ()

    @property
    def is_binding(self) -> bool:
        """Tell whether the memory may block a tool, if a person has allowed blocking."""
        return self.is_enforced and self.kind in BINDING

    def may_speak_of(self, doing: ToolAction) -> bool:
        """Tell by a cheap check whether the full comparison is worth running."""
        has_place = not set(self.anchors).isdisjoint(doing.paths)
        has_trigger = bool(self.when_path or self.when_command or self.checks)
        return has_place or has_trigger or _CAUTION_CODE in self.claim


def when_of(metadata: Mapping[str, object], part: str) -> tuple[str, ...]:
    """Return the trigger patterns that ``metadata`` has for a part: one, or a list of them.

    They are under ``when`` and the part, or under one key such as ``when.path``. Commas separate
    paths.
    """
    when = metadata.get("when")
    found = when.get(part) if isinstance(when, dict) else metadata.get(f"when.{part}")
    patterns = [one for one in (found if isinstance(found, list) else [found]) if type(one) is str]
    if part == "path":
        return tuple(glob for one in patterns for glob in separated_globs(one))
    return tuple(one for one in patterns if one.strip())


def check_when(metadata: Mapping[str, object]) -> None:
    """Refuse a trigger pattern of ``metadata`` that can never match.

    Raises:
        BadFieldError: A path is no glob.
    """
    for glob in when_of(metadata, "path"):
        if (problem := glob_problem(glob)) is not None:
            raise BadFieldError(field="when.path", problem=problem)


def is_enforced(metadata: Mapping[str, object], *, origin: str) -> bool:
    """Tell whether a person wants a memory to block the tool, if they also allowed blocking.

    What an agent, a tool or a web page wrote does not count as a person's word, even after a
    person accepted the claim.
    """
    return origin in _PERSONS and str(metadata.get("enforce", "")).casefold() in {
        "true",
        "yes",
        "on",
    }


MOST_WARNINGS = 3
_EXPLICIT, _NAMED, _ANCHORED = 3, 2, 1
_ANYTHING = re.compile(r"<.*>|\[.*\]|\{.*\}|\*+|\.\.\.|…")
_PROSE = (".md", ".mdc", ".mdx", ".rst", ".txt", ".adoc")


def speaking_up(cautions: Iterable[Caution], doing: ToolAction) -> tuple[Caution, ...]:
    """Return the memories that match the action, the most certain first, at most MOST_WARNINGS.

    Memories with equal certainty keep their input order.
    """
    sure = [(level, one) for one in cautions if (level := sureness(one, doing))]
    sure.sort(key=lambda found: -found[0])
    return tuple(one for _, one in sure[:MOST_WARNINGS])


def sureness(caution: Caution, doing: ToolAction) -> int:
    """Return how certainly a memory matches the action; 0 means it does not match."""
    named = cues_of(caution.claim, caution.kind)
    explicit = Cues(
        paths=caution.when_path,
        commands=tuple(tuple(one.split()) for one in caution.when_command),
        spared=named.spared,
    )
    if _meets(explicit, doing) or _is_checked(caution.checks, doing.paths):
        return _EXPLICIT
    if _meets(named, doing):
        return _NAMED
    places = {anchor for anchor in caution.anchors if not anchor.endswith(_PROSE)}
    return _ANCHORED if places.intersection(doing.paths) else 0


def _is_checked(checks: Sequence[str], paths: Sequence[str]) -> bool:
    """Tell whether a check reads one of these files."""
    if not checks or not paths:
        return False
    from holdfast.domain.checks.check import concerned

    return any(concerned(check, paths) for check in checks)


def _meets(cues: Cues, doing: ToolAction) -> bool:
    if any(path_meets(cue, path) for cue in cues.paths for path in doing.paths):
        return True
    return any(_runs(cue, cues.spared, doing.commands) for cue in cues.commands)


def _runs(cue: tuple[str, ...], spared: Sequence[str], commands: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether a command matches a pattern and the claim does not spare this command."""
    met = [words for words in commands if command_meets(cue, words)]
    if not met or not spared:
        return bool(met)
    for exception in _exceptions(cue, spared):
        for whole in commands:
            if whole[0] == exception[0] and command_meets(exception, whole):
                # `uv run pytest` starts `pytest`: one command of the same words is spared.
                started = (words for words in met if whole[-len(words) :] == words)
                if (one := next(started, None)) is not None:
                    met.remove(one)
    return bool(met)


def _exceptions(cue: tuple[str, ...], spared: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the spared commands that the pattern would match: `pip3` if it is `pip`."""
    from holdfast.domain.sessions.tool_action import simple_commands

    for code in spared:
        found = list(simple_commands(code))
        if tuple(code.split()) != cue and any(command_meets(cue, words) for words in found):
            yield found[0]


def path_meets(cue: str, path: str) -> bool:
    """Tell whether a path matches a pattern: a file name, a folder with a slash, or a glob."""
    plain = cue.removeprefix("./")
    if "*" in plain or "?" in plain:
        target = path if "/" in plain else posixpath.basename(path)
        return _glob_meets(plain, target)
    if plain.endswith("/"):
        return f"/{path}".find(f"/{plain}") >= 0
    if "/" in plain:
        return path == plain or path.endswith(f"/{plain}")
    return posixpath.basename(path) == plain


def _glob_meets(pattern: str, text: str) -> bool:
    """Tell whether a text matches a glob.

    People also write ``**`` beside other letters: ``src/**.py`` means files at any depth. Within
    one name it is a star, and across folders it ends one name and begins another.
    """
    # src/gen**.py is src/gen*/**/*.py too.
    across = re.sub(r"(?<![/*])\*\*+(?=[^/*])", "*/**/*", pattern)
    # src/gen** is src/gen*/** too.
    across = re.sub(r"(?<![/*])\*\*+(?=/|$)", "*/**", across)
    # src/**.py is src/**/*.py too.
    across = re.sub(r"(?<![^/])\*\*+(?=[^/*])", "**/*", across)
    return any(
        re.fullmatch(glob_expression(one), text, re.DOTALL) is not None
        for one in dict.fromkeys((pattern, across))
    )


def command_meets(cue: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Tell whether a command matches a pattern, however its options are written.

    The program must be the same. The pattern's words must come first and in order; its options may
    be anywhere, in their short or long form.
    """
    from holdfast.domain.sessions.command_options import invocation

    return any(
        _meets_in_one_form(invocation(cue, valued=valued), invocation(words, valued=valued))
        for valued in _readings(cue)
    )


def _meets_in_one_form(wanted: Invocation, given: Invocation) -> bool:
    return (
        wanted.program == given.program
        and (not wanted.version or f"{given.version}.".startswith(f"{wanted.version}."))
        and _words_meet(wanted.words, given.words)
        and all(given.has(option) for option in wanted.options)
    )


def _readings(cue: tuple[str, ...]) -> Iterator[frozenset[str]]:
    """Yield which long options of a pattern have values: those with ``=``, then all that may."""
    stated = frozenset(
        word.partition("=")[0] for word in cue if word.startswith("--") and "=" in word
    )
    yield stated
    followed = frozenset(
        word
        for word, following in pairwise(cue)
        if word.startswith("--") and "=" not in word and not following.startswith("-")
    )
    if followed:
        yield stated | followed


def _words_meet(wanted: Sequence[str], given: Sequence[str]) -> bool:
    needed = list(wanted)
    while needed and _ANYTHING.fullmatch(needed[-1]):
        needed.pop()
    return len(needed) <= len(given) and all(
        _word_meets(one, other) for one, other in zip(needed, given, strict=False)
    )


def _word_meets(cue: str, word: str) -> bool:
    if _ANYTHING.fullmatch(cue):
        return True
    return _glob_meets(cue, word) if "*" in cue else cue == word
