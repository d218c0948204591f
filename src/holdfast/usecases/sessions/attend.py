"""Attend: answer a hook call of a tool with what its session needs now, and no more.

Most calls need nothing, so modules are imported only when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.sessions.hooking import (
    NEWS_CHARACTERS,
    NEWS_TOKENS,
    START_CHARACTERS,
    START_TOKENS,
    Happening,
    HookAnswer,
    Want,
    how_to_reload,
    is_claimed,
    noted,
    told,
    wants,
)
from holdfast.domain.values import replace
from holdfast.usecases.sessions.post import note_place

if TYPE_CHECKING:
    from holdfast.domain.sessions.hooking import Occasion, ToolSession
    from holdfast.usecases.recall.briefing import Brief
    from holdfast.usecases.sessions.post import HookPorts

KEEP_SECONDS = 14 * 86_400
_ON, _ASK, _AUTO = "on", "ask", "auto"


def attend(occasion: Occasion, *, post: HookPorts) -> HookAnswer:
    """Answer one hook call; duplicate calls for the same event are answered once."""
    now, is_taken = post.aids.now(), False

    def note(sitting: ToolSession) -> ToolSession:
        nonlocal is_taken
        is_taken = is_claimed(sitting, occasion, now=now)
        return sitting if is_taken else noted(sitting, occasion, now=now)

    try:
        sitting = post.sittings.change(occasion.session, note)
    except UnavailableError:
        return _without_a_note(occasion, post)
    if is_taken:
        return HookAnswer()
    match occasion.happening:
        case Happening.BEFORE_TOOL:
            from holdfast.usecases.sessions.cautioning import caution

            return caution(occasion, sitting, post)
        case Happening.START | Happening.PROMPT:
            return _told_in_turn(occasion, post)
        case _ if wants(occasion, sitting) is Want.PROPOSALS:
            return _proposals(replace(occasion, transcript=sitting.transcript), post)
        case _:
            return HookAnswer()


def _told_in_turn(occasion: Occasion, post: HookPorts) -> HookAnswer:
    """Answer calls one after the other: some tools start a session and send a prompt at once."""
    if occasion.happening is Happening.START:
        post.sittings.prune(before=post.aids.now() - KEEP_SECONDS)
    with post.sittings.turn(occasion.session):
        sitting = post.sittings.change(occasion.session, _same)
        want = wants(occasion, sitting)
        if want is Want.NOTHING or not occasion.hears:
            return HookAnswer()
        return _told(want, occasion, sitting, post)


def _told(want: Want, occasion: Occasion, sitting: ToolSession, post: HookPorts) -> HookAnswer:
    match want:
        case Want.WHOLE:
            said = _whole(occasion, sitting, post)
        case Want.ANSWER:
            news = _news(occasion, sitting, post)
            # The answer need not repeat the news.
            answer = _answer(occasion, post.sittings.change(occasion.session, _same), post)
            said = replace(news, context=_joined(news.context, answer))
        case _:
            said = _news(occasion, sitting, post)
    if not sitting.owed or occasion.happening is not Happening.PROMPT:
        return said
    from holdfast.usecases.sessions.cautioning import owed

    return replace(said, context=_joined(owed(sitting, post), said.context))


def _whole(occasion: Occasion, sitting: ToolSession, post: HookPorts) -> HookAnswer:
    """Return the bundle of a session: what applies here, and an answer to the prompt if any."""
    from holdfast.usecases.recall.briefing import Brief

    pulse = post.watch.pulse(0)
    if pulse is None:
        return HookAnswer()
    tokens, characters = sitting.room
    wish = Brief(goal=occasion.prompt, tokens=tokens, characters=characters)
    if occasion.happening is Happening.START:
        wish = Brief(tokens=START_TOKENS, characters=START_CHARACTERS, closing=post.aids.badge())
    text = _briefed(wish, occasion, post)
    is_prompt = occasion.happening is Happening.PROMPT
    post.sittings.change(
        occasion.session,
        lambda now: replace(
            now,
            is_briefed=True,
            is_answered=is_prompt and bool(text),
            sequence=pulse.newest,
        ),
    )
    return HookAnswer(context=text)


def _answer(occasion: Occasion, sitting: ToolSession, post: HookPorts) -> str:
    """Answer an early prompt within the room that is left of the bundle."""
    from holdfast.domain.ids import MemoryId
    from holdfast.usecases.recall.briefing import Brief

    tokens, characters = sitting.room
    wish = Brief(
        goal=occasion.prompt,
        tokens=tokens,
        characters=characters,
        governs=False,
        told=frozenset(map(MemoryId, sitting.told)),
    )
    text = _briefed(wish, occasion, post)
    if text:
        post.sittings.change(occasion.session, lambda now: replace(now, is_answered=True))
    return text


def _briefed(wish: Brief, occasion: Occasion, post: HookPorts) -> str:
    from holdfast.usecases.recall.briefing import brief

    means = post.aids.means()
    found = brief(wish, means=means, keep_in=post.aids.keep_in())
    note_place(occasion, means, post)
    if found.text:
        tokens, characters = means.counter.count(found.text), len(found.text)
        post.sittings.change(
            occasion.session,
            lambda now: told(now, found.memories, tokens=tokens, characters=characters),
        )
    return found.text


def _news(occasion: Occasion, sitting: ToolSession, post: HookPorts) -> HookAnswer:
    """Report what changed; the store is not opened if nothing did."""
    pulse = post.watch.pulse(sitting.sequence)
    if pulse is None or not pulse.has_news:
        return HookAnswer()
    from holdfast.usecases.sessions.news import TellNews, tell_news

    wish = TellNews(
        since=sitting.sequence,
        told=frozenset(sitting.told),
        tokens=NEWS_TOKENS,
        characters=NEWS_CHARACTERS,
    )
    found = tell_news(wish, means=post.aids.means())
    ended = set(found.ended)

    def note(now: ToolSession) -> ToolSession:
        left = tuple(name for name in now.told if name not in ended)
        fresh = replace(now, told=left, sequence=found.newest, news=now.news + bool(found.text))
        return told(fresh, found.new)

    post.sittings.change(occasion.session, note)
    if not found.new:
        return HookAnswer(context=found.text)
    return _reloading(found.text, occasion, sitting, post)


def _reloading(text: str, occasion: Occasion, sitting: ToolSession, post: HookPorts) -> HookAnswer:
    """Report news to a tool that loads its files only once, according to the person's setting."""
    how = how_to_reload(occasion.tool)
    wanted = post.aids.setting("restart") if how else ""
    if wanted == _AUTO:
        from holdfast.usecases.recall.briefing import Brief

        whole = _briefed(Brief(closing=post.aids.badge()), occasion, post)
        return HookAnswer(context=whole or text)
    if wanted != _ASK or sitting.is_asked_to_restart:
        return HookAnswer(context=text)
    post.sittings.change(occasion.session, lambda now: replace(now, is_asked_to_restart=True))
    message = f"holdfast: memory changed, and this session was told. To load it whole: {how}."
    return HookAnswer(context=text, message=message)


def _proposals(occasion: Occasion, post: HookPorts) -> HookAnswer:
    if post.aids.setting("hook.propose") == _ON and post.leaving.propose(occasion):
        post.sittings.change(
            occasion.session,
            lambda now: replace(now, turns=0, proposals=now.proposals + 1),
        )
    return HookAnswer()


def _without_a_note(occasion: Occasion, post: HookPorts) -> HookAnswer:
    """Answer a session start even if no state can be stored; later calls get no answer."""
    if occasion.happening is not Happening.START or not occasion.hears or occasion.is_subagent:
        return HookAnswer()
    from holdfast.usecases.recall.briefing import Brief, brief

    wish = Brief(tokens=START_TOKENS, characters=START_CHARACTERS, closing=post.aids.badge())
    return HookAnswer(
        context=brief(wish, means=post.aids.means(), keep_in=post.aids.keep_in()).text
    )


def _same(sitting: ToolSession) -> ToolSession:
    return sitting


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)
