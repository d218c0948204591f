"""The part of ``postgres`` with many tenants in one pool, by itself.

What a tenant sees does not depend on the disk, so the server does not wait for it.
"""

from __future__ import annotations

from tests.postgres_server import new_server
from torture import pg_tenants
from torture.report import Report
from torture.task import Task


def run(task: Task) -> Report:
    """Run the calls of all tenants on a server of their own."""
    database = new_server("-F")
    try:
        return pg_tenants.run(task, database)
    finally:
        database.stop()
