"""What an agent remembers: notes of its own, or candidates that wait for a person.

A note belongs to one agent. It is never accepted by itself, nobody is asked about it, and only the
recall of that agent gives it. What the agent puts into the namespace ``long-term`` is proposed to
people: it waits as a candidate, as every text that no person typed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.agents.agent import (
    LONG_TERM,
    SHORT_TERM,
    SHORT_TERM_LIFETIME,
    MemoryIndexEntry,
    check_name,
)
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status, least_trusted
from holdfast.domain.encryption.sensitive import compared_form, text_of
from holdfast.domain.errors import BadFieldError, NoMeaningError
from holdfast.domain.ids import MemoryId, sortable
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.lifetime import end_of_lifetime
from holdfast.domain.memory.memory import Memory, Standing
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.recall.finding import embedded_text
from holdfast.domain.values import dataclass
from holdfast.usecases.agents.opening import hold
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.encryption.keeping import add_sensitive, refuse_removed, writing_cipher
from holdfast.usecases.memory.remember import Remember, remember_all
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screening import screen, screened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, timedelta

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.finding import Vector
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.recall.models import Embedder
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.agents.opening import AgentOpening


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentNote:
    """A request of an agent to remember a claim, in a namespace, during a cycle or beside them.

    ``also`` are further namespaces of the same memory. ``keep_for`` is how long the claim is valid;
    without it, a note that is only short-term is valid for 30 days and every other claim without an
    end. ``places`` are lines that prove a long-term claim.
    """

    claim: str
    kind: Kind = Kind.OBSERVATION
    namespace: str = SHORT_TERM
    also: tuple[str, ...] = ()
    cycle: int | None = None
    keep_for: timedelta | None = None
    places: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    sensitive: bool = False

    @property
    def namespaces(self) -> tuple[str, ...]:
        """All namespaces, each once."""
        return tuple(dict.fromkeys((self.namespace, *self.also)))


@dataclass(frozen=True, slots=True, kw_only=True)
class NotePorts:
    """The ports that an agent's memory needs."""

    store: Store
    clock: Clock
    surroundings: Surroundings
    heuristics: Heuristics
    verifier: Verifier | None = None
    embedder: Embedder | None = None
    keys: KeyRing | None = None


def source_of(name: str) -> str:
    """Return the source of everything that an agent of that name remembers."""
    return f"agent:{name}"


def note(
    opening: AgentOpening, wish: AgentNote, *, origin: Origin, ports: NotePorts
) -> MemoryRecord:
    """Remember a claim of an agent; ``long-term`` proposes it to people, the rest is its own.

    Raises:
        AgentTakenOverError: Another process has opened the agent since.
        SecretRefusedError: The claim contains a secret.
        BadFieldError: The namespace has no name that can be typed.
    """
    for name in wish.namespaces:
        check_name(screened(name, what="namespace"), what="namespace")
    author = least_trusted([origin, Origin.AGENT])
    if wish.places and LONG_TERM not in wish.namespaces:
        problem = f"is for the namespace '{LONG_TERM}'; the evidence of a note is its cycle."
        raise BadFieldError(field="evidence", problem=problem)
    if LONG_TERM in wish.namespaces:
        return _proposed(opening, wish, author, ports)
    memory = _memory(opening, wish, author, ports)
    if wish.sensitive:
        return _noted_sensitive(opening, wish, memory, ports)
    return _noted(opening, wish, memory, _vectors(memory, ports.embedder), ports)


def _proposed(
    opening: AgentOpening, wish: AgentNote, author: Origin, ports: NotePorts
) -> MemoryRecord:
    """Propose the claim to people, then note whose it is."""
    _hold(opening, ports)
    request = Remember(
        claim=wish.claim,
        grounds=Grounds(places=wish.places, given=(_evidence(opening, wish.cycle),)),
        kind=wish.kind,
        tags=wish.tags,
        keep_for=wish.keep_for,
        origin=author,
        source=source_of(opening.agent.name),
        sensitive=wish.sensitive,
    )
    kept = remember_all(
        [request],
        store=ports.store,
        clock=ports.clock,
        surroundings=ports.surroundings,
        verifier=ports.verifier,
        heuristics=ports.heuristics,
        keys=ports.keys,
    )[0]
    record = kept.known or kept.record
    _indexed(opening, wish, record.memory.id, ports)
    return record


@repeatable
def _hold(opening: AgentOpening, ports: NotePorts) -> None:
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        hold(opening, now, tx=tx)


@repeatable
def _indexed(opening: AgentOpening, wish: AgentNote, memory_id: MemoryId, ports: NotePorts) -> None:
    now = ports.clock.now()
    with ports.store.writing(now) as tx:
        hold(opening, now, tx=tx)
        _put_entries(opening, wish, memory_id, now, tx=tx)


@repeatable
def _noted(
    opening: AgentOpening,
    wish: AgentNote,
    memory: Memory,
    vectors: Sequence[Vector],
    ports: NotePorts,
) -> MemoryRecord:
    """Write the note, its vector and its namespace in one unit of work."""
    now = memory.created_at
    with ports.store.writing(now) as tx:
        hold(opening, now, tx=tx)
        if wish.cycle is not None:
            tx.diary.agents.cycles.get(opening.agent.id, wish.cycle)
            same = tx.memories.find(_same_text(memory), Page())
            if known := _of_cycle(same, opening, wish, memory, tx=tx):
                return known
        record = tx.memories.add(memory, Standing(status=Status.NOTED))
        if vectors:
            tx.finding.meaning.put(vectors[0].model, {memory.id: vectors})
        _put_entries(opening, wish, memory.id, now, tx=tx)
        return record


@repeatable
def _noted_sensitive(
    opening: AgentOpening, wish: AgentNote, memory: Memory, ports: NotePorts
) -> MemoryRecord:
    """Write an encrypted note and its namespace in one unit of work; it has no vector."""
    now, cipher = memory.created_at, writing_cipher(ports.keys)
    with ports.store.writing(now) as tx:
        hold(opening, now, tx=tx)
        refuse_removed(cipher, ports.keys)
        if wish.cycle is not None:
            tx.diary.agents.cycles.get(opening.agent.id, wish.cycle)
            digests = cipher.digests(compared_form(text_of(memory)))
            names = [MemoryId(one.record) for one in tx.names.ciphertexts.with_digests(digests)]
            same = list(tx.memories.get_many(names).values())
            if known := _of_cycle(same, opening, wish, memory, tx=tx):
                return known
        standing = Standing(status=Status.NOTED)
        record = add_sensitive(memory, standing, tx=tx, cipher=cipher)
        _put_entries(opening, wish, memory.id, now, tx=tx)
        return record


def _same_text(memory: Memory) -> Selection:
    """Return the filter for notes of the agent that nearly say the same."""
    return Selection(
        space=memory.space,
        statuses=frozenset({Status.NOTED}),
        kinds=frozenset({memory.kind}),
        source=memory.source,
        near_claim=memory.claim,
    )


def _of_cycle(
    same: Sequence[MemoryRecord],
    opening: AgentOpening,
    wish: AgentNote,
    memory: Memory,
    *,
    tx: Transaction,
) -> MemoryRecord | None:
    """Return the note that the cycle has already, in the namespaces of this request as well.

    A process that was killed after a note is followed by one that runs the same cycle again. A
    note with another kind or with other tags is another one.
    """
    for record in same:
        known = record.memory
        is_alike = (known.kind, known.tags) == (memory.kind, memory.tags)
        is_note = record.standing.status is Status.NOTED and known.is_live_at(memory.created_at)
        is_text = wish.sensitive or known.claim == memory.claim
        if is_alike and is_note and is_text and _is_of_cycle(known.id, opening, wish, tx=tx):
            _put_entries(opening, wish, known.id, memory.created_at, tx=tx)
            return record
    return None


def _is_of_cycle(
    memory_id: MemoryId, opening: AgentOpening, wish: AgentNote, *, tx: Transaction
) -> bool:
    entries = tx.diary.agents.indexes.about(memory_id)
    cycle = (opening.agent.id, wish.cycle)
    return any((one.agent_id, one.cycle) == cycle for one in entries)


def _put_entries(
    opening: AgentOpening, wish: AgentNote, memory_id: MemoryId, now: datetime, *, tx: Transaction
) -> None:
    """Write the memory into each of its namespaces."""
    for namespace in wish.namespaces:
        entry = MemoryIndexEntry(
            agent_id=opening.agent.id,
            memory_id=memory_id,
            namespace=namespace,
            at=now,
            cycle=wish.cycle,
        )
        tx.diary.agents.indexes.put(entry)


def _evidence(opening: AgentOpening, cycle: int | None) -> Evidence:
    beside = "outside its cycles" if cycle is None else f"cycle {cycle}"
    return Evidence(type=EvidenceType.JOB_RUN, reference=f"agent {opening.agent.name}, {beside}")


def _memory(opening: AgentOpening, wish: AgentNote, author: Origin, ports: NotePorts) -> Memory:
    now, place = ports.clock.now(), ports.surroundings.place()
    keep_for = wish.keep_for
    if keep_for is None and wish.namespaces == (SHORT_TERM,):
        keep_for = SHORT_TERM_LIFETIME
    return Memory(
        id=MemoryId(sortable("m", at=now, entropy=ports.clock.entropy())),
        claim=screen(wish.claim, what="claim").text.strip("\n"),
        kind=wish.kind,
        scope=Scope.GLOBAL,
        created_at=now,
        evidence=(_evidence(opening, wish.cycle),),
        origin=author,
        trust=author,
        source=source_of(opening.agent.name),
        space=place.space,
        workspace=place.workspace,
        tags=tuple(dict.fromkeys(screened(tag, what="tag") for tag in wish.tags)),
        expires_at=end_of_lifetime(keep_for, since=now),
    )


def _vectors(memory: Memory, embedder: Embedder | None) -> Sequence[Vector]:
    """Return the vectors of a note; without a working model the next recall computes them."""
    if embedder is None:
        return ()
    try:
        return embedder.embed([embedded_text(memory)])[0]
    except NoMeaningError:
        return ()
