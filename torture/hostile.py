"""Repositories whose own git configuration names programs: none of them may be run.

Each round sets some of the keys in a repository at random, changes its files, and calls everything
that reads a repository. A program that runs leaves a canary file.
"""

from __future__ import annotations

import random
from pathlib import Path

from holdfast.app import Holdfast
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.evidence import FilePlace
from holdfast.domain.recall.question import Question
from holdfast.usecases.anchors.verify import Verify
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.small_repository import functions, git, keep, make, opened
from torture.task import Task

KEYS = {
    "filter.evil.clean": "{program}",
    "filter.evil.smudge": "{program}",
    "filter.evil.process": "{program}",
    "diff.evil.textconv": "{program}",
    "diff.evil.command": "{program}",
    "diff.external": "{program}",
    "core.fsmonitor": "{program}",
    "core.pager": "{program}",
    "core.editor": "{program}",
    "core.sshCommand": "{program}",
    "core.askPass": "{program}",
    "core.hooksPath": "{hooks}",
    "gpg.program": "{program}",
    "log.showSignature": "true",
    "credential.helper": "!{program}",
    "alias.status": "!{program}",
    "remote.origin.url": "ext::{program} %S",
    "remote.origin.promisor": "true",
    "protocol.ext.allow": "always",
    "extensions.partialClone": "origin",
    "core.repositoryFormatVersion": "1",
}
_FILES = 4
_ATTRIBUTES = "*.py filter=evil diff=evil\n"


def run(task: Task) -> Report:
    """Prepare repositories and read them; count the programs that ran."""
    rounds = task.number(short=3, full=100)
    tally = Tally()
    for number in range(rounds):
        chance = random.Random(f"{task.seed}:{number}")
        tally += _attacked(task.folder(f"hostile-{number}"), chance).because(f"round {number}")
    done = f"{rounds} repositories armed with {len(KEYS)} keys by chance"
    return Report(tool="hostile", done=done, tally=tally)


def _attacked(folder: Path, chance: random.Random) -> Tally:
    files = {f"part{number}.py": functions(chance, 4) for number in range(_FILES)}
    root = make(folder, {**files, ".gitattributes": _ATTRIBUTES})
    with opened(root) as app:
        keep(app, "The first step finds its ledger.", "part0.py:1-3")
    canaries = _armed(folder, root, chance)
    for name in chance.sample(sorted(files), 2):
        (root / name).write_text("import sys\n\n" + files[name], encoding="utf-8")
    if planted(Plant.FILTERS_RUN):
        git(root, "status")
        git(root, "diff")
    with opened(root) as app:
        for read in (_remembered, _verified, _recalled, _blamed):
            _tried(read, app)
    tally = Tally(faults=1)
    for canary in sorted(canaries.iterdir()):
        tally += faulty(f"a program was run: {canary.name}")
    return tally


def _armed(folder: Path, root: Path, chance: random.Random) -> Path:
    """Write some of the keys, the filters always, and return the folder of canaries."""
    canaries, hooks = folder / "canaries", folder / "hooks"
    canaries.mkdir()
    hooks.mkdir()
    chosen = {*chance.sample(sorted(KEYS), 12), "filter.evil.clean", "diff.evil.textconv"}
    for key in sorted(chosen):
        program = folder / f"run-{key}"
        program.write_text(f"#!/bin/sh\ncat\necho ran > '{canaries}/{key}'\n", encoding="utf-8")
        program.chmod(0o755)
        git(root, "config", "--add", key, KEYS[key].format(program=program, hooks=hooks))
    for name in ("post-checkout", "post-index-change", "reference-transaction"):
        hook = hooks / name
        hook.write_text(f"#!/bin/sh\necho ran > '{canaries}/{name}'\n", encoding="utf-8")
        hook.chmod(0o755)
    return canaries


def _tried(read: object, app: Holdfast) -> None:
    """Read; a refusal is a valid result too."""
    assert callable(read)
    try:
        read(app)
    except HoldfastError:
        return


def _remembered(app: Holdfast) -> None:
    keep(app, "The second step rotates its ledger.", "part1.py:6-8")


def _verified(app: Holdfast) -> None:
    app.evidence.verify(Verify(everything=True))


def _recalled(app: Holdfast) -> None:
    app.answers.recall(Question(text="which step finds the ledger", include=("memory", "code")))
    app.answers.recall(Question(text="which step finds the ledger", as_of="HEAD"))


def _blamed(app: Holdfast) -> None:
    app.evidence.blame(FilePlace(path="part0.py", first=2, last=2))
