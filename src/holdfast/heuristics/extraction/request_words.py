"""The words by which people ask to remember something, in twelve languages.

The languages are those of the instruction files that imports read. The lists were chosen by hand;
``tests/unit/test_extraction_requests.py`` has sentences for each language.
"""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE
_DASH = "\N{EN DASH}\N{EM DASH}"
_WIDE_COMMA = "\N{FULLWIDTH COMMA}"
_WIDE = "\N{FULLWIDTH COLON}\N{FULLWIDTH COMMA}\N{IDEOGRAPHIC COMMA}"
# A dash within a word ("remember-me") separates nothing.
_COLON = rf"(?:\s*[*_`]*[:{_DASH}{_WIDE}][*_`]*\s*|\s+-+\s+)"
_MARK = rf"(?:{_COLON}|,\s+)"

# Politeness before a request. "Good. Remember: …" is two sentences, "Good, remember …" is one.
_COURTESY = (
    r"(?:(?:please|pls|ok(?:ay)?|good|great|perfect|nice|cool|right|yes|yep|no|thanks?|thank\s+you"
    r"|also|and|so|but|oh|ah|well|now|hey|always|by\s+the\s+way|btw|one\s+more\s+thing|important"
    r"|bitte|danke|gut|und|auch|also|übrigens|wichtig|ach\s+ja|s'il\s+(?:te|vous)\s+pla[iî]t|merci"
    r"|bien|et|aussi|por\s+favor|gracias|vale|y|también|obrigad[oa]|e|também|per\s+favore"
    r"|grazie|anche|alsjeblieft|graag|en|ook|proszę|пожалуйста|и|также)"
    r"(?:[\s,.!:;-]+|$)){0,4}"
)
_WANTED = (
    r"(?:(?:we|you)\s+(?:should|must|need\s+to|have\s+to)\s+(?:always\s+)?|i(?:'d)?\s+"
    r"(?:want|need|like)\s+you\s+to\s+|(?:make\s+sure|try|be\s+sure)\s+(?:you\s+|to\s+)"
    r"|(?:can|could|will|would)\s+you\s+please\s+|let's\s+|let\s+us\s+"
    r"|it(?:'s|\s+is)\s+(?:important|worth|good)\s+to\s+)?(?:please\s+)?"
)
_OPENS = rf"[*_]*{_COURTESY}{_WANTED}[*_]*"

_FUTURE = (
    r"(?:later|next\s+time|the\s+(?:future|next\s+(?:time|session|run)|record)"
    r"|(?:all\s+)?(?:future|later|next)\s+(?:sessions?|reference|work|runs?|conversations?|use))"
)
_THIS = r"(?:this|that|it|these|those|all\s+(?:of\s+)?(?:this|that))"
_MEMORY = r"(?:in|to|into)\s+(?:your\s+|the\s+|my\s+|our\s+)?(?:long-term\s+|project\s+)?memory"
_RECALL = (
    r"(?:remember|memori[sz]e|don't\s+(?:ever\s+)?forget|do\s+not\s+(?:ever\s+)?forget"
    r"|never\s+forget)"
)
_STORE = (
    rf"(?:(?:keep|bear)\s+in\s+(?:mind|(?:your\s+)?memory)"
    rf"|(?:save|store|add|commit|put|write|keep|record)\s+(?:{_THIS}\s+|the\s+following\s+)?{_MEMORY}"
    rf"|(?:note|write|jot)\s+(?:{_THIS}\s+)?down|(?:make|take)\s+(?:a\s+)?(?:mental\s+)?note)"
)
_LATER = rf"(?:\s+(?:please|well|also|too|as\s+well|from\s+now\s+on|for\s+{_FUTURE}))*"
_LABEL = (
    rf"(?:(?:a\s+|quick\s+|short\s+|mental\s+|fyi\s+)*"
    rf"(?:(?:note\s+)?for\s+{_FUTURE}|note\s+to\s+(?:my)?self)"
    r"|til|today\s+i\s+learn(?:ed|t)|reminder(?:\s+to\s+(?:my)?self)?"
    r"|(?:one\s+(?:more\s+)?|a\s+|some)?things?\s+(?:worth\s+|to\s+)remember(?:ing)?"
    r"|worth\s+remembering)"
)
_FINITE = (
    r"(?:is|are|was|were|has|have|must|needs?|should|can|cannot|can't|may|will|won't|do|does|don't"
    r"|doesn't|isn't|aren't|only|never|always|uses?|runs?|lives?|requires?|expects?|fails?|breaks?)"
)
# "That bug we fixed" points at something; "that everything you commit is public" states something.
_POINTED_AT = (
    r"(?!(?!everything|anything|nothing|\w+s\b)\w+\s+(?:we|you|i|they|from|where|when|yesterday"
    r"|last|in|with|about)\b)"
)

_PLEASE_IN_CHINESE = (
    "(?:请|請|麻烦|麻煩|帮我|幫我|你|要|一定|务必|務必|好的?[,\N{FULLWIDTH COMMA}]?)*"
)

# What follows one of these is the claim: "Remember: …", "Remember that …", "Note to self: …".
_LEADS = {
    "en": (
        rf"(?:{_RECALL}|{_STORE})(?:\s+(?:{_THIS}|the\s+following|these\s+\w+))?{_LATER}{_MARK}"
        rf"|(?:{_RECALL}|{_STORE}){_LATER}\s+that\s+{_POINTED_AT}"
        r"|remember\s+(?=(?:the|our|we|you|it|this|all|every|each|only|no|never|always|in|on)\b"
        rf"(?:(?!\b(?:that|which|who|when|how|what|where|we|you)\b).)*?\s(?:we\s|you\s)?{_FINITE}\b)"
        rf"|{_LABEL}{_COLON}|(?:til|today\s+i\s+learn(?:ed|t))\s+(?:that\s+)?(?=\S)"
    ),
    "de": (
        r"(?:merk(?:e|t)?(?:\s+(?:dir|euch))?|merken\s+sie\s+sich|denk(?:e|t)?\s+(?:immer\s+)?"
        r"(?:daran|dran)|denken\s+sie\s+daran|vergiss(?:\s+bitte)?\s+nicht|nicht\s+vergessen"
        r"|vergessen\s+sie\s+nicht|behalte?\s+im\s+(?:hinter)?kopf|beachte|notiere?(?:\s+dir)?"
        r"|schreibe?\s+(?:dir\s+)?auf|halte?\s+fest|halten\s+wir\s+fest|notiz(?:\s+an\s+mich)?"
        r"|zur\s+erinnerung|für\s+(?:später|die\s+zukunft|das\s+nächste\s+mal)|fürs\s+nächste\s+mal"
        r"|(?:heute|wieder\s+was)\s+gelernt)"
        r"(?:\s+(?:bitte|mal|das|dies|folgendes|auch|noch|gut|für\s+(?:später|die\s+zukunft"
        rf"|das\s+nächste\s+mal)))*{_MARK}(?!dass\b)"
    ),
    "fr": (
        r"(?:(?:sou)?viens-toi|souvenez-vous|rappelle-toi|rappelez-vous|retiens|retenez|retenir"
        r"|mémorise[rz]?|note[rz]?|n'oublie[zr]?\s+(?:pas|jamais)|ne\s+pas\s+oublier|garde[rz]?\s+"
        r"(?:en\s+(?:tête|mémoire)|à\s+l'esprit)|pense-bête|à\s+retenir|à\s+noter|note\s+pour\s+plus"
        r"\s+tard|pour\s+(?:plus\s+tard|la\s+prochaine\s+fois|rappel|mémoire)|appris\s+aujourd'hui)"
        r"(?:\s+(?:bien|ça|cela|ceci|aussi|pour\s+(?:plus\s+tard|la\s+prochaine\s+fois)"
        rf"|s'il\s+(?:te|vous)\s+pla[iî]t))*(?:{_MARK}|\s+(?:que\s+|qu'))"
    ),
    "es": (
        r"(?:recuerd[ae]n?|recordad|recordar|acuérdate|acuérdese|memori(?:za|ce)|ten(?:ga)?\s+en\s+"
        r"cuenta|ten(?:ga)?\s+presente|no\s+(?:te\s+|se\s+)?olvides?|no\s+olvidar|an[oó]ta(?:lo|te)?"
        r"|apunta|toma\s+nota|guarda\s+(?:esto\s+)?en\s+(?:la|tu)\s+memoria|nota\s+para\s+(?:luego"
        r"|más\s+tarde|el\s+futuro|mí)|recordatorio|para\s+(?:la\s+próxima(?:\s+vez)?|el\s+futuro)"
        r"|hoy\s+aprendí)"
        rf"(?:\s+(?:esto|bien|también|siempre|lo\s+siguiente|por\s+favor))*(?:{_MARK}"
        r"|\s+(?:de\s+)?que\s+)"
    ),
    "pt": (
        r"(?:lembr[ae](?:-se|-te)?|memorize|não\s+(?:se\s+)?esque[cç]a|anot[ae]|tenha\s+em\s+mente"
        r"|guarde\s+na\s+memória|nota\s+para\s+(?:depois|o\s+futuro|mim)|lembrete|para\s+a\s+próxima"
        r"(?:\s+vez)?|aprendi\s+hoje)"
        rf"(?:\s+(?:isto|isso|bem|também|sempre|por\s+favor))*(?:{_MARK}|\s+(?:de\s+)?que\s+)"
    ),
    "it": (
        r"(?:ricord(?:a|ati|atevi|ate|are)|memorizza|non\s+dimenticar(?:e|ti)|tieni\s+(?:a\s+mente"
        r"|presente)|annota|prendi\s+nota|nota\s+per\s+(?:dopo|il\s+futuro|me)|promemoria"
        r"|per\s+la\s+prossima\s+volta|imparato\s+oggi)"
        rf"(?:\s+(?:questo|bene|anche|sempre|per\s+favore))*(?:{_MARK}|\s+che\s+)"
    ),
    "nl": (
        r"(?:onthoud(?:t)?|vergeet\s+niet|niet\s+vergeten|denk\s+er\s*aan|noteer|schrijf\s+op"
        r"|hou(?:d)?\s+er\s+rekening\s+mee|notitie(?:\s+voor\s+later)?|ter\s+herinnering"
        r"|voor\s+(?:later|de\s+volgende\s+keer)|vandaag\s+geleerd)"
        rf"(?:\s+(?:dit|ook|goed|alsjeblieft|graag))*{_MARK}(?!dat\b)"
    ),
    "pl": (
        r"(?:zapamiętaj(?:cie)?|pamiętaj(?:cie)?|nie\s+zapomnij(?:cie)?|nie\s+zapominaj(?:cie)?"
        r"|zanotuj(?:cie)?|miej\s+na\s+uwadze|notatka(?:\s+na\s+później)?|na\s+przyszłość)"
        rf"(?:\s+(?:to|proszę|też|sobie|dobrze))*(?:{_MARK}(?:że\s+)?|\s+że\s+)"
    ),
    "ru": (
        r"(?:запомни(?:те)?|помни(?:те)?|не\s+забудь(?:те)?|не\s+забывай(?:те)?|запиши(?:те)?"
        r"|учти(?:те)?|имей(?:те)?\s+в\s+виду|заметка(?:\s+на\s+будущее)?|на\s+будущее"
        r"|напоминание)"
        rf"(?:\s+(?:это|пожалуйста|также|себе|хорошо))*(?:{_MARK}(?:что\s+)?|\s+что\s+)"
    ),
    "ja": (
        r"(?:これ(?:は|を)|次(?:の(?:こと|点))?を|以下を)?(?:覚えて(?:おいて|といて)?|覚えといて|記憶して"
        r"(?:おいて)?|忘れないで|メモ(?:して(?:おいて)?)?|備忘録|覚え書き|今日学んだこと)"
        r"(?:ください|下さい|ね)*\s*[:\N{FULLWIDTH COLON}、]\s*"
    ),
    "zh": (
        rf"{_PLEASE_IN_CHINESE}(?:记住|記住|牢记|牢記|记下(?:来)?|記下"
        r"|记一下|記一下|不要忘记|不要忘記|别忘了|別忘了|备忘|備忘|备注|備註"
        r"|留个笔记)(?:这一?点|這一?點|以下(?:内容|內容)?|一下)?\s*[:\N{FULLWIDTH COLON}]\s*"
    ),
    "ko": (
        r"(?:(?:이것|이걸|다음)(?:을|를)?\s*)?(?:기억해\s?(?:줘|주세요|두세요|둬)?|잊지\s?마(?:세요|라)?"
        r"|메모(?:해\s?(?:줘|둬|두세요))?|참고)\s*[:\N{FULLWIDTH COLON}]\s*"
    ),
}
# These sentences are the claim as a whole: without the verb of the request, the order of their
# words would be wrong.
_WHOLES = {
    "de": (
        r"(?:merk(?:e|t)?\s+(?:dir|euch)|merken\s+sie\s+sich|denk(?:e|t)?\s+(?:immer\s+)?"
        r"(?:daran|dran)|denken\s+sie\s+daran|vergiss\s+nicht|beachte|notiere?(?:\s+dir)?|behalte?"
        r"\s+im\s+(?:hinter)?kopf)(?:\s+(?:bitte|auch|immer))*,?\s+dass\s"
    ),
    "nl": (
        r"(?:onthoud|vergeet\s+niet|denk\s+er\s*aan|noteer|houd?\s+er\s+rekening\s+mee),?\s+dat\s"
    ),
    "ja": (
        r".{6,}(?:覚えておいて|覚えといて|覚えていて|記憶して(?:おいて)?|忘れないで|メモして(?:おいて)?)"
        r"(?:ください|下さい|ほしい|くれ|ね|よ)*[。.!\N{FULLWIDTH EXCLAMATION MARK}\s]*$"
    ),
    "zh": (
        rf"{_PLEASE_IN_CHINESE}(?:记住|記住|牢记|牢記)[,{_WIDE_COMMA}]?"
        r"(?!了|我|吗|嗎|密码|密碼|登录|登入|登錄|这|這|它)\S{6,}"
    ),
    "ko": r".{6,}(?:기억해|잊지\s?마|메모해)\s?(?:줘|주세요|두세요|둬|세요|라)?[.!\s]*$",
}
# These sentences only point at what was said before them: "Please remember that."
_POINTING = {
    "en": (
        rf"(?:{_RECALL}\s+{_THIS}|(?:note|write|jot)\s+{_THIS}\s+down|keep\s+{_THIS}\s+in\s+"
        rf"(?:mind|memory)|(?:save|store|add|commit|put|write|keep|record)\s+{_THIS}\s+{_MEMORY}"
        rf"|(?:make|take)\s+(?:a\s+)?note\s+of\s+{_THIS}){_LATER}"
    ),
    "de": (
        r"(?:merk(?:e|t)?\s+(?:dir|euch)|merken\s+sie\s+sich|notiere?(?:\s+dir)?)(?:\s+bitte)?\s+"
        r"(?:das|dies)(?:\s+(?:bitte|gut|für\s+(?:später|die\s+zukunft|das\s+nächste\s+mal)))*"
        r"|vergiss\s+das\s+(?:bitte\s+)?nicht"
    ),
    "fr": (
        r"(?:retiens|retenez|mémorise|note|notez)(?:\s+(?:bien\s+)?(?:ça|cela|ceci)|-le)"
        r"(?:\s+pour\s+(?:plus\s+tard|la\s+prochaine\s+fois))?|souviens-t'en|ne\s+l'oublie\s+pas"
    ),
    "es": r"(?:recuérdalo|recuerda\s+esto|anótalo|apúntalo|tenlo\s+en\s+cuenta|no\s+lo\s+olvides)",
    "pt": r"(?:lembre-se\s+disso|lembra-te\s+disso|anote\s+isso|não\s+(?:se\s+)?esqueça\s+disso)",
    "it": r"(?:ricordal?o|ricordatelo|annotalo|tienilo\s+a\s+mente|non\s+dimenticarlo)",
    "nl": r"(?:onthoud\s+(?:dat|dit)|vergeet\s+(?:dat|dit)\s+niet)",
    "pl": r"(?:zapamiętaj|pamiętaj\s+o|zanotuj)\s+(?:to|tym)",
    "ru": r"(?:запомни(?:те)?|запиши(?:те)?)\s+это|не\s+забудь(?:те)?\s+(?:это|об\s+этом)",
    "ja": (
        r"(?:(?:これ|それ)(?:は|を)?)?(?:覚えて(?:おいて|といて)|覚えといて|メモして(?:おいて)?)"
        r"(?:ください|下さい|ね)*"
    ),
    "zh": r"(?:请|請|帮我)?(?:记住|記住|记下)(?:这个|這個|这一?点|這一?點|它)?",
    "ko": (
        r"(?:(?:이것|이거|이걸|그걸)(?:을|를)?\s*)?(?:꼭\s*)?"
        r"(?:기억해|메모해)\s?(?:줘|주세요|둬|두세요)"
    ),
}
_END = (
    r"(?:[\s,]+(?:please|bitte|merci|por\s+favor|per\s+favore))?"
    r"[\s.!*_。\N{FULLWIDTH EXCLAMATION MARK}]*$"
)


def _any(words: dict[str, str]) -> str:
    return "|".join(words.values())


# Curly apostrophes are straight in statements, and the sentence is on one line.
LEADS = re.compile(rf"{_OPENS}(?:{_any(_LEADS)})", _FLAGS)
WHOLES = re.compile(rf"{_OPENS}(?:{_any(_WHOLES)})", _FLAGS)
POINTS = re.compile(rf"{_OPENS}(?:{_any(_POINTING)}){_END}", _FLAGS)
# The request after its claim in one sentence: "The port is 8081, please remember that."
FOLLOWS = re.compile(
    rf"(?P<claim>.{{8,400}}?)(?:\s*[,;{_DASH}]+\s*|\s+-+\s+)(?:{_OPENS})(?:{_any(_POINTING)}){_END}",
    _FLAGS,
)
# "Remember to …" asks for a rule if it is about every time, and for a task of the moment if not.
DUTY = re.compile(
    rf"(?:(?:when|whenever|if|before|after|every\s+time|each\s+time)\s[^.;:,]{{3,80}},\s+)?{_OPENS}"
    rf"(?:{_RECALL}\s+(?:to|not\s+to)\s)",
    _FLAGS,
)
EVERY_TIME = re.compile(
    r"\b(?:always|never|every|each|any|all|only|whenever|when|if|unless|(?:before|after)\s+"
    r"(?:you\s+)?(?:a|an|the|any|each|every|\w+ing)|on\s+ci|not\s+to)\b",
    _FLAGS,
)
THIS_TIME = re.compile(
    r"\b(?:later|today|tonight|tomorrow|soon|this\s+(?:time|morning|afternoon|evening|week|once)"
    r"|right\s+now|for\s+now|first|next\s+(?:step|week|time)|at\s+the\s+end|again"
    r"|(?:when|once|after|before|if|as\s+soon\s+as)\s+(?:you(?:'re|\s+are)?|i(?:'m|\s+am)?|we(?:'re"
    r"|\s+are)?)\s+(?:done|ready|finish(?:ed)?|commit|push|leave|go|stop|start|merge)\b"
    r"|(?:before|after|once)\s+(?:this|that|it)(?:'s|\s+is)?\b)",
    _FLAGS,
)
DUE_NOW = re.compile(
    r"\b(?:later|today|tonight|tomorrow|this\s+(?:morning|afternoon|evening)|heute|morgen|gleich"
    r"|aujourd'hui|demain|hoy|mañana|hoje|amanhã|oggi|domani|vandaag|dzisiaj|jutro|сегодня|завтра)\b",
    _FLAGS,
)
STATES = re.compile(
    rf"\b{_FINITE}\b|\b(?:ist|sind|wird|werden|hat|haben|est|sont|es|son|está|é|è|sono|wordt|zijn|jest)\b",
    _FLAGS,
)
# A question about memory, which asks to remember nothing.
ASKS_BACK = re.compile(r"\?(?:\s|$)|[\N{FULLWIDTH QUESTION MARK}]|か[。\s]*$|[吗嗎][。\s]*$")

# What is valid from now on, in the languages beside English.
STANDING = re.compile(
    r"\b(?:ab\s+(?:jetzt|sofort|heute)|von\s+(?:jetzt|nun|heute)\s+an|in\s+zukunft|(?:zu)?künftig"
    r"|fortan|désormais|dorénavant|à\s+partir\s+(?:de\s+maintenant|d'aujourd'hui)|à\s+l'avenir"
    r"|a\s+partir\s+de\s+(?:ahora|hoy|agora|hoje)|de\s+(?:ahora|aquí)\s+en\s+adelante"
    r"|en\s+adelante|de\s+agora\s+em\s+diante|daqui\s+(?:em\s+diante|para\s+(?:a\s+)?frente)"
    r"|d'ora\s+in\s+(?:poi|avanti)|da\s+(?:ora|adesso|oggi)\s+in\s+(?:poi|avanti)|vanaf\s+nu"
    r"|voortaan|in\s+het\s+vervolg|od\s+(?:teraz|dziś|dzisiaj)|с\s+этого\s+момента|отныне|впредь)\b"
    r"|今後は|これからは|以後は|从现在(?:开始|起)|從現在(?:開始|起)|从今(?:以后|往后)|從今以後|今后|今後"
    r"|以[后後](?=都|一律|请|請|必须|必須|不要|要用)|앞으로는?\s|이제부터|지금부터",
    _FLAGS,
)
DECIDED = re.compile(
    r"\b(?:wir\s+haben\s+(?:uns\s+)?(?:[^.;]{0,120}?\s)?(?:entschieden|beschlossen|geeinigt)\b"
    r"|(?:nous\s+avons|on\s+a)\s+(?:décidé|choisi|convenu)\s|hemos\s+(?:decidido|acordado)\s"
    r"|decidimos\s|abbiamo\s+deciso\s|we\s+hebben\s+(?:[^.;]{0,120}?\s)?besloten\b|zdecydowaliśmy\s"
    r"|мы\s+решили\s)|(?:ことに|に)(?:決めました|決まりました|決定しました)|我们(?:已经)?决定|我們(?:已經)?決定"
    r"|하기로\s?(?:결정)?했",
    _FLAGS,
)
MAYBE = re.compile(
    r"\b(?:vielleicht|könnten?|eventuell|evtl|möglicherweise|peut-être|pourr(?:ait|ions|ons)"
    r"|tal\s+vez|quizás?|podría\w*|talvez|poderia\w*|forse|potre(?:bbe|mmo)|misschien|zou\w*\s+kunnen"
    r"|może|возможно|может\s+быть)\b|かもしれ|たぶん|也许|也許|可能|아마|maybe|perhaps",
    _FLAGS,
)
ORDERS = re.compile(
    r"\b(?:never|always|must|don't|do\s+not|immer|nie(?:mals)?|nur|muss|müssen|darf|dürfen"
    r"|toujours|jamais|il\s+faut|doit|doivent|siempre|nunca|debe[ns]?|hay\s+que|sempre|mai|devono|deve"
    r"|altijd|nooit|moet(?:en)?|zawsze|nigdy|musi|trzeba|всегда|никогда|нельзя|нужно)\b"
    r"|必ず|絶対|しない|始终|始終|总是|總是|必须|必須|不要|一律|항상|절대|반드시",
    _FLAGS,
)
