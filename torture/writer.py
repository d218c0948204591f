"""A writer: remembers, supersedes, forgets, links and runs sessions, and records all of it.

Every fact that a writer puts into the store can be recognised from outside: names are tokens that
start with the writer's own name, and the words of a claim follow from its token.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from holdfast.domain.errors import HoldfastError
from holdfast.domain.ids import SessionId
from holdfast.domain.sessions.session import Interaction
from holdfast.surfaces.python.api import MemoryStore
from torture.journal import Attempt, Journal

MOST_HELD = 40
_WORDS = (
    *("anchor", "ballast", "capstan", "davit", "ensign", "fathom", "gunwale", "halyard", "keel"),
    *("lanyard", "mizzen", "oakum", "painter", "quay", "rudder", "sextant", "tiller", "vang"),
)


def claim_of(token: str) -> str:
    """Return the claim of a token; its length is from a few words to a few pages."""
    chance = random.Random(token)
    return " ".join([token, *chance.choices(_WORDS, k=chance.choice((6, 12, 40, 400)))])


def live(token: str) -> str:
    """Return the fact that a claim is live."""
    return f"{token} stands"


def superseded(token: str, by: str) -> str:
    """Return the fact that a claim was superseded."""
    return f"{token} superseded by {by}"


def forgotten(token: str) -> str:
    """Return the fact that only a tombstone is left."""
    return f"{token} forgotten"


def linked(src: str, kind: str, dst: str) -> str:
    """Return the fact that two claims are linked."""
    return f"{src} {kind} {dst}"


def opened(token: str, *, ended: bool) -> str:
    """Return the fact that a session exists."""
    return f"{token} {'ended' if ended else 'begun'}"


def asked(token: str, session: str) -> str:
    """Return the fact that a turn was recorded."""
    return f"{token} asked in {session}"


@dataclass(slots=True)
class Held:
    """A live claim of this writer: its id, its key and its links."""

    memory_id: str
    key: str | None
    links: set[str] = field(default_factory=set)


class Writer:
    """Does one operation after the other until it is stopped."""

    def __init__(self, memory: MemoryStore, journal: Journal, *, name: str, seed: int) -> None:
        self.memory = memory
        self.chance = random.Random(seed)
        self.journal = journal
        self.owner = f"{name}{self.chance.randrange(10**9):09}"
        self.held: dict[str, Held] = {}
        self.errors: list[HoldfastError] = []
        self.session: tuple[str, str] | None = None
        self._number = 0

    def run(self, operations: int | None = None) -> None:
        """Do that many operations; without a number, run for ever."""
        while operations is None or self._number < operations:
            self.step()

    def step(self) -> None:
        """Do one random operation; one that is impossible now does nothing."""
        verbs = (self.remember, self.supersede, self.forget, self.link, self.sit)
        self.chance.choices(verbs, (6, 3, 1, 1, 1))[0]()

    def remember(self) -> None:
        """Remember a new claim, with or without a key."""
        token = self._token()
        key = f"key {token}" if self.chance.random() < 0.8 else None
        self._add(token, key, adds=frozenset({live(token)}))

    def supersede(self) -> None:
        """Remember another claim under a live key."""
        keyed = [token for token, held in self.held.items() if held.key is not None]
        if not keyed:
            return
        old, new = self.chance.choice(keyed), self._token()
        adds = {live(new), superseded(old, new), linked(new, "supersedes", old)}
        key = self.held.pop(old).key
        self._add(new, key, adds=frozenset(adds), drops=frozenset({live(old)}))
        if new in self.held:
            self.held[new].links.add(linked(new, "supersedes", old))

    def forget(self) -> None:
        """Forget a live claim, with all its links."""
        if not self.held:
            return
        token = self.chance.choice(list(self.held))
        held = self.held.pop(token)
        neighbours = [name for name, other in self.held.items() if other.links & held.links]
        for name in neighbours:
            self.held[name].links -= held.links
        attempt = self._attempt(
            "forget",
            adds=frozenset({forgotten(token)}),
            drops=frozenset({live(token), *held.links}),
        )
        if not self.perform(attempt, lambda: self.memory.forget(held.memory_id, reason=token)):
            for name in neighbours:
                del self.held[name]

    def link(self) -> None:
        """Link two live claims."""
        if len(self.held) < 2:
            return
        src, dst = self.chance.sample(list(self.held), 2)
        fact = linked(src, "related", dst)
        attempt = self._attempt("link", adds=frozenset({fact}))
        ends = self.held[src], self.held[dst]
        if self.perform(attempt, lambda: self.memory.link(ends[0].memory_id, ends[1].memory_id)):
            for end in ends:
                end.links.add(fact)
        else:
            del self.held[src], self.held[dst]

    def sit(self) -> None:
        """Begin a session, record a turn in it, or end it."""
        if self.session is None:
            self._begin_session()
        elif self.chance.random() < 0.7:
            self._ask(*self.session)
        else:
            self._end_session(*self.session)

    def perform(self, attempt: Attempt, action: Callable[[], object]) -> bool:
        """Record the attempt, do it, record the acknowledgement; return whether it succeeded."""
        self.journal.tries(attempt)
        try:
            action()
        except HoldfastError as error:
            self.errors.append(error)
            self.refused(attempt, error)
            return False
        self.journal.acknowledges(attempt)
        return True

    def refused(self, attempt: Attempt, error: HoldfastError) -> None:
        """Record that the store refused."""
        self.journal.fails(attempt.name, error)
        time.sleep(0.01)

    def keep(self, token: str, key: str | None) -> str:
        """Store the claim of a token; return its id."""
        because = f"the harness said {token}"
        if key is None:
            kept = self.memory.remember(claim_of(token), because=because, scope="global")
        else:
            kept = self.memory.remember(claim_of(token), key=key, because=because, scope="global")
        return kept.record.memory.id

    def _add(
        self,
        token: str,
        key: str | None,
        *,
        adds: frozenset[str],
        drops: frozenset[str] = frozenset(),
    ) -> None:
        def action() -> None:
            self.held[token] = Held(self.keep(token, key), key)

        self.perform(self._attempt("supersede" if drops else "remember", adds, drops), action)
        if len(self.held) > MOST_HELD:
            self._release()

    def _release(self) -> None:
        """Drop the oldest claim from this writer's list; it stays in the store."""
        del self.held[next(iter(self.held))]

    def _begin_session(self) -> None:
        token = self._token()

        def action() -> None:
            begun = self.memory.app.sessions.start(tool=token, user="harness")
            self.session = (token, begun.id)

        self.perform(self._attempt("session", frozenset({opened(token, ended=False)})), action)

    def _ask(self, session: str, session_id: str) -> None:
        token = self._token()
        turn = Interaction(
            id=0, session_id=SessionId(session_id), at=datetime.now(UTC), query=token
        )
        self.perform(
            self._attempt("turn", frozenset({asked(token, session)})),
            lambda: self.keep_turn(turn),
        )

    def keep_turn(self, turn: Interaction) -> None:
        """Record a turn of a session."""
        self.memory.app.sessions.add_turn(turn.session_id, turn)

    def _end_session(self, session: str, session_id: str) -> None:
        self.session = None
        attempt = self._attempt(
            "session end",
            adds=frozenset({opened(session, ended=True)}),
            drops=frozenset({opened(session, ended=False)}),
        )
        self.perform(attempt, lambda: self.memory.app.sessions.end(session_id))

    def _token(self) -> str:
        return f"{self.owner}n{self._number + 1}"

    def _attempt(
        self, what: str, adds: frozenset[str], drops: frozenset[str] = frozenset()
    ) -> Attempt:
        self._number += 1
        return Attempt(owner=self.owner, number=self._number, what=what, adds=adds, drops=drops)
