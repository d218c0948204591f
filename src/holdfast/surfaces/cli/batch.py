"""Many memories from lines of JSON, kept in groups: what is told is durable."""

from __future__ import annotations

import itertools
import json
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, choose
from holdfast.domain.errors import BadFieldError, HoldfastError, InvalidError, UnavailableError
from holdfast.domain.evidence import Evidence, evidence_from_json
from holdfast.domain.fields import Fields
from holdfast.domain.lifetime import read_lifetime
from holdfast.domain.values import replace
from holdfast.surfaces.cli.advice import worded
from holdfast.surfaces.cli.evidence_words import sorted_out
from holdfast.surfaces.cli.standard_input import piped_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from holdfast.domain.callers import Caller
    from holdfast.surfaces.cli.desk import Desk
    from holdfast.usecases.remember import Remember, Remembered

GROUP = 500
_REFUSED = 2
FIELDS = frozenset(
    {
        *("value", "kind", "scope", "key", "label", "ttl", "tags", "importance", "weight"),
        *("pinned", "metadata", "origin", "source"),
        *("evidence", "because", "from_bundle", "derived_from"),
    }
)
Numbered = tuple[int, "Remember"]


def remember_batch(defaults: Remember, desk: Desk) -> int:
    """Keep a memory per line of standard input; a bad line is named and the others are kept."""
    outcomes: dict[str, int] = {}
    refused = 0
    lines = ((number, line) for number, line in enumerate(piped_lines(), 1) if line.strip())
    with desk.progress("remembering") as progress:
        while group := list(itertools.islice(lines, GROUP)):
            wishes: list[Numbered] = []
            for number, line in group:
                try:
                    wishes.append((number, read_line(line, defaults, desk.caller)))
                except InvalidError as error:
                    refused += 1
                    desk.output.complain(f"line {number}: {worded(error)}")
            for number, became in _kept(wishes, desk):
                if isinstance(became, HoldfastError):
                    refused += 1
                    desk.output.complain(f"line {number}: {worded(became)}")
                else:
                    name = became.outcome.value
                    outcomes[name] = outcomes.get(name, 0) + 1
                    _acknowledge(number, became, desk)
            desk.output.flush()
            progress(sum(outcomes.values()), 0)
    counted = ", ".join(f"{count:,} {name}" for name, count in outcomes.items()) or "nothing kept"
    desk.output.note(f"{counted}{f', {refused:,} refused' if refused else ''}")
    return _REFUSED if refused else 0


def _kept(wishes: Sequence[Numbered], desk: Desk) -> list[tuple[int, Remembered | HoldfastError]]:
    """Keep a group in one durable step; where one is refused, each is kept by itself."""
    try:
        kept = desk.memory.remember_all([wish for _, wish in wishes]) if wishes else []
    except UnavailableError:
        raise
    except HoldfastError:
        return [(number, _alone(wish, desk)) for number, wish in wishes]
    return [(number, one) for (number, _), one in zip(wishes, kept, strict=True)]


def _alone(wish: Remember, desk: Desk) -> Remembered | HoldfastError:
    try:
        return desk.memory.remember(wish)
    except UnavailableError:
        raise
    except HoldfastError as error:
        return error


def _acknowledge(number: int, remembered: Remembered, desk: Desk) -> None:
    name, outcome = remembered.record.memory.id, remembered.outcome.value
    if desk.output.as_json:
        desk.output.json({"line": number, "id": name, "outcome": outcome})
    else:
        desk.output.say(name)


def read_line(line: str, defaults: Remember, caller: Caller) -> Remember:
    """Return the wish a line describes; what it does not say comes from the options.

    Raises:
        BadFieldError: The line is not an object, or a field of it makes no sense.
    """
    try:
        shape = json.loads(line)
    except (ValueError, RecursionError):
        raise BadFieldError(field="line", problem="is not JSON.") from None
    fields = Fields(shape, noun="line")
    if unknown := sorted(set(shape) - FIELDS):
        raise BadFieldError(
            field="line", problem=f"has a field '{unknown[0][:40]}'; it takes {_all_fields()}."
        )
    wish = _classified(replace(defaults, claim=fields.text("value")), fields, set(shape))
    return replace(wish, source=caller.source(wish.source, door="cli"))


def _no_better(origin: Origin, defaults: Remember) -> Origin:
    """Return who a line says it is from; no line makes a person of whoever runs this.

    Raises:
        BadFieldError: It tries to.
    """
    if origin is Origin.HUMAN and defaults.origin is not Origin.HUMAN:
        problem = f"is human, and this is said by: {defaults.origin.value}."
        raise BadFieldError(field="origin", problem=problem)
    return origin


def _classified(wish: Remember, fields: Fields, said: set[str]) -> Remember:
    readers: dict[str, Callable[[], object]] = {
        "kind": lambda: choose(Kind, fields.text("kind"), what="kind"),
        "scope": lambda: choose(Scope, fields.text("scope"), what="scope"),
        "origin": lambda: _no_better(choose(Origin, fields.text("origin"), what="origin"), wish),
        "key": lambda: fields.maybe_text("key"),
        "label": lambda: fields.maybe_text("label"),
        "source": lambda: fields.text("source"),
        "tags": lambda: fields.words("tags"),
        "importance": lambda: fields.number("importance"),
        "weight": lambda: fields.number("weight"),
        "pinned": lambda: bool(fields.maybe_bool("pinned")),
        "metadata": lambda: _metadata(fields.raw("metadata")),
    }
    changes: dict[str, object] = {name: read() for name, read in readers.items() if name in said}
    if "ttl" in said:
        changes["keep_for"] = read_lifetime(fields.text("ttl"))
    classified = replace(wish, **changes)  # type: ignore[arg-type]  # each was read as it must be
    return _grounded(classified, fields, said)


def _grounded(wish: Remember, fields: Fields, said: set[str]) -> Remember:
    grounds = wish.grounds
    if "evidence" in said:
        items = fields.items("evidence")
        places, given = sorted_out(item for item in items if isinstance(item, str))
        shapes: list[Evidence] = [
            evidence_from_json(item) for item in items if not isinstance(item, str)
        ]
        grounds = replace(grounds, places=places, given=(*given, *shapes))
    if "because" in said:
        grounds = replace(grounds, because=fields.maybe_text("because"))
    if "from_bundle" in said:
        grounds = replace(grounds, from_bundle=fields.maybe_text("from_bundle"))
    if "derived_from" in said:
        grounds = replace(grounds, derived_from=fields.words("derived_from"))
    return replace(wish, grounds=grounds)


def _metadata(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise BadFieldError(field="metadata", problem="must be an object.")
    return {str(name): item for name, item in value.items()}


def _all_fields() -> str:
    return ", ".join(sorted(FIELDS))
