"""Advice about backups, from the settings and the replicas of a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.adapters.postgres.care.entering import administering
from holdfast.adapters.postgres.care.measuring import replicas_of
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.adapters.sqlite.derived.scanning import damage, fine, warning

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.adapters.postgres.database.address import Address
    from holdfast.domain.care.database import ReplicaState
    from holdfast.domain.review.curation import HealthFinding

_DUMP = "Until then, run 'pg_dump --format=custom' every night, and copy the file elsewhere."


def backup_advice(address: Address) -> list[HealthFinding]:
    """Return what the settings of a server mean for its backups, and what to do.

    Raises:
        NotMigratedError: The schema is missing or older.
    """
    with administering(address, needed=LATEST) as entered:
        settings = {str(name): str(value) for name, value in entered.rows("server_settings")}
        is_replica = bool(entered.rows("is_replica")[0][0])
        replicas = replicas_of(entered)
    findings = [_crashes(settings), _archive(settings), _checksums(settings)]
    if is_replica:
        findings.append(
            warning(
                "replica",
                "This server is a replica.",
                "A replica repeats every deletion at once, so it is no backup.",
            )
        )
    else:
        findings.append(_replicas(replicas, settings))
    findings.append(_restore())
    return findings


def _crashes(settings: Mapping[str, str]) -> HealthFinding:
    off = [name for name in ("fsync", "full_page_writes") if settings.get(name) == "off"]
    if off:
        return damage(
            "crashes",
            f"{' and '.join(off)} {'is' if len(off) == 1 else 'are'} off: a crash of the machine"
            " can destroy the database.",
            "Set to on in postgresql.conf, and restart the server.",
        )
    if settings.get("synchronous_commit") == "off":
        return warning(
            "crashes",
            "synchronous_commit is off for the server; Holdfast turns it on for its own changes.",
            "Other programs in this database can lose their last changes in a crash.",
        )
    return fine("crashes", "A change that was confirmed survives a crash of the server.")


def _archive(settings: Mapping[str, str]) -> HealthFinding:
    if settings.get("wal_level") == "minimal":
        return warning(
            "archive",
            "wal_level is minimal, so neither an archive nor a replica is possible.",
            f"Set wal_level to replica, and restart the server. {_DUMP}",
        )
    if settings.get("archive_mode") == "off":
        return warning(
            "archive",
            "archive_mode is off: a backup restores only the moment at which it was made.",
            "Set archive_mode and archive_command, or use pgBackRest, WAL-G or the backups of"
            f" your provider. {_DUMP}",
        )
    return fine(
        "archive",
        "The server archives its write-ahead log. With a base backup of every week, any moment"
        " since then can be restored.",
    )


def _checksums(settings: Mapping[str, str]) -> HealthFinding:
    if settings.get("data_checksums") == "off":
        return warning(
            "checksums",
            "Pages have no checksums, so the server does not notice a damaged disk.",
            "Stop the server and run 'pg_checksums --enable'. 'holdfast doctor' checks every row"
            " of a space.",
        )
    return fine("checksums", "Pages have checksums.")


def _replicas(replicas: Sequence[ReplicaState], settings: Mapping[str, str]) -> HealthFinding:
    if not replicas:
        return warning(
            "replicas",
            "No replica is connected: if this machine is lost, so is everything since the last"
            " backup.",
            "Add a replica with pg_basebackup, or accept this and test your backups.",
        )
    names = ", ".join(_shown(one) for one in replicas)
    if not any(one.is_synchronous for one in replicas):
        named = settings.get("synchronous_standby_names", "")
        return warning(
            "replicas",
            f"Replicas: {names}. None is synchronous, so a promotion can lose the last changes.",
            f"Set synchronous_standby_names (now '{named}') if no confirmed change may be lost.",
        )
    return fine("replicas", f"Replicas: {names}. A promoted one has every confirmed change.")


def _shown(replica: ReplicaState) -> str:
    behind = replica.bytes_behind
    lag = "distance not visible to this role" if behind is None else f"{behind:,} bytes behind"
    return f"{replica.name or 'unnamed'} ({lag})"


def _restore() -> HealthFinding:
    return fine(
        "restore",
        "A backup counts once it was restored: restore the newest one on another machine every"
        " month, and run 'holdfast db check' and 'holdfast doctor' there.",
    )
