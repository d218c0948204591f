"""Open, hold and close an agent: one process at a time may write for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from holdfast.domain.agent_errors import AgentHeldError, AgentTakenOverError
from holdfast.domain.agents.agent import (
    DEFAULT_LEASE,
    LARGEST_CONFIG,
    Agent,
    AgentLease,
    check_lease,
    check_name,
)
from holdfast.domain.encryption.sensitive import configured
from holdfast.domain.errors import NoSuchError, TooLargeError
from holdfast.domain.ids import AgentId, sortable
from holdfast.domain.memory.entry import canonical_json
from holdfast.domain.values import dataclass, replace
from holdfast.usecases.encryption.agents import cipher_for, marked_sensitive
from holdfast.usecases.naming import agent_id
from holdfast.usecases.repeating import repeatable
from holdfast.usecases.screened_surroundings import harmless
from holdfast.usecases.screening import SecretPolicy, screened, screened_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime, timedelta

    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.encryption.agents import AgentCipher

_TOKEN = "l"  # noqa: S105 - the prefix of a lease's random name


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAgent:
    """A request to act for an agent; directives and configuration that are None stay as they are.

    ``holder`` names the process in messages to others. ``take_over`` opens the agent although
    another process holds it. ``sensitive`` creates an agent whose directives, proposals and results
    are encrypted.
    """

    name: str
    directives: str | None = None
    config: Mapping[str, object] | None = None
    holder: str = ""
    lease: timedelta = DEFAULT_LEASE
    take_over: bool = False
    sensitive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOpening:
    """The right to write for an agent, as long as nobody else opens it."""

    agent: Agent
    token: str
    epoch: int
    lease: timedelta


def held_error(
    name: str, lease: AgentLease, asking: str, *, is_deletion: bool = False
) -> AgentHeldError:
    """Return the error for an agent that a process holds, maybe the one that asks."""
    return AgentHeldError(
        name=name,
        holder=lease.holder,
        until=f"{lease.until:%H:%M:%S} UTC",
        is_own=bool(asking) and lease.holder == harmless(asking),
        is_deletion=is_deletion,
    )


def is_held(
    lease: AgentLease | None, *, at: datetime, lives: Callable[[str], bool]
) -> TypeGuard[AgentLease]:
    """Tell whether a process that may still run holds an agent."""
    return lease is not None and lease.is_held_at(at) and lives(lease.holder)


@repeatable
def open_agent(
    wish: OpenAgent,
    *,
    store: Store,
    clock: Clock,
    keys: KeyRing | None = None,
    lives: Callable[[str], bool],
) -> AgentOpening:
    """Open an agent, and create it if there is none of that name.

    ``lives`` tells whether the process that holds it may still run; a dead one holds nothing.

    Raises:
        AgentHeldError: Another process holds it, and ``take_over`` is not set.
        SecretRefusedError: The directives or the configuration contain a secret.
        NoKeyError: The agent is sensitive, and there is no key here to encrypt with.
    """
    now, length = clock.now(), check_lease(wish.lease)
    name = screened(check_name(wish.name, what="name"), what="name")
    directives = None if wish.directives is None else screened(wish.directives, what="directives")
    config = None if wish.config is None else _config(wish.config)
    token = sortable(_TOKEN, at=now, entropy=clock.entropy())
    with store.writing(now) as tx:
        known = tx.diary.agents.names.named(name)
        last = None if known is None else tx.diary.agents.names.lease(known.id)
        if is_held(last, at=now, lives=lives) and not wish.take_over:
            raise held_error(name, last, wish.holder)
        agent = known or Agent(
            id=AgentId(sortable("a", at=now, entropy=clock.entropy())), name=name, created_at=now
        )
        agent = marked_sensitive(agent, is_known=known is not None, wanted=wish.sensitive)
        texts = cipher_for(agent, keys)
        wanted = _put(agent, replace(wish, directives=directives, config=config), texts, tx=tx)
        epoch = 1 if last is None else last.epoch + 1
        lease = AgentLease(
            agent_id=agent.id,
            token=token,
            epoch=epoch,
            holder=harmless(wish.holder),
            until=now + length,
        )
        tx.diary.agents.names.put_lease(lease)
    return AgentOpening(agent=wanted, token=token, epoch=epoch, lease=length)


def _put(agent: Agent, wish: OpenAgent, texts: AgentCipher, *, tx: Transaction) -> Agent:
    """Write an agent if anything of it changed, and return it as its own process sees it."""
    is_known = tx.diary.agents.names.named(agent.name) is not None
    before = texts.read_agent(agent, tx=tx) if is_known else agent
    wanted = replace(
        agent,
        directives=before.directives if wish.directives is None else wish.directives,
        config=agent.config if wish.config is None else configured(agent, wish.config),
    )
    if not is_known or wanted != before:
        texts.put_agent(wanted, tx=tx)
    return wanted


@repeatable
def close_agent(opening: AgentOpening, *, store: Store, clock: Clock) -> None:
    """Let others open the agent at once; an opening that was lost changes nothing."""
    now = clock.now()
    with store.writing(now) as tx:
        lease = tx.diary.agents.names.lease(opening.agent.id)
        if lease is not None and lease.token == opening.token:
            tx.diary.agents.names.put_lease(replace(lease, until=None))


@repeatable
def renew_agent(opening: AgentOpening, *, store: Store, clock: Clock) -> None:
    """Hold the agent for another length of its lease; every write does this too.

    Raises:
        AgentTakenOverError: Another process has opened it since.
    """
    now = clock.now()
    with store.writing(now) as tx:
        hold(opening, now, tx=tx)


def hold(opening: AgentOpening, now: datetime, *, tx: Transaction) -> AgentLease:
    """Check inside a unit of work that the opening may write, and renew its lease.

    Raises:
        NoSuchError: There is no such agent, or it was deleted.
        AgentTakenOverError: Another process has opened the agent since, or this one closed it.
    """
    name = tx.diary.agents.names.get(opening.agent.id).name
    lease = tx.diary.agents.names.lease(opening.agent.id)
    if lease is None or lease.token != opening.token or lease.until is None:
        other = lease is not None and lease.token != opening.token
        raise AgentTakenOverError(name=name, holder=lease.holder if lease and other else "")
    renewed = replace(lease, until=now + opening.lease)
    tx.diary.agents.names.put_lease(renewed)
    return renewed


def agent_of(reference: str, *, tx: Transaction) -> Agent:
    """Return an agent by its name or its id.

    Raises:
        NoSuchError: There is no such agent.
    """
    found = tx.diary.agents.names.named(reference)
    if found is not None:
        return found
    if not reference.startswith("a_"):
        raise NoSuchError(noun="agent", reference=reference[:80])
    return tx.diary.agents.names.get(agent_id(tx, reference))


def _config(config: Mapping[str, object]) -> Mapping[str, object]:
    clean = screened_values(dict(config), what="config", secrets=SecretPolicy.REFUSE)
    if (size := len(canonical_json(clean).encode())) > LARGEST_CONFIG:
        raise TooLargeError(what="config", size=size, cap=LARGEST_CONFIG)
    return clean if isinstance(clean, dict) else {}
