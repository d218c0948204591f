"""Recognise a few languages by their function words, which name no topic.

The lists were written by hand: articles, pronouns, prepositions, auxiliary verbs and question words
of six languages that are written with Latin letters, and the letters before an apostrophe.
"""

from __future__ import annotations

import re
from functools import lru_cache

from holdfast.domain.text.words import STOP_WORDS


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS_OF: dict[str, frozenset[str]] = {
    "de": _listed("""
        aber als am an auch auf aus bei beim bin bis bist da dann das dass dein deine dem den denn
        der des dessen die dies diese diesem diesen dieser dieses doch du durch ein eine einem einen
        einer eines er es für gegen gibt hab habe haben hast hat hatte hatten hier ich ihm ihn ihr
        ihre im in ins ist ja jede jeden jeder jedes kann kein keine keinen können man mein meine
        mich mir mit muss müssen nach nicht noch nur ob oder ohne sein seine sich sie sind so soll
        sollen sollte um und uns unser unsere vom von vor wann war waren warum was weil welche
        welchem welchen welcher welches wem wen wenn wer werden wessen wie wieso will wir wird wo
        wofür woher wohin womit wurde wurden zu zum zur zwischen über
    """),
    "es": _listed("""
        a al algo alguna alguno algún ante antes aquel aquella con contra cual cuales cuando cuál
        cuáles cuándo cuánta cuánto cuántos cómo de del desde donde durante dónde e el ella ellas
        ellos en entre era es esa ese eso esta estaba estamos estas este esto estos está están fue
        fueron ha han hasta hay la las le les lo los me mi mis mucho muy más nada ni no nos nuestra
        nuestras nuestro nuestros o os para pero por porque puede pueden que quien quién quiénes qué
        se sea ser si sin sobre son su sus sí también tan te tenemos tiene tienen todo todos tu tus
        un una unas uno unos y ya yo él
    """),
    "fr": _listed("""
        a ai alors après as au aucun aucune aussi autre aux avant avec avez avons c car ce cela ces
        cet cette chez comme comment d dans de depuis des donc dont du elle elles en entre es est et
        eu eux fait faut il ils j je l la laquelle le lequel les leur leurs lors lorsque lui là m ma
        mais me mes moi mon même n ne ni nos notre nous on ont or ou où par pas peut peuvent plus
        pour pourquoi pouvons qu quand que quel quelle quelles quels qui quoi s sa sans se sera ses
        si son sont sous sur t ta te tes toi ton tous tout toute toutes très tu un une va vers vos
        votre vous y à ça été être
    """),
    "it": _listed("""
        a abbiamo agli ai al alla alle allo anche avere c che chi ci co col come con cosa cui d da
        dagli dai dal dalla dalle dallo degli dei del della delle dello di dopo dov dove e ed era
        erano gli ha hai hanno ho i il in io l la le lei li lo loro lui ma me mi mia mio ne negli
        nei nel nella nelle nello noi non nostra nostre nostri nostro o ogni per perché più prima
        può qual quale quali quando quanto quanti quella quello questa queste questi questo se
        senza si sia siamo sono sopra sotto sta su sua sue sugli sui sul sulla sulle suo suoi tra
        tu tua tuo un una uno vi voi è
    """),
    "nl": _listed("""
        aan al als bij dan dat de deze die dit doen door dus een en er geen had heb hebben heeft het
        hij hoe hoeveel hun ik in is ja je jij kan kunnen maar me meer men met mij mijn moet moeten
        na naar niet nog nu of om omdat onder ons onze ook op over te tegen ten ter toen tot uit van
        voor waar waarom wanneer waren was wat we welk welke werd werden wie wij worden wordt zal ze
        zich zij zijn zo zonder zou
    """),
    "pt": _listed("""
        a ao aos as até com como da das de dela dele deles depois do dos e ela elas ele eles em
        entre era essa esse esta estamos estas este estes está estão eu foi foram há isso isto
        já lhe mais mas me mesmo meu minha muito na nas nem no nos nossa nossas nosso nossos não
        nós o onde os ou para pela pelas pelo pelos por porque pode podem qual quais quando
        quanto que quem se sem ser seu seus sobre sua suas são só também te tem temos têm um uma
        umas uns você é à às
    """),
}  # fmt: skip
"""The function words of languages, by their code."""
_ASKING = _listed("""
    wann warum welche welchem welchen welcher welches wessen wieso wofür woher wohin womit
    combien pourquoi quand quelle quelles quels perché quale quali quando quanti quanto
    hoeveel waarom wanneer welke onde quais
""")
"""Question words that are no words of English: one of them is enough."""
LATIN_ONLY = "the embedding model reads only the Latin alphabet"
"""Why a text in another script is not embedded."""
_WORD = re.compile(r"[^\W\d_]+")
_WORD_OF_PROSE = re.compile(r"[^\W\d_]{2,}|[^\W\d_](?=['’])|[^\W\d_a-zA-Z]")
_NOT_ENGLISH = re.compile(r"[¿¡À-ÖØ-öø-ÿœŒ]")
_FEWEST = 2
_READ_AT_MOST = 400
_KNOWN_TEXTS = 512


@lru_cache(maxsize=_KNOWN_TEXTS)
def language_of(text: str) -> str:
    """Return the code of the language of a text, empty for English and for unknown ones.

    A text is of the language whose function words it has most of, if English has fewer of them.
    Single letters do not count, because they are names of things. One word alone is enough if it
    is a question word, or beside a letter or a sign that English does not have.
    """
    read = text[:_READ_AT_MOST]
    words = [word.casefold() for word in _WORD.findall(read) if len(word) > 1]
    english = sum(word in STOP_WORDS for word in words)
    counts = {
        code: sum(word in known for word in words) for code, known in FUNCTION_WORDS_OF.items()
    }
    best = max(counts, key=lambda code: counts[code])
    is_marked = _NOT_ENGLISH.search(read) or not _ASKING.isdisjoint(words)
    least = 1 if is_marked else _FEWEST
    return best if counts[best] >= max(least, english + 1) else ""


def is_in(language: str, text: str) -> bool:
    """Return whether a text may be of a language: it has more function words of it than English.

    A word that is one of both, such as "was" or "in", proves neither. A single letter counts if it
    has an accent or is before an apostrophe: others are names, or the end of an English word.
    """
    words = [word.casefold() for word in _WORD_OF_PROSE.findall(text[:_READ_AT_MOST])]
    known = FUNCTION_WORDS_OF[language]
    own = sum(word in known and word not in STOP_WORDS for word in words)
    return own > sum(word in STOP_WORDS and word not in known for word in words)


def function_words_in(text: str) -> frozenset[str]:
    """Return the function words of the language of a text; none for English."""
    return FUNCTION_WORDS_OF.get(language_of(text), frozenset())
