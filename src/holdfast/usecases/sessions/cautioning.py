"""Caution: warn once before a tool acts, if a memory is about exactly this action.

The store is opened only after a matching memory was found.
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.sessions.hooking import HookAnswer, warned
from holdfast.domain.values import replace
from holdfast.usecases.sessions.post import Draft, note_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.sessions.caution import Caution
    from holdfast.domain.sessions.doing import Doing
    from holdfast.domain.sessions.hooking import Occasion, ToolSession
    from holdfast.usecases.sessions.post import HookPorts

_ON = "on"


def caution(occasion: Occasion, sitting: ToolSession, post: HookPorts) -> None:
    """Answer a tool that is about to act; nearly always with nothing."""
    from holdfast.domain.sessions.doing import doing

    root = post.aids.root(occasion.folder)
    act = doing(occasion.used, occasion.given, folder=occasion.folder, root=root)
    draft = Draft(sitting)
    found = () if act.is_nothing else _speaking_up(act, occasion, draft, post)
    if not found:
        draft.deliver(HookAnswer(), post)
        return
    with ExitStack() as held:
        # Without the lock, two hooks of one tool may both warn. That is better than no warning.
        with suppress(UnavailableError):
            held.enter_context(post.sittings.turn(occasion.session))
        draft.sitting = post.sittings.change(occasion.session, lambda now: now)
        draft.deliver(_spoken(found, occasion, draft, post), post)


def _speaking_up(
    act: Doing, occasion: Occasion, draft: Draft, post: HookPorts
) -> Sequence[Caution]:
    if occasion.folder not in draft.sitting.places:
        note_place(occasion, post.aids.means(), draft, post)
    _, repo, workspace = draft.sitting.places[occasion.folder]
    known = set(draft.sitting.warned)
    cautions = post.watch.cautions(act, repo=repo, workspace=workspace)
    due = [one for one in cautions if one.is_binding or one.memory not in known]
    if not due:
        return ()
    from holdfast.domain.sessions.alerting import speaking_up

    return speaking_up(due, act)


def _spoken(
    found: Sequence[Caution], occasion: Occasion, draft: Draft, post: HookPorts
) -> HookAnswer:
    """Return the warnings that are new in this session; block the tool only if a person set so."""
    from holdfast.usecases.sessions.warn import warn

    names = tuple(one.memory for one in found)
    fresh = _unknown(names, draft.sitting)
    draft.change(lambda now: warned(now, _unknown(names, now), is_owed=not occasion.hears))
    is_held = any(one.is_binding for one in found) and post.aids.setting("hook.enforce") == _ON
    if not fresh and not is_held:
        return HookAnswer()
    said = warn(names if is_held else fresh, means=post.aids.means())
    if not is_held or not said.text:
        return HookAnswer(context=said.text if occasion.hears else "")
    draft.change(lambda now: replace(now, stops=now.stops + 1))
    reason = f"A rule of this repository speaks against it ({said.memories[0]}): {said.first}"
    return HookAnswer(context=said.text if occasion.hears else "", stop=reason)


def _unknown(names: tuple[str, ...], sitting: ToolSession) -> tuple[str, ...]:
    return tuple(name for name in names if name not in sitting.warned)


def owed(draft: Draft, post: HookPorts) -> str:
    """Return a warning that the tool could not accept when it was due."""
    from holdfast.usecases.sessions.warn import warn

    names = draft.sitting.owed
    draft.change(
        lambda now: replace(now, owed=tuple(name for name in now.owed if name not in names))
    )
    return warn(names, means=post.aids.means()).text
