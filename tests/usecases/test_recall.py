from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from holdfast.adapters.inmemory.store import InMemoryStore, InMemoryTransaction
from holdfast.app import Holdfast
from holdfast.domain.choices import Kind, Scope
from holdfast.domain.errors import (
    BudgetTooSmallError,
    StoreReadOnlyError,
    UnstorableTextError,
)
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.question import Question
from holdfast.heuristics.english import ENGLISH
from holdfast.usecases.anchors.gather import Grounds
from tests.builders import ADA, FixedClock, PlainSurroundings, WordCounter
from tests.requirements import requirement
from tests.usecases.wishes import asked, given, now, proposed, said


class ReadOnlyStore(InMemoryStore):
    """The reference store on a disk that takes no more writes."""

    @contextmanager
    def writing(
        self, at: datetime, *, patience: float | None = None
    ) -> Generator[InMemoryTransaction, None, None]:
        """Refuse."""
        del at, patience
        path = "/data/holdfast.db"
        raise StoreReadOnlyError(path)
        yield


def read_only(holdfast: Holdfast, store: InMemoryStore) -> Holdfast:
    """Return the same memory, read-only."""
    return replace(holdfast, store=ReadOnlyStore(_state=store._state))


@requirement("recall.reasons-shown")
def test_an_answer_says_why_each_item_is_there(holdfast: Holdfast) -> None:
    said(holdfast, key="token-rotation", kind=Kind.RULE)

    (item,) = asked(holdfast, "how does token rotation work").bundle.items

    legs = {reason.leg: reason for reason in item.reasons}
    assert {"words", "exact", "kind"} <= set(legs)
    assert item.score == pytest.approx(sum(reason.amount for reason in item.reasons), abs=0.01)


JAPANESE = (
    "認証トークンは15分で期限切れになり、更新のたびにローテーションする。",
    "データベースの移行は番号順に実行し、公開後は決して編集しない。",
    "キャッシュにはRedisを使い、有効期限は一時間とする。",
    "請求書のPDFは夜間バッチで生成する。",
)
CHINESE = (
    "认证令牌十五分钟后过期，每次刷新都会轮换。",
    "数据库迁移按编号顺序执行，发布后绝不修改。",
    "缓存使用Redis，有效期为一小时。",
    "发票PDF由夜间批处理生成。",
)


@requirement("recall.unspaced-scripts")
@pytest.mark.parametrize(
    ("claims", "question", "answer"),
    [
        (JAPANESE, "移行ファイルを編集してもいいですか", 1),
        (JAPANESE, "Redisは何に使っていますか", 2),
        (JAPANESE, "請求書はいつ作られる", 3),
        (CHINESE, "令牌多久过期？", 0),
        (CHINESE, "可以修改迁移文件吗？", 1),
        (CHINESE, "发票什么时候生成？", 3),
    ],
)
def test_a_question_without_spaces_finds_its_memory(
    holdfast: Holdfast, claims: tuple[str, ...], question: str, answer: int
) -> None:
    kept = [said(holdfast, claim) for claim in claims]

    first = asked(holdfast, question).bundle.items[0]

    assert first.memory_id == kept[answer].memory.id


@requirement("recall.unspaced-scripts")
@pytest.mark.parametrize(
    ("claims", "question"),
    [(JAPANESE, "明日の天気はどうですか"), (CHINESE, "老板的生日是哪天？")],
)
def test_a_question_without_spaces_that_nothing_answers_gets_no_memory(
    holdfast: Holdfast, claims: tuple[str, ...], question: str
) -> None:
    for claim in claims:
        said(holdfast, claim)

    assert asked(holdfast, question).bundle.items == ()


@requirement("recall.expired-never-returned")
def test_an_expired_memory_is_not_recalled_unless_it_is_pinned(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    said(holdfast, "Tokens rotate hourly.", keep_for=timedelta(hours=1))
    pinned = said(holdfast, "Tokens are signed.", keep_for=timedelta(hours=1), pinned=True)
    clock.advance(hours=1)

    assert given(holdfast) == [pinned.memory.id]


@requirement("recall.candidate-never-returned")
def test_a_candidate_is_not_given_even_when_it_is_pinned_or_named(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast, key="token-rotation", pinned=True, label="DEC-001")

    for question in ("tokens", "token-rotation", "DEC-001", candidate.memory.id):
        assert given(holdfast, question) == []


@requirement("scope.reaches-its-place")
def test_another_repository_and_another_workspace_are_not_reached(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    said(holdfast, "Tokens rotate here.")
    said(holdfast, "Tokens rotate in this workspace.", scope=Scope.WORKSPACE)
    everywhere = said(holdfast, "Tokens rotate everywhere.", scope=Scope.GLOBAL)
    surroundings.at = Place(workspace="other", repo="github.com/acme/other")

    assert given(holdfast) == [everywhere.memory.id]


def test_a_pinned_memory_of_another_repository_is_not_given(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    said(holdfast, pinned=True)
    surroundings.at = Place(repo="github.com/acme/other")

    assert given(holdfast) == []


def test_kinds_scopes_and_tags_restrict_the_answer(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.")
    rule = said(holdfast, "Tokens must rotate.", kind=Kind.RULE, tags=("auth",))
    everywhere = said(holdfast, "Tokens are opaque.", scope=Scope.GLOBAL)

    assert given(holdfast, kinds=(Kind.RULE,)) == [rule.memory.id]
    assert given(holdfast, tags=("auth",)) == [rule.memory.id]
    assert given(holdfast, scopes=(Scope.GLOBAL,)) == [everywhere.memory.id]


@requirement("bundle.never-over-budget")
@pytest.mark.parametrize("budget", [40, 60, 80, 120])
def test_an_answer_stays_inside_its_budget(holdfast: Holdfast, budget: int) -> None:
    for number in range(12):
        said(holdfast, f"Tokens of service {number} rotate hourly.")

    recalled = asked(holdfast, budget=budget)

    assert WordCounter().count(recalled.markdown()) == recalled.bundle.tokens <= budget


def test_a_budget_of_one_token_is_refused_and_nothing_is_kept(holdfast: Holdfast) -> None:
    said(holdfast)

    with pytest.raises(BudgetTooSmallError) as refused:
        asked(holdfast, budget=1)
    least = asked(holdfast, budget=refused.value.least)

    assert least.bundle.items == ()
    assert least.bundle.shortage is not None
    assert least.bundle.tokens <= refused.value.least
    assert asked(holdfast, budget=least.bundle.shortage.needs).bundle.items


@requirement("bundle.left-out-explained")
def test_everything_considered_is_given_or_left_out_with_the_reason(holdfast: Holdfast) -> None:
    kept = {said(holdfast, f"Tokens of service {number} rotate.").memory.id for number in range(45)}

    bundle = asked(holdfast, limit=50, budget=100).bundle

    named = [item.memory_id for item in bundle.items]
    named += [left.memory_id for left in bundle.left_out]
    assert (len(named), set(named)) == (45, kept)
    assert all(left.why for left in bundle.left_out)


@requirement("store.read-only-explained")
def test_a_read_only_store_still_answers_and_says_so_inside_the_budget(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    said(holdfast)
    said(holdfast, "Tokens are signed with the key of the cluster.")
    before = repr(store)

    roomy = asked(read_only(holdfast, store))
    whole = roomy.bundle.tokens - 1
    tight = asked(read_only(holdfast, store), budget=whole)

    assert [len(roomy.bundle.items), len(tight.bundle.items)] == [2, 1]
    assert "this bundle was not stored: The store /data" in roomy.markdown()
    assert WordCounter().count(tight.markdown()) == tight.bundle.tokens <= whole
    assert repr(store) == before


@requirement("recall.bad-question-answered")
def test_a_question_of_100_kilobytes_is_answered_by_its_beginning_and_says_so(
    holdfast: Holdfast,
) -> None:
    kept = said(holdfast)

    recalled = asked(holdfast, "tokens " + "filler " * 14_285)

    assert [item.memory_id for item in recalled.bundle.items] == [kept.memory.id]
    assert "only the first 8,192 characters of the question were read" in recalled.markdown()


@requirement("recall.bad-question-answered")
@requirement("recall.query-is-never-syntax")
@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "the of and a to in is",
        "🙂🚀",
        '" OR 1=1 --',
        "tokens AND NOT (hourly OR",
        "NEAR(tokens hourly, 5)",
        "claim:tokens^2 *",
        "tokens*",
        "'; DROP TABLE memory; --",
        "令牌多久轮换一次？",
        "كم مرة يتم تدوير الرموز",
        "_" * 500,
        "(((((((((",
    ],
)
def test_any_question_gets_an_answer(holdfast: Holdfast, question: str) -> None:
    said(holdfast)

    bundle = asked(holdfast, question).bundle

    assert bundle.question.text == question
    assert holdfast.memories.show(bundle.id) == bundle


@requirement("recall.query-is-never-syntax")
@pytest.mark.parametrize(
    ("claim", "question"),
    [
        ("令牌 每小时 轮换", "令牌"),
        ("Die Schlüssel drehen stündlich.", "SCHLÜSSEL"),
        ("Ротация токенов каждый час.", "токенов"),
        ("Use retryBudget for calls.", "retry budget"),
    ],
)
def test_other_languages_and_identifiers_are_found(
    holdfast: Holdfast, claim: str, question: str
) -> None:
    kept = said(holdfast, claim)

    assert given(holdfast, question) == [kept.memory.id]


@requirement("recall.query-is-never-syntax")
@settings(max_examples=60)
@for_all(text=st.text(max_size=60))
def test_no_text_breaks_a_question(text: str) -> None:
    holdfast = Holdfast(
        principal=ADA,
        store=InMemoryStore(),
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(),
        heuristics=ENGLISH,
    )
    said(holdfast)

    try:
        bundle = asked(holdfast, text).bundle
    except UnstorableTextError:
        return

    assert holdfast.answers.replay(bundle.id).is_same


@requirement("recall.fenced")
def test_every_answer_is_fenced_with_another_nonce(holdfast: Holdfast) -> None:
    said(holdfast)

    once, twice = asked(holdfast), asked(holdfast)

    assert once.nonce != twice.nonce
    assert once.nonce in once.markdown()


def test_a_question_for_code_says_that_there_is_no_index(holdfast: Holdfast) -> None:
    bundle = asked(holdfast, include=("memory", "code")).bundle

    assert "there is no code index here, so only memories were searched" in bundle.notes


def test_a_bundle_never_holds_the_text_of_a_memory(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    said(holdfast, "Zebras sleep while lions hunt.", label="Z-9", key="animal-rest")
    said(holdfast, "Zebras rest.", grounds=Grounds(because="A gazelle said so."))

    for question in ("zebras", "unrelated words"):
        bundle = asked(holdfast, question, budget=200).bundle
        for word in ("lions", "Z-9", "animal-rest", "gazelle"):
            assert word not in repr(bundle)
            assert word not in repr(store._state.bundles)


@requirement("recall.order-never-by-chance")
def test_equal_answers_come_in_the_order_of_arrival(holdfast: Holdfast) -> None:
    ids = [said(holdfast, f"Tokens {name}.").memory.id for name in ("alpha", "gamma", "delta")]

    assert given(holdfast) == ids == given(holdfast)


def test_asking_leaves_the_memory_itself_unchanged(holdfast: Holdfast) -> None:
    kept = said(holdfast)

    holdfast.answers.recall(Question(text="tokens"))

    assert now(holdfast, kept).memory == kept.memory
