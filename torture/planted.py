"""Proves that the tools detect their faults: each planted bug must make its tool fail."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass

from torture.plants import SWITCH, Plant
from torture.report import aligned


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A bug, the tool that must catch it, and the words that must be in its report.

    ``passed`` counts the first seeds, which are known to miss the bug.
    """

    plant: Plant
    tool: str
    sign: str
    amount: int
    tries: int = 30
    passed: int = 0


PROOFS = (
    Proof(plant=Plant.ACK_EARLY, tool="kill", sign="LOST ", amount=10),
    Proof(plant=Plant.ACK_EARLY, tool="postgres", sign="LOST ", amount=2),
    Proof(plant=Plant.ACK_EARLY, tool="agents", sign="LOST ", amount=40),
    Proof(plant=Plant.TASKS_FIRST, tool="roles", sign="DOUBLED", amount=40),
    Proof(plant=Plant.NO_LEASE, tool="agents", sign="TWO WRITERS|DOUBLED|TORN|shown", amount=40),
    Proof(plant=Plant.RESTORED_IN_PLACE, tool="workspaces", sign="neither old nor new", amount=40),
    Proof(
        plant=Plant.ROWS_FIRST,
        tool="workspaces",
        sign="is missing or damaged",
        amount=10,
        passed=1,
    ),
    Proof(plant=Plant.TENANT_STAYS, tool="postgres", sign="FOREIGN |LEAK ", amount=1),
    Proof(plant=Plant.UNHASHED_EDIT, tool="kill", sign="is not what was written", amount=10),
    Proof(plant=Plant.TWO_TRANSACTIONS, tool="states", sign="TORN half done", amount=60),
    Proof(plant=Plant.HEAD_FIRST, tool="states", sign="had been written", amount=20),
    Proof(plant=Plant.NO_SYNC, tool="states", sign="LOST |damaged", amount=30),
    Proof(plant=Plant.NO_SYNC, tool="power", sign="LOST |damaged", amount=2),
    Proof(plant=Plant.SWALLOWED_FULL, tool="sweep", sign="LOST ", amount=240),
    Proof(plant=Plant.SWALLOWED_FULL, tool="full_disk", sign="LOST ", amount=1),
    Proof(plant=Plant.BLIND_CHECK, tool="tails", sign="nobody says so", amount=1),
    Proof(plant=Plant.IMPATIENT, tool="contend", sign="was shown", amount=6),
    Proof(plant=Plant.WATERMARK_FIRST, tool="vectors", sign="disagree|rows are left", amount=80),
    Proof(plant=Plant.ALWAYS_FRESH, tool="git", sign="WRONG fresh", amount=4),
    Proof(plant=Plant.EVERY_BRANCH, tool="sessions", sign="ELSEWHERE ", amount=1),
    Proof(plant=Plant.FIRST_OF_EQUALS, tool="git", sign="WRONG (fresh|moved)", amount=12),
    Proof(plant=Plant.FIRST_OF_EQUALS, tool="history", sign="WRONG (fresh|moved)", amount=200),
    Proof(plant=Plant.BLIND_RENAME, tool="files", sign="lost: person", amount=300),
    Proof(plant=Plant.UNCHECKED_SUMS, tool="derived", sign="without damage", amount=8, passed=10),
    Proof(plant=Plant.LATE_HEAD, tool="alarm", sign="false alarm", amount=4),
    Proof(plant=Plant.SHARED_MEMORY, tool="zero_bytes", sign="disk I/O error|is full", amount=1),
    Proof(plant=Plant.PATIENT_READER, tool="stopped", sign="a reader waited", amount=1),
    Proof(plant=Plant.DROPPED_ANSWER, tool="stopped", sign="LOST a bundle", amount=1),
    Proof(plant=Plant.DROPPED_LATE, tool="files", sign="lost: (hand|person)", amount=100),
    Proof(plant=Plant.TRUSTED_STAT, tool="racy", sign="false (fresh|moved)|is back", amount=4),
    Proof(plant=Plant.FILTERS_RUN, tool="hostile", sign="a program was run", amount=1),
    Proof(plant=Plant.EVIDENCE_AT_ONCE, tool="offers", sign="changed the answer", amount=4),
    Proof(plant=Plant.CLAIMS_ONE, tool="common", sign="places say the same", amount=6),
    Proof(plant=Plant.GENERATED_STAYS, tool="forgotten", sign="is not named", amount=6),
    Proof(plant=Plant.LINKS_IGNORED, tool="prune", sign="LOST ", amount=4),
    Proof(plant=Plant.NEW_KEY, tool="remote", sign="DOUBLED ", amount=2),
    Proof(plant=Plant.WRITTEN_IN_PLACE, tool="files", sign="lost: |Flaw|tool-", amount=400),
)


def main(options: argparse.Namespace) -> int:
    """Plant every bug in turn and print whether it was caught; 0 if all were caught."""
    rows = [["planted bug", "tool", "result", "seconds", "reproduce with"]]
    missed = 0
    for proof in PROOFS:
        began = time.monotonic()
        result, command = prove(proof, options.seed)
        missed += result == "NOT CAUGHT"
        seconds = f"{time.monotonic() - began:.1f}"
        print(f"{proof.plant} in {proof.tool}: {result} after {seconds} s", flush=True)
        rows.append([proof.plant.value, proof.tool, result, seconds, command])
    print("\n".join(aligned(rows)))
    return int(missed > 0)


def prove(proof: Proof, seed: int) -> tuple[str, str]:
    """Run the tool with the planted bug; return the result, and the command that gave it."""
    command = ""
    for attempt in range(proof.passed, proof.passed + proof.tries):
        chosen = str(seed + attempt)
        words = [proof.tool, "--seed", chosen, "--amount", str(proof.amount)]
        command = f"{SWITCH}={proof.plant.value} python -m torture {' '.join(words)}"
        done = subprocess.run(
            [sys.executable, "-m", "torture", *words],
            env=os.environ | {SWITCH: proof.plant.value},
            capture_output=True,
            text=True,
            check=False,
        )
        if " skipped " in done.stdout:
            return "skipped", command
        if " FAIL " in done.stdout and re.search(proof.sign, done.stdout.split(" FAIL ", 1)[1]):
            return "caught", command
    return "NOT CAUGHT", command
