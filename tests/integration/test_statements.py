"""How many SQL statements a verb runs: they must not grow with what it returns."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.statements import HITS, MOST_FOR_A_RECALL, measured
from holdfast.adapters.sqlite.asking import SQL
from tests.requirements import requirement
from tests.usecases.reading import SmallReader

RECALL = f"recall, {HITS} hits"
NAMES = {statement: name for name, statement in SQL.items()}


def named(statements: list[str]) -> Counter[str]:
    """Count the statements by the names they have in the SQL files."""
    return Counter(NAMES.get(one, one) for one in statements)


@pytest.fixture(scope="module", params=[None, SmallReader()], ids=["words", "meaning"])
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """The statements of each verb, on a store beside a real repository."""
    return measured(tmp_path_factory.mktemp("counted"), embedder=request.param)


@requirement("recall.few-statements")
def test_a_recall_of_twenty_hits_runs_at_most_thirty_statements(
    found: dict[str, list[str]],
) -> None:
    recalled = named(found[RECALL])

    assert recalled.total() <= MOST_FOR_A_RECALL, recalled
    assert max(recalled.values()) <= 2


@requirement("recall.few-statements")
def test_a_question_that_names_much_runs_no_statement_for_each_name(
    found: dict[str, list[str]],
) -> None:
    recalled = named(found["recall that names much"])

    assert recalled["take_by_labels"] == 1, recalled
    assert max(recalled.values()) <= 3, recalled


@requirement("recall.few-statements")
def test_no_verb_reads_memories_one_by_one(found: dict[str, list[str]]) -> None:
    for verb in ("list", "related", "verify", "export", "sync, unchanged", "feedback", RECALL):
        assert named(found[verb])["record_by_id"] <= 1, verb
        assert named(found[verb])["sequence_of"] == 0, verb
