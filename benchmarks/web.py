"""``python -m benchmarks.web``: the CPU time of the web page's inbox, and the size of its pages.

A repository gets files, and an agent proposes 1,000 candidates that cite their lines. Then the
pages are asked for again and again, and the CPU time of this process and of the git processes that
it starts is measured. The client runs in this process too, so the figures are an upper bound.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from starlette.testclient import TestClient

from holdfast.app import Holdfast
from holdfast.bootstrap.machine.machine import Machine
from holdfast.bootstrap.plugs.folder_ports import CodeReading
from holdfast.domain.choices import Kind, Origin, Scope
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.values import replace
from holdfast.surfaces.http.options import ServeOptions
from holdfast.surfaces.http.own_page import OwnPages, PersonalMemory, own_app
from holdfast.usecases.anchors.gather import Grounds
from holdfast.usecases.memory.remember import Remember

_CANDIDATES, _FILES, _ROUNDS = 1_000, 50, 15
_SHORT_CANDIDATES, _SHORT_ROUNDS = 100, 3
_BATCH, _SOURCES = 100, 8
_TARGET_MS, _TARGET_BYTES = 200.0, 150_000
_WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "-c", "core.fsync=none")
_PATHS = (
    "/inbox",
    "/inbox?page=4",
    "/memories?status=candidate",
    "/search?q=which+step",
    "/health",
)


def repository(folder: Path) -> None:
    """Make a repository with files of a hundred lines each."""
    (folder / "src").mkdir(parents=True)
    for number in range(_FILES):
        lines = [f"step_{number}_{line} = run({line})\n" for line in range(100)]
        (folder / "src" / f"part_{number}.py").write_text("".join(lines), encoding="utf-8")
    for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "First")):
        subprocess.run(["git", *_WHO, *words], cwd=folder, check=True)


def propose(app: Holdfast, many: int) -> None:
    """Propose candidates about the lines of the files."""
    principal = Principal.of(PrincipalKind.AGENT, name="bench")
    agent = replace(app, principal=principal, most_waiting=0, most_hourly=0)
    wishes = [
        Remember(
            claim=f"Step {one} of part {one % _FILES} runs after step {one + 1} of queue {one}.",
            kind=Kind.GOTCHA,
            scope=Scope.REPO,
            origin=Origin.AGENT,
            source=f"bench-{one % _SOURCES}",
            grounds=Grounds(places=(f"src/part_{one % _FILES}.py:{one % 90 + 1}-{one % 90 + 6}",)),
        )
        for one in range(many)
    ]
    for start in range(0, many, _BATCH):
        agent.memories.remember_all(wishes[start : start + _BATCH])


def spent(work: Callable[[], object]) -> float:
    """Return the CPU milliseconds of a call, in this process and in those that it starts."""

    def now() -> float:
        kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        used = [resource.getrusage(kind) for kind in kinds]
        return sum(one.ru_utime + one.ru_stime for one in used)

    before = now()
    work()
    return (now() - before) * 1_000


def measure(folder: Path, many: int, rounds: int) -> bool:
    """Print the CPU time and the size of each page; return whether the inbox meets its targets."""
    place = folder / "app"
    repository(place)
    person = Principal.of(PrincipalKind.PERSON, name="ada")
    machine = Machine(principal=person, home=folder / "home", folder=lambda: place)
    app = machine.open()
    propose(app, many)

    def look_again(holdfast: Holdfast) -> Holdfast:
        return machine.look_again(holdfast, reading=CodeReading())

    pages = OwnPages(PersonalMemory(holdfast=app, by="ada", look_again=look_again))
    is_met = True
    with TestClient(own_app(pages, ServeOptions()), base_url="http://127.0.0.1:8750") as client:
        client.get(f"/open?key={pages.key}")
        for path in _PATHS:
            size = len(client.get(path).content)
            times = sorted(spent(lambda path=path: client.get(path)) for _ in range(rounds))  # type: ignore[misc]
            print(
                f"{path:<28} {median(times):7.1f} ms of CPU, worst {times[-1]:7.1f}, {size:,} bytes"
            )
            if path == "/inbox":
                is_met = median(times) <= _TARGET_MS
            is_met = is_met and size <= _TARGET_BYTES
    app.close()
    return is_met


def main() -> int:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.web", description=__doc__)
    parser.add_argument("--short", action="store_true", help="few candidates and rounds")
    is_short = parser.parse_args().short
    many = _SHORT_CANDIDATES if is_short else _CANDIDATES
    targets = f"{_TARGET_MS:.0f} ms, {_TARGET_BYTES:,} bytes"
    print(f"{many:,} candidates wait; target of the inbox: {targets}")
    with tempfile.TemporaryDirectory(prefix="holdfast-web-") as folder:
        is_met = measure(Path(folder), many, _SHORT_ROUNDS if is_short else _ROUNDS)
    print("met" if is_met else "missed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
