"""Where the command line starts. It stays light: the badge is shown in every prompt.

Nothing is imported here that the badge does not need; the typing module alone
would cost a fifth of its budget.
"""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

# Collecting cycles during a start of a tenth of a second costs a tenth of it and frees nothing.
_GARBAGE_THRESHOLD = 50_000
_QUIET = frozenset({"--badge", "-q", "--quiet", "--no-color"})


def main(argv: Sequence[str] | None = None) -> NoReturn:
    """Run one command and leave with its exit code."""
    if argv is not None:
        sys.exit(_run(list(argv)))
    gc.set_threshold(_GARBAGE_THRESHOLD)
    # One question is too little work for numpy to start threads for at its import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    code = _run(sys.argv[1:], is_process=True)
    # Everything is flushed and closed. To tear the interpreter down, object by object, would
    # cost another tenth of the command and free nothing that the system does not.
    os._exit(code)


def _run(words: list[str], *, is_process: bool = False) -> int:
    home = _home_of_badge(words)
    if home is not None:
        return _show_badge(home)
    home, rest = _hook_words(words)
    if rest:
        return _answer_hook(rest, home, is_process=is_process)
    from holdfast.surfaces.cli.dispatch import run

    return run(words)


def _home_of_badge(words: list[str]) -> str | None:
    """Return the home a plain ``status --badge`` names ('' for the usual one); else None."""
    if "status" not in words or "--badge" not in words:
        return None
    home, verbs = "", []
    rest = iter(words)
    for word in rest:
        if word == "--home":
            home = next(rest, "")
        elif word not in _QUIET:
            verbs.append(word)
    return home if verbs == ["status"] else None


def _hook_words(words: list[str]) -> tuple[str, list[str]]:
    """Return the home and the words of a call by a tool's hook; no words where it is none."""
    home, rest = "", words
    if len(words) > 2 and words[0] == "--home":  # noqa: PLR2004 - the option and its value
        home, rest = words[1], words[2:]
    is_call = len(rest) == 3 and rest[0] == "hook" and not rest[1].startswith("-")  # noqa: PLR2004 - hook, who, what
    return home, rest[1:] if is_call and not rest[2].startswith("-") else []


def _answer_hook(words: list[str], home: str, *, is_process: bool) -> int:
    from holdfast.surfaces.hook.program import Deadline, run

    deadline = Deadline(home, words) if is_process else None
    if deadline is not None:
        deadline.start()
    return run(words, home=home, deadline=deadline)


def _show_badge(home: str) -> int:
    from holdfast.bootstrap.badge import badge_line

    line = badge_line(home)
    if line and sys.stdout is not None:
        encoding = sys.stdout.encoding or "ascii"
        try:
            line.encode(encoding)
        except UnicodeEncodeError:
            line = line.encode("ascii", "replace").decode().replace("?", "*")
        try:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0
