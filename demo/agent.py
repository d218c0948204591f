"""``python -m demo.agent``: an agent is killed in the middle of its work, resumes and finishes.

Its workspace is restored bit for bit before it goes on.

Everything runs in a temporary folder; nothing of yours is touched.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import holdfast
from demo.repository import make_repository
from demo.story import CommitRecord
from holdfast.domain.memory.recognising import AGENTS, ORIGIN_VARIABLE

NAME = "refactor-bot"
STEPS = ("read the module", "remove the unused import", "run the tests", "write the report")
_DIES_AT = 3


def work(*, dies_at: int) -> None:
    """Act for the agent: do the steps that are missing; die in the tool of one of them."""
    with holdfast.open() as hf, hf.agents.open(NAME, take_over=True) as agent:
        if agent.resume().last is not None:
            agent.workspace.restore()
        done = len([one for one in hf.agents.cycles(NAME, limit=100) if one.result is not None])
        for number, step in enumerate(STEPS[done:], start=done + 1):
            with agent.cycle(unfinished=True) as cycle:
                if cycle.cycle.proposal is None:
                    cycle.propose(tool=step, reasoning=f"step {number} of {len(STEPS)}")
                with agent.workspace.track():
                    use_tool(agent.workspace.folder, number, dies=number == dies_at)
                cycle.result(f"done: {step}", output={"step": number})
                cycle.remember(f"Step {number} needs no network.")


def use_tool(folder: Path, number: int, *, dies: bool) -> None:
    """Write a file for the step; a tool that dies leaves half of its work and breaks the rest."""
    if dies:
        (folder / f"step-{number}.txt").write_bytes(b"half of a l")
        (folder / "step-1.txt").unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    (folder / f"step-{number}.txt").write_bytes(f"step {number} is done\n".encode() * 1_000)


def pictured(folder: Path) -> dict[str, bytes]:
    """Return the content of each file of a folder."""
    return {one.name: one.read_bytes() for one in sorted(folder.iterdir())}


def tell(story: CommitRecord) -> None:
    """Start the agent, kill it, look, let another process finish, and check."""
    story.say("1. An agent begins its work: each step is a proposal, then a result.")
    killed = _process(story, dies_at=_DIES_AT)
    _demand(killed == -signal.SIGKILL, "the agent was not killed")
    story.show(f"the process was killed with kill -9 in the tool of step {_DIES_AT}")
    story.say("2. Nothing is lost: the last complete cycle, and what was never finished.")
    said = story.run("holdfast", "agent", "resume", NAME)
    _demand(STEPS[1] in said, "resume does not name the last complete step")
    _demand(STEPS[2] in said, "resume does not name the unfinished step")
    story.run("holdfast", "agent", "cycles", NAME)
    _restore(story)
    story.say("4. Another process takes over, goes on with the unfinished cycle, and finishes.")
    _demand(_process(story, dies_at=0) == 0, "the second process failed")
    listed = story.run("holdfast", "agent", "cycles", NAME)
    _demand(listed.count("complete") == len(STEPS), "not every step is complete, or one is doubled")
    left = pictured(story.repository / "agents" / NAME)
    _demand(left == _after(len(STEPS)), "the workspace is not what the tools wrote")
    story.say("5. Its notes are its own: the agent recalls them, and nobody else does.")
    _recall(story)
    story.say("6. The store checks itself; then the agent is deleted with everything of its own.")
    story.run("holdfast", "doctor")
    story.run("holdfast", "agent", "delete", NAME, "--yes")
    _demand("No agents" in story.run("holdfast", "agent", "list"), "the agent is still there")


def _after(steps: int) -> dict[str, bytes]:
    """Return what the workspace must be after so many whole steps."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, steps + 1):
            use_tool(Path(folder), number, dies=False)
        return pictured(Path(folder))


def _restore(story: CommitRecord) -> None:
    """Restore the workspace as the last complete cycle left it, and compare every byte."""
    story.say("3. The tool left half of a file. The workspace is restored to the last whole cycle.")
    whole, home = _after(_DIES_AT - 1), story.environment["HOLDFAST_HOME"]
    work = story.repository / "agents" / NAME
    _demand(pictured(work) != whole, "the killed tool left no trace")
    opened = holdfast.open(story.repository, home=home)
    with opened as hf, hf.agents.open(NAME, take_over=True) as agent:
        done = agent.workspace.restore()
    for path, step in sorted(done.steps.items()):
        story.show(f"{step}  {path}")
    _demand(pictured(work) == whole, "the workspace is not what the last whole cycle left")
    _demand(done.displaced is not None, "what the killed tool left was not kept")
    story.show("every byte is as the last whole cycle left it")


def _recall(story: CommitRecord) -> None:
    home = story.environment["HOLDFAST_HOME"]
    with holdfast.open(story.repository, home=home) as hf:
        with hf.agents.open(NAME) as agent:
            mine = str(agent.recall("which step needs the network", budget=700))
        others = str(hf.recall("which step needs the network"))
    story.show(mine)
    _demand("a note of the agent that asks" in mine, "the agent does not find its own note")
    _demand("needs no network" not in others, "somebody else got a note of the agent")


def _process(story: CommitRecord, *, dies_at: int) -> int:
    """Run the agent in a process of its own; return its exit code."""
    command = [sys.executable, "-m", "demo.agent", "--act", str(dies_at)]
    story.show(f"$ python -m demo.agent --act {dies_at}")
    root = str(Path(__file__).parents[1])
    environment = story.environment | {"PYTHONPATH": root}
    done = subprocess.run(command, cwd=story.repository, env=environment, check=False)
    return done.returncode


def _demand(is_so: bool, otherwise: str) -> None:  # noqa: FBT001 - a condition, as in assert
    if not is_so:
        sys.exit(f"the demo failed: {otherwise}")


def main() -> None:
    """Tell the story in a temporary folder, or act for the agent in it."""
    parser = argparse.ArgumentParser(prog="python -m demo.agent", description=__doc__)
    parser.add_argument("--quiet", action="store_true", help="print nothing; only fail or not")
    parser.add_argument("--act", type=int, metavar="STEP", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.act is not None:
        work(dies_at=given.act)
        return
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        hidden = {*AGENTS, ORIGIN_VARIABLE, "HOLDFAST_SPACE", "HOLDFAST_STORE"}
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        environment = kept | {"HOLDFAST_HOME": str(home), "HOME": folder, "NO_COLOR": "1"}
        repository = make_repository(Path(folder) / "shop", environment)
        tell(CommitRecord(repository=repository, environment=environment, quiet=given.quiet))


if __name__ == "__main__":
    main()
