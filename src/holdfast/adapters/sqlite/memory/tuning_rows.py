"""The ranking weights of a space as a row; imported only if a space has some."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from holdfast.adapters.sqlite.database.rows import as_json, checked, millis, moment_of, sealed
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.recall.learning import Tuning

if TYPE_CHECKING:
    from holdfast.adapters.sqlite.database.rows import Row, Value

WEIGHTS = "weights"


def tuning_values(tuning: Tuning) -> tuple[Value, ...]:
    """Return the row of a tuning, sealed."""
    values = (
        tuning.space,
        tuning.version,
        as_json(dict(tuning.weights)),
        tuning.learned_from,
        millis(tuning.at),
        tuning.note,
    )
    return sealed(WEIGHTS, values)


def tuning_of(row: Row, *, path: str) -> Tuning:
    """Return the tuning of a row, checked."""
    checked(WEIGHTS, row, path=path, name=f"{row[0]} {row[1]}")
    return Tuning(
        space=SpaceId(row[0]),
        version=row[1],
        weights=json.loads(row[2]),
        learned_from=row[3],
        at=moment_of(row[4]),
        note=row[5],
    )
