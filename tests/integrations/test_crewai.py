"""Storage for CrewAI's memory: its own types and protocol, without the packages of its agents."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

import pytest

from tests.requirements import requirement
from torture.frameworks.installed import install, site_packages


@pytest.fixture
def storage(place: str, tenant: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Open a storage; the packages themselves are not run, because they start all of CrewAI."""
    for name in ("crewai", "crewai.memory", "crewai.memory.storage"):
        module = ModuleType(name)
        module.__path__ = [str(site_packages().joinpath(*name.split(".")))]
        monkeypatch.setitem(sys.modules, name, module)
    install("crewai.memory.storage.backend")
    from holdfast.integrations.crewai import HoldfastStorage

    opened = HoldfastStorage(place, tenant=tenant)
    yield opened
    opened.close()


def a_record(name: str, text: str, scope: str = "/", **given: Any) -> Any:
    from crewai.memory.types import MemoryRecord

    at = datetime(2026, 1, 1) + timedelta(days=int(name))  # noqa: DTZ001 - as CrewAI's
    return MemoryRecord(id=name, content=text, scope=scope, created_at=at, **given)


@requirement("frameworks.crewai")
def test_records_are_saved_found_and_removed(storage: Any) -> None:
    from crewai.memory.storage.backend import StorageBackend

    tea = a_record("1", "Ada drinks tea.", "/team/ada", embedding=[1.0, 0.0], categories=["food"])
    cup = a_record("2", "Bob has a cup.", "/team/bob", embedding=[0.6, 0.8], metadata={"n": 1})
    storage.save([tea, cup, a_record("3", "No vector.")])

    found = storage.search([1.0, 0.0])
    assert isinstance(storage, StorageBackend)
    assert [(one.id, round(score, 2)) for one, score in found] == [("1", 1.0), ("2", 0.6)]
    assert [one.id for one, _ in storage.search([1.0, 0.0], "/team/bob", min_score=0.5)] == ["2"]
    assert [one.id for one, _ in storage.search([1.0, 0.0], categories=["food"])] == ["1"]
    assert [one.id for one, _ in storage.search([1.0, 0.0], metadata_filter={"n": 1})] == ["2"]
    assert storage.get_record("1") == tea
    assert storage.get_record("9") is None
    assert [one.id for one in storage.list_records(limit=2)] == ["3", "2"]
    assert (storage.list_scopes(), storage.list_scopes("/team")) == (
        *(["/team"], ["/team/ada", "/team/bob"]),
    )
    info = storage.get_scope_info("/team")
    assert (info.record_count, info.categories, info.path) == (2, ["food"], "/team")
    assert storage.list_categories() == {"food": 1}
    assert storage.delete(older_than=tea.created_at + timedelta(hours=1)) == 1
    assert storage.delete(record_ids=["3", "9"]) == 1
    storage.update(cup.model_copy(update={"scope": "/other", "content": "Bob has two cups."}))
    assert [one.content for one in storage.list_records("/other")] == ["Bob has two cups."]
    assert storage.count() == 1
    storage.reset()
    assert storage.count("/other") == 0


@requirement("frameworks.crewai")
@requirement("frameworks.refuse-in-their-words")
def test_wrong_records_are_refused(storage: Any) -> None:
    from crewai.memory.storage.backend import EmbeddingDimensionMismatchError

    async def used() -> list[Any]:
        await storage.asave([a_record("1", "Ada drinks tea.", embedding=[1.0, 0.0])])
        found = await storage.asearch([1.0, 0.0], limit=1)
        return [len(found), await storage.adelete(record_ids=["none"]), bool(storage.space)]

    assert asyncio.run(used()) == [1, 0, True]
    with pytest.raises(EmbeddingDimensionMismatchError):
        storage.save([a_record("2", "Other.", embedding=[1.0])])
    with pytest.raises(ValueError, match="looks like a secret"):
        storage.save([a_record("3", "the password is hunter2-and-more")])
