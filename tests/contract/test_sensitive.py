"""Sensitive records on every store: never in clear, read with their key, rotated, and forgotten."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from holdfast.adapters.encryption.key_ring import KeyRingFile
from holdfast.adapters.inmemory.store import InMemoryStore
from holdfast.app import Holdfast
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.choices import EvidenceType, Kind, LinkKind, Origin, Scope, Status
from holdfast.domain.encryption.ciphertext import Ciphertext, KeyId
from holdfast.domain.encryption.errors import (
    CiphertextDamagedError,
    KeyInUseError,
    KeyMissingError,
    KeyNeededError,
    NoCipherError,
    NoCiphertextError,
    NoKeyError,
    NoStoreCipherError,
    NoSuchKeyError,
    SensitiveError,
)
from holdfast.domain.encryption.keys import KeyPlace, KeySource
from holdfast.domain.encryption.placeholder import WHY_NOT, is_sensitive, placeholder
from holdfast.domain.errors import AmbiguousError, BadFieldError
from holdfast.domain.memory.anchor import Sighting, Verdict
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.memory.evidence import Evidence
from holdfast.domain.memory.link import Link
from holdfast.domain.memory.memory import MemoryRecord
from holdfast.domain.recall.question import Question
from holdfast.domain.refusals import NotOfferedError
from holdfast.domain.values import replace
from holdfast.heuristics.english import ENGLISH
from holdfast.ports.encryption.ciphering import Cipher
from holdfast.ports.store.store import Store
from holdfast.usecases.agents.cycling import FinishCycle, ProposeAction
from holdfast.usecases.agents.noting import AgentNote
from holdfast.usecases.agents.opening import OpenAgent
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.anchors.verify import Verification, Verify
from holdfast.usecases.encryption.keeping import refuse_unencryptable
from holdfast.usecases.encryption.keys import remove_key
from holdfast.usecases.memory.browse import Browse
from holdfast.usecases.memory.forget import Forget
from holdfast.usecases.memory.protecting import Protect
from holdfast.usecases.memory.remember import RememberOutcome
from holdfast.usecases.review.curating import survey
from holdfast.usecases.review.rewording import Edit
from holdfast.usecases.review.tidying import Consolidate, consolidate, deprecate
from holdfast.usecases.review.undo import Undo
from tests.builders import ADA, FixedClock, PlainSurroundings, WordCounter
from tests.requirements import requirement
from tests.usecases.plain_verifier import PlainVerifier
from tests.usecases.wishes import a_wish, an_agents_wish, asked, now, said

WORD = "Zwiebelkuchen"
CLAIM = f"The vault opens with {WORD}."


@pytest.fixture(autouse=True)
def _keys_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))
    monkeypatch.delenv("HOLDFAST_ENCRYPTION_KEY", raising=False)


@pytest.fixture
def memory(store: Store, tmp_path: Path) -> Holdfast:
    return Holdfast(
        principal=ADA,
        store=store,
        clock=FixedClock(),
        counter=WordCounter(),
        surroundings=PlainSurroundings(files={"src/app.py": f"one\n{WORD}\nthree\n"}),
        heuristics=ENGLISH,
        keys=KeyRingFile(tmp_path / "home"),
    )


@pytest.fixture
def key(memory: Holdfast) -> KeyId:
    return memory.encryption.create()[0].id


@pytest.fixture
def secret(memory: Holdfast, key: KeyId) -> MemoryRecord:
    del key
    return said(memory, CLAIM, sensitive=True, key="vault", tags=("ops",))


def _exported(memory: Holdfast) -> str:
    return "\n".join(memory.exchange.export())


def _ciphertext(memory: Holdfast, record: MemoryRecord) -> Ciphertext:
    with memory.store.reading() as tx:
        found = tx.names.ciphertexts.get(record.memory.id)
    assert found is not None
    return found


def _put(memory: Holdfast, ciphertext: Ciphertext) -> None:
    with memory.store.writing(memory.now()) as tx:
        tx.names.ciphertexts.put(ciphertext)


def test_nothing_sensitive_is_written_without_a_key(memory: Holdfast) -> None:
    with pytest.raises(NoKeyError):
        said(memory, CLAIM, sensitive=True)
    with pytest.raises(NoKeyError):
        said(replace(memory, keys=None), CLAIM, sensitive=True)
    with pytest.raises(NoKeyError):
        replace(memory, keys=None).encryption.known_keys()

    assert memory.memories.browse(Browse()).total == 0


@requirement("encryption.canary")
def test_everybody_sees_a_placeholder_and_no_text(memory: Holdfast, secret: MemoryRecord) -> None:
    listed = memory.memories.browse(Browse()).records

    assert [one.memory for one in listed] == [secret.memory]
    assert secret.memory.claim == placeholder(Kind.FACT, secret.memory.id)
    assert is_sensitive(secret.memory)
    assert WORD not in repr(listed)
    assert WORD not in _exported(memory)


@requirement("encryption.people-read")
def test_a_person_with_the_key_reads_it(memory: Holdfast, secret: MemoryRecord) -> None:
    agent = replace(memory, principal=Principal.of(PrincipalKind.AGENT, name="bot"))
    plain = said(memory, "Nothing to hide.")

    read = memory.encryption.reveal(secret).memory

    assert read.claim == CLAIM
    assert [one.reference for one in read.evidence] == ["I decided it."]
    assert (read.id, read.key, read.tags) == (secret.memory.id, "vault", ("ops",))
    assert memory.encryption.reveal(plain) == plain
    with pytest.raises(MayNotError):
        agent.encryption.reveal(secret)


def test_evidence_and_metadata_are_encrypted_too(memory: Holdfast, key: KeyId) -> None:
    del key
    wish = a_wish(
        "A line of the vault.",
        grounds=Grounds(places=("src/app.py:2",), because=f"It says {WORD}."),
        metadata={"seen": WORD},
        sensitive=True,
    )

    kept = memory.memories.remember(wish).record

    read = memory.encryption.reveal(kept).memory
    assert {one.reference for one in read.evidence} == {"src/app.py:2", f"It says {WORD}."}
    assert read.metadata == {"seen": WORD}
    assert WORD not in _exported(memory)
    with memory.store.reading() as tx:
        assert tx.anchors.spans.page(beyond=None, limit=9) == ()


def test_what_others_must_read_cannot_be_part_of_it(memory: Holdfast, key: KeyId) -> None:
    del key

    with pytest.raises(BadFieldError, match="check"):
        said(memory, CLAIM, sensitive=True, checks=("must not match `print` in src/**",))


@requirement("encryption.recall")
def test_no_answer_contains_it_but_its_key_and_tags_find_it(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    said(memory, "The ops team is on call.", pinned=True)
    memory.memories.pin(secret.memory.id)

    answer = asked(memory, "ops vault")
    elsewhere = asked(memory, WORD)

    assert secret.memory.id not in [item.memory_id for item in answer.bundle.items]
    left = {one.memory_id: one.why for one in answer.bundle.left_out}
    assert left[secret.memory.id] == WHY_NOT
    assert any("1 sensitive memory matches" in note for note in answer.bundle.notes)
    assert placeholder(Kind.FACT, secret.memory.id) not in answer.markdown()
    assert secret.memory.id not in [item.memory_id for item in elsewhere.bundle.items]
    assert WORD not in elsewhere.markdown().replace(elsewhere.bundle.question.text, "")


def test_a_note_names_a_few_of_many(memory: Holdfast, key: KeyId) -> None:
    del key
    for number in range(7):
        said(memory, f"Vault {number} is {WORD}.", sensitive=True, tags=("vault",))

    answer = asked(memory, "vault")

    assert any("7 sensitive memories match" in note for note in answer.bundle.notes)
    assert any("and 2 more" in note for note in answer.bundle.notes)


@requirement("encryption.equal-claims")
def test_an_equal_claim_is_known_and_another_one_replaces_it(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    again = memory.memories.remember(a_wish(CLAIM, sensitive=True, key="vault"))
    other = memory.memories.remember(a_wish("It is closed.", sensitive=True, key="vault"))

    assert (again.outcome, again.record.memory.id) == (RememberOutcome.KNOWN, secret.memory.id)
    assert other.outcome is RememberOutcome.SUPERSEDED
    assert other.replaced is not None
    with memory.store.reading() as tx:
        old = tx.memories.get(secret.memory.id).standing
        digests = {one.digest for one in tx.names.ciphertexts.page(beyond=None, limit=9)}
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, other.record.memory.id)
    assert secret.memory.content_hash not in digests
    assert (other.record.memory.tags, other.inherited) == (("ops",), ("tags",))


@requirement("key.inherits")
def test_a_sensitive_claim_takes_over_label_and_pin(memory: Holdfast, key: KeyId) -> None:
    del key
    said(memory, "It is open.", key="door", label="D-1", pinned=True)

    new = memory.memories.remember(a_wish("It is closed.", sensitive=True, key="door"))

    standing = new.record.standing
    assert (standing.label, standing.pinned, new.inherited) == ("D-1", True, ("label", "pinned"))
    shown = memory.memories.show("D-1")
    assert isinstance(shown, MemoryRecord)
    assert shown.memory.id == new.record.memory.id


def test_without_a_key_of_its_own_a_claim_is_compared_by_kind(memory: Holdfast, key: KeyId) -> None:
    del key
    first = memory.memories.remember(a_wish(CLAIM, sensitive=True))
    same = memory.memories.remember(a_wish(CLAIM.rstrip("."), sensitive=True))
    rule = memory.memories.remember(a_wish(CLAIM, sensitive=True, kind=Kind.RULE))

    assert same.record.memory.id == first.record.memory.id
    assert rule.outcome is RememberOutcome.ADDED


def test_a_proposal_waits_and_a_persons_claim_is_not_merged_into_it(
    memory: Holdfast, key: KeyId
) -> None:
    del key
    proposal = memory.memories.remember(an_agents_wish(CLAIM, sensitive=True, key="vault"))
    person = memory.memories.remember(a_wish(CLAIM, sensitive=True, key="vault"))
    later = memory.memories.remember(an_agents_wish("Other.", sensitive=True, key="vault"))

    assert proposal.record.standing.status is Status.CANDIDATE
    assert person.outcome is RememberOutcome.ADDED
    assert later.outcome is RememberOutcome.ADDED
    assert later.record.standing.status is Status.CANDIDATE


def test_a_claim_in_clear_does_not_replace_it(memory: Holdfast, secret: MemoryRecord) -> None:
    with pytest.raises(SensitiveError, match=secret.memory.id):
        said(memory, "The vault is open.", key="vault")
    for dry_run in (True, False):
        wish = Edit(reference=secret.memory.id, claim="Open.", by="ada", dry_run=dry_run)
        with pytest.raises(SensitiveError):
            memory.review.edit(wish)


def test_a_sensitive_memory_is_deprecated_but_not_merged(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    plain = said(memory, "The vault is in Bern.")
    both = (secret.memory.id, plain.memory.id)
    ports: dict[str, Any] = {
        "store": memory.store,
        "clock": memory.clock,
        "heuristics": memory.heuristics,
    }

    with pytest.raises(SensitiveError, match=secret.memory.id):
        consolidate(Consolidate(references=both, by="ada"), **ports)
    done = deprecate([secret.memory.id], by="ada", reason="moved", **ports)

    assert [one.standing.status for one in done.records] == [Status.DEPRECATED]
    memory.review.undo(Undo(by="ada"))
    assert memory.encryption.reveal(now(memory, secret)).memory.claim == CLAIM


@requirement("key.superseding-can-be-undone")
def test_a_sensitive_claim_that_superseded_another_one_is_undone(
    memory: Holdfast, key: KeyId
) -> None:
    del key
    older = said(memory, CLAIM, key="vault", sensitive=True)
    newer = said(memory, "It has another code.", key="vault", sensitive=True, by="ada")

    memory.review.undo(Undo(by="ada"))

    assert now(memory, older).standing.status is Status.ACCEPTED
    assert now(memory, newer).standing.status is Status.DEPRECATED
    assert memory.encryption.reveal(now(memory, older)).memory.claim == CLAIM


def test_sensitive_and_plain_claims_are_kept_together(memory: Holdfast, key: KeyId) -> None:
    del key
    parent = said(memory, "The vault exists.")
    hidden = a_wish(
        CLAIM,
        sensitive=True,
        grounds=Grounds(because="So.", derived_from=(parent.memory.id,)),
    )

    kept = memory.memories.remember_all([a_wish("Plain one."), hidden])

    assert [is_sensitive(one.record.memory) for one in kept] == [False, True]
    with memory.store.reading() as tx:
        links = tx.links.touching(parent.memory.id)
    assert [link.kind for link in links] == [LinkKind.DERIVED_FROM]


@requirement("encryption.forget-without-key")
def test_it_is_forgotten_without_the_key(memory: Holdfast, secret: MemoryRecord) -> None:
    bare = replace(memory, keys=None)

    bare.memories.forget(Forget(reference=secret.memory.id))

    with memory.store.reading() as tx:
        assert tx.names.ciphertexts.get(secret.memory.id) is None


@requirement("encryption.wrong-key")
def test_a_missing_key_is_one_error_and_the_rest_works(
    memory: Holdfast, secret: MemoryRecord, key: KeyId, tmp_path: Path
) -> None:
    (tmp_path / "keys" / f"{key}.key").unlink()

    with pytest.raises(KeyMissingError, match=key):
        memory.encryption.reveal(secret)
    with pytest.raises(KeyMissingError, match=key):
        said(memory, "Another.", sensitive=True)
    with pytest.raises(KeyMissingError, match=key):
        memory.encryption.rotate(memory.encryption.create()[0].id)

    assert said(memory, "In clear.").standing.status is Status.ACCEPTED
    assert WORD not in asked(memory, "vault").markdown()


def test_a_key_of_another_machine_is_named(memory: Holdfast, secret: MemoryRecord) -> None:
    away = replace(memory, keys=KeyRingFile(Path("/nonexistent")))

    states = away.encryption.known_keys()

    assert [(one.key, one.records) for one in states] == [(None, 1)]
    assert states[0].problem
    with pytest.raises(KeyMissingError):
        away.encryption.reveal(secret)
    assert list(away.encryption.check().unreadable) == [secret.memory.id]


@requirement("encryption.one-flipped-bit")
def test_one_flipped_bit_is_named_and_others_are_read(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    other = said(memory, "Untouched.", sensitive=True)
    ciphertext = _ciphertext(memory, secret)
    body = bytearray(base64.b64decode(ciphertext.body))
    body[20] ^= 1
    _put(memory, replace(ciphertext, body=base64.b64encode(bytes(body)).decode()))

    with pytest.raises(CiphertextDamagedError, match=secret.memory.id):
        memory.encryption.reveal(secret)

    found = memory.encryption.check()
    assert (list(found.unreadable), found.read) == ([secret.memory.id], 1)
    assert memory.encryption.reveal(other).memory.claim == "Untouched."


@requirement("encryption.bound-to-record")
def test_swapped_ciphertexts_are_refused(memory: Holdfast, secret: MemoryRecord) -> None:
    other = said(memory, "Another text.", sensitive=True)
    mine, theirs = _ciphertext(memory, secret), _ciphertext(memory, other)
    _put(memory, replace(mine, body=theirs.body, digest=theirs.digest))
    _put(memory, replace(theirs, body=mine.body, digest=mine.digest))

    for record in (secret, other):
        with pytest.raises(CiphertextDamagedError, match=record.memory.id):
            memory.encryption.reveal(record)


@pytest.mark.parametrize("body", ["", "AAAA", "%%%", base64.b64encode(bytes(11)).decode()])
def test_a_cut_ciphertext_is_refused(memory: Holdfast, secret: MemoryRecord, body: str) -> None:
    _put(memory, replace(_ciphertext(memory, secret), body=body))

    with pytest.raises(CiphertextDamagedError):
        memory.encryption.reveal(secret)


def test_a_record_without_its_ciphertext_says_so(
    memory: Holdfast, secret: MemoryRecord, tmp_path: Path
) -> None:
    lines = [one for one in memory.exchange.export() if '"type": "ciphertext"' not in one]
    alone = replace(memory, store=InMemoryStore(), keys=KeyRingFile(tmp_path / "home"))
    alone.exchange.bring_in(lines)

    with pytest.raises(NoCiphertextError, match=secret.memory.id):
        alone.encryption.reveal(secret)


@requirement("encryption.export")
def test_an_export_is_imported_without_a_key_and_read_with_it(
    memory: Holdfast, secret: MemoryRecord, key: KeyId, tmp_path: Path
) -> None:
    lines = list(memory.exchange.export())
    there = replace(memory, store=InMemoryStore(), keys=None)

    first = there.exchange.bring_in(lines)
    second = there.exchange.bring_in(lines)

    assert (first.refused, second.added) == ((), 0)
    assert [json.loads(one)["data"]["key_id"] for one in lines if '"ciphertext"' in one] == [key]
    with_key = replace(there, keys=KeyRingFile(tmp_path / "home"))
    assert with_key.encryption.reveal(secret).memory.claim == CLAIM


@pytest.mark.parametrize(
    "changes",
    [
        {"record": "m_none"},
        {"record": "x"},
        {"record": f"m_{'1' * 80}"},
        {"digest": "short"},
        {"body": "not base64!"},
        {"body": ""},
        {"key_id": "k_1"},
        {"body": 3},
    ],
)
def test_a_bad_line_of_an_export_is_refused(
    memory: Holdfast, secret: MemoryRecord, changes: dict[str, object]
) -> None:
    line = next(one for one in memory.exchange.export() if '"type": "ciphertext"' in one)
    shape = json.loads(line)
    shape["data"] |= changes

    done = memory.exchange.bring_in([json.dumps(shape)])

    assert len(done.refused) == 1
    assert memory.encryption.reveal(secret).memory.claim == CLAIM


def test_a_forgotten_record_stays_forgotten_in_an_import(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    lines = list(memory.exchange.export())
    memory.memories.forget(Forget(reference=secret.memory.id))

    done = memory.exchange.bring_in(lines)

    assert done.buried >= 2
    with memory.store.reading() as tx:
        assert tx.names.ciphertexts.page(beyond=None, limit=9) == ()


@requirement("encryption.rotation")
def test_a_rotation_makes_the_old_key_unnecessary(
    memory: Holdfast, secret: MemoryRecord, key: KeyId
) -> None:
    records = [said(memory, f"Vault {n}.", sensitive=True) for n in range(5)]

    done = memory.encryption.rotate()
    removed = memory.encryption.remove(key)
    again = memory.memories.remember(a_wish(CLAIM, sensitive=True, key="vault"))

    assert (done.is_new, done.records, done.damaged) == (True, 6, ())
    assert removed.id == key
    assert memory.encryption.check().unreadable == {}
    assert memory.encryption.reveal(records[3]).memory.claim == "Vault 3."
    assert again.record.memory.id == secret.memory.id
    assert [one.key and one.key.is_current for one in memory.encryption.known_keys()] == [True]


@requirement("encryption.rotation")
def test_a_stopped_rotation_goes_on(
    memory: Holdfast, secret: MemoryRecord, key: KeyId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.usecases.encryption.rotating._STEP", 2)
    records = [secret, *(said(memory, f"Vault {n}.", sensitive=True) for n in range(6))]

    def stop(done: int, _total: int) -> None:
        if done >= 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        memory.encryption.rotate(progress=stop)
    between = [memory.encryption.reveal(one).memory.claim for one in records]
    states = {one.id: one.records for one in memory.encryption.known_keys()}
    with pytest.raises(KeyNeededError):
        memory.encryption.remove(key)
    done = memory.encryption.rotate()

    assert between[0] == CLAIM
    assert set(states.values()) == {3, 4}
    assert (done.is_new, done.records) == (False, 3)
    assert memory.encryption.remove(key).id == key
    assert [memory.encryption.reveal(one).memory.claim for one in records] == between


def test_a_rotation_leaves_a_damaged_record_to_its_key(
    memory: Holdfast, secret: MemoryRecord, key: KeyId
) -> None:
    said(memory, "Sound.", sensitive=True)
    _put(memory, replace(_ciphertext(memory, secret), body="AAAA"))

    done = memory.encryption.rotate()

    assert (done.records, done.damaged) == (1, (secret.memory.id,))
    with pytest.raises(KeyNeededError, match="1 record is"):
        memory.encryption.remove(key)


def test_a_rotation_to_a_given_key_uses_it(memory: Holdfast, secret: MemoryRecord) -> None:
    made, _ = memory.encryption.create()

    done = memory.encryption.rotate(made.id[:8])

    assert (done.key.id, done.is_new, done.records) == (made.id, False, 1)
    assert _ciphertext(memory, secret).key_id == made.id


def test_a_key_in_a_variable_is_replaced_by_one_that_is_given(
    memory: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = KeySource(place=KeyPlace.ENVIRONMENT, name="VAULT_KEY")
    _, text = memory.encryption.create(named)
    monkeypatch.setenv("VAULT_KEY", text)
    record = said(memory, CLAIM, sensitive=True)

    with pytest.raises(BadFieldError, match="variable"):
        memory.encryption.rotate()

    assert memory.encryption.reveal(record).memory.claim == CLAIM


def test_a_rotation_with_nothing_to_do_makes_the_first_key(memory: Holdfast) -> None:
    done = memory.encryption.rotate()

    assert (done.is_new, done.records) == (True, 0)
    assert memory.encryption.check().keys[0].id == done.key.id


@requirement("encryption.remove-refuses")
def test_a_key_that_is_needed_or_in_use_is_not_removed(
    memory: Holdfast, secret: MemoryRecord, key: KeyId
) -> None:
    spare, _ = memory.encryption.create()

    with pytest.raises(KeyNeededError, match=key):
        memory.encryption.remove(key)
    memory.encryption.use(spare.id)
    with pytest.raises(KeyInUseError):
        memory.encryption.remove(spare.id)
    with pytest.raises(NoSuchKeyError):
        memory.encryption.remove("k_none")
    with pytest.raises(NoSuchKeyError):
        memory.encryption.use("")
    with pytest.raises(AmbiguousError, match="encryption key ids start with k_"):
        memory.encryption.use("k_")

    memory.memories.forget(Forget(reference=secret.memory.id))
    assert memory.encryption.remove(key).id == key
    assert memory.encryption.remove(spare.id).id == spare.id
    assert memory.encryption.known_keys() == ()


@requirement("store.work-may-be-repeated")
def test_a_removal_of_a_key_may_run_twice(memory: Holdfast, key: KeyId) -> None:
    spare, _ = memory.encryption.create()
    memory.encryption.use(spare.id)
    assert memory.keys is not None
    old = next(one for one in memory.keys.known() if one.id == key)

    for _ in range(2):
        gone = remove_key(old, store=memory.store, clock=memory.clock, keys=memory.keys)
        assert gone.id == key

    assert [one.id for one in memory.encryption.known_keys()] == [spare.id]


def test_nobody_writes_with_a_key_that_was_removed_meanwhile(
    memory: Holdfast, key: KeyId, tmp_path: Path
) -> None:
    class Removed(KeyRingFile):
        """Lets somebody remove the key between its reading and the write."""

        def cipher(self) -> Cipher:
            cipher = super().cipher()
            cipher.encrypt("", "")
            (tmp_path / "keys" / f"{key}.key").unlink()
            return cipher

    late = replace(memory, keys=Removed(tmp_path / "home"))

    with pytest.raises(KeyMissingError, match=key):
        said(late, CLAIM, sensitive=True)

    assert memory.memories.browse(Browse()).total == 0


@requirement("encryption.protect")
def test_a_memory_made_sensitive_later_leaves_no_plain_copy(memory: Holdfast, key: KeyId) -> None:
    del key
    other = said(memory, "Ada owns the vault.")
    plain = said(memory, CLAIM, key="vault", label="DEC-1", pinned=True)
    memory.memories.link(Link(src=plain.memory.id, dst=other.memory.id, kind="about"))
    memory.memories.link(Link(src=other.memory.id, dst=plain.memory.id, kind="names"))
    memory.memories.link(Link(src=plain.memory.id, dst=other.memory.id, kind=LinkKind.CONTRADICTS))
    asked(memory, "vault")
    rehearsed = memory.encryption.protect(Protect(reference=plain.memory.id, dry_run=True))

    done = memory.encryption.protect(Protect(reference="DEC-1", by="ada"))

    assert rehearsed.record is None
    assert done.record is not None
    assert done.forgotten.record.memory.id == plain.memory.id
    assert memory.encryption.reveal(done.record).memory.claim == CLAIM
    standing = done.record.standing
    assert (standing.status, standing.pinned, standing.label) == (Status.ACCEPTED, True, "DEC-1")
    assert done.record.memory.key == "vault"
    with memory.store.reading() as tx:
        links = {(one.src, one.dst, one.kind) for one in tx.links.touching(done.record.memory.id)}
        assert tx.names.tombstone(plain.memory.id) is not None
    own = done.record.memory.id
    assert links == {(own, other.memory.id, "about"), (other.memory.id, own, "names")}
    assert WORD not in _exported(memory)


def test_what_is_sensitive_is_not_made_sensitive_again(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    with pytest.raises(SensitiveError, match="already"):
        memory.encryption.protect(Protect(reference=secret.memory.id))


def _opened(memory: Holdfast, **changes: object) -> OpenAgent:
    wish = OpenAgent(name="bot", directives=f"Guard {WORD}.", sensitive=True)
    return replace(wish, **changes)  # type: ignore[arg-type] # of a test


@requirement("encryption.agents")
def test_an_agents_texts_are_encrypted_and_read_by_its_process(
    memory: Holdfast, key: KeyId
) -> None:
    del key
    opening = memory.agents.open(_opened(memory))
    cycle = memory.agents.begin_cycle(opening)
    action = ProposeAction(tool="open", args={"door": WORD}, reasoning=WORD, plan=(WORD,))
    proposed = memory.agents.propose(opening, cycle.index, action)
    unfinished = memory.agents.begin_cycle(opening, unfinished=True)
    outcome = FinishCycle(summary=WORD, output={"is": WORD}, artifacts=(f"{WORD}.md",))
    finished = memory.agents.finish(opening, cycle.index, outcome)
    second = memory.agents.begin_cycle(opening)
    memory.agents.propose(opening, second.index, ProposeAction(tool="shut"))
    memory.agents.finish(opening, second.index, FinishCycle(summary="no", error={"e": WORD}))

    assert opening.agent.directives == f"Guard {WORD}."
    assert proposed.proposal is not None
    assert proposed.proposal.args == {"door": WORD}
    assert unfinished == proposed
    assert finished.result is not None
    assert (finished.result.summary, finished.proposal) == (WORD, proposed.proposal)
    assert WORD not in _exported(memory)
    assert WORD not in "\n".join(memory.agents.export("bot"))
    assert WORD not in repr(memory.agents.list())
    assert WORD not in memory.agents.recall("bot", Question(text="door")).markdown()


@requirement("encryption.agents")
def test_people_and_the_process_read_what_a_sensitive_agent_did(
    memory: Holdfast, key: KeyId, tmp_path: Path
) -> None:
    opening = memory.agents.open(_opened(memory))
    cycle = memory.agents.begin_cycle(opening)
    memory.agents.propose(opening, cycle.index, ProposeAction(tool="open", reasoning=WORD))
    memory.agents.finish(opening, cycle.index, FinishCycle(summary=WORD))
    memory.agents.begin_cycle(opening)

    state, cycles = memory.agents.show("bot"), memory.agents.cycles("bot")
    resumed, own = memory.agents.resume("bot"), memory.agents.resume_open(opening)
    may = memory.principal.may - {"reveal"}
    outside = replace(memory, principal=replace(memory.principal, may=may))

    assert state.agent.directives == f"Guard {WORD}."
    assert cycles[1].cycle.result is not None
    assert cycles[1].cycle.result.summary == WORD
    assert resumed == own
    assert resumed.agent.directives == f"Guard {WORD}."
    assert resumed.last == cycles[1].cycle
    assert WORD not in repr((outside.agents.show("bot"), outside.agents.resume("bot")))
    assert WORD not in repr(outside.agents.cycles("bot"))
    (tmp_path / "keys" / f"{key}.key").unlink()
    with pytest.raises(KeyMissingError):
        memory.agents.show("bot")
    assert memory.agents.list()[0].agent.name == "bot"


def test_a_sensitive_agent_stays_sensitive(memory: Holdfast, key: KeyId) -> None:
    del key
    first = memory.agents.open(_opened(memory))
    memory.agents.close(first)

    again = memory.agents.open(OpenAgent(name="bot", config={"model": "m"}))
    memory.agents.close(again)
    same = memory.agents.open(OpenAgent(name="bot", config=again.agent.config))
    memory.agents.close(same)
    changed = memory.agents.open(OpenAgent(name="bot", directives=f"New {WORD}."))

    assert again.agent.directives == f"Guard {WORD}."
    assert again.agent.config["model"] == "m"
    assert same.agent == again.agent
    assert changed.agent.directives == f"New {WORD}."
    assert WORD not in _exported(memory)


def test_an_agent_in_clear_is_not_made_sensitive(memory: Holdfast, key: KeyId) -> None:
    del key
    memory.agents.close(memory.agents.open(OpenAgent(name="bot", directives="Tidy.")))

    with pytest.raises(BadFieldError, match="another name"):
        memory.agents.open(_opened(memory))


def test_an_agents_notes_may_be_sensitive(memory: Holdfast, key: KeyId) -> None:
    del key
    opening = memory.agents.open(OpenAgent(name="bot"))
    cycle = memory.agents.begin_cycle(opening)

    note = memory.agents.remember(
        opening, AgentNote(claim=CLAIM, cycle=cycle.index, sensitive=True)
    )
    beside = memory.agents.remember(opening, AgentNote(claim="Beside.", sensitive=True))
    claim = memory.agents.remember(
        opening, AgentNote(claim=CLAIM, namespace="long-term", sensitive=True)
    )

    assert note.standing.status is Status.NOTED
    assert claim.standing.status is Status.CANDIDATE
    assert claim.memory.origin is Origin.AGENT
    for record, words in ((note, CLAIM), (beside, "Beside."), (claim, CLAIM)):
        assert memory.encryption.reveal(record).memory.claim == words
    assert WORD not in _exported(memory)


@requirement("agent.note-once")
@pytest.mark.parametrize("sensitive", [False, True])
def test_a_cycle_keeps_a_note_once(memory: Holdfast, key: KeyId, *, sensitive: bool) -> None:
    del key
    opening = memory.agents.open(OpenAgent(name="bot"))
    cycle = memory.agents.begin_cycle(opening).index
    wish = AgentNote(claim=CLAIM, cycle=cycle, sensitive=sensitive)

    first = memory.agents.remember(opening, wish)
    again = memory.agents.remember(opening, wish)
    beside = memory.agents.remember(opening, replace(wish, cycle=None))

    assert again.memory.id == first.memory.id
    assert beside.memory.id != first.memory.id


def test_a_survey_does_not_judge_placeholders(memory: Holdfast, key: KeyId) -> None:
    del key
    for number in range(3):
        said(memory, f"It is {WORD} {number}.", sensitive=True)

    found = survey(
        store=memory.store,
        clock=memory.clock,
        surroundings=memory.surroundings,
        verifier=None,
        heuristics=memory.heuristics,
    )

    assert found.concerns == ()
    assert len(found.records) == 3


def test_an_artifact_cannot_be_cited_by_it(memory: Holdfast, key: KeyId) -> None:
    del key
    cited = Evidence(type=EvidenceType.ARTIFACT, reference="w_1/report.md")
    plain = said(memory, "It is in the report.", scope=Scope.GLOBAL)

    with pytest.raises(BadFieldError, match="artifact"):
        refuse_unencryptable(replace(plain.memory, evidence=(cited,)))
    done = memory.encryption.protect(Protect(reference=plain.memory.id))

    assert done.record is not None
    assert done.record.standing.label is None


def test_an_export_of_a_part_has_the_ciphertexts_of_that_part(
    memory: Holdfast, secret: MemoryRecord
) -> None:
    memory.agents.close(memory.agents.open(_opened(memory)))

    here = [one for one in memory.exchange.export(here_only=True) if '"ciphertext"' in one]
    agent = [one for one in memory.agents.export("bot") if '"ciphertext"' in one]

    assert [json.loads(one)["data"]["record"] for one in here] == [secret.memory.id]
    assert [json.loads(one)["data"]["record"].split()[1] for one in agent] == ["directives"]


def test_the_first_key_that_is_added_is_in_use(memory: Holdfast, tmp_path: Path) -> None:
    there = replace(memory, keys=KeyRingFile(tmp_path / "there"))
    made, _ = there.encryption.create()

    first = memory.encryption.add(made.source)
    second, _ = there.encryption.create()
    other = memory.encryption.add(second.source)

    assert (first.id, first.is_current) == (made.id, True)
    assert not other.is_current


@requirement("encryption.whole-store-locked")
def test_a_store_that_cannot_be_encrypted_as_a_whole_says_why(memory: Holdfast) -> None:
    memory.encryption.create()

    with pytest.raises((NoStoreCipherError, NotOfferedError)):
        memory.encryption.encrypt_store()

    assert not memory.encryption.decrypt_store().is_changed


def checked(memory: Holdfast, verifier: PlainVerifier) -> Verification:
    return replace(memory, verifier=verifier).evidence.verify(Verify())


@requirement("encryption.evidence-checked")
def test_evidence_is_checked_where_the_key_is_and_leaves_no_trace(
    memory: Holdfast, tmp_path: Path
) -> None:
    memory.encryption.create()
    said(memory, "Nobody cites a file.", sensitive=True)
    plain = said(memory, "The plain file opens it.", grounds=Grounds(places=("src/app.py:3",)))
    memory.encryption.protect(Protect(reference=plain.memory.id))
    said(memory, CLAIM, grounds=Grounds(places=("src/app.py:2",)), sensitive=True)
    verifier = PlainVerifier(seen={"src/app.py:2": Sighting(verdict=Verdict.DRIFTED)})

    found = checked(memory, verifier)

    assert [one.verdict for one in found.checked] == [Verdict.DRIFTED, Verdict.FRESH]
    assert {one.reference for each in found.checked for one in each.evidence} == {"encrypted"}
    assert (found.unanchored, found.sensitive) == (1, 0)
    assert sorted(verifier.unnoted) == ["src/app.py:2", "src/app.py:3"]
    verifier.is_broken = True
    assert "evidence was not checked" in checked(memory, verifier).notes[0]

    agent = replace(memory, principal=Principal.of(PrincipalKind.AGENT, space=ADA.space, name="a"))
    away = replace(memory, keys=KeyRingFile(tmp_path / "elsewhere"))
    for one in (agent, away, replace(memory, keys=None)):
        assert checked(one, PlainVerifier()).sensitive == 3


@requirement("encryption.evidence-not-checked")
def test_evidence_without_a_library_or_a_ciphertext_is_counted(
    memory: Holdfast, secret: MemoryRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [one for one in memory.exchange.export() if '"type": "ciphertext"' not in one]
    alone = replace(memory, store=InMemoryStore(), keys=KeyRingFile(tmp_path / "home"))
    alone.exchange.bring_in(lines)
    named = Verify(references=(secret.memory.id,))
    assert replace(alone, verifier=PlainVerifier()).evidence.verify(named).sensitive == 1

    def missing(_: object) -> Cipher:
        raise NoCipherError

    monkeypatch.setattr(KeyRingFile, "cipher", missing)
    assert checked(memory, PlainVerifier()).sensitive == 1
