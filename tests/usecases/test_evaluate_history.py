"""A repository's own commits as questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import EvidenceType, Kind, Origin
from holdfast.domain.code.commits import Commit
from holdfast.domain.evaluation.benchmark import NothingToEvaluateError
from holdfast.domain.memory.evidence import Evidence, FilePlace
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.evaluation.evaluate_history import evaluate_history
from holdfast.usecases.memory.remember import Remember
from tests.usecases.test_evaluate import OneBench

ROTATE = Commit(id="1" * 40, message="Rotate tokens on every use")
LEAK = Commit(id="2" * 40, message="Stop the session leak in the login handler")
EMPTY = Commit(id="3" * 40, message="")


@dataclass
class Told:
    """A history that is told rather than read."""

    all: Sequence[Commit] = (ROTATE, LEAK, EMPTY)
    touched: dict[str, list[Commit]] = field(default_factory=dict)

    def commits(self) -> Sequence[Commit]:
        return self.all

    def touching(self, place: FilePlace) -> Sequence[Commit]:
        return self.touched.get(place.path, [])


def decide(holdfast: Holdfast, claim: str, **grounds: Any) -> str:
    wish = Remember(
        origin=Origin.HUMAN, claim=claim, kind=Kind.DECISION, grounds=Grounds(**grounds)
    )
    return holdfast.memories.remember(wish).record.memory.id


def test_a_commit_that_touched_the_evidence_of_a_decision_asks_for_it(holdfast: Holdfast) -> None:
    decided = decide(holdfast, "Refresh tokens rotate on every use.", places=("src/app.py:1-2",))
    holdfast.memories.remember(
        Remember(origin=Origin.HUMAN, claim="Tea at four.", grounds=Grounds(because="I said so"))
    )
    stranger = Commit(id="9" * 40, message="from before")
    history = Told(touched={"src/app.py": [ROTATE, EMPTY, stranger]})
    steps: list[str] = []

    result = evaluate_history(
        memory=holdfast.measured,
        history=history,
        bench=OneBench(holdfast.measured),
        watcher=lambda step, *_: steps.append(step),
    )

    (judged,) = result.judged
    assert judged.id == ROTATE.id
    assert judged.ranked[0] == decided
    assert judged.measures["R@1"] == 1
    assert result.memories == 2
    assert "1 decision" in result.notes[0]
    assert steps == ["asking"]


def test_a_decision_that_cites_a_commit_is_asked_for_with_its_words(holdfast: Holdfast) -> None:
    cited = Evidence(type=EvidenceType.COMMIT, reference=LEAK.id[:10])
    said = Evidence(type=EvidenceType.STATEMENT, reference="I saw it")
    decide(holdfast, "Sessions end when the login handler returns.", given=(cited, said))

    result = evaluate_history(
        memory=holdfast.measured, history=Told(), bench=OneBench(holdfast.measured)
    )

    assert [one.id for one in result.judged] == [LEAK.id]


def test_many_memories_are_all_known(holdfast: Holdfast) -> None:
    decide(holdfast, "Refresh tokens rotate on every use.", places=("src/app.py:1-2",))
    wishes = [
        Remember(
            origin=Origin.HUMAN,
            claim=f"Crate {number} holds apples.",
            grounds=Grounds(because="counted"),
        )
        for number in range(250)
    ]
    holdfast.memories.remember_all(wishes)

    result = evaluate_history(
        memory=holdfast.measured,
        history=Told(touched={"src/app.py": [ROTATE]}),
        bench=OneBench(holdfast.measured),
    )

    assert result.memories == 251


def test_without_decisions_commits_that_name_earlier_ones_ask_for_them(holdfast: Holdfast) -> None:
    mend = Commit(
        id="4" * 40, message=f"Rotate tokens once an hour only\n\nSince {ROTATE.id[:9]} too often."
    )

    result = evaluate_history(
        memory=holdfast.measured,
        history=Told(all=(ROTATE, LEAK, mend)),
        bench=OneBench(holdfast.measured),
    )

    (judged,) = result.judged
    assert judged.id == mend.id
    assert judged.ranked[0] == ROTATE.id
    assert mend.id not in judged.ranked
    assert result.documents == 3
    assert "name an earlier one" in result.notes[0]


def test_a_history_that_asks_nothing_is_refused_with_the_way_on(holdfast: Holdfast) -> None:
    with pytest.raises(NothingToEvaluateError, match="Remember decisions"):
        evaluate_history(
            memory=holdfast.measured, history=Told(), bench=OneBench(holdfast.measured)
        )
