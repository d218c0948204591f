"""Names and numbers of a question that no text mentions."""

from __future__ import annotations

import pytest

from holdfast.domain.recall.unmentioned import MOST_NAMED, unmentioned
from tests.requirements import requirement

TEXTS = (
    "The maintainer for Windows bugs is David.",
    "The feature freeze for 8.4 begins on 1 December; PostgreSQL 16.2 stays.",
    "parse_header lives in http_tools.py and needs the JWT of the caller.",
)


@requirement("recall.unmentioned-named")
@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who is the maintainer for Linux bugs", ("Linux",)),
        ("when is the feature freeze for 9.0", ("9.0",)),
        ("when is the feature freeze for v8.45", ("v8.45",)),
        ("does MacPorts build it", ("MacPorts",)),
        ("which SAML token is needed", ("SAML",)),
        ("Does Ann or Bob or Cid or Dan or nobody at all decide that here?", ("Ann", "Bob", "Cid")),
        ("is the freeze of 2031-2032 known", ("2031-2032",)),
        ("which setting does Postgres 14 need", ("Postgres 14",)),
        ("which setting does Postgres or rather Postgres 14 need", ("Postgres 14",)),
        ("which setting does Mysql 16 need", ("Mysql 16",)),
        ("which setting does version 15 need", ("version 15",)),
        ("is Windows on Port 80 open", ("Port 80",)),
        ("is Windows 95 or Linux known", ("Windows 95", "Linux")),
        (f"who is the maintainer for {'Long' * 15}", ("Long" * 15,)),
        (f"who is the maintainer for {'Long-' * 15}Name", (f"{'Long-' * 15}Name",)),
        ("what about parseHeader", ()),
        ("what about parseFooter", ("parseFooter",)),
    ],
)
def test_a_name_that_no_text_has_is_named(question: str, names: tuple[str, ...]) -> None:
    assert unmentioned(question, TEXTS) == names
    assert len(names) <= MOST_NAMED


@requirement("recall.unmentioned-named")
@pytest.mark.parametrize(
    "question",
    [
        "who is the maintainer for Windows bugs",
        "who handles WINDOWS bugs",
        "is Postgres frozen",
        "is Postgresql frozen",
        "what did Davids say",
        "when is the freeze for 8.4",
        "which release is v16.2",
        "what is in the JWT",
        "how many of the 12 tests need 3 retries on the 2nd try",
        "which setting does Postgres 16 need",
        "which setting does version 16 need",
        "which setting does Postgres 9 need on port 8",
        "is Postgres, 14 times",
        "Windows 95",
        "how did 2nd 14 and Davids  14 go",
        "who is the maintainer for linux bugs",
        "Linux",
        "Which bugs? Linux ones?",
        "How Is The Freeze Of Linux And Debian Handled",
        "Wer ist für die Fehler in Linux zuständig, und was ist mit dem Betriebssystem?",
        "I'd like to know What I should do",
        "Linux " + "long " * 80,
        "",
    ],
)
def test_what_a_text_mentions_or_may_be_no_name_is_not_named(question: str) -> None:
    assert unmentioned(question, TEXTS) == ()
