"""Caution: warn once before a tool acts, if a memory is about exactly this action.

The store is opened only after a matching memory was found.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.sessions.hook_calls import HookAnswer, warned
from holdfast.domain.values import replace
from holdfast.usecases.sessions.hook_ports import Draft, note_place
from holdfast.usecases.sessions.turn_keeping import note_action

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.alerting import Caution
    from holdfast.domain.sessions.hook_calls import HookCall, ToolSession
    from holdfast.domain.sessions.tool_action import ToolAction
    from holdfast.usecases.sessions.hook_ports import HookPorts

_ON = "on"


def caution(hook_call: HookCall, session: ToolSession, ports: HookPorts) -> None:
    """Answer a tool that is about to act; nearly always with nothing."""
    from holdfast.domain.sessions.tool_action import doing

    root = ports.aids.root(hook_call.folder)
    act = doing(hook_call.used, hook_call.given, folder=hook_call.folder, root=root)
    draft = Draft(session)
    found = () if act.is_nothing else _speaking_up(act, hook_call, draft, ports)
    if not found:
        draft.deliver(HookAnswer(), ports)
        note_action(act, hook_call, ports)
        return
    with ExitStack() as held:
        # Without the lock, two hooks of one tool may both warn. That is better than no warning.
        with suppress(UnavailableError):
            held.enter_context(ports.sessions.turn(hook_call.session))
        draft.session = ports.sessions.change(hook_call.session, lambda now: now)
        answer = _spoken(found, act, hook_call, draft, ports)
        draft.deliver(answer, ports)
    if not answer.stop:
        note_action(act, hook_call, ports)


def _speaking_up(
    act: ToolAction, hook_call: HookCall, draft: Draft, ports: HookPorts
) -> Sequence[Caution]:
    if hook_call.folder not in draft.session.places:
        note_place(hook_call, ports.aids.recall_ports(), draft, ports)
    _, repo, workspace = draft.session.places[hook_call.folder]
    known = set(draft.session.warned)
    cautions = ports.watch.cautions(act, repo=repo, workspace=workspace)
    due = [one for one in cautions if one.is_binding or one.memory not in known]
    if not due:
        return ()
    from holdfast.domain.sessions.alerting import speaking_up

    return speaking_up(due, act)


def _spoken(
    found: Sequence[Caution],
    act: ToolAction,
    hook_call: HookCall,
    draft: Draft,
    ports: HookPorts,
) -> HookAnswer:
    """Return the warnings that are new in this session; block the tool only if a person set so."""
    from holdfast.domain.text.outside import words_outside
    from holdfast.usecases.sessions.warn import warn

    names = tuple(one.memory for one in found)
    fresh = _unknown(names, draft.session)
    draft.change(lambda now: warned(now, _unknown(names, now), is_owed=not hook_call.hears))
    is_held = any(one.is_binding for one in found) and ports.aids.setting("hook.enforce") == _ON
    if not fresh and not is_held:
        return HookAnswer()
    told = names if is_held else fresh
    said = warn(told, ports=ports.aids.recall_ports(), paths=act.paths)
    if not is_held or not said.text:
        return HookAnswer(context=said.text if hook_call.hears else "")
    draft.change(lambda now: replace(now, stops=now.stops + 1))
    claim = words_outside(said.first)
    reason = f"A rule of this repository speaks against it ({said.memories[0]}): {claim}"
    return HookAnswer(context=said.text if hook_call.hears else "", stop=reason)


def _unknown(names: tuple[str, ...], session: ToolSession) -> tuple[str, ...]:
    return tuple(name for name in names if name not in session.warned)


def owed(draft: Draft, ports: HookPorts) -> str:
    """Return a warning that the tool could not accept when it was due."""
    from holdfast.usecases.sessions.warn import warn

    names = draft.session.owed
    draft.change(
        lambda now: replace(now, owed=tuple(name for name in now.owed if name not in names))
    )
    return warn(names, ports=ports.aids.recall_ports()).text
