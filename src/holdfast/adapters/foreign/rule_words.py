"""The words that mark rules in instruction files, in the supported languages."""

from __future__ import annotations

import re

_FLAGS = re.IGNORECASE

_MODALS = {
    "en": (
        r"must|never|always|should|shall|do not|don't|doesn't|cannot|can't|may not|only|avoid|"
        r"prefer(?:red)?|required?|forbidden|mandatory|not allowed|make sure|ensure|instead of|"
        r"no longer|at least|at most|by default|without|unless|beware|watch out|careful"
    ),
    "de": (
        r"muss|müssen|darf|dürfen|soll(?:te|ten|en)?|nie|niemals|immer|nicht|keine?[nrsm]?|nur|"
        r"vermeiden?|verwenden?|nutzen?|benutzen?|verboten|zwingend|stets|statt|ohne|mindestens"
    ),
    "fr": (
        r"doit|doivent|devez|jamais|toujours|ne pas|il faut|évite[rz]?|utilise[rz]?|obligatoire|"
        r"interdit|uniquement|seulement|préfére[rz]|au lieu de|n'utilisez|ne \w+ (?:pas|jamais)"
    ),
    "es": (
        r"debe(?:n|s|mos)?|nunca|siempre|no (?:usar|usen|uses|hacer|hagas|se)|hay que"
        r"|evit(?:ar|a|e)|"
        r"us(?:ar|a|e|en)|utiliz(?:ar|a|e)|obligatorio|prohibido|solo|sólo|solamente"
        r"|en lugar de|prefer\w+"
    ),
    "pt": (
        r"deve(?:m|mos)?|nunca|sempre|não|evit(?:ar|e)|us(?:ar|e)|utiliz(?:ar|e)"
        r"|obrigatório|proibido|"
        r"somente|apenas|em vez de|prefira"
    ),
    "it": (
        r"deve|devono|mai|sempre|non|evita(?:re)?|usa(?:re)?|utilizza(?:re)?|obbligatorio|vietato|"
        r"solo|soltanto|invece di|preferi\w+"
    ),
    "nl": r"moet(?:en)?|mag|nooit|altijd|niet|geen|gebruik(?:en)?|vermijd(?:en)?|verplicht|alleen",
    "pl": r"musi|należy|nigdy|zawsze|nie|używaj|unikaj|wymagane|zabronione|tylko",
    "ru": (
        r"долж(?:ен|на|но|ны)|нужно|надо|нельзя|никогда|всегда|не|использу\w+|избега\w+|"
        r"обязательно|запрещено|только|вместо"
    ),
}
_UNSPACED = (
    r"必须|必須|不要|禁止|始终|始終|总是|總是|应该|應該|使用|避免|请勿|請勿|切勿|不得|务必|務必|只能|"
    r"必ず|しない|ないで|べき|ください|てはいけ|ではなく|のみ|反드시|반드시|항상|절대|금지|하지\s?마|"
    r"사용|하세요|해야|않"
)
MODAL = re.compile(
    rf"\b(?:{'|'.join(_MODALS.values())})\b|{_UNSPACED}",
    _FLAGS,
)
DECISION = re.compile(
    r"\b(?:we (?:decided|chose|agreed|settled on|went with)|decision:)"
    r"|\b(?:wir haben (?:uns )?\w* ?entschieden|nous avons (?:décidé|choisi)|decidimos|decidiu-se)",
    _FLAGS,
)
GOTCHA = re.compile(
    r"\b(?:gotcha|beware|watch out|careful|caveat|known issue|pitfall|surpris\w+|achtung"
    r"|attention :"
    r"|cuidado|attenzione)\b|注意|осторожно",
    _FLAGS,
)
# Headings under which every bullet counts, by the kind of its bullets.
SECTIONS = re.compile(
    r"(?P<gotcha>\b(?:gotchas?|pitfalls?|caveats?|watch[ -]?outs?|watch out"
    r"|known (?:issues?|problems?)"
    r"|traps?|quirks?|foot-?guns?|warnings?|surprises?|common mistakes|fallstricke|stolperfallen"
    r"|bekannte probleme|pièges?|problemas conocidos|trampas|armadilhas|insidie)\b"
    r"|注意事项|注意事項|注意点|陷阱|ハマりどころ|주의\s?사항|подводные камни)"
    r"|(?P<decision>\b(?:decisions?|decided|what we chose|entscheidungen?|décisions?|decisiones"
    r"|decisões|decisioni)\b|决定|決定|決策|决策|решения)"
    r"|(?P<assumption>\b(?:assumptions?|annahmen?|hypothèses?|supuestos|suposições)\b|假设|前提)"
    r"|(?P<invariant>\b(?:invariants?|invarianten?|invariantes)\b|不变量)"
    r"|(?P<insight>\b(?:lessons?(?: learned)?|learnings|insights?|what we learned|erkenntnisse)\b)"
    r"|(?P<failure>\b(?:failed attempts?|dead ends?|tried and (?:failed|rejected)|what (?:failed"
    r"|did ?n[o']t work|does ?n[o']t work))\b)"
    r"|(?P<rule>\b(?:rules?|conventions?|guidelines?|standards?|principles?|constraints?"
    r"|requirements?"
    r"|polic(?:y|ies)|practices|style|important|must|never|always|do(?:n'ts?|s)?|do nots?|avoid"
    r"|forbidden|regeln|konventionen|richtlinien|wichtig|règles|conventions|reglas|convenciones"
    r"|normas|regras|convenções|regole|convenzioni|zasady)\b|规则|規則|约定|規約|ルール|규칙|правила)",
    _FLAGS,
)
# Without such a heading, a bullet means something else, or the opposite.
POLARITY = re.compile(
    r"(?:please )?(?:do ?n[o']ts?|don'ts?|never|avoid|forbidden|prohibited|not allowed"
    r"|anti-?patterns?(?: to avoid)?"
    r"|(?:what|things) to avoid|what not to do|bad(?: practices?)?|out of scope|always|required"
    r"|mandatory|must"
    r"|optional|allowed"
    r"|verboten|nie|niemals|immer|nicht erlaubt|interdit|à éviter|toujours|jamais|prohibido|nunca"
    r"|siempre|evitar|proibido|sempre|vietato|mai|禁止(?:事項|事项)?|不要|避免|やってはいけないこと|금지)",
    _FLAGS,
)
# A lead-in of this form says when the following bullets apply.
LEADS_ORDERS = re.compile(
    r"(?:when|whenever|if|before|after|once|unless|during|while|every time|to \w+ "
    r"|for (?:each|every) )\b"
    r"|.*\b(?:must|should|always|never|have to|need to|make sure)\b"
    r"|(?:wenn|bevor|vor|nach|quand|avant|après|cuando|antes|después|ao |antes de|quando|prima)\b",
    _FLAGS,
)
NEGATED = re.compile(
    r"(?:never|do not|don't|no|avoid|not|stop|nicht|nie|kein|ne|não|non)\b|不|禁", _FLAGS
)
# fmt: off
ORDERS = frozenset("""
    add adopt ask assume attach avoid await batch build bump cache call check choose cite clean
    close commit compare configure convert copy create cut declare decline define delete deploy
    describe design develop disable do document drop emit enable escape exclude expect explain
    export extend extract fail fetch filter fix flag follow format generate give group guard handle
    hide hold ignore implement import include inject inline install isolate keep label leave let
    limit link lint list load lock log make mark match merge migrate mock monitor move name never
    no normalize note notify open order organize override parse pass pin place plan prefer prefix
    preserve print propose pull push put quote raise read rebase record refactor refer register
    reject release reload remember remove rename replace report request require reset resolve
    respect restart return reuse revert review rewrite rotate round run sanitize save scope search
    separate serve set share show sign simplify skip sort specify split squash stage start stay
    stick stop store stub suggest tag target tell test throw track translate treat trim try type
    unify update upgrade use validate verify wait warn watch wrap write
""".split())  # noqa: SIM905 - a list of quoted words would be a page long
# A lead-in of these words alone adds nothing to the bullets after it. Stop words such as "not" and
# "before" are missing, because they change the meaning of the bullets.
GENERIC = frozenset("""
    a all also and any apply are as at be below by code do follow followed following for from
    general guidelines here important in is it keep list mind must note notes observe of on our
    please points project remember requirements rules see should some that the their them these
    things this to us use we when where while with work working you your
""".split())  # noqa: SIM905 - likewise
# The commonest words of the supported languages in Latin script. One of them is enough to identify
# such a language; words that another language also has are left out.
_READ = frozenset("""
    the is are and to of in for with a on not from by this that it its be as at we you your our has
    have when if all
    der die das und ist sind ein eine einen für mit auf wird werden wir bei von zum zur
    le les des une est sont dans pour avec sur nous vous du qui que cette
    el los las una es son para con por del como nuestro
    o os uma é são com na no nos ao dos das
    il gli che di della sono nel alla per
    het een zijn voor met van wordt wij bij
    jest są dla przez oraz się
""".split())  # noqa: SIM905 - likewise
# Words of unsupported languages: one word of the first set is enough. The second set has words that
# other languages share, so two are needed.
_UNREAD = frozenset("""
    och att inte för på är av från aldrig alltid använd använda måste ska eller kör innan varje
    ikke og af aldrig altid brug skal må hver før bruk alltid aldri eller kjør
    ja ei eikä älä älkää aina koskaan käytä käytetään ennen jälkeen jokaista jokainen että joka
    pitää täytyy saa tulee ovat vain kaikki kun jos tai sekä ilman niin myös aja ajaa
    ära kasuta alati enne iga kunagi peab ning
    için değil ve bir her asla kullan kullanın önce sonra zorunda olmalı
    není že jsou pro vždy nikdy použij používejte před každým musí nebo
    vždy nikdy používaj pred každým alebo nie
    és nem hogy mindig soha használj minden előtt után kell csak vagy
    și nu este pentru întotdeauna niciodată folosiți înainte trebuie sau
    không và là của luôn đừng hãy trước sau phải
    dan tidak yang untuk selalu jangan gunakan sebelum setiap harus atau
    visada niekada naudokite prieš kiekvieną turi arba yra
    vienmēr nekad lietojiet pirms katra jābūt vai nav
    uvijek nikad nikada koristi prije svakog mora ili uvek pre svakog
    vedno nikoli uporabi preden vsakim
    abans inoiz erabili
    gamitin huwag palagi bago
""".split()) - _READ  # noqa: SIM905 - likewise
_SHARED = frozenset("""
    aja av dan det ei este iga ir ja joka jos mora nav nie niin nu og pre pred pro sau se ska som
    tai til tulee vai vain ve
""".split())  # noqa: SIM905 - likewise
# fmt: on
# Letters that no supported language has, and two or more endings of Finnish.
_UNREAD_LETTER = re.compile(r"[åøæčřšžěůďťľőűșțăğışđơưēīūģķļņėųįạ-ỹ]")
_FINNISH_END = re.compile(r"\w{3,}(?:aan|ään|iin|uun|ssa|ssä|lla|llä|sta|stä|ksi|mme|vat|vät|inä)")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"`[^`]*`")
_READ_SCRIPTS = re.compile(r"[\u0041-\u024f\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FEWEST_UNREAD = 2
_OTHER_SHARE = 0.3


def is_unread(claim: str) -> bool:
    """Return whether a claim is in an unsupported language."""
    letters = [letter for letter in claim if letter.isalpha()]
    others = sum(_READ_SCRIPTS.match(letter) is None for letter in letters)
    if letters and others / len(letters) > _OTHER_SHARE:
        return True
    words = set(_WORD.findall(_CODE.sub(" ", claim).lower()))
    read, found = len(words & _READ), words & (_UNREAD | _SHARED)
    telling = len(found - _SHARED) + sum(bool(_UNREAD_LETTER.search(word)) for word in words)
    if telling or read:
        return telling > read
    endings = sum(bool(_FINNISH_END.fullmatch(word)) for word in words)
    return max(len(found), endings) >= _FEWEST_UNREAD


def is_unspaced(claim: str) -> bool:
    """Return whether a claim is in a script without spaces between words."""
    return bool(re.search(r"[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]", claim))
