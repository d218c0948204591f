from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import SecretRefusedError, TooLargeError, UnstorableTextError
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.recall.question import Question
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.remember import Remember
from holdfast.usecases.screening import SecretPolicy
from tests.builders import PlainSurroundings, a_turn
from tests.requirements import requirement
from tests.usecases.wishes import (
    SECRET,
    a_wish,
    an_agents_wish,
    approve,
    now,
    proposed,
    reject,
    said,
)

COMMAND, URL = EvidenceType.COMMAND, EvidenceType.URL


def because(evidence: Evidence) -> Grounds:
    return Grounds(given=(evidence,))


WISHES: dict[str, Remember] = {
    "claim": a_wish(f"The token is {SECRET}."),
    "key": a_wish(key=SECRET),
    "label": a_wish(label=SECRET),
    "tag": a_wish(tags=("ops", SECRET)),
    "source": a_wish(source=SECRET),
    "statement": a_wish(grounds=Grounds(because=f"He said {SECRET}.")),
    "url": a_wish(grounds=because(Evidence(type=URL, reference=f"https://x.test/?token={SECRET}"))),
    "command": a_wish(grounds=because(Evidence(type=COMMAND, reference=f"login {SECRET}"))),
    "fact": a_wish(
        grounds=because(Evidence(type=COMMAND, reference="login", facts={"out": SECRET}))
    ),
    "name of a fact": a_wish(
        grounds=because(Evidence(type=COMMAND, reference="login", facts={SECRET: "0"}))
    ),
    "metadata": a_wish(metadata={"note": SECRET}),
    "name in metadata": a_wish(metadata={SECRET: 1}),
    "deep metadata": a_wish(metadata={"a": [{"b": (1, SECRET)}]}),
    "path": a_wish(grounds=Grounds(places=(f"{SECRET}.txt",))),
    "agent's claim": an_agents_wish(f"The token is {SECRET}."),
}


@requirement("gate.secret-refused")
@pytest.mark.parametrize("field", WISHES)
def test_a_secret_in_any_field_of_a_wish_is_refused_and_never_reaches_the_store(
    holdfast: Holdfast, store: InMemoryStore, surroundings: PlainSurroundings, field: str
) -> None:
    surroundings.files[f"{SECRET}.txt"] = "nothing"

    with pytest.raises(SecretRefusedError, match="Nothing was written") as refusal:
        holdfast.memories.remember(WISHES[field])

    assert SECRET not in str(refusal.value)
    assert "m_" not in repr(store)


@requirement("gate.secret-refused")
@pytest.mark.parametrize(
    "facts", [{"password": "hunter2x9"}, {"api_key": "Zx81kLq0Pw93nB2v"}], ids=["password", "key"]
)
def test_a_value_is_a_secret_when_its_name_says_so(
    holdfast: Holdfast, store: InMemoryStore, facts: dict[str, str]
) -> None:
    (secret,) = facts.values()
    cited = because(Evidence(type=COMMAND, reference="env", facts=facts))

    for wish in (a_wish(metadata={"env": [facts]}), a_wish(grounds=cited)):
        with pytest.raises(SecretRefusedError):
            holdfast.memories.remember(wish)

    redacted = said(holdfast, metadata={"env": facts}, grounds=cited, secrets=SecretPolicy.REDACT)
    assert secret not in repr(store)
    assert "secret removed" in str(redacted.memory.metadata)


@requirement("gate.secret-refused")
def test_a_redacted_wish_keeps_the_rest(holdfast: Holdfast, store: InMemoryStore) -> None:
    wish = a_wish(
        f"The token is {SECRET} today.",
        grounds=Grounds(because=f"He wrote {SECRET}."),
        metadata={"note": SECRET, "team": "ops"},
        secrets=SecretPolicy.REDACT,
    )

    kept = holdfast.memories.remember(wish)

    assert kept.record.memory.claim == "The token is [secret removed: github] today."
    assert kept.screened.redacted == ("github",)
    assert kept.record.memory.metadata["team"] == "ops"
    assert SECRET not in repr(store)


@pytest.mark.parametrize("field", ["key", "label", "tag", "source", "name in metadata"])
def test_a_secret_in_a_name_is_refused_even_where_secrets_are_redacted(
    holdfast: Holdfast, field: str
) -> None:
    wish = WISHES[field]

    with pytest.raises(SecretRefusedError):
        holdfast.memories.remember(_with(wish, SecretPolicy.REDACT))


@pytest.mark.parametrize("field", sorted(set(WISHES) - {"agent's claim"}))
def test_what_a_person_allows_is_kept_in_every_field(
    holdfast: Holdfast, store: InMemoryStore, surroundings: PlainSurroundings, field: str
) -> None:
    surroundings.files[f"{SECRET}.txt"] = "nothing"

    holdfast.memories.remember(_with(WISHES[field], SecretPolicy.ALLOW))

    assert SECRET in repr(store)


Act = Callable[[Holdfast, str], object]
REFUSING: dict[str, Act] = {
    "label of a pin": lambda app, one: app.memories.pin(one, label=SECRET),
    "reason of a rejection": lambda app, one: reject(app, one, by="ada", reason=SECRET),
    "who rejects": lambda app, one: reject(app, one, by=SECRET),
    "who approves": lambda app, one: approve(app, one, by=SECRET),
    "reason to forget": lambda app, one: app.memories.forget(Forget(reference=one, reason=SECRET)),
    "who forgets": lambda app, one: app.memories.forget(Forget(reference=one, by=SECRET)),
    "tool of a session": lambda app, _: app.sessions.start(tool=SECRET, user="ada"),
    "user of a session": lambda app, _: app.sessions.start(tool="cli", user=SECRET),
}


@requirement("gate.secret-refused")
@pytest.mark.parametrize("field", REFUSING)
def test_a_secret_in_a_decision_is_refused_and_changes_nothing(
    holdfast: Holdfast, store: InMemoryStore, field: str
) -> None:
    candidate = proposed(holdfast)
    before = repr(store)

    with pytest.raises(SecretRefusedError):
        REFUSING[field](holdfast, candidate.memory.id)

    assert repr(store) == before


def test_a_secret_as_the_label_of_a_span_is_refused(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    kept = said(holdfast, grounds=Grounds(places=("src/app.py:1",)))
    (span,) = holdfast.memories.explain(kept.memory.id).spans

    with pytest.raises(SecretRefusedError):
        holdfast.memories.pin_span(span.id, label=SECRET)

    assert SECRET not in repr(store)


@requirement("gate.secret-refused")
def test_a_secret_in_a_question_or_a_turn_is_redacted(
    holdfast: Holdfast, store: InMemoryStore
) -> None:
    session = holdfast.sessions.start(tool="cli", user="ada")

    recalled = holdfast.answers.recall(Question(text=f"what is {SECRET}?", tags=(SECRET,)))
    turn = holdfast.sessions.add_turn(
        session.id, a_turn(query=f"try {SECRET}", notes=f"was {SECRET}")
    )

    assert "secret removed" in recalled.bundle.question.text
    said = "a secret in the question was neither searched for nor stored: github"
    assert recalled.bundle.notes[-1] == said
    assert "nor stored: github" in recalled.markdown()
    assert "secret removed" in turn.query
    assert "secret removed" in turn.notes
    assert SECRET not in repr(store)


@requirement("gate.hidden-characters-refused")
def test_hidden_characters_are_taken_out_and_shown(holdfast: Holdfast) -> None:
    kept = holdfast.memories.remember(
        a_wish("Tokens\u200b rotate\u202e hourly.", key="ro\u200btation")
    )

    assert (kept.record.memory.claim, kept.record.memory.key) == (
        "Tokens rotate hourly.",
        "rotation",
    )
    assert [removed.code_point for removed in kept.screened.removed] == [0x200B, 0x202E]


@requirement("gate.hidden-characters-refused")
def test_a_secret_broken_up_by_hidden_characters_is_still_a_secret(holdfast: Holdfast) -> None:
    with pytest.raises(SecretRefusedError):
        said(holdfast, f"The token is {SECRET[:9]}\u200b{SECRET[9:]}.")


@requirement("gate.hidden-characters-refused")
@pytest.mark.parametrize("odd", ["a\0b", "a\ud800b"], ids=["nul", "surrogate"])
@pytest.mark.parametrize("field", ["claim", "key", "label", "source"])
def test_what_is_not_text_is_refused(
    holdfast: Holdfast, store: InMemoryStore, field: str, odd: str
) -> None:
    fields = {"claim": "It is so."} | {field: odd}

    with pytest.raises(UnstorableTextError):
        said(holdfast, **fields)
    with pytest.raises(UnstorableTextError):
        said(holdfast, metadata={"a": odd})
    with pytest.raises(UnstorableTextError):
        holdfast.answers.recall(Question(text=odd))

    assert "m_" not in repr(store)


@requirement("gate.size-capped")
def test_ten_megabytes_of_text_are_refused_with_what_to_do_instead(holdfast: Holdfast) -> None:
    with pytest.raises(TooLargeError, match="Shorten it"):
        said(holdfast, "word " * 2_000_000)


def test_screening_twice_changes_nothing_more(holdfast: Holdfast) -> None:
    wish = a_wish(f"Token {SECRET}\u200b.", metadata={"password": SECRET})
    once = holdfast.memories.remember(_with(wish, SecretPolicy.REDACT)).record

    twice = said(holdfast, once.memory.claim, metadata=once.memory.metadata)

    assert twice.memory == now(holdfast, once).memory


def _with(wish: Remember, policy: SecretPolicy) -> Remember:
    return replace(wish, secrets=policy)
