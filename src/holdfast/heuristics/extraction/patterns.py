"""The English patterns for decisions, corrections, agreement, doubt, warnings and reasons.

Every input is one sentence on one line, with straight apostrophes.
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE


def _starts(words: str) -> re.Pattern[str]:
    return re.compile(rf"[\"'*_`(]*(?:{words})", _FLAGS)


def _holds(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", _FLAGS)


_DASH = "[-\N{EN DASH}\N{EM DASH}]"
_NOUN = r"(?:rule|policy|decision|convention|contract|standard|agreement|approach|plan|design)"

# Marks a summarising turn, which replaces the discussion before it.
SUMMARY = re.compile(
    r"[\"'*_`(]*(?:(?:to|in|so|ok(?:ay)?|and|just|quick|full|final|short),?\s+){0,2}"
    r"(?:recap\b|summary\b|summari[sz]ing\b|summari[sz]e\b|sum(?:ming)?\s+up\b|wrap(?:ping)?\s+up\b"
    rf"|(?:the\s+|our\s+)?(?:final|definitive|agreed|amended|updated|resulting)\s+(?:[\w-]+\s+){{0,2}}{_NOUN}\b"
    rf"|(?:so\s+|therefore\s+)?(?:the|our)\s+(?:final\s+|definitive\s+)?{_NOUN}\s+(?:is|now)\b"
    r"|to\s+be\s+(?:explicit|clear|precise)\s+about\b"
    rf"|{_NOUN}s?\s*:|final\s+(?:answer|version|word)\b"
    r"|(?:settled|agreed|decided|locked\s+in|confirmed|conclusion|outcome|verdict|resolution|spec"
    r"|bottom\s+line|tl;?dr|in\s+short|for\s+the\s+record|net(?:\s+result)?|so|then)\b[^.:;]{0,40}:)",
    _FLAGS,
)

# The opening of such a turn that can be removed because it names nothing specific.
SUMS_UP = re.compile(
    rf"(?:(?:final|quick|full|short|to)\s+)?(?:recap|summary|settled|agreed|decided|confirmed"
    rf"|conclusion|outcome|in\s+short|tl;?dr|bottom\s+line|{_NOUN})\s*:\s+(?=\S)",
    _FLAGS,
)

# Marks an explicit decision.
DECIDED = _holds(
    r"(?:we|i)(?:'ve|\s+have)?\s+(?:now\s+|also\s+|already\s+|finally\s+)?"
    r"(?:decided|agreed|settled|standardi[sz]ed|chosen|picked|chose|opted|committed)\s+"
    r"(?:to|on|that|against|for|not|with)"
    r"|(?:we|i)(?:'ve|\s+have)?\s+(?:\w+\s+)?(?:decided|agreed|settled)"
    r"(?:\s+\w+){0,3}:[ \t]+[`\"']*"
    r"|let's\s+(?:go\s+with|stick\s+(?:with|to)|settle\s+on"
    r"|use|switch\s+to|standardi[sz]e\s+on|drop|keep|not)"
    r"|(?:we|i)(?:'ll|\s+will|'re\s+going\s+to|\s+are\s+going\s+to)\s+"
    r"(?:go\s+with|stick\s+(?:with|to)|settle\s+on|standardi[sz]e\s+on|switch\s+to)"
    r"|(?:the|our)\s+(?:team|group|security|legal|ops|product|finance|platform)\s+(?:team\s+)?"
    r"(?:decided|agreed|settled|signed\s+off)"
    rf"|(?:the|our)\s+{_NOUN}\s+(?:is|will\s+be|stays|remains|says)"
    r"|(?:decision|agreement)\s+(?:is|was)\s+(?:to|that)"
)

# Marks a statement that is valid for everybody from now on.
STANDING = _holds(
    r"from\s+now\s+on|going\s+forward|as\s+of\s+(?:today|now)|henceforth|in\s+future"
    r"|every\s+time\s+(?:you|we)|whenever\s+(?:you|we)"
)
FORBIDS = re.compile(
    r"[\"'*_`(]*(?:please\s+|and\s+|but\s+|so\s+|also,?\s+)?"
    r"(?:never|always|do\s+not|don't)\s+(?!know\b|think\b|worry\b"
    r"|see\b|mind\b|get\b|believe\b|remember\b|forget\b|ever\s+forget\b|understand\b|have\b"
    r"|want\b|need\b|feel\b|good\b|nice\b|happy\b)\w+"
    r"|.*\b(?:we|you|it|this|that|they|everything|everyone|nobody|all|any|code|tests?|\w+s)\s+"
    r"(?:must(?:\s+(?:not|never|always))?|mustn't"
    r"|(?:should|may|can|do|does|will)\s+(?:never|always))\b",
    _FLAGS,
)
INSTEAD = _holds(
    r"(?:use|uses|using|prefer|take|write|call|run|go\s+with|switch\s+to|pick|choose)\s+"
    r"[^.;]{1,80}?\s(?:instead(?:\s+of)?|rather\s+than|and\s+not|,\s*not)"
)
PREFERS = _holds(
    r"i(?:'d)?\s+(?:prefer|rather)|i\s+(?:like|want)\s+(?:you\s+to|it|them|my|the|our)"
    r"|please\s+(?:always|never|don't|do\s+not|use|keep|avoid|stick)"
)

# Mark the rejection and the acceptance of an offer.
CORRECTS = _starts(
    r"no\b|nope\b|not\s|never\b|neither\b|wrong\b|careful\b|hold\s+on\b|wait\b|stop\b|actually\b"
    r"|instead\b|too\s+\w+\b|that(?:'s| is)\s+(?:wrong|not\s)|almost\b|close\b"
    r"|(?:one|two|three|a\s+few)\s+(?:correction|change|update|fix|precision|exception)"
)
CONFIRMS = _starts(
    r"yes\b|yep\b|yeah\b|right\b|exactly\b|correct\b|confirmed\b|agreed\b|perfect\b|precisely\b"
    r"|ship\s+it\b|do\s+it\b|go\s+ahead\b|go\s+for\s+it\b|approved\b|lgtm\b|sounds\s+good\b"
    r"|looks\s+good\b|great\b|good\b|done\b|love\s+it\b|works\s+for\s+me\b|make\s+it\s+so\b"
    rf"|that(?:'s|\s+is)\s+(?:it|the\s+one|right|correct|the\s+{_NOUN}|what\s+(?:we|i))\b"
)
ACKNOWLEDGES = re.compile(
    r"[\"'*_`(]*(?:(?:ok(?:ay)?|alright|ah|right|yes|yep|sure|perfect|great|excellent|thanks?|good)"
    r"[,.!]?\s+)?(?:got\s+it|understood|noted|makes\s+sense|clear|will\s+do|agreed|done|so|right"
    r"|correct|ok(?:ay)?|sure|perfect|confirmed|exactly|shipped|implemented|fixed|updated|applied)\b"
    r"(?:\s+(?:on|and|with|for)\s+\w+(?:\s+\w+)?)?\s*(?:[-\N{EN DASH}\N{EM DASH},.:;!]+\s*|$)"
    r"(?:so,?\s+)?",
    _FLAGS,
)
# Marks a yes that turns the statement before it into a rule.
RATIFIES = _starts(
    r"(?:yes|yep|right|perfect|great|good|ok(?:ay)?)?[,.!\s]*(?:ship\s+it|make\s+it\s+so|approved"
    rf"|that(?:'s|\s+is)\s+(?:the\s+one|the\s+{_NOUN}|our\s+{_NOUN}|what\s+we\s+(?:agreed|decided)))\b"
)
# The opening of an answer that can be removed if the rest is complete without it.
OPENS = re.compile(
    r"(?:no|nope|yes|yep|right|correct|exactly|careful|hold\s+on|wait|actually|wrong|hm+"
    r"|ok(?:ay)?)\b"
    rf"(?:\s*[,:;.!]+\s+|\s+{_DASH}+\s+|[,\s]+(?=actually))|(?:but|and|also|so),?\s+",
    _FLAGS,
)
THANKS = _starts(
    r"(?:many\s+)?thank(?:s|\s+you)\b|cheers\b|cool\b|nice\b|awesome\b|got\s+it\b"
    r"|never\s*mind\b|don't\s+(?:worry|bother)\b|no\s+(?:worries|problem|rush)\b"
)
# Marks mere politeness: praise, thanks and goodbyes.
POLITE = _starts(
    r"(?:that's\s+|that\s+is\s+)?(?:an?\s+|really\s+|very\s+)*(?:good|great|fair|solid|valid|excellent"
    r"|interesting|sharp)\s+(?:point|plan|catch|idea|question|thought|thinking|stuff|observation|call)"
    r"|sounds\s+(?:good|great|like\s+a)|appreciate\b|glad\b|happy\s+to\b|let\s+me\s+know\b|looking\s+forward"
    r"|no\s+problem\b|anytime\b|you're\s+welcome\b|my\s+pleasure\b|keep\s+me\s+posted\b|always\s+(?:good|happy)"
    r"|excellent[.!]|great[.!,]|thank(?:s|\s+you)\b"
)
BACK = _starts(
    r"(?:actually|hmm|wait|sorry|oh)?[,:\s-]*(?:scratch\s+that|forget\s+(?:that|it|what\s+i)"
    r"|never\s*mind|on\s+second\s+thou?ght|i(?:'ve)?\s+changed\s+my\s+mind|let's\s+not"
    r"|strike\s+that|undo\s+that|revert\s+that|ignore\s+(?:that|my\s+last)|drop\s+that\s+idea)"
)

# Mark an assistant's question to the person, and the announcement of a plan.
ASKS = _holds(
    r"should\s+(?!be\s+(?:fine|ok|safe|enough))\w+|shall\s+(?:i|we)|do\s+(?:you|we)\s+(?:want|need|keep"
    r"|prefer|mind|still|just)|want\s+(?:me\s+to|a|an|the|it|them|that)|would\s+you\s+(?:like|prefer"
    r"|rather)|(?:which|what)\s+(?:\w+\s+){0,2}(?:should|shape|do\s+you\s+want|wording|name|value"
    r"|format|order)|what(?:'s|\s+is)\s+the\s+(?:actual\s+|right\s+)?(?:rule|policy|limit|default)"
    r"|what\s+about|ok(?:ay)?\s+(?:to|if|with)|confirm(?:ing|ed)?|correct|keep\s+(?:it|that|the|them)"
    r"|how\s+(?:much|many|long|often|far)|intended|any\s+(?:other|objections?|preference)"
    r"|are\s+there\s+any\s+other|can\s+i|may\s+i|in\s+or\s+out|or\s+should|or\s+do\s+we|up\s+or\s+down"
)
PLANS = _holds(
    r"i'd\s+(?!say|guess|expect|imagine|think|love|be|have|like\s+to\s+know|bet)\w+"
    r"|i(?:'ll|\s+will|'m\s+going\s+to|\s+am\s+going\s+to|\s+plan\s+to|\s+propose|\s+suggest"
    r"|\s+recommend)|my\s+(?:plan|proposal|suggestion|instinct|approach)"
    r"|i'm\s+(?:making|changing|adding|switching)|(?:proposed|suggested)\s+(?:fix|change|plan)"
)
# Marks an imperative: the sentence begins with the verb.
ORDERS = _starts(
    r"(?:please\s+|just\s+|then\s+|and\s+|so\s+|but\s+|only\s+|also\s+)?"
    r"(?:use|keep|drop|add|remove|delete|cap|limit|round|sort|strip|ignore|make|write|store|put|return"
    r"|treat|prefer|avoid|pin|lock|default|fail|retry|log|page|set|switch|move|rename|leave|stick|go"
    r"|call|name|document|ship|stage|normali[sz]e|match|mask|encode|skip|raise|reject|accept|require"
    r"|preserve|prefix|suffix|split|merge|rebase|squash|bump|deprecate|disable|enable|allow|forbid"
    r"|never|always|don't|do\s+not|stop|start|run|validate|check|escape|quote|truncate|expire|rotate"
    r"|cache|invalidate|prorate|bill|charge|refund|notify|archive|encrypt|hash|salt|version|tag|freeze"
    r"|fall\s+back|roll\s+back|count|report|show|hide|group|order|rank|replace|restrict|scope|wrap)\b"
)
FIRMLY = _holds(r"never|always|instead\s+of|rather\s+than|no\s+longer|under\s+no|whatever")
EMPHASIS = re.compile(
    r"\b(?:ONLY|EXACTLY|NOT|NEVER|ALWAYS|MUST|EXCEPT|BEFORE|AFTER|FIRST|NOBODY|UP|DOWN|STAY|BOTH)\b"
    r"|\b(?:must(?:n't)?|exactly|only|never|always|no\s+longer|at\s+most|at\s+least|except|unless"
    r"|stays?|off\s+the\s+table|not\s+(?:a|an|the)|instead|pinned|fixed|whatever|entirely)\b"
)

# Marks statements that are undecided or hypothetical.
HEDGES = _holds(
    r"maybe|perhaps|might|could|possibly|probably|what\s+if|wonder(?:ing)?|not\s+sure|unsure"
    r"|we\s+should\s+(?:consider|probably|maybe|look|think|explore|definitely)|should\s+we|i\s+think"
    r"|i\s+guess|i\s+suppose|i\s+feel|it\s+would\s+be|would\s+be|would\s+have|wouldn't\s+it"
    r"|potential(?:ly)?|theoretically|hypothetical(?:ly)?|suppose|imagine|worth\s+(?:a|an|\w+ing)"
    r"|consider(?:ing)?|tempted|leaning|seems?\s+like|feels?\s+like|someday|eventually|at\s+some\s+point"
    r"|if\s+we\s+(?:ever|were)|one\s+option|alternatively|an\s+idea|open\s+question|tbd|for\s+example"
)

# Marks a report of what was tried, which restates no decision.
TRIED = _starts(r"(?:i|we)(?:'ve|\s+have)?\s+(?:also\s+|first\s+|already\s+)?(?:tried|attempted)\b")
# Mark failures in the past, and causes.
FAILED = _holds(
    r"(?:i|we)(?:'ve|\s+have)?\s+(?:already\s+|once\s+|just\s+)?"
    r"(?:tried|attempted|shipped|used|went\s+with)\s+[^.;]{2,120}?"
    rf"(?:[,;]?\s+(?:and|but|it|which|that)|\s*{_DASH})\s+(?:it\s+)?[^.;]{{0,40}}?"
    r"(?:broke|fail(?:ed|s)|didn't\s+work|did\s+not\s+work|crash(?:ed|es)|hung|drifted|caused|leaked"
    r"|blew\s+up|made\s+it\s+worse|timed\s+out|lost|corrupted|regressed|had\s+to\s+(?:revert|roll))"
    r"|\w+ing\s+[^.;]{2,80}?\s+(?:broke|breaks|fails|failed|doesn't\s+work|didn't\s+work|crashes|crashed)"
    r"\s+(?:because|since|when|as)"
)
CAUSE = _holds(
    r"because|turns\s+out|root\s+cause|the\s+(?:problem|cause|issue|culprit|reason|fix)\s+(?:was|is)"
    r"|caused\s+by|due\s+to|fixed\s+(?:by|it|that)|needed\s+to|needs\s+to|has\s+to|requires?|works\s+now"
)
WARNS = _starts(
    r"(?:(?:also|and),?\s+)?(?:an?\s+)?(?:unrelated\s+)?heads?[\s-]?up\b|be\s+careful\b|careful\b"
    rf"|gotcha\s*(?::|{_DASH})|(?:one|another|a|the)\s+gotcha\b|beware\b|watch\s+out\b|caveat\b"
    r"|warning\b|note\s+that\b|pitfall\b|trap\b|known\s+issue\b|mind\s+that\b"
    r"|(?:keep|bear)\s+in\s+mind\b"
)
STATES = re.compile(
    r"[\"'*_`(]*(?:fyi[,:]?\s+)?(?:(?:we|our\s+team)\s+(?:use|run|deploy|host|store|ship|build|target"
    r"|support|release|freeze|publish|rely\s+on|pin)\b"
    r"|our\s+(?:[\w-]+\s+){1,4}(?:is|are|runs?|lives?|uses?|expects?|requires?|needs?|goes|go)\b"
    r"|(?:production|staging|prod|ci|the\s+(?:api|database|server|cluster|build|default\s+\w+))\s+"
    r"(?:is|are|runs?|lives?|uses?|listens?|expects?|requires?|needs?)\b)",
    _FLAGS,
)
HEADINGS = re.compile(
    r"(?P<decision>decision|decided|agreed|agreement|what\s+we\s+(?:chose|settled))"
    r"|(?P<rule>rules?\b|convention|polic(?:y|ies)|guideline|do\s+and\s+don)"
    r"|(?P<gotcha>gotcha|pitfall|caveat|watch\s+out|trap|known\s+issue|lessons?\b|learned)"
    r"|(?P<failure>failed|failure|dead\s+end|did(?:n't|\s+not)\s+work|tried)"
    r"|(?P<fact>facts?\b|findings?\b)|(?P<assumption>assumption)|(?P<invariant>invariant)",
    _FLAGS,
)
# Marks a sentence that states its own kind.
LABELS = re.compile(
    r"[*_`]*(?:(?P<decision>decision|decided|agreed|entscheidung|entschieden|beschlossen|décision"
    r"|decisión|decisão|decisione|beslissing|besluit|decyzja|решение|決定|决定|결정)"
    r"|(?P<rule>rule|convention|policy|regel|konvention|règle|regla|regra|regola|zasada|правило"
    r"|ルール|规则|規則|규칙)|(?P<gotcha>gotcha|caveat|lessons?(?:\s+learn(?:ed|t))?|pitfall"
    r"|stolperfalle|achtung|vorsicht|piège|cuidado|attenzione|let\s+op|uwaga|осторожно|주의)"
    r"|(?P<failure>failed\s+attempt|dead\s+end|failure)"
    r"|(?P<fact>fact)|(?P<assumption>assumption)|(?P<invariant>invariant))[*_`]*\s*"
    r"(?::[*_`]*\s+|\N{FULLWIDTH COLON}\s*)(?=\S)",
    _FLAGS,
)
# Marks a sentence that depends on another: it begins or ends with a word such as "it".
POINTS_BACK = re.compile(
    r"[\"'*_`(]*(?:(?:and|but|so|also|because)\s+)?"
    r"(?:it|its|that|this|they|them|these|those|he|she|same|such|both|neither|either|one)\b"
    r"|.*\b(?:it|that|this|them|these|those|the\s+(?:rest|others?|same))[.!]*$",
    _FLAGS,
)

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|spring|summer|autumn|fall|winter|20\d\d|q[1-4])"
)
_HURT = (
    r"(?:broke|breaks|killed|kills|lost|loses|doubled|doubles|leaked|leaks|crashed|crashes|failed"
    r"|fails|corrupted|deleted|wiped|duplicated|blocks|blocked|took\s+down|takes\s+down|cost|bit)"
)
_BAN = (
    r"(?:never|do\s+not|don't|avoid|stop\s+(?=\w+ing\b)|no\s+more|leave|let's\s+not"
    r"|(?:(?:we|you)(?:'re|\s+are)\s+|\b)not\s+allowed\s+to|(?:nobody|no\s+one)\s+(?:may|can|must)"
    r"|(?:we|you)\s+(?:never|don't|do\s+not|can't|cannot|can\s+not|must\s+not|mustn't|shouldn't"
    r"|should\s+not|may\s+not|won't))\s+"
    r"(?!know\b|think\b|worry\b|see\b|mind\b|get\b|believe\b|remember\b|forget\b|understand\b"
    r"|have\b|want\b|need\b|feel\b|care\b|bother\b)\w+"
)
_REASON = (
    r"(?:\b(?:because|since|without|until|till|before|unless|otherwise|or\s+else|so\s+that"
    r"|as\s+(?:we|it|the|they|that)|(?:we|i|they)(?:'ve)?\s+(?:already\s+)?(?:tried|did|had|got|were"
    r"|burned)|tried\s+(?:that|it|this)|last\s+(?:time|week|month|year|sprint|release|quarter)"
    rf"|in\s+(?:the\s+)?{_MONTH}|(?:it|that|this|which)\s+{_HURT}|(?:refused|rejected|vetoed))\b"
    r"|:\s|\s[-\N{EN DASH}\N{EM DASH}]+\s|,\s+\w+\s+(?:is|are|has|have|had|does|do)\b"
    r"|,\s+(?:it|they|we|you|nobody|everybody|everyone|the\s+[\w-]+|our\s+[\w-]+)\s+\w+)"
)
# A prohibition anywhere in a sentence, with its reason or end condition.
BANS = re.compile(
    rf"(?P<before>.{{0,200}}?(?:[,;:]\s+|\b(?:but|and|so|just|then)\s+))?(?:please\s+)?"
    rf"{_BAN}.{{4,200}}?{_REASON}",
    _FLAGS,
)
# Marks a prohibition that is only temporary.
FOR_NOW = re.compile(r"\b(?:yet|for\s+now|right\s+now|for\s+the\s+moment|this\s+time)\b", _FLAGS)
# Marks a correction that states the right way.
CORRECTED = re.compile(
    r"[\"'*_`(]*(?:(?:(?:no|nope|wrong|actually|wait|hm+|ok(?:ay)?|hold\s+on)\b[,.:;!\s-]+){1,3}"
    r"|not\s+[\w-]+[,;:]\s+)(?:please\s+)?(?:use|call|put|take|run|keep|write|store|go\s+with|we\s+(?:use|run|keep|store|have|ship|never"
    r"|always|only|dropped|moved|replaced|removed)|it\s+(?:lives|goes|belongs|must)|the\s+[\w/.-]+(?:\s+\w+)?\s+(?:lives|goes"
    r"|belongs|must))\b.{12,}",
    _FLAGS,
)
# Marks a correction that had to be repeated.
AGAIN = re.compile(
    r"[\"'*_`(]*(?:.{0,30}?\b(?:you\s+keep\s+\w+ing\b.{2,80}?[;,:.\N{EM DASH}-]\s*\S"
    r"|i(?:'ve)?\s+(?:already\s+|just\s+)?told\s+you\b|as\s+i\s+(?:already\s+)?(?:said|told\s+you)\b"
    r"|(?:for\s+the\s+(?:second|third|last|nth)\s+time|how\s+often)\b))",
    _FLAGS,
)
# Marks damage that something caused before.
HURT = re.compile(
    rf"(?:.{{0,80}}?\b)?(?:that|this|it|which)\s+{_HURT}\s+(?:the|our|all|every|us|\w+)\b.{{2,100}}?"
    rf"\b(?:last\s+\w+|in\s+(?:the\s+)?(?:{_MONTH}|prod\w*|staging)|twice|before|again|every\s+time|so)\b",
    _FLAGS,
)
# Marks the sentence after a prohibition that gives the reason.
GIVES_REASON = re.compile(
    r"[\"'*_`(]*(?:(?:we|i|they)(?:'ve)?\s+(?:already\s+)?(?:(?:tried|did|had)\s+(?:that|it"
    r"|this|those)|(?:got|were)\s+(?:burned|bitten|hit))\b|last\s+(?:time|week|month|year|sprint|release|quarter)\b|because\b|otherwise\b"
    rf"|(?:it|that|this|they)\s+{_HURT}\b)",
    _FLAGS,
)
