"""A joined store: what it passes on to the store behind it."""

from __future__ import annotations

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.domain.refusals import NotOfferedError
from holdfast.usecases.service.once import JoinedStore
from tests.builders import NOON


def nobody_watches(_done: int, _total: int) -> None:
    """Watch nothing."""


def test_checks_and_repairs_are_those_of_the_store() -> None:
    store = InMemoryStore()
    with store.writing(NOON) as tx:
        joined = JoinedStore(store, tx)

        assert joined.upkeep.check(nobody_watches) == store.upkeep.check(nobody_watches)
        with pytest.raises(NotOfferedError):
            joined.upkeep.repair(nobody_watches)
        assert joined.upkeep.rebuild(nobody_watches) == 0
        with pytest.raises(NotOfferedError):
            _ = joined.upkeep.copying
        with pytest.raises(NotOfferedError):
            _ = joined.jobs
        assert not joined.forgot
        joined.upkeep.scrub()
        assert joined.forgot
