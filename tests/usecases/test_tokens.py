"""Access tokens: what they allow, how long, and how little the store holds of them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.errors import AmbiguousError, BadFieldError
from holdfast.domain.ids import short
from holdfast.domain.memory.callers import Operation, PrincipalKind
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.service.tokens import TokenId, TokenText, read_token, read_token_name
from holdfast.domain.service_errors import (
    NoSuchTokenError,
    ScopeNotAllowedError,
    TokenNameTakenError,
)
from holdfast.domain.values import replace
from holdfast.usecases.service.tokens import (
    CreatedToken,
    CreateToken,
    bearer,
    bearer_of,
    create_token,
    revoke_token,
    tokens,
)
from tests.builders import NOON, FixedClock
from tests.requirements import requirement

WISH = CreateToken(name="ci", kind=PrincipalKind.AGENT, tenant="file")


@pytest.fixture
def store() -> InMemoryStore:
    return InMemoryStore(space=SpaceId("te.am"))


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


def shown(made: CreatedToken) -> TokenText:
    read = read_token(str(made.text))
    assert read is not None
    return read


@requirement("http.tokens")
def test_a_token_reads_back_from_its_text(store: InMemoryStore, clock: FixedClock) -> None:
    made = create_token(WISH, store=store, clock=clock)

    assert shown(made) == made.text
    assert (made.text.space, made.text.tenant) == ("te.am", "file")
    assert len(made.text.secret) == 80


@requirement("http.tokens")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "hft",
        "hft.t_1.file.default",
        "hft.t_1.file..secret",
        "hft..file.default.secret",
        "hft.t_1..default.secret",
        "hft.t_1.file.default.",
        "xyz.t_1.file.default.secret",
        "hft.t_1.file.DEFAULT.secret",
        "hft.t_1.FILE.default.secret",
        "hft.t_1.41859B53C2CB5818BC440629A44627E9.default.secret",
        "hft.t_1.41859b53-c2cb-5818-bc44-0629a44627e9.default.secret",
        "hft.t_1.{41859b53c2cb5818bc440629a44627e9}.default.secret",
        "hft.t_1.file.../../etc.secret",
        "hft.t_1.file.default.sécret",
        f"hft.t_1.file.default.{'s' * 300}",
    ],
)
def test_a_text_that_is_no_token_is_not_read(text: str) -> None:
    assert read_token(text) is None


@requirement("http.tokens-hashed")
def test_the_store_holds_a_hash_and_no_secret(store: InMemoryStore, clock: FixedClock) -> None:
    made = create_token(WISH, store=store, clock=clock)
    (kept,) = tokens(store=store)

    assert kept == made.token
    assert made.text.secret not in repr(kept)
    assert kept.secret_hash == made.text.secret_hash


@requirement("http.scopes")
def test_the_bearer_may_do_what_the_scopes_and_the_kind_allow(
    store: InMemoryStore, clock: FixedClock
) -> None:
    reader = create_token(replace(WISH, may=frozenset({Operation.READ})), store=store, clock=clock)
    person = create_token(
        replace(WISH, name="ada", kind=PrincipalKind.PERSON), store=store, clock=clock
    )
    one = bearer(shown(reader), store=store, clock=clock)
    other = bearer(shown(person), store=store, clock=clock)

    assert one is not None
    assert other is not None
    assert (one.may, one.name) == (frozenset({Operation.READ}), "ci")
    assert one.space == "te.am"
    assert other.may == frozenset(Operation) - {Operation.SERVE}
    forged = replace(reader.token, may=frozenset(Operation)).principal(store.space)
    assert Operation.DECIDE not in forged.may


@requirement("http.scopes")
def test_a_scope_that_the_kind_never_has_is_refused(
    store: InMemoryStore, clock: FixedClock
) -> None:
    with pytest.raises(ScopeNotAllowedError, match="decide"):
        create_token(replace(WISH, may=frozenset({Operation.DECIDE})), store=store, clock=clock)


@requirement("http.tokens")
def test_wrong_expired_revoked_and_unknown_tokens_have_no_bearer(
    store: InMemoryStore, clock: FixedClock
) -> None:
    made = create_token(replace(WISH, keep_for=timedelta(hours=1)), store=store, clock=clock)
    other = create_token(replace(WISH, name="other"), store=store, clock=clock)
    text = shown(made)

    assert bearer(text, store=store, clock=clock) is not None
    assert bearer(replace(text, secret=other.text.secret), store=store, clock=clock) is None
    assert bearer(replace(text, id=other.text.id), store=store, clock=clock) is None
    assert bearer(text, store=InMemoryStore(), clock=clock) is None
    clock.advance(hours=1)
    assert bearer(text, store=store, clock=clock) is None
    revoke_token("other", store=store, clock=clock)
    assert bearer(shown(other), store=store, clock=clock) is None


@requirement("http.tokens")
def test_a_name_is_taken_until_its_token_is_over(store: InMemoryStore, clock: FixedClock) -> None:
    first = create_token(WISH, store=store, clock=clock)
    with pytest.raises(TokenNameTakenError):
        create_token(WISH, store=store, clock=clock)

    revoked = revoke_token(first.token.id, store=store, clock=clock)
    clock.advance(hours=1)
    second = create_token(WISH, store=store, clock=clock)
    later = revoke_token("ci", store=store, clock=clock)

    assert revoked.revoked_at == NOON
    assert later.id == second.token.id
    assert revoke_token("ci", store=store, clock=clock) == later
    assert revoke_token(first.token.id, store=store, clock=clock) == revoked
    with pytest.raises(NoSuchTokenError):
        revoke_token("nobody", store=store, clock=clock)


@requirement("http.tokens")
def test_a_short_id_of_two_tokens_revokes_neither(store: InMemoryStore, clock: FixedClock) -> None:
    made = create_token(WISH, store=store, clock=clock).token
    twin = replace(made, id=TokenId(f"t_zz{made.id[4:]}"), name="twin")
    with store.writing(clock.now()) as tx:
        tx.diary.tokens.put(twin)

    with pytest.raises(AmbiguousError, match=f"Several token ids end with {short(made.id)[2:]}"):
        revoke_token(short(made.id), store=store, clock=clock)

    assert all(one.revoked_at is None for one in tokens(store=store))
    assert revoke_token(twin.id, store=store, clock=clock).id == twin.id


@pytest.mark.parametrize("name", ["", " ", "a=b", "x" * 65, "two\nlines"])
def test_a_token_needs_a_plain_name(name: str) -> None:
    with pytest.raises(BadFieldError, match="1 to 64 letters"):
        read_token_name(name)


@requirement("web.session-ends-with-its-token")
def test_the_bearer_of_a_session_counts_while_its_token_is_valid(
    store: InMemoryStore, clock: FixedClock
) -> None:
    wish = replace(WISH, keep_for=timedelta(hours=1))
    made = create_token(wish, store=store, clock=clock)

    known = bearer_of(made.token.id, store=store, clock=clock)

    assert known == bearer(made.text, store=store, clock=clock)
    assert bearer_of(TokenId("t_none"), store=store, clock=clock) is None
    clock.advance(hours=1)
    assert bearer_of(made.token.id, store=store, clock=clock) is None


@requirement("callers.one-table")
@pytest.mark.parametrize(
    ("kind", "why", "scope", "words"),
    [
        (PrincipalKind.PERSON, "", "decide", "the token lacks the scope 'decide'"),
        (PrincipalKind.AGENT, "", "", "only a person may decide about memories"),
        (PrincipalKind.PERSON, "it rains", "", "it rains"),
    ],
)
def test_a_refusal_names_what_is_missing(
    kind: PrincipalKind, why: str, scope: str, words: str
) -> None:
    error = MayNotError(kind=kind, name="bob", operation=Operation.DECIDE, why=why)

    assert error.scope == scope
    assert words in error.message
