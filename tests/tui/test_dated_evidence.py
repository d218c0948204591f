"""The inbox of the terminal shows how old the commit of a candidate is."""

from __future__ import annotations

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.evidence import COMMITTED, SUBJECT, Evidence
from holdfast.surfaces.tui.inbox.page import evidence_lines
from tests.builders import a_memory, a_reason, a_record
from tests.requirements import requirement


@requirement("roles.dated-claims")
def test_a_commit_is_shown_with_its_day_and_subject() -> None:
    facts = {COMMITTED: "2013-05-14", SUBJECT: "Add it"}
    commit = Evidence(type=EvidenceType.COMMIT, reference="a" * 40, facts=facts)
    record = a_record(a_memory(evidence=(commit, a_reason())))

    dated, other = evidence_lines(record, ())

    assert dated.plain.endswith(f'{"a" * 12}, 2013-05-14 "Add it"')
    assert a_reason().reference in other.plain
