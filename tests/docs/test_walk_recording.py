"""The recording of ``review --walk`` on its page is what a terminal really shows."""

from __future__ import annotations

import re
from pathlib import Path

from docs.example import ID, Example, Ran, examples
from docs.shell import ROOT, Shell
from tests.cli.typist import Typist, opened
from tests.requirements import requirement

PAGE = ROOT / "docs/how-to/approve-what-agents-propose.md"
_RECORDING = re.compile(
    r"This is a recording at a terminal:\n\n```text\n(.*?)^```$", re.DOTALL | re.MULTILINE
)
_REASON = "they expire after 30 days"


@requirement("docs.output-is-real")
def test_the_recorded_walk_is_what_a_terminal_shows(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    recorded = _RECORDING.search(page)
    assert recorded is not None
    shell = Shell(tmp_path)
    shell.run(examples(page)[:2], empty=False)

    with opened(["holdfast", "review", "--walk"], tmp_path / "shop", walking(shell)) as person:
        shown = walked(person)

    kept = tuple(ID.sub("an-id", recorded[1]).splitlines())
    example = Example(command="holdfast review --walk", lines=(), output=kept)
    code = person.process.returncode
    ran = Ran(example=example, output=ID.sub("an-id", shown), exit_code=code)
    assert ran.fits, shown


def walking(shell: Shell) -> dict[str, str]:
    return {**shell.environment(), "TERM": "xterm-256color"}


def walked(person: Typist) -> str:
    """Reject the first candidate with a reason, approve the second; return what was shown."""
    person.unseen("r")
    person.until(r"reason\)\s*")
    person.types(f"{_REASON}\n")
    person.unseen("a")
    person.end()
    lines = [line.rstrip() for line in person.seen.replace("\r\n", "\n").split("\n")]
    return "\n".join(lines)
