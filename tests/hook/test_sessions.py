"""A session is told once what it needs, and then only what changed."""

from __future__ import annotations

from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.domain.text.fencing import without_injected
from tests.hook.caller import CONTEXT, Caller, keep
from tests.requirements import requirement


@requirement("hook.one-bundle-per-session")
def test_a_start_gives_what_governs_fenced_and_marked(caller: Caller) -> None:
    tokens = caller.program.folder / "src/auth/tokens.py"
    tokens.write_text(tokens.read_text(encoding="utf-8").replace("rotate(50)", "turn(50)"))

    text = caller.start()

    assert text.startswith(CONTEXT)
    assert text.rstrip().endswith("</holdfast-context>")
    assert without_injected(text).strip() == ""
    assert "git push --force" in text
    assert "Tuesdays" in text
    assert "drifted" in text


@requirement("hook.one-bundle-per-session")
def test_the_bundle_is_kept_and_can_be_explained(caller: Caller) -> None:
    text = caller.start()

    bundle = next(word for word in text.split() if word.startswith("c_"))
    assert "git push --force" in caller.program("show", bundle).well().out


@requirement("hook.one-bundle-per-session")
def test_a_start_and_the_first_answer_stay_within_one_budget(caller: Caller) -> None:
    for number in range(60):
        keep(caller.program, f"Port {number} belongs to service {number} " + "of ours " * 9 + ".")

    texts = [caller.start(), caller.prompt("which port belongs to service 7?")]
    texts += [caller.prompt(f"and service {number}?") for number in range(8, 12)]

    whole = "".join(texts)
    assert texts[0]
    assert texts[1]
    assert "".join(texts[2:]) == ""
    assert EstimatedTokens().count(whole) <= 2_000
    assert len(whole) <= 9_000


def test_a_first_prompt_without_a_start_gets_the_whole(caller: Caller) -> None:
    text = caller.prompt("when do we deploy?")

    assert "Tuesdays" in text
    assert "git push --force" in text
    assert caller.prompt("when do we deploy?") == ""


def test_nothing_that_was_told_at_the_start_is_answered_again(caller: Caller) -> None:
    assert "Tuesdays" in caller.start()

    assert caller.prompt("when do we deploy?") == ""


def test_an_answer_waits_for_a_prompt_that_asks_something(caller: Caller) -> None:
    for number in range(40):
        keep(caller.program, f"Rule {number} is about the colour of the bicycle shed.")
    keep(caller.program, "The invoice job runs at midnight.", "fact")
    caller.start()

    assert caller.prompt("hello") == ""
    assert "midnight" in caller.prompt("when does the invoice job run?")


@requirement("hook.tells-only-news")
def test_a_later_prompt_hears_nothing_while_nothing_changed(caller: Caller) -> None:
    caller.start()

    assert [caller.prompt() for _ in range(5)] == [""] * 5


@requirement("hook.tells-only-news")
def test_a_later_prompt_hears_what_was_accepted_once(caller: Caller) -> None:
    caller.start()
    keep(caller.program, "Never rebase a shared branch.")

    text = caller.prompt()

    assert "Memory changed since this session began" in text
    assert "+ rule" in text
    assert "Never rebase" in text
    assert "Tuesdays" not in text
    assert without_injected(text).strip() == ""
    assert caller.prompt() == ""


@requirement("hook.tells-only-news")
def test_a_session_hears_what_no_longer_holds(caller: Caller) -> None:
    old = keep(caller.program, "We deploy by hand.", "decision", "--key", "deploy")
    gone = keep(caller.program, "The cache is warm.", "rule")
    caller.start()
    keep(caller.program, "We deploy from CI.", "decision", "--key", "deploy")
    caller.program("forget", gone, "--yes").well()

    text = caller.prompt()

    assert f"- no longer holds [{old}] (superseded by " in text
    assert "We deploy from CI." in text
    assert f"- forgotten [{gone}]" in text
    assert "cache is warm" not in text


@requirement("hook.tells-only-news")
def test_what_waits_for_a_person_is_never_told(caller: Caller) -> None:
    caller.start()
    caller.program("remember", "--kind", "rule", "--because", "I saw it", "--origin", "agent",
                   "Never test on Mondays.").well()  # fmt: skip

    assert caller.prompt() == ""


def test_news_stay_short(caller: Caller) -> None:
    caller.start()
    for _ in range(3):
        caller.prompt("hello")
    for number in range(60):
        keep(caller.program, f"Service {number} listens on port {number} " + "and answers " * 8)

    text = caller.prompt()

    assert "more; recall finds them" in text
    assert EstimatedTokens().count(text) <= 500


def test_a_resumed_session_hears_news_only(caller: Caller) -> None:
    caller.start()
    keep(caller.program, "Never rebase a shared branch.")

    text = caller.start("resume")

    assert "Never rebase" in text
    assert "Tuesdays" not in text


def test_a_resumed_session_nobody_knows_gets_the_whole(caller: Caller) -> None:
    assert "Tuesdays" in caller.start("resume")


def test_a_cleared_and_a_compacted_session_get_the_whole_again(caller: Caller) -> None:
    caller.start()

    assert "Tuesdays" in caller.start("clear")
    caller.call("PreCompact", trigger="auto")
    assert "Tuesdays" in caller.start("compact")
    caller.call("PreCompact", trigger="manual", turn_id="t9")
    assert "Tuesdays" in caller.prompt()


@requirement("hook.speaks-once")
def test_two_hook_files_speak_once(caller: Caller) -> None:
    cursor = Caller(caller.program, dialect="cursor", session=caller.session)

    assert caller.start() != ""
    assert cursor.call("sessionStart").out == "{}\n"
    keep(caller.program, "Never rebase a shared branch.")
    assert caller.prompt() != ""
    again = cursor.call("beforeSubmitPrompt", prompt="carry on with it", generation_id="p1")
    assert again.out == "{}\n"


def test_the_tool_itself_is_not_answered(caller: Caller) -> None:
    assert caller.prompt("/clear") == ""
    assert caller.context("SessionStart", agent_id="a1") == ""
    assert caller.note()["prompts"] == 0


def test_what_waits_for_a_person_is_mentioned_at_the_start(caller: Caller) -> None:
    caller.program("remember", "--kind", "rule", "--because", "I saw it", "--origin", "agent",
                   "Never test on Mondays.").well()  # fmt: skip

    assert "◆ 1 to review" in caller.start()


def test_a_tool_that_reads_its_files_once_is_asked_to_restart_once(caller: Caller) -> None:
    codex = Caller(caller.program, dialect="codex", session="c1")
    codex.start()
    keep(caller.program, "Never rebase a shared branch.")
    first = codex.call("UserPromptSubmit", prompt="go", turn_id="t1").json
    keep(caller.program, "Never squash a shared branch.")
    second = codex.call("UserPromptSubmit", prompt="go", turn_id="t2").json

    assert "start a new session" in first["systemMessage"]
    assert "systemMessage" not in second


def test_a_restart_can_be_left_to_us_or_to_nobody(caller: Caller) -> None:
    codex = Caller(caller.program, dialect="codex", session="c1")
    codex.start()
    caller.program("config", "set", "restart", "auto").well()
    keep(caller.program, "Never rebase a shared branch.")
    whole = codex.call("UserPromptSubmit", prompt="go", turn_id="t1").json
    caller.program("config", "set", "restart", "never").well()
    keep(caller.program, "Never squash a shared branch.")
    news = codex.call("UserPromptSubmit", prompt="go", turn_id="t2").json

    text = whole["hookSpecificOutput"]["additionalContext"]
    assert "Tuesdays" in text
    assert "Never rebase" in text
    assert set(whole) == set(news) == {"hookSpecificOutput"}


@requirement("hook.notes-hold-no-text")
def test_what_is_noted_holds_ids_and_no_words(caller: Caller) -> None:
    caller.start()
    caller.prompt("when do we deploy the secret project?")
    caller.bash("git push --force")

    noted = (caller.program.home / "sittings" / f"{caller.session}.json").read_text()

    for word in ("Tuesdays", "force", "secret", "deploy"):
        assert word not in noted
    assert caller.note()["told"]
