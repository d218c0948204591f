"""``python -m docs.recording``: record a terminal as an animated picture, ``docs/recording.svg``.

The commands really run, in the repository of the demo. Each command is a scene: it appears, then
its output. The picture needs no script; readers who prefer no motion see the last scene.
"""

from __future__ import annotations

import sys
import tempfile
from html import escape
from pathlib import Path

from docs.example import Example
from docs.shell import ROOT, Shell

PICTURE = ROOT / "docs" / "recording.svg"
COLUMNS, ROWS = 100, 20
_LETTER, _LINE, _MARGIN, _BAR = 8, 18, 16, 28
_TYPING, _READING = 1.2, 4.0
_COMMANDS = tuple(
    r"""
holdfast init 2>/dev/null | head -1

holdfast remember --kind gotcha --evidence src/auth/tokens.py:40-58 \
    "Refresh tokens rotate on every use; replaying one revokes the family."

CLAUDECODE=1 holdfast remember --evidence src/auth/tokens.py:9 \
    "Access tokens live for fifteen minutes."

holdfast review

holdfast approve 1

holdfast recall "why is the family of a refresh token revoked" 2>/dev/null

sed -i "s/store.revoke_family/store.warn/" src/auth/tokens.py && holdfast verify --diff
""".strip().split("\n\n")
)
_STYLE = """\
svg{background:#10161d;border-radius:8px}
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d7dee6;white-space:pre}
.p{fill:#5fd3bc}.d{fill:#8b98a5}
g{opacity:0}
"""


def record() -> list[tuple[str, list[str]]]:
    """Run the commands; return each with the lines that it printed."""
    shown = [Example(command=command, lines=(), output=()) for command in _COMMANDS]
    with tempfile.TemporaryDirectory(prefix="holdfast-recording-") as folder:
        ran = Shell(Path(folder)).run(shown, empty=False)
    return [(one.example.command, one.output.rstrip("\n").split("\n")) for one in ran]


def picture(scenes: list[tuple[str, list[str]]]) -> str:
    """Return the scenes as an animated SVG."""
    whole = len(scenes) * (_TYPING + _READING)
    width, height = COLUMNS * _LETTER + 2 * _MARGIN, ROWS * _LINE + _BAR + _MARGIN
    style, groups = [_STYLE], []
    for number, (command, output) in enumerate(scenes):
        start = number * (_TYPING + _READING)
        end = whole if number == len(scenes) - 1 else start + _TYPING + _READING
        asked = [("p", f"$ {command.split(chr(10))[0]}")]
        asked += [("p", line) for line in command.split("\n")[1:]]
        told = [("d" if line.startswith(" ") else "", line) for line in output]
        for name, lines, begin, above in (
            (f"c{number}", asked, start, 0),
            (f"o{number}", told[: ROWS - len(asked)], start + _TYPING, len(asked)),
        ):
            style.append(_keyframes(name, begin / whole, end / whole, whole))
            groups.append(_group(name, lines, above))
    last = len(scenes) - 1
    style.append(
        "@media (prefers-reduced-motion: reduce){g{animation:none!important}"
        f"#c{last},#o{last}{{opacity:1}}}}"
    )
    lights = "".join(
        f'<circle cx="{_MARGIN + 6 + 18 * place}" cy="14" r="5" fill="#33404d"/>'
        for place in range(3)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' role="img" aria-label="A terminal: a claim is kept with its evidence, an agent proposes,'
        ' a person approves, recall answers, and a changed line is noticed">\n'
        f"<style>{''.join(style)}</style>\n{lights}\n" + "\n".join(groups) + "\n</svg>\n"
    )


def _keyframes(name: str, begin: float, end: float, seconds: float) -> str:
    shown = f"{100 * begin:.2f}%,{100 * end - 0.01:.2f}%{{opacity:1}}"
    before = f"0%,{max(100 * begin - 0.01, 0):.2f}%{{opacity:0}}" if begin else ""
    after = "" if end >= 1 else f"{100 * end:.2f}%,100%{{opacity:0}}"
    return (
        f"#{name}{{animation:{name} {seconds:g}s infinite}}"
        f"@keyframes {name}{{{before}{shown}{after}}}\n"
    )


def _group(name: str, lines: list[tuple[str, str]], above: int) -> str:
    texts = "".join(
        f'<text x="{_MARGIN}" y="{_BAR + (above + place + 1) * _LINE}" class="{style}">'
        f"{escape(line[:COLUMNS])}</text>"
        for place, (style, line) in enumerate(lines)
    )
    return f'<g id="{name}">{texts}</g>'


if __name__ == "__main__":
    PICTURE.write_text(picture(record()), encoding="utf-8")
    sys.stdout.write(f"wrote {PICTURE.relative_to(ROOT)}\n")
