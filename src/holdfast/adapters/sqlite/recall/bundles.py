"""Bundles by id, sealed as rows of the store."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.files import exists
from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.bundle_reading import bundle_from_json
from holdfast.domain.exchange.bundle_shape import bundle_json
from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import Bundle

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.pending_bundles import PendingBundles


BUNDLE = "bundle"


class SqliteBundles:
    """Bundles by id."""

    def __init__(self, work: Work) -> None:
        self.work = work

    def put(self, bundle: Bundle) -> None:
        """Write a bundle, or its rating."""
        self.work.moment()
        body = as_json(bundle_json(bundle))
        values = sealed(BUNDLE, (bundle.id, millis(bundle.asked_at), body))
        self.work.run("put_bundle", *values)
        self.work.record("bundle.put", bundle.id, values[-1])

    def get(self, bundle_id: BundleId) -> Bundle:
        """Return a bundle."""
        row = self.work.row("get_bundle", bundle_id)
        if row is not None:
            return self._bundle(row)
        waiting = self._waiting()
        found = None if waiting is None else waiting.get(bundle_id)
        if found is None:
            raise NoSuchError(noun="bundle", reference=bundle_id)
        return found

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Bundle]:
        """Return bundles, newest id first, starting after ``beyond``."""
        rows = self.work.rows("bundles_before", {"beyond": beyond, "limit": limit})
        stored = self.work.sound(rows, self._bundle)
        waiting = self._waiting()
        if waiting is None:
            return tuple(stored)
        by_id = {bundle.id: bundle for bundle in waiting.older_than(beyond, limit=limit)}
        by_id |= {bundle.id: bundle for bundle in stored}
        return tuple(by_id[name] for name in sorted(by_id, reverse=True)[:limit])

    def set_aside(self, bundle: Bundle) -> bool:
        """Write a bundle beside the store."""
        from holdfast.adapters.sqlite.database.pending_bundles import PendingBundles

        # The file would hold the question in clear.
        is_encrypted = exists(f"{self.work.path}-cipher")
        return not is_encrypted and PendingBundles(self.work).put(bundle)

    def _waiting(self) -> PendingBundles | None:
        """Return the bundles that wait beside the store; None if there are none."""
        if not exists(f"{self.work.path}-pending"):
            return None
        from holdfast.adapters.sqlite.database.pending_bundles import PendingBundles

        return PendingBundles(self.work)

    def _bundle(self, row: Row) -> Bundle:
        checked(BUNDLE, row, path=self.work.path, name=str(row[0]))
        return bundle_from_json(json.loads(row[2]))
