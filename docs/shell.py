"""A shell in which the commands of a page are run."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from demo.repository import make_repository
from docs.example import ID, Example, Ran
from docs.warm import caller

ROOT = Path(__file__).parents[1]
_MARK = "\x1e"
_LONGEST_SECONDS = 600.0
_READERS_HOME = "/home/you"
_READERS_COLUMNS = 80
_FOLDED = " " * 8
_PYTHON = '#!/bin/sh\nexec "{python}" "$@"\n'
_WARM = '#!/bin/sh\nexec "{python}" -IS "{call}" "$@"\n'
# A hook gives up after a second. On a busy machine a page would then show no answer, so a hook
# is called here by the function that has no limit.
_HOLDFAST = """#!/bin/sh
if [ "$1" = hook ]; then
  set -- -c 'import sys; from holdfast.surfaces.cli.main import main; main(sys.argv[1:])' "$@"
else
  set -- -m holdfast "$@"
fi
exec "{python}" "$@"
"""


@dataclass(slots=True)
class Shell:
    """A shell in a temporary repository, with a store of its own.

    If it is warm, its commands run in forks of a process that has imported the program.
    """

    folder: Path
    known: dict[str, str] = field(default_factory=dict)
    is_warm: bool = False

    def environment(self) -> dict[str, str]:
        """Return what the commands see: their own home, and ``holdfast`` on the path."""
        kept = {name: os.environ[name] for name in ("LANG", "LC_ALL") if name in os.environ}
        return {
            **kept,
            "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}",
            "HOME": str(self.folder),
            "PYTHONPATH": str(ROOT / "src"),
            "PYTHONUTF8": "1",
            "TERM": "dumb",
            "NO_COLOR": "1",
            "COLUMNS": "100",
            "HOLDFAST_USER": "you",
            # No model: what a page shows must not depend on what a machine has installed.
            "HOLDFAST_MODELS": str(self.folder / "models"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            **{f"GIT_{who}_NAME": "Sam" for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": "you@example.com" for who in ("AUTHOR", "COMMITTER")},
        }

    def prepare(self, *, empty: bool) -> Path:
        """Put the program on the path and make the repository; return where the shell starts."""
        (self.folder / "bin").mkdir()
        self._put("python", _PYTHON.format(python=sys.executable))
        plain = _HOLDFAST.format(python=sys.executable)
        if self.is_warm:
            alone = self._put("holdfast-alone", plain)
            call = self._put("holdfast-call", caller(alone, self.environment()["PYTHONPATH"]))
            self._put("holdfast", _WARM.format(python=sys.executable, call=call))
        else:
            self._put("holdfast", plain)
        if empty:
            return self.folder
        return make_repository(self.folder / "shop", self.environment())

    def _put(self, name: str, script: str) -> Path:
        program = self.folder / "bin" / name
        program.write_text(script)
        program.chmod(0o755)
        return program

    def run(self, shown: list[Example], *, empty: bool) -> list[Ran]:
        """Run the examples one after the other in one shell, on a terminal as a reader has it."""
        start = self.prepare(empty=empty)
        ours, theirs = os.openpty()
        with subprocess.Popen(
            ["bash", "--norc", "-s"],  # noqa: S607 - the shell a reader has
            cwd=start,
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=theirs,
            stderr=theirs,
        ) as shell:
            os.close(theirs)
            try:
                return [self._one(example, shell, ours) for example in shown]
            finally:
                os.close(ours)

    def _one(self, example: Example, shell: subprocess.Popen[bytes], terminal: int) -> Ran:
        command = ID.sub(lambda found: self.known.get(found[0], found[0]), example.command)
        assert shell.stdin is not None  # noqa: S101 - it is a pipe
        script = f"{{ {command}\n}} </dev/null; printf '{_MARK}%d{_MARK}' $?\n"
        shell.stdin.write(script.encode())
        shell.stdin.flush()
        said = b""
        while said.count(_MARK.encode()) < len(("before", "after")):
            if not select.select([terminal], [], [], _LONGEST_SECONDS)[0]:
                shell.kill()
                raise TimeoutError(example.command)
            said += os.read(terminal, 65_536)
        output, code, _ = said.decode().replace("\r\n", "\n").split(_MARK)
        self._learn(example, output)
        return Ran(example=example, output=self._as_shown(output), exit_code=int(code))

    def _as_shown(self, output: str) -> str:
        """Return an output with the ids of the page and a home like a reader's."""
        shown = {real: ours for ours, real in self.known.items()}
        named = ID.sub(lambda found: shown.get(found[0], found[0]), output)
        return _rejoined(named, str(self.folder))

    def _learn(self, example: Example, output: str) -> None:
        """Let each id on the page stand for the id printed at its place."""
        shown = dict.fromkeys(ID.findall("\n".join(example.output)))
        real = dict.fromkeys(ID.findall(output))
        for prefix in ("m_", "s_", "i_", "c_", "d_", "r_", "t_", "k_"):
            ours = [one for one in shown if one.startswith(prefix) and one not in self.known]
            theirs = [
                one for one in real if one.startswith(prefix) and one not in self.known.values()
            ]
            self.known.update(zip(ours, theirs, strict=False))


def _rejoined(output: str, home: str) -> str:
    """Return an output with a reader's home; lines that only the longer path folded are joined."""
    lines: list[str] = []
    for line in output.split("\n"):
        above = lines[-1] if lines else ""
        is_rest = _READERS_HOME in above and line.startswith(_FOLDED)
        if is_rest and len(whole := f"{above} {line.lstrip()}") <= _READERS_COLUMNS:
            lines[-1] = whole
        else:
            lines.append(line.replace(home, _READERS_HOME))
    return "\n".join(lines)
