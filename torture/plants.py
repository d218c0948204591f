"""Bugs planted on purpose, in the harness and never in the product.

A harness that has never failed proves nothing. Each bug is switched on by its name in the
environment, so that it reaches every child; the tool must then fail.
"""

from __future__ import annotations

import os
from enum import StrEnum

SWITCH = "HOLDFAST_TORTURE_PLANT"


class Plant(StrEnum):
    """A bug that some tool must catch."""

    ACK_EARLY = "ack-early"
    TWO_TRANSACTIONS = "two-transactions"
    UNHASHED_EDIT = "unhashed-edit"
    NO_SYNC = "no-sync"
    HEAD_FIRST = "head-first"
    SWALLOWED_FULL = "swallowed-full"
    BLIND_CHECK = "blind-check"
    IMPATIENT = "impatient"
    WATERMARK_FIRST = "watermark-first"
    ALWAYS_FRESH = "always-fresh"
    EVERY_BRANCH = "every-branch"
    FIRST_OF_EQUALS = "first-of-equals"
    BLIND_RENAME = "blind-rename"
    WRITTEN_IN_PLACE = "written-in-place"
    UNCHECKED_SUMS = "unchecked-sums"
    LATE_HEAD = "late-head"
    SHARED_MEMORY = "shared-memory"
    PATIENT_READER = "patient-reader"
    DROPPED_ANSWER = "dropped-answer"
    DROPPED_LATE = "dropped-late"
    GENERATED_STAYS = "generated-stays"
    TRUSTED_STAT = "trusted-stat"
    FILTERS_RUN = "filters-run"
    EVIDENCE_AT_ONCE = "evidence-at-once"
    CLAIMS_ONE = "claims-one"
    TENANT_STAYS = "tenant-stays"
    NO_LEASE = "no-lease"
    NEW_KEY = "new-key"
    RESTORED_IN_PLACE = "restored-in-place"
    ROWS_FIRST = "rows-first"
    LINKS_IGNORED = "links-ignored"
    TASKS_FIRST = "tasks-first"


def planted(plant: Plant) -> bool:
    """Return whether this bug is switched on."""
    return os.environ.get(SWITCH) == plant
