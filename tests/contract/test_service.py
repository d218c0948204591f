"""Access tokens and stored answers read back exactly, and requests join one unit of work."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.domain.choices import Origin
from holdfast.domain.errors import BlankClaimError, NoSuchError
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Selection
from holdfast.domain.service.replies import KEPT_FOR, Reply
from holdfast.domain.service.tokens import AccessToken, TokenId
from holdfast.domain.service_errors import KeyReusedError, ReplyForgottenError, TimedOutError
from holdfast.domain.values import replace
from holdfast.ports.store.store import Store
from holdfast.usecases.memory.forget import Forget, forget
from holdfast.usecases.service.once import Attempt, carried_out
from tests.builders import NOON, FixedClock, a_tombstone
from tests.contract.steps import keep, memory_id, numbered
from tests.requirements import requirement

PLAIN = AccessToken(
    id=TokenId("t_1"),
    name="ci",
    kind=PrincipalKind.AGENT,
    may=frozenset({Operation.READ, Operation.PROPOSE}),
    secret_hash="ab" * 32,
    created_at=NOON,
)
FULL = replace(
    PLAIN,
    id=TokenId("t_2"),
    name="naïve bot",
    kind=PrincipalKind.SERVICE,
    may=frozenset[Operation](),
    expires_at=NOON + timedelta(days=1),
    revoked_at=NOON + timedelta(hours=1),
)
REPLY = Reply(key="t_1:é", request_hash="cd" * 32, status=201, body='{"id": "m_001"}', at=NOON)


def allowed() -> None:
    """Let every request be committed."""


def an_attempt(key: str | None = "t_1:k", digest: str = "ab" * 32) -> Attempt:
    return Attempt(key=key, request_hash=digest, commits=allowed)


def an_answer(store: Store, number: int = 1) -> Reply:
    """Do the work of a request that adds one memory."""
    with store.writing(NOON) as tx:
        tx.memories.add(numbered(number), standing=Standing())
    with store.reading() as tx:
        name = tx.memories.get(memory_id(number)).memory.id
    return replace(REPLY, body=f'{{"id": "{name}"}}')


def how_many(store: Store) -> int:
    with store.reading() as tx:
        return tx.memories.count(Selection())


@requirement("store.reads-back-exactly")
def test_tokens_read_back_exactly_and_in_order(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.diary.tokens.put(FULL)
        tx.diary.tokens.put(PLAIN)
    revoked = replace(PLAIN, revoked_at=NOON)
    with store.writing(NOON) as tx:
        tx.diary.tokens.put(revoked)

    with store.reading() as tx:
        assert tx.diary.tokens.every() == (revoked, FULL)
        assert tx.diary.tokens.get(FULL.id) == FULL
        assert tx.diary.tokens.get(TokenId("t_9")) is None
        assert tx.diary.events.about(PLAIN.id) == ()


@requirement("store.reads-back-exactly")
def test_answers_read_back_exactly_until_they_are_dropped(store: Store) -> None:
    later = replace(REPLY, key="later", at=NOON + timedelta(seconds=1))
    with store.writing(NOON) as tx:
        tx.diary.replies.put(replace(REPLY, status=500))
        tx.diary.replies.put(REPLY)
        tx.diary.replies.put(later)
    with store.reading() as tx:
        assert tx.diary.replies.get(REPLY.key) == REPLY

    with store.writing(NOON) as tx:
        tx.diary.replies.drop_until(NOON)

    with store.reading() as tx:
        assert tx.diary.replies.get(REPLY.key) is None
        assert tx.diary.replies.get("later") == later


@requirement("http.once")
def test_forgetting_a_memory_removes_it_from_stored_answers(store: Store) -> None:
    keep(store, numbered(1), numbered(2))
    other = replace(REPLY, key="other", body='{"id": "m_002"}')
    with store.writing(NOON) as tx:
        tx.diary.replies.put(REPLY)
        tx.diary.replies.put(other)

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    with store.reading() as tx:
        assert tx.diary.replies.get(REPLY.key) == replace(REPLY, body=None)
        assert tx.diary.replies.get("other") == other


@requirement("http.once")
def test_a_request_with_a_key_is_carried_out_once(store: Store) -> None:
    clock = FixedClock()
    first = carried_out(an_attempt(), an_answer, store=store, clock=clock)
    again = carried_out(an_attempt(), an_answer, store=store, clock=clock)

    assert (first.body, again.body, how_many(store)) == ('{"id": "m_001"}', first.body, 1)
    with pytest.raises(KeyReusedError):
        carried_out(an_attempt(digest="cd" * 32), an_answer, store=store, clock=clock)


@requirement("http.once")
def test_a_key_counts_for_a_day_and_outlives_the_memory(store: Store) -> None:
    clock = FixedClock()
    carried_out(an_attempt(), an_answer, store=store, clock=clock)
    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))
    with pytest.raises(ReplyForgottenError):
        carried_out(an_attempt(), an_answer, store=store, clock=clock)
    clock.advance(seconds=KEPT_FOR.total_seconds())

    done = carried_out(an_attempt(), lambda joined: an_answer(joined, 2), store=store, clock=clock)

    assert done.body == '{"id": "m_002"}'


@requirement("http.whole-or-nothing")
def test_a_request_that_fails_half_way_leaves_nothing(store: Store) -> None:
    def broken(joined: Store) -> Reply:
        an_answer(joined)
        raise BlankClaimError

    with pytest.raises(BlankClaimError):
        carried_out(an_attempt(), broken, store=store, clock=FixedClock())

    assert how_many(store) == 0
    with store.reading() as tx:
        assert tx.diary.replies.get("t_1:k") is None


@requirement("http.whole-or-nothing")
def test_a_part_that_failed_undoes_the_whole_even_if_its_caller_goes_on(store: Store) -> None:
    def careless(joined: Store) -> Reply:
        reply = an_answer(joined)
        for _ in range(2):
            with pytest.raises(NoSuchError), joined.writing(NOON) as tx:
                tx.memories.get(memory_id(9))
        return reply

    with pytest.raises(NoSuchError):
        carried_out(an_attempt(None), careless, store=store, clock=FixedClock())

    assert how_many(store) == 0


@requirement("http.whole-or-nothing")
def test_a_request_that_was_given_up_is_not_committed(store: Store) -> None:
    def too_late() -> None:
        raise TimedOutError

    attempt = replace(an_attempt(), commits=too_late)
    with pytest.raises(TimedOutError):
        carried_out(attempt, an_answer, store=store, clock=FixedClock())

    assert how_many(store) == 0


@requirement("http.whole-or-nothing")
def test_a_request_that_forgets_scrubs_after_its_commit(store: Store) -> None:
    keep(store, numbered(1))

    def forgets(joined: Store) -> Reply:
        wish = Forget(reference=memory_id(1))
        gone = forget(wish, origin=Origin.HUMAN, store=joined, clock=FixedClock())
        joined.close()
        return replace(REPLY, body=gone.record.memory.id)

    done = carried_out(an_attempt(None), forgets, store=store, clock=FixedClock())

    assert (done.body, how_many(store)) == ("m_001", 0)


def test_a_joined_store_passes_on_what_its_store_knows(store: Store) -> None:
    def looks(joined: Store) -> Reply:
        upkeep = joined.upkeep
        assert (joined.space, joined.warnings, joined.left_out) == (store.space, (), ())
        assert upkeep.abilities == store.upkeep.abilities
        assert upkeep.facts().backend == store.upkeep.facts().backend
        return REPLY

    assert carried_out(an_attempt(None), looks, store=store, clock=FixedClock()) == REPLY
