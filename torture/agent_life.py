"""One life of an agent: it resumes, then proposes, works, records and notes until it dies.

Every step is written to a journal outside the store before it is tried and after it is
acknowledged, so that the checks know what must be there and what may be there.
"""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import holdfast
from holdfast.domain.agent_errors import AgentTakenOverError
from holdfast.domain.agents.agent import AgentLease
from holdfast.ports.store.store import Transaction
from holdfast.usecases.agents import cycling, noting
from holdfast.usecases.agents.opening import AgentOpening
from torture.plants import Plant, planted

NAME = "torture-bot"
TRY, ACK, OPEN, REFUSED, ERROR = "TRY", "ACK", "OPEN", "REFUSED", "ERROR"
POINTS = ("begun", "proposed", "tool", "recorded", "noted")
"""Where a life may end by itself; every other kill comes at a random moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A line of the journal: which opening did what, in which cycle, with which token."""

    word: str
    epoch: int
    what: str = ""
    cycle: int = 0
    token: str = ""


def read_steps(path: Path) -> list[Step]:
    """Read a journal; a line that a kill cut is ignored."""
    steps: list[Step] = []
    for line in path.read_text("utf-8", "replace").splitlines() if path.exists() else ():
        try:
            steps.append(Step(**json.loads(line)))
        except (json.JSONDecodeError, TypeError):
            continue
    return steps


class AgentLife:
    """The work of one process that acts for the agent."""

    def __init__(
        self, home: Path, journal: Path, *, seed: int, ends_at: str = "", stops_at: str = ""
    ) -> None:
        self._home = home
        self._file = os.open(journal, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        self._chance = random.Random(seed)
        self._ends_at = ends_at
        self._stops_at = stops_at
        self._epoch = 0
        self._steps = 0

    def run(self) -> None:
        """Act for the agent until killed, or until another process has taken over."""
        _plant_here()
        with holdfast.open(home=self._home, folder=self._home.parent) as memory:
            agent = memory.agents.open(NAME, take_over=True)
            self._epoch = agent.opening.epoch
            self._say(OPEN)
            try:
                while True:
                    self._cycle(agent)
            except AgentTakenOverError:
                self._say(REFUSED)
            except holdfast.HoldfastError as error:
                self._say(ERROR, what=f"{type(error).__name__}: {error}")

    def _cycle(self, agent: holdfast.RunningAgent) -> None:
        """Go on with the unfinished cycle, or begin one; a tool that may have run runs again."""
        cycle = agent.cycle(unfinished=True)
        index = cycle.index
        self._may_end("begun")
        if cycle.cycle.proposal is None:
            self._do(
                "proposal",
                index,
                lambda token: cycle.propose(tool="work", args={"mark": token}, plan=["one"]),
            )
        self._may_end("proposed")
        self._may_end("tool")
        self._do("result", index, lambda token: cycle.result(token, output={"mark": token}))
        self._may_end("recorded")
        if self._chance.random() < 0.3:
            self._do("note", index, lambda token: cycle.remember(f"Saw {token}."))
        self._may_end("noted")

    def _do(self, what: str, cycle: int, action: Callable[[str], object]) -> None:
        self._steps += 1
        token = f"e{self._epoch}p{os.getpid()}s{self._steps}"
        self._say(TRY, what=what, cycle=cycle, token=token)
        if planted(Plant.ACK_EARLY):
            self._say(ACK, what=what, cycle=cycle, token=token)
        action(token)
        if not planted(Plant.ACK_EARLY):
            self._say(ACK, what=what, cycle=cycle, token=token)

    def _may_end(self, point: str) -> None:
        if point == self._ends_at and self._chance.random() < 0.5:
            os.kill(os.getpid(), signal.SIGKILL)
        if point == self._stops_at and self._chance.random() < 0.5:
            # Between two writes: a process that stops inside one keeps the store locked.
            self._stops_at = ""
            os.kill(os.getpid(), signal.SIGSTOP)

    def _say(self, word: str, *, what: str = "", cycle: int = 0, token: str = "") -> None:
        said = {"word": word, "epoch": self._epoch, "what": what, "cycle": cycle, "token": token}
        os.write(self._file, f"\n{json.dumps(said)}\n".encode())


def _plant_here() -> None:
    """Plant the bug below the agent: nobody checks whose turn it is."""
    if planted(Plant.NO_LEASE):
        for module in (cycling, noting):
            vars(module)["hold"] = _unchecked


def _unchecked(opening: AgentOpening, now: object, *, tx: Transaction) -> AgentLease:
    del now
    lease = tx.diary.agents.names.lease(opening.agent.id)
    assert lease is not None
    return lease
