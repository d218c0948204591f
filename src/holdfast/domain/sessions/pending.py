"""A turn of a coding tool as its hooks saw it, before it is stored."""

from __future__ import annotations

from holdfast.domain.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingTurn:
    """A prompt, and what the tool did since.

    ``session`` and ``began`` are the tool's own name for the session and the second in which it
    began; ``root`` is the folder of its repository. ``branch`` and ``head`` are what was checked
    out when the prompt was sent; ``head`` is empty if it is not known. ``is_over`` means that the
    tool finished it, ``transcript`` is where its words are, and ``reply`` are the last of them, if
    the tool told them. ``asks`` is what a person was asked to allow and has not answered yet, and
    ``answered`` what they have.
    """

    session: str
    tool: str
    began: int
    root: str
    key: str
    asked: str = ""
    branch: str = ""
    head: str = ""
    commands: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    is_over: bool = False
    transcript: str = ""
    reply: str = ""
    asks: tuple[str, ...] = ()
    answered: tuple[str, ...] = ()
