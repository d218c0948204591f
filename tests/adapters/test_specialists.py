"""Specialists: what the process of one answers, the chat protocol, and programs that misbehave."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from holdfast.adapters.processes.answering import asked
from holdfast.adapters.proposing.chat import ChatAccess, ChatSpecialist
from holdfast.bootstrap.plugs.workers import MachineWorkers
from holdfast.bootstrap.roles import specialist_process
from holdfast.domain.refusals import ProposerFailedError
from tests.adapters.speaking_model import speaking
from tests.patience import PAUSE
from tests.requirements import requirement

INTENT = {"intent": "release 1.2"}


def question(name: str, **more: object) -> dict[str, object]:
    return {"name": name, "work": "interpret", "inputs": INTENT, "seconds": 9, **more}


def test_the_process_of_a_specialist_answers_with_rules_or_says_why_not() -> None:
    found = specialist_process._answer(question("rules"))
    missing = specialist_process._answer(question("nobody"))

    assert "release 1.2" in str(found["outputs"])
    assert "no package offers it" in str(missing["problem"])


@requirement("roles.model-is-not-trusted")
def test_the_process_of_a_specialist_asks_a_model() -> None:
    with speaking() as model:
        model.says('{"fix": [], "notes": []}')
        access = {"url": model.url, "model": "small", "key_env": "NO_KEY", "tokens": "800"}
        given = {"name": "openai", "work": "curate", "inputs": {"findings": []}}

        found = specialist_process._answer({**given, "seconds": 9, "access": access})

    assert found == {"outputs": {"fix": [], "notes": []}}
    assert "authorization" not in model.headers[0]


@pytest.mark.parametrize(
    ("work", "url", "problem"),
    [("interpret", "http://127.0.0.1:1", "is not asked"), ("plan", "", "supervise.url")],
)
def test_a_model_that_cannot_be_asked_says_why(work: str, url: str, problem: str) -> None:
    chat = ChatSpecialist(ChatAccess(url=url, model="small", key="k", tokens=800))

    with pytest.raises(ProposerFailedError, match=problem):
        chat.answer(work, {}, seconds=1)


def test_a_model_that_answers_no_object_fails() -> None:
    with speaking() as model:
        chat = ChatSpecialist(ChatAccess(url=model.url, model="small", key="", tokens=800))
        model.says("no")
        with pytest.raises(ProposerFailedError, match="without a JSON object"):
            chat.answer("plan", {}, seconds=9)
        model.mumbles(b"[]")
        with pytest.raises(ProposerFailedError, match="no message"):
            chat.answer("plan", {}, seconds=9)
        model.refuses(403)
        with pytest.raises(ProposerFailedError, match="403"):
            chat.answer("plan", {}, seconds=9)


def test_a_program_that_does_not_read_or_writes_too_much_is_stopped() -> None:
    deaf = asked([sys.executable, "-c", "print('x')"], b"q" * 5_000_000, seconds=60)
    loud = asked(
        [sys.executable, "-c", "import sys\nwhile True: sys.stdout.write('x' * 65536)"],
        b"",
        seconds=60,
    )

    assert (deaf.output, deaf.problem) == (b"x\n", "")
    assert "more than" in loud.problem
    assert "could not be started" in asked(["/nowhere/program"], b"", seconds=1).problem


def test_a_process_that_nobody_waited_for_has_ended() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    started = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[19]
    host, _, own = MachineWorkers().own_name().rsplit(":", 2)
    assert process.stdout is not None
    process.stdout.read()
    while Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(PAUSE)

    lives = MachineWorkers().lives(f"{host}:{process.pid}:{started}@{own.partition('@')[2]}")
    process.communicate()

    assert not lives


def test_a_process_is_known_by_its_host_number_and_start() -> None:
    workers = MachineWorkers()
    own = workers.own_name()
    host, number, start = own.rsplit(":", 2)
    space = start.partition("@")[2]

    assert workers.lives(own)
    assert not workers.lives(f"{host}:{number}:1@{space}")
    assert not workers.lives(f"{host}:{2**22 + 1}:1@{space}")
    assert workers.lives(f"{host}:{2**22 + 1}:1@4026539999")  # of a container with this name
    assert workers.lives(f"{host}:{2**22 + 1}:1")
    assert workers.lives("elsewhere:1:1")
    assert workers.lives(f"{host}:odd:1")
    assert int(number) == os.getpid()
