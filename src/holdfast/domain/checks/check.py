"""A check: one line of text that says what must hold in the files of a repository.

The text is the check. People read and edit it on pages, so it has one form everywhere, and a
memory stores it as it was written.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.checks.kinds import (
    Check,
    CommandCheck,
    DependencyCheck,
    FileCheck,
    ImportCheck,
    PatternCheck,
    SymbolCheck,
)
from holdfast.domain.checks.paths import PathChoice, read_paths
from holdfast.domain.errors import BadFieldError
from holdfast.domain.memory.decision import RESERVED
from holdfast.domain.text.globs import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

CHECKS = f"{RESERVED}checks"
"""The metadata name under which a memory keeps its checks, a list of texts."""
MOST_CHECKS = 8
LONGEST_CHECK = 1_000
LONGEST_PATTERN = 500
FORMS = (
    "must match `PATTERN` in PATHS",
    "must not match `PATTERN` in PATHS",
    "symbol NAME must [not] exist [in PATHS]",
    "PATHS must not import MODULE, … [at run time]",
    "dependency NAME must [not] appear [in PATHS]",
    "file PATHS must [not] exist",
    "command [in PATHS]: TEXT",
)
"""The forms of a check, as the help and the errors show them."""
_COMMAND = re.compile(r"command(?: in (?P<paths>[^:]+))?:(?P<command>.*)", re.DOTALL)
_QUOTED = re.compile(r"must(?P<no> not)? match (?P<quote>[`\"'])(?P<pattern>.+)(?P=quote)"
                     r"(?: in (?P<paths>[^`\"']+))?")  # fmt: skip
_BARE = re.compile(r"must(?P<no> not)? match (?P<pattern>[^\s`\"']\S*)(?: in (?P<paths>[^`\"']+))?")
_SYMBOL = re.compile(
    r"symbol (?P<name>\w+(?:(?:\.|::|#)\w+)*) must(?P<no> not)? exist(?: in (?P<paths>.+))?"
)
_IMPORT = re.compile(r"(?P<paths>.+?) must not import (?P<modules>.+?)(?P<run> at run time)?")
_DEPENDENCY = re.compile(
    r"dependency (?P<name>[@\w][\w.@/-]{0,199}) must(?P<no> not)? appear(?: in (?P<paths>.+))?"
)
_FILE = re.compile(r"file (?P<paths>.+?) must(?P<no> not)? exist")
_MODULE = re.compile(r"[\w@~./-]{1,200}")
_MOST_MODULES = 16
_ALL = PathChoice(taken=(EVERYTHING,))


def read_check(text: str) -> Check:
    """Read a check.

    Raises:
        BadFieldError: It has none of the forms, or is too long.
    """
    if len(text) > LONGEST_CHECK:
        problem = f"has {len(text):,} characters; at most {LONGEST_CHECK:,} are read."
        raise BadFieldError(field="check", problem=problem)
    plain = text.strip()
    if "\n" in plain or "\r" in plain:
        raise BadFieldError(field="check", problem="must be one line.")
    for form, read in _READERS:
        if found := form.fullmatch(plain):
            return read(plain, found)
    problem = f"'{plain[:60]}' is no check; the forms are: {'; '.join(FORMS)}."
    raise BadFieldError(field="check", problem=problem)


def _pattern(text: str, found: re.Match[str]) -> Check:
    pattern = found["pattern"]
    if len(pattern) > LONGEST_PATTERN:
        problem = f"has a pattern of {len(pattern):,} characters; at most {LONGEST_PATTERN}."
        raise BadFieldError(field="check", problem=problem)
    if found["paths"] is None:
        raise BadFieldError(field="check", problem=f"'{text[:60]}' names no paths; add: in src/**")
    paths = read_paths(found["paths"])
    return PatternCheck(text=text, pattern=pattern, paths=paths, is_wanted=not found["no"])


def _symbol(text: str, found: re.Match[str]) -> Check:
    wanted = not found["no"]
    return SymbolCheck(text=text, name=found["name"], paths=_paths(found), is_wanted=wanted)


def _import(text: str, found: re.Match[str]) -> Check:
    modules = tuple(one.strip() for one in found["modules"].split(","))
    if len(modules) > _MOST_MODULES or not all(map(_MODULE.fullmatch, modules)):
        raise BadFieldError(field="check", problem=f"'{text[:60]}' names no modules.")
    return ImportCheck(
        text=text,
        paths=read_paths(found["paths"]),
        modules=modules,
        at_run_time=bool(found["run"]),
    )


def _dependency(text: str, found: re.Match[str]) -> Check:
    wanted = not found["no"]
    return DependencyCheck(text=text, name=found["name"], paths=_paths(found), is_wanted=wanted)


def _file(text: str, found: re.Match[str]) -> Check:
    return FileCheck(text=text, paths=read_paths(found["paths"]), is_wanted=not found["no"])


def _command(text: str, found: re.Match[str]) -> Check:
    command = found["command"].strip()
    if not command:
        raise BadFieldError(field="check", problem="is a command without a text.")
    return CommandCheck(text=text, command=command, paths=_paths(found))


def _paths(found: re.Match[str]) -> PathChoice:
    return _ALL if found["paths"] is None else read_paths(found["paths"])


_READERS: Sequence[tuple[re.Pattern[str], Callable[[str, re.Match[str]], Check]]] = (
    (_COMMAND, _command),
    (_QUOTED, _pattern),
    (_BARE, _pattern),
    (_SYMBOL, _symbol),
    (_DEPENDENCY, _dependency),
    (_FILE, _file),
    (_IMPORT, _import),
)


def read_checks(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of checks as a memory keeps them: each readable, once, in order.

    Raises:
        BadFieldError: One of them is no check, or they are too many.
    """
    plain = tuple(dict.fromkeys(text.strip() for text in texts))
    if len(plain) > MOST_CHECKS:
        raise BadFieldError(
            field="check", problem=f"is given {len(plain)} times; {MOST_CHECKS} fit."
        )
    for text in plain:
        read_check(text)
    return plain


def checks_in(metadata: Mapping[str, object]) -> tuple[str, ...]:
    """Return the texts of the checks that the metadata of a memory holds."""
    found = metadata.get(CHECKS)
    if not isinstance(found, list | tuple):
        return ()
    return tuple(one for one in found if isinstance(one, str))[:MOST_CHECKS]


def concerned(text: str, paths: Sequence[str]) -> bool:
    """Tell whether a check reads one of these files; a command without paths concerns none."""
    try:
        check = read_check(text)
    except BadFieldError:
        return False
    if isinstance(check, CommandCheck) and check.paths is _ALL:
        return False
    if isinstance(check, DependencyCheck):
        from holdfast.domain.checks.manifests import is_manifest

        paths = [path for path in paths if is_manifest(path)]
    return bool(check.paths.among(paths))


def is_command(text: str) -> bool:
    """Tell whether a check is a command, also where the rest of its text cannot be read."""
    try:
        return isinstance(read_check(text), CommandCheck)
    except BadFieldError:
        return text.lstrip().casefold().startswith("command")


def with_checks(metadata: Mapping[str, object], texts: Sequence[str]) -> dict[str, object]:
    """Return metadata with these checks in place of those it has."""
    kept = {name: value for name, value in metadata.items() if name != CHECKS}
    return {**kept, CHECKS: list(texts)} if texts else kept
