"""The names of code in a claim."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import EvidenceType
from holdfast.domain.memory.evidence import COMMITTED, SUBJECT, Evidence, brief_words
from holdfast.domain.roles.code_names import code_names
from tests.requirements import requirement


@requirement("roles.dated-claims")
@pytest.mark.parametrize(
    ("claim", "names"),
    [
        ("Always import from ._compat.", ("_compat",)),
        ("Always import from `flask._compat`.", ("_compat",)),
        ("Never call run() twice, nor tidy_up.", ("run", "tidy_up")),
        ("Use MyClass, MyClass and aB.", ("MyClass",)),
        ("Use `json` and `setup.cfg`, never print.", ()),
        ("See https://a_b.example/x_y and mail a_b@example.org.", ()),
        ("one_a one_b one_c one_d", ("one_a", "one_b", "one_c")),
        ("Wait ... for it.", ()),
    ],
)
def test_names_that_only_code_has(claim: str, names: tuple[str, ...]) -> None:
    assert code_names(claim) == names


@requirement("roles.dated-claims")
@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({}, "abc"),
        ({COMMITTED: ""}, "abc"),
        ({COMMITTED: "2013-05-14"}, "abc, 2013-05-14"),
        ({COMMITTED: "2013-05-14", SUBJECT: "Add\nit"}, 'abc, 2013-05-14 "Add it"'),
        ({COMMITTED: "2013-05-14", SUBJECT: "x" * 99}, f'abc, 2013-05-14 "{"x" * 71}…"'),
    ],
)
def test_a_commit_is_cited_with_its_day_and_subject(facts: dict[str, str], words: str) -> None:
    evidence = Evidence(type=EvidenceType.COMMIT, reference="abc", facts=facts)

    assert brief_words(evidence) == words
