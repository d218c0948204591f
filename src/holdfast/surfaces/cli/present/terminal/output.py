"""The only module that writes: answers go to stdout, everything else to stderr.

No part of a text reaches the terminal as a control sequence.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from holdfast.domain.gates.unseen import escaped
from holdfast.surfaces.cli.present.terminal.colour import ErrorText, Name, Quoted, Styled, is_wanted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import IO, AnyStr, TextIO


# Replacements for the program's own signs on a terminal without UTF-8.
_PLAIN_SIGNS = str.maketrans(
    {"…": "...", "·": "-", "◆": "*", "—": "--", "├": "|", "└": "`", "│": "|", "─": "-", "█": "#"}
)


class OutputLostError(Exception):
    """What was to be said could not be written, for example to a full disk."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


class Output:
    """Writes lines; formats them for a terminal, a pipe or a program."""

    def __init__(
        self, *, as_json: bool = False, is_quiet: bool = False, may_colour: bool = True
    ) -> None:
        self.as_json = as_json
        self.is_quiet = is_quiet
        self.is_terminal = _is_terminal(sys.stdout)
        self.is_watched = _is_terminal(sys.stderr) and not is_quiet
        self._colours_out = may_colour and is_wanted(sys.stdout)
        self.is_coloured = self._colours_out
        self._colours_err = may_colour and is_wanted(sys.stderr)
        self.chosen: tuple[str, ...] = ()
        """The options that chose the store; commands that are suggested have them too."""

    def say(self, *parts: str) -> None:
        """Write one line of the answer; a terminal gets the ids among the names in short."""
        if self.chosen:
            parts = tuple(self.pasteable(one) if isinstance(one, Name) else one for one in parts)
        if self.is_terminal:
            from holdfast.surfaces.cli.present.terminal.short_ids import as_at_terminal

            parts = tuple(map(as_at_terminal, parts))
        self._write(sys.stdout, [*parts, "\n"], coloured=self._colours_out)

    def pasteable(self, text: str) -> str:
        """Return the program's own words so that their commands run with the same store."""
        if not self.chosen:
            return text
        from holdfast.surfaces.cli.present.terminal.pasting import pasteable

        return pasteable(text, self.chosen)

    def named(self, text: str) -> str:
        """Return the program's own words as it writes them: a terminal gets ids in short."""
        text = self.pasteable(text)
        if not self.is_terminal:
            return text
        from holdfast.surfaces.cli.present.terminal.short_ids import shortened

        return shortened(text)

    def say_folded(self, *parts: str) -> None:
        """Write a line of the answer; a terminal gets it in lines of its width."""
        from holdfast.surfaces.cli.present.terminal.measuring import terminal_width

        self.say(*_folded(parts, terminal_width() if self.is_terminal else 0))

    def fitting(self, parts: Sequence[str], *, indent: str) -> list[str]:
        """Return the parts of a line; for a terminal, broken into lines that fit after an indent.

        The caller writes what stands before the first line, which is as wide as the indent.
        """
        from holdfast.surfaces.cli.present.terminal.measuring import terminal_width

        width = terminal_width() - len(indent) if self.is_terminal else 0
        folded = _folded(parts, width)
        return [type(part)(part.replace("\n", f"\n{indent}")) for part in folded]

    def text(self, text: str) -> None:
        """Write a text that ends its own lines."""
        self._write(sys.stdout, [text], coloured=False)

    def lines(self, lines: Iterable[str]) -> int:
        """Write lines in UTF-8 whatever the terminal's encoding is; return how many.

        An export must read back exactly, also on a terminal with another encoding.
        """
        if sys.stdout is None:
            return 0
        sys.stdout.flush()
        count = 0
        for line in lines:
            _put(sys.stdout.buffer, line.encode("utf-8") + b"\n")
            count += 1
        return count

    def note(self, *parts: str) -> None:
        """Write a line to stderr, unless --quiet was given."""
        if not self.is_quiet:
            self.complain(*parts)

    def note_removed(self, *texts: str | None) -> None:
        """Name the hidden characters of texts that were stored without them."""
        from holdfast.domain.gates.hidden import hidden_in

        if removed := hidden_in(*texts):
            gone = ", ".join(f"{item.count} x {item.name}" for item in removed)
            self.note(f"hidden characters removed: {gone}")

    def complain(self, *parts: str) -> None:
        """Write a line to stderr, even if --quiet was given."""
        kept = (Quoted, ErrorText)
        parts = tuple(one if isinstance(one, kept) else self.pasteable(one) for one in parts)
        from holdfast.surfaces.cli.present.terminal.measuring import note_width

        if width := note_width() if _is_terminal(sys.stderr) else 0:
            from holdfast.surfaces.cli.present.terminal.short_ids import shortened

            # Notes are the program's own words: a terminal gets their ids in short.
            parts = tuple(one if isinstance(one, Quoted) else shortened(one) for one in parts)
        shown = _folded(parts, width)
        self._write(sys.stderr, [*shown, "\n"], coloured=self._colours_err)

    def json(self, value: object) -> None:
        """Write a value as JSON: indented for people, one line for programs."""
        if sys.stdout is not None:
            _put(sys.stdout, as_json(value, stream=sys.stdout))

    def complain_json(self, value: object) -> None:
        """Write a value as JSON to stderr."""
        if sys.stderr is not None:
            _put(sys.stderr, as_json(value, stream=sys.stderr))

    def flush(self) -> None:
        """Flush both streams."""
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()

    def _write(self, stream: TextIO | None, parts: list[str], *, coloured: bool) -> None:
        if stream is not None:
            line = "".join(_shown(part, coloured=coloured) for part in parts)
            _put(stream, fitted(line, stream))


def _put(stream: IO[AnyStr], text: AnyStr) -> None:
    """Write a text; a closed pipe raises as it is, because it differs from a full disk.

    Raises:
        OutputLostError: The answer could not be written. Failures of stderr are ignored.
    """
    try:
        stream.write(text)
    except BrokenPipeError:
        raise
    except OSError as error:
        if stream is not sys.stderr:
            raise OutputLostError(error) from error


def _folded(parts: Sequence[str], width: int) -> list[str]:
    """Return a text in lines of a terminal; without a width it stays as it is."""
    if not width:
        return list(parts)
    from holdfast.surfaces.cli.present.terminal.folding import folded_parts

    return folded_parts(parts, width)


def _shown(part: str, *, coloured: bool) -> str:
    plain = escaped(str(part))
    if coloured and plain and isinstance(part, Styled):
        return f"\x1b[{part.code}m{plain}\x1b[0m"
    return plain


def fitted(text: str, stream: TextIO) -> str:
    """Return the text with the characters that the stream cannot encode replaced or escaped."""
    encoding = stream.encoding or "utf-8"
    if text.isascii():
        return text
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        plain = text.translate(_PLAIN_SIGNS)
        return plain.encode(encoding, "backslashreplace").decode(encoding)
    return text


def as_json(value: object, *, stream: TextIO) -> str:
    """Return a value as one JSON text and a line end."""
    from holdfast.surfaces.wire.json_text import json_text

    text = json_text(
        value,
        indent=2 if _is_terminal(stream) else None,
        is_compact=False,
        ascii_only=(stream.encoding or "").lower().replace("-", "") != "utf8",
    )
    return f"{text}\n"


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
