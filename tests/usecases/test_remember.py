from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Kind, Origin, Scope, Status
from holdfast.domain.errors import (
    BadFieldError,
    BadLifetimeError,
    BlankClaimError,
    EvidenceUnreadableError,
    InvalidError,
    NoEvidenceError,
    NoRepositoryError,
    NoSuchError,
)
from holdfast.domain.ids import SpanId
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.memory import MOST_EVIDENCE
from holdfast.domain.memory.place import Place
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.refusals import EvidenceTooCommonError
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember, RememberOutcome
from tests.builders import HERE, NOON, FixedClock, PlainSurroundings
from tests.requirements import requirement
from tests.usecases.wishes import (
    a_wish,
    an_agents_wish,
    asked,
    bundle_about,
    given,
    now,
    proposed,
    said,
)

LOOKED_UP = {EvidenceType.ARTIFACT, EvidenceType.BUNDLE}
"""Evidence that must be stored here; each has tests of its own."""


@requirement("memory.never-changes")
def test_what_is_remembered_reads_back_as_it_was_said(holdfast: Holdfast) -> None:
    wish = a_wish(
        "Deploys are frozen on Fridays.",
        kind=Kind.RULE,
        scope=Scope.WORKSPACE,
        key="deploy-freeze",
        label="DEC-001",
        tags=("deploy", "friday", "deploy"),
        keep_for=timedelta(days=30),
        importance=0.9,
        weight=2.0,
        pinned=True,
        metadata={"team": {"name": "ops", "size": 3}, "ratio": 0.5, "ok": None},
        source="cli",
    )

    kept = now(holdfast, holdfast.memories.remember(wish))

    memory, standing = kept.memory, kept.standing
    assert (memory.claim, memory.kind, memory.scope) == (wish.claim, Kind.RULE, Scope.WORKSPACE)
    assert (memory.key, memory.tags, memory.source) == (
        "deploy-freeze",
        ("deploy", "friday"),
        "cli",
    )
    assert (memory.created_at, memory.expires_at) == (NOON, NOON + timedelta(days=30))
    assert (memory.repo, memory.branch) == (None, None)
    assert memory.metadata == wish.metadata
    assert (standing.status, standing.pinned, standing.label) == (Status.ACCEPTED, True, "DEC-001")


@requirement("scope.reaches-its-place")
@pytest.mark.parametrize(
    ("place", "scope"), [(HERE, Scope.REPO), (Place(workspace="work"), Scope.GLOBAL)]
)
def test_without_a_scope_it_belongs_to_the_repository_or_to_everywhere(
    holdfast: Holdfast, surroundings: PlainSurroundings, place: Place, scope: Scope
) -> None:
    surroundings.at = place

    memory = said(holdfast).memory

    assert (memory.scope, memory.repo) == (scope, place.repo)


@requirement("input.refused-with-advice")
def test_the_scope_of_a_repository_needs_one(
    holdfast: Holdfast, surroundings: PlainSurroundings, store: InMemoryStore
) -> None:
    surroundings.at = Place()

    with pytest.raises(NoRepositoryError, match="needs a git repository"):
        said(holdfast, scope=Scope.REPO)

    assert _count(store) == 0


@requirement("evidence.required")
def test_a_claim_without_evidence_is_refused_with_the_ways_to_give_some(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    with pytest.raises(NoEvidenceError, match="needs evidence"):
        said(holdfast, grounds=Grounds())

    assert _count(store) == 0


@requirement("evidence.every-type-kept")
@pytest.mark.parametrize("evidence_type", sorted(set(EvidenceType) - LOOKED_UP))
def test_evidence_of_every_type_is_kept_with_its_facts(
    holdfast: Holdfast, evidence_type: EvidenceType
) -> None:
    known = {EvidenceType.URL: "https://example.org", EvidenceType.TURN: "claude:ab12#3"}
    named = known.get(evidence_type, "ab12")
    reason = Evidence(type=evidence_type, reference=named, facts={"exit_code": "0"})

    kept = said(holdfast, grounds=Grounds(given=(reason,)))

    assert now(holdfast, kept).evidence == (reason,)


@requirement("evidence.bundle-cited")
def test_a_bundle_is_evidence_however_it_is_named(holdfast: Holdfast) -> None:
    parent = said(holdfast)
    bundle = bundle_about(holdfast)
    by_hand = Evidence(type=EvidenceType.BUNDLE, reference=bundle[:-2])

    first = said(holdfast, "Hourly is enough.", grounds=Grounds(from_bundle=bundle))
    second = said(holdfast, "Hourly is plenty.", grounds=Grounds(given=(by_hand,)))

    for kept in (first, second):
        assert kept.evidence == (Evidence(type=EvidenceType.BUNDLE, reference=bundle),)
        assert (
            holdfast.memories.explain(kept.memory.id).derived_from[0].record.memory == parent.memory
        )


@pytest.mark.parametrize(
    "grounds",
    [
        Grounds(from_bundle="c_20200101T0000Z_nothing"),
        Grounds(given=(Evidence(type=EvidenceType.BUNDLE, reference="c_none"),)),
        Grounds(derived_from=("m_none",), because="I say so."),
        Grounds(
            given=(Evidence(type=EvidenceType.SPAN, reference="a.py:1", span=SpanId("s_none")),)
        ),
    ],
)
@requirement("evidence.place-checked")
def test_evidence_that_names_what_is_not_in_the_store_is_refused(
    holdfast: Holdfast, store: InMemoryStore, grounds: Grounds
) -> None:
    with pytest.raises(NoSuchError):
        said(holdfast, grounds=grounds)

    assert _count(store) == 0


@requirement("evidence.place-checked")
@pytest.mark.parametrize("place", ["src/app.py:9", "src/app.py:2-9", "src/gone.py", "src/app.py:0"])
def test_evidence_naming_a_missing_file_or_impossible_lines_is_refused(
    holdfast: Holdfast, store: InMemoryStore, place: str
) -> None:
    with pytest.raises(InvalidError):
        said(holdfast, grounds=Grounds(places=(place,)))

    assert _count(store) == 0


def test_a_place_in_a_file_becomes_a_span_that_can_be_shown(holdfast: Holdfast) -> None:
    kept = said(holdfast, grounds=Grounds(places=("src/app.py:2-3", "src/app.py")))

    spans = holdfast.memories.explain(kept.memory.id).spans
    assert [span.reference for span in spans] == ["src/app.py:2-3", "src/app.py:1-3"]
    assert holdfast.memories.show(spans[0].id) == spans[0]


def test_the_same_lines_twice_are_one_reason_until_they_change(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    wish = a_wish(grounds=Grounds(places=("src/app.py:2",), because="I saw it."))
    first = holdfast.memories.remember(wish)
    again = holdfast.memories.remember(wish)
    surroundings.files["src/app.py"] = "one\nTWO\n"

    changed = holdfast.memories.remember(wish)

    assert again.record.evidence == first.record.evidence
    assert len(changed.record.evidence) == len(first.record.evidence) + 1
    assert len(holdfast.memories.explain(first.record.memory.id).spans) == 2


@requirement("claim.near-duplicate-adds-evidence")
def test_a_claim_we_know_in_other_words_adds_evidence(holdfast: Holdfast) -> None:
    first = said(holdfast, "Tokens rotate hourly.")

    again = holdfast.memories.remember(
        a_wish("tokens rotate  hourly", grounds=Grounds(because="Again."))
    )

    assert again.outcome is RememberOutcome.EVIDENCE_ADDED
    assert again.record.memory == first.memory
    assert [item.reference for item in again.record.evidence] == ["I decided it.", "Again."]


@requirement("claim.near-duplicate-adds-evidence")
def test_a_known_claim_is_found_among_many_that_share_its_words(holdfast: Holdfast) -> None:
    names = ["red", "green", "blue", "pink", "gold", "grey", "teal", "lime", "plum", "rose"]
    first = said(holdfast, "The worker of the queue in the cluster that serves all is black.")
    for name in names:
        said(holdfast, f"The worker of the queue in the cluster that serves all is {name}.")

    again = holdfast.memories.remember(
        a_wish("The worker of the queue in the cluster that serves all is black")
    )

    assert again.record.memory.id == first.memory.id


@requirement("claim.numbers-and-negations-differ")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Keep 7 backups of the store.", "Keep 8 backups of the store."),
        ("Do deploy on Fridays.", "Do not deploy on Fridays."),
        ("The port is 8080.", "The port is 8081."),
        ("The limit is -1.", "The limit is 1."),
        ("The limit is 1.5 GB.", "The limit is 15 GB."),
        ("Use src/a.py for it.", "Use src/b.py for it."),
    ],
)
def test_claims_that_differ_in_a_number_a_name_or_a_negation_stay_two(
    holdfast: Holdfast, one: str, other: str
) -> None:
    first, second = (
        holdfast.memories.remember(a_wish(one)),
        holdfast.memories.remember(a_wish(other)),
    )

    assert (first.outcome, second.outcome) == (RememberOutcome.ADDED, RememberOutcome.ADDED)


def test_the_same_words_of_another_kind_scope_or_repository_stay_two(
    holdfast: Holdfast, surroundings: PlainSurroundings, store: InMemoryStore
) -> None:
    said(holdfast)
    said(holdfast, kind=Kind.RULE)
    said(holdfast, scope=Scope.GLOBAL)
    surroundings.at = Place(repo="github.com/acme/other")

    said(holdfast)

    assert _count(store) == 4


def test_a_person_may_pin_and_label_what_is_known_by_saying_it_again(holdfast: Holdfast) -> None:
    said(holdfast, label="old")

    again = holdfast.memories.remember(a_wish(pinned=True, label="DEC-7"))

    assert (again.record.standing.pinned, again.record.standing.label) == (True, "DEC-7")


def test_an_agent_may_not_pin_or_label_what_a_person_said(holdfast: Holdfast) -> None:
    first = said(holdfast)

    proposed(holdfast, pinned=True, label="mine")

    with holdfast.store.reading() as tx:
        assert tx.memories.get(first.memory.id) == first


def test_only_a_person_pins(holdfast: Holdfast) -> None:
    assert not proposed(holdfast, pinned=True).standing.pinned


def test_a_tools_evidence_for_an_agents_candidate_is_signed(holdfast: Holdfast) -> None:
    first = proposed(holdfast)

    ran = Grounds(given=(Evidence(type=EvidenceType.COMMAND, reference="make test"),))
    again = holdfast.memories.remember(
        an_agents_wish(origin=Origin.TOOL, source="importer", grounds=ran)
    )

    assert again.outcome is RememberOutcome.EVIDENCE_ADDED
    assert again.record.memory == first.memory
    assert again.record.added_evidence[0].facts == {"by": "tool", "source": "importer"}


@requirement("recall.expired-never-returned")
def test_a_claim_said_again_after_it_expired_holds_again(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    old = said(holdfast, keep_for=timedelta(hours=1))
    clock.advance(hours=2)

    again = holdfast.memories.remember(a_wish())

    assert (again.outcome, again.replaced) == (RememberOutcome.SUPERSEDED, old)
    assert given(holdfast) == [again.record.memory.id]


def test_an_agent_that_says_an_expired_claim_again_makes_a_new_candidate(
    holdfast: Holdfast, clock: FixedClock
) -> None:
    said(holdfast, keep_for=timedelta(hours=1))
    proposed(holdfast, "Keys rotate daily.", keep_for=timedelta(hours=1))
    clock.advance(hours=2)

    once, twice = proposed(holdfast), proposed(holdfast, "Keys rotate daily.")

    assert {once.standing.status, twice.standing.status} == {Status.CANDIDATE}
    assert {once.memory.created_at, twice.memory.created_at} == {clock.now()}


@requirement("mcp.agents-only-propose")
@pytest.mark.parametrize("origin", sorted(set(Origin) - {Origin.HUMAN}))
def test_whoever_is_no_person_only_proposes(holdfast: Holdfast, origin: Origin) -> None:
    kept = proposed(holdfast, origin=origin)

    assert (kept.standing.status, kept.memory.trust) == (Status.CANDIDATE, origin)


def test_a_persons_own_word_is_not_merged_into_a_proposal(holdfast: Holdfast) -> None:
    candidate = proposed(holdfast)

    own = said(holdfast)
    again = holdfast.memories.remember(a_wish(grounds=Grounds(because="Once more.")))

    assert own.memory.id != candidate.memory.id
    assert own.standing.status is Status.ACCEPTED
    assert (again.outcome, again.record.memory.id) == (
        RememberOutcome.EVIDENCE_ADDED,
        own.memory.id,
    )


def test_a_bundle_without_words_is_kept_as_what_it_answered(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    bundle = bundle_about(holdfast, "tokens?")

    distilled = said(holdfast, "  ", grounds=Grounds(from_bundle=bundle))

    assert distilled.memory.claim == f"tokens?:\n- Tokens rotate hourly. [{kept.memory.id}]"


@requirement("recall.superseded-never-returned")
def test_what_no_longer_stands_is_not_distilled_from_an_old_bundle(holdfast: Holdfast) -> None:
    said(holdfast, "Tokens rotate hourly.", key="rotation")
    other = said(holdfast, "Tokens are signed.")
    bundle = bundle_about(holdfast)
    said(holdfast, "Tokens rotate daily.", key="rotation")

    distilled = said(holdfast, "", grounds=Grounds(from_bundle=bundle))

    assert distilled.memory.claim == f"tokens:\n- Tokens are signed. [{other.memory.id}]"


def test_a_bundle_that_answered_nothing_says_nothing_to_keep(holdfast: Holdfast) -> None:
    bundle = bundle_about(holdfast)

    with pytest.raises(EvidenceUnreadableError, match="nothing to keep"):
        said(holdfast, "", grounds=Grounds(from_bundle=bundle))


def test_a_blank_claim_is_refused(holdfast: Holdfast) -> None:
    with pytest.raises(BlankClaimError):
        said(holdfast, " \n ")


@requirement("store.all-or-nothing")
def test_many_claims_are_kept_together_or_not_at_all(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    with pytest.raises(NoSuchError):
        holdfast.memories.remember_all(
            [a_wish("One."), a_wish("Two.", grounds=Grounds(from_bundle="c_nothing"))]
        )
    assert _count(store) == 0

    kept = holdfast.memories.remember_all([a_wish("One."), a_wish("one"), a_wish("Two.")])

    outcomes = [one.outcome for one in kept]
    assert outcomes == [
        RememberOutcome.ADDED,
        RememberOutcome.KNOWN,
        RememberOutcome.ADDED,
    ]


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    "lifetime", [timedelta(0), timedelta(seconds=-1), timedelta.max, timedelta(days=40_000)]
)
def test_a_lifetime_nobody_could_live_is_refused(holdfast: Holdfast, lifetime: timedelta) -> None:
    with pytest.raises(BadLifetimeError, match="30d"):
        said(holdfast, keep_for=lifetime)


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(
    ("metadata", "words"),
    [
        ({"a": object()}, "not JSON"),
        ({"a": float("nan")}, "not JSON"),
        ({"a": [float("inf")]}, "not JSON"),
        ({1: "a"}, "not text"),
        ({"a": "x" * 20_000}, "16 KiB"),
    ],
)
def test_metadata_that_is_no_small_json_is_refused(
    holdfast: Holdfast, metadata: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadFieldError, match=words):
        said(holdfast, metadata=metadata)


@requirement("hook.no-dead-paths")
@pytest.mark.parametrize(
    ("when", "words"),
    [
        ({"when.path": "src/{a,b}.py"}, r"'src/\{a,b\}\.py' has braces"),
        ({"when": {"path": ["src/a.py", "src/[ab].py"]}}, "bracket"),
        ({"when.path": "src/*/"}, r"write src/\*/\*\*"),
        ({"when.path": "/etc/x"}, "beneath the repository"),
        ({"when.path": "../x"}, "beneath the repository"),
        ({"when.path": "!src/**"}, "beneath the repository"),
        ({"when.path": "a\\b"}, "beneath the repository"),
        ({"when.path": "a" * 201}, "beneath the repository"),
    ],
)
def test_a_path_that_can_never_match_is_refused(
    holdfast: Holdfast, when: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadFieldError, match=words) as refused:
        said(holdfast, metadata=when)

    assert refused.value.field == "when.path"


@requirement("hook.no-dead-paths")
@pytest.mark.parametrize(
    "when",
    [
        {"when.path": "./src/, docs/*.md, **/x?.py"},
        {"when.path": "app/?id?/page.tsx", "when.command": "make {a,b}"},
        {"when": "always"},
        {"whenever": "[x]"},
    ],
)
def test_a_path_that_can_match_is_kept(holdfast: Holdfast, when: dict[str, Any]) -> None:
    assert now(holdfast, said(holdfast, metadata=when)).memory.metadata == when


def test_metadata_without_a_bottom_is_refused(holdfast: Holdfast) -> None:
    nested: dict[str, Any] = {}
    nested["self"] = nested

    with pytest.raises(BadFieldError, match="nested"):
        said(holdfast, metadata=nested)


def test_metadata_does_not_change_when_its_giver_changes_theirs(holdfast: Holdfast) -> None:
    tags = ["one"]
    kept = said(holdfast, metadata={"tags": tags})

    tags.append("two")

    assert now(holdfast, kept).memory.metadata == {"tags": ["one"]}


def test_a_memory_given_in_an_answer_counts_how_often(holdfast: Holdfast) -> None:
    kept = said(holdfast)
    asked(holdfast)
    asked(holdfast)

    usage = now(holdfast, kept).usage

    assert (usage.access_count, usage.last_accessed) == (2, NOON)


def _count(store: InMemoryStore) -> int:
    with store.reading() as tx:
        return len(tx.memories.find(Selection(), Page(limit=1_000)))


@requirement("gate.size-capped")
def test_a_claim_said_very_often_keeps_as_many_reasons_as_anybody_reads(
    holdfast: Holdfast,
) -> None:
    for number in range(MOST_EVIDENCE + 3):
        outcome = holdfast.memories.remember(
            Remember(
                origin=Origin.HUMAN,
                claim="Tokens rotate hourly.",
                grounds=Grounds(because=f"reason {number}"),
            )
        )

    assert len(outcome.record.evidence) == MOST_EVIDENCE


@requirement("anchor.common-lines-refused")
def test_lines_that_stand_in_every_file_are_refused(
    holdfast: Holdfast, surroundings: PlainSurroundings
) -> None:
    surroundings.files["src/gaps.py"] = "\n\n}\n    return None\nvalue = 1\n"

    for place in ("src/gaps.py:1-2", "src/gaps.py:3", "src/gaps.py:1-4"):
        with pytest.raises(EvidenceTooCommonError, match="occur in most files"):
            holdfast.memories.remember(
                Remember(origin=Origin.HUMAN, claim="A gap.", grounds=Grounds(places=(place,)))
            )
    kept = holdfast.memories.remember(
        Remember(origin=Origin.HUMAN, claim="A value.", grounds=Grounds(places=("src/gaps.py",)))
    )

    assert kept.record.evidence[0].reference == "src/gaps.py:1-5"


@requirement("claim.refused-one-named")
def test_of_several_claims_the_refused_one_is_named(holdfast: Holdfast) -> None:
    lost = replace(a_wish("Two."), grounds=Grounds(places=("lost.py:3",)))

    with pytest.raises(BlankClaimError, match=r"^Claim 2 of 2: The claim is blank") as blank:
        holdfast.memories.remember_all([a_wish("One."), a_wish(" ")])
    with pytest.raises(EvidenceUnreadableError, match=r"^Claim 3 of 3: ") as unfounded:
        holdfast.memories.remember_all([a_wish("One."), a_wish("Three."), lost])
    with pytest.raises(BlankClaimError, match=r"^The claim is blank"):
        holdfast.memories.remember(a_wish(" "))

    assert (blank.value.facts["index"], unfounded.value.facts["index"]) == (1, 2)
