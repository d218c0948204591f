"""Hook calls of coding tools, the state of their sessions, and what to answer next.

Tools call a hook at every prompt and before every tool call, so this module imports very little.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING
from zlib import crc32

from holdfast.domain.values import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

WHOLE_TOKENS, WHOLE_CHARACTERS = 2_000, 9_000
START_TOKENS, START_CHARACTERS = 1_200, 5_400
"""The start leaves room for an answer to the first prompt: together they are one bundle."""
NEWS_TOKENS, NEWS_CHARACTERS = 500, 2_400
ANSWERED_WITHIN = 3
TURNS_BETWEEN_PROPOSALS = 6
_FEWEST_TOKENS = 200
_SAME_MOMENT_SECONDS = 10
_MOST_CLAIMS = 32
_MOST_NAMED = 500
_MOST_PLACES = 8
_MOST_OWED = 3
_RELOADING = {
    "codex": "start a new session, or resume this one",
    "gemini": "type /memory reload",
    "copilot": "start a new session",
    "cline": "start a new task",
    "opencode": "start a new session",
}


class HookEvent(StrEnum):
    """The events of a session, independent of the tool's names for them."""

    START = "start"
    PROMPT = "prompt"
    BEFORE_TOOL = "before-tool"
    AFTER_TOOL = "after-tool"
    STOP = "stop"
    END = "end"
    COMPACT = "compact"
    ASK = "ask"


class SessionStart(StrEnum):
    """Why a session starts."""

    STARTUP = "startup"
    RESUME = "resume"
    CLEAR = "clear"
    COMPACT = "compact"


class HookNeed(StrEnum):
    """What an event requires."""

    NOTHING = "nothing"
    WHOLE = "whole"
    ANSWER = "answer"
    NEWS = "news"
    WARNING = "warning"
    PROPOSALS = "proposals"


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """One hook call: the tool, the event, and the prompt, tool call or reply it reports."""

    tool: str
    happening: HookEvent
    session: str
    folder: str = ""
    prompt: str = ""
    used: str = ""
    given: Mapping[str, object] = field(default_factory=dict)
    transcript: str = ""
    reply: str = ""
    source: SessionStart = SessionStart.STARTUP
    turn: str = ""
    is_subagent: bool = False
    hears: bool = True
    """Whether the tool accepts text for its agent at this event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookAnswer:
    """The answer of a hook: text for the agent, a line for the person, and a decision on a tool.

    ``stop`` is the reason to block the tool call; it is nearly always empty, and the call
    proceeds.
    """

    context: str = ""
    message: str = ""
    stop: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSession:
    """What one session of a tool has received. It holds ids, never texts.

    ``sequence`` is the newest event the session has received. ``told`` and ``warned`` are ids of
    memories; ``owed`` are those whose warning the tool could not accept yet. ``turns`` counts the
    turns since the last proposal. ``tokens`` are in the context now, ``earlier_tokens`` were in one
    that the tool emptied. ``is_off_record`` means that its turns are not kept. ``places``
    maps a folder to its root, repository and workspace.
    """

    session: str
    tool: str = ""
    folder: str = ""
    transcript: str = ""
    began: int = 0
    seen: int = 0
    sequence: int = 0
    is_briefed: bool = False
    is_answered: bool = False
    is_asked_to_restart: bool = False
    is_off_record: bool = False
    tokens: int = 0
    earlier_tokens: int = 0
    characters: int = 0
    prompts: int = 0
    turns: int = 0
    news: int = 0
    warnings: int = 0
    stops: int = 0
    proposals: int = 0
    told: tuple[str, ...] = ()
    warned: tuple[str, ...] = ()
    owed: tuple[str, ...] = ()
    claims: tuple[tuple[str, int], ...] = ()
    places: Mapping[str, tuple[str, str | None, str]] = field(default_factory=dict)

    @property
    def tokens_sent(self) -> int:
        """All tokens that the session has received."""
        return self.earlier_tokens + self.tokens

    @property
    def room(self) -> tuple[int, int]:
        """The tokens and characters that are left of the bundle."""
        return max(0, WHOLE_TOKENS - self.tokens), max(0, WHOLE_CHARACTERS - self.characters)


def key_of(hook_call: HookCall) -> str:
    """Return the key that duplicate calls for one event share; empty if each may answer."""
    if hook_call.happening in {HookEvent.BEFORE_TOOL, HookEvent.AFTER_TOOL, HookEvent.ASK}:
        return ""
    if hook_call.happening is HookEvent.PROMPT:
        words = hook_call.turn or f"~{crc32(hook_call.prompt.encode('utf-8', 'replace')):x}"
        return f"prompt {words}"
    return f"{hook_call.happening} {hook_call.source} {hook_call.turn}".rstrip()


def is_claimed(session: ToolSession, hook_call: HookCall, *, now: int) -> bool:
    """Tell whether another call already answered this event: two hook files must answer once.

    An event of a named turn is claimed forever. Without a name it is claimed only for the seconds
    in which a tool calls all of its hooks.
    """
    key = key_of(hook_call)
    return any(
        key == known and (bool(hook_call.turn) or now - at < _SAME_MOMENT_SECONDS)
        for known, at in session.claims
    )


def noted(session: ToolSession, hook_call: HookCall, *, now: int) -> ToolSession:
    """Return the session with the call itself recorded; a cleared one receives everything again.

    This is stored before the call is answered; ``counted`` is stored with the answer.
    """
    fresh = replace(
        session,
        tool=session.tool or hook_call.tool,
        folder=hook_call.folder or session.folder,
        transcript=hook_call.transcript or session.transcript,
        began=session.began or now,
        seen=now,
    )
    match hook_call.happening:
        case HookEvent.START if hook_call.source in {SessionStart.CLEAR, SessionStart.COMPACT}:
            return emptied(fresh)
        case HookEvent.COMPACT:
            return emptied(fresh)
        case _:
            return fresh


def counted(session: ToolSession, hook_call: HookCall, *, now: int) -> ToolSession:
    """Return the session with the event claimed and counted, so that no other call answers it.

    A prompt begins another turn, so the end of the last one claims nothing any more.
    """
    key = key_of(hook_call)
    over = f"{HookEvent.STOP} {SessionStart.STARTUP}"
    gone = {key, over} if hook_call.happening is HookEvent.PROMPT else {key}
    claims = [one for one in session.claims if one[0] not in gone] + ([(key, now)] if key else [])
    fresh = replace(session, claims=tuple(claims[-_MOST_CLAIMS:]))
    match hook_call.happening:
        case HookEvent.PROMPT if not is_command(hook_call.prompt):
            return replace(fresh, prompts=fresh.prompts + 1)
        case HookEvent.STOP if not hook_call.is_subagent:
            return replace(fresh, turns=fresh.turns + 1)
        case _:
            return fresh


def emptied(session: ToolSession) -> ToolSession:
    """Return a session whose context is gone, so that it receives the whole bundle again."""
    return replace(
        session,
        is_briefed=False,
        is_answered=False,
        tokens=0,
        earlier_tokens=session.tokens_sent,
        characters=0,
        prompts=0,
        told=(),
        warned=(),
    )


def is_command(prompt: str) -> bool:
    """Tell whether a prompt is only a command to the tool itself, such as ``/clear``."""
    return prompt.startswith("/") and len(prompt.split()) == 1


def wants(hook_call: HookCall, session: ToolSession) -> HookNeed:
    """Decide what an event requires, after the call itself was recorded."""
    if hook_call.happening is HookEvent.BEFORE_TOOL:
        return HookNeed.WARNING
    if hook_call.is_subagent:
        return HookNeed.NOTHING
    match hook_call.happening:
        case HookEvent.START:
            return HookNeed.NEWS if session.is_briefed else HookNeed.WHOLE
        case HookEvent.PROMPT:
            return _wants_at_prompt(hook_call, session)
        case HookEvent.STOP:
            is_due = session.turns >= TURNS_BETWEEN_PROPOSALS
        case HookEvent.END | HookEvent.COMPACT:
            is_due = bool(session.turns) or not session.proposals
        case _:
            is_due = False
    return HookNeed.PROPOSALS if is_due else HookNeed.NOTHING


def _wants_at_prompt(hook_call: HookCall, session: ToolSession) -> HookNeed:
    if is_command(hook_call.prompt):
        return HookNeed.NOTHING
    if not session.is_briefed:
        return HookNeed.WHOLE
    has_room = session.room[0] >= _FEWEST_TOKENS
    is_early = session.prompts <= ANSWERED_WITHIN
    return HookNeed.ANSWER if is_early and has_room and not session.is_answered else HookNeed.NEWS


def told(
    session: ToolSession, memories: tuple[str, ...], *, tokens: int = 0, characters: int = 0
) -> ToolSession:
    """Return the session after it received these memories."""
    return replace(
        session,
        told=tuple(dict.fromkeys((*session.told, *memories)))[-_MOST_NAMED:],
        tokens=session.tokens + tokens,
        characters=session.characters + characters,
    )


def warned(session: ToolSession, memories: tuple[str, ...], *, is_owed: bool) -> ToolSession:
    """Return the session after a warning; one that the tool cannot accept yet is owed."""
    return replace(
        session,
        warnings=session.warnings + len(memories),
        warned=tuple(dict.fromkeys((*session.warned, *memories)))[-_MOST_NAMED:],
        owed=(*session.owed, *memories)[-_MOST_OWED:] if is_owed else session.owed,
    )


def how_to_reload(tool: str) -> str:
    """Return how a person makes a tool reload its files; empty if the tool does so itself."""
    return _RELOADING.get(tool, "")


def placed(session: ToolSession, folder: str, place: tuple[str, str | None, str]) -> ToolSession:
    """Return the session with the place of a folder recorded."""
    kept = [item for item in session.places.items() if item[0] != folder]
    return replace(session, places=dict([*kept, (folder, place)][-_MOST_PLACES:]))
