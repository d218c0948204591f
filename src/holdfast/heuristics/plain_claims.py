"""Decide whether a claim only describes code, so that it could be accepted without a person.

The checks err on the side of a person: a claim that they doubt waits for one. They understand
English only, so a claim in another language or script is doubted too.
"""

from __future__ import annotations

import re
from functools import cache

_FEWEST_ENGLISH = 0.1
_SPELLED_OUT = 3
_NOT_ENGLISH = "too few small words, such as 'the' or 'of', show that it is English"
_SIGNS = " .!?;:,\n\t"
_ENGLISH = (
    "a an the is are was were be been being has have had does did of in on at by for from with"
    " without to into than then that this these those it its if when while where which only not no"
    " never after before until unless because and or but as so both each every all any once twice"
    " again still there"
)
_OTHER_LANGUAGES = (
    "le la les des du une et est sont doit doivent pas pour avec dans que qui aux ce cette"
    " der die das den dem ein eine und ist sind nicht muss soll darf mit für auf vom zum zur"
    " el los las un una y es son debe deben para con del al que no se"
    " il lo gli di della dello deve devono non per che sono nel nella"
    " o os um uma deve devem não nao para com do da dos das em"
    " de het een en van niet moet mag met voor naar zijn"
    " och att det som är inte ska med för på av den"
    " na nie jest musi oraz lub dla przez bir ve bu için icin dan yang untuk harus jangan dengan"
)
_PATTERNS = {
    "code": r"`[^`\n]*`",
    "word": r"[^\W\d_]+(?:['’][a-z]+)?",
    "address": r"\b(?:i|me|my|mine|we|us|our|ours|you|your|yours|yourself)\b",
    "people": r"\b(?:assistants?|agents?|bots?|chatbots?|copilots?|claude|gpt|gemini|codex|llms?|ai"
    r"|models?|humans?|persons?|people|maintainers?|reviewers?|developers?|engineers?|contributors?"
    r"|teams?|everyone|everybody|anyone|anybody|nobody|somebody|someone|staff|admins?"
    r"|administrators?|colleagues?|managers?|whoever|owners?|newcomers?|beginners?|juniors?|seniors?"
    r"|authors?|committers?|customers?|partners?|vendors?|compan(?:y|ies)|boss(?:es)?|groups?"
    r"|payments|chats?|eyes)\b",
    "permission": r"\b(?:permi(?:t|ts|tted|tting|ssions?|ssible)|allow(?:s|ed|ing|ance)?"
    r"|authori[sz]\w+|unauthori[sz]ed|approv\w+|bypass\w*|overrid\w+|exempt\w*|consent\w*"
    r"|grant\w*|entitle\w*|trust\w*|privileg\w+|waive\w*|clearance|sanction\w*|licen[sc]ed|reviews?"
    r"|reviewed|reviewing|sign-?off|circumvent\w*|disregard\w*|evad\w+|skip\w*|ignor\w+|disabl\w+"
    r"|unchecked|unsupervised|freely)\b",
    "duty": r"\b(?:should|shall|ought|must|ha(?:s|ve) to|needs? to|(?:required|expected|supposed"
    r"|obliged|free|welcome|safe|ok|okay|fine|best|better|advised|recommended|instructed|told|asked"
    r"|encouraged) to|let(?:'s| us)|please|kindly|feel free|instead of)\b",
    "possibility": r"\b(?:can|cannot|can't|could|may|might|will|would|needs?|needed|requir\w+"
    r"|wants?|enough|fine|okay|ok|acceptable|normal\w*|usual\w*|customary|convention\w*|optional\w*"
    r"|unnecessary|obsolete|decorative|on purpose|suggestions?|no longer|turn(?:s|ed|ing)?|noise"
    r"|even if it|exists? (?:only )?for|only there)\b",
    "work": r"\b(?:commit(?:s|ted|ting)?|push(?:es|ed|ing)?|merg(?:e|es|ed|ing)|rebas\w+|main"
    r"|master|pull requests?|deploy\w*|releas\w+|hotfix\w*|branch(?:es)?|protection|protected"
    r"|pipelines?|ci|builds?|tests?|tested|testing|linters?|lint|hooks?|gates?|sandbox\w*|production"
    r"|staging|projects?|repositor(?:y|ies)|tickets?|agree(?:s|d|ment)?|decid\w+|decision\w*"
    r"|practice\w*|workflow\w*|process(?:es)?|backups?|install\w*|dependenc\w+|servers?|root|logs|history)\b",
    "safety": r"\b(?:safe(?:ly|ty)?|unsafe|secur\w+|insecure|harmless|danger\w*|risk\w*|firewalls?"
    r"|encrypt\w*|anonymous\w*|confirm\w*|(?:two|multi)-?factor|authenticat\w*|legal\w*"
    r"|licen[sc]\w*)\b",
    "secrets": r"\b(?:passwords?|passphrases?|passwd|credentials?|creds|secrets?|api[ _-]?keys?"
    r"|(?:private|ssh|signing|master|deploy)[ _-]keys?|keychains?|vaults?|dotenv|env(?:ironment)?"
    r"[ _-](?:file|variables?)|cookies?|wallets?|seed phrases?)\b|\.env\b",
    "transfer": r"\b(?:upload\w*|exfiltrat\w*|paste[sd]?|publish\w*|disclos\w+|reveal\w*|shar(?:e"
    r"|ed|es|ing)|send(?:s|ing)?|sent|e-?mail\w*|transmit\w*|forward(?:s|ed|ing)?|leak\w*|download\w*"
    r"|dot (?:com|org|net|io|example|dev))\b",
    "instructions": r"\b(?:instruct\w*|prompts?|guidelines?|directives?|polic(?:y|ies)|rules?"
    r"|guidance|obey\w*|compl(?:y|ies|iance)|mandat\w+|memor(?:y|ies)|system message|context window"
    r"|conversation|jailbreak\w*|persona|role-?play\w*)\b",
    # A sentence that starts with a verb in its base form gives an order.
    "order": r"(?:^|[.!?;:\n][ \t]*+)"
    r"(?:(?:just|simply|also|then|first|always|never|do|don't)[ ,]+)*"
    r"(?P<verb>accept|act|add|answer|apply|assume|avoid|call|change|check|choose|close|commit|consider"
    r"|copy|create|delete|deploy|do|drop|enable|ensure|execute|export|fetch|follow|forget|give|go"
    r"|include|install|keep|leave|let|load|log|make|merge|mention|move|open|pass|pick|post|prefer"
    r"|pretend|print|push|put|read|refer|release|remember|remove|rename|replace|reply|report"
    r"|respond|restart|return|revert|run|say|see|set|start|stop|store|switch|take|tell|treat|try"
    # A name that ends in such a verb is a subject: "Session.close closes every adapter".
    r"|turn|update|use|visit|wait|write)\b(?! (?P=verb)s\b)"
    r"(?! (?:is|are|was|has|can|and|or|calls?|fails?)\b)",
}
_REASONS = {
    "address": "may address somebody",
    "people": "may be about people, assistants or models",
    "permission": "may be about what is permitted or left out",
    "duty": "may say what should be done",
    "possibility": "may say what is possible, needed or usual",
    "work": "may be about building, testing or running software, and not about code",
    "safety": "may be about safety",
    "secrets": "may be about credentials",
    "transfer": "may be about sending data away",
    "instructions": "may be about instructions",
    "order": "may give an order",
}


def doubts(claim: str, *names: str) -> tuple[str, ...]:
    """Return why a claim needs a person; empty if it only describes code, in plain English.

    ``names`` are other texts of the proposer, such as the key and the tags.
    """
    text = " ".join([claim, *(re.sub(r"[-_./]", " ", name) for name in names)])
    found = ((_compiled(name).search(text), reason) for name, reason in _REASONS.items())
    said = [f'"{match[0].strip(_SIGNS)}" {reason}' for match, reason in found if match]
    prose = _compiled("code").sub(" ", claim)
    return (
        *said,
        *(() if _is_plain_english(prose) else (_NOT_ENGLISH,)),
    )


def _is_plain_english(prose: str) -> bool:
    """Tell whether the checks above understand a text."""
    letters = [sign for sign in prose if sign.isalpha()]
    words = [word.lower() for word in _compiled("word").findall(prose)]
    if not words or not all(map(str.isascii, letters)):
        return False
    if _is_spelled_out(words):
        return False
    english, other = _words_of(_ENGLISH), _words_of(_OTHER_LANGUAGES) - _words_of(_ENGLISH)
    foreign = sum(word in other for word in words)
    known = sum(word in english for word in words)
    return not foreign and known >= max(1.0, _FEWEST_ENGLISH * len(words))


def _is_spelled_out(words: list[str]) -> bool:
    """Tell whether single letters stand in a row, as in `i g n o r e`."""
    lengths = "".join("1" if len(word) == 1 else "n" for word in words)
    return "1" * _SPELLED_OUT in lengths


@cache
def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _compiled(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name], re.IGNORECASE)
