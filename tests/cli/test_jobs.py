"""Jobs from the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest

from tests.cli.program import Program
from tests.hook.caller import keep
from tests.postgres_server import server
from tests.requirements import requirement


@pytest.fixture
def served(newcomer: Program) -> Program:
    return replace(
        newcomer, extra={"HOLDFAST_STORE": server().url(), "HOLDFAST_TENANT": uuid4().hex}
    )


@requirement("jobs.shared-parts")
def test_an_export_is_imported_as_a_job(served: Program, tmp_path: Path) -> None:
    keep(served, "A walrus sleeps here.")
    file = tmp_path / "all.jsonl"
    served("export", str(file)).well()
    other = replace(served, extra={**served.extra, "HOLDFAST_TENANT": uuid4().hex})

    added = other("jobs", "add", "import", str(file), "--json").well().json
    piped = other("jobs", "add", "import", "-", stdin=file.read_text()).well().out
    listed = other("jobs", "list").well().out
    done = other("jobs", "run", "--wait").well().out

    assert added["parts"] > 1
    assert "added" in piped
    assert added["id"] in listed
    assert "done" in done
    assert "walrus" in other("list", "--all").well().out
    assert other("jobs", "list", "--json").well().json["jobs"][0]["state"] == "done"


def test_a_worker_reports_each_part_and_a_failure(served: Program) -> None:
    served("init", "--no-model").well()
    served("jobs", "add", "curate").well()
    served("jobs", "add", "prune").well()
    bad = served("jobs", "add", "import", "-", stdin='{"type": "memory", "data": {}}\n').well()

    done = served("jobs", "run", "--json")

    assert "added" in bad.out
    parts = [json.loads(line) for line in done.out.splitlines()]
    assert [bool(one["problem"]) for one in parts] == [False, True]
    assert (done.code, "part 1" in done.err) == (1, True)


@requirement("jobs.stay-in-rights")
def test_a_line_with_a_secret_is_left_out_of_the_job(served: Program) -> None:
    line = '{"type": "memory", "data": {"claim": "ghp_' + 'wJ8kZ2qLx9VbN4mTcR7yP1sD6fG3hA5eQ0uX"}}'

    added = served("jobs", "add", "import", "-", stdin=line)

    assert (added.code, "line 1" in added.err) == (2, True)
    assert served("jobs", "add", "import", "-", "--allow-secret", stdin=line).code == 0
    assert served("jobs", "add", "import", "-", "--redact", stdin=line).code == 0


def test_a_job_is_cancelled_once(served: Program) -> None:
    served("init", "--no-model").well()
    name = served("jobs", "add", "curate", "--json").well().json["id"]

    assert name in served("jobs", "cancel", name).well().out
    assert served("jobs", "cancel", name, "--json").code == 3
    assert served("jobs", "run").well().out.startswith("done")
    left = served("jobs", "add", "curate", "--json").well().json["id"]
    assert served("jobs", "cancel", left, "--json").well().json == {"cancelled": left}


@pytest.mark.parametrize(
    "words",
    [("add", "import"), ("add", "embed", "x.jsonl"), ("add", "dance"), ("run", "--lease", "0")],
)
def test_wrong_words_are_refused(served: Program, words: tuple[str, ...]) -> None:
    assert served("jobs", *words).code == 2


def test_embedding_needs_a_model_and_a_file_store_has_no_jobs(
    served: Program, program: Program
) -> None:
    served("init", "--no-model").well()

    assert "model" in served("jobs", "add", "embed").err
    refused = program("jobs", "list")
    assert (refused.code, "Postgres" in refused.err) == (6, True)
    assert served("jobs", "list").well().err != ""
