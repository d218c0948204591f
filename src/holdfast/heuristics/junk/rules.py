"""Patterns of claims that are not worth keeping, with weights and reasons."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from holdfast.domain.values import dataclass
from holdfast.heuristics.junk.orders import ASKING, ORDERING, STEERING, TokenReader


class Sort(StrEnum):
    """The sorts of junk."""

    BOOT = "boot"
    PROFILE = "profile"
    CHAT = "chat"
    STATUS = "status"
    TRANSIENT = "transient"
    TRUISM = "truism"
    FRAGMENT = "fragment"
    PROMPTING = "prompting"
    INJECTION = "injection"
    STEERING = "steering"


REASONS = {
    Sort.BOOT: "it repeats instructions that an agent gets at its start",
    Sort.PROFILE: "it describes a person, not the project",
    Sort.CHAT: "it is small talk",
    Sort.STATUS: "it reports finished work, not a lasting fact",
    Sort.TRANSIENT: "it describes a momentary state",
    Sort.TRUISM: "it is general advice, not specific to the project",
    Sort.FRAGMENT: "it is not a complete statement",
    Sort.PROMPTING: "it asks to be trusted, approved or kept",
    Sort.INJECTION: "it gives orders to the agent that reads it",
    Sort.STEERING: "it tells the agent that reads it how to talk or behave",
}
FIRM = frozenset(
    {Sort.PROMPTING, Sort.INJECTION, Sort.STEERING, Sort.BOOT, Sort.CHAT, Sort.FRAGMENT}
)
"""Sorts whose weight is not reduced by concrete details."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JunkRule:
    """A pattern, the sort of junk it indicates, and its weight.

    A rule with ``needs`` is tried only if the claim contains one of these words, and may match
    anywhere in a sentence. A rule without ``needs`` matches only at the beginning of one.
    """

    sort: Sort
    weight: float
    pattern: re.Pattern[str]
    needs: frozenset[str] = frozenset()


_AGENT = r"(?:the |this )?(?:ai|assistant|agent|llm|language model|chatbot|copilot)"
# Orders that only an agent receives; a rule about the work orders something else.
_OF_AGENTS = (
    r"(?:answer|respond|reply|speak|talk|explain|think|ask|help|assist|be|act|introduce|greet"
    r"|follow the user|(?:read|check|load) \S+\.md)\b"
)
_PERSON = r"(?:the )?(?:user|developer|human|person|customer|client)"
_DONE = (
    r"added|adjusted|applied|built|changed|checked|cleaned up|committed|completed|created|deleted"
    r"|deployed|fixed|finished|implemented|installed|merged|migrated|moved|pushed|ran|refactored"
    r"|removed|renamed|resolved|reviewed|reverted|tested|updated|upgraded|verified|wrote"
)
_FROM_ONE_TO_ANOTHER = (
    r"we(?:'ve| have)?(?: just| now| also| already)? (?:moved|migrated|changed|upgraded)"
    r"(?: [\w-]+){0,3} from \S+(?: [\w-]+){0,2} to \S"
)
"""A choice that was changed, and no report: ``We moved from Jenkins to Buildkite``."""
_FINE = (
    r"pass(?:ed|es|ing)?|green|fixed|done|complete[d]?|finished|successful|working|ready|clean|ok"
    r"|up to date|merged|deployed"
)
_GOODS = (
    r"(?:test(?:s|ing)?|documentation|docs|security|performance|communication|readability|quality"
    r"|simplicity|code reviews?|clean code|maintainability|teamwork|consistency|bugs?|errors?)"
)

_PATTERNS: dict[Sort, tuple[TokenReader, ...]] = {
    Sort.BOOT: (
        (0.8, (
            r"\b(?:stay in character|tone of voice|knowledge (?:ends|cut-?off)|browse the"
            r" web|persona"
            r"|your (?:replies|reply|answers|persona\w*|tone)|in all replies|every reply)\b"
        ), "character voice knowledge browse persona replies reply your"),
        (0.8, r"\b(?:soul|identity|heartbeat|user|persona)\.md\b", "md"),
        (0.8, r"^you (?:must|should|will|may) (?:respond|answer|reply|speak|talk|greet|explain)\b"),
        (0.7, (
            r"^(?:ai )?(?:agents|assistants) (?:should|must|are expected to|are supposed to)"
            rf" (?:always |never )?{_OF_AGENTS}"
        )),
        (0.9, (
            r"^you(?:'re| are) (?:an? )?(?:\w+[ -]){0,3}(?:assistant|agent|ai|model|developer"
            r"|engineer|expert)\b"
        )),
        (0.9, r"^you (?:have access to|can use|may use)\b"),
        (0.9, r"^(?:always |you (?:must|should) (?:always )?)use the \w+ tool\b"),
        (0.9, (
            r"^your (?:role|job|task|goal|name|answers?|responses?|persona\w*) (?:is|should)\b"
        )),
        (0.9, (
            rf"^{_AGENT}(?:'s)? (?:(?:should|must) (?:always |never )?{_OF_AGENTS}|will|can|may"
            r"|has access|is (?:supposed|expected|meant)|reads|boots|loads|follows|name is"
            r"|speaks|was told|needs to)\b"
            r"(?!.*endpoint)"
        )),
        (0.8, (
            r"\b(?:soul|identity|user|tools|memory|heartbeat|agents|claude|gemini"
            r"|bootstrap)\.md\b.*\b(?:defines|personality|startup|start-up|before|beginning"
            r"|every session|reads?)\b"
        ), "agents bootstrap claude gemini heartbeat identity memory soul tools user"),
        (0.8, r"^(?:always |first |please )?read \S+\.md (?:before|first|at)\b"),
        (0.9, (
            r"\b(?:system prompt|as an ai\b|an ai (?:language )?model|you are an ai|helpful,"
            r" harmless)"
        ), "prompt ai harmless"),
        (0.8, r"^follow the (?:user|human|person)'?s? (?:instructions|requests?|wishes)\b"),
        (0.8, (
            r"^(?:respond|reply|answer) (?:in|with|to)\b.*\b(?:user|language|concise\w*"
            r"|emojis?)\b"
        )),
        (0.8, r"^(?:keep|make) (?:your|all|the) (?:answers?|responses?|repl(?:y|ies))\b"),
        (0.8, r"^(?:when|if) you are (?:unsure|uncertain|stuck|done|finished)\b"),
        (0.8, r"^use the \w+ tool (?:to|for|when)\b"),
        (0.8, r"^never mention\b"),
    ),
    Sort.PROFILE: (
        (0.8, (
            rf"^{_PERSON} (?:(?:also|often|always|really|just) )?(?:thinks|feels|believes"
            r"|knows a|is"
            r" (?:probably|likely|often)|prefers to be|seems|hopes|wishes|comes from|grew"
            r" up|studied)\b"
        )),
        (0.6, (
            rf"^{_PERSON} has (?!(?:no |the |an? )?(?:\w+ )?(?:rights?|permissions?|roles?"
            r"|access|tokens?"
            r"|sessions?|accounts?|ids?|rows?|records?|to\b|been))"
        )),
        (0.9, (
            rf"^{_PERSON} (?:is|was) (?:likely |probably |very |currently |also |clearly )?(?:"
            r"(?:an? )(?!(?:row|record|member of)\b)|passionate|interested|based|experienced"
            r"|learning|new to|from|detail|frustrated|happy|working|fluent|familiar|curious)"
        )),
        (0.9, (
            rf"^{_PERSON} (?:likes|loves|enjoys|lives|works|values|appreciates|hates|dislikes"
            r"|seems|appears|wants to learn|speaks)\b"
        )),
        (0.9, rf"^{_PERSON} (?:may|might|could) be (?:an? )"),
        (0.9, (
            rf"^{_PERSON} has (?:an? |\d+ |many |several |extensive |strong |some |deep "
            r"|little )*(?:experience|background|years|interest|passion|knowledge|dog|cat"
            r"|family|child\w*|wife|husband|hobb\w+)\b"
        )),
        (0.9, rf"^{_PERSON}'s (?:name|hobb\w+|birthday|age|job|dog|cat|favou?rite)\b"),
    ),
    Sort.CHAT: (
        (0.7, r"^(?:hm+|ah|oh|well|ok(?:ay)?|uh)\b[ ,]"),
        (0.7, r"^(?:that|this|it) makes sense\b|^will do\b|^(?:sounds|seems) (?:right|fine)\b"),
        (0.9, r"^(?:many )?thank(?:s|s a lot| you)\b(?! to\b)"),
        (0.9, (
            r"^(?:hi|hello|hey|good (?:morning|evening|afternoon)|bye|goodbye|cheers)\b[ ,!.]"
        )),
        (0.8, (
            r"^(?:ok(?:ay)?|sure|yes|no|yep|nope|right|alright|perfect|great|awesome|nice"
            r"|cool|haha|lol|wow|sorry|absolutely|exactly)(?:[,.!]|$| (?:please|work|job"
            r"|thanks|one)\b)"
        )),
        (0.8, r"^(?:sounds|looks) (?:good|great|fine)\b"),
        (0.9, (
            r"\b(?:great|good|excellent) question\b|\byou(?:'re| are) (?:absolutely |totally"
            r" )?right\b|\bi apologi[sz]e\b|\blet me know if\b|\bi hope this helps\b|\bglad "
            r"(?:that|it|this) (?:helped|works)\b|\bhow can i help\b"
        ), "question right apologize apologise let hope glad help"),
        (0.8, r"^let me (?:check|look|see|know|take|try|read|open|start|first)\b"),
        (0.8, r"^(?:no (?:worries|problem)|you're welcome|my (?:mistake|bad)|take your time)\b"),
        (0.7, r"^i(?:'ll| will) (?:take a look|get back|check|look|do that|start|try)\b"),
        (0.7, r"^(?:that|this)(?:'s| is) (?:a )?(?:great|good|nice|fine|awesome)\b"),
        (0.7, r"^(?:please )?go ahead\b"),
    ),
    Sort.STATUS: (
        (0.7, (
            r"^(?:\d+|one|two|three|four|five|some|most|all) of (?:the )?[\w ]+ (?:is|are) "
            r"(?:done|left|open)\b"
        )),
        (0.6, (
            r"^[\w ]{1,40} (?:is|are) (?:red|green|broken|down|up|back|fixed|failing|slow)"
            r" again[.!]?$"
        )),
        (0.8, (
            rf"^(?!{_FROM_ONE_TO_ANOTHER})"
            rf"(?:i|we)(?:'ve| have)?(?: just| now| also| already)? (?:{_DONE})\b"
            r"(?!.*\bbecause\b)"
        )),
        (0.7, (
            rf"^(?:successfully |just |also )?(?:{_DONE})\b (?!by\b|jobs?\b|orders?\b|items?\b"
            r"|rows?\b|in (?:a|each|every)\b|with\b.*\bare\b|values?\b|\w+ (?:are|is|stay"
            r"|must)\b)"
        )),
        (0.7, r"^committed and pushed\b|^successfully\b|^done\b"),
        (0.8, (
            r"^(?:all|the|every|\d+)? ?(?:[\w-]+ ){0,4}(?:tests?|builds?|ci|pipeline"
            r"|checks?|bug|issue|task|job|pull request|pr|deployment|refactoring|feature"
            r"|migration|lint\w*)(?: of [\w -]+)? (?:is|are|was|were|has been|have been|now)?"
            rf" ?(?:all |now )*(?:{_FINE})\b(?!\s+(?:with|when|if|only|in\b|before|by|through))"
        )),
        (0.7, (
            r"\b(?:has|have) been (?:completed|finished|implemented|fixed|merged)(?:"
            r" \w+)?[.!]?$"
        ), "been"),
        (0.7, r"^(?:no|zero) (?:errors?|issues?|problems?|warnings?)\b"),
        (0.7, r"^(?:everything|it all|all of it) (?:works|passes|is (?:fine|ok|green|done))\b"),
        (0.7, r"\bran without (?:problems|errors|issues)\b|\bfinished at \d", "finished ran"),
        (0.6, r"\bis (?:now )?(?:complete|finished|done)[.!]?$|\bmoving on to\b",
         "complete finished done moving"),
    ),
    Sort.TRANSIENT: (
        (0.7, (
            r"^(?:we|i)(?:'re| are|'m| am) (?:still |now |currently )?(?:waiting|looking"
            r"|working|trying|going|about)\b"
        )),
        (0.7, rf"^{_PERSON} (?:just|now|currently) \w+ed\b"),
        (0.7, r"^the (?:cursor|laptop|battery|screen|window|dialog|tab|terminal) (?:is|has|was)\b"),
        (0.7, (
            r"^(?:currently|right now|at the moment|at present|today|tonight|this (?:morning"
            r"|afternoon)|so far|still)\b(?! (?:date|the api|clients?|only|not|is)\b)"
        )),
        (0.7, (
            r"\b(?:right now|at the moment|in this session|the conversation so far|in the"
            r" current session|as of this moment)\b"
        ), "now moment session conversation"),
        (0.7, (
            r"^(?:waiting for|working on|about to|looking at|investigating|trying to|going"
            r" to)\b(?!.* (?:is|are|must|may|takes)\b)"
        )),
        (0.7, r"^i(?:'m| am) (?:about|going|working|waiting|looking|trying|now)\b"),
        (0.7, (
            r"^next step|^need to (?:come back|look|check|finish)\b|\blater$|come back to this"
        ), "come later need next"),
        (0.7, r"\b(?:running|started|is up) (?:on|with|as) pid \d+|\bbeen up for \d+", "pid been"),
        (0.7, (
            r"^the (?:current|present) (?:working )?(?:directory|branch|folder|file|time"
            r"|commit)\b (?:is|name)"
        )),
        (0.7, (
            r"\buncommitted (?:files|changes)\b|^the (?:terminal|console|screen|editor)"
            r" shows\b|^the last (?:command|run|output)\b|\bat \d{1,3} ?(?:percent|%)[.]?$"
        ), "uncommitted shows last at"),
        (0.7, r"^it is \d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)?\b"),
    ),
    Sort.TRUISM: (
        (0.7, r"^every (?:project|team|program|developer|system) (?:needs|should|has|wants)\b"),
        (0.7, r"^\w+ is (?:used|made|great|good|known) for [\w ]{1,40}[.]?$"),
        (0.7, (
            r"^always (?:double-?check|check|test|review|verify) (?:your|the|all"
            r"|everything)\b[\w ]{0,30}[.]?$"
        )),
        (0.8, (
            rf"^(?:good |clean |proper |regular |readable )?(?:{_GOODS}|backups?|code) (?:"
            r"(?:is|are)"
            r" (?:very |an? )?(?:important|key|essential|crucial|good|great|helpful|useful"
            r"|vital|easier"
            r"|better|necessary)|matters?|helps?|improves?|should be (?:fixed|taken|written"
            r"|done|good)"
            r"|leads?|saves?)\b(?!.*\d)(?!.*[/_`(])"
        )),
        (0.8, (
            r"^(?:always )?(?:be careful|take care|think|be consistent|follow (?:the )?best"
            r" practices?|handle errors|make sure everything|test your|write (?:clean|good"
            r"|readable|high|quality|maintainable|simple)|use (?:meaningful|descriptive|clear"
            r"|good))\b"
        )),
        (0.7, (
            r"^(?:always )?keep (?:it|things|functions|code|classes|methods) (?:simple|small"
            r"|clean|short|readable)"
        )),
        (0.8, r"^it is (?:important|essential|crucial|good|best|recommended) to\b"),
        (0.8, (
            r"^[\w+#.]+ is an? (?:[\w-]+ ){0,3}(?:programming language|version control"
            r"|framework|database|operating system|text editor|tool|library)(?: system)?[.]?$"
        )),
        (0.7, r"^an? \w+ (?:stores?|holds?|contains?) (?:data|things|values|information)[.]?$"),
        (0.6, (
            r"\bbest practices\b|\bat all times\b|\bas soon as possible\b|\bhigh[- ]quality"
            r" code\b"
        ), "practices times possible quality"),
    ),
    Sort.FRAGMENT: (
        (0.8, r"^(?:todo|fixme|n/?a|none|null|etc|tbd|wip|nothing|unknown)\b[.:! ]*$"),
        (0.8, r"^#{1,6} "),
        (0.8, r"^[^.!]*\?$"),
        (0.8, r"^https?://\S+$"),
        (0.8, r"^[\W\d_]*$"),
        (0.8, r"^(?:def|class|import|from|function|const|let|var|return)\b.*[:;{)]$"),
        (0.8, r"^traceback\b|^\s*at \S+\(.*\)$|^file \".*\", line \d+"),
        (0.8, r"^(?:\w+ ){0,3}\w+:$"),
    ),
    Sort.PROMPTING: ASKING,
    Sort.INJECTION: ORDERING,
    Sort.STEERING: STEERING,
}  # fmt: skip


@cache
def rules() -> tuple[JunkRule, ...]:
    """Return every rule, compiled at the first call."""
    return tuple(
        JunkRule(
            sort=sort,
            weight=weight,
            pattern=re.compile(pattern, re.IGNORECASE),
            needs=frozenset(" ".join(words).split()),
        )
        for sort, wordings in _PATTERNS.items()
        for weight, pattern, *words in wordings
    )
