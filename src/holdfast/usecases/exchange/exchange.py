"""Exchange: import an export completely, without duplicates, with every text screened."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from holdfast.domain.errors import ConflictError, InvalidError, NotFoundError
from holdfast.domain.refusals import BadExchangeError
from holdfast.domain.review.curation import Ability
from holdfast.domain.values import dataclass, field, replace
from holdfast.usecases.exchange.export import FORMAT, READABLE
from holdfast.usecases.exchange.screened_lines import LineScreening
from holdfast.usecases.exchange.taking import TAKERS, BatchContext, LineOutcome, Said
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from holdfast.ports.clock import Clock
    from holdfast.ports.store.store import Store

BATCH = 1_000
"""How many lines an import stores in one unit of work."""

Line = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """The result of an import, counted by lines.

    ``forgotten`` were forgotten by it. ``buried`` are about memories that were forgotten here
    before, and were left out: what was forgotten stays forgotten.
    """

    added: int = 0
    known: int = 0
    forgotten: int = 0
    buried: int = 0
    refused: tuple[str, ...] = ()


def bring_in(
    lines: Iterable[str],
    *,
    store: Store,
    clock: Clock,
    secrets: SecretPolicy = SecretPolicy.REFUSE,
    tell: Callable[[Brought], None] = lambda _: None,
) -> Brought:
    """Import an export batch by batch; existing records stay as they are.

    Every batch is durable when it is reported, so an interrupted import can simply be repeated.
    Imported records get the space of the store. Text passes the same gates as everything else; a
    line that does not pass is refused and named, and the others are kept.

    Raises:
        BadExchangeError: A line is not from an export; the lines before it were imported.
    """
    so_far, screening = _Progress(), LineScreening(secrets)
    numbered = enumerate(lines, start=1)
    while batch := list(itertools.islice(numbered, BATCH)):
        before = so_far.brought
        so_far = _taken(batch, so_far, store=store, at=clock.now(), screening=screening)
        brought, trouble = so_far.brought, so_far.trouble
        if brought.forgotten > before.forgotten and Ability.SCRUB in store.upkeep.abilities:
            store.upkeep.scrub()
        tell(brought)
        if trouble is not None:
            raise BadExchangeError(trouble.line, trouble.problem, refused=brought.refused)
    return so_far.brought


@dataclass(frozen=True, slots=True, kw_only=True)
class _Progress:
    """How far an import has come: what it brought, what it read, and what stopped it."""

    brought: Brought = field(default_factory=Brought)
    read: Counter[Said] = field(default_factory=Counter)
    trouble: BadExchangeError | None = None


@repeatable
def _taken(
    batch: Sequence[tuple[int, str]],
    so_far: _Progress,
    *,
    store: Store,
    at: datetime,
    screening: LineScreening,
) -> _Progress:
    """Take one batch in, in one unit of work."""
    brought, read, trouble = so_far.brought, Counter(so_far.read), None
    with store.writing(at) as tx:
        context = BatchContext(tx=tx, space=store.space, screening=screening, read=read)
        try:
            for number, line in batch:
                brought = _take(number, line, brought, context=context)
        except BadExchangeError as error:
            trouble = error
    return _Progress(brought=brought, read=read, trouble=trouble)


def _take(number: int, text: str, brought: Brought, *, context: BatchContext) -> Brought:
    if not text.strip():
        return brought
    line = _parsed(number, text)
    named = str(line.get("type"))
    if named == "holdfast":
        _check_header(number, line.get("data"))
        return brought
    if named not in TAKERS:
        raise BadExchangeError(number, f"its type '{named[:40]}' is unknown.")
    try:
        taken = TAKERS[named](line.get("data"), context)
    except (InvalidError, NotFoundError, ConflictError) as error:
        return replace(brought, refused=(*brought.refused, f"line {number}: {error}"))
    return replace(
        brought,
        added=brought.added + (taken is LineOutcome.ADDED),
        known=brought.known + (taken is LineOutcome.KNOWN),
        forgotten=brought.forgotten + (taken is LineOutcome.FORGOTTEN),
        buried=brought.buried + (taken is LineOutcome.BURIED),
    )


def _parsed(number: int, line: str) -> Line:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise BadExchangeError(number, "it is not JSON.") from None
    if not isinstance(value, dict):
        raise BadExchangeError(number, "it is not an object.")
    return value


def _check_header(number: int, data: object) -> None:
    found = data.get("format") if isinstance(data, dict) else None
    if not isinstance(found, int) or found not in READABLE:
        problem = f"its format is {found}, this program reads formats up to {FORMAT}."
        raise BadExchangeError(number, problem)
