"""The messages that are added, and the names of the spaces of users."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

_LONGEST = 90
_MESSAGES = "messages must be str, dict, or list[dict]"


def read_messages(messages: object) -> list[dict[str, Any]]:
    """Return the messages that are kept: those with a role and a text, without system messages.

    Raises:
        ValueError: They are neither a text, nor a message, nor a list of messages.
    """
    if isinstance(messages, str):
        messages = [{"role": "user", "content": messages}]
    if isinstance(messages, dict):
        messages = [messages]
    if not isinstance(messages, list):
        raise ValueError(_MESSAGES)  # noqa: TRY004 - mem0 raises it too
    found = [{**one, "content": _text(one.get("content"))} for one in messages if _is_whole(one)]
    return [one for one in found if one["role"] != "system"]


def _is_whole(message: object) -> bool:
    if not isinstance(message, dict):
        return False
    return message.get("role") is not None and message.get("content") is not None


def _text(content: object) -> str:
    """Return the text of a message; parts that are no text are left out."""
    if isinstance(content, list):
        texts = [one.get("text", "") for one in content if isinstance(one, dict)]
        return "\n".join(str(one) for one in texts if one)
    return str(content)


def owner_of(user_id: str | None, otherwise: str) -> str:
    """Return the name of the owner of a user's space; a long id stands by its hash."""
    if user_id is None:
        return otherwise
    if len(user_id) <= _LONGEST and user_id.isprintable():
        return user_id
    return f"sha256-{sha256(user_id.encode()).hexdigest()}"
