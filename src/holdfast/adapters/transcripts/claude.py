"""Claude Code: its lines form a tree; the path to the last leaf is the conversation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.adapters.transcripts.drafting import TranscriptDraft, part, text_of, words
from holdfast.adapters.transcripts.json_lines import OneConversation, file_stem, json_lines
from holdfast.domain.sessions.transcript import Speaker

if TYPE_CHECKING:
    from holdfast.adapters.transcripts.json_lines import Line
    from holdfast.domain.sessions.transcript import Transcript
    from holdfast.ports.sessions.transcripts import Tell

_SPOKEN = frozenset({"user", "assistant"})
_KEPT = ("type", "uuid", "parentUuid", "logicalParentUuid", "message", "timestamp")
# Text that the program itself inserts into a person's message.
_OWN_WORDS = re.compile(r"<(system-reminder|(?:command|local-command|bash)-[a-z]{1,20})>")


class ClaudeTranscripts(OneConversation):
    """Reads ``~/.claude/projects/<folder>/<session>.jsonl``."""

    tool = "claude"

    def heard(self, path: str, *, tell: Tell) -> Transcript:
        """Follow the lines from the last leaf to the first."""
        nodes: dict[str, Line] = {}
        before: dict[str, str] = {}
        leaf, previous, about = "", "", dict[str, str]()
        for _, line in json_lines(path, tell=tell):
            name = text_of(line, "uuid")
            if not name or line.get("isSidechain"):
                continue
            nodes[name], before[name] = _slim(line), previous
            previous = name
            if _is_spoken(line):
                leaf = name
                about = {
                    "session": text_of(line, "sessionId"),
                    "folder": text_of(line, "cwd"),
                    "branch": text_of(line, "gitBranch"),
                }
        draft = TranscriptDraft()
        for name in _path(leaf, nodes, before):
            _say(nodes[name], draft)
        session = about.pop("session", "") or file_stem(path)
        return draft.finished(tool=self.tool, session=session, source=path, **about)


def _is_spoken(line: Line) -> bool:
    is_own = line.get("isMeta") or line.get("isCompactSummary")
    return line.get("type") in _SPOKEN and not is_own


def _slim(line: Line) -> Line:
    """Return only the fields that a turn needs: most lines of a long session are not used."""
    slim = {name: line[name] for name in _KEPT if name in line}
    return slim if _is_spoken(line) else {**slim, "message": None}


def _path(leaf: str, nodes: dict[str, Line], before: dict[str, str]) -> list[str]:
    """Return the ids from the first line to the leaf.

    If a parent is missing from the file, the line before is used instead.
    """
    path: list[str] = []
    seen: set[str] = set()
    name = leaf
    while name in nodes and name not in seen:
        path.append(name)
        seen.add(name)
        node = nodes[name]
        parent = text_of(node, "parentUuid") or text_of(node, "logicalParentUuid")
        name = parent if not parent or parent in nodes else before[name]
    return path[::-1]


def _own_words_taken_out(text: str) -> str:
    """Return a message without the program's insertions; an unclosed tag stays."""
    kept: list[str] = []
    at = 0
    unended: set[str] = set()
    while found := _OWN_WORDS.search(text, at):
        tag = found[1]
        end = -1 if tag in unended else text.find(f"</{tag}>", found.end())
        if end < 0:
            unended.add(tag)
            kept.append(text[at : found.end()])
            at = found.end()
        else:
            kept.append(text[at : found.start()])
            at = end + len(tag) + len("</>")
    return "".join([*kept, text[at:]])


def _say(line: Line, draft: TranscriptDraft) -> None:
    message = part(line, "message")
    speaker = Speaker.USER if line.get("type") == "user" else Speaker.ASSISTANT
    at, name = draft.moment(line.get("timestamp")), text_of(line, "uuid")
    content = message.get("content")
    for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
        match block:
            case {"type": "text", "text": str(text)}:
                draft.say(speaker, _own_words_taken_out(text), at=at, name=name)
            case {"type": "tool_use", "name": tool, "id": call}:
                draft.call(tool, block.get("input"), at=at, name=name, call=call)
            case {"type": "tool_result", "tool_use_id": call}:
                failed = block.get("is_error") is True
                draft.answer(call, words(block.get("content")), has_failed=failed)
            case _:
                pass
