"""The shell script of a git hook."""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


MARK = b"# holdfast hook "
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "ksh"})
_LONGEST_LINE = 512
_DIGEST = 16
_STORE = re.compile(r"'(--space|--home)' '([^'\n]*)'")
_SCRIPT = """\
# It tells holdfast what git did, and cannot make git fail. 'holdfast hooks remove' undoes it.
outer=$HOLDFAST_HOOK
HOLDFAST_HOOK={event}
export HOLDFAST_HOOK
code=0
{read}{before}if [ "$outer" != {event} ]{unless}; then
    {{ {give}nice {program} hooks run --within 20 {event} -- "$@"; }} >/dev/null 2>&1 &
fi
exit $code
"""
_BEFORE = """\
if [ -x "$0.before-holdfast" ]; then
    {give}{run} "$@" || code=$?
fi
"""
_UNDER_ITS_OLD_NAME = """ -c '. "$0.before-holdfast"' "$0\""""
# A rebase makes many commits, and reports all rewrites at its end.
_NOT_WHILE_REBASING = """ \\
    && [ ! -d "${GIT_DIR:-.git}/rebase-merge" ] && [ ! -d "${GIT_DIR:-.git}/rebase-apply" ]"""
_NOT_FOR_FILES = """ \\
    && [ "$3" != 0 ]"""


def hook_script(event: str, program: Sequence[str], *, before: bytes | None) -> bytes:
    """Return the script for an event: the program's command line, and the earlier hook."""
    is_fed = event == "post-rewrite"
    give = """{ [ -z "$pairs" ] || printf '%s\\n' "$pairs"; } | """ if is_fed else ""
    unless = "" if is_fed else _NOT_WHILE_REBASING
    if event == "post-checkout":
        unless += _NOT_FOR_FILES
    chained = "" if before is None else _BEFORE.format(give=give, run=_run(before))
    body = _SCRIPT.format(
        event=event,
        read="pairs=$(cat)\n" if is_fed else "",
        before=chained,
        unless=unless,
        give=give if is_fed else "</dev/null ",
        program=" ".join(_quoted(word) for word in program),
    ).encode("utf-8", "surrogateescape")
    return b"#!/bin/sh\n" + MARK + _digest(body) + b"\n" + body


def is_untouched(script: bytes) -> bool:
    """Return whether a Holdfast script is unchanged."""
    _, _, rest = script.partition(b"\n")
    mark, _, body = rest.partition(b"\n")
    return mark == MARK + _digest(body)


def store_in(script: bytes) -> str:
    """Return the options of a Holdfast script that name its store; empty for the default one."""
    found = _STORE.findall(script.decode("utf-8", "surrogateescape"))
    return " ".join(f"{option} {value}" for option, value in found)


def _digest(body: bytes) -> bytes:
    return hashlib.sha256(body).hexdigest()[:_DIGEST].encode()


def _run(before: bytes) -> str:
    """Return the shell code that runs the earlier hook."""
    line = before[:_LONGEST_LINE].partition(b"\n")[0]
    words = line.removeprefix(b"#!").decode("ascii", "replace").split()
    program = [word for word in words if not word.startswith("-")]
    names = [word.rpartition("/")[2] for word in program[:2]]
    is_shell = (
        line.startswith(b"#!")
        and names
        and (names[0] in _SHELLS or (names[0] == "env" and names[-1] in _SHELLS))
    )
    if not is_shell:
        return '"$0.before-holdfast"'
    return " ".join(_quoted(word) for word in words) + _UNDER_ITS_OLD_NAME


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
