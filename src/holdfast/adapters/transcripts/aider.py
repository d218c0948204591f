"""Aider: one Markdown file per project; each start of the program begins a new chat in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.drafting import LARGEST_TURN, TranscriptDraft, moment
from holdfast.adapters.transcripts.json_lines import opened
from holdfast.domain.refusals import UnreadableSourceError
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell

STARTED = "# aider chat started at "
_USER, _TOOL = "#### ", "> "
_LONGEST_LINE = 1024 * 1024
_MOST_LINES = 2 * LARGEST_TURN


class AiderTranscripts:
    """Reads ``.aider.chat.history.md`` in the root of a repository."""

    tool = "aider"

    def read(self, path: str) -> Transcript:
        """Return the last chat of a file."""
        last = None
        for last in self._chats(path):
            pass
        if last is None:
            raise UnreadableSourceError(path, "it holds no chat of Aider.")
        return last

    def conversations(self, path: str, *, tell: Tell) -> Iterable[Transcript]:
        """Return every chat of a file; any text is valid, so there are no flaws."""
        del tell
        return self._chats(path)

    def _chats(self, path: str) -> Iterator[Transcript]:
        chat: _Chat | None = None
        with opened(path) as file:
            while raw := file.readline(_LONGEST_LINE):
                line = raw.decode("utf-8", "replace").rstrip("\r\n")
                if line.startswith(STARTED):
                    if chat is not None:
                        yield chat.finished(path)
                    chat = _Chat(line.removeprefix(STARTED).strip())
                elif chat is not None:
                    chat.add(line)
        if chat is not None:
            yield chat.finished(path)


class _Chat:
    """Collects the lines of one chat into turns."""

    def __init__(self, started: str) -> None:
        self._started = started
        self._at = moment(started)
        self._draft = TranscriptDraft()
        self._speaker = Speaker.TOOL
        self._lines: list[str] = []

    def add(self, line: str) -> None:
        """Add a line; a line of another speaker begins a turn."""
        speaker, text = _spoken(line)
        if speaker is not self._speaker and (text.strip() or speaker is not Speaker.ASSISTANT):
            self._flush()
            self._speaker = speaker
        if len(self._lines) < _MOST_LINES:
            self._lines.append(text.rstrip())

    def _flush(self) -> None:
        text = "\n".join(self._lines).strip()
        self._lines = []
        if self._speaker is Speaker.TOOL:
            self._draft.call("aider", text, at=self._at)
        else:
            self._draft.say(self._speaker, text, at=self._at)

    def finished(self, path: str) -> Transcript:
        """Return the chat; its folder is that of the file."""
        self._flush()
        folder = str(Path(path).absolute().parent)
        session = self._started.replace(" ", "T")
        return self._draft.finished(tool="aider", session=session, source=path, folder=folder)


def _spoken(line: str) -> tuple[Speaker, str]:
    if line.startswith(_USER) or line == _USER.rstrip():
        return Speaker.USER, line[len(_USER) :]
    if line.startswith(_TOOL) or line == _TOOL.rstrip():
        return Speaker.TOOL, line[len(_TOOL) :]
    return Speaker.ASSISTANT, line
