"""Bundles by id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdfast.adapters.inmemory.state import InMemoryState
from holdfast.domain.errors import NoSuchError
from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import Bundle


@dataclass(frozen=True, slots=True)
class InMemoryBundles:
    """The answers that were given to questions."""

    state: InMemoryState

    def put(self, bundle: Bundle) -> None:
        """Write a bundle, or its rating."""
        self.state.moment()
        self.state.bundles[bundle.id] = bundle
        self.state.record("bundle.put", bundle.id, bundle)

    def get(self, bundle_id: BundleId) -> Bundle:
        """Return a bundle."""
        try:
            return self.state.bundles[bundle_id]
        except KeyError:
            raise NoSuchError(noun="bundle", reference=bundle_id) from None

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Bundle]:
        """Return bundles, newest id first, starting after ``beyond``."""
        ids = sorted(self.state.bundles, reverse=True)
        if beyond is not None:
            ids = [bundle_id for bundle_id in ids if bundle_id < beyond]
        return tuple(self.state.bundles[bundle_id] for bundle_id in ids[:limit])
