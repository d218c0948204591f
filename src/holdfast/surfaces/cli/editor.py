"""Open the person's editor on a text, or on a line of a file."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from holdfast.surfaces.cli.values import UnusableFileError, UsageError

_VARIABLES = ("VISUAL", "EDITOR")
_USUAL = "vi"
# Editors that take FILE:LINE; the others get +LINE FILE.
_TAKES_PLACE = {
    "code": ("--goto",),
    "code-insiders": ("--goto",),
    "codium": ("--goto",),
    "cursor": ("--goto",),
    "hx": (),
    "subl": (),
    "windsurf": ("--goto",),
    "zed": (),
}


def edited(text: str) -> str:
    """Return the text as the person saved it in their editor.

    Raises:
        UsageError: No editor could be started, it failed, or the text is empty.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="holdfast-") as folder:
        page = Path(folder) / "claim.md"
        page.write_text(f"{text}\n", encoding="utf-8")
        _open(str(page))
        try:
            words = page.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableFileError(path="The text from the editor", problem=str(error)) from error
    if not words:
        raise UsageError(problem="The text in the editor is empty, so nothing was changed.")
    return words


def open_at(path: Path, line: int) -> None:
    """Open a file at a line.

    Raises:
        UsageError: No editor could be started, or it failed.
    """
    words = shlex.split(_chosen() or _USUAL)
    program = Path(words[0]).name if words else ""
    if program in _TAKES_PLACE:
        _open(*_TAKES_PLACE[program], f"{path}:{line}")
    else:
        _open(f"+{line}", str(path))


def _chosen() -> str:
    return next(filter(None, (os.environ.get(name, "") for name in _VARIABLES)), "")


def _open(*words: str) -> None:
    chosen = _chosen()
    if not chosen and not all(one and one.isatty() for one in (sys.stdin, sys.stdout)):
        raise UsageError(
            problem="There is no terminal for an editor here. Give the text with --claim TEXT."
        )
    from holdfast.bootstrap.plugs.terminal import run_in_terminal

    chosen = chosen or _USUAL
    try:
        command = [*shlex.split(chosen), *words]
        code = run_in_terminal(command)
    except (OSError, ValueError) as error:
        raise UsageError(
            problem=f"The editor '{chosen}' cannot be started: {_reason(error)}."
            " Set EDITOR, or use --claim."
        ) from error
    if code != 0:
        raise UsageError(
            problem=f"The editor '{chosen}' ended with exit code {code}; nothing was changed."
        )


def _reason(error: OSError | ValueError) -> str:
    return str(getattr(error, "strerror", None) or error)
