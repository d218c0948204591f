"""Lists of the past: which memories held on a day or at a commit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.memory.anchor import BranchPoint, Revision, Sighting, Verdict
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.values import replace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.browse import Browse
from tests.builders import NOON, FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainVerifier
from tests.usecases.wishes import said

OLD, NEW, BASE = "a" * 40, "b" * 40, "c" * 40
DAY = f"{NOON:%Y-%m-%d}"


def listed(app: Holdfast, as_of: str, **changes: Any) -> list[str]:
    """Return the claims of a list as of a point, and check its total."""
    chosen = Selection(place=None if changes.pop("everywhere", False) else app.place())
    found = app.memories.browse(Browse(selection=chosen, as_of=as_of, **changes))
    assert found.total >= len(found.records)
    return [one.memory.claim for one in found.records]


@requirement("list.as-of")
def test_a_list_as_of_a_commit_has_what_held_there(
    seen: Holdfast, surroundings: PlainSurroundings, verifier: PlainVerifier, clock: FixedClock
) -> None:
    surroundings.stands = BranchPoint(branch="main", head=OLD)
    said(seen, "Tokens live in Redis.", key="tokens")
    said(seen, "Caches are warm.", grounds=Grounds(places=("src/app.py:1",)))
    clock.advance(days=2)
    surroundings.stands = BranchPoint(branch="main", head=NEW)
    said(seen, "Tokens live in Postgres.", key="tokens")
    said(seen, "Files say so.", grounds=Grounds(places=("src/app.py:2",)))
    verifier.arrived_at[BASE] = {OLD}
    verifier.revisions["v1"] = Revision(id=BASE, at=NOON + timedelta(days=1))
    verifier.seen_at[BASE] = {"src/app.py:1": Sighting(verdict=Verdict.ORPHANED)}

    then = ["Files say so.", "Caches are warm.", "Tokens live in Redis."]
    assert listed(seen, "v1") == listed(seen, "v1", everywhere=True) == then
    assert listed(seen, "v1", query="where do tokens live") == ["Tokens live in Redis."]
    assert listed(seen, "v1", page=Page(limit=1)) == then[:1]
    verifier.arrived_at[BASE] = {OLD, NEW}
    assert listed(seen, "v1", query="redis") == []


@requirement("list.as-of")
def test_without_a_repository_a_list_is_as_of_a_day(seen: Holdfast, clock: FixedClock) -> None:
    plain = replace(seen, verifier=None)
    said(plain, "Tokens live in Redis.", key="tokens")
    clock.advance(days=2)
    said(plain, "Tokens live in Postgres.", key="tokens")

    assert listed(plain, DAY) == ["Tokens live in Redis."]
    assert listed(plain, "2020-01-01") == []
    with pytest.raises(NoHistoryError):
        listed(plain, "v1")
