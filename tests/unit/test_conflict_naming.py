from __future__ import annotations

import pytest

from holdfast.heuristics.conflict.judging import judged
from holdfast.heuristics.conflict.naming import context_of, numbered_subject, opening
from tests.requirements import requirement


def is_suspected(newer: str, older: str) -> bool:
    found = {judged(*pair, None) is not None for pair in ((newer, older), (older, newer))}
    assert len(found) == 1, "the order of the claims decides"
    return found.pop()


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Node 4 has 32 GB.", "Node 3 has 16 GB."),
        ("Building 5 closes at 19:00.", "Building 4 closes at 18:00."),
        ("Phase 3 ends on Friday.", "Phase 2 ends on Tuesday."),
        ("Train 7 leaves at 8:15.", "Train 9 leaves at 9:45."),
        ("Node 4 has 16 GB.", "Node 3 has 16 GB."),
        ("Table 8 lists 35 codes.", "Table 7 lists 20 codes."),
        ("The pump 5 delivers 55 litres.", "The pump 2 delivers 40 litres."),
        ("Retry 503 after 60 seconds.", "Retry 429 after 10 seconds."),
        ("Return 410 after 5 attempts.", "Return 404 after 3 attempts."),
        ("Wait 60 seconds for a 503.", "Wait 10 seconds for a 429."),
        ("A 403 ends the session after 5 minutes.", "A 401 ends the session after 1 minute."),
        ("Build 1017 took 3 minutes.", "Build 1000 took 3 minutes."),
        (
            "Build 1017 of the nightly job took 3 minutes.",
            "Build 1000 of the nightly job took 3 minutes.",
        ),
        ("Ticket 4712 mentioned the printer.", "Ticket 4711 mentioned the printer."),
        ("Run 9 on the old cluster failed.", "Run 8 on the old cluster failed."),
    ],
)
def test_a_number_that_names_a_thing_leaves_the_other_number_to_each(
    newer: str, older: str
) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Server web2 has 16 GB of memory.", "Server web1 has 8 GB of memory."),
        ("The server web-2 has 16 GB.", "The server web-1 has 8 GB."),
        ("The host db2 listens on port 5433.", "The host db1 listens on port 5432."),
        ("web2 runs Debian 13.", "web1 runs Debian 12."),
        ("Region eu-west-2 has 2 zones.", "Region eu-west-1 has 3 zones."),
        ("p99 is 400 ms.", "p95 is 200 ms."),
        ("web2 takes 5 minutes.", "web1 takes 3 minutes."),
    ],
)
def test_a_number_that_is_written_with_its_noun_names_a_thing_too(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Backups of gate 2 run on Monday night.", "Backups of gate 1 run on Sunday night."),
        ("Backups of gate 2 run on Sunday night.", "Backups of gate 1 run on Sunday night."),
        ("Backups of db2 run on Monday.", "Backups of db1 run on Sunday."),
        ("Backups of gate 2 take 3 hours.", "Backups of gate 1 take 2 hours."),
        ("Tests on Python 3.12 run in parallel.", "Tests on Python 3.11 run in parallel."),
        ("The timeout of endpoint 2 is 10 seconds.", "The timeout of endpoint 1 is 5 seconds."),
        ("Builds for iOS 15 now run on Friday.", "Builds for iOS 14 now run on Monday."),
        (
            "The database backups of gate 2 run on Monday.",
            "The database backups of gate 1 run on Sunday.",
        ),
        ("The sync of the gate 2 is allowed.", "The sync of the gate 1 is allowed."),
    ],
)
def test_a_number_after_a_preposition_in_the_subject_names_a_thing(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Server web1 has 16 GB of memory.", "Server web1 has 8 GB of memory."),
        ("Backups of gate 1 run on Monday.", "Backups of gate 1 run on Sunday."),
        ("Deploys use python3.", "Deploys use python2."),
        ("Hash passwords with sha256.", "Hash passwords with sha1."),
        ("The primary is db2.", "The primary is db1."),
        ("python3 is required.", "python2 is required."),
        ("Pools of size 8 serve requests.", "Pools of size 4 serve requests."),
        ("Listens on port 9090 with 8 workers.", "Listens on port 8080 with 4 workers."),
        ("Listens on port 9090 using 8 workers.", "Listens on port 8080 using 4 workers."),
        ("Backups of the shop run at 4:00.", "Backups of the shop run at 3:00."),
    ],
)
def test_the_number_of_a_value_still_makes_a_conflict(newer: str, older: str) -> None:
    assert is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        (
            "In version 2.2 the timeout was 30 seconds.",
            "In version 2.1 the timeout was 10 seconds.",
        ),
        ("In version 2.2 the index was rebuilt.", "In version 2.1 the index was rebuilt."),
        ("Since build 140 the job takes 3 minutes.", "Since build 120 the job takes 5 minutes."),
        ("On the spare node 2 the disk is 1 TB.", "On the spare node 1 the disk is 500 GB."),
        ("With Ruby 3.3 the suite takes 7 minutes.", "With Ruby 3.2 the suite takes 9 minutes."),
    ],
)
def test_a_clause_that_opens_with_a_numbered_place_is_about_that_place(
    newer: str, older: str
) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.different-things-do-not-clash")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("The mobile app supports iOS 16.", "The mobile app supports iOS 14."),
        ("The scanner handles TLS 1.3.", "The scanner handles TLS 1.2."),
        ("The tests also run on Python 3.12.", "The tests run on Python 3.11."),
        ("The wiki covers the release 8.", "The wiki covers the release 7."),
        ("The importer reads version 3 files.", "The importer reads version 2 files."),
    ],
)
def test_what_can_take_one_numbered_thing_can_take_another(newer: str, older: str) -> None:
    assert not is_suspected(newer, older)


@requirement("conflict.decision-language")
@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Node 3 has 32 GB.", "Node 3 has 16 GB."),
        ("Retry 429 after 60 seconds.", "Retry 429 after 10 seconds."),
        ("Retry 5 times within 20 seconds.", "Retry 3 times within 10 seconds."),
        ("Python 3.12 is required.", "Python 3.11 is required."),
        ("Wait 60 seconds for a 429.", "Wait 10 seconds for a 429."),
        ("Unknown ids get a 404.", "Unknown ids get a 400."),
        (
            "In version 2.1 the timeout was 30 seconds.",
            "In version 2.1 the timeout was 10 seconds.",
        ),
        ("After 5 attempts the job fails.", "After 3 attempts the job fails."),
        ("For uploads retry 7 times.", "For uploads retry 5 times."),
        ("On May 9 the freeze starts.", "On May 3 the freeze starts."),
        ("The mobile app requires iOS 16.", "The mobile app requires iOS 14."),
        ("The SDK only supports Python 3.13.", "The SDK only supports Python 3.11."),
        ("The app supports iOS 16 or later.", "The app supports iOS 14 or later."),
        ("The app supports at least iOS 16.", "The app supports at least iOS 14."),
        ("The service supports 50 users.", "The service supports 10 users."),
        ("The gateway accepts 10 MB.", "The gateway accepts 5 MB."),
        (
            "The API listens on port 9090 with 8 workers.",
            "The API listens on port 8080 with 4 workers.",
        ),
    ],
)
def test_a_number_that_is_a_value_still_clashes(newer: str, older: str) -> None:
    assert is_suspected(newer, older)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in version 2.1 the timeout was short", "in version 2.1"),
        ("on the spare node 2 the disk is full", "on the spare node 2"),
        ("for python 3.12 add a job", "for python 3.12"),
        ("after 3 attempts the job fails", ""),
        ("within roughly 3 rounds", ""),
        ("at most 3 apply", ""),
        ("after about 3 the job ends", ""),
        ("for uploads retry 7 times", ""),
        ("in december 2026 we ship", ""),
        ("on tuesdays 3 come", ""),
        ("with timeout 30 seconds", ""),
        ("in the long and winding road 3", ""),
        ("in eu-1 3 nodes run", ""),
        ("on #node 3 the disk is full", ""),
        ("node 3 has a disk", ""),
        ("in", ""),
        ("", ""),
    ],
)
def test_a_place_with_a_number_opens_a_clause(text: str, expected: str) -> None:
    assert " ".join(context_of(text.split())) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("node 3 has a disk", "node 3"),
        ("the spare node 3 is full", "spare node 3"),
        ("retry 429 after a pause", "retry 429"),
        ("table 7 lists 20 codes", "table 7"),
        ("retry 3 times", ""),
        ("retry 3 s later", ""),
        ("the 3 nodes", ""),
        ("we run 3 nodes", ""),
        ("nodes", ""),
        ("", ""),
    ],
)
def test_a_clause_opens_with_a_numbered_thing(text: str, expected: str) -> None:
    assert " ".join(opening(text.split())) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("python 3.11 is supported", "python 3.11"),
        ("port 8080 also serves metrics", "port 8080"),
        ("node 3 has a disk", "node 3"),
        ("python 3.11 is required", ""),
        ("python 3.11", ""),
        ("build 7 of the nightly job took 3 minutes", "build 7"),
        ("node 4 in the rack is spare", ""),
        ("release 3 shipped by hand", ""),
    ],
)
def test_a_numbered_subject_has_or_does_something(text: str, expected: str) -> None:
    assert " ".join(numbered_subject(text.split())) == expected
