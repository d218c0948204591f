"""Secrets in every form through every input; none may reach a file.

First the scanner alone: how many of the made-up secrets it finds whole, and how many false alarms
it raises on memories without secrets. Then every secret that it detects goes through the inputs of
``torture.poison``, and every file of the home is searched for it: one that is found is a GHOST.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from holdfast.domain.gates.secrets import find_secrets
from torture.poison import DOORS, Site
from torture.poison_cases import Case
from torture.report import MOST_NOTES, Report, Tally, aligned
from torture.secrets_cases import (
    Placed,
    clean_memories,
    lines_of,
    lookalikes,
    placed,
    placed_secrets,
)
from torture.task import Task

LEAST_CAUGHT = 0.95
LEAST_NEW = 0.90
MOST_ALARMS = 0.01
SHORT = 60
_TELLING = 12


def run(task: Task) -> Report:
    """Measure the scanner, send the detected secrets through the inputs, and return the results."""
    everything = placed_secrets(task.seed)
    known = [one for one in everything if _is_found(one)]
    later = placed(lines_of("secrets_held_out"), task.seed)
    new = sum(map(_is_found, later)) / len(later)
    memories = [*clean_memories(task.seed), *lookalikes(task.seed)]
    alarms = [memory for memory in memories if find_secrets(memory)]
    caught, cried = len(known) / len(everything), len(alarms) / len(memories)
    print(f"{len(known)} of {len(everything)} secrets found whole ({caught:.1%})")
    print(f"{new:.1%} of {len(later):,} secrets in shapes written after the rules found whole")
    print(f"{len(alarms)} of {len(memories):,} clean memories raise an alarm ({cried:.1%})")
    bad = [f"only {caught:.1%} are found"] if caught < LEAST_CAUGHT else []
    bad += [f"only {new:.1%} of new shapes are found"] if new < LEAST_NEW else []
    bad += [f"{cried:.1%} are false alarms"] if cried >= MOST_ALARMS else []
    amount = task.number(short=SHORT, full=len(known))
    chosen = [one for one in known if len(one.secret) >= _TELLING]
    chosen = chosen[:: max(1, len(chosen) // amount)][:amount]
    rows = [["door", "secrets", "in a file"]]
    left: list[str] = []
    for name, door in DOORS.items():
        site = Site(task.folder(name.replace(" ", "-")))
        with site.memory() as memory:
            door(memory, site, _as_cases(chosen))
        found = in_files(site.home, chosen)
        rows.append([name, f"{len(chosen):,}", f"{len(found):,}"])
        left += [f"{name}: {shape}" for shape in found]
    print("\n".join(aligned(rows)))
    notes = tuple([*bad, *left][:MOST_NOTES])
    tally = Tally(
        acks=len(known), faults=len(everything), ghost=len(left), bad=len(bad), notes=notes
    )
    done = f"{len(everything)} secrets looked for, {len(chosen)} sent through {len(DOORS)} doors"
    return Report(tool="secrets", done=done, tally=tally)


def _is_found(one: Placed) -> bool:
    return any(hit.start <= one.start and one.end <= hit.end for hit in find_secrets(one.text))


def _as_cases(chosen: Sequence[Placed]) -> list[Case]:
    return [
        Case(number=str(number), attack="secret", carrier="plain", bare=one.text, text=one.text)
        for number, one in enumerate(chosen, start=7001)
    ]


def in_files(home: Path, chosen: Sequence[Placed]) -> list[str]:
    """Return the forms whose secret is in a file that Holdfast wrote; transcripts are a tool's.

    A line with spaces is a header of a key, such as its version, and reveals nothing.
    """
    ours = [path for path in home.rglob("*") if path.is_file() and not path.stem.isdigit()]
    content = b"".join(path.read_bytes() for path in ours)
    lines = [[line.encode("utf-8") for line in one.secret.splitlines()] for one in chosen]
    return [
        one.shape
        for one, parts in zip(chosen, lines, strict=True)
        if any(len(part) >= _TELLING and b" " not in part and part in content for part in parts)
    ]
