"""supervise at the command line: real git, real processes, and a real server that is a model."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import pytest

from tests.adapters.speaking_model import speaking
from tests.cli.program import Program
from tests.patience import PAUSE
from tests.requirements import requirement

WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
SPECIALISTS = """
import os, sys, time

class Odd:
    def answer(self, work, inputs, *, seconds):
        print("noise on standard output")
        return {"tasks": [], "cites": [], "notes": ["odd was here"]}

class Hangs:
    def answer(self, work, inputs, *, seconds):
        open(os.environ["CANARY"], "w").write(str(os.getpid()))
        while True:
            time.sleep(60)

class Endless:
    def answer(self, work, inputs, *, seconds):
        task = {"title": "More", "reuse": None, "after": [], "command": "", "why": ""}
        tasks = [{**task, "key": str(n)} for n in range(100_000)]
        return {"tasks": tasks, "cites": [], "notes": []}

class Dies:
    def answer(self, work, inputs, *, seconds):
        os.kill(os.getpid(), 9)

class Raises:
    def answer(self, work, inputs, *, seconds):
        raise ValueError("no idea")
"""
POINTS = """[holdfast.specialist]
odd = specialists:Odd
hangs = specialists:Hangs
endless = specialists:Endless
dies = specialists:Dies
raises = specialists:Raises
"""


@pytest.fixture
def plugged(program: Program, tmp_path: Path) -> Program:
    """A person with a package of specialists."""
    place = tmp_path / "plugs"
    info = place / "plugs-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS)
    (place / "specialists.py").write_text(SPECIALISTS)
    path = f"{place}{os.pathsep}{program.environment['PYTHONPATH']}"
    extra = {"PYTHONPATH": path, "CANARY": str(tmp_path / "canary")}
    return Program(home=program.home, folder=program.folder, extra=extra)


def git(folder: Path, *words: str) -> None:
    """Run git in a folder."""
    subprocess.run(["/usr/bin/env", "git", *words], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    git(folder, *WHO, "commit", "-q", "--allow-empty", "-m", message)


def by_work(answer: dict[str, object], work: str) -> dict[str, object]:
    steps = answer["steps"]
    assert isinstance(steps, list)
    found: dict[str, object] = next(one for one in steps if one["work"] == work)
    return found


@requirement("roles.intent-to-graph")
def test_an_intent_becomes_a_plan_a_recap_and_a_page(program: Program) -> None:
    program("init", "--files", "--no-model").well()
    commit(program.folder, "Say why\n\nWe decided to keep logs because of audits.")

    tried = program("supervise", "release 1.2", "--dry-run").well()
    assert "would add: Tag and publish: release 1.2" in tried.out
    assert program("task", "list").well().out == ""
    done = program("supervise", "release 1.2").well()
    assert "to see what it added: holdfast task tree" in done.err
    assert "to see" not in tried.err

    assert "planner: 5 tasks added" in done.out
    assert "wrote .holdfast/runs/" in done.err
    assert "historian: rules" in done.err
    (page,) = (program.folder / ".holdfast" / "runs").glob("*/summary.md")
    assert "planner: 5 tasks added" in page.read_text()
    assert "We decided to keep logs" in program("review").well().out
    found = program("recall", "--include", "history", "why keep logs").well()
    assert "Say why" in found.out
    label = page.parent.name
    shown = program("supervise", "--show", label).well()
    assert "planner" in shown.out
    newest = program("supervise", "--list", "--json").well().json["runs"][0]
    assert newest["over"] == 5
    listed = program("supervise", "--list").well().out.split()
    assert listed[:2] == [label, newest["run"]["id"]]
    assert program("supervise", "--replay", listed[1]).well().out.count("same") == 5
    again = program("supervise", "--replay", label).well()
    assert again.out.count("same") == 5
    assert program("supervise", "--resume", label).code == 4


@requirement("roles.replay")
def test_a_replay_ends_with_one_if_anything_differs(program: Program) -> None:
    program("task", "add", "Fix the crash of release 1.2").well()
    run = program("supervise", "release 1.2", "--json").well().json["run"]["label"]
    task = program("task", "list", "--json").well().json["tasks"][0]["id"]
    program("task", "edit", task, "--title", "Something else").well()

    found = program("supervise", "--replay", run)

    assert found.code == 1
    assert f"{task} has another title" in found.out
    told = program("supervise", "--replay", run, "--json")
    assert told.code == 1
    assert told.json["same"] is False


@requirement("roles.executor-runs-allowed-only")
def test_a_command_runs_only_if_it_was_allowed_named_and_confirmed(
    program: Program, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    text = f"echo secret >> {ran}; echo all fine"
    assert "No command may run here" in program("supervise", "--commands").well().err
    refused = program("supervise", "release 1.2", "--run", "test", "--yes", "--json")
    assert (refused.code, refused.json["failed"]) == (1, ["executor test"])
    assert "nobody allowed" in str(by_work(refused.json, "command")["outputs"])
    assert program("supervise", "--allow", "bad name", "true").code == 2
    assert program("supervise", "--allow", "test", " ").code == 2
    program("supervise", "--allow", "test", "false").well()
    program("supervise", "--allow", "test", text).well()
    assert program("supervise", "--commands", "--json").well().json == {
        "commands": [{"name": "test", "command": text, "files": [], "refusal": ""}]
    }

    asked = program("supervise", "release 1.2", "--run", "test", "--json")
    assert asked.code == 1
    assert "nobody confirmed" in str(by_work(asked.json, "command")["outputs"])
    assert not ran.exists()
    agent = {"CLAUDECODE": "1"}
    told = program("supervise", "release 1.2", "--run", "test", "--yes", "--json", env=agent)
    assert told.code == 1
    assert "only a person" in str(by_work(told.json, "command")["outputs"])
    assert program("supervise", "--allow", "x", "true", env=agent).code == 4
    done = program("supervise", "release 1.2", "--run", "test", "--yes", "--json").well().json

    assert ran.read_text() == "secret\n"
    outputs = by_work(done, "command")["outputs"]
    assert isinstance(outputs, dict)
    assert (outputs["exit_code"], outputs["output"]) == (0, "all fine")
    program("supervise", "--disallow", "test").well()
    assert "No command of that name" in program("supervise", "--disallow", "test").well().err
    assert program("supervise", "--commands", "--json").well().json == {"commands": []}


@requirement("roles.executor-runs-allowed-only")
def test_a_command_whose_script_cannot_be_told_is_not_allowed(program: Program) -> None:
    refused = program("supervise", "--allow", "test", "sh $F")

    assert refused.code == 2
    assert "'sh' runs is chosen only when it runs; write its path" in refused.err
    assert program("supervise", "--commands", "--json").well().json["commands"] == []


@requirement("roles.executor-runs-allowed-only")
def test_a_script_that_changed_since_it_was_allowed_does_not_run(
    program: Program, tmp_path: Path
) -> None:
    ran, script = tmp_path / "ran", program.folder / "t.sh"
    script.write_text("echo fine")
    told = program("supervise", "--allow", "test", "sh ./t.sh").well()
    assert "if t.sh changes, it must be allowed again" in told.err
    assert "other files that it runs may change unnoticed" in told.err
    program("supervise", "fix it", "--run", "test", "--yes").well()
    script.write_text(f"touch {ran}")

    refused = program("supervise", "fix it", "--run", "test", "--yes")

    assert refused.code == 1
    why = "t.sh changed since a person accepted the command"
    assert f"executor test: not run: {why}" in refused.out
    assert not ran.exists()
    assert f"test does not run: {why}" in program("supervise", "--commands").well().err
    (listed,) = program("supervise", "--commands", "--json").well().json["commands"]
    assert (listed["files"], listed["refusal"]) == (["t.sh"], why)
    program("supervise", "--allow", "test", "sh ./t.sh").well()
    program("supervise", "fix it", "--run", "test", "--yes").well()
    assert ran.exists()


@requirement("roles.executor-runs-allowed-only")
def test_a_new_clone_at_the_same_path_inherits_no_permission(
    program: Program, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    program("supervise", "--allow", "test", f"touch {ran}").well()
    again = tmp_path / "again"
    git(tmp_path, "clone", "-q", str(program.folder), str(again))
    program.folder.rename(tmp_path / "away")
    again.rename(program.folder)

    refused = program("supervise", "fix it", "--run", "test", "--yes")

    assert refused.code == 1
    assert "nobody allowed a command of this name on this machine, in this clone" in refused.out
    assert not ran.exists()
    assert program("supervise", "--commands", "--json").well().json == {"commands": []}


@requirement("roles.latency-bound")
def test_a_command_that_hangs_is_stopped(program: Program) -> None:
    program("supervise", "--allow", "hang", "sleep 600").well()

    done = program(*("supervise", "fix it", "--run", "hang", "--yes", "--budget", "12s", "--json"))

    assert done.code == 1
    outputs = by_work(done.json, "command")["outputs"]
    assert isinstance(outputs, dict)
    assert outputs["exit_code"] is None
    assert "executor hang: did not finish" in done.json["recap"]


@requirement("roles.recap-says-what-happened")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("exit 3", "failed with exit code 3"),
        ("no-such-program-anywhere", "failed with exit code 127: a program was not found"),
        ("sh -c 'kill -9 $$'; exit $?", "did not finish: signal 9 stopped it"),
    ],
)
def test_a_command_that_did_not_pass_is_told_and_ends_with_one(
    program: Program, command: str, told: str
) -> None:
    program("supervise", "--allow", "job", command).well()

    done = program("supervise", "fix it", "--run", "job", "--yes")

    assert done.code == 1
    assert f"executor job: {told}" in done.err
    assert f"- executor job: {told}" in done.out
    shown = program("supervise", "--show", done.out.split()[0]).well()
    assert re.search(rf"executor job\tfailed\t.*{re.escape(told[:20])}", shown.out)
    assert program("supervise", "fix it", "--run", "job", "--yes", "--dry-run").code == 0


def test_the_end_of_a_long_output_is_recorded(program: Program) -> None:
    text = "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the last line; exit 4"
    program("supervise", "--allow", "big", text).well()

    done = program("supervise", "fix it", "--run", "big", "--yes", "--json")

    outputs = by_work(done.json, "command")["outputs"]
    assert isinstance(outputs, dict)
    assert outputs["output"].endswith("x\nthe last line")
    assert len(outputs["output"]) <= 2_000


def test_an_empty_name_starts_no_run(program: Program) -> None:
    for words in (("--allow=", "true"), ("--resume=",), ("--show=",), ("x", "--run=")):
        assert program("supervise", *words).code in {2, 3}
    assert program("supervise", "--list", "--json").well().json == {"runs": []}


@requirement("roles.latency-bound")
def test_a_budget_that_cannot_be_is_refused_with_the_smallest_and_an_example(
    program: Program,
) -> None:
    for words in ("1ms", "never", "0", "0s", "2w"):
        refused = program("supervise", "fix it", "--budget", words)
        assert refused.code == 2
        assert "the smallest budget is 1 second, the largest 1 day" in refused.err
    assert "for example 90s, 5m or 2h" in program("supervise", "x", "--budget", "1ms").err


@requirement("roles.fallback")
@requirement("roles.latency-bound")
@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("hangs", "and was stopped"),
        ("dies", "ended without an answer"),
        ("raises", "failed: ValueError: no idea"),
        ("missing", "no package offers it"),
        ("openai", "supervise.url is not set"),
    ],
)
def test_a_plug_in_that_fails_is_cut_off_and_rules_take_over(
    plugged: Program, name: str, problem: str, tmp_path: Path
) -> None:
    plugged("config", "set", "supervise.planner", name).well()
    seconds = "16s" if name == "hangs" else "10m"

    done = plugged("supervise", "release 1.2", "--budget", seconds, "--json").well().json

    step = by_work(done, "plan")
    assert step["specialist"] == "rules"
    assert problem in str(step["attempts"])
    assert f"planner: {name}" in done["recap"]
    if name == "hangs":
        number = int((tmp_path / "canary").read_text())
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


@requirement("roles.plan-is-bounded")
def test_a_plug_in_that_never_ends_its_plan_is_cut(plugged: Program) -> None:
    plugged("config", "set", "supervise.planner", "endless").well()
    plugged("config", "set", "supervise.curator", "odd").well()

    done = plugged("supervise", "release 1.2", "--json").well().json

    assert by_work(done, "plan")["specialist"] in {"rules", "endless"}
    assert len(plugged("task", "list", "--json").well().json["tasks"]) <= 50
    assert by_work(done, "curate")["specialist"] == "rules"


def test_what_a_plug_in_prints_does_not_spoil_its_answer(plugged: Program) -> None:
    plugged("config", "set", "supervise.planner", "odd").well()

    done = plugged("supervise", "release 1.2", "--json").well().json

    assert by_work(done, "plan")["specialist"] == "odd"
    assert "odd was here" in done["recap"]


@requirement("roles.model-is-not-trusted")
def test_a_model_plans_through_the_chat_protocol(program: Program) -> None:
    with speaking() as model:
        program("config", "set", "supervise.url", model.url).well()
        program("config", "set", "supervise.model", "small").well()
        program("config", "set", "supervise.key_env", "MODEL_KEY").well()
        program("config", "set", "supervise.planner", "openai").well()
        draft: dict[str, object] = {
            "key": "a",
            "title": "Ask Bo",
            "reuse": None,
            "after": [],
            "why": "",
        }
        plan = {"tasks": [{**draft, "command": ""}], "cites": [], "notes": []}
        model.says(f"Here you are: {json.dumps(plan)}")

        done = program("supervise", "release 1.2", "--json", env={"MODEL_KEY": "k1"}).well().json

        assert by_work(done, "plan")["specialist"] == "openai"
        assert "Ask Bo" in program("task", "list").well().out
        assert model.paths == ["/v1/chat/completions"]
        assert model.headers[0]["authorization"] == "Bearer k1"
        assert "quoted data" in model.heard
        lie = {**plan, "tasks": [{**draft, "command": "deploy"}]}
        model.says(json.dumps(lie))
        told = program("supervise", "release 1.3", "--json").well().json
        assert "names a command that it was not given" in str(by_work(told, "plan")["attempts"])


@requirement("roles.model-is-not-trusted")
@requirement("roles.fallback")
@pytest.mark.parametrize("how", ["garbage", "no object", "refuses", "hangs"])
def test_a_model_that_fails_is_replaced_by_rules(program: Program, how: str) -> None:
    with speaking() as model:
        program("config", "set", "supervise.url", model.url).well()
        program("config", "set", "supervise.model", "small").well()
        program("config", "set", "supervise.planner", "openai").well()
        stop = Event()
        if how == "garbage":
            model.mumbles(b"<html>")
        elif how == "no object":
            model.says("I cannot answer that.")
        elif how == "refuses":
            model.refuses(403)
        else:
            model.answers += [lambda: (stop.wait(60), (200, {}, b""))[1]] * 3
        try:
            budget = "16s" if how == "hangs" else "10m"
            done = program("supervise", "fix it", "--budget", budget, "--json").well().json
        finally:
            stop.set()

    step = by_work(done, "plan")
    assert step["specialist"] == "rules"
    assert "Fallbacks:" in done["recap"]


@requirement("roles.watches-git")
def test_a_stale_branch_stops_a_run_unless_a_setting_says_otherwise(
    program: Program, tmp_path: Path
) -> None:
    upstream = tmp_path / "upstream"
    git(tmp_path, "clone", "-q", "--bare", str(program.folder), str(upstream))
    git(program.folder, "remote", "add", "origin", str(upstream))
    git(program.folder, "fetch", "-q", "origin")
    git(program.folder, "branch", "-q", "--set-upstream-to=origin/main")
    commit(program.folder, "Go on")
    git(program.folder, "push", "-q", "origin", "main")
    git(program.folder, "reset", "-q", "--hard", "HEAD~1")

    stopped = program("supervise", "fix it")
    assert stopped.code == 5
    assert "main is 1 commit behind origin/main" in stopped.err
    assert program("task", "list").well().out == ""
    done = program("supervise", "fix it", "--branch", "continue", "--json").well().json
    assert done["notes"] == ["main is 1 commit behind origin/main; went on"]
    program("config", "set", "supervise.branch", "fork").well()
    assert program("supervise", "fix it", "--json").well().json["notes"]


@requirement("roles.watches-git")
def test_a_branch_that_a_command_changes_stops_the_run(program: Program) -> None:
    program("supervise", "--allow", "switch", "git switch -q -c side").well()

    stopped = program("supervise", "fix it", "--run", "switch", "--yes")

    assert stopped.code == 5
    assert "changed from main" in stopped.err
    git(program.folder, "switch", "-q", "main")
    label = program("supervise", "--list", "--json").well().json["runs"][0]["run"]["label"]
    resumed = program("supervise", "--resume", label, "--json").well().json
    assert resumed["run"]["status"] == "finished"


@requirement("roles.watches-git")
def test_a_branch_that_changes_gets_a_fork_of_the_session(program: Program) -> None:
    session = program("session", "start", "--tool", "test").well().out.split()[0]
    program("session", "did", session, "Worked on main.").well()
    program("supervise", "--allow", "switch", "git switch -q -c side").well()

    words = ("supervise", "fix it", "--run", "switch", "--yes", "--branch", "fork", "--json")
    done = program(*words).well().json

    assert any(f"forked session {session} to i_" in note for note in done["notes"]), done["notes"]
    branches = {
        one["branch"] for one in program("session", "list", "--json").well().json["sessions"]
    }
    assert branches == {"main", "side"}


@requirement("roles.resume")
def test_a_run_that_was_killed_is_resumed(plugged: Program, tmp_path: Path) -> None:
    plugged("config", "set", "supervise.planner", "hangs").well()
    canary = tmp_path / "canary"
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "holdfast", "supervise", "release 1.2"],
        cwd=plugged.folder,
        env=plugged.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while not canary.exists() or not canary.read_text():
        assert process.poll() is None
        time.sleep(PAUSE)
    process.kill()
    process.wait()
    plugged("config", "unset", "supervise.planner").well()
    run = plugged("supervise", "--list", "--json").well().json["runs"][0]
    assert (run["run"]["status"], run["over"]) == ("open", 2)

    done = plugged("supervise", "--resume", run["run"]["id"], "--json").well().json

    assert done["run"]["status"] == "finished"
    assert len(plugged("task", "list", "--json").well().json["tasks"]) == 5
    os.kill(int(canary.read_text()), 9)


@pytest.mark.parametrize("case", ["no git", "nothing committed"])
def test_a_folder_without_commits_is_supervised_too(
    program: Program, tmp_path: Path, case: str
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    if case == "nothing committed":
        git(folder, "init", "-q", "-b", "main", ".")
    plain = Program(home=program.home, folder=folder)

    done = plain("supervise", "🚀", "--json").well().json

    assert "no commits were read" in done["recap"]
    refused = plain("supervise", "--allow", "test", "true")
    assert refused.code == (3 if case == "no git" else 0)


def test_a_transcript_that_was_cut_in_half_is_read_as_far_as_it_goes(
    program: Program, tmp_path: Path
) -> None:
    folder = (
        program.home / ".claude" / "projects" / re.sub(r"[^a-zA-Z0-9]", "-", str(program.folder))
    )
    folder.mkdir(parents=True)
    said = "We decided to run the linter before each commit because reviews are slow."
    line = json.dumps(
        {
            "type": "user",
            "uuid": "u1",
            "sessionId": "s1",
            "cwd": str(program.folder),
            "message": {"role": "user", "content": said},
        }
    )
    (folder / "s1.jsonl").write_text(f"{line}\n{line[:40]}", encoding="utf-8")
    assert tmp_path.exists()

    done = program("supervise", "tidy", "--json").well().json

    step = by_work(done, "history")
    assert str(step["inputs"]).count("'session': 's1'") == 1
    assert "linter" in program("review").well().out
    again = program("supervise", "tidy", "--json").well().json
    assert "'transcripts': []" in str(by_work(again, "history")["inputs"])


@pytest.mark.parametrize(
    "words",
    [
        ("supervise",),
        ("supervise", "--list", "--commands"),
        ("supervise", "x", "--show", "run-1"),
        ("supervise", "x", "--budget", "soon"),
        ("supervise", "x", "--budget", "never"),
        ("supervise", "x", "--budget", "0"),
        ("supervise", "x", "--branch", "maybe"),
        ("supervise", " "),
    ],
)
def test_odd_words_are_refused_with_the_reason(program: Program, words: tuple[str, ...]) -> None:
    assert program(*words).code == 2


def test_unknown_and_plain_runs_are_named(program: Program) -> None:
    assert program("supervise", "--show", "run-1999-01-01-1").code == 3
    label = program("run", "start", "--json").well().json["run"]["label"]
    found = program("supervise", "--replay", label)
    assert found.code == 3
    assert "nobody supervised it" in found.err
