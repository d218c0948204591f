"""Run one verb of the command line and count the source files that it enters.

``python -m benchmarks.walked recall QUESTION`` prints three numbers to standard error: the files
in which a function is called, the switches between files, and the modules loaded. With
``HOLDFAST_WALK_LIST`` set it lists the files first.
"""

from __future__ import annotations

import os
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import holdfast
from holdfast.surfaces.cli.main import main as run

_SOURCE = str(Path(holdfast.__file__).parent)
_FUNCTION = 1  # the flag CO_OPTIMIZED, which the body of a class or of a module does not have


@dataclass
class Walk:
    """The files that the calls of one process enter."""

    files: set[str] = field(default_factory=set)
    switches: int = 0
    last: str = ""

    def note(self, frame: FrameType, event: str, _value: object) -> None:
        """Note a call of a function of Holdfast; this is a profile function."""
        code = frame.f_code
        is_ours = code.co_filename.startswith(_SOURCE) and code.co_flags & _FUNCTION
        if event != "call" or not is_ours:
            return
        self.files.add(code.co_filename)
        if code.co_filename != self.last:
            self.switches += 1
            self.last = code.co_filename


def trace(words: list[str]) -> None:
    """Run one verb in this process and print its three counts to standard error."""
    walk = Walk()
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    try:
        run(words)
    finally:
        sys.setprofile(None)
        loaded = sum(name.startswith("holdfast") for name in sys.modules)
        if "HOLDFAST_WALK_LIST" in os.environ:
            print("\n".join(sorted(walk.files)), file=sys.stderr)
        print(len(walk.files), walk.switches, loaded, file=sys.stderr)


if __name__ == "__main__":
    trace(sys.argv[1:])
