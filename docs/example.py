"""A command as a page shows it, and whether what really happened fits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

ID = re.compile(
    r"\b(?:[adimrstvw]_[0-9a-z]{26}|[adimnrstvw]_[0-9a-z]{8}|k_[0-9a-f]{16}|c_\d{8}T\d{4}Z_[0-9a-z]{6})\b"
)
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_PYTHON = re.compile(r"^```python run\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_EXIT = re.compile(r"\s+# exit (\d+)$")
_FENCE = re.compile(r"\[(/?)memory [0-9a-f]{8}")
_HASH = re.compile(r"\b(?:repo_)?[0-9a-f]{7,64}\b")
_DATE = re.compile(r"\b\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?")
_TIME = re.compile(r"\b\d[\d,.]* (?:(?:second|minute|hour)s?|m?s)\b")
_SIZE = re.compile(r"\b\d[\d,.]* [KMGT]?B\b")
_VERSION = re.compile(r"\b\d+\.\d+\.\d+\b")
# The answer holds random marks, and the estimate of their tokens differs from run to run.
_TOKENS = re.compile(r"\b\d[\d,]* (?=of [\d,]+ tokens\b)|(?<=<date>) +\d[\d,]*\b")
_HOLE = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A command as a page shows it, with the output it shows and the exit code it states."""

    command: str
    lines: tuple[str, ...]
    output: tuple[str, ...]
    exit_code: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """An example, and what really happened."""

    example: Example
    output: str
    exit_code: int

    @property
    def fits(self) -> bool:
        """Tell whether the page says what happened, apart from what differs in every run.

        That is ids, hashes, dates, times, sizes, versions and tokens. All other numbers must agree,
        such as scores, counts and line numbers.
        """
        return self.exit_code == self.example.exit_code and _alike(
            self.example.output, tuple(self.output.splitlines())
        )


def examples(text: str) -> list[Example]:
    """Return the commands of a page, in order."""
    return [example for block in BLOCK.finditer(text) for example in examples_of(block[1])]


def programs(text: str) -> list[Example]:
    """Return the Python programs of a page that say they run, each as a command."""
    return [
        Example(
            command=f"python - <<'END_OF_PROGRAM'\n{block[1]}END_OF_PROGRAM", lines=(), output=()
        )
        for block in _PYTHON.finditer(text)
    ]


def examples_of(block: str) -> Iterator[Example]:
    """Give the commands of one block, in order."""
    current: Example | None = None
    goes_on = False
    for line in block.splitlines():
        if line.startswith("$ "):
            if current is not None:
                yield current
            current = Example(command=line[2:], lines=(line,), output=())
        elif current is None:
            continue
        elif goes_on or (line[:2] in {">", "> "} and not current.output):
            words = line.removeprefix(">").removeprefix(" ") if line[:1] == ">" else line
            current = replace(
                current, command=f"{current.command}\n{words}", lines=(*current.lines, line)
            )
        else:
            current = replace(current, output=(*current.output, line))
            continue
        if found := _EXIT.search(current.command):
            current = replace(
                current, command=current.command[: found.start()], exit_code=int(found[1])
            )
        goes_on = line.endswith("\\")
    if current is not None:
        yield current


def _plain(line: str) -> str:
    """Return a line without what differs from run to run."""
    line = ID.sub("<id>", line)
    line = _FENCE.sub(r"[\1memory <nonce>", line)
    line = _HASH.sub("<hash>", line)
    line = _DATE.sub("<date>", line)
    line = _TIME.sub("<time>", line)
    line = _VERSION.sub("<version>", _SIZE.sub("<size>", line))
    return " ".join(_TOKENS.sub("<n> ", line).split())


def _same(shown: str, real: str) -> bool:
    """Compare two lines; where both were cut to fit the width, the cut may be elsewhere."""
    if shown.endswith(_HOLE) and real.endswith(_HOLE):
        one, other = (text.rsplit(" ", 2)[0] for text in (shown, real))
        return one.startswith(other) or other.startswith(one)
    return shown == real


def _alike(shown: tuple[str, ...], real: tuple[str, ...]) -> bool:
    """Compare line by line; a line of ``…`` stands for any number of lines."""
    if not shown:
        return not real
    if shown[0].strip() == _HOLE:
        return any(_alike(shown[1:], real[start:]) for start in range(len(real) + 1))
    if not real or not _same(_plain(shown[0]), _plain(real[0])):
        return False
    return _alike(shown[1:], real[1:])
