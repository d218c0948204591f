"""One answer of one specialist, in a process that can be killed: JSON in, JSON out.

The inputs come on standard input and the answer goes to standard output; what a plug-in prints
goes to standard error, so that it cannot spoil the answer.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.ports.roles.specialists import SpecialistPlugIn

GROUP = "holdfast.specialist"
RULES, OPENAI = "rules", "openai"
_SPARE_SECONDS = 2.0


def main() -> None:
    """Answer the question on standard input."""
    back = os.dup(1)
    os.dup2(2, 1)
    asked = json.load(sys.stdin.buffer)
    # If the supervisor was killed, nobody else stops this process.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, float(asked["seconds"]) + _SPARE_SECONDS)
    shape = json.dumps(_answer(asked))
    with os.fdopen(back, "w", encoding="utf-8") as out:
        out.write(shape)


def _answer(asked: Mapping[str, object]) -> dict[str, object]:
    """Return the answer, or the problem in words."""
    from holdfast.domain.errors import HoldfastError

    try:
        return {"outputs": _outputs(asked)}
    except HoldfastError as error:
        return {"problem": f"failed: {error}"}
    except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001 - a plug-in may raise anything
        from holdfast.domain.gates.foreign_words import failure_of

        return {"problem": f"failed: {failure_of(error)}"}


def _outputs(asked: Mapping[str, object]) -> object:
    from holdfast.domain.roles.step import StepWork

    name, work = str(asked["name"]), StepWork(str(asked["work"]))
    inputs = cast("Mapping[str, object]", asked["inputs"])
    if name == RULES:
        from holdfast.heuristics.planning.specialists import rules_answer

        return rules_answer(work, inputs)
    seconds = float(str(asked["seconds"]))
    if name == OPENAI:
        from holdfast.adapters.proposing.chat import ChatAccess, ChatSpecialist

        access = cast("Mapping[str, str]", asked["access"])
        chat = ChatSpecialist(
            ChatAccess(
                url=access["url"],
                model=access["model"],
                key=os.environ.get(access["key_env"], ""),
                tokens=int(access["tokens"]),
            )
        )
        return chat.answer(work.value, inputs, seconds=seconds)
    from holdfast.bootstrap.plugs.plugging import plugged_in

    made = plugged_in(GROUP, name, setting=f"supervise.{work.value}")()
    return cast("SpecialistPlugIn", made).answer(work.value, inputs, seconds=seconds)


if __name__ == "__main__":
    main()
