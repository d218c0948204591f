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
    counted,
    how_to_reload,
    is_claimed,
    noted,
    told,
    wants,
)
from holdfast.domain.values import replace
from holdfast.usecases.sessions.post import Draft, note_place

if TYPE_CHECKING:
    from holdfast.domain.sessions.hooking import Occasion, ToolSession
    from holdfast.usecases.recall.briefing import Brief
    from holdfast.usecases.sessions.post import HookPorts

KEEP_SECONDS = 14 * 86_400
_ON, _ASK, _AUTO = "on", "ask", "auto"
_IN_TURN = frozenset({Happening.START, Happening.PROMPT})


def attend(occasion: Occasion, *, post: HookPorts) -> None:
    """Answer one hook call; duplicate calls for the same event are answered once."""
    try:
        sitting, is_taken = _noted(occasion, post)
    except UnavailableError:
        post.say(_without_a_note(occasion, post))
        return
    if is_taken:
        post.say(HookAnswer())
        return
    match occasion.happening:
        case Happening.BEFORE_TOOL:
            from holdfast.usecases.sessions.cautioning import caution

            caution(occasion, sitting, post)
        case Happening.START | Happening.PROMPT:
            _tell_in_turn(occasion, post)
        case _:
            if wants(occasion, sitting) is Want.PROPOSALS:
                _propose(replace(occasion, transcript=sitting.transcript), post)
            post.say(HookAnswer())


def _noted(occasion: Occasion, post: HookPorts) -> tuple[ToolSession, bool]:
    """Record the call; return the session, and whether another call has answered the event.

    An event that is answered with text is claimed only with its answer: see ``Draft``.
    """
    now, is_taken = post.aids.now(), False

    def note(sitting: ToolSession) -> ToolSession:
        nonlocal is_taken
        is_taken = is_claimed(sitting, occasion, now=now)
        if is_taken:
            return sitting
        fresh = noted(sitting, occasion, now=now)
        return fresh if occasion.happening in _IN_TURN else counted(fresh, occasion, now=now)

    return post.sittings.change(occasion.session, note), is_taken


def _tell_in_turn(occasion: Occasion, post: HookPorts) -> None:
    """Answer calls one after the other: some tools start a session and send a prompt at once."""
    now = post.aids.now()
    if occasion.happening is Happening.START:
        post.sittings.prune(before=now - KEEP_SECONDS)
    with post.sittings.turn(occasion.session):
        draft = Draft(post.sittings.change(occasion.session, lambda sitting: sitting))
        if is_claimed(draft.sitting, occasion, now=now):
            post.say(HookAnswer())
            return
        draft.change(lambda sitting: counted(sitting, occasion, now=now))
        want = wants(occasion, draft.sitting)
        if want is Want.NOTHING or not occasion.hears:
            answer = HookAnswer()
        else:
            answer = _told(want, occasion, draft, post)
        draft.deliver(answer, post)


def _told(want: Want, occasion: Occasion, draft: Draft, post: HookPorts) -> HookAnswer:
    match want:
        case Want.WHOLE:
            said = _whole(occasion, draft, post)
        case Want.ANSWER:
            news = _news(occasion, draft, post)
            # The answer need not repeat the news.
            answer = _answer(occasion, draft, post)
            said = replace(news, context=_joined(news.context, answer))
        case _:
            said = _news(occasion, draft, post)
    if not draft.sitting.owed or occasion.happening is not Happening.PROMPT:
        return said
    from holdfast.usecases.sessions.cautioning import owed

    return replace(said, context=_joined(owed(draft, post), said.context))


def _whole(occasion: Occasion, draft: Draft, post: HookPorts) -> HookAnswer:
    """Return the bundle of a session: what applies here, and an answer to the prompt if any."""
    from holdfast.usecases.recall.briefing import Brief

    pulse = post.watch.pulse(0)
    if pulse is None:
        return HookAnswer()
    tokens, characters = draft.sitting.room
    wish = Brief(goal=occasion.prompt, tokens=tokens, characters=characters)
    if occasion.happening is Happening.START:
        wish = Brief(tokens=START_TOKENS, characters=START_CHARACTERS, closing=post.aids.badge())
    text = _briefed(wish, occasion, draft, post)
    is_prompt = occasion.happening is Happening.PROMPT
    draft.change(
        lambda now: replace(
            now,
            is_briefed=True,
            is_answered=is_prompt and bool(text),
            sequence=pulse.newest,
        ),
    )
    return HookAnswer(context=text)


def _answer(occasion: Occasion, draft: Draft, post: HookPorts) -> str:
    """Answer an early prompt within the room that is left of the bundle."""
    from holdfast.domain.ids import MemoryId
    from holdfast.usecases.recall.briefing import Brief

    tokens, characters = draft.sitting.room
    wish = Brief(
        goal=occasion.prompt,
        tokens=tokens,
        characters=characters,
        governs=False,
        told=frozenset(map(MemoryId, draft.sitting.told)),
    )
    text = _briefed(wish, occasion, draft, post)
    if text:
        draft.change(lambda now: replace(now, is_answered=True))
    return text


def _briefed(wish: Brief, occasion: Occasion, draft: Draft, post: HookPorts) -> str:
    from holdfast.usecases.recall.briefing import brief

    means = post.aids.means()
    found = brief(wish, means=means, keep_in=post.aids.keep_in())
    note_place(occasion, means, draft, post)
    if found.text:
        tokens, characters = means.counter.count(found.text), len(found.text)
        draft.change(
            lambda now: told(now, found.memories, tokens=tokens, characters=characters),
        )
    return found.text


def _news(occasion: Occasion, draft: Draft, post: HookPorts) -> HookAnswer:
    """Report what changed; the store is not opened if nothing did."""
    sitting = draft.sitting
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

    draft.change(note)
    if not found.new:
        return HookAnswer(context=found.text)
    return _reloading(found.text, occasion, draft, post)


def _reloading(text: str, occasion: Occasion, draft: Draft, post: HookPorts) -> HookAnswer:
    """Report news to a tool that loads its files only once, according to the person's setting."""
    how = how_to_reload(occasion.tool)
    wanted = post.aids.setting("restart") if how else ""
    if wanted == _AUTO:
        from holdfast.usecases.recall.briefing import Brief

        whole = _briefed(Brief(closing=post.aids.badge()), occasion, draft, post)
        return HookAnswer(context=whole or text)
    if wanted != _ASK or draft.sitting.is_asked_to_restart:
        return HookAnswer(context=text)
    draft.change(lambda now: replace(now, is_asked_to_restart=True))
    message = f"holdfast: memory changed, and this session was told. To load it whole: {how}."
    return HookAnswer(context=text, message=message)


def _propose(occasion: Occasion, post: HookPorts) -> None:
    if post.aids.setting("hook.propose") == _ON and post.leaving.propose(occasion):
        post.sittings.change(
            occasion.session,
            lambda now: replace(now, turns=0, proposals=now.proposals + 1),
        )


def _without_a_note(occasion: Occasion, post: HookPorts) -> HookAnswer:
    """Answer a session start even if no state can be stored; later calls get no answer."""
    if occasion.happening is not Happening.START or not occasion.hears or occasion.is_subagent:
        return HookAnswer()
    from holdfast.usecases.recall.briefing import Brief, brief

    wish = Brief(tokens=START_TOKENS, characters=START_CHARACTERS, closing=post.aids.badge())
    return HookAnswer(
        context=brief(wish, means=post.aids.means(), keep_in=post.aids.keep_in()).text
    )


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)
