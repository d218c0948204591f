"""The intent of a question: to learn something, to get a task done, or to hear advice again."""

from __future__ import annotations

import re

_SENTENCE = re.compile(
    r"(?:^|[.!?;:]\s+|\n[^\S\n]*+)(?:please\s+|now\s+|then\s+)?([a-z]+)", re.IGNORECASE
)
_DOING = frozenset({
    "add", "adjust", "build", "bump", "change", "check", "clean", "configure", "convert",
    "correct", "create", "debug", "delete", "deploy", "document", "drop", "enable", "ensure",
    "extend", "extract", "finish", "fix", "handle", "implement", "improve", "integrate",
    "investigate", "make", "migrate", "move", "port", "prevent", "refactor", "release",
    "remove", "rename", "repair", "replace", "resolve", "restore", "revert", "rewrite",
    "rotate", "run", "set", "ship", "simplify", "solve", "stop", "support", "switch", "test",
    "update", "upgrade", "use", "validate", "wire", "write",
})  # fmt: skip


def is_task(text: str) -> bool:
    """Tell whether a sentence starts with an action verb, and the text is no question."""
    asks = text.rstrip().endswith("?")
    return not asks and any(word.casefold() in _DOING for word in _SENTENCE.findall(text))


_AGENT = "(?:you|the (?:ai|agent|assistant|bot|chatbot|model))"
_TOLD = (
    "(?:advised|answered|cautioned|described|explained|gave|listed|mentioned|offered|outlined"
    "|pointed out|proposed|provided|recommended|said|showed|shown|suggested|told|warned|wrote)"
)
_ADVISED = "(?:advised|cautioned|recommended|suggested|told|warned)"
_ADVICE = "(?:advice|recommendations?|suggestions?|tips)"
_ANSWERS = "(?:answers?|explanations?|ideas?|instructions?|lists?|outlines?|plans?|steps|warnings?)"
_AGENT_WORDS = re.compile(
    rf"\b(?:did|had|have|has) {_AGENT}\b"
    rf"|\b{_AGENT}(?:['\u2019](?:d|ve)| had| have| has)?(?: (?:\w+ly|already|just|once))? {_TOLD}\b"
    rf"|\b(?:was|were|been) (?:(?:i|we) )?(?:\w+ly )?{_ADVISED}\b"
    rf"|\b{_ADVICE}\b|\byour (?:\w+ )?{_ANSWERS}\b",
    re.IGNORECASE,
)


# Who wants the whole of a conversation wants both sides of it.
_WHOLE = re.compile(
    r"\b(?:summar(?:y|ies|i[sz]e[ds]?|i[sz]ing)|recap|overview|rundown|sum(?:s|med)? up)\b",
    re.IGNORECASE,
)


def asks_agent_words(text: str) -> bool:
    """Tell whether a question asks what an agent said before, alone or with everything else.

    ``What did you recommend?`` asks it, and so does ``Summarize it``; ``What would you recommend?``
    asks for something new.
    """
    return _AGENT_WORDS.search(text) is not None or _WHOLE.search(text) is not None
