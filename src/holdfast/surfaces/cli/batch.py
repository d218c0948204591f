"""Keep many memories from JSON lines, in groups; every reported memory is durable."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError, HoldfastError, InvalidError, UnavailableError
from holdfast.domain.values import replace
from holdfast.surfaces.cli.failure import told
from holdfast.surfaces.cli.present.terminal.colour import Dim
from holdfast.surfaces.cli.standard_input import piped_lines
from holdfast.surfaces.wire.memory import line_json
from holdfast.surfaces.wire.requests import read_remember

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.memory.callers import Principal
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.usecases.memory.remember import Remember, Remembered

GROUP = 500
_REFUSED = 2
_NOT_COMPARED = (
    "more than {most} claims at once are not compared with each other; to look for contradictions"
    " among them: holdfast curate"
)
Numbered = tuple[int, "Remember"]


def remember_batch(defaults: Remember, context: CommandContext) -> int:
    """Keep a memory per line of standard input; a bad line is reported, the others are kept."""
    from holdfast.usecases.memory.remember import FEW

    outcomes: dict[str, int] = {}
    refused, longest = 0, 0
    lines = ((number, line) for number, line in enumerate(piped_lines(), 1) if line.strip())
    with context.progress("remembering") as progress:
        while group := list(itertools.islice(lines, GROUP)):
            wishes: list[Numbered] = []
            for number, line in group:
                try:
                    wishes.append((number, read_line(line, defaults, context.principal)))
                except InvalidError as error:
                    refused += 1
                    context.output.complain(f"line {number}: ", *told(error))
            longest = max(longest, len(wishes))
            for number, became in _kept(wishes, context):
                if isinstance(became, HoldfastError):
                    refused += 1
                    context.output.complain(f"line {number}: ", *told(became))
                else:
                    name = became.outcome.value
                    outcomes[name] = outcomes.get(name, 0) + 1
                    _acknowledge(number, became, context)
            context.output.flush()
            progress(sum(outcomes.values()), 0)
    counted = ", ".join(f"{count:,} {name}" for name, count in outcomes.items()) or "nothing kept"
    context.output.note(f"{counted}{f', {refused:,} refused' if refused else ''}")
    if longest > FEW:
        context.output.note(Dim(_NOT_COMPARED.format(most=FEW)))
    return _REFUSED if refused else 0


def _kept(
    wishes: Sequence[Numbered], context: CommandContext
) -> list[tuple[int, Remembered | HoldfastError]]:
    """Keep a group in one transaction; if one is refused, keep each by itself."""
    try:
        kept = (
            context.holdfast.memories.remember_all([wish for _, wish in wishes]) if wishes else []
        )
    except UnavailableError:
        raise
    except HoldfastError:
        return [(number, _alone(wish, context)) for number, wish in wishes]
    return [(number, one) for (number, _), one in zip(wishes, kept, strict=True)]


def _alone(wish: Remember, context: CommandContext) -> Remembered | HoldfastError:
    try:
        return context.holdfast.memories.remember(wish)
    except UnavailableError:
        raise
    except HoldfastError as error:
        return error


def _acknowledge(number: int, remembered: Remembered, context: CommandContext) -> None:
    if context.output.as_json:
        context.output.json(line_json(number, remembered))
        return
    context.output.say(remembered.record.memory.id)
    if remembered.conflicts:
        from holdfast.surfaces.cli.present.memory.contradicted import tell_conflicts

        tell_conflicts(remembered, context.output)


def read_line(line: str, defaults: Remember, principal: Principal) -> Remember:
    """Return the request of a line; missing fields come from the options.

    Raises:
        BadFieldError: The line is not an object, or one of its fields is invalid.
    """
    try:
        shape = json.loads(line)
    except (ValueError, RecursionError):
        raise BadFieldError(field="line", problem="is not JSON.") from None
    wish = read_remember(shape, defaults, noun="line")
    return replace(wish, source=principal.source(wish.source, door="cli"))
