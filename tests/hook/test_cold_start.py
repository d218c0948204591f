"""A hook is called at every step of a session: what it does not use, it does not load."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.cli.test_cold_start import HEAVY, LOADED
from tests.hook.caller import Caller
from tests.requirements import requirement

UNWANTED = {
    *("argparse", "onnxruntime", "onnx", "numpy", "asyncio", "ruamel", "subprocess"),
    *("pathlib", "datetime", "hashlib", "dataclasses", "inspect", "shlex", "fnmatch"),
}
ENGINE = {
    "holdfast.app.memories",
    "holdfast.app.answers",
    "holdfast.adapters.sqlite.store",
    "holdfast.usecases.recall.recall",
}


def loaded(caller: Caller, event: str, **more: object) -> set[str]:
    payload = {"session_id": caller.session, "cwd": str(caller.program.folder), **more}
    done = subprocess.run(
        [
            *(sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}\n{LOADED}"),
            *("hook", "claude", event),
        ],
        input=json.dumps(payload).encode(),
        capture_output=True,
        cwd=caller.program.folder,
        env=caller.program.environment,
        check=True,
    )
    return set(done.stderr.decode().splitlines()[-1].split())


@requirement("hook.loads-next-to-nothing")
@pytest.mark.parametrize(
    ("event", "more"),
    [
        ("UserPromptSubmit", {"prompt": "carry on", "prompt_id": "p99"}),
        ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "make test"}}),
        ("PreToolUse", {"tool_name": "Read", "tool_input": {"file_path": "/x"}}),
        ("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "make test"}}),
        ("Stop", {}),
    ],
)
def test_nothing_to_say_loads_next_to_nothing(
    caller: Caller, event: str, more: dict[str, object]
) -> None:
    caller.start()
    for _ in range(3):
        caller.prompt("hello")

    modules = loaded(caller, event, **more)

    assert modules & (HEAVY | UNWANTED) == set()
    assert modules & ENGINE == set()


@requirement("hook.loads-next-to-nothing")
def test_a_start_loads_no_model_and_no_library_of_other_verbs(caller: Caller) -> None:
    modules = loaded(caller, "SessionStart", source="startup")

    assert modules & (HEAVY | {"argparse", "onnxruntime", "onnx", "ruamel"}) == set()
