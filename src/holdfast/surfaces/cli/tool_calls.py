"""Commands that coding tools and git call: they always end with exit code 0.

Several tools read another exit code as "block what you were about to do". So a mistake in a
settings file, or in a later version of a tool, must not stop the tool. The error goes to a log and,
on a terminal, to stderr.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.cli.advising.advice import worded
from holdfast.surfaces.cli.present.terminal.output import OutputLostError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.surfaces.cli.present.terminal.output import Output

_VALUED = frozenset({"--home", "--space", "--store", "-C", "--folder"})
_FOR_PEOPLE = frozenset({"log", "propose"})
_HELP = frozenset({"-h", "--help"})


def called_by_tool(words: Sequence[str]) -> list[str]:
    """Return the words after ``hook`` or ``hooks run``; empty for every other command."""
    if not _HELP.isdisjoint(words):
        return []
    rest = _from_verb(words)
    if rest[:1] == ["hook"] and not _FOR_PEOPLE.intersection(rest[1:2]):
        return rest[1:] or ["hook"]
    return rest[1:] if rest[:2] == ["hooks", "run"] else []


def end_well(perform: Callable[[], int], called: Sequence[str], output: Output, home: str) -> int:
    """Run the command of a tool and return 0; log the error, if there is one."""
    try:
        return perform()
    except HoldfastError as error:
        trouble = worded(error)
    except (BrokenPipeError, OutputLostError):
        return 0  # a tool may ignore the answer; that is no error
    except Exception as error:  # noqa: BLE001 - the last door: the tool must go on, whatever this is
        trouble = f"This is a bug in Holdfast: {type(error).__name__}"
    from holdfast.bootstrap.hooks.attending import note_trouble
    from holdfast.surfaces.hook.program import empty_answer

    note_trouble(home, who=" ".join(called[:2])[:60], what=trouble)
    output.text(empty_answer(called))
    if sys.stderr is not None and sys.stderr.isatty():
        output.complain(trouble)
    return 0


def _from_verb(words: Sequence[str]) -> list[str]:
    """Return the words from the verb on, without the options before it."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        place += 2 if words[place] in _VALUED else 1
    return list(words[place:])
