from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import LinkKind, PassageKind, Status
from holdfast.domain.code.code import Neighbour, Relation, Symbol, SymbolPlace
from holdfast.domain.errors import BadFieldError, OutsideUnavailableError
from holdfast.domain.ids import MemoryId
from holdfast.domain.lookup_errors import (
    EvidenceWithheldError,
    NoHistoryError,
    NoSuchPlaceError,
    NoSuchRevisionError,
    NoSuchSymbolError,
    NoSymbolAtError,
    NothingCommittedError,
)
from holdfast.domain.memory.anchor import (
    CommitFate,
    CommitPosition,
    Revision,
    RewriteHow,
    Sighting,
    Verdict,
)
from holdfast.domain.memory.evidence import read_place
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.place import Place
from holdfast.domain.recall.bundle import Passage, Reason
from holdfast.domain.recall.days import end_of_day
from holdfast.domain.recall.question import Question
from holdfast.domain.recall.sifting import TOO_LITTLE
from holdfast.domain.values import replace
from holdfast.surfaces.cli.advising.note_advice import with_advice
from holdfast.usecases.anchors.branch_difference import read_range
from holdfast.usecases.anchors.verify import Verify
from holdfast.usecases.recall.passages import UNEMBEDDED_CODE, UNREAD_COMMITS
from tests.builders import HERE, NOON, FixedClock, PlainSurroundings, a_memory
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainHistory, PlainIndex, PlainVerifier, fresh, sighting
from tests.usecases.test_checking import NEW, OLD, PLACE, at, by_commit, on
from tests.usecases.wishes import asked, given, proposed, reject, said

BASE = Revision(id="1" * 40, at=NOON)
TIP = Revision(id="2" * 40, at=NOON + timedelta(days=1))


@pytest.fixture
def verifier() -> PlainVerifier:
    return PlainVerifier(revisions={"main": BASE, "feature": TIP, "HEAD": BASE, "v1": BASE})


@requirement("verify.counts-and-worst-first")
def test_verify_counts_verdicts_and_puts_the_worst_first(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    said(seen, "One stands.", grounds=at("src/app.py:1"))
    moved = said(seen, "Two moved.", grounds=at(PLACE))
    gone = said(seen, "Three is gone.", grounds=at("src/app.py:1", "src/app.py:3"))
    said(seen, "Four is my word.")
    verifier.seen[PLACE] = sighting(Verdict.MOVED, "src/app.py", 9, 9)
    verifier.seen["src/app.py:3"] = Sighting(verdict=Verdict.ORPHANED)

    found = seen.evidence.verify(Verify())

    assert [one.record.memory.id for one in found.checked][:2] == [gone.memory.id, moved.memory.id]
    assert found.counts == {
        Verdict.FRESH: 1,
        Verdict.MOVED: 1,
        Verdict.DRIFTED: 0,
        Verdict.ORPHANED: 1,
        Verdict.UNVERIFIABLE: 0,
    }
    assert (found.unanchored, found.is_sound) == (1, False)


def test_everything_means_candidates_and_other_branches_too(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    waiting = proposed(seen, grounds=at(PLACE))
    surroundings.stands = on("feature", NEW)
    aside = said(seen, "Tokens are signed.", grounds=at(PLACE))
    rejected = proposed(seen, "Tokens are blue.", grounds=at(PLACE))
    reject(seen, rejected.memory.id, by="me")

    here = seen.evidence.verify(Verify())
    everything = seen.evidence.verify(Verify(everything=True))

    assert here.checked == ()
    assert "written only on feature" in here.notes[0]
    assert {one.record.memory.id for one in everything.checked} == {
        waiting.memory.id,
        aside.memory.id,
    }


def test_verify_names_memories_and_a_commit_to_check_against(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    kept = said(seen, grounds=at(PLACE))
    said(seen, "Tokens are signed.", grounds=at(PLACE))
    verifier.seen_at[BASE.id] = {PLACE: sighting(Verdict.DRIFTED, "src/app.py", 2, 2)}

    (one,) = seen.evidence.verify(Verify(references=(kept.memory.id,), at="v1")).checked

    assert (one.record.memory.id, one.verdict) == (kept.memory.id, Verdict.DRIFTED)
    with pytest.raises(NoSuchRevisionError):
        seen.evidence.verify(Verify(at="nowhere"))


@requirement("store.readers-never-wait")
def test_a_check_beside_a_writer_goes_on_without_noting_rewrites(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    store = seen.store
    assert isinstance(store, InMemoryStore)
    verifier.fate_of[OLD] = CommitFate(
        whereabouts=CommitPosition.REWRITTEN, now=NEW, how=RewriteHow.TREE
    )
    said(seen, grounds=by_commit(OLD))

    with store._one_writer:
        checked = seen.evidence.verify(Verify()).checked

    assert len(checked) == 1
    with store.reading() as tx:
        assert tx.anchors.past.rewrites_of(str(HERE.repo), [OLD]) == {}


def test_rewrites_that_verify_finds_are_noted(seen: Holdfast, verifier: PlainVerifier) -> None:
    verifier.fate_of[OLD] = CommitFate(
        whereabouts=CommitPosition.REWRITTEN, now=NEW, how=RewriteHow.TREE
    )
    said(seen, grounds=by_commit(OLD))

    seen.evidence.verify(Verify())

    with seen.store.reading() as tx:
        assert tx.anchors.past.rewrites_of(str(HERE.repo), [OLD])[OLD].how is RewriteHow.TREE


def test_more_than_one_page_of_memories_is_checked(seen: Holdfast) -> None:
    first = said(seen, "Fact number 0 of the long list.", grounds=at(PLACE))
    with seen.store.writing(NOON) as tx:
        for number in range(1, 502):
            claim = f"Fact number {number} of the long list."
            copied = replace(first.memory, id=MemoryId(f"m_{number}"), claim=claim)
            tx.memories.add(copied, first.standing)

    assert len(seen.evidence.verify(Verify()).checked) == 502


def test_memories_at_hand_and_spans_are_checked_one_by_one(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    kept = said(seen, grounds=at(PLACE))
    word = said(seen, "Tokens are signed.")
    verifier.seen[PLACE] = sighting(Verdict.MOVED, "src/app.py", 9, 9)

    with_span, without = seen.evidence.checks_of([kept, word])
    (span,) = seen.memories.explain(kept.memory.id).spans

    assert with_span.verdict is Verdict.MOVED
    assert (without.evidence, without.verdict) == ((), Verdict.FRESH)
    assert seen.evidence.sight(span).verdict is Verdict.MOVED


@requirement("blame.where-it-is-now")
def test_blame_finds_memories_by_where_their_evidence_is_now(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    stands = said(seen, "Two is right.", grounds=at(PLACE))
    came = said(seen, "One came here.", grounds=at("src/app.py:1"))
    said(seen, "Three is elsewhere.", grounds=at("src/app.py:3"))
    verifier.seen["src/app.py:1"] = sighting(Verdict.MOVED, "src/app.py", 2, 2)

    governing = seen.evidence.blame(read_place(PLACE))

    assert [(one.record.memory.id, one.sighting.verdict) for one in governing] == [
        (stands.memory.id, Verdict.FRESH),
        (came.memory.id, Verdict.MOVED),
    ]
    assert len(seen.evidence.blame(read_place("src/app.py"))) == 3


@requirement("blame.where-it-was-read")
def test_blame_of_a_file_that_is_gone_finds_what_was_read_there(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    kept = said(seen, "Two is right.", grounds=at(PLACE))
    surroundings.files = {"src/other.py": "one\n"}
    verifier.seen[PLACE] = sighting(Verdict.MOVED, "src/other.py", 1, 1)

    for place in (PLACE, "src/app.py", "./src/app.py", "app.py"):
        (found,) = seen.evidence.blame(read_place(place))
        assert (found.record.memory.id, found.sighting.verdict) == (kept.memory.id, Verdict.MOVED)
    for place in ("src/app.py:90", "src/app.py:90-91", "src/none.py", "src/other.py:7"):
        with pytest.raises(NoSuchPlaceError, match=f"^{place} cannot be read: "):
            seen.evidence.blame(read_place(place))


@requirement("mcp.ignored-files")
def test_blame_of_a_withheld_file_finds_nothing_that_was_read_there(
    seen: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def withheld(_self: object, _place: object) -> None:
        raise EvidenceWithheldError(PLACE, "git ignores it.")

    said(seen, "Two is right.", grounds=at(PLACE))
    monkeypatch.setattr(PlainSurroundings, "read_span", withheld)

    with pytest.raises(EvidenceWithheldError):
        seen.evidence.blame(read_place(PLACE))


def test_blame_needs_a_repository(seen: Holdfast, surroundings: PlainSurroundings) -> None:
    surroundings.at = Place()

    with pytest.raises(NoHistoryError):
        seen.evidence.blame(read_place(PLACE))


@requirement("diff.what-a-branch-knows")
def test_a_difference_says_what_a_branch_adds_changes_and_contradicts(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    keyed = said(seen, "Sessions live in Redis.", key="sessions")
    stands = said(seen, "Tokens rotate hourly.")
    surroundings.stands = on("feature", NEW)
    surroundings.at = replace(HERE, branch="feature")
    added = said(seen, "Queues are durable.")
    changed = proposed(seen, "Sessions live in Postgres.", key="sessions")
    against = said(seen, "Tokens rotate daily.")
    after = said(seen, "Rotation is audited.")
    # A store returns the kind of a link as a plain text.
    contradicts, supersedes = LinkKind.CONTRADICTS.value, LinkKind.SUPERSEDES.value
    seen.memories.link(Link(src=against.memory.id, dst=stands.memory.id, kind=contradicts))
    seen.memories.link(Link(src=after.memory.id, dst=stands.memory.id, kind=supersedes))
    waiting = proposed(seen, "Queues may be lost.")
    seen.memories.link(Link(src=waiting.memory.id, dst=added.memory.id, kind=LinkKind.SUPERSEDES))
    verifier.arrived_at[TIP.id] = {NEW}

    found = seen.evidence.difference("main", "feature")

    assert (found.base, found.tip) == (BASE, TIP)
    assert [one.memory.id for one in found.added] == [added.memory.id, waiting.memory.id]
    assert [(one.record.memory.id, one.other.memory.id) for one in found.changed] == [
        (changed.memory.id, keyed.memory.id),
        (after.memory.id, stands.memory.id),
    ]
    assert [(one.record.memory.id, one.other.memory.id) for one in found.contradicted] == [
        (against.memory.id, stands.memory.id)
    ]


@requirement("diff.what-a-branch-knows")
def test_without_a_range_the_checkout_is_compared_with_the_main_branch(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    trunk = Revision(id="4" * 40, at=NOON)
    verifier.revisions |= {"trunk": trunk, "HEAD": TIP}

    surroundings.main = "trunk"
    found = seen.evidence.difference_of()
    surroundings.main = None
    usual = seen.evidence.difference_of()

    assert (found.base, found.tip) == (trunk, TIP)
    assert (usual.base, usual.tip) == (BASE, TIP)


@requirement("diff.only-of-the-two-ends")
def test_a_difference_names_no_memory_of_a_third_branch(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    ids = {}
    for branch, head in (("main", None), ("feature", NEW), ("other", OLD)):
        surroundings.stands = None if head is None else on(branch, head)
        surroundings.at = replace(HERE, branch=branch)
        ids[branch] = said(seen, f"Sessions live in {branch}.", key="sessions").memory.id
    surroundings.at = replace(HERE, branch="main")
    third = Revision(id="3" * 40, at=NOON)
    verifier.revisions |= {"other": third, "refs/heads/other": third}
    verifier.arrived_at[TIP.id] = {NEW}

    def compared(base: str, tip: str) -> list[tuple[str, str]]:
        found = seen.evidence.difference(base, tip)
        assert (found.added, found.contradicted, found.doubted) == ((), (), ())
        return [(one.record.memory.id, one.other.memory.id) for one in found.changed]

    assert compared("main", "feature") == [(ids["feature"], ids["main"])]
    assert compared("HEAD", "other") == [(ids["other"], ids["main"])]
    assert compared("other", "feature") == [(ids["feature"], ids["other"])]


@requirement("diff.only-of-the-two-ends")
def test_a_tag_with_the_name_of_a_branch_is_the_tag(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = on("feature", NEW)
    surroundings.at = replace(HERE, branch="feature")
    said(seen, "Queues are durable.")
    surroundings.at = replace(HERE, branch="main")
    verifier.revisions["refs/heads/feature"] = BASE

    assert not seen.evidence.difference("main", "feature").added


def test_a_key_said_anew_is_a_change_though_nobody_linked_it(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    keyed = said(seen, "Sessions live in Redis.", key="sessions")
    anew = a_memory(
        id=MemoryId("m_anew"),
        claim="Sessions live in Postgres.",
        key="sessions",
        branch_point=on("feature", NEW),
    )
    with seen.store.writing(NOON) as tx:
        tx.memories.add(anew, Standing(status=Status.CANDIDATE))
    verifier.arrived_at[TIP.id] = {NEW}

    (one,) = seen.evidence.difference("main", "feature").changed

    assert (one.record.memory.id, one.other.memory.id) == (anew.id, keyed.memory.id)


def test_a_difference_says_which_memories_the_branch_puts_in_doubt(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    doubted = said(seen, "Two is two.", grounds=at(PLACE))
    proposed(seen, "Two is twice one.", grounds=at(PLACE))
    said(seen, "One is one.", grounds=at("src/app.py:1"))
    said(seen, "Three was never right.", grounds=at("src/app.py:3"))
    gone = Sighting(verdict=Verdict.ORPHANED)
    verifier.seen_at[TIP.id] = {PLACE: gone, "src/app.py:3": gone}
    verifier.seen_at[BASE.id] = {"src/app.py:3": gone}

    (one,) = seen.evidence.difference("main", "feature").doubted

    assert (one.record.memory.id, one.verdict) == (doubted.memory.id, Verdict.ORPHANED)


def test_a_difference_needs_a_repository(seen: Holdfast, surroundings: PlainSurroundings) -> None:
    surroundings.at = Place()

    with pytest.raises(NoHistoryError):
        seen.evidence.difference("main", "feature")


@pytest.mark.parametrize(
    ("text", "ends"),
    [("main..feature", ("main", "feature")), ("main..", ("main", "HEAD")), ("..x", ("HEAD", "x"))],
)
def test_a_range_is_read_as_git_reads_it(text: str, ends: tuple[str, str]) -> None:
    assert read_range(text) == ends


@pytest.mark.parametrize("text", ["main", "..", "", "main...feature"])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(BadFieldError, match=r"main\.\.feature"):
        read_range(text)


@requirement("recall.as-of")
def test_as_of_a_commit_gives_what_held_there(
    seen: Holdfast,
    verifier: PlainVerifier,
    surroundings: PlainSurroundings,
    clock: FixedClock,
) -> None:
    surroundings.stands = on("main", OLD, aside=False)
    before = said(seen, "Tokens live in Redis.", key="tokens")
    global_before = said(seen, "Tokens are opaque.", grounds=at("src/app.py:1"))
    clock.advance(days=2)
    surroundings.stands = on("main", NEW, aside=False)
    after = said(seen, "Tokens live in Postgres.", key="tokens")
    verifier.arrived_at[BASE.id] = {OLD}
    verifier.revisions["v1"] = replace(BASE, at=NOON + timedelta(days=1))
    verifier.seen_at[BASE.id] = {"src/app.py:1": Sighting(verdict=Verdict.ORPHANED)}

    assert set(given(seen, "tokens", as_of="v1")) == {
        before.memory.id,
        global_before.memory.id,
    }
    assert given(seen, "where do tokens live")[0] == after.memory.id


def test_as_of_a_commit_takes_what_its_files_bear_out_and_what_had_no_commit(
    seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock
) -> None:
    early = said(seen, "Tokens are early.")
    clock.advance(days=2)
    said(seen, "Tokens are late.")
    surroundings.stands = on("main", NEW, aside=False)
    borne_out = said(seen, "Tokens are in the file.", grounds=at(PLACE))

    assert set(given(seen, "tokens", as_of="v1")) == {early.memory.id, borne_out.memory.id}


@requirement("recall.as-of-asks-about-answers-only")
def test_as_of_a_commit_git_is_asked_about_answers_only(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = on("main", OLD, aside=False)
    answer = said(seen, "Tokens rotate hourly.", grounds=at("src/app.py:1"))
    weak = said(seen, "Backups rotate and are kept in another region.", grounds=at("src/app.py:2"))

    bundle = seen.answers.recall(Question(text="tokens rotate hourly", as_of="v1")).bundle

    assert [item.memory_id for item in bundle.items] == [answer.memory.id]
    assert weak.memory.id in [item.memory_id for item in bundle.left_out]
    assert verifier.examined == ["src/app.py:1"]


@requirement("recall.as-of-asks-about-answers-only")
def test_as_of_a_commit_arrival_is_asked_only_where_no_evidence_holds(
    seen: Holdfast, verifier: PlainVerifier, surroundings: PlainSurroundings
) -> None:
    surroundings.stands = on("main", OLD, aside=False)
    said(seen, "Tokens rotate.", grounds=at("src/app.py:1"))
    surroundings.stands = on("main", NEW, aside=False)
    said(seen, "Tokens rotate hourly.", grounds=at("src/app.py:2"))
    verifier.seen_at[BASE.id] = {"src/app.py:2": Sighting(verdict=Verdict.ORPHANED)}

    given(seen, "tokens rotate", as_of="v1")

    assert verifier.looked_for == [NEW]


@requirement("recall.as-of")
def test_as_of_a_commit_a_successor_that_its_files_bear_out_hides_its_predecessor(
    seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock
) -> None:
    surroundings.stands = on("main", OLD, aside=False)
    older = said(seen, "Tokens rotate hourly by cron.", key="tokens", grounds=at("src/app.py:1"))
    clock.advance(days=2)
    said(seen, "Everything rotates now, once a year.", key="tokens", grounds=at("src/app.py:2"))

    assert older.memory.id not in given(seen, "tokens rotate hourly by cron", as_of="v1")


@requirement("recall.as-of-says-what-it-lacks")
def test_as_of_a_commit_says_what_is_known_only_since_and_that_code_is_of_today(
    seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock
) -> None:
    clock.advance(days=2)
    surroundings.stands = on("main", NEW, aside=False)
    said(seen, "Tokens rotate hourly.")
    whole = replace(seen, code_index=PlainIndex(passages=(passage(title="tokens rotate"),)))

    question = Question(text="tokens rotate", include=("memory", "code"), as_of="v1")
    bundle = whole.answers.recall(question).bundle

    assert bundle.items == ()
    assert any("without proof that they were true at v1" in note for note in bundle.notes)
    assert any("not as of v1" in note for note in bundle.notes)


@requirement("recall.as-of-history")
def test_as_of_a_commit_history_is_asked_about_what_leads_to_it(
    seen: Holdfast, verifier: PlainVerifier
) -> None:
    history = PlainHistory(passages=(passage(title="tokens rotate"),))
    whole = replace(seen, history_index=history)
    question = Question(text="tokens rotate", include=("history",))

    whole.answers.answer(question)
    whole.answers.answer(replace(question, as_of="v1"))
    bare = replace(whole, verifier=None).answers.answer(replace(question, as_of="2024-01-31"))

    assert history.asked_at == [None, verifier.revisions["v1"].id]
    assert bare.bundle.passages == ()
    assert any("so history was not searched" in note for note in bare.bundle.notes)
    with pytest.raises(NoSuchRevisionError):
        whole.answers.answer(replace(question, as_of="nowhere"))


def test_as_of_a_commit_needs_a_repository(seen: Holdfast) -> None:
    bare = replace(seen, verifier=None)

    with pytest.raises(NoHistoryError):
        bare.answers.recall(Question(text="tokens", as_of="v1"))


@requirement("recall.as-of")
def test_as_of_a_day_needs_no_repository(
    seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock
) -> None:
    bare = replace(seen, verifier=None)
    loose = said(bare, "Tokens are opaque.")
    surroundings.stands = on("main", OLD, aside=False)
    before = said(bare, "Tokens live in Redis.", key="tokens")
    clock.advance(days=2)
    after = said(bare, "Tokens live in Postgres.", key="tokens")
    day = f"{NOON:%Y-%m-%d}"

    assert set(given(bare, "tokens", as_of=day)) == {loose.memory.id, before.memory.id}
    assert set(given(bare, "tokens")) == {loose.memory.id, after.memory.id}
    assert given(bare, "tokens", as_of="2020-01-01") == []


@pytest.mark.parametrize(
    ("word", "day"),
    [
        ("2026-01-31", 1),
        ("2026-13-31", None),
        ("2026-1-31", None),
        ("9999-12-31", None),
        ("v1", None),
    ],
)
def test_a_day_ends_at_midnight(word: str, day: int | None) -> None:
    over = end_of_day(word)

    assert (None if over is None else over.day) == day


def passage(reference: str = "src/app.py:1-3", **changes: Any) -> Passage:
    fields: dict[str, Any] = {
        "kind": PassageKind.CODE,
        "reference": reference,
        "title": "def rotate()",
        "text": "def rotate():\n    pass",
        "score": 0.5,
        "reasons": (Reason(leg="symbol", amount=0.4),),
    }
    return Passage(**(fields | changes))


@requirement("recall.code-and-history-beside-memory")
def test_code_and_history_come_beside_memories(seen: Holdfast) -> None:
    said(seen)
    commit = passage("abc123", kind=PassageKind.HISTORY, title="Rotate", text="why", score=0.9)
    whole = replace(
        seen,
        code_index=PlainIndex(passages=(passage(beside=("login",)),)),
        history_index=PlainHistory(passages=(commit,)),
    )

    recalled = whole.answers.recall(
        Question(text="rotate tokens", include=("memory", "code", "history"))
    )

    assert [one.reference for one in recalled.bundle.passages] == ["abc123", "src/app.py:1-3"]
    assert "- code · src/app.py:1-3 def rotate()\n" in recalled.markdown()
    assert "   def rotate():\n       pass\n   beside: login\n" in recalled.markdown()
    kept = whole.answers.shown(recalled.bundle.id)
    assert kept.bundle == recalled.bundle
    assert "its text is not kept" in kept.markdown()


def test_the_best_commit_comes_before_the_second_best_code(seen: Holdfast) -> None:
    code = (passage("a.py:1", score=0.9), passage("b.py:1", score=0.8))
    commit = passage("abc123", kind=PassageKind.HISTORY, score=0.1)
    whole = replace(
        seen, code_index=PlainIndex(passages=code), history_index=PlainHistory(passages=(commit,))
    )

    bundle = whole.answers.recall(
        Question(text="rotate tokens", include=("code", "history"))
    ).bundle

    assert [one.reference for one in bundle.passages] == ["a.py:1", "abc123", "b.py:1"]


def test_code_alone_asks_no_memory(seen: Holdfast) -> None:
    said(seen)
    whole = replace(seen, code_index=PlainIndex(passages=(passage(),)))

    bundle = whole.answers.recall(Question(text="rotate tokens", include=("code",))).bundle

    assert (bundle.items, bundle.left_out, len(bundle.passages)) == ((), (), 1)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (NoHistoryError(), "not in a git repository"),
        (NothingCommittedError(), "has no commits yet"),
        (OutsideUnavailableError(who="git", words="gone"), "code was not searched"),
    ],
)
def test_code_that_cannot_be_searched_says_so(seen: Holdfast, error: Exception, words: str) -> None:
    said(seen)
    whole = replace(seen, code_index=PlainIndex(error=error))

    bundle = whole.answers.recall(Question(text="tokens", include=("memory", "code"))).bundle

    assert len(bundle.items) == 1
    assert any(words in note for note in bundle.notes)


@requirement("recall.silent-when-nothing-answers")
def test_code_that_does_not_answer_leaves_the_whole_budget_to_memories(seen: Holdfast) -> None:
    said(seen)
    weak = PlainIndex(passages=(passage(title="", text="unlike"),))

    bundle = (
        replace(seen, code_index=weak)
        .answers.recall(Question(text="tokens rotate", include=("memory", "code")))
        .bundle
    )

    assert len(bundle.items) == 1
    assert bundle.passages == ()
    assert all(one.why_not.startswith(TOO_LITTLE) for one in bundle.passages_left_out)


@requirement("code.answers-before-all-is-read")
def test_an_answer_says_how_much_code_was_read_for_it(seen: Holdfast) -> None:
    whole = replace(seen, code_index=PlainIndex(passages=(passage(),), unread=7_084))

    bundle = whole.answers.recall(Question(text="rotate", include=("code",))).bundle

    assert len(bundle.passages) == 1
    [note] = [note for note in bundle.notes if note.startswith("code:")]
    assert "1 of 7,085 files" in note
    assert "some code may be missing" in note


@requirement("code.by-meaning")
def test_an_answer_says_how_much_code_was_searched_by_its_words_only(seen: Holdfast) -> None:
    whole = replace(seen, code_index=PlainIndex(passages=(passage(),), unembedded=7_084))

    bundle = whole.answers.recall(Question(text="rotate", include=("code",))).bundle

    assert bundle.notes == (UNEMBEDDED_CODE.format(many="7,084"),)
    assert "'holdfast index'" in with_advice(bundle.notes[0])


@requirement("history.says-how-it-is-read")
def test_where_no_commit_was_read_the_answer_says_how_they_are(seen: Holdfast) -> None:
    whole = replace(seen, history_index=PlainHistory(is_read=False))

    notes = whole.answers.recall(Question(text="tokens", include=("history",))).bundle.notes

    assert any("commits of this repository are not indexed yet" in note for note in notes)


@requirement("history.says-how-much-is-read")
def test_an_answer_says_how_many_commits_were_not_searched(seen: Holdfast) -> None:
    history = PlainHistory(passages=(passage(),), unread=4_147)
    whole = replace(seen, history_index=history)

    bundle = whole.answers.recall(Question(text="rotate", include=("history",))).bundle

    assert bundle.notes == (UNREAD_COMMITS.format(read="1", all="4,148"),)
    assert "'holdfast import git'" in with_advice(bundle.notes[0])


def test_without_an_index_the_answer_says_so(seen: Holdfast) -> None:
    bare = replace(seen, code_index=None, history_index=None)

    notes = bare.answers.recall(Question(text="x", include=("code", "history"))).bundle.notes

    assert len(notes) == 2


@requirement("context.neighbours-and-memories")
def test_a_symbol_comes_with_its_neighbours_and_its_memories(seen: Holdfast) -> None:
    kept = said(seen, grounds=at(PLACE))
    rotate = SymbolPlace(
        path="src/app.py", symbol=Symbol(name="rotate", kind="function", first=1, last=3)
    )
    near = [
        Neighbour(place=rotate, relation=Relation.CALLS, hops=n, through="x") for n in (1, 2, 3)
    ]
    whole = replace(seen, code_index=PlainIndex(places=(rotate, rotate), neighbours=tuple(near)))

    found = whole.code.surround("rotate")

    assert (found.place, found.namesakes) == (rotate, (rotate,))
    assert [one.hops for one in found.neighbours] == [1, 2]
    assert [one.record.memory.id for one in found.governing] == [kept.memory.id]
    assert rotate.reference == "src/app.py:1-3"
    with pytest.raises(NoSuchSymbolError):
        whole.code.surround("nothing")


@requirement("context.says-what-is-missing")
def test_a_line_without_a_symbol_is_told_from_one_that_is_not_there(seen: Holdfast) -> None:
    whole = replace(seen, code_index=PlainIndex())

    with pytest.raises(NoSymbolAtError, match="No symbol covers src/app.py:3"):
        whole.code.surround("src/app.py:3")
    for place in ("src/app.py:99", "src/none.py:1"):
        with pytest.raises(NoSuchPlaceError, match=f"^{place} cannot be read: "):
            whole.code.surround(place)


def test_indexes_are_brought_in_line(seen: Holdfast) -> None:
    steps: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> None:
        steps.append((done, total))

    assert seen.code.index(watch, anew=True).read == 1
    assert seen.code.read_history(watch).known == 0
    assert steps == [(1, 1), (1, 1)]
    with pytest.raises(NoHistoryError):
        replace(seen, code_index=None).code.index(watch)


@requirement("rewrite.kept")
def test_what_git_tells_of_rewrites_is_noted_and_nonsense_is_not(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    pairs = [(OLD, NEW), (OLD, OLD), ("HEAD", NEW), (NEW, "; rm")]

    assert seen.evidence.note_rewrites(pairs) == 1
    assert seen.evidence.note_rewrites([]) == 0
    with seen.store.reading() as tx:
        noted = tx.anchors.past.rewrites_of(str(HERE.repo), [OLD])
    assert (noted[OLD].new, noted[OLD].how) == (NEW, RewriteHow.HOOK)
    surroundings.at = Place()
    assert seen.evidence.note_rewrites(pairs) == 0


def test_the_tip_of_a_branch_is_noted_where_memories_hang_on_it(
    seen: Holdfast, surroundings: PlainSurroundings
) -> None:
    assert not seen.evidence.note_head()
    surroundings.stands = on("feature", OLD)
    assert not seen.evidence.note_head()  # nobody has written anything there
    said(seen)
    assert not seen.evidence.note_head()  # that is known
    surroundings.stands = on("feature", NEW)

    assert seen.evidence.note_head()

    with seen.store.reading() as tx:
        points = tx.anchors.past.branch_points(str(HERE.repo), aside_only=True)
    assert [point.head for point in points] == [OLD, NEW]


def test_a_memory_that_moved_says_what_a_person_reads(seen: Holdfast) -> None:
    kept = said(seen, grounds=at(PLACE))
    (span,) = seen.memories.explain(kept.memory.id).spans

    assert fresh(span).words == "fresh"
    assert "(fresh)" in asked(seen).markdown()
