"""Commands of the how-to pages run in forks of one process, and nobody can tell."""

from __future__ import annotations

from pathlib import Path

from docs.example import Example
from docs.shell import Shell
from tests.requirements import requirement

COMMANDS = (
    "holdfast --version",
    "holdfast init --no-model > /dev/null 2>&1",
    "holdfast nothing-of-the-kind",
    "holdfast show m_00000000",
    "holdfast remember --because 'it was said' 'Carts are blue.' > /dev/null",
    "holdfast list --json | tr -d '\\n' | cut -c 1-12",
    "holdfast export | holdfast import --dry-run - | head -n 1",
    "(cd / && holdfast recall 'which colour' --json | wc -l)",
    "PYTHONPATH=/elsewhere holdfast status --badge",
    "HOLDFAST_HOME=/dev/null/none holdfast list",
)


def outcomes(folder: Path, *, is_warm: bool) -> list[tuple[str, int]]:
    folder.mkdir()
    shown = [Example(command=one, lines=(), output=()) for one in COMMANDS]
    shell = Shell(folder, is_warm=is_warm)
    return [(one.output, one.exit_code) for one in shell.run(shown, empty=False)]


@requirement("docs.output-is-real")
def test_a_command_in_a_fork_does_what_a_process_of_its_own_does(tmp_path: Path) -> None:
    warm = outcomes(tmp_path / "warm", is_warm=True)

    assert warm == outcomes(tmp_path / "cold", is_warm=False)
    assert {code for _, code in warm} >= {0, 2, 3}
