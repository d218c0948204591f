"""A short run of poisoned texts and secrets through every door, and proof that it detects both."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.gates.secrets import SecretFound, find_secrets
from holdfast.domain.recall.rendering import Recalled
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember
from tests.requirements import requirement
from tests.torture.test_short import check
from torture import secrets
from torture.poison import Site, through
from torture.poison_cases import ATTACKS, CARRIERS, Case, cases
from torture.secrets import in_files
from torture.secrets_cases import placed_secrets
from torture.task import Task


@requirement("safety.poison-is-never-knowledge")
def test_no_poisoned_text_becomes_knowledge_through_any_door() -> None:
    check("poison")


def test_no_secret_reaches_a_file_through_any_door() -> None:
    check("secrets")


def test_there_are_two_hundred_cases_of_every_attack_in_every_carrier() -> None:
    everything, few = cases(), cases(25)

    assert len({case.text for case in everything}) == 200
    assert {case.attack for case in everything} == set(ATTACKS)
    assert {case.attack for case in few} == set(ATTACKS)
    assert {case.carrier for case in everything} == set(CARRIERS)


def believing(memory: Holdfast, _site: Site, chosen: Sequence[Case]) -> None:
    """A faulty door that accepts every text as a person's statement."""
    for case in chosen:
        memory.memories.remember(
            Remember(origin=Origin.HUMAN, claim=case.bare, grounds=Grounds(because="it said so"))
        )


def usurping(memory: Holdfast, _site: Site, chosen: Sequence[Case]) -> None:
    """A faulty door that replaces a person's statement by an untrusted text."""
    case = next(case for case in chosen if case.attack == "squats on a key")
    memory.memories.remember(
        Remember(
            origin=Origin.HUMAN,
            claim=case.bare,
            key="DEC-001",
            grounds=Grounds(because="it said so"),
        )
    )


def test_a_text_that_is_believed_is_noticed(tmp_path: Path) -> None:
    chosen = cases(10)

    _, tally = through("believing", believing, Site(tmp_path / "site"), chosen)

    assert tally.lost >= len(chosen)
    assert "accepted" in tally.notes[0]


def test_a_word_of_a_person_that_was_replaced_is_noticed(tmp_path: Path) -> None:
    _, tally = through("usurping", usurping, Site(tmp_path / "site"), cases())

    assert "usurping: what a person said stands no more" in tally.notes


def test_a_fence_that_breaks_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unfenced(self: Recalled) -> str:
        return "\n".join(record.memory.claim for record in self.records.values())

    monkeypatch.setattr(Recalled, "markdown", unfenced)

    _, tally = through("believing", believing, Site(tmp_path / "site"), cases(10))

    assert tally.torn


def test_a_secret_in_a_file_is_noticed(tmp_path: Path) -> None:
    one = placed_secrets(1)[0]
    (tmp_path / "holdfast.db").write_text(f"x{one.secret}y", encoding="utf-8")

    assert in_files(tmp_path, [one]) == [one.shape]


def test_a_gate_that_knows_no_places_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forms_alone(text: str) -> tuple[SecretFound, ...]:
        return tuple(hit for hit in find_secrets(text) if hit.rule not in {"password", "secret"})

    monkeypatch.setattr(secrets, "find_secrets", forms_alone)

    report = secrets.run(Task(work=tmp_path, amount=2))

    assert any("are found" in note for note in report.tally.notes)
