"""Calls under way: their progress, their cancellation, and the questions to a person.

One call runs at a time. While it runs, the lines that arrive are read whenever it reports progress.
"""

from __future__ import annotations

import secrets
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from holdfast.surfaces.mcp.calling import (
    CONFIRM,
    CallCancelledError,
    ClientSide,
    PersonAnswer,
    PersonAskedError,
)
from holdfast.surfaces.mcp.protocol import (
    Notice,
    RefusedError,
    Request,
    as_modern_result,
    as_object,
    notification,
    question,
    read_message,
    reply,
)
from holdfast.surfaces.mcp.results import failed

if TYPE_CHECKING:
    from collections.abc import Callable

    from holdfast.surfaces.mcp.calls import Calls
    from holdfast.surfaces.mcp.protocol import Json, Response

_CANCELLED = "notifications/cancelled"
_MOST_OPEN = 32
_ELICIT = "elicitation/create"
ANSWER_SECONDS = 600.0
"""How long a question waits for its answer; chosen by hand. A later answer decides nothing."""
_TOO_MANY = "Too many questions wait for an answer. Nothing was changed."
_UNANSWERED = "Nobody answered the question within 10 minutes. Nothing was changed."


class _OpenQuestion(NamedTuple):
    """A question that the client's user has not answered yet, and the call that waits for it."""

    request: Request
    name: str
    arguments: Json
    words: str
    until: float


class OpenQuestions:
    """The questions to clients' users; each is answered once, and only where it was asked.

    A client could report an answer to a question that nobody asked. So an answer counts only with
    the random name of an open question, for the same tool, the same arguments and the same words.
    A question is open for ten minutes.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._open: dict[str, tuple[str, Json, str, float]] = {}

    def put(self, name: str, arguments: Json, words: str) -> str:
        """Keep a question, and return its random name."""
        while len(self._open) >= _MOST_OPEN:
            del self._open[next(iter(self._open))]
        state = secrets.token_urlsafe(24)
        self._open[state] = (name, arguments, words, self._now() + ANSWER_SECONDS)
        return state

    def answer(self, params: Json, name: str, arguments: Json) -> PersonAnswer | None:
        """Return the answer that a repeated call brings; None if it answers no open question."""
        state = params.get("requestState")
        kept = self._open.pop(state, None) if isinstance(state, str) else None
        answers = as_object(params.get("inputResponses"))
        if kept is None or kept[:2] != (name, arguments) or CONFIRM not in answers:
            return None
        if self._now() >= kept[3]:
            return None
        return PersonAnswer.read(kept[2], answers[CONFIRM])


def asked_in_result(asked: PersonAskedError, state: str) -> Json:
    """Return the result that asks for an answer, in the modern era."""
    requests: Json = {CONFIRM: {"method": _ELICIT, "params": asked.form()}}
    return {"inputRequests": requests, "requestState": state}


class PendingCalls:
    """Runs the calls of one client."""

    def __init__(
        self,
        calls: Calls,
        *,
        send: Callable[[bytes], None],
        arrived: Callable[[], list[bytes]],
        now: Callable[[], float],
    ) -> None:
        self._calls = calls
        self._send = send
        self._arrived = arrived
        self._lines: deque[bytes] = deque()
        self._running: int | str | None = None
        self._is_cancelled = False
        self._progress = -1.0
        self._asked: dict[str, _OpenQuestion] = {}
        self._now = now
        self._questions = OpenQuestions(now)
        self._count = 0

    def next_line(self) -> bytes | None:
        """Return the next line that arrived during a call; None if there is none."""
        return self._lines.popleft() if self._lines else None

    def run(self, request: Request, name: str, arguments: Json) -> None:
        """Run a call, and send its result; a call that asks a person goes on with the answer."""
        answer = None
        if request.is_modern:
            answer = self._questions.answer(request.params, name, arguments)
        self._run(request, name, arguments, answer)

    @property
    def waits(self) -> bool:
        """Whether a call waits for an answer of the client's user."""
        return bool(self._asked)

    def look(self) -> None:
        """End the calls whose question nobody answered in time."""
        for name, kept in list(self._asked.items()):
            if self._now() >= kept.until:
                self._give_up(name, _UNANSWERED)

    def answered(self, response: Response) -> None:
        """Go on with the call whose question the client answered; others are ignored."""
        self.look()
        name = response.id
        kept = self._asked.pop(name, None) if isinstance(name, str) else None
        if kept is not None:
            answer = PersonAnswer.read(kept.words, response.result)
            self._run(kept.request, kept.name, kept.arguments, answer)

    def cancel(self, request_id: object) -> None:
        """Drop the question of a call that waits for an answer."""
        for name, kept in list(self._asked.items()):
            if kept.request.id == request_id:
                del self._asked[name]
                self._send(notification(_CANCELLED, {"requestId": name}))

    def _run(
        self, request: Request, name: str, arguments: Json, answer: PersonAnswer | None
    ) -> None:
        self._running, self._is_cancelled, self._progress = request.id, False, -1.0
        client = ClientSide(
            name=request.client,
            may_ask=request.may_ask,
            answer=answer,
            checked=self._check,
            told=lambda done, total, words: self._tell(request, done, total, words),
        )
        try:
            result = self._calls.call(name, arguments, client=client)
            self._check()
        except CallCancelledError:
            return  # nobody waits for the answer
        except PersonAskedError as asked:
            self._ask(request, name, arguments, asked)
            return
        finally:
            self._running = None
        self._send(reply(request.id, as_modern_result(result) if request.is_modern else result))

    def _ask(self, request: Request, name: str, arguments: Json, asked: PersonAskedError) -> None:
        if request.is_modern:
            state = self._questions.put(name, arguments, asked.message)
            result = as_modern_result(asked_in_result(asked, state), kind="input_required")
            self._send(reply(request.id, result))
            return
        while len(self._asked) >= _MOST_OPEN:
            self._give_up(next(iter(self._asked)), _TOO_MANY)
        self._count += 1
        own = f"holdfast-{self._count}"
        until = self._now() + ANSWER_SECONDS
        self._asked[own] = _OpenQuestion(request, name, arguments, asked.message, until)
        self._send(question(own, _ELICIT, asked.form()))

    def _give_up(self, name: str, words: str) -> None:
        """Withdraw a question, and say why its call ends; nobody is left waiting."""
        kept = self._asked.pop(name)
        self._send(notification(_CANCELLED, {"requestId": name}))
        self._send(reply(kept.request.id, failed(words)))

    def _check(self) -> None:
        """Read what arrived, and stop if the call under way was cancelled."""
        for line in self._arrived():
            if not self._cancels(line):
                self._lines.append(line)
        if self._is_cancelled:
            raise CallCancelledError

    def _cancels(self, line: bytes) -> bool:
        """Note the cancellation of the call under way; other lines wait for their turn."""
        if _CANCELLED.encode() not in line:
            return False
        try:
            message = read_message(line)
        except RefusedError:
            return False
        is_ours = (
            isinstance(message, Notice)
            and message.method == _CANCELLED
            and message.params.get("requestId") == self._running
        )
        self._is_cancelled = self._is_cancelled or is_ours
        return is_ours

    def _tell(self, request: Request, done: float, total: float, words: str) -> None:
        """Report progress to a client that asked for it; the number always rises."""
        if request.progress_token is None or done <= self._progress:
            return
        self._progress = done
        params: Json = {
            "progressToken": request.progress_token,
            "progress": done,
            "total": total,
            "message": words,
        }
        self._send(notification("notifications/progress", params))
