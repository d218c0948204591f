"""Random and invalid requests to every route: no server error, and no answer off the schema.

Schemathesis makes the requests from the OpenAPI document. The server is the real program.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import holdfast
from holdfast.domain.memory.callers import PrincipalKind
from holdfast.usecases.service.tokens import CreateToken
from torture.report import Report, Tally
from torture.task import Task

CHECKS = (
    *("not_a_server_error", "status_code_conformance", "content_type_conformance"),
    *("response_headers_conformance", "response_schema_conformance"),
    *("negative_data_rejection", "unsupported_method", "ignored_auth"),
)
_SEEDED = 5
_GENERATED = re.compile(r"(\d+) generated")
_FAILURE = re.compile(r"^- (ST\d+ .*)$", re.MULTILINE)
_MOST_SHOWN = 8


def run(task: Task) -> Report:
    """Send requests to every route; 150 for each at full length, besides one for each rule."""
    many = task.number(short=5, full=150)
    phases = "coverage,fuzzing" if task.full else "fuzzing"
    home = task.folder("home")
    token = _token(home)
    with serving(home, task.work / "log") as url:
        said = _requests(url, token, many=many, phases=phases, task=task)
    bugs = (task.work / "log").read_text(encoding="utf-8").count('"event": "bug"')
    sent = sum(int(found) for found in _GENERATED.findall(said))
    failures = tuple(_FAILURE.findall(said))
    notes = failures[:_MOST_SHOWN] if sent else (said[-500:],)
    tally = Tally(faults=sent, bad=len(failures) + bugs + (not sent), notes=notes)
    return Report(tool="http", done=f"{sent:,} requests", tally=tally)


def _token(home: Path) -> str:
    """Fill a store, and return the token of a person."""
    with holdfast.open(home, home=home, as_="person", name="ada", store="") as memory:
        for number in range(_SEEDED):
            memory.remember(f"Fact {number} is true.", because="It was measured.")
        wish = CreateToken(name="fuzzer", kind=PrincipalKind.PERSON, tenant="file")
        return str(memory.app.access.create(wish).text)


@contextmanager
def serving(home: Path, log: Path) -> Generator[str, None, None]:
    """Run the server of a home; it is killed when the block ends."""
    environment = {**os.environ, "HOLDFAST_HOME": str(home), "HOLDFAST_STORE": "local"}
    with log.open("w", encoding="utf-8") as written:
        process = subprocess.Popen(
            [sys.executable, "-m", "holdfast", "serve", "--port", "0"],
            env=environment | {"HOLDFAST_MODELS": str(home / "none")},
            stdout=subprocess.PIPE,
            stderr=written,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


# A request that violates the schema may also be refused because it is too large.
_REFUSED = (400, 401, 403, 404, 405, 409, 413, 414, 415, 422, 429, 431)


def _requests(url: str, token: str, *, many: int, phases: str, task: Task) -> str:
    """Run the generator of requests, and return what it says."""
    words = [
        *(sys.executable, "-m", "schemathesis.cli", "run", f"{url}/v1/openapi.json"),
        *("--header", f"Authorization: Bearer {token}", "--checks", ",".join(CHECKS)),
        *("--max-examples", str(many), "--phases", phases, "--seed", str(task.seed)),
        *("--continue-on-failure", "--warnings", "off", "--suppress-health-check", "all"),
    ]
    expected = ", ".join(f'"{status}"' for status in _REFUSED)
    setting = f"[checks.negative_data_rejection]\nexpected-statuses = [{expected}]\n"
    (task.work / "schemathesis.toml").write_text(setting, encoding="utf-8")
    done = subprocess.run(words, cwd=task.work, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr
