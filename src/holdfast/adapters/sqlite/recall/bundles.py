"""The answers that were given to questions."""

from __future__ import annotations

import json
from collections.abc import Sequence

from holdfast.adapters.sqlite.database.rows import Row, as_json, checked, millis, sealed
from holdfast.adapters.sqlite.database.work import Work
from holdfast.domain.errors import NoSuchError
from holdfast.domain.exchange.bundle_shape import bundle_from_json, bundle_json
from holdfast.domain.ids import BundleId
from holdfast.domain.recall.bundle import Bundle

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
        if row is None:
            raise NoSuchError(noun="bundle", reference=bundle_id)
        return self._bundle(row)

    def page(self, *, beyond: str | None, limit: int) -> Sequence[Bundle]:
        """Return bundles, newest id first, starting after ``beyond``."""
        rows = self.work.rows("bundles_before", {"beyond": beyond, "limit": limit})
        return tuple(self.work.sound(rows, self._bundle))

    def _bundle(self, row: Row) -> Bundle:
        checked(BUNDLE, row, path=self.work.path, name=str(row[0]))
        return bundle_from_json(json.loads(row[2]))
