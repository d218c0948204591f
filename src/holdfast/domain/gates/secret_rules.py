"""Secrets with a recognisable format: one rule for each vendor of keys and kind of envelope."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from holdfast.domain.gates.likeness import is_filled_in, is_stand_in, looks_random
from holdfast.domain.gates.triggers import index_of, triggered
from holdfast.domain.values import dataclass, replace

_START = r"(?<![A-Za-z0-9])"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRule:
    """The format of one kind of secret.

    The pattern is compiled only if the text contains a trigger (in lower case) and a word of at
    least `shortest` characters. If `starts_the_word` is set, triggers are searched only in such
    words. A group in the pattern is the secret itself. If `is_exact` is set, the pattern has the
    length of the vendor's tokens, which no other text has, however regular the letters are.
    """

    name: str
    triggers: tuple[str, ...]
    pattern: str
    shortest: int = 20
    must_look_random: bool = False
    starts_the_word: bool = False
    is_exact: bool = False

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Find the positions of such secrets in the text."""
        spans = []
        for match in _compiled(self.pattern).finditer(text):
            start, end = match.span(match.lastindex or 0)
            if self._is_real(text[start:end]):
                spans.append((start, end))
        return spans

    def _is_real(self, secret: str) -> bool:
        if self.is_exact:
            return not is_filled_in(secret)
        return not is_stand_in(secret) and (not self.must_look_random or looks_random(secret))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


def _prefixed(name: str, prefixes: str, body: str = "") -> SecretRule:
    """Describe a token that starts with one of the prefixes, which are separated by spaces.

    Without a body of its own the token may contain symbols, as compound words do too; then it must
    also look random.
    """
    heads = prefixes.split()
    either = "|".join(head.replace(".", r"\.") for head in heads)
    return SecretRule(
        name=name,
        triggers=tuple(head.lower() for head in heads),
        pattern=f"{_START}(?:{either}){body or _ANY_BODY}",
        must_look_random=not body,
        starts_the_word=True,
    )


def _exact(name: str, prefixes: str, body: str) -> SecretRule:
    """Describe a token with one of the prefixes and a body of exactly the vendor's length."""
    rule = _prefixed(name, prefixes, rf"(?:{body})(?![A-Za-z0-9_-])")
    return replace(rule, is_exact=True)


_ANY_BODY = r"[\w.-]{20,400}+"
_LETTERS = "[A-Za-z0-9]"
# Between the lines of a key: line breaks, escaped or real, and the surrounding marks of quotes,
# comments, string literals and lists.
_MARKS = r"(?:[\s\"'`+,;>#|*()\[\].]|\\[nrt\\\"']|%0[AaDd]|&#1[03];|<br>|//){0,40}"
# A group is never repeated possessively: early releases of Python 3.11 handle that wrongly.
_BODY_LINE = rf"{_MARKS}[A-Za-z0-9+/=]{{16,4000}}+"

RULES: tuple[SecretRule, ...] = (
    SecretRule(
        name="private-key",
        triggers=("private key", "private+key", "putty-user-key"),
        pattern=(
            r"-----BEGIN[ +][A-Z0-9 +]{0,30}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----"
            rf"(?:{_MARKS}[A-Za-z-]{{3,20}}: [^\n\\]{{1,100}}){{0,4}}"
            rf"(?:{_BODY_LINE}){{1,400}}(?:{_MARKS}[A-Za-z0-9+/=]{{1,15}}(?![\w ]))?"
            rf"(?:{_MARKS}-----END[ +][A-Z0-9 +]{{0,30}}PRIVATE[ +]KEY(?:[ +]BLOCK)?-----)?"
            r"|Private-Lines: \d+(?:\s{1,3}[A-Za-z0-9+/=]{16,80}+){1,100}"
        ),
        shortest=16,
    ),
    SecretRule(
        name="aws-key-id",
        triggers=("akia", "asia", "abia", "acca"),
        pattern=_START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    ),
    _prefixed("github", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_LETTERS}{{30,255}}+"),
    _prefixed("github", "github_pat_", r"\w{40,255}+"),
    _prefixed(
        "gitlab",
        "glpat- gldt- glrt- glrtr- glptt- glcbt- glft- glsoat- glagent- glimt- gloas- glffct- glwt-"
        " GR1348941",
        r"[\w-]{20,255}+(?:\.[\w-]{2,20}){0,2}",
    ),
    _prefixed("anthropic", "sk-ant-", r"[\w-]{32,255}+"),
    _prefixed("openai", "sk-proj- sk-svcacct- sk-admin- sk-None-"),
    SecretRule(
        name="model-provider",
        triggers=("sk-",),
        pattern=_START + r"sk-[A-Za-z0-9_-]{20,255}+",
        must_look_random=True,
    ),
    _prefixed("model-provider", "gsk_ xai- pplx- pcsk_ lsv2_ tvly- jina_ r8_ csk- nvapi- voy-"),
    _prefixed("hugging-face", "hf_ api_org_", rf"{_LETTERS}{{30,64}}+"),
    _prefixed("google", "AIza", r"[\w-]{35}"),
    _prefixed("google", "ya29. GOCSPX- 1//0"),
    _prefixed("slack", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd- xapp- xoxe.xoxp-"),
    SecretRule(
        name="slack-webhook",
        triggers=("hooks.slack.com/",),
        pattern=r"hooks\.slack\.com/(?:services|workflows|triggers)/[\w/]{30,150}+",
    ),
    _prefixed("stripe", "sk_live_ sk_test_ rk_live_ rk_test_ whsec_", r"[\w+/=]{16,255}+"),
    SecretRule(name="twilio", triggers=("sk",), pattern=_START + r"SK[0-9a-f]{32}(?![0-9a-f])"),
    SecretRule(
        name="sendgrid",
        triggers=("sg.",),
        pattern=_START + r"SG\.[\w-]{16,64}+\.[\w-]{16,64}+",
    ),
    SecretRule(
        name="mailgun",
        triggers=("key-", "mailgun"),
        pattern=_START + r"(?:key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f])",
    ),
    SecretRule(
        name="mailchimp",
        triggers=("-us",),
        pattern=_START + r"[0-9a-f]{32}-us\d{1,2}(?!\w)",
    ),
    _prefixed("mail", "xkeysib- xsmtpsib- re_ EZAK EZTK"),
    _prefixed("npm", "npm_ npms_", rf"{_LETTERS}{{30,255}}+"),
    _prefixed("pypi", "pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZw", r"[\w-]{40,400}+"),
    _prefixed("package-registry", "rubygems_ CLOJARS_ cio oy2 dckr_pat_ dckr_oat_ AKCp"),
    SecretRule(
        name="azure",
        triggers=("accountkey", "sharedaccesskey", "sig="),
        pattern=(
            r"(?:(?i:AccountKey|SharedAccessKey)\s{0,2}=\s{0,2}|[?&;]sig=)([\w+/%=-]{30,200}+)"
        ),
        shortest=32,
    ),
    SecretRule(
        name="azure",
        triggers=("q~",),
        pattern=r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])",
    ),
    SecretRule(
        name="azure",
        triggers=("jqqj99", "azdo", "azca", "+ast", "+aba", "azfu", "azse", "acdb", "apim"),
        pattern=_START + r"[A-Za-z0-9+/]{30,80}(?:JQQJ99|AZDO|AzCa|\+ASt|\+ABa|AzFu|AzSe|ACDb|APIM)"
        r"[A-Za-z0-9+/]{4,60}={0,2}",
        shortest=40,
        must_look_random=True,
    ),
    SecretRule(
        name="azure-devops",
        triggers=("",),
        pattern=r"(?<![A-Za-z0-9])[a-z2-7]{52}(?![A-Za-z0-9])",
        shortest=52,
        must_look_random=True,
    ),
    _prefixed("digitalocean", "dop_v1_ doo_v1_ dor_v1_", r"[0-9a-f]{64}"),
    _prefixed("heroku", "HRKU-"),
    SecretRule(
        name="heroku",
        triggers=("heroku",),
        pattern=(
            r"(?i:heroku)[^\n]{0,40}?(?i:key|token)[^\n0-9a-f]{1,12}"
            r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
        ),
        shortest=36,
    ),
    _prefixed("shopify", "shpat_ shpca_ shppa_ shpss_", r"[0-9a-fA-F]{32}"),
    _prefixed("square", "sq0atp- sq0csp- EAAAE EAAAl"),
    SecretRule(
        name="telegram",
        triggers=(":aa",),
        pattern=r"(?<![\d:])\d{8,10}:AA[\w-]{32,34}(?![\w-])",
    ),
    SecretRule(
        name="discord",
        triggers=(".",),
        pattern=r"(?<![\w.-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w.-])",
        shortest=58,
    ),
    SecretRule(
        name="discord-webhook",
        triggers=("/api/webhooks/",),
        pattern=r"/api/webhooks/\d{15,22}/[\w-]{40,120}+",
    ),
    _prefixed("databricks", "dapi dose", r"[0-9a-f]{32}(?:-\d)?"),
    _prefixed("cloudflare", "v1.0- cfat_ cfut_ cfk_", r"[0-9a-zA-Z_-]{40,255}+"),
    _prefixed("vault", "hvs. hvb. hvr. s.hvs."),
    SecretRule(
        name="vault",
        triggers=("vault",),
        pattern=_START + r"s\.[A-Za-z0-9]{24}(?![\w.])",
        must_look_random=True,
    ),
    SecretRule(
        name="terraform",
        triggers=(".atlasv1.",),
        pattern=_START + r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{50,80}+",
    ),
    _prefixed("age", "AGE-SECRET-KEY-1 AGE-PLUGIN-", r"[A-Z0-9-]{20,255}+"),
    _prefixed("infrastructure", "pul- tskey- dp.pt. dp.st. dp.sa. fm2_ dt0c01. ico-"),
    _prefixed(
        "infrastructure", "pscale_tkn_ pscale_pw_ pscale_oauth_ sbp_ nfp_ bkua_ CCIPAT_ pnu_"
    ),
    _prefixed(
        "observability",
        "squ_ sqp_ sqa_ glsa_ glc_ sntrys_ sntryu_ NRAK- NRJS- phx_",
        r"[\w+/=-]{20,400}+",
    ),
    _prefixed("workspace", "lin_api_ ntn_ secret_ figd_ figu_ PMAK- sgp_ ATATT3x ATBB rdme_ tfp_"),
    SecretRule(
        name="workspace",
        triggers=("pat",),
        pattern=_START + r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)",
        shortest=82,
    ),
    _prefixed(
        "vendor", "vcp_ vci_ vca_ vcr_ vck_ vercel_ figo_ e2b_ rpa_ rnd_ SCW amzn.mws. sk_prod_"
    ),
    _prefixed("vendor", "pat-na1- pat-eu1- rzp_live_ rzp_test_ bb_live_ fly_ shpua_"),
    # With `pk` before it, it is a publishable key, which every visitor of a page sees.
    replace(
        _prefixed("vendor", "live_ test_"),
        pattern=rf"{_START}(?<!pk_)(?:live_|test_){_ANY_BODY}",
    ),
    SecretRule(
        name="bitlocker",
        triggers=("-",),
        pattern=r"(?<![\w-])\d{6}(?:-\d{6}){7}(?![\w-])",
        shortest=55,
    ),
    _prefixed("1password", "A3-", r"[A-Z0-9]{6}(?:-[A-Z0-9]{5,6}){4,6}(?![A-Za-z0-9-])"),
    _prefixed("cloud", "LTAI AKID", rf"{_LETTERS}{{16,40}}+"),
    SecretRule(
        name="jwt",
        triggers=("eyj",),
        pattern=r"(?<![\w-])eyJ[\w-]{8,8000}+\.(?:eyJ)?[\w-]{8,8000}+\.[\w-]{0,4000}+",
        shortest=30,
    ),
    SecretRule(
        name="bearer-header",
        triggers=("bearer",),
        pattern=r"(?i:bearer)[\s:=\"']{1,4}([\w.~+/-]{16,4000}+={0,2})",
        shortest=16,
        must_look_random=True,
    ),
    _exact("github", "ghp_ gho_ ghu_ ghs_ ghr_", rf"{_LETTERS}{{36}}"),
    _exact("github", "github_pat_", r"\w{82}"),
    _exact("aws-key-id", "AKIA ASIA ABIA ACCA", "[A-Z2-7]{16}"),
    _exact("gitlab", "glpat- gldt- glrt- glptt- glft-", r"[\w-]{20}"),
    _exact("anthropic", "sk-ant-api03- sk-ant-admin01-", r"[\w-]{93}AA|[\w-]{93}|[\w-]{95}"),
    _exact("openai", "sk-", rf"{_LETTERS}{{48}}|proj-{_LETTERS}{{48}}"),
    _exact("model-provider", "gsk_", rf"{_LETTERS}{{52}}"),
    _exact("model-provider", "pplx-", rf"{_LETTERS}{{48}}"),
    _exact("model-provider", "xai-", rf"{_LETTERS}{{80}}"),
    _exact("model-provider", "r8_", rf"{_LETTERS}{{37}}"),
    _exact("hugging-face", "hf_ api_org_", "[A-Za-z]{34}"),
    _exact("google", "AIza", r"[\w-]{35}"),
    _exact("google", "GOCSPX-", r"[\w-]{28}"),
    _exact("slack", "xoxb- xoxp-", rf"(?:\d{{10,13}}-){{2,3}}{_LETTERS}{{24,34}}"),
    _exact("stripe", "sk_live_ sk_test_ rk_live_ rk_test_", rf"{_LETTERS}{{24}}|{_LETTERS}{{99}}"),
    _exact("sendgrid", "SG.", r"[\w-]{22}\.[\w-]{43}"),
    _exact("npm", "npm_", rf"{_LETTERS}{{36}}"),
    _exact("package-registry", "dckr_pat_ dckr_oat_", r"[\w-]{27}"),
    _exact("pypi", "pypi-AgEIcHlwaS5vcmc", r"[\w-]{50,200}+"),
    SecretRule(
        name="telegram",
        triggers=(":aa",),
        pattern=r"(?<![\d:])\d{8,10}:AA[\w-]{33}(?![\w-])",
        is_exact=True,
    ),
    SecretRule(
        name="zoho",
        triggers=("1000.",),
        pattern=_START + r"1000\.[0-9a-f]{32}\.[0-9a-f]{32}(?![0-9A-Za-z])",
    ),
    _exact("workspace", "tfp_", r"[\w.=-]{40,80}"),
    _exact("infrastructure", "dp.pt. dp.st. dp.sa.", rf"{_LETTERS}{{40,44}}"),
    _exact("infrastructure", "pscale_tkn_ pscale_pw_", r"[\w-]{43}"),
    _exact("infrastructure", "nfp_", rf"{_LETTERS}{{36}}"),
    _exact("workspace", "lin_api_", rf"{_LETTERS}{{40}}"),
    _exact("workspace", "ntn_", rf"{_LETTERS}{{46}}"),
    _exact("workspace", "figd_", r"[\w-]{40}"),
    _exact("workspace", "ATATT3", r"[\w=-]{186}"),
    _exact("observability", "glsa_", rf"{_LETTERS}{{32}}_[0-9A-Fa-f]{{8}}"),
    _exact("observability", "NRAK-", "[A-Z0-9]{27}"),
    _exact("square", "sq0atp- sq0csp-", r"[\w-]{22}|[\w-]{43}"),
)

_TRIGGERS_ANYWHERE = index_of(() if rule.starts_the_word else rule.triggers for rule in RULES)
_TRIGGERS_OF_WORDS = index_of(rule.triggers if rule.starts_the_word else () for rule in RULES)


def rules_for(lowered: str, long_words: Sequence[str]) -> list[SecretRule]:
    """Return the rules worth trying on a text with these long words."""
    longest = max(map(len, long_words))
    numbers = {
        *triggered(_TRIGGERS_ANYWHERE, lowered),
        *triggered(_TRIGGERS_OF_WORDS, " ".join(long_words)),
    }
    return [rule for number in sorted(numbers) if (rule := RULES[number]).shortest <= longest]
