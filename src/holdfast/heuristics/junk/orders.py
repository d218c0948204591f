"""Patterns of claims that ask to be believed, give orders to their reader, or steer it.

A rule about the work on a project may address its reader ("You must never edit generated files.");
the order itself makes the difference. The steering patterns describe orders about the reader
itself: its language, tone, persona, name and loyalty. They match at the start of each sentence,
after a label ("Commands: …") and after words that address somebody.
"""

from __future__ import annotations

TokenReader = tuple[float, str] | tuple[float, str, str]
"""A weight, a pattern and, if it may match inside a sentence, words of which one must occur."""

_MEMORY = r"(?:memor(?:y|ies)|entry|entries|note|candidates?|claim|fact|proposal)"

ASKING: tuple[TokenReader, ...] = (
    (0.8, r"\b(?:your|permanent|long-?term) memory\b|\bnever remove it\b", "memory remove"),
    (0.8, r"\bpromote\b.{0,60}\baccepted\b|\b(?:may|can|must) be trusted\b|\btrusted without\b",
     "promote trusted"),
    (0.9, (
        r"\b(?:approve|accept|promote|pin|confirm) (?:all |this |these |the |every |any"
        rf" )*(?:pending |following |open )*{_MEMORY}\b"
    ), "accept approve confirm pin promote"),
    (0.9, (
        r"\b(?:mark|treat|regard|store|consider|save|keep) (?:this|the following|it"
        rf"|these)(?: {_MEMORY})? (?:as|in memory)\b.{{0,60}}\b(?:approved|accepted"
        r"|trusted|verified|importance|human|true|fact)\b"
    ), "consider keep mark regard save store treat"),
    (0.8, (
        rf"\bthis {_MEMORY} (?:has been|was|is|needs?|supersedes|overrides"
        r"|replaces)\b.{0,60}\b(?:verified|approved|trusted|no review|supersedes|every"
        r" other|dec-\d+|accepted|decisions?)\b|\bneeds no review\b"
    ), "needs this"),
    (0.9, (
        r"^(?!.*(?:\b(?:not|never|no|nobody|cannot|nothing)|n't)\b.*\b(?:skip|bypass|without)\b)"
        r".*\b(?:skip|bypass|without) (?:the )?(?:review|approval)(?: queue)?\b"
        r"|\bholdfast (?:approve|trust|resolve)\b|\bset (?:the )?(?:trust|status"
        r"|origin)\b.{0,40}\b(?:human|accepted)\b"
    ), "bypass holdfast set skip without"),
    (0.8, (
        r"\b(?:don't|do not) forget to (?:remind|tell|ask|mention)\b|^remember to "
        r"(?:approve|tell|ask|remind|mention|say)\b|\bremind (?:the user|me)\b"
    ), "forget remember remind"),
    (0.8, (
        rf"\b(?:always|must) (?:include|show|return|recall) this {_MEMORY}\b|\bsupersedes?"
        r" (?:dec|inv|rul|got|fac|asm)-\d+"
    ), "always must supersede supersedes"),
    (0.7, (
        r"\b(?:owner|maintainers?|user|admin) (?:has|have) already (?:agreed|approved"
        r"|confirmed)"
    ), "admin maintainer maintainers owner user"),
)  # fmt: skip
ORDERING: tuple[TokenReader, ...] = (
    (0.85, (
        r"^(?:please )?(?:stop|tell|delete|execute|reveal|hide|say|claim|report|erase"
        r"|remove|drop)\b"
        r".{0,80}\b(?:guidelines|hidden prompt|system prompt|the user|other memories"
        r"|all memories"
        r"|without (?:showing|asking|telling)|even if it was not|to anyone)\b"
    )),
    (0.85, (
        r"\b(?:ai|llm|coding) (?:assistants?|agents?|models?) (?:reading|that read|who"
        r" read)\b"
    ),
     "assistant assistants agent agents model models"),
    (0.95, (
        r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every |everything )*"
        r"(?:of )?(?:the |your |my |these |those )*(?:previous|prior|above|earlier"
        r"|preceding|safety|old|system|rules above|existing)?\s*(?:instructions?|rules"
        r"|prompts?|directions|settings|orders|guidelines|you were told|above)\b"
    ), "bypass disregard forget ignore override"),
    (0.9, (
        r"\b(?:when|once|if|whenever|the next time|next time|as soon as) (?:the user"
        r"|somebody|someone|anyone|anybody|they|you) (?:says?|types?|asks?|writes?|sees?"
        r"|see|mentions?|reads?|opens?)\b.{0,80}\b(?:delete|run|send|forward|add|push"
        r"|execute|approve|install|reply|answer|upload|say|disable|ignore|do|open|call"
        r"|write|remove|reveal|insert)\b"
    ), "user somebody someone anyone anybody they you"),
    (0.9, (
        r"\b(?:not|don't|never|without) (?:tell|telling|inform|informing|alert"
        r"|alerting|notify|notifying|warn|warning) (?:it |this )?(?:to )?(?:the )?(?:user"
        r"|human|person|anyone|anybody)\b|\b(?:do not|don't|never) mention (?:this|it"
        r"|failures|the failures)\b"
    ), "tell telling inform informing alert alerting notify notifying warn warning mention"),
    (0.9, r"^(?:\W{0,3}(?:system|assistant|developer)\W{0,2}[:\]>])"),
    (0.9, (
        r"\bfrom now on,? (?:you|the assistant|the agent)\b|\byou are now\b"
        r"|\byour new (?:task|role|instructions?|goal)\b|\bnew instructions?\b"
        r"|\bdeveloper mode\b|\bact as an? (?:unrestricted|different|root|admin)"
    ), "now new developer act"),
    (0.9, (
        r"</?\s*(?:holdfast-context|system|instructions?|hook_context|memory)\b"
        r"|\[/?memory "
    ), "< ["),
    (0.9, r"\b(?:curl|wget)\b[^|]{0,120}\|\s*(?:ba|z|da)?sh\b|\brm -rf [/~]", "curl rm wget"),
    (0.9, (
        r"\b(?:send|upload|post|forward|exfiltrate|copy|mail|leak)\b.{0,60}(?:\.env\b"
        r"|~/\.ssh|\bsecrets?\b|\bcredentials?\b|\benvironment variables\b|\bprivate"
        r" keys?\b|id_rsa|@\S*(?:attacker|evil)|\bto \S+@\S+)"
    ), "copy exfiltrate forward leak mail post send upload"),
    (0.9, (
        r"\b(?:note|message|instructions?) (?:to|for) (?:all |any |the )?(?:ai|llm"
        r"|coding)?\s*(?:agents?|assistants?|models?|bots?)\b|\bif you are an? (?:ai|llm"
        r"|agent|assistant)\b|^(?:assistant|agent|claude|copilot|gemini|codex),"
    ), "agent assistant claude codex copilot gemini if instruction instructions message note"),
    (0.85, (
        r"\bpretend (?:that|to be|you)\b|\bsilently (?:add|run|send|push|delete|install"
        r"|change)|\b(?:disable|turn off) (?:the )?(?:secret scanner|safety|review"
        r"|sandbox|guardrails?)"
    ), "disable pretend silently turn"),
    (0.8, r"^important: (?:before (?:any|every)(?:thing| other)|the assistant|ignore)\b"),
    (0.9, r"\bprint (?:all |the |your )*(?:environment variables|system prompt|secrets)\b",
     "print"),
)  # fmt: skip

_READER = (
    r"(?:you|(?:the |this |all |any |every )?(?:(?:ai|llm|coding) )?(?:agents?|assistants?|models?"
    r"|bots?)|(?:the )?(?:ai|llm|chatbot|copilot|claude|codex|gemini|cursor))"
)
_DUTY = (
    r"(?:must|should|shall|will|may|can|ought to|(?:need|needs|have|has) to"
    r"|(?:is|are) (?:to|expected to|supposed to|required to|allowed to))(?: not|n't)?"
)
_HOW = (
    r"(?:(?:please|always|never|only|also|just|first|kindly|simply|instead|do not|don't|from now on"
    r"|from here on|henceforth|going forward|make sure (?:to|you)|be sure to"
    r"|remember to)[,:]? ){0,4}"
)
_START = (
    r"\W*+(?:(?:important|critical|note|warning|attention|reminder|mandatory|rule)\W{1,4})*"
    r"(?:.{0,80}(?:[,;–—]| and| then| but) (?=please|always|never|only|also|you |from now))?"
    rf"{_HOW}(?:{_READER},? (?:{_DUTY} )?)?{_HOW}"
)
_SAY = r"(?:answer|respond|reply|speak|talk|chat|converse|communicate|explain yourself)"
# After "in" these name a format or a limit of a program, not a manner of talking.
_TECHNICAL = (
    r"(?:(?:valid|plain|raw|strict|compact|canonical|well-formed) )?(?:json|xml|ya?ml|csv|html"
    r"|text|utf|utc|gmt|iso|proto\w*|msgpack|markdown|bytes?|binary|order|batch\w*|chunks?|parallel"
    r"|time|under|less|fewer|at most|no more|constant|about|case|turn|full|kind|snake|camel|cents"
    r"|(?:milli)?seconds?|the (?:same )?(?:order|format|body|header|background|transaction)"
    r"|an? (?:transaction|thread|stream|batch|worker)|\d|[`_{\[/.])"
)
_MANNER = (
    r"(?:an? |the |only |just |exactly )*(?:emojis?|rhymes?|rhyming|poems?|poetry|haikus?|songs?"
    r"|jokes?|puns?|riddles?|sarcasm|humou?r|enthusiasm|empathy|greetings?|compliments?|apolog\w+"
    r"|flattery|(?:single|one|two|three|few|fewer|short|brief|concise)\b.{0,20}\b(?:words?"
    r"|sentences?|lines?|paragraphs?)|fewer than|yes or no|the (?:word|phrase)\b)"
)

STEERING: tuple[TokenReader, ...] = (
    (0.9, rf"{_START}{_SAY} (?:\w+ )?in (?!{_TECHNICAL})\w"),
    (0.9, rf"{_START}{_SAY} (?:\w+ )?(?:with|using) {_MANNER}"),
    (0.9, rf"{_START}(?:{_SAY}|write|sound|act|behave|think) (?:like|as if|as though) "),
    (0.9, rf"{_START}(?:{_SAY}) (?:briefly|concisely|politely|cheerfully|formally|casually)\b"),
    (0.9, rf"{_START}(?:act|pose|roleplay|role-play|serve) as (?:an?|the|my|our|if) "),
    (0.9, rf"{_START}(?:pretend|impersonate|role-?play|stay in character|break character)\b"),
    (0.9, (
        rf"{_START}(?:be|stay|remain|sound) (?:more |very |always |extremely )*(?:warm|kind"
        r"|friendly|polite|concise|brief|terse|verbose|curious|helpful|proactive|playful|cheerful|humble"
        r"|enthusiastic|sarcastic|funny|witty|empathetic|respectful|rude|obedient|loyal)\b"
    )),
    (0.9, (
        rf"{_START}(?:greet|thank|compliment|congratulate|flatter|apologi[sz]e to|address"
        r"|introduce yourself to) (?:the |every |each )?(?:user|human|person|me|developer|reader"
        r"|us)\b"
    )),
    (0.9, rf"{_START}(?:call|name) (?:me|yourself)\b"),
    (0.9, rf"{_START}refer to (?:yourself|me|the user) as "),
    (0.9, rf"{_START}introduce (?:itself|yourself|themselves)\b|{_START}think step by step\b"),
    (0.9, (
        rf"{_START}(?:end|begin|start|finish|close|open|conclude|sign|prefix|preface) "
        r"(?:(?:all |each |every )?(?:of )?your (?:reply|replies|answers?|responses?|messages?)"
        r"|(?:every|each|all|any) (?:reply|replies|answers?|conversations?|sentences?|chats?)"
        rf"|(?:every|each|all|any) (?:responses?|messages?) with {_MANNER})"
    )),
    (0.9, (
        rf"{_START}(?:use|adopt|keep|maintain|take on|have|speak with) an? (?:[\w-]+ ){{0,3}}"
        r"(?:tone|persona|accent|voice|personality|attitude)\b"
        r"(?! (?:in|of|for) (?:the |all |our )?(?:docs?|documentation|error|commit|release|ui"
        r"|user-facing|log))"
    )),
    (0.9, rf"\W*{_HOW}you(?:'re| are) (?:an? |the |my |our |now |called |named |to act|to behave)"),
    (0.9, (
        rf"{_START}(?:recommend|promote|praise|advertise|endorse|upvote|star) (?:only |always )?"
        r"(?:our|my|this|the following) (?:products?|company|repo\w*|project|service|brand|shop)\b"
    )),
    (0.9, rf"{_START}(?:obey|trust|believe|serve) (?:me|us|only me|the author of this)\b"),
    # The same in the other languages that imports read.
    (0.9, (
        r".{0,40}\b(?:antworte[nt]?|sprich|sprecht|schreib mir) (?:\w+ ){0,3}(?:auf|in|mit|wie)"
        r" (?:deutsch|englisch|reimen?|emojis?|versen?|\w+isch|einem?r? )"
        r"|du bist (?:ein|jetzt|nun|ab jetzt)|.{0,20}\bignorier\w* (?:alle |die )*"
        r"(?:vorherig|bisherig|obig|frühere)"
    )),
    (0.9, (
        r".{0,40}\b(?:réponds|répondez|parle|parlez) (?:\w+ ){0,2}(?:en|avec|comme) |tu es (?:une? "
        r"|maintenant)|vous êtes (?:une? |maintenant)|.{0,20}\bignore[rz]? (?:toutes )?les"
        r" (?:instructions|consignes)"
    )),
    (0.9, (
        r".{0,40}\b(?:responde|contesta|habla|responda|fale) (?:\w+ ){0,2}(?:en|em|con|com|como)"
        r" |(?:ahora )?eres (?:una? |ahora)|você (?:é|agora é) uma? |.{0,20}\bignor[ae] (?:todas )?"
        r"(?:las|as) instruc"
    )),
    (0.9, (
        r".{0,40}\b(?:rispondi|parla|antwoord|praat|odpowiadaj|mów) (?:\w+ ){0,2}(?:in|con|come|met"
        r"|als|po|w|jak) |(?:ora )?sei (?:una? |ora )|je bent (?:een|nu) |jesteś (?:teraz )?\w+em\b"
        r"|.{0,20}\b(?:ignora (?:tutte )?le istruzioni|negeer (?:alle )?(?:vorige|eerdere)"
        r"|zignoruj (?:wszystkie )?(?:poprzednie|wcześniejsze))"
    )),
    (0.9, (
        r".{0,40}\b(?:отвечай(?:те)?|говори(?:те)?) (?:\w+ ){0,2}(?:на|в|как|по)\b|(?:теперь )?"
        r"(?:ты|вы) (?:теперь|—|-) |.{0,20}\bигнорируй(?:те)? (?:все )?(?:предыдущие|прошлые)"
    )),
    (0.9, (
        r".{0,20}(?:用|以).{1,8}(?:回答|回复|回覆|說話|说话)|你(?:现在)?是(?:一|我)|.{0,8}忽略.{0,8}"
        r"(?:之前|以上|先前|前面).{0,6}(?:指令|说明|指示|要求)|.{0,20}(?:で|に)(?:答え|回答し|返答し)"
        r"|あなたは.{1,20}です|.{0,12}(?:以前|これまで|上記)の(?:指示|命令)を無視"
        r"|.{0,20}(?:으로|로) (?:대답|답변)|당신은|.{0,8}이전.{0,4}(?:지시|명령).{0,6}무시"
    )),
)  # fmt: skip
