"""Attend: answer a hook call of a tool with what its session needs now, and no more.

Most calls need nothing, so modules are imported only when they are needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import UnavailableError
from holdfast.domain.sessions.hook_calls import (
    NEWS_CHARACTERS,
    NEWS_TOKENS,
    START_CHARACTERS,
    START_TOKENS,
    HookAnswer,
    HookEvent,
    HookNeed,
    counted,
    how_to_reload,
    is_claimed,
    noted,
    told,
    wants,
)
from holdfast.domain.values import replace
from holdfast.usecases.sessions.hook_ports import Draft, note_place

if TYPE_CHECKING:
    from holdfast.domain.sessions.hook_calls import HookCall, ToolSession
    from holdfast.usecases.recall.briefing import Brief
    from holdfast.usecases.sessions.hook_ports import HookPorts

KEEP_SECONDS = 14 * 86_400
_ON, _ASK, _AUTO = "on", "ask", "auto"
_IN_TURN = frozenset({HookEvent.START, HookEvent.PROMPT})
_TURN_ENDS = frozenset({HookEvent.STOP, HookEvent.END, HookEvent.COMPACT})
_PREAMBLE_TOKENS, _PREAMBLE_CHARACTERS = 450, 2_000
"""The most that a session is told about earlier ones; the rest of its bundle is for memories."""


def attend(hook_call: HookCall, *, ports: HookPorts) -> None:
    """Answer one hook call; duplicate calls for the same event are answered once."""
    try:
        session, is_taken = _noted(hook_call, ports)
    except UnavailableError:
        ports.say(_without_a_note(hook_call, ports))
        return
    if is_taken:
        ports.say(HookAnswer())
        return
    match hook_call.happening:
        case HookEvent.BEFORE_TOOL:
            from holdfast.usecases.sessions.cautioning import caution

            caution(hook_call, session, ports)
        case HookEvent.START | HookEvent.PROMPT:
            _tell_in_turn(hook_call, ports)
        case HookEvent.ASK:
            from holdfast.usecases.sessions.turn_keeping import note_ask

            ports.say(HookAnswer())
            note_ask(hook_call, ports)
        case _:
            if wants(hook_call, session) is HookNeed.PROPOSALS:
                _propose(replace(hook_call, transcript=session.transcript), ports)
            ports.say(HookAnswer())
            if hook_call.happening in _TURN_ENDS:
                from holdfast.usecases.sessions.turn_keeping import finish_turn

                finish_turn(hook_call, session, ports)


def _noted(hook_call: HookCall, ports: HookPorts) -> tuple[ToolSession, bool]:
    """Record the call; return the session, and whether another call has answered the event.

    An event that is answered with text is claimed only with its answer: see ``Draft``.
    """
    now, is_taken = ports.aids.now(), False

    def note(session: ToolSession) -> ToolSession:
        nonlocal is_taken
        is_taken = is_claimed(session, hook_call, now=now)
        if is_taken:
            return session
        fresh = noted(session, hook_call, now=now)
        return fresh if hook_call.happening in _IN_TURN else counted(fresh, hook_call, now=now)

    return ports.sessions.change(hook_call.session, note), is_taken


def _tell_in_turn(hook_call: HookCall, ports: HookPorts) -> None:
    """Answer calls one after the other: some tools start a session and send a prompt at once."""
    now = ports.aids.now()
    if hook_call.happening is HookEvent.START:
        ports.sessions.prune(before=now - KEEP_SECONDS)
    with ports.sessions.turn(hook_call.session):
        draft = Draft(ports.sessions.change(hook_call.session, lambda session: session))
        if is_claimed(draft.session, hook_call, now=now):
            ports.say(HookAnswer())
            return
        draft.change(lambda session: counted(session, hook_call, now=now))
        want = wants(hook_call, draft.session)
        if want is HookNeed.NOTHING or not hook_call.hears:
            answer = HookAnswer()
        else:
            answer = _told(want, hook_call, draft, ports)
        draft.deliver(answer, ports)
    if hook_call.happening is HookEvent.PROMPT:
        from holdfast.usecases.sessions.turn_keeping import begin_turn

        begin_turn(hook_call, draft.session, ports)


def _told(want: HookNeed, hook_call: HookCall, draft: Draft, ports: HookPorts) -> HookAnswer:
    match want:
        case HookNeed.WHOLE:
            said = _whole(hook_call, draft, ports)
        case HookNeed.ANSWER:
            news = _news(hook_call, draft, ports)
            # The answer need not repeat the news.
            answer = _answer(hook_call, draft, ports)
            said = replace(news, context=_joined(news.context, answer))
        case _:
            said = _news(hook_call, draft, ports)
    if not draft.session.owed or hook_call.happening is not HookEvent.PROMPT:
        return said
    from holdfast.usecases.sessions.cautioning import owed

    return replace(said, context=_joined(owed(draft, ports), said.context))


def _whole(hook_call: HookCall, draft: Draft, ports: HookPorts) -> HookAnswer:
    """Return the bundle of a session: what applies here, and an answer to the prompt if any."""
    from holdfast.usecases.recall.briefing import Brief

    pulse = ports.watch.pulse(0)
    if pulse is None:
        return HookAnswer()
    is_start = hook_call.happening is HookEvent.START
    left, used = _left_off(draft, ports)
    tokens, characters = draft.session.room
    if is_start:
        tokens, characters = START_TOKENS - used, START_CHARACTERS - len(left)
    wish = Brief(
        goal="" if is_start else hook_call.prompt,
        tokens=tokens,
        characters=characters,
        closing=ports.aids.badge() if is_start else "",
    )
    text = _joined(left, _briefed(wish, hook_call, draft, ports))
    is_prompt = hook_call.happening is HookEvent.PROMPT
    draft.change(
        lambda now: replace(
            now,
            is_briefed=True,
            is_answered=is_prompt and bool(text),
            sequence=pulse.newest,
        ),
    )
    return HookAnswer(context=text)


def _left_off(draft: Draft, ports: HookPorts) -> tuple[str, int]:
    """Return where earlier sessions left off and its tokens, and count it as told."""
    keeping = ports.keeping
    if keeping is None:
        return "", 0
    is_off = ports.aids.setting("session.turns") != _ON
    draft.change(lambda now: replace(now, is_off_record=is_off))
    if ports.aids.setting("session.hydrate") != _ON:
        return "", 0
    keeping.settle()
    text = keeping.hydrate(_PREAMBLE_TOKENS, _PREAMBLE_CHARACTERS)
    if not text:
        return "", 0
    used = ports.aids.recall_ports().counter.count(text)
    draft.change(lambda now: told(now, (), tokens=used, characters=len(text)))
    return text, used


def _answer(hook_call: HookCall, draft: Draft, ports: HookPorts) -> str:
    """Answer an early prompt within the room that is left of the bundle."""
    from holdfast.domain.ids import MemoryId
    from holdfast.usecases.recall.briefing import Brief

    tokens, characters = draft.session.room
    wish = Brief(
        goal=hook_call.prompt,
        tokens=tokens,
        characters=characters,
        governs=False,
        told=frozenset(map(MemoryId, draft.session.told)),
    )
    text = _briefed(wish, hook_call, draft, ports)
    if text:
        draft.change(lambda now: replace(now, is_answered=True))
    return text


def _briefed(wish: Brief, hook_call: HookCall, draft: Draft, ports: HookPorts) -> str:
    from holdfast.usecases.recall.briefing import brief

    recall_ports = ports.aids.recall_ports()
    found = brief(wish, ports=recall_ports, keep_in=ports.aids.keep_in())
    note_place(hook_call, recall_ports, draft, ports)
    if found.text:
        tokens, characters = recall_ports.counter.count(found.text), len(found.text)
        draft.change(
            lambda now: told(now, found.memories, tokens=tokens, characters=characters),
        )
    return found.text


def _news(hook_call: HookCall, draft: Draft, ports: HookPorts) -> HookAnswer:
    """Report what changed; the store is not opened if nothing did."""
    session = draft.session
    pulse = ports.watch.pulse(session.sequence)
    if pulse is None or not pulse.has_news:
        return HookAnswer()
    from holdfast.usecases.sessions.news import TellNews, tell_news

    wish = TellNews(
        since=session.sequence,
        told=frozenset(session.told),
        tokens=NEWS_TOKENS,
        characters=NEWS_CHARACTERS,
    )
    found = tell_news(wish, ports=ports.aids.recall_ports())
    ended = set(found.ended)

    def note(now: ToolSession) -> ToolSession:
        left = tuple(name for name in now.told if name not in ended)
        fresh = replace(now, told=left, sequence=found.newest, news=now.news + bool(found.text))
        return told(fresh, found.new)

    draft.change(note)
    if not found.new:
        return HookAnswer(context=found.text)
    return _reloading(found.text, hook_call, draft, ports)


def _reloading(text: str, hook_call: HookCall, draft: Draft, ports: HookPorts) -> HookAnswer:
    """Report news to a tool that loads its files only once, according to the person's setting."""
    how = how_to_reload(hook_call.tool)
    wanted = ports.aids.setting("restart") if how else ""
    if wanted == _AUTO:
        from holdfast.usecases.recall.briefing import Brief

        whole = _briefed(Brief(closing=ports.aids.badge()), hook_call, draft, ports)
        return HookAnswer(context=whole or text)
    if wanted != _ASK or draft.session.is_asked_to_restart:
        return HookAnswer(context=text)
    draft.change(lambda now: replace(now, is_asked_to_restart=True))
    message = f"holdfast: memory changed, and this session was told. To load it whole: {how}."
    return HookAnswer(context=text, message=message)


def _propose(hook_call: HookCall, ports: HookPorts) -> None:
    if ports.aids.setting("hook.propose") == _ON and ports.leaving.propose(hook_call):
        ports.sessions.change(
            hook_call.session,
            lambda now: replace(now, turns=0, proposals=now.proposals + 1),
        )


def _without_a_note(hook_call: HookCall, ports: HookPorts) -> HookAnswer:
    """Answer a session start even if no state can be stored; later calls get no answer."""
    if hook_call.happening is not HookEvent.START or not hook_call.hears or hook_call.is_subagent:
        return HookAnswer()
    from holdfast.usecases.recall.briefing import Brief, brief

    wish = Brief(tokens=START_TOKENS, characters=START_CHARACTERS, closing=ports.aids.badge())
    return HookAnswer(
        context=brief(wish, ports=ports.aids.recall_ports(), keep_in=ports.aids.keep_in()).text
    )


def _joined(*texts: str) -> str:
    return "\n\n".join(text for text in texts if text)
