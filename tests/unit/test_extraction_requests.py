"""What people ask to remember in so many words, in the languages that imports read too."""

from __future__ import annotations

import pytest

from holdfast.domain.choices import Kind
from holdfast.heuristics.extraction.extracting import extract
from holdfast.heuristics.junk.scoring import objection
from tests.requirements import requirement
from tests.unit.talks import a_talk

# The sentence, and the claim that becomes a candidate.
ASKED = (
    ("Remember: the test for windows paths is flaky on CI.",
     "The test for windows paths is flaky on CI."),
    ("Remember that the staging database is wiped every Sunday.",
     "The staging database is wiped every Sunday."),
    ("Please remember: never use npm install on CI, always npm ci.",
     "Never use npm install on CI, always npm ci."),
    ("Note for later: the vendor closes tickets after ten days.",
     "The vendor closes tickets after ten days."),
    ("TIL: pytest reads conftest.py of parent folders too.",
     "Pytest reads conftest.py of parent folders too."),
    ("Ok, remember that our proxy strips the Authorization header.",
     "Our proxy strips the Authorization header."),
    ("Thanks! Also remember: billing runs on the old cluster until June.",
     "Billing runs on the old cluster until June."),
    ("remember for next time: the seed script needs Redis running",
     "The seed script needs Redis running"),
    ("Don't forget that invoices use the customer's time zone.",
     "Invoices use the customer's time zone."),
    ("Memorize this: tokens of partners expire after one hour.",
     "Tokens of partners expire after one hour."),
    ("Bear in mind that the legacy API counts pages from zero.",
     "The legacy API counts pages from zero."),
    ("Make a note that the load balancer drops idle connections after 55 seconds.",
     "The load balancer drops idle connections after 55 seconds."),
    ("Save this to memory: feature flags live in config/flags.toml.",
     "Feature flags live in config/flags.toml."),
    ("Add to your memory that Ada owns the import service.",
     "Ada owns the import service."),
    ("I want you to remember that the mobile team pins protobuf 3.",
     "The mobile team pins protobuf 3."),
    ("Could you please remember that we squash before merging.",
     "We squash before merging."),
    ("For future reference: exports bigger than 2 GB go through the batch queue.",
     "Exports bigger than 2 GB go through the batch queue."),
    ("Note to self - the mirror answers 200 with an empty body.",
     "The mirror answers 200 with an empty body."),
    ("Remember, the build machines have no network.",
     "The build machines have no network."),
    ("Remember the build machines have no network.",
     "The build machines have no network."),
    ("One thing to remember: the cron user has no home folder.",
     "The cron user has no home folder."),
    ("Reminder: the search index is rebuilt at 3 am UTC.",
     "The search index is rebuilt at 3 am UTC."),
    ("**Remember:** secrets of staging are in the vault of the platform team.",
     "Secrets of staging are in the vault of the platform team."),
    ("Remember to bump the schema version before every release.",
     "Remember to bump the schema version before every release."),
    ("When you add a column, remember to regenerate the client.",
     "When you add a column, remember to regenerate the client."),
    ("The sandbox port is 8081, please remember that.",
     "The sandbox port is 8081"),
    ("The staging mailer sends real mail. Please remember that for next time.",
     "The staging mailer sends real mail."),
    ("The staging mailer sends real mail.\nKeep that in mind.",
     "The staging mailer sends real mail."),
    ("Remember this. The staging mailer sends real mail.",
     "The staging mailer sends real mail."),
    ("Quick note for next session: the mirror is started by hand.",
     "The mirror is started by hand."),
    ("It's important to remember that uploads are capped at 5 MB.",
     "Uploads are capped at 5 MB."),
    ("Merke dir: die Staging-Datenbank wird jeden Sonntag geleert.",
     "Die Staging-Datenbank wird jeden Sonntag geleert."),
    ("Bitte merk dir, dass die Tests ohne Redis nicht laufen.",
     "Bitte merk dir, dass die Tests ohne Redis nicht laufen."),
    ("Nicht vergessen: der Spiegelserver antwortet erst nach zehn Sekunden.",
     "Der Spiegelserver antwortet erst nach zehn Sekunden."),
    ("Notiz für später: das Zertifikat läuft im März ab.",
     "Das Zertifikat läuft im März ab."),
    ("Ab jetzt immer npm ci statt npm install verwenden.",
     "Ab jetzt immer npm ci statt npm install verwenden."),
    ("Wir haben beschlossen, die Warteschlange auf SQLite umzustellen.",
     "Wir haben beschlossen, die Warteschlange auf SQLite umzustellen."),
    ("Der Port der Sandbox ist 8081, merk dir das bitte.",
     "Der Port der Sandbox ist 8081"),
    ("Retiens que la base de préproduction est vidée chaque dimanche.",
     "La base de préproduction est vidée chaque dimanche."),
    ("N'oublie pas : les exports dépassent parfois deux gigaoctets.",
     "Les exports dépassent parfois deux gigaoctets."),
    ("À partir de maintenant, utilise npm ci sur la CI.",
     "À partir de maintenant, utilise npm ci sur la CI."),
    ("Recuerda que la base de staging se borra cada domingo.",
     "La base de staging se borra cada domingo."),
    ("Por favor, recuerda: nunca uses npm install en CI.",
     "Nunca uses npm install en CI."),
    ("A partir de ahora usa siempre npm ci en lugar de npm install.",
     "A partir de ahora usa siempre npm ci en lugar de npm install."),
    ("Lembre-se de que o banco de testes é apagado todo domingo.",
     "O banco de testes é apagado todo domingo."),
    ("Ricordati che il database di staging viene svuotato ogni domenica.",
     "Il database di staging viene svuotato ogni domenica."),
    ("Onthoud: de testdatabase wordt elke zondag geleegd.",
     "De testdatabase wordt elke zondag geleegd."),
    ("Zapamiętaj: baza testowa jest czyszczona w każdą niedzielę.",
     "Baza testowa jest czyszczona w każdą niedzielę."),
    ("Запомни: тестовая база очищается каждое воскресенье.",
     "Тестовая база очищается каждое воскресенье."),
    ("覚えておいて：ステージングのデータベースは毎週日曜に消去されます。",
     "ステージングのデータベースは毎週日曜に消去されます。"),
    ("テストはRedisがないと動かないことを覚えておいてください。",
     "テストはRedisがないと動かないことを覚えておいてください。"),
    ("今後はnpm installではなくnpm ciを使ってください。",
     "今後はnpm installではなくnpm ciを使ってください。"),
    ("请记住：测试数据库每周日会被清空。", "测试数据库每周日会被清空。"),
    ("请记住测试数据库每周日会被清空。", "请记住测试数据库每周日会被清空。"),
    ("从现在起在CI上使用npm ci。", "从现在起在CI上使用npm ci。"),
    ("기억해 줘: 테스트 데이터베이스는 매주 일요일에 비워진다.",
     "테스트 데이터베이스는 매주 일요일에 비워진다."),
)  # fmt: skip
NOT_ASKED = (
    "I don't remember that the parser had a limit.",
    "I remember that we had Redis before, but where is it now?",
    "Do you remember that flaky test in the importer?",
    "Can you remember that bug from last week?",
    "remember that bug in the parser? it's back",
    "Remember that crash we saw yesterday, it is in the log again.",
    "Remember when we ran everything on one server.",
    "Remember how slow the old exporter was.",
    "As far as I can remember the limit was never tested.",
    "Add a remember me checkbox to the login form.",
    "Remember me does not survive a restart of the browser.",
    "The column remember_token is empty after the login.",
    "remember_me: true is missing in the session config",
    "Rename remember() to keep() in the store.",
    "Remember to push later today.",
    "Remember to run the tests when you're done.",
    "Remember to add a test.",
    "Don't forget to commit before you leave.",
    "Reminder: push the branch tonight.",
    "Why does it say \"Remember: the port is 8081\"?",
    "The page says \"Remember that all times are UTC\" twice.",
    "> Remember: the port of the sandbox is 8081.",
    "```\n# Remember: the port of the sandbox is 8081.\n```",
    "Should we remember that the port is 8081?",
    "Remember the milk.",
    "For later use, keep the old file.",
    "Let's remember the selection across reloads.",
    "Keep in memory only the last ten rows.",
    "Please remember that.",
    "Is the port 5432? Please remember that.",
    "Note for later: yes.",
    "Will the app remember the last window size after an update?",
    "I'd like a feature that lets users save notes to memory cards.",
    "Store the result in memory: it is faster than the disk?",
    "Ich erinnere mich nicht, dass der Parser eine Grenze hatte.",
    "Merkst du dir die Größe des Fensters?",
    "Kannst du dir merken, was wir gestern gesagt haben?",
    "Vielleicht nutzen wir in Zukunft Postgres.",
    "Je ne me souviens pas que le test était instable.",
    "Tu te souviens que la base était lente ?",
    "¿Recuerdas que la base era lenta?",
    "No recuerdo que la prueba fallara antes.",
    "昨日のバグを覚えていますか。",
    "你还记得昨天的那个错误吗？",
    "登录页面需要一个记住我的选项。",
    "记住密码的功能坏了。",
)  # fmt: skip


def claims(text: str) -> list[str]:
    return [one.claim for one in extract(a_talk(f"U: {text}", "A: Noted."))]


@requirement("propose.requests-found")
@pytest.mark.parametrize(("said", "claim"), ASKED)
def test_what_a_person_asks_to_remember_is_proposed(said: str, claim: str) -> None:
    assert claims(said) == [claim]
    assert not objection(claim)


@requirement("propose.requests-found")
@pytest.mark.parametrize("said", NOT_ASKED)
def test_words_about_remembering_are_no_request(said: str) -> None:
    assert claims(said) == []


@requirement("propose.requests-found")
def test_a_request_at_the_end_of_a_session_is_proposed() -> None:
    talk = a_talk(
        "U: Why does the check fail?",
        "A: Because the path has a backslash.",
        "U: Good. Remember: the test for windows paths is flaky on CI.",
    )

    [found] = extract(talk)

    assert (found.rule, found.turn) == ("asked", 3)
    assert found.quote == "Remember: the test for windows paths is flaky on CI."


def test_each_point_of_a_list_that_is_asked_for_is_a_claim() -> None:
    said = "Please remember the following:\n- CI has no network\n- exports are UTF-8 with a mark\n"

    assert sorted(claims(f"{said}\nThanks!")) == [
        "CI has no network",
        "Exports are UTF-8 with a mark",
    ]


def test_the_sentence_after_a_request_that_ends_with_a_colon_is_the_claim() -> None:
    said = (
        "Please remember the following:\n\nThe deploy key is rotated in May.\n\nNow fix the test."
    )

    assert claims(said) == ["The deploy key is rotated in May."]


def test_a_list_ends_at_a_question_and_at_other_text() -> None:
    said = "Remember these rules:\n- exports are UTF-8\n- is CI slow?\n- nobody reads this point\n"

    assert claims(said) == ["Exports are UTF-8"]


def test_the_reason_after_a_request_is_part_of_the_claim() -> None:
    said = "Remember: the mailer is off on staging. Last year it wrote to real customers."

    assert claims(said) == ["The mailer is off on staging. Last year it wrote to real customers."]


def test_kinds_follow_what_is_asked_for() -> None:
    said = {
        "Remember: never run the seed script twice.": Kind.RULE,
        "Remember: we decided to keep MySQL for the ledger.": Kind.DECISION,
        "Remember: I tried brotli first but it failed on alpine.": Kind.FAILURE,
        "Bear in mind that the mirror is slow.": Kind.GOTCHA,
        "Remember: the mirror is in Frankfurt.": Kind.FACT,
        "Merke dir: Exporte nie ohne Kopfzeile schreiben.": Kind.RULE,
    }

    found = {text: extract(a_talk(f"U: {text}"))[0].kind for text in said}

    assert found == said


def test_an_assistant_that_repeats_a_request_adds_no_second_claim() -> None:
    talk = a_talk(
        "U: Remember that the staging database is wiped every Sunday.",
        "A: Got it: our staging database is wiped every Sunday.",
        "U: Exactly.",
    )

    assert [one.claim for one in extract(talk)] == ["The staging database is wiped every Sunday."]


def test_only_a_person_asks_to_remember() -> None:
    assert extract(a_talk("U: Hello.", "A: Remember that the port of the API is 8081.")) == ()


@requirement("propose.requests-found")
@pytest.mark.parametrize(
    ("said", "kind", "claim"),
    [
        ("Lesson learned: mocks of the clock hide leap days.", Kind.GOTCHA,
         "Mocks of the clock hide leap days."),
        ("Entscheidung: Exporte werden als CSV geschrieben.", Kind.DECISION,
         "Exporte werden als CSV geschrieben."),
        ("Règle : aucun commit direct sur main.", Kind.RULE, "Aucun commit direct sur main."),
        ("决定：所有导出文件都使用CSV格式。", Kind.DECISION, "所有导出文件都使用CSV格式。"),
    ],
)  # fmt: skip
def test_a_label_in_another_language_counts(said: str, kind: Kind, claim: str) -> None:
    [found] = extract(a_talk(f"U: {said}"))

    assert (found.kind, found.claim) == (kind, claim)


_DECISION = "A: Decision: we keep the length check, because old clients send no length."


@pytest.mark.parametrize(
    ("lines", "is_proposed"),
    [
        (("U: Can the check go?", _DECISION, "U: Good. Now look at the tests."), True),
        (("U: Never drop a check without a test.", _DECISION), True),
        (("U: Can the check go?", _DECISION), False),
        (("U: Can the check go?", _DECISION, "U: No, remove it."), False),
        (("U: Can the check go?", _DECISION, "U: Which clients?"), False),
    ],
)
def test_a_label_of_an_assistant_counts_if_a_person_decides_or_agrees(
    lines: tuple[str, ...], *, is_proposed: bool
) -> None:
    claims = [one.claim for one in extract(a_talk(*lines))]

    assert (
        "We keep the length check, because old clients send no length." in claims
    ) is is_proposed
