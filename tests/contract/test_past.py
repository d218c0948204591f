"""Histories: where memories and sessions were written, and which commits replaced others."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from holdfast.domain.choices import LinkKind, Scope, Status
from holdfast.domain.memory.anchor import BranchPoint, Rewrite, RewriteHow
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import Standing
from holdfast.domain.memory.selection import Page, Selection, Supersession, View
from holdfast.ports.store.store import Store
from tests.builders import (
    HERE,
    NOON,
    a_branch_point,
    a_rewrite,
    a_session,
    a_span,
    a_tombstone,
    an_anchor,
)
from tests.contract.steps import found, hits, keep, memory_id, numbered, read
from tests.requirements import requirement

REPO = str(HERE.repo)
MAIN = a_branch_point(branch="main", is_aside=False)
DETACHED = a_branch_point(branch=None)


def branch_points(store: Store, *, aside_only: bool, repo: str = REPO) -> list[BranchPoint]:
    with store.reading() as tx:
        return list(tx.anchors.past.branch_points(repo, aside_only=aside_only))


@requirement("standpoint.kept")
@pytest.mark.parametrize(
    "point",
    [
        a_branch_point(),
        MAIN,
        DETACHED,
        a_branch_point(branch="größe", head="0" * 64, is_shared=True),
    ],
    ids=["aside", "main", "detached", "shared"],
)
def test_where_a_memory_or_a_session_was_written_reads_back(
    store: Store, point: BranchPoint
) -> None:
    record = keep(store, numbered(1, branch_point=point))[0]
    session = a_session(branch_point=point)
    with store.writing(NOON) as tx:
        tx.sessions.put(session)

    assert record.memory.branch_point == point
    assert read(store, memory_id(1)) == record
    with store.reading() as tx:
        assert tx.memories.find(Selection(), Page()) == (record,)
        assert tx.sessions.get(session.id) == session
        assert tx.sessions.page(beyond=None, limit=9) == (session,)


@requirement("recall.outside-is-ours")
def test_only_accepted_memories_name_a_side_branch(store: Store) -> None:
    aside = [a_branch_point(branch=name) for name in ("one", "two", "three")]
    keep(store, *(numbered(place, branch_point=at) for place, at in enumerate(aside)))
    keep(store, numbered(3, branch_point=MAIN), numbered(4, branch_point=DETACHED))
    with store.writing(NOON) as tx:
        tx.memories.set_standing(memory_id(1), Standing(status=Status.CANDIDATE))
        tx.memories.set_standing(memory_id(2), Standing(status=Status.REJECTED))

    with store.reading() as tx:
        assert tx.anchors.past.accepted_aside(REPO) == {"one"}
        assert tx.anchors.past.accepted_aside("other") == frozenset()


@requirement("standpoint.kept")
def test_those_with_a_standpoint_and_those_without_read_back_side_by_side(store: Store) -> None:
    kept = keep(store, numbered(1), numbered(2, branch_point=MAIN), numbered(3))

    with store.reading() as tx:
        assert tx.memories.find(Selection(), Page(oldest_first=True)) == tuple(kept)


def test_the_end_of_a_session_leaves_where_it_began(store: Store) -> None:
    session = a_session(branch_point=a_branch_point())
    ended = replace(session, finished_at=NOON + timedelta(hours=1))
    with store.writing(NOON) as tx:
        tx.sessions.put(session)
        tx.sessions.put(ended)

    with store.reading() as tx:
        assert tx.sessions.get(session.id) == ended


def test_a_session_that_is_put_without_a_standpoint_has_none(store: Store) -> None:
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session(branch_point=a_branch_point()))
        tx.sessions.put(a_session())

    with store.reading() as tx:
        assert tx.sessions.get(a_session().id) == a_session()


@requirement("standpoint.found-again")
def test_each_standpoint_of_a_repository_comes_once_and_the_oldest_first(store: Store) -> None:
    later = a_branch_point(head="9" * 40)
    points = [MAIN, later, a_branch_point(), later, None, DETACHED, a_branch_point(is_shared=True)]
    keep(store, *(numbered(n, branch_point=point) for n, point in enumerate(points)))
    keep(store, numbered(90, branch_point=a_branch_point(branch="other"), repo="other"))
    with store.writing(NOON) as tx:
        tx.sessions.put(a_session(branch_point=a_branch_point(branch="asked")))

    aside = [later, a_branch_point(), DETACHED, a_branch_point(is_shared=True)]
    assert branch_points(store, aside_only=True) == aside
    assert branch_points(store, aside_only=False) == [MAIN, *aside]
    assert branch_points(store, aside_only=True, repo="other") == [a_branch_point(branch="other")]
    assert branch_points(store, aside_only=False, repo="nowhere") == []


def test_a_forgotten_memory_stands_nowhere(store: Store) -> None:
    keep(store, numbered(1, branch_point=a_branch_point()), numbered(2, branch_point=DETACHED))

    with store.writing(NOON) as tx:
        tx.memories.forget(a_tombstone(memory_id=memory_id(1)))

    assert branch_points(store, aside_only=False) == [DETACHED]


@requirement("standpoint.found-again")
def test_where_a_branch_stands_is_among_the_standpoints(store: Store) -> None:
    keep(store, numbered(1, branch_point=a_branch_point()))
    tip = a_branch_point(head="9" * 40)
    with store.writing(NOON) as tx:
        for point in (tip, DETACHED, MAIN, a_branch_point()):
            tx.anchors.past.put_tip(REPO, point)
        tx.anchors.past.put_tip("other", a_branch_point(branch="other"))

    assert branch_points(store, aside_only=True) == [a_branch_point(), DETACHED]
    assert branch_points(store, aside_only=False) == [a_branch_point(), DETACHED, MAIN]


@requirement("standpoint.found-again")
def test_a_branch_stands_where_it_was_seen_last(store: Store) -> None:
    other, later = a_branch_point(branch="other"), a_branch_point(head="9" * 40)
    with store.writing(NOON) as tx:
        for point in (a_branch_point(), other, later, later):
            tx.anchors.past.put_tip(REPO, point)

    assert branch_points(store, aside_only=True) == [other, later]
    with store.reading() as tx:
        assert tx.diary.events.head().sequence == 3

    with store.writing(NOON) as tx:
        tx.anchors.past.put_tip(REPO, replace(later, is_aside=False))
    assert branch_points(store, aside_only=True) == [other]


@requirement("event.never-holds-text")
def test_no_event_holds_the_name_of_a_branch(store: Store) -> None:
    keep(store, numbered(1, branch_point=a_branch_point(branch="walrus")))
    with store.writing(NOON) as tx:
        tx.anchors.past.put_tip(REPO, a_branch_point(branch="walrus"))
        tx.anchors.spans.put(a_span(anchor=an_anchor(branch="walrus", symbol="walrus")))

    with store.reading() as tx:
        assert "walrus" not in repr(tx.diary.events.since(0, limit=99))


@requirement("standpoint.unseen-left-out")
def test_what_was_written_at_an_unseen_standpoint_is_left_out(store: Store) -> None:
    points = [
        None,
        MAIN,
        a_branch_point(),
        DETACHED,
        a_branch_point(is_shared=True),
        a_branch_point(),
    ]
    keep(
        store, *(numbered(n, claim="Tokens rotate.", branch_point=p) for n, p in enumerate(points))
    )
    unseen = Selection(view=View(unseen=frozenset({a_branch_point(), DETACHED})))

    seen = [memory_id(n) for n in (0, 1, 4)]
    assert found(store, unseen) == seen
    assert sorted(hits(store, "tokens", within=unseen)) == seen
    with store.reading() as tx:
        assert tx.memories.count(unseen) == len(seen)


@requirement("standpoint.unseen-left-out")
@pytest.mark.parametrize(
    "other",
    [
        a_branch_point(branch="other"),
        a_branch_point(branch=None),
        a_branch_point(head="9" * 40),
        a_branch_point(is_aside=False),
        a_branch_point(is_shared=True),
    ],
)
def test_only_the_very_same_standpoint_is_unseen(store: Store, other: BranchPoint) -> None:
    keep(store, numbered(1, branch_point=a_branch_point()))

    assert found(store, Selection(view=View(unseen=frozenset({other})))) == [memory_id(1)]


@requirement("recall.as-of")
def test_what_was_accepted_then_is_found_though_it_was_superseded_since(store: Store) -> None:
    before, after = NOON - timedelta(milliseconds=1), NOON + timedelta(milliseconds=1)
    for number, status in enumerate(Status):
        keep(store, numbered(number), standing=Standing(status=status, decided_at=after))
    for number, decided_at in ((10, before), (11, NOON), (12, after), (13, None)):
        standing = Standing(status=Status.SUPERSEDED, decided_at=decided_at)
        keep(store, numbered(number), standing=standing)
    keep(store, numbered(20, expires_at=NOON), standing=Standing(pinned=True))
    keep(store, numbered(21, expires_at=after))

    wanted = [list(Status).index(each) for each in (Status.ACCEPTED, Status.SUPERSEDED)]
    assert found(store, Selection(as_of=NOON)) == [memory_id(n) for n in (*wanted, 12, 21)]


@requirement("rewrite.kept")
@pytest.mark.parametrize("how", RewriteHow)
def test_what_took_a_commits_place_reads_back(store: Store, how: RewriteHow) -> None:
    rewrite = a_rewrite(how=how, at=NOON + timedelta(milliseconds=7))
    with store.writing(NOON) as tx:
        tx.anchors.past.put_rewrites([rewrite, a_rewrite(old="a" * 40)])

    with store.reading() as tx:
        past = tx.anchors.past
        assert past.rewrites_of(REPO, [rewrite.old, "b" * 40]) == {rewrite.old: rewrite}
        assert past.rewrites_of("other", [rewrite.old]) == {}
        assert past.rewrites_of(REPO, []) == {}


@requirement("rewrite.kept")
def test_the_same_old_commit_again_replaces_what_was_known(store: Store) -> None:
    again = a_rewrite(new="8" * 40, how=RewriteHow.SQUASH)
    with store.writing(NOON) as tx:
        tx.anchors.past.put_rewrites([a_rewrite()])
        tx.anchors.past.put_rewrites([again])

    with store.reading() as tx:
        assert tx.anchors.past.rewrites(beyond=None, limit=9) == (again,)


@requirement("rewrite.kept")
def test_one_step_is_given_even_where_the_new_commit_was_rewritten_too(store: Store) -> None:
    first, second = a_rewrite(), a_rewrite(old=a_rewrite().new, new="8" * 40)
    with store.writing(NOON) as tx:
        tx.anchors.past.put_rewrites([first, second])

    with store.reading() as tx:
        assert tx.anchors.past.rewrites_of(REPO, [first.old]) == {first.old: first}


@requirement("store.pages-never-overlap")
def test_rewrites_come_by_repository_and_commit_a_page_at_a_time(store: Store) -> None:
    names = [("b", "2"), ("a", "3"), ("b", "1"), ("a", "1"), ("a", "2")]
    with store.writing(NOON) as tx:
        tx.anchors.past.put_rewrites([a_rewrite(repo=repo, old=old * 40) for repo, old in names])

    seen: list[Rewrite] = []
    with store.reading() as tx:
        while page := tx.anchors.past.rewrites(beyond=seen[-1] if seen else None, limit=2):
            assert len(page) <= 2
            seen += page

    assert [(each.repo, each.old[0]) for each in seen] == sorted(names)


def supersessions(store: Store, repo: str = REPO) -> list[tuple[int, int, bool]]:
    """Return the superseding pairs by memory number, and whether a link made each pair."""
    with store.reading() as tx:
        found = tx.anchors.past.supersessions(repo)
    return [(int(one.newer[-1]), int(one.older[-1]), one.is_linked) for one in found]


def link(store: Store, src: int, dst: int, kind: str = LinkKind.SUPERSEDES) -> None:
    with store.writing(NOON) as tx:
        tx.links.put(Link(src=memory_id(src), dst=memory_id(dst), kind=kind))


@requirement("branch.supersedes-where-it-reaches")
def test_links_that_supersede_are_found_where_one_end_was_written_aside(store: Store) -> None:
    keep(store, numbered(1, branch_point=MAIN), numbered(2, branch_point=MAIN), numbered(3))
    keep(
        store,
        numbered(4, branch_point=a_branch_point()),
        numbered(5, branch_point=a_branch_point()),
    )
    for src, dst in ((4, 1), (2, 1), (3, 5), (5, 4)):
        link(store, src, dst)
    link(store, 5, 2, LinkKind.CONTRADICTS)

    assert supersessions(store) == [(3, 5, True), (4, 1, True), (5, 4, True)]
    assert supersessions(store, "elsewhere") == []


@requirement("branch.supersedes-where-it-reaches")
def test_a_supersession_says_who_stands_and_whose_status_names_the_newer_one(store: Store) -> None:
    keep(
        store, numbered(1), standing=Standing(status=Status.SUPERSEDED, superseded_by=memory_id(3))
    )
    keep(store, numbered(2))
    keep(store, numbered(3, branch_point=a_branch_point()))
    keep(store, numbered(4, branch_point=DETACHED), standing=Standing(status=Status.CANDIDATE))
    for src, dst in ((3, 1), (3, 2), (4, 2)):
        link(store, src, dst)

    with store.reading() as tx:
        found = tx.anchors.past.supersessions(REPO)

    first, second, third = (memory_id(number) for number in (1, 2, 3))
    point = a_branch_point()
    assert list(found) == [
        Supersession(newer=third, older=first, point=point, stands=True, is_stored=True),
        Supersession(newer=third, older=second, point=point, stands=True),
        Supersession(newer=memory_id(4), older=second, point=DETACHED, stands=False),
    ]


@requirement("branch.supersedes-where-it-reaches")
def test_accepted_memories_of_one_key_are_found_unless_somebody_told_them_apart(
    store: Store,
) -> None:
    aside, other = a_branch_point(), a_branch_point(branch="other")
    keep(store, numbered(1, key="k", branch_point=MAIN), numbered(2, key="k", branch_point=aside))
    keep(store, numbered(3, key="k", branch_point=aside), numbered(4, key="k", branch_point=other))
    keep(store, numbered(5, key="other", branch_point=MAIN), numbered(6, branch_point=MAIN))
    keep(store, numbered(7, key="k"), standing=Standing(status=Status.CANDIDATE))
    keep(store, numbered(8, key="k", repo="elsewhere"), numbered(9, key="k", scope=Scope.GLOBAL))
    link(store, 1, 2, LinkKind.COMPATIBLE)
    link(store, 4, 1)

    assert supersessions(store) == [
        (2, 4, False),
        (3, 1, False),
        (3, 4, False),
        (4, 2, False),
        (4, 3, False),
        (4, 1, True),
    ]
