from __future__ import annotations

from holdfast.domain.choices import Kind, Status
from holdfast.domain.memory.entry import PageEntry
from holdfast.domain.pages.syncing import EntryOutcome, SyncStep
from tests.requirements import requirement


@requirement("files.trust-binds-to-what-was-shown")
def test_the_details_of_an_entry_are_those_that_are_set() -> None:
    entry = PageEntry(
        body="Tokens rotate.", kind=Kind.RULE, status=Status.DEPRECATED, key="rotation"
    )

    told = EntryOutcome(step=SyncStep.WAITING, entry=entry)

    assert told.details == {"status": "deprecated", "key": "rotation"}
    assert EntryOutcome(step=SyncStep.WAITING).details == {}
