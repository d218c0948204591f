"""Access tokens, a database server and its tenants as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from holdfast.domain.care.database import DatabaseStats, TenantRemoval, TenantSize
    from holdfast.domain.care.job import BulkJob
    from holdfast.domain.memory.place import SpaceId
    from holdfast.domain.service.tokens import AccessToken
    from holdfast.usecases.care.adding import AddedJob
    from holdfast.usecases.care.working import PartDone

    Json = dict[str, object]


def token_json(token: AccessToken, *, space: SpaceId, at: datetime) -> Json:
    """Return a token without its secret, which is not stored."""
    return {
        "id": token.id,
        "name": token.name,
        "kind": token.kind.value,
        "scopes": sorted(one.value for one in token.may),
        "space": space,
        "created_at": time_text(token.created_at),
        "expires_at": time_text(token.expires_at),
        "revoked_at": time_text(token.revoked_at),
        "valid": token.is_valid_at(at),
    }


def created_token_json(
    token: AccessToken, *, text: str | None, space: SpaceId, at: datetime
) -> Json:
    """Return a new token with its text; None if the text was written to a file."""
    return {**token_json(token, space=space, at=at), "token": text}


def tokens_json(found: Iterable[AccessToken], *, space: SpaceId, at: datetime) -> Json:
    """Return the tokens of a space."""
    return {"tokens": [token_json(one, space=space, at=at) for one in found]}


def database_json(stats: DatabaseStats) -> Json:
    """Return the size and the state of a database."""
    return {
        "location": stats.location,
        "database_bytes": stats.database_bytes,
        "connections": stats.connections,
        "most_connections": stats.most_connections,
        "oldest_transaction_seconds": stats.oldest_seconds,
        "tables": [
            {
                "name": one.name,
                "rows": one.rows,
                "dead_rows": one.dead_rows,
                "table_bytes": one.table_bytes,
                "index_bytes": one.index_bytes,
            }
            for one in stats.tables
        ],
        "indexes": [
            {
                "table": one.table,
                "name": one.name,
                "scans": one.scans,
                "index_bytes": one.index_bytes,
            }
            for one in stats.indexes
        ],
        "replicas": [
            {
                "name": one.name,
                "state": one.state,
                "synchronous": one.is_synchronous,
                "bytes_behind": one.bytes_behind,
            }
            for one in stats.replicas
        ],
        "tenants": [tenant_json(one) for one in stats.tenants],
    }


def tenant_json(tenant: TenantSize) -> Json:
    """Return one tenant."""
    return {
        "id": str(tenant.id),
        "name": tenant.name,
        "created_at": time_text(tenant.created_at),
        "spaces": list(tenant.spaces),
        "memories": tenant.memories,
    }


def tenants_json(tenants: Sequence[TenantSize]) -> Json:
    """Return several tenants."""
    return {"tenants": [tenant_json(one) for one in tenants]}


def tenant_created_json(tenant: TenantSize, *, is_new: bool) -> Json:
    """Return a tenant, and whether it is new."""
    return {"created": is_new, "tenant": tenant_json(tenant)}


def tenant_exported_json(tenant: TenantSize, files: Iterable[tuple[str, int]]) -> Json:
    """Return the files that an export of a tenant wrote."""
    return {
        "tenant": tenant_json(tenant),
        "files": [{"file": file, "lines": lines} for file, lines in files],
    }


def tenant_removed_json(tenant: TenantSize, removal: TenantRemoval | None) -> Json:
    """Return what the removal of a tenant deleted; without one, nothing was."""
    return {
        "tenant": tenant_json(tenant),
        "removed": removal is not None,
        "deleted": dict(removal.deleted) if removal is not None else {},
        "tables_checked": removal.checked if removal is not None else 0,
    }


def added_job_json(added: AddedJob) -> Json:
    """Return a job that was added, and the lines that were left out."""
    return {
        "id": added.job.id,
        "kind": added.job.kind.value,
        "parts": len(added.job.parts),
        "refused": list(added.refused),
    }


def jobs_json(jobs: Sequence[BulkJob]) -> Json:
    """Return the jobs of a space and how far they are."""
    return {
        "jobs": [
            {
                "id": one.id,
                "kind": one.kind.value,
                "state": one.state.value,
                "by": one.by,
                "created_at": time_text(one.created_at),
                "parts": one.parts,
                "done": one.done,
                "leased": one.leased,
                "failed": one.failed,
                "problem": one.problem,
            }
            for one in jobs
        ]
    }


def part_json(done: PartDone) -> Json:
    """Return a part that a worker did or gave back."""
    return {
        "job": done.part.job,
        "kind": done.part.kind.value,
        "part": done.part.number,
        "problem": done.problem,
    }


def cancelled_json(job: str) -> Json:
    """Return a job that was cancelled."""
    return {"cancelled": job}


def script_json(statements: Sequence[str]) -> Json:
    """Return the statements of a script."""
    return {"statements": list(statements)}
