"""A short run of every fault tool, and the proof that each detects a planted bug."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requirements import requirement
from torture.planted import PROOFS, Proof, prove

ROOT = Path(__file__).parents[2]
PATHS = os.pathsep.join([str(ROOT / "src"), str(ROOT)])


def check(tool: str) -> None:
    """Run a tool as a person would; it must find nothing, if it can run on this machine."""
    done = subprocess.run(
        [sys.executable, "-m", "torture", tool, "--short"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=False,
    )

    if done.returncode == 0 and " skipped " in done.stdout:
        pytest.skip(done.stdout.splitlines()[-1])
    assert done.returncode == 0, done.stdout + done.stderr


@requirement("session.branches")
def test_no_branch_operation_loses_a_turn_or_tells_another_branch() -> None:
    check("sessions")


@requirement("store.nothing-acknowledged-is-lost")
def test_nothing_is_lost_when_processes_are_killed() -> None:
    check("kill")


@requirement("store.nothing-acknowledged-is-lost")
def test_nothing_is_lost_in_a_power_cut() -> None:
    check("power")


@requirement("store.nothing-acknowledged-is-lost")
def test_every_state_a_cut_could_leave_is_sound() -> None:
    check("states")


@requirement("store.io-errors-lose-nothing")
def test_a_failing_call_loses_nothing_and_is_not_taken_for_damage() -> None:
    check("sweep")


@requirement("store.full-disk-can-forget")
def test_a_full_disk_loses_nothing_and_lets_us_forget() -> None:
    check("full_disk")


@requirement("store.read-only-explained")
def test_a_read_only_folder_is_read_and_says_so() -> None:
    check("read_only")


@requirement("store.damage-reported")
def test_a_damaged_page_never_passes_unseen() -> None:
    check("damage")


@requirement("store.older-file-noticed")
def test_a_lost_tail_never_passes_unseen() -> None:
    check("tails")


@requirement("store.many-processes")
def test_many_processes_share_the_store() -> None:
    check("contend")


@requirement("server.crashes-lose-nothing")
def test_a_store_on_postgres_stands_crashes_tenants_probes_and_many_writers() -> None:
    check("postgres")


@requirement("meaning.index-heals-itself")
def test_a_vector_store_whose_writers_are_killed_answers_as_the_store_does() -> None:
    check("vectors")


@requirement("store.derived-damage-noticed")
def test_damage_to_what_is_derived_changes_no_answer() -> None:
    check("derived")


@requirement("store.no-false-alarm")
def test_a_check_beside_writers_raises_no_alarm() -> None:
    check("alarm")


@requirement("store.full-disk-can-read")
def test_without_one_free_byte_a_newcomer_reads_and_forgets() -> None:
    check("zero_bytes")


@requirement("store.readers-never-wait")
def test_beside_a_stopped_process_readers_answer() -> None:
    check("stopped")


@requirement("torture.planted-bugs-caught")
@pytest.mark.parametrize("proof", PROOFS, ids=lambda proof: f"{proof.plant}-{proof.tool}")
def test_a_planted_bug_is_caught(proof: Proof, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PYTHONPATH", PATHS)

    result, command = prove(proof, seed=1)

    if result == "skipped":
        pytest.skip(f"{proof.tool} cannot run on this machine")
    assert result == "caught", command


@requirement("verdict.cache-is-safe")
def test_no_verdict_outlives_a_change_that_the_disk_does_not_note() -> None:
    check("racy")


@requirement("git.runs-no-program-of-a-repository")
def test_no_repository_makes_us_run_a_program() -> None:
    check("hostile")


@requirement("candidates.evidence-waits")
def test_evidence_that_agents_offer_changes_no_answer() -> None:
    check("offers")


@requirement("anchor.never-wrong")
def test_lines_that_stand_everywhere_are_cheap_to_check_and_never_claimed() -> None:
    check("common")


@requirement("agent.kills")
def test_a_killed_agent_loses_no_result_and_doubles_no_cycle() -> None:
    check("agents")


@requirement("http.described")
def test_no_request_breaks_the_server_or_its_description() -> None:
    check("http")


@requirement("remote.nothing-lost")
@requirement("remote.nothing-twice")
def test_no_write_to_a_server_is_lost_or_doubled() -> None:
    check("remote")


@requirement("roles.resume")
def test_a_killed_run_is_resumed_without_a_doubled_step_or_task() -> None:
    check("roles")
