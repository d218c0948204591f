"""Reads everything in a store as facts, and compares them with the history."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import holdfast
from holdfast.domain.choices import Status
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import plain_tool
from holdfast.domain.memory.entry import GENESIS
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.review.curation import HealthFinding, Severity
from holdfast.ports.store.store import Store, Transaction
from torture.journal import History
from torture.report import Tally
from torture.writer import asked, claim_of, forgotten, linked, live, opened, superseded

MOST_SEARCHES = 150
_PAGE = 500
_TOLERATED = frozenset({"permissions", "head"})


@dataclass(slots=True)
class Contents:
    """The content of a store as facts; ``wrong`` lists what no store may hold."""

    facts: set[str] = field(default_factory=set)
    standing: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def judge(home: Path, told: History, *, seed: int = 0) -> Tally:
    """Open the store after a fault and return how it differs from the history."""
    try:
        with holdfast.open(home=home, folder=home) as memory:
            contents = read(memory.app.store, random.Random(seed))
            findings = [finding for finding in memory.app.upkeep.check(_quiet) if is_bad(finding)]
    except HoldfastError as error:
        return Tally(
            acks=len(told.acknowledged),
            bad=1,
            notes=(f"the store does not open: {type(error).__name__}: {error}",),
        )
    return compare(contents, findings, told)


def compare(contents: Contents, findings: list[HealthFinding], told: History) -> Tally:
    """Compare what was found with what was attempted and acknowledged."""
    expected, tried = expectation(told, contents.facts)
    missing = expected - contents.facts
    surplus = contents.facts - expected
    ghosts = {fact for fact in surplus if fact not in tried}
    torn = [f"half done: {fact}" for fact in surplus - ghosts] + contents.torn
    bad = [
        *contents.wrong,
        *(f"check() says {finding.check}: {finding.message}" for finding in findings),
    ]
    notes = [f"LOST {fact}" for fact in sorted(missing)][:2]
    notes += [f"GHOST {fact}" for fact in sorted(ghosts)][:2]
    notes += [f"TORN {fact}" for fact in sorted(torn)][:2]
    notes += [f"BAD {fact}" for fact in bad][:3]
    return Tally(
        acks=len(told.acknowledged),
        lost=len(missing),
        ghost=len(ghosts),
        torn=len(torn),
        bad=len(bad),
        notes=tuple(notes),
    )


def expectation(told: History, seen: set[str]) -> tuple[set[str], set[str]]:
    """Return the facts that must be in the store, and every fact that was ever attempted.

    An acknowledged operation must have happened. An operation that was only attempted may have
    happened, but completely: it counts as done if all of it is seen.
    """
    expected: set[str] = set()
    tried: set[str] = set()
    open_ends = []
    for attempt, is_acknowledged in told.in_order():
        tried |= attempt.adds
        if is_acknowledged:
            expected -= attempt.drops
            expected |= attempt.adds
        else:
            open_ends.append(attempt)
    for attempt in open_ends:
        if attempt.adds <= seen and not attempt.drops & seen:
            expected -= attempt.drops
            expected |= attempt.adds
    return expected, tried


def read(store: Store, chance: random.Random) -> Contents:
    """Read everything in one snapshot."""
    contents = Contents()
    with store.reading() as tx:
        names = _read_memories(tx, contents)
        _read_links(tx, contents, names)
        _read_sessions(tx, contents)
        _read_events(tx, contents, names)
        _search(tx, contents, chance)
    return contents


def is_bad(finding: HealthFinding) -> bool:
    """Return whether a finding is not allowed after a fault that damages nothing.

    The permissions of the folder depend on the work folder. A head file that is missing or behind
    is a legal result of a power cut; one that is ahead counts as damage.
    """
    if finding.severity is Severity.WARNING:
        return finding.check not in _TOLERATED
    return finding.severity is Severity.DAMAGE


def records(tx: Transaction) -> Iterator[MemoryRecord]:
    """Yield every memory, oldest first."""
    beyond = None
    while page := tx.memories.find(
        Selection(), Page(limit=_PAGE, beyond=beyond, oldest_first=True)
    ):
        yield from page
        beyond = page.beyond


def _read_memories(tx: Transaction, contents: Contents) -> dict[str, str]:
    """Read memories and tombstones; return the token of each id."""
    names: dict[str, str] = {}
    tokens: set[str] = set()
    kept = list(records(tx))
    for record in kept:
        token = record.memory.claim.partition(" ")[0]
        if token in tokens:
            contents.wrong.append(f"{token} is stored twice")
        tokens.add(token)
        names[record.memory.id] = token
        if record.memory.claim != claim_of(token):
            contents.wrong.append(f"{token} does not say what was written")
    beyond = ""
    while page := tx.names.tombstones(beyond=beyond, limit=_PAGE):
        for tombstone in page:
            names[tombstone.memory_id] = tombstone.reason
            contents.facts.add(forgotten(tombstone.reason))
            contents.gone.append(tombstone.reason)
        beyond = page[-1].memory_id
    for record in kept:
        _read_standing(record, contents, names)
    return names


def _read_standing(record: MemoryRecord, contents: Contents, names: dict[str, str]) -> None:
    token, standing = names[record.memory.id], record.standing
    if standing.status is Status.ACCEPTED:
        contents.facts.add(live(token))
        contents.standing.append(token)
    else:
        successor = names.get(standing.superseded_by or "", "nobody")
        contents.facts.add(superseded(token, successor))


def _read_links(tx: Transaction, contents: Contents, names: dict[str, str]) -> None:
    beyond = None
    while page := tx.links.page(beyond=beyond, limit=_PAGE):
        for link in page:
            ends = names.get(link.src, link.src), names.get(link.dst, link.dst)
            contents.facts.add(linked(ends[0], link.kind, ends[1]))
        beyond = page[-1]


def _read_sessions(tx: Transaction, contents: Contents) -> None:
    beyond = None
    while page := tx.sessions.page(beyond=beyond, limit=_PAGE):
        for session in page:
            ended = session.finished_at is not None
            contents.facts.add(opened(plain_tool(session.tool), ended=ended))
            for turn in tx.sessions.turns(session.id):
                contents.facts.add(asked(turn.query, plain_tool(session.tool)))
        beyond = page[-1].id


def _read_events(tx: Transaction, contents: Contents, names: dict[str, str]) -> None:
    """Check that the event chain is complete, and that it agrees with the rows."""
    actions: dict[str, list[str]] = {}
    previous, sequence = GENESIS, 0
    while page := tx.diary.events.since(sequence, limit=_PAGE):
        for event in page:
            if event.previous != previous or event.sequence != sequence + 1:
                contents.torn.append(f"event {event.sequence} does not follow {sequence}")
            actions.setdefault(event.subject, []).append(event.action)
            previous, sequence = event.hash, event.sequence
    if tx.diary.events.head().sequence != sequence:
        contents.torn.append(f"the head is not event {sequence}")
    _match_events(actions, contents, names)


def _match_events(actions: dict[str, list[str]], contents: Contents, names: dict[str, str]) -> None:
    for memory_id, token in names.items():
        happened = actions.pop(memory_id, [])
        is_gone = forgotten(token) in contents.facts
        if happened[:1] != ["memory.added"] or ("memory.forgotten" in happened) is not is_gone:
            contents.torn.append(f"{token} and its events disagree: {happened}")
    for subject, happened in actions.items():
        if "memory.added" in happened:
            contents.torn.append(f"{subject} has events and no memory")


def _search(tx: Transaction, contents: Contents, chance: random.Random) -> None:
    """Check on a sample that a search by words finds exactly the live claims."""
    for token in _some(contents.standing, chance):
        hits = tx.finding.words.search((token,), _ANY, limit=3)
        records = tx.finding.around.read([hit.sequence for hit in hits])
        found = [record.memory.claim for record in records]
        if found != [claim_of(token)]:
            contents.wrong.append(f"the index gives {len(found)} memories for {token}")
    for token in _some(contents.gone, chance):
        if tx.finding.words.search((token,), Selection(), limit=3):
            contents.wrong.append(f"the index still knows the forgotten {token}")


_ANY = Selection(statuses=frozenset({Status.ACCEPTED}))


def _some(tokens: list[str], chance: random.Random) -> list[str]:
    return tokens if len(tokens) <= MOST_SEARCHES else chance.sample(tokens, MOST_SEARCHES)


def _quiet(_done: int, _all: int) -> None:
    """Ignore the progress."""
