"""What people decide, from Python."""

from __future__ import annotations

from pathlib import Path

from holdfast.surfaces.python.api import open_memory
from holdfast.usecases.review.approve import Approve
from holdfast.usecases.review.review import Review
from holdfast.usecases.review.undo import Undo


def test_a_person_reviews_approves_and_takes_it_back(tmp_path: Path) -> None:
    with open_memory(home=tmp_path / "home", folder=tmp_path) as memory:
        memory.remember("Ports leak.", because="x", origin="agent", source="bot")
        (item,) = memory.curation.review(Review()).items
        name = item.record.memory.id

        memory.curation.approve(Approve(references=(name,), by="ada", shown={name: item.shown}))
        known = [record.standing.status for record in memory.list()]
        memory.curation.undo(Undo(by="ada"))

        assert known == ["accepted"]
        assert memory.curation.review(Review()).total == 1
        assert memory.curation.conflicts() == []
