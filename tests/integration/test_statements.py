"""How many SQL statements a verb runs: they must not grow with what it returns."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from uuid import uuid4

import pytest

from benchmarks.statements import HITS, LARGER, MANY, MOST_FOR_A_RECALL, measured
from holdfast.adapters.postgres.asking import SQL as SQL_ON_SERVER
from holdfast.adapters.sqlite.queries import SQL
from holdfast.bootstrap.plugs.addresses import ServerPlace
from tests.postgres_server import server
from tests.requirements import requirement
from tests.usecases.reading import SmallReader

RECALL = f"recall, {HITS} hits"
MOST_FOR_A_REVIEW = 30
# Large stores use other queries, and long lists are read in pages.
FEW_MORE = 6
NAMES = {statement: name for name, statement in SQL.items()}
NAMES_ON_SERVER = {statement.decode(): name for name, statement in SQL_ON_SERVER.items()}


def named(statements: list[str]) -> Counter[str]:
    """Count the statements by the names they have in the SQL files."""
    return Counter(NAMES.get(one, one) for one in statements)


@pytest.fixture(scope="module", params=[None, SmallReader()], ids=["words", "meaning"])
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[str]]:
    """The statements of each verb, on a store beside a real repository."""
    return measured(tmp_path_factory.mktemp("counted"), embedder=request.param)


@pytest.fixture(scope="module")
def larger(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The statements of each verb where each subject has six times as many memories."""
    folder = tmp_path_factory.mktemp("larger")
    return measured(folder, embedder=SmallReader(), times=LARGER)


@requirement("recall.few-statements")
def test_a_recall_in_a_larger_store_with_branches_runs_at_most_thirty_statements(
    larger: dict[str, list[str]],
) -> None:
    recalled = named(larger[RECALL])

    assert recalled.total() <= MOST_FOR_A_RECALL, dict(recalled)
    assert max(recalled.values()) <= 2


@requirement("recall.few-statements")
def test_a_recall_among_more_than_a_thousand_memories_runs_at_most_thirty_statements(
    tmp_path: Path,
) -> None:
    found = measured(tmp_path, embedder=SmallReader(), others=MANY, only=("recall", "model"))

    recalled = named(found[RECALL])

    assert recalled["shares_of"] == 1
    # One more where memories of other branches are hidden: the note names only accepted ones.
    without = recalled.total() - recalled["accepted_aside"]
    assert without <= MOST_FOR_A_RECALL, dict(recalled)


def recalled_on_server(folder: Path, embedder: SmallReader | None, *, others: int) -> Counter[str]:
    """Count the statements of a recall from a store on Postgres by their names."""
    at = ServerPlace(address=server().url(), tenant=str(uuid4()))
    found = measured(folder, embedder=embedder, others=others, only=("recall", "model"), at=at)
    return Counter(NAMES_ON_SERVER.get(one, one) for one in found[RECALL])


@requirement("recall.few-statements")
@pytest.mark.parametrize("embedder", [None, SmallReader()], ids=["words", "meaning"])
def test_a_recall_of_twenty_hits_on_postgres_runs_at_most_thirty_statements(
    tmp_path: Path, embedder: SmallReader | None
) -> None:
    recalled = recalled_on_server(tmp_path, embedder, others=0)

    assert recalled["put_bundles"] == 1
    assert recalled.total() <= MOST_FOR_A_RECALL, dict(recalled)


@requirement("recall.few-statements")
def test_a_recall_among_many_memories_on_postgres_runs_at_most_thirty_statements(
    tmp_path: Path,
) -> None:
    recalled = recalled_on_server(tmp_path, SmallReader(), others=MANY)

    assert recalled["put_bundles"] == 1
    assert recalled["count_memories"] == 0
    # As in a file: one more where memories of other branches are hidden.
    without = recalled.total() - recalled["accepted_aside"]
    assert without <= MOST_FOR_A_RECALL, dict(recalled)


@requirement("review.few-statements")
def test_a_review_of_a_hundred_candidates_runs_as_many_statements_as_one_of_ten(
    larger: dict[str, list[str]],
) -> None:
    assert named(larger["review of a hundred"]) == named(larger["review"])
    assert len(larger["review"]) <= MOST_FOR_A_REVIEW


@requirement("review.few-statements")
@pytest.mark.parametrize("verb", ["conflicts", "status", "survey", "digest", "context", "feedback"])
def test_six_times_as_many_memories_add_only_a_few_statements(
    found: dict[str, list[str]], larger: dict[str, list[str]], verb: str
) -> None:
    assert len(larger[verb]) <= len(found[verb]) + FEW_MORE, named(larger[verb])


@requirement("review.few-statements")
@pytest.mark.parametrize("verb", ["list", "explain", "related", "verify"])
def test_six_times_as_many_memories_need_no_more_statements(
    found: dict[str, list[str]], larger: dict[str, list[str]], verb: str
) -> None:
    assert len(larger[verb]) <= len(found[verb]), named(larger[verb])


@requirement("recall.few-statements")
def test_a_recall_of_twenty_hits_runs_at_most_thirty_statements(
    found: dict[str, list[str]],
) -> None:
    recalled = named(found[RECALL])

    assert recalled.total() <= MOST_FOR_A_RECALL, dict(recalled)
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
