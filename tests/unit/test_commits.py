"""Which commits name earlier ones, and what they say was wrong."""

from __future__ import annotations

from datetime import UTC, datetime

from holdfast.domain.code.commits import (
    Commit,
    CommitRecord,
    asked_of_history,
    complaint,
    names_earlier,
)

OLD = "a" * 40
OTHER = "a" * 6 + "b" * 34


def commit(message: str, name: str = "c" * 40) -> Commit:
    return Commit(id=name, message=message)


def test_a_commit_is_named_by_the_start_of_its_hash() -> None:
    assert names_earlier(commit(f"Mend what {OLD[:8]} broke"), [OLD, OTHER]) == (OLD,)
    assert names_earlier(commit(f"Mend what {OLD[:6]} broke"), [OLD]) == ()
    assert names_earlier(commit("Mend what aaaaaaabbbb broke"), [OLD]) == ()


def test_a_complaint_does_not_quote_what_it_is_about() -> None:
    message = (
        f'Revert "Cache every answer"\n\nThis reverts commit {OLD}.\n'
        f"Answers of one person were shown to another since {OLD[:9]}.\n"
        "Fixes: #12\nReviewed-by: Grace <grace@example.org>\n"
    )

    words = complaint(commit(message))

    assert words == "Answers of one person were shown to another since ."


def test_a_bare_revert_complains_of_nothing() -> None:
    assert complaint(commit(f'Revert "Cache"\n\nThis reverts commit {OLD}.')) == ""


def test_only_earlier_commits_are_asked_for() -> None:
    first = Commit(id=OLD, message=f"Cache answers, see {'d' * 40}")
    bare = Commit(id="e" * 40, message=f"This reverts commit {OLD}.")
    later = Commit(id="d" * 40, message=f"Stop caching private answers\n\nSince {OLD[:10]}.")

    asked = asked_of_history([first, bare, later])

    assert [(found.id, named) for found, _, named in asked] == [(later.id, (OLD,))]


def test_a_story_has_a_subject_and_a_body() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)

    long = CommitRecord(id=OLD, at=at, message="Retry thrice \n\nThe gateway drops calls.\n")
    short = CommitRecord(id=OLD, at=at, message="")

    assert (long.subject, long.body) == ("Retry thrice", "The gateway drops calls.")
    assert (short.subject, short.body) == ("", "")
