from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Scope
from holdfast.domain.errors import AmbiguousError, BadFieldError, ForgottenError, NoSuchError
from holdfast.domain.ids import MemoryId, short
from holdfast.domain.memory.memory import MemoryRecord, Standing
from holdfast.domain.recall.bundle import Bundle
from holdfast.domain.service.ids import uuid_of
from holdfast.domain.values import replace
from holdfast.usecases.memory.forget import Forget
from tests.builders import PlainSurroundings, a_memory
from tests.requirements import requirement
from tests.usecases.wishes import bundle_about, now, proposed, said


@requirement("name.short-form-found")
def test_the_start_of_an_id_finds_what_it_names(holdfast: Holdfast) -> None:
    kept = said(holdfast)

    for length in (3, 10, len(kept.memory.id)):
        assert holdfast.memories.show(kept.memory.id[:length]) == now(holdfast, kept)


@requirement("name.short-form-found")
def test_an_id_is_found_as_people_paste_it(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    name, number = kept.memory.id, uuid_of(kept.memory.id)
    bundle = bundle_about(holdfast)
    same = [name.upper(), f"m_{name[2:].upper()}", f'"{name}"', f"`{name}`", f"<{name}>."]
    same += [short(name).upper(), number, number.upper(), f"{{{number}}}", f"urn:uuid:{number}"]
    same += [number.replace("-", ""), f" {number}\n"]

    for pasted in same:
        assert holdfast.memories.show(pasted) == now(holdfast, kept), pasted
    shown = holdfast.memories.show(f'"{bundle}"')
    assert holdfast.memories.pin(f"'{name.upper()}'").memory.id == name
    assert isinstance(shown, Bundle)
    for nothing in ("{}", "urn:uuid:", "<m_>", "0" * 32):
        with pytest.raises(NoSuchError):
            holdfast.memories.show(nothing)


@requirement("name.short-form-found")
def test_a_key_is_found_before_an_id_that_looks_like_it(holdfast: Holdfast) -> None:
    first = said(holdfast)
    other = said(holdfast, "Fact two.", key=first.memory.id.upper())

    assert holdfast.memories.show(first.memory.id.upper()) == now(holdfast, other)


@requirement("name.short-form-found")
def test_a_start_that_fits_several_is_refused_with_some_of_them(holdfast: Holdfast) -> None:
    ids = [said(holdfast, f"Fact {number}.").memory.id for number in range(9)]

    with pytest.raises(AmbiguousError, match="Several memory ids") as refusal:
        holdfast.memories.show(ids[0][:12])

    assert sum(name in str(refusal.value) for name in ids) == 5


@requirement("name.short-form-found")
def test_a_forgotten_memory_does_not_make_a_start_ambiguous(holdfast: Holdfast) -> None:
    one, other, third = (said(holdfast, f"Fact {number}.") for number in range(3))
    start = one.memory.id[:12]
    holdfast.memories.forget(Forget(reference=one.memory.id))

    with pytest.raises(AmbiguousError) as refusal:
        holdfast.memories.show(start)
    holdfast.memories.forget(Forget(reference=third.memory.id))

    assert one.memory.id not in str(refusal.value)
    assert holdfast.memories.show(start) == now(holdfast, other)
    with pytest.raises(ForgottenError):
        holdfast.memories.show(one.memory.id)
    holdfast.memories.forget(Forget(reference=start))
    with pytest.raises(NoSuchError):
        holdfast.memories.show(start)


@requirement("recall.short-ids")
def test_a_short_id_of_several_memories_says_that_they_end_with_it(holdfast: Holdfast) -> None:
    ids = [MemoryId(f"m_{number}zzzz00000000") for number in range(3)]
    with holdfast.store.writing(holdfast.now()) as tx:
        for name in ids:
            tx.memories.add(a_memory(id=name, claim=f"Fact {name}."), Standing())
    holdfast.memories.forget(Forget(reference=ids[0]))

    with pytest.raises(AmbiguousError, match="memory ids end with 00000000: ") as refusal:
        holdfast.memories.show("m_00000000")
    holdfast.memories.forget(Forget(reference=ids[1]))

    assert [name in str(refusal.value) for name in ids] == [False, True, True]
    found = holdfast.memories.show("m_00000000")
    assert isinstance(found, MemoryRecord)
    assert found.memory.id == ids[2]


@requirement("recall.short-ids")
def test_the_short_id_of_an_answer_names_its_memory(holdfast: Holdfast) -> None:
    one, other = said(holdfast, "One."), said(holdfast, "Two.")

    assert holdfast.memories.show(short(other.memory.id)) == now(holdfast, other)
    holdfast.memories.forget(Forget(reference=short(one.memory.id)))
    with pytest.raises(ForgottenError):
        holdfast.memories.show(short(one.memory.id))
    with pytest.raises(NoSuchError):
        holdfast.memories.show("m_zzzzzzzz")


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    "reference",
    ["", "m", "m_", "m_%", "m_zzz", "x_123", "m_ünïcode", "m_\n", "m_1\0", "m_" + "9" * 1_000_000],
)
def test_a_name_of_nothing_is_said_to_be_that_in_one_short_sentence(
    holdfast: Holdfast, reference: str
) -> None:
    said(holdfast)

    with pytest.raises(NoSuchError) as refusal:
        holdfast.memories.show(reference)

    assert len(str(refusal.value)) < 200


@requirement("input.refused-with-advice")
def test_an_id_of_another_noun_is_not_taken_for_it(holdfast: Holdfast) -> None:
    kept, bundle = said(holdfast), bundle_about(holdfast)
    session = holdfast.sessions.start(tool="cli", user="ada")

    with pytest.raises(NoSuchError, match="No memory"):
        holdfast.memories.explain(bundle)
    with pytest.raises(NoSuchError, match="No bundle"):
        holdfast.answers.replay(kept.memory.id)
    with pytest.raises(NoSuchError, match="No session"):
        holdfast.sessions.end(kept.memory.id)
    with pytest.raises(NoSuchError, match="No span"):
        holdfast.memories.pin_span(session.id)


@requirement("name.label-or-key-found")
def test_a_label_or_a_key_names_the_memory_that_bears_it(holdfast: Holdfast) -> None:
    labelled = said(holdfast, "One.", label="DEC-007")
    keyed = said(holdfast, "Two.", key="deploy-day")

    assert holdfast.memories.show("DEC-007") == now(holdfast, labelled)
    assert holdfast.memories.explain("deploy-day").record == now(holdfast, keyed)
    with pytest.raises(NoSuchError):
        holdfast.memories.show("DEC-008")


def two_of_different_repositories(holdfast: Holdfast) -> list[MemoryRecord]:
    """Return two memories with one label, which nobody in a third repository can tell apart."""
    here = holdfast.surroundings.place()
    return [
        said(
            replace(holdfast, surroundings=PlainSurroundings(at=replace(here, repo=repo))),
            "One.",
            label="DEC-007",
            scope=Scope.REPO,
        )
        for repo in ("repo_one", "repo_two")
    ]


@requirement("name.label-or-key-found")
def test_a_label_that_two_memories_bear_is_refused_with_both(holdfast: Holdfast) -> None:
    ids = [one.memory.id for one in two_of_different_repositories(holdfast)]

    with pytest.raises(AmbiguousError) as refusal:
        holdfast.memories.forget(Forget(reference="DEC-007"))

    assert all(name in str(refusal.value) for name in ids)
    assert "Several memories have the label DEC-007: " in str(refusal.value)


@requirement("name.accepted-first")
@pytest.mark.parametrize("theirs", ["label", "key"])
@pytest.mark.parametrize("ours", ["label", "key"])
def test_an_accepted_memory_is_found_by_its_name_whatever_candidates_are_called(
    holdfast: Holdfast, ours: str, theirs: str
) -> None:
    for number in range(7):
        named = {theirs: "deploy-day"} if theirs == "key" or not number else {}
        proposed(holdfast, f"Candidate {number}.", **named)
    kept = said(holdfast, "We deploy on Mondays.", **{ours: "deploy-day"})

    assert holdfast.memories.show("deploy-day") == now(holdfast, kept)
    assert holdfast.memories.explain("deploy-day").record == now(holdfast, kept)


@requirement("name.accepted-first")
def test_a_candidate_may_not_take_a_label_that_is_in_use(holdfast: Holdfast) -> None:
    kept = said(holdfast, "One.", label="DEC-007")

    with pytest.raises(BadFieldError, match=f"belongs to {kept.memory.id}"):
        proposed(holdfast, "Two.", label="DEC-007")

    assert proposed(holdfast, "Two.", label="DEC-008").standing.label == "DEC-008"


@requirement("name.one-label-one-memory")
def test_a_person_is_told_that_a_label_is_in_use(holdfast: Holdfast) -> None:
    kept = said(holdfast, "One.", label="DEC-007")
    other = said(holdfast, "Two.", label="DEC-008")

    with pytest.raises(BadFieldError, match=f"'DEC-007' belongs to {kept.memory.id}"):
        said(holdfast, "Three.", label="DEC-007")
    with pytest.raises(BadFieldError, match="belongs to"):
        said(holdfast, "Two.", label="DEC-007")
    with pytest.raises(BadFieldError, match="belongs to"):
        holdfast.memories.pin(other.memory.id, label="DEC-007")

    assert holdfast.memories.show("DEC-007") == now(holdfast, kept)


@requirement("name.one-label-one-memory")
def test_a_memory_keeps_its_label_when_it_is_given_again(holdfast: Holdfast) -> None:
    first = said(holdfast, "Tokens rotate hourly.", key="rotation", label="DEC-007")

    pinned = holdfast.memories.pin(first.memory.id, label="DEC-007")
    again = said(holdfast, "Tokens rotate hourly.", key="rotation", label="DEC-007")
    newer = said(holdfast, "Tokens rotate daily.", key="rotation", label="DEC-007")

    assert (pinned.standing.label, again.standing.label) == ("DEC-007", "DEC-007")
    assert holdfast.memories.show("DEC-007") == now(holdfast, newer)


@requirement("name.one-label-one-memory")
def test_a_proposal_keeps_no_label_from_a_person(holdfast: Holdfast) -> None:
    proposed(holdfast, "One.", label="DEC-007")

    kept = said(holdfast, "Two.", label="DEC-007")

    assert holdfast.memories.show("DEC-007") == now(holdfast, kept)


@requirement("name.accepted-first")
def test_a_label_of_another_repository_is_free(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    elsewhere = PlainSurroundings(at=replace(surroundings.at, repo="repo_other"))
    there = replace(holdfast, surroundings=elsewhere)
    said(there, "One.", label="DEC-007", scope=Scope.REPO)

    made = proposed(holdfast, "Two.", label="DEC-007", scope=Scope.REPO)

    assert made.standing.label == "DEC-007"
    with pytest.raises(BadFieldError, match="belongs to"):
        proposed(holdfast, "Three.", label="DEC-007", scope=Scope.GLOBAL)


@requirement("name.label-or-key-found")
def test_a_label_of_two_other_repositories_is_refused_with_both(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    ids = []
    for repo in ("repo_one", "repo_two"):
        elsewhere = PlainSurroundings(at=replace(surroundings.at, repo=repo))
        there = replace(holdfast, surroundings=elsewhere)
        ids.append(said(there, f"In {repo}.", label="DEC-007", scope=Scope.REPO).memory.id)

    with pytest.raises(AmbiguousError, match="Several memories have the label DEC-007") as refusal:
        holdfast.memories.show("DEC-007")

    assert all(name in str(refusal.value) for name in ids)
