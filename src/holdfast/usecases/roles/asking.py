"""Ask a specialist within its time, and the next one of the playbook if it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import InvalidError
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.roles.answers import EMPTY
from holdfast.domain.roles.checked_answers import checked_answer
from holdfast.domain.roles.precedence import NOTHING, played
from holdfast.domain.roles.step import LARGEST_STEP, StepAttempt
from holdfast.domain.values import dataclass
from holdfast.usecases.screening import SecretPolicy, screened_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.roles.step import StepWork
    from holdfast.ports.clock import Clock
    from holdfast.ports.roles.specialists import Specialists

_LONGEST_PROBLEM = 200
_SHORTEST = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A checked answer, who gave it, and every attempt until then."""

    outputs: Mapping[str, object]
    specialist: str
    attempts: tuple[StepAttempt, ...]


def answered(
    work: StepWork,
    inputs: Mapping[str, object],
    *,
    seconds: float,
    specialists: Specialists,
    clock: Clock,
) -> Answered:
    """Return the first answer that has the shape of the work; nobody's answer if none has.

    The chosen specialist gets all of the time but a part that its fallback needs.
    """
    attempts: list[StepAttempt] = []
    begun = clock.now()
    chain = dict.fromkeys((specialists.chosen(work), *played(work).fallbacks))
    names = [name for name in chain if name != NOTHING]
    for place, name in enumerate(names, start=1):
        left = seconds - (clock.now() - begun).total_seconds()
        if left < _SHORTEST:
            break
        # Half of what is left stays for those that come after this one.
        share = left if place == len(names) else left / 2
        outputs, problem = _tried(name, work, inputs, seconds=share, specialists=specialists)
        attempts.append(StepAttempt(specialist=name, problem=problem[:_LONGEST_PROBLEM]))
        if outputs is not None:
            return Answered(outputs=outputs, specialist=name, attempts=tuple(attempts))
    if not attempts:
        attempts.append(StepAttempt(specialist=names[0], problem="no time was left for it"))
    return Answered(outputs=EMPTY[work], specialist=NOTHING, attempts=tuple(attempts))


def _tried(
    name: str,
    work: StepWork,
    inputs: Mapping[str, object],
    *,
    seconds: float,
    specialists: Specialists,
) -> tuple[Mapping[str, object] | None, str]:
    """Return a checked answer, or why there is none."""
    end = specialists.ask(name, work, inputs, seconds=seconds)
    if end.problem:
        return None, end.problem
    try:
        clean = screened_values(end.outputs, what="answer", secrets=SecretPolicy.REDACT)
        checked = checked_answer(work, clean, inputs)
        size = len(canonical_json(checked).encode())
    except InvalidError as error:
        return None, f"its answer is not usable: {str(error).rstrip('.')}"
    if size > LARGEST_STEP:
        return None, f"its answer has {size:,} bytes"
    return checked, ""
