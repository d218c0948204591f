"""Turn keeping: note what hooks see of a turn, and have it stored when the turn ends.

A hook must be quick, so it only writes a line; another process stores the turn. What a killed tool
left is stored when the next session begins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

from holdfast.domain.sessions.hook_calls import HookEvent, is_command

if TYPE_CHECKING:
    from holdfast.domain.sessions.hook_calls import HookCall, ToolSession
    from holdfast.domain.sessions.tool_action import ToolAction
    from holdfast.usecases.sessions.hook_ports import HookPorts


def begin_turn(hook_call: HookCall, session: ToolSession, ports: HookPorts) -> None:
    """Note the prompt that begins a turn."""
    keeping = ports.keeping
    if keeping is None or session.is_off_record or is_command(hook_call.prompt):
        return
    if hook_call.is_subagent:
        return
    from holdfast.domain.sessions.pending import PendingTurn

    branch, head = keeping.where()
    count = f"{session.prompts}:{crc32(hook_call.prompt.encode('utf-8', 'replace')):x}"
    turn = PendingTurn(
        session=hook_call.session,
        tool=hook_call.tool,
        began=session.began,
        root=ports.aids.root(hook_call.folder),
        key=f"{hook_call.session}:{hook_call.turn or count}",
        asked=hook_call.prompt,
        branch=branch,
        head=head,
    )
    keeping.pending.begin(turn)


def note_action(act: ToolAction, hook_call: HookCall, ports: HookPorts) -> None:
    """Note what a tool does in the turn that it works on."""
    if ports.keeping is not None and not act.is_nothing:
        # A command that another one starts is the end of that one; a turn names it once.
        commands = [
            " ".join(words)
            for words in act.commands
            if not any(words != one and words == one[-len(words) :] for one in act.commands)
        ]
        ports.keeping.pending.add(hook_call.session, commands=commands, paths=act.paths)


def note_ask(hook_call: HookCall, ports: HookPorts) -> None:
    """Note what the tool asks a person to allow, in the turn that waits for the answer."""
    if ports.keeping is None:
        return
    from holdfast.domain.sessions.tool_action import asked_for

    if what := asked_for(hook_call.used, hook_call.given):
        ports.keeping.pending.ask(hook_call.session, what)


def finish_turn(hook_call: HookCall, session: ToolSession, ports: HookPorts) -> None:
    """Have the turns of a session stored by another process; after the last one it is ended."""
    keeping = ports.keeping
    if keeping is None or hook_call.is_subagent:
        return
    transcript = hook_call.transcript or session.transcript
    is_new = keeping.pending.end(hook_call.session, transcript=transcript, reply=hook_call.reply)
    is_last = hook_call.happening is HookEvent.END and session.prompts > 0
    if is_new or (is_last and not session.is_off_record):
        ports.leaving.keep_turns(hook_call, prompts=session.prompts)
