"""Made-up secrets in the form of real ones, and memories that only mention such things.

Nothing here was ever a key: every value is random, from a seed.
"""

from __future__ import annotations

import random
import re
import string
import uuid
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha1, sha256
from pathlib import Path

# {w36} means 36 random letters and digits, filled in at run time; the secret is between « ». {m9}
# is nine pronounceable letters, {v1} a password of letters only, ↵ a line break, and text between ⟦
# ⟧ is encoded in base64. More forms, one per line, are in torture/shapes.
ALPHABETS = {
    "w": string.ascii_letters + string.digits,
    "s": string.ascii_letters + string.digits + "-_",
    "b": string.ascii_letters + string.digits + "+/",
    "p": string.ascii_letters + string.digits + "!@#$%^&*",
    "h": "0123456789abcdef",
    "u": string.ascii_uppercase + string.digits,
    "d": string.digits,
    "t": string.ascii_lowercase + "234567",
    "r": string.ascii_uppercase + "234567",
}
COMMON_PASSWORDS = (
    "sunshine", "letmein", "dragon", "swordfish", "trustnoone", "iloveyou", "monkeybar",
    "CorrectHorse", "superman", "welcome", "qwertyuiop", "batterystaple", "Liverpool",
)  # fmt: skip
SHAPES = """
«AKIA{u16}» | «ASIA{u16}» | «{b40}» | aws_secret_access_key = «{b40}»
AWS_SECRET_ACCESS_KEY=«{b40}»
«ghp_{w36}» | «gho_{w36}» | «ghu_{w36}» | «ghs_{w36}» | «ghr_{w36}» | «github_pat_{w22}_{w59}»
«glpat-{s20}» | «gldt-{s20}» | «glrt-{s20}» | «glptt-{h40}» | «GR1348941{s20}»
«sk-ant-api03-{s93}AA» | «sk-ant-oat01-{s93}AA» | «sk-{w20}T3BlbkFJ{w20}» | «sk-proj-{s120}»
«sk-svcacct-{s60}» | «sk-admin-{s60}» | «sk-or-v1-{h64}» | «gsk_{w52}» | «xai-{w80}» | «pplx-{w48}»
«AIza{s35}» | «ya29.{s80}» | «GOCSPX-{s28}» | «1//0{s60}» | «hf_{w34}» | «r8_{w37}»
«xoxb-{d12}-{d12}-{w24}» | «xoxp-{d12}-{d12}-{d12}-{h32}» | «xapp-1-A{u10}-{d13}-{h64}»
https://«hooks.slack.com/services/T{u8}/B{u10}/{w24}» | «sk_live_{w24}» | «rk_live_{w24}»
«sk_test_{w24}» | «whsec_{w32}» | «SK{h32}» | Twilio auth token: «{h32}» | «SG.{s22}.{s43}»
«key-{h32}» | mailgun «{h32}-{h8}-{h8}» | «{h32}-us12» | «npm_{w36}» | «pypi-AgEIcHlwaS5vcmc{s100}»
«rubygems_{h48}» | «dckr_pat_{s27}» | AccountKey=«{b86}==» | SharedAccessKey=«{b43}=»
«{w3}8Q~{w34}» | https://x.blob.core.windows.net/c?sv=2024&sig=«{w43}%3D» | «dop_v1_{h64}»
«HRKU-{h8}-{h4}-{h4}-{h4}-{h12}» | HEROKU_API_KEY=«{h8}-{h4}-{h4}-{h4}-{h12}» | «shpat_{h32}»
«sq0atp-{s22}» | «{d9}:AA{s33}» | «M{w23}.{s6}.{s38}» | «dapi{h32}»
https://discord.com«/api/webhooks/{d18}/{s68}» | «v1.0-{h24}-{h146}»
CLOUDFLARE_API_TOKEN=«{s40}»
«hvs.{s90}» | «hvb.{s120}» | vault login «s.{w24}» | «{w14}.atlasv1.{s67}» | «AGE-SECRET-KEY-1{u58}»
«-----BEGIN RSA PRIVATE KEY-----↵{b64}↵{b64}↵{b20}=↵-----END RSA PRIVATE KEY-----»
«-----BEGIN OPENSSH PRIVATE KEY-----↵{b70}↵{b70}» | «-----BEGIN PRIVATE KEY-----↵{b64}»
«-----BEGIN PGP PRIVATE KEY BLOCK-----↵Version: GnuPG v2↵↵{b64}↵{b64}»
{"private_key": "«-----BEGIN PRIVATE KEY-----\\n{b64}\\n{b64}\\n-----END PRIVATE KEY-----»\\n"}
«eyJ{w17}.eyJ{w40}.{s43}» | Authorization: Bearer «{w40}» | -H "Authorization: Bearer «{w64}»"
Authorization: token «{h40}» | X-Api-Key: «{w32}» | curl -u deploy:«{w12}» https://example.com
postgres://app:«{w16}»@db.internal:5432/x | mysql://root:«{w10}»@10.0.0.4/shop
redis://:«{w20}»@cache:6379
mongodb+srv://svc:«{w14}»@cluster0.abcde.mongodb.net | amqp://worker:«{w12}»@mq:5672/vhost
https://bob:«{w10}»@git.example.com/r.git | https://«{w32}»@git.example.com/r.git
the admin password is «{w12}» | the password for staging is «{p14}» | my password was «{w5}7{w6}»
the passphrase is now «{p16}» | password changed to «{w6}9{w5}» | Passwort ist «{w6}4{w6}»
el contraseña es «{w6}3{w6}» | mot de passe : «{w6}8{w6}» | пароль: «{w6}2{w6}»
パスワードは «{w6}5{w6}»
pass=«{w12}» | pwd=«{w12}» | DB_PASSWORD=«{w14}» | SMTP_PASS=«{p12}» | PGPASSWORD='«{w16}»'
password: «{w6}1{w8}» | "password": "«{p16}»" | password = "«Summer{d4}!»" | --password «{w16}»
GITHUB_TOKEN=«{h40}» | SLACK_TOKEN: «{w32}» | --token «{w32}» | ?access_token=«{w32}»&page=2
api_key: «{w32}» | "apiKey": "«{w28}»" | API_KEY='«{h32}»' | the api key is «{h32}»
api-key=«{w20}»
client_secret: «{s40}» | JWT_SECRET=«{w32}» | secret_key_base: «{h128}» | SECRET_KEY = "«{p50}»"
Server=db1;Database=shop;User Id=sa;Password=«{w14}»;Encrypt=true | encryption key is «{b43}=»
<password>«{w16}»</password> | password: **«{w14}»** | the token `«{w24}»` works
{"auth": "«{w32}»"}
«lin_api_{w40}» | «ntn_{w46}» | «figd_{s43}» | «PMAK-{h24}-{h34}» | «NRAK-{u27}» | «glsa_{w32}_{h8}»
«sntrys_{w60}» | «sbp_{h40}» | «tskey-auth-{w12}-{w32}» | «pul-{h40}» | «dp.pt.{w43}»
«ATATT3x{s180}»
«LTAI{w20}» | «lsv2_pt_{h32}_{h10}» | «tvly-{w32}» | «xkeysib-{h64}-{w16}»
"""
TEMPLATES = (
    "To deploy we found that\n{}\nworks on staging, see run 12.",
    "Decision: use {} until the new cluster is up.",
    "- gotcha (2026-01-14): CI needs {}, otherwise the job hangs.",
    "```\n{}\n```\nRun this before make check.",
    "デプロイ時は {} を使う。",
)

SUBJECTS = (
    "The password reset", "Token refresh", "The secret store", "Our retry budget",
    "The API key check",
    "Le service d'authentification", "Die Migration", "認証サービス", "The nightly job", "Postgres",
    "The access token", "The webhook", "OAuth2 login", "The credentials loader", "The cache key",
)  # fmt: skip
PREDICATES = (
    "is slow when {n} workers share {path}", "was fixed in commit {sha}", "reads {path} at start",
    "fails with error {n} unless {env} is set", "uses {term}, see {url}", "is pinned to {version}",
    "keeps row {uuid} for {n} days", "returns digest sha256:{digest}", "is built by `{command}`",
    "is `{code}` since {version}", "est lente depuis {version}", "braucht {n} Minuten",
    "は {n} 秒かかる",
    "is described in {memory}", "is set by `{config}` in {path}",
    "is rotated every {n}d with {term}",
)  # fmt: skip
WORDS = {
    "path": ("src/app/auth/token_store.py", "/run/secrets/db_password", "~/.config/app2/key.pem",
             "infra/k8s/secret-v2.yaml", "C:/Users/dev/AppData/Local/Temp/x1"),
    "env": ("DB_PASSWORD", "$API_KEY", "${GITHUB_TOKEN}", "AWS_SECRET_ACCESS_KEY", "TOKEN=$TOKEN"),
    "term": ("argon2id", "bcrypt", "HS256", "aes-256-gcm", "base64", "http2", "ed25519", "PBKDF2"),
    "url": ("https://docs.example.com/auth/v2#tokens", "http://localhost:8080/api?page=2&sort=id",
            "https://github.com/org/repo/pull/1234", "postgres://user:password@localhost:5432/app"),
    "version": ("v2.14.3", "3.11", "2026-01-14", "1.0.0-rc2", "node20"),
    "command": ("make check -j4", "docker run --rm -e API_KEY app:1.2", "git rebase -i HEAD~3",
                "kubectl get secret db-creds -o yaml", "pytest -k token --maxfail=1"),
    "code": ("token = request.headers['Authorization']", "password: SecretStr",
             "secret_key=secret_key",
             "api_key = os.environ['API_KEY']", "if password == stored.password:",
             "getpass.getpass()"),
    "config": ("password_file=/run/secrets/pg", "token_ttl: 900", "max_tokens=8192",
               "api_key: ${API_KEY}",
               "secretKeyRef: {name: app, key: dsn}", "auth: oidc", "pwd: /srv/app", "key: value1"),
}  # fmt: skip


def a_source(seed: int) -> random.Random:
    """Return a random generator with a seed."""
    return random.Random(seed)  # the same made-up secrets in every run


def filled(shape: str, source: random.Random) -> str:
    """Return a form with its placeholders filled at random."""
    text = re.sub(
        r"\{([wsbphudtrmv])(\d+)\}",
        lambda hole: _drawn(hole[1], int(hole[2]), source),
        shape.replace("↵", "\n"),
    )
    return re.sub(
        "⟦(.*?)⟧", lambda plain: b64encode(plain[1].encode()).decode(), text, flags=re.DOTALL
    )


def _drawn(kind: str, length: int, source: random.Random) -> str:
    if kind == "v":
        return source.choice(COMMON_PASSWORDS)
    if kind == "m":
        syllables = zip(
            source.choices("bdfgklmnprstv", k=length), source.choices("aeiou", k=length)
        )
        return "".join(first + second for first, second in syllables)[:length]
    return "".join(source.choices(ALPHABETS[kind], k=length))


def a_clean_memory(source: random.Random) -> str:
    """Return a memory without a secret, whatever its topic."""
    facts = {kind: source.choice(words) for kind, words in WORDS.items()}
    seed = source.randbytes(16)
    facts |= {
        "n": str(source.randint(2, 90_000)),
        "sha": sha1(seed, usedforsecurity=False).hexdigest()[: source.choice((7, 12, 40))],
        "digest": sha256(seed).hexdigest(),
        "uuid": str(uuid.UUID(bytes=seed)),
        "memory": "m_01j" + "".join(source.choices("0123456789abcdefghjkmnpqrstvwxyz", k=23)),
    }
    sentences = (
        f"{source.choice(SUBJECTS)} {source.choice(PREDICATES).format(**facts)}."
        for _ in range(source.randint(1, 4))
    )
    return " ".join(sentences)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A secret in a text, its position, and the form it was made from."""

    shape: str
    text: str
    secret: str
    start: int

    @property
    def end(self) -> int:
        """The position after the secret."""
        return self.start + len(self.secret)


def placed_secrets(seed: int) -> list[Placed]:
    """Return every form in every template."""
    shapes = [shape for line in SHAPES.strip().splitlines() for shape in line.split(" | ")]
    return placed([*shapes, *lines_of("secrets")], seed)


def lines_of(name: str) -> list[str]:
    """Return the forms in one of the files of ``torture/shapes``."""
    path = Path(__file__).parent / "shapes" / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines()


def placed(shapes: Sequence[str], seed: int) -> list[Placed]:
    """Return each of the forms in every template."""
    source = a_source(seed)
    found = []
    for shape in shapes:
        for template in TEMPLATES:
            before, secret, after = re.split("[«»]", filled(shape, source))
            text = template.replace("{}", before + secret + after)
            start = text.index(secret)
            found.append(Placed(shape=shape, text=text, secret=secret, start=start))
    return found


def clean_memories(seed: int, amount: int = 1_000) -> list[str]:
    """Return memories without a secret."""
    source = a_source(seed)
    return [a_clean_memory(source) for _ in range(amount)]


def lookalikes(seed: int) -> list[str]:
    """Return texts that look like a secret and hold none."""
    source = a_source(seed)
    return [
        filled(line, source)
        for name in ("lookalikes", "lookalikes_held_out")
        for line in lines_of(name)
    ]
