"""Caution: warn once before a tool acts, if a memory is about exactly this action.

The store is opened only after a matching memory was found.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.sessions.hooking import HookAnswer, warned
from holdfast.domain.values import replace
from holdfast.usecases.sessions.post import note_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.caution import Caution
    from holdfast.domain.sessions.doing import Doing
    from holdfast.domain.sessions.hooking import Occasion, ToolSession
    from holdfast.usecases.sessions.post import HookPorts

_ON = "on"


def caution(occasion: Occasion, sitting: ToolSession, post: HookPorts) -> HookAnswer:
    """Answer a tool that is about to act; nearly always with nothing."""
    from holdfast.domain.sessions.doing import doing

    root = post.aids.root(occasion.folder)
    act = doing(occasion.used, occasion.given, folder=occasion.folder, root=root)
    if act.is_nothing:
        return HookAnswer()
    found = _speaking_up(act, occasion, sitting, post)
    if not found:
        return HookAnswer()
    return _spoken(found, occasion, post)


def _speaking_up(
    act: Doing, occasion: Occasion, sitting: ToolSession, post: HookPorts
) -> Sequence[Caution]:
    if occasion.folder not in sitting.places:
        sitting = note_place(occasion, post.aids.means(), post)
    _, repo, workspace = sitting.places[occasion.folder]
    known = set(sitting.warned)
    cautions = post.watch.cautions(act, repo=repo, workspace=workspace)
    due = [one for one in cautions if one.is_binding or one.memory not in known]
    if not due:
        return ()
    from holdfast.domain.sessions.alerting import speaking_up

    return speaking_up(due, act)


def _spoken(found: Sequence[Caution], occasion: Occasion, post: HookPorts) -> HookAnswer:
    """Return the warnings that are new in this session; block the tool only if a person set so."""
    from holdfast.usecases.sessions.warn import warn

    names = [one.memory for one in found]
    fresh: list[str] = []

    def note(now: ToolSession) -> ToolSession:
        fresh[:] = [name for name in names if name not in now.warned]
        return warned(now, tuple(fresh), is_owed=not occasion.hears)

    post.sittings.change(occasion.session, note)
    is_held = any(one.is_binding for one in found) and post.aids.setting("hook.enforce") == _ON
    if not fresh and not is_held:
        return HookAnswer()
    said = warn(names if is_held else fresh, means=post.aids.means())
    if not is_held or not said.text:
        return HookAnswer(context=said.text if occasion.hears else "")
    post.sittings.change(occasion.session, lambda now: replace(now, stops=now.stops + 1))
    reason = f"A rule of this repository speaks against it ({said.memories[0]}): {said.first}"
    return HookAnswer(context=said.text if occasion.hears else "", stop=reason)


def owed(sitting: ToolSession, post: HookPorts) -> str:
    """Return a warning that the tool could not accept when it was due."""
    from holdfast.usecases.sessions.warn import warn

    post.sittings.change(sitting.session, lambda now: replace(now, owed=()))
    return warn(sitting.owed, means=post.aids.means()).text
