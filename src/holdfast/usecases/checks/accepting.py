"""Accept: let the command of a check run on this machine, or take that back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.change import AcceptedCommand, changed_since
from holdfast.domain.checks.check import checks_in, is_command, read_check
from holdfast.domain.checks.kinds import CommandCheck, PatternCheck, shown_mark
from holdfast.domain.checks.scripts import unclear_script
from holdfast.domain.choices import Status
from holdfast.domain.errors import BadFieldError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.selection import Selection
from holdfast.domain.review.shown import is_shown
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.anchors.checking import view
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.naming import memory_id
from holdfast.usecases.screening import screened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.ports.checks.checking import AcceptedCommands, Patterns
    from holdfast.usecases.anchors.checking import RepositoryPorts
    from holdfast.usecases.checks.check_ports import CheckPorts

_SHOWN = frozenset({Status.ACCEPTED, Status.CANDIDATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedCheck:
    """A check of a memory; ``accepted`` is the acceptance of its command here, if there is one."""

    record: MemoryRecord
    text: str
    is_command: bool = False
    accepted: AcceptedCommand | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptCommands:
    """A request to accept the commands of a memory; ``shown`` is the hash of what was shown."""

    reference: str
    by: str
    shown: str


_ESCAPED = r"A sign that stands for itself needs a backslash, such as \(."


def refuse_odd_patterns(texts: Iterable[str], patterns: Patterns) -> None:
    """Return if every pattern can be searched; nothing is refused where no pattern can be.

    Raises:
        BadFieldError: A text is no check, or a pattern cannot be read.
    """
    for text in texts:
        check = read_check(text)
        if not isinstance(check, PatternCheck) or patterns.missing:
            continue
        if problem := patterns.problem(check.pattern):
            raise BadFieldError(field="check", problem=f"'{text[:60]}': {problem}. {_ESCAPED}")


def commands_of(record: MemoryRecord) -> tuple[CommandCheck, ...]:
    """Return the commands among the checks of a memory that this version can read."""
    found: list[CommandCheck] = []
    for text in checks_in(record.memory.metadata):
        try:
            check = read_check(text)
        except BadFieldError:
            continue
        if isinstance(check, CommandCheck):
            found.append(check)
    return tuple(found)


def listed_checks(*, ports: RepositoryPorts, checks: CheckPorts) -> tuple[ListedCheck, ...]:
    """Return the checks of the accepted memories and the candidates that reach this place."""
    place = ports.surroundings.place()
    here = (place.repo, checks.book.clone)
    accepted = {one.mark: one for one in checks.book.entries() if (one.repo, one.clone) == here}
    with ports.store.reading() as tx:
        seen = view(place, tx=tx, verifier=ports.verifier)
        records = list(every(Selection(place=place, statuses=_SHOWN, view=seen), tx=tx))
    return tuple(_listed(records, accepted, checks.book))


def _listed(
    records: Iterable[MemoryRecord], accepted: dict[str, AcceptedCommand], book: AcceptedCommands
) -> Iterator[ListedCheck]:
    for record in records:
        commands = {one.text: one for one in commands_of(record)}
        for text in checks_in(record.memory.metadata):
            check = commands.get(text)
            known = None if check is None else accepted.get(check.mark)
            if check is not None and known is not None:
                # The book has no text of a memory, only its hash.
                is_same = not changed_since(known.files, book.files_named(check.command))
                known = replace(known, command=check.command) if is_same else None
            yield ListedCheck(record=record, text=text, is_command=is_command(text), accepted=known)


def commands_to_accept(reference: str, *, ports: RepositoryPorts) -> Sequence[CommandCheck]:
    """Return the commands of an accepted memory.

    Raises:
        BadFieldError: The memory is not accepted, or has no command.
    """
    with ports.store.reading() as tx:
        record = tx.memories.get(memory_id(tx, reference))
    if record.standing.status is not Status.ACCEPTED:
        problem = f"{record.memory.id} is {record.standing.status.value}; accept the memory first."
        raise BadFieldError(field="memory", problem=problem)
    if not (found := commands_of(record)):
        problem = f"{record.memory.id} has no check that is a command."
        raise BadFieldError(field="memory", problem=problem)
    return found


def accept(
    wish: AcceptCommands, *, ports: RepositoryPorts, checks: CheckPorts
) -> tuple[AcceptedCommand, ...]:
    """Record that these commands may run in this clone, exactly as they were shown.

    Raises:
        BadFieldError: The memory is not accepted, has no command, or has another one than shown.
        NoHistoryError: There is no repository.
    """
    found = commands_to_accept(wish.reference, ports=ports)
    if not is_shown(wish.shown, shown_mark(found)):
        raise BadFieldError(field="hash", problem="is not that of the commands; show them again.")
    repo = ports.surroundings.place().repo
    if repo is None:
        raise NoHistoryError
    if distrust := checks.book.distrust:
        raise BadFieldError(field="command", problem=f"was not accepted: {distrust}.")
    if why := next(filter(None, (unclear_script(one.command) for one in found)), ""):
        raise BadFieldError(field="command", problem=f"was not accepted: {why}.")
    by, now = screened(wish.by, what="name"), ports.clock.now()
    made = tuple(
        AcceptedCommand(
            mark=one.mark,
            command=one.command,
            repo=repo,
            clone=checks.book.clone,
            by=by,
            at=now,
            files=checks.book.files_named(one.command),
        )
        for one in found
    )
    for one in made:
        checks.book.put(one)
    return made


def revoke_commands(
    reference: str, *, ports: RepositoryPorts, checks: CheckPorts
) -> tuple[str, ...]:
    """Take back the acceptance of a memory's commands; return those that were accepted.

    Raises:
        NoHistoryError: There is no repository.
    """
    with ports.store.reading() as tx:
        record = tx.memories.get(memory_id(tx, reference))
    repo = ports.surroundings.place().repo
    if repo is None:
        raise NoHistoryError
    book = checks.book
    return tuple(
        one.command
        for one in commands_of(record)
        if book.remove(one.mark, repo=repo, clone=book.clone)
    )
