"""The order of the tables by their foreign keys, and the script that distributes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from typing import TYPE_CHECKING

from holdfast.adapters.postgres.care.entering import administering
from holdfast.adapters.postgres.database.connecting import LATEST

if TYPE_CHECKING:
    from holdfast.adapters.postgres.care.entering import Entered
    from holdfast.adapters.postgres.database.address import Address

_FIRST = "memory_stores"
_HEADER = (
    "-- Distributes the tables of Holdfast over the nodes of a Citus cluster, by tenant.",
    "-- Run it once, on the coordinator, as the owner of the tables, before many rows exist.",
    "-- Every key carries tenant_id, so the rows of a tenant stay together on one node.",
    "-- Holdfast is not tested on Citus: try this on a copy, and run the isolation probes there.",
    "-- Row security reads app.current_tenant_id and app.current_store_id on every node, so the",
    "-- workers must receive the settings of a transaction: citus.propagate_set_commands.",
    "BEGIN;",
)


def tables_in_order(entered: Entered) -> Mapping[str, bool]:
    """Return the tables, each after those it refers to, and whether its rows have a tenant."""
    rows = entered.rows("tables_and_references")
    has_tenant = {str(name): bool(tenant) for name, tenant, _ in rows}
    order = TopologicalSorter({str(name): sorted(references) for name, _, references in rows})
    return {name: has_tenant[name] for name in order.static_order()}


def citus_script(address: Address) -> Sequence[str]:
    """Return the statements that distribute the tables of a database by tenant.

    Raises:
        NotMigratedError: The schema is missing or older.
    """
    with administering(address, needed=LATEST) as entered:
        tables = tables_in_order(entered)
    shared = [f"SELECT create_reference_table('holdfast.{one}');" for one in _without(tables)]
    others = [name for name, has_tenant in tables.items() if has_tenant and name != _FIRST]
    divided = [
        _distributed(_FIRST, "none"),
        *(_distributed(name, f"holdfast.{_FIRST}") for name in others),
    ]
    return (*_HEADER, *shared, *divided, "COMMIT;")


def _distributed(table: str, beside: str) -> str:
    return (
        f"SELECT create_distributed_table('holdfast.{table}', 'tenant_id',"
        f" colocate_with => '{beside}');"
    )


def _without(tables: Mapping[str, bool]) -> list[str]:
    return [name for name, has_tenant in tables.items() if not has_tenant]
