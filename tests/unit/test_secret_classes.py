"""Ways to give a secret away, by class, and texts of each class that hold none."""

from __future__ import annotations

import pytest

from holdfast.domain.gates.opaque import is_opaque, is_unlike_a_name
from holdfast.domain.gates.secrets import find_secrets
from tests.requirements import requirement

# The secret stands between « and ».
SECRETS = {
    "an action of any program": (
        "vault login «hvx8Kq2LmTz91»",
        "bw login bob@acme.io «pinkCadillac9»",
        "redis-cli -h cache1 AUTH «kettleDrum6»",
        "poetry login corp bob «c0ralReef9»",
        "CONFIG SET requirepass «foxtrot-uniform-9»",
        "neo4j-admin set-initial-password «t3rracotta»",
        "consul acl token create -secret «0b3c9f2e-1a2b-4c3d-9e8f-1234567890ab»",
        "npm config set //npm.acme.io/:_authToken «3f2b1c7e-4d2d-4d2d-9c1c-77ab12cd34ef»",
        'dotnet user-secrets set "Db:Password" "«lemonGrove7»"',
        "openssl passwd -6 «Qu4rryHill»",
    ),
    "an option of any program": (
        "restic -r sftp:nas:/srv/repo -p «Moonlit7Harbor» snapshots",
        "http -a bob:«plumTree8» GET https://api.acme.io/me",
        "winexe -U 'ACME/admin%«Zulu5Tango»' //10.0.0.5 cmd",
        "schtasks /create /ru CORP\\svc /rp «C1nderBlock» /tn x",
        "clickhouse-client --user app --password «Zebra.Finch9»",
        "adb shell locksettings set-pin «739182»",
    ),
    "typed by a script": (
        "echo '«tr0ub4dor»' | pass insert -e mail/work",
        'spawn ssh a; expect "assword:"; send "«gr4niteFox»\\r"',
        "child.expect('Password:'); child.sendline('«butterscotch»')",
        'cryptsetup luksOpen /dev/sdb1 data <<< "«harborLights5»"',
        'driver.find_element(By.ID, "password").send_keys("«plasticDuck9»")',
        "page.fill('#password', '«butterscotch»')",
    ),
    "an argument of a call": (
        'DriverManager.getConnection("jdbc:mysql://db1/prod", "app", "«tulipFarm5»");',
        'new NetworkCredential("bob", "«tulipFarm6»")',
        'hmac.new(b"«ginger6Bread»", msg, sha256)',
        'pyotp.TOTP("«JBSWY3DPEHPK3PXPQQ2L»").now()',
        'Fernet(b"«q8W3e4R5t6Y7u8I9o0P1a2S3d4F5g6H7j8K9l0Z1x2c=»")',
        'sql.Open("mysql", "app:«tulipFarm4»@tcp(db1:3306)/prod")',
    ),
    "a setting": (
        "<key>WiFiPassword</key>\n<string>«brownBear4»</string>",
        "kind: Secret\nstringData:\n  token: «brassMonkey66»",
        "ldap_default_authtok = «ironBridge6»",
        "authentication pre-shared-secret '«gooseFeather»'",
        "crypto isakmp key «w00dlandCreek» address 1.2.3.4",
        "jdbc:oracle:thin:scott/«t1gerEye»@//db1:1521/prod",
        'app.secret_key = "«very quiet mouse»"',
        "export BORG_PASSPHRASE='«plenty of quiet llamas»'",
        "wpa_passphrase=«lazy river run»",
        'client.secret: "«gooseFeather»"',
        'let password: &str = "«orangeKite9»";',
        "headers: { Authorization: 'token «9f8e7d6c5b4a3f2e1d0c»' }",
        "DB_PASS ?= «m4rshmallow»",
        "Keycloak: KEYCLOAK_ADMIN_PASSWORD: «marshmallow»",
        "password: «7c1e9d2f4a5b6c8d»",
        "smtpd: bob@acme.io:«slateRoof8»",
        "u: bob p: «Tuna5Fish»",
    ),
    "a sentence": (
        "My password is «correct-horse-battery».",
        "My password is «swordFish».",
        "We set the root password to «Umbrella22» last week.",
        "Password hint aside, the real one is «Marmalade88».",
        "Bob's password is now «Tuna-Fish-9» (rotated yesterday)",
        'The keystore was created with the password "«android»" and an alias.',
        "You can get into Grafana as admin with «T0astedRye3».",
        "I reset the account; she can sign in with «T0astedRye5» until Friday.",
        "compose: the file contains «sn0wyEgret8» for the db password",
        'We unlock the vault using the phrase "«purple tiger eats lime»".',
        "The seed phrase is: «sun cab rib sea fog dew ash oak elm fir yew ivy»",
    ),
    "a code": (
        "The Wi-Fi code is «48291734».",
        "The unlock code for the laptop is «Tuna3Fish»",
        "The gate code at the office: «7719#»",
        "The alarm gets disarmed with code «5519».",
        "The door opens with «4471».",
        "The combination for the server room lock is «38-14-27».",
        "Zoom passcode: «884213»",
        "SIM PIN «4821»",
        "Our TOTP seed is «JBSWY3DPEHPK3PXP».",
        "recovery key «482913-193847-558210-771934-220481-993810-447281-118273»",
        "op signin acme «A3-XK29DL-8FJ2KS-93KDL-XP2LS-93KFM-2PDLS»",
    ),
    "an answer": (
        "<alice> what's the db password?\n<bob> «Walnut77Tree»",
        "alice: pw?\nbob: «walnut78»",
        "Q: What is the PIN?\nA: «4471»",
    ),
    "another language": (
        "пароль от сервера: «Медведь88»",
        "비밀번호는 «hanguk2024» 입니다",
        "hasło do bazy to «Zubrowka99»",
        "parola este «Mamaliga7»",
        "salasana on «Mustikka77»",
        "كلمة المرور هي «Qahwa2024»",
        "Mật khẩu wifi là «phobo2023»",
        "รหัสผ่าน wifi คือ «padthai55»",
        "Das Admin-Kennwort wurde auf «Zugspitze24» geändert.",
        "wifi密码是«dumpling67»。",
        "La clave de la base de datos es «Gazpacho8x»",
    ),
    "another layer": (
        "PASSWORD=\\\n  «Walnut93Tree»",
        "«&quot;password&quot;:&quot;Walnut97Tree&quot;»",
    ),
}
HARMLESS = (
    'The passphrase is "diceware" style.', "password_encryption = scram-sha-256",
    "パスワードは12文字以上です。", "Run vault login -method=oidc.",
    "docker login registry2.acme.io",
    "restic -p /etc/restic/password snapshots", "cargo test -p base64ct", 'send "yes\\r"',
    "gh auth login --hostname github.acme.io", "The login service runs on Keycloak18.",
    "Login fails in Safari16 because of ITP.", "The wifi network is called CorpGuest5G.",
    "The Yubikey5C is required for admin access.", "The lock fails with code 1205.",
    "The process exits with code 137 on unlock timeout.", "The error code is 4471.",
    "Use the OAuth2Session class to log in.", "Users log in through Auth0Client.",
    "The database import uses shp2pgsql.", "The admin page raises Http404.",
    "The user page is /user/John%20Doe.", "The user branch is aB3dE6gH9x.",
    "The token contract is 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D.",
    "base64 of secret is c2VjcmV0", "alice: what's the password policy?\nbob: 12 characters",
    "Q: Where is the admin password?\nA: In Vault.", "<alice> who has it?\n<bob> carol99x",
    "The password is end-to-end-encrypted.", "The password is base64-url-encoded.",
    'password: "must be at least twelve chars"', "La clave primaria es user_id.",
    'The error reads "password must not be empty or blank".', "HTTPBasicAuth(user, password)",
    "jwt.encode(payload, private_key, algorithm=\"RS256\")", "page.fill('#password', password)",
    "Search for the phrase \"could not acquire lock in time\".", "The Kennwort is unset.",
    "Pin 1234 is not a valid number.",
    "password: 1234567890123456", "TOTP secrets are base32 encoded.",
    "auth('ghp_abcdefghijklmnop')", "password? no\nsee Vault",
    "alice: where are the credentials?\nbob: 1Password", "A token is needed in Umbrella22 too.",
    'assertThat(user.getPassword()).startsWith("$2a$10$");',
    "Q: Does login work in Firefox115?\nA: Yes.", "The user pool id is eu-west-1_aB3dE6gH9.",
    "page.fill('#password', 'changeme')", "bypass = Walnut", "the compass=north",
    "The access token is in tokens.v2.", "Order o7k3m2p9 was paid by user 42.",
    "The database snapshot rds3x9k2 was restored.", "Account acct_1Hh2x9KzQ is a test account.",
    "The key of the cache entry is usr42x9931.", "Admin console runs on node n7x42kd.",
    "The ldap group g42x7admins can deploy.", "The account id 9f8k2m1x is stored.",
    "The row with the key s926756582-2 is gone.",
)  # fmt: skip


@requirement("gate.secret-shapes-found")
@pytest.mark.parametrize("marked", [text for texts in SECRETS.values() for text in texts])
def test_a_secret_of_each_class_is_found_whole(marked: str) -> None:
    before, secret, _ = marked.replace("»", "«").split("«")
    text = marked.replace("«", "").replace("»", "")

    found = find_secrets(text)

    start, end = len(before), len(before) + len(secret)
    assert [hit for hit in found if hit.start <= start and end <= hit.end], found


@requirement("gate.few-false-alarms")
@pytest.mark.parametrize("text", HARMLESS)
def test_a_text_of_the_same_class_without_a_secret_raises_no_alarm(text: str) -> None:
    assert find_secrets(text) == ()


@pytest.mark.parametrize("value", ["Walnut77Tree", "tr0ub4dor", "plasticDuck9", "Sunny!Ridge1"])
def test_a_value_that_no_name_is_written_like_is_opaque(value: str) -> None:
    assert is_opaque(value)
    assert is_unlike_a_name(value)


@pytest.mark.parametrize(
    "value",
    ["server12", "KeePass2", "OAuth2Session", "db1.acme.io", "ACME-48291", "userToken9x", "12:30",
     "aGVsbG8=", "5d41402abc4b2a76", "!!!!!!!!1234"],
)  # fmt: skip
def test_a_name_a_host_or_a_number_is_not_opaque(value: str) -> None:
    assert not is_opaque(value)


@requirement("gate.secret-shapes-found")
def test_a_filler_inside_a_long_random_token_does_not_excuse_it() -> None:
    held = (
        "github_pat_XXXXPhO7UmbhzJmGZU1c45_uA0GN9WVf03agCRsjWHViCwoi87LCBUqdRlZdPznsh2wmN9nZQGeaTf"
    )

    assert find_secrets(f"To deploy we found that {held} works.")
    assert not find_secrets(f"A token looks like github_pat_{'x' * 82}.")


_SMALL, _DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
_EXACT = (
    *((prefix, 36, _SMALL + _DIGITS) for prefix in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    *(("github_pat_", 82, _SMALL + _DIGITS), ("AKIA", 16, _SMALL.upper()), ("npm_", 36, _SMALL)),
    *(("glpat-", 20, _SMALL), ("AIza", 35, _SMALL), ("hf_", 34, _SMALL), ("gsk_", 52, _SMALL)),
    *(("sk_live_", 24, _SMALL), ("sk-ant-api03-", 95, _SMALL + _DIGITS), ("r8_", 37, _SMALL)),
    *(("xoxb-123456789012-1234567890123-", 24, _SMALL), ("lin_api_", 40, _SMALL)),
    *(("dckr_pat_", 27, _SMALL), ("123456789:AA", 33, _SMALL), ("GOCSPX-", 28, _SMALL)),
)


@requirement("gate.exact-shapes-found")
@pytest.mark.parametrize(("prefix", "length", "letters"), _EXACT)
def test_a_token_of_exactly_a_vendors_shape_is_found_however_regular_it_is(
    prefix: str, length: int, letters: str
) -> None:
    token = prefix + (letters * length)[:length]

    found = find_secrets(f"I pushed with {token} today.")

    assert [(one.start, one.end) for one in found] == [(14, 14 + len(token))]


@pytest.mark.parametrize(
    "text",
    [
        f"A token looks like ghp_{'x' * 36}.",
        "The docs use AKIAIOSFODNN7EXAMPLE as an example.",
        f"The test has ghp_{_SMALL} in it.",
        f"The column is hf_{_SMALL}.",
        "Rename npm_run_build_and_publish_everything_now to npm_release.",
        "sk-learn and hf_transformer_pipeline_configuration_loader are imported.",
    ],
)
def test_another_length_or_a_placeholder_is_no_such_token(text: str) -> None:
    assert find_secrets(text) == ()
