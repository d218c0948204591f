"""Report errors of a command: one sentence, one exit code, never a traceback."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.text.outside import shorten_words
from holdfast.surfaces.cli.advising.advice import advice
from holdfast.surfaces.cli.present.terminal.colour import Bad, ErrorText
from holdfast.surfaces.wire.failures import bug_json, error_json, outward

if TYPE_CHECKING:
    from holdfast.domain.errors import HoldfastError
    from holdfast.surfaces.cli.present.terminal.output import Output

BUG = 70
KEPT_HERE = 7
"""The exit code of a write that is kept here until the server can be reached."""


def tell(error: HoldfastError, output: Output) -> int:
    """Write why a command was refused; return the exit code of the error's family."""
    if error.code == "write-waits":
        return _tell_kept(error, output)
    code = outward(error).exit_code
    if output.as_json:
        output.complain_json({"error": error_json(error, output.pasteable(advice(error)))})
    else:
        output.complain(Bad("holdfast:"), " ", *told(error))
    return code


def _tell_kept(error: HoldfastError, output: Output) -> int:
    """Write that a write is kept here: it is neither done nor refused."""
    if output.as_json:
        from holdfast.surfaces.wire.remotes import kept_here_json

        output.json(kept_here_json(error))
    else:
        output.say(error.message)
        output.note(_one_paragraph(f"{error.hint} {advice(error)}"))
    return KEPT_HERE


def tell_bug(error: Exception, output: Output, *, home: str | None) -> int:
    """Write that this is a bug in Holdfast, and where the report is."""
    words = "This is a bug in Holdfast; no stored data is lost."
    path = _report(error, home)
    if path:
        words = f"{words} The report is in {path}; please send it, and describe what you did."
    if output.as_json:
        output.complain_json({"error": bug_json(words, exit_code=BUG)})
    else:
        output.complain(Bad("holdfast:"), " ", words)
    return BUG


def told(error: HoldfastError) -> tuple[ErrorText, str]:
    """Return an error as two parts of one line: what happened, and what to do next."""
    said = _one_paragraph(f"{error.hint} {advice(error)}")
    return ErrorText(_one_paragraph(error.message)), f" {said}" if said else ""


def _one_paragraph(text: str) -> str:
    return shorten_words(" ".join(text.split()))


def _report(error: Exception, home: str | None) -> str:
    """Write where the bug occurred, without values of variables; return the file, if written."""
    import traceback

    from holdfast.bootstrap.opening.badge import data_folder_name

    try:
        folder = Path(data_folder_name(home or "")) / "reports"
        # One by one: mkdir with parents would create the parents with the rights of the umask.
        for part in reversed([folder, *folder.parents]):
            part.mkdir(exist_ok=True, mode=0o700)
        path = folder / f"bug-{os.getpid()}-{os.urandom(4).hex()}.txt"
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8", errors="backslashreplace") as report:
            report.write("".join(traceback.format_exception(error)))
    except OSError:
        return ""
    return str(path)
