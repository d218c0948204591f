"""Print a kept answer beside today's answer to the same question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.terminal.colour import Bad, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.wire.recall import replay_json

if TYPE_CHECKING:
    from holdfast.domain.recall.rendering import Recalled
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.recall.recall import Replay


def show_replay(replay: Replay, output: Output) -> None:
    """Write today's answer to a question, and its differences from the kept answer."""
    if output.as_json:
        output.json(replay_json(replay))
        return
    bundle = replay.before.bundle
    output.say(Name(bundle.id), f"  {bundle.asked_at:%Y-%m-%d %H:%M} UTC  ", bundle.question.text)
    if replay.is_same:
        count = len(bundle.items)
        output.say(Good("same"), f"  {count} item{'s' if count != 1 else ''}, in the same order")
        return
    for name in replay.lost:
        output.say(Bad("- "), Name(name), "  ", _words(name, replay.before))
    for name in replay.gained:
        output.say(Good("+ "), Name(name), "  ", _words(name, replay.now))
    if replay.reordered:
        output.say(Warn("~ "), "the memories in both answers come in another order")
        for name in (item.memory_id for item in replay.now.bundle.items):
            output.say(Dim("  "), Name(name))


def _words(name: str, recalled: Recalled) -> str:
    for memory_id, record in recalled.records.items():
        if memory_id == name:
            return one_line(record.memory.claim)
    return "forgotten since; its text is gone"
