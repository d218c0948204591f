from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.program import Finished, Program
from tests.requirements import requirement

CODE = '''"""Tokens."""


def rotate(token: str) -> str:
    """Exchange a token for a new one."""
    check(token)
    return token[::-1]


def check(token: str) -> None:
    """Refuse a token that is blank."""
    if not token:
        raise ValueError(token)
'''
EVIDENCE = "src/tokens.py:4-7"


def git(folder: Path, *words: str) -> str:
    named = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
    command = ["git", *named, *words]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def write(folder: Path, name: str, text: str, *, message: str = "Change it") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


@pytest.fixture
def program(repository: Path, tmp_path: Path) -> Program:
    """The program in a repository with some code, and one memory about it."""
    ours = Program(home=tmp_path / "home", folder=repository)
    write(repository, "src/tokens.py", CODE, message="Add tokens")
    remember(ours, "Rotating reverses a token.", "--key", "rotation", "--evidence", EVIDENCE)
    return ours


@pytest.fixture
def bare(tmp_path: Path) -> Program:
    """The program in a folder that is no repository."""
    (tmp_path / "bare").mkdir()
    return Program(home=tmp_path / "home", folder=tmp_path / "bare")


def remember(program: Program, claim: str, *words: str) -> Finished:
    return program("remember", *words, claim).well()


def test_what_was_just_read_is_fresh(program: Program) -> None:
    said = remember(program, "Blank tokens are refused.", "--evidence", "src/tokens.py:10-13")

    assert "src/tokens.py:10-13 (fresh)" in said.out
    assert "src/tokens.py:4-7 (fresh)" in program("recall", "--md", "rotating").well().out


def test_the_evidence_of_a_sensitive_memory_is_called_encrypted_and_no_statement(
    program: Program, tmp_path: Path
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    person("key", "create").well()

    kept = person("remember", "--sensitive", "--because", "I asked.", "The vault is open.").well()

    assert "evidence encrypted" in kept.out
    (tmp_path / "keys").rename(tmp_path / "elsewhere")
    shown = person("show", kept.id).out
    assert "statement" not in kept.out + shown


@requirement("encryption.evidence-checked")
@requirement("encryption.evidence-not-checked")
def test_the_evidence_of_a_sensitive_memory_is_checked_where_its_key_is(
    program: Program, tmp_path: Path
) -> None:
    person = replace(program, extra={"HOLDFAST_KEYS": str(tmp_path / "keys")})
    person("key", "create").well()
    hidden = ("--sensitive", "--key", "vault", "--evidence", EVIDENCE)
    remember(person, "The vault is opened by rotating.", *hidden)
    remember(person, "Nobody knows why.", "--because", "I asked.")

    everything, alone = person("verify").well(), person("verify", "vault").well()

    path = EVIDENCE.partition(":")[0]
    assert everything.out == "2 checked: 2 fresh\n"
    assert everything.err == "1 cites no file or commit\n"
    assert (alone.out, alone.err) == ("1 checked: 1 fresh\n", "")
    assert (
        f"{EVIDENCE} — unverifiable: encrypted; only a verification checks it"
        in person("show", "vault").well().out
    )
    file = program.folder / path
    before = file.read_text(encoding="utf-8")
    file.write_text("nothing\n" * 80, encoding="utf-8")
    drifted = person("verify", "vault")
    assert drifted.code == 1
    assert path not in drifted.out + person("verify", "vault", "--json").out
    file.write_text(f"# moved\n{before}", encoding="utf-8")
    assert "1 moved" in person("verify", "vault").well().out
    for kept in (program.home / "cache").rglob("*"):
        assert not kept.is_file() or b"vault" not in kept.read_bytes()

    agent = replace(person, extra=person.extra | {"HOLDFAST_ORIGIN": "agent"})
    next((tmp_path / "keys").iterdir()).unlink()
    for one in (person, agent):
        assert one("verify", "vault").well().err == "1 unverifiable: encrypted\n"
    shape = person("verify", "--json").well().json
    assert (shape["unanchored"], shape["sensitive"]) == (1, 1)


@requirement("verify.exit-code-for-ci")
def test_verify_says_what_moved_and_fails_when_something_drifted(program: Program) -> None:
    assert program("verify").well().out == "1 checked: 1 fresh\n"
    (program.folder / "lib").mkdir()
    git(program.folder, "mv", "src/tokens.py", "lib/tokens.py")
    (program.folder / "lib/tokens.py").write_text(f"# Ours\n\n{CODE}", encoding="utf-8")

    moved = program("verify").well()
    assert "moved to lib/tokens.py:6-9, text unchanged" in moved.out
    assert moved.out.endswith("1 checked: 1 moved\n")

    changed = CODE.replace("token[::-1]", "token.upper()")
    (program.folder / "lib/tokens.py").write_text(changed, encoding="utf-8")
    drifted = program("verify", "--diff")
    assert drifted.code == 1
    assert "-    return token[::-1]\n" in drifted.out
    assert "+    return token.upper()\n" in drifted.out
    shape = program("verify", "--json").json
    assert (shape["sound"], shape["counts"]["drifted"]) == (False, 1)
    assert shape["memories"][0]["evidence"][0]["places"] == [
        {"path": "lib/tokens.py", "first": 4, "last": 7}
    ]


def test_show_and_recall_print_the_diff_of_what_drifted(program: Program) -> None:
    memory = program("list", "--json").json["memories"][0]
    span = memory["evidence"][0]["span"]
    changed = CODE.replace("token[::-1]", "token.upper()")
    (program.folder / "src/tokens.py").write_text(changed, encoding="utf-8")

    page = program("show", memory["id"]).well().out
    assert "drifted, now src/tokens.py:4-7" in page
    assert "+    return token.upper()" in page
    place = program("show", span).well().out
    assert "drifted, now src/tokens.py:4-7" in place
    assert "as committed" in place
    assert program("show", span, "--json").json["verdict"]["verdict"] == "drifted"
    assert program("show", memory["id"], "--json").json["verdicts"][0]["verdict"] == "drifted"
    assert "   | +    return token.upper()" in program("recall", "--md", "rotating").well().out


def test_verify_against_a_commit_does_not_look_at_the_disk(program: Program) -> None:
    (program.folder / "src/tokens.py").write_text("nothing\n", encoding="utf-8")

    assert program("verify").code == 1
    assert program("verify", "--at", "HEAD").well().out == "1 checked: 1 fresh\n"
    assert "does not name a commit of this repository" in program("verify", "--at", "v9").err
    assert program("verify", "--at", "--output=x").code == 2


@requirement("blame.where-it-is-now")
def test_blame_names_the_memories_of_a_line(program: Program) -> None:
    (program.folder / "src/tokens.py").write_text(f"# Ours\n\n{CODE}", encoding="utf-8")

    found = program("blame", "src/tokens.py:7").well().out

    assert "rotation" in found
    assert "moved to src/tokens.py:6-9" in found
    assert "read as src/tokens.py:4-7" in found
    nothing = program("blame", "src/tokens.py:1").well().out
    assert nothing == "No memory has evidence in src/tokens.py:1.\n"
    shape = program("blame", "src/tokens.py", "--json").json
    assert shape["memories"][0]["memory"]["key"] == "rotation"


@requirement("blame.where-it-is-now")
def test_a_line_break_in_the_name_of_a_file_ends_no_line_of_the_answer(program: Program) -> None:
    (program.folder / "new\nline.txt").write_text("A cart holds fifty items.\n", encoding="utf-8")

    kept = program("remember", "--evidence", "new\nline.txt:1", "Carts hold fifty items.").well()
    found = program("blame", "new\nline.txt:1").well().out
    span = program("show", kept.id, "--json").well().json["data"]["evidence"][0]["span"]
    shown, pinned = program("show", span).well().out, program("pin", span).well().out
    (program.folder / "new\nline.txt").write_text("A cart holds forty items.\n", encoding="utf-8")
    changed = program("verify", "--diff").out

    assert '"new line.txt:1" (fresh)' in kept.out
    assert "read as new line.txt:1 " in found
    assert [text.count("new line.txt:1") for text in (shown, pinned)] == [1, 1]
    assert "new\n" not in changed


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("blame", " "), "is blank"),
        (("blame", "nowhere.py:1"), "there is no such file"),
        (("blame", "src/tokens.py:900"), "line 900 is not there"),
        (("diff", "main"), "write two revisions with two dots between them: main..feature"),
        (("diff", "main..nowhere"), "does not name a commit of this repository"),
        (("recall", "--as-of", "nowhere", "x"), "does not name a commit of this repository"),
        (("context", " "), "is blank"),
        (("context", "nothing_of_that_name"), "is called 'nothing_of_that_name'"),
        (("context", "--limit", "0", "rotate"), "at least 1"),
        (("import", "backup.jsonl", "--since", "2024-01-01"), "goes with"),
        (("import", "git", "--since", "nonsense"), "must be like 2026-01-31 or 14d"),
        (("import", "git", "--since", "2024-02-30"), "must be like 2026-01-31 or 14d"),
        (("import", "git", "--since", ""), "must be like 2026-01-31 or 14d"),
    ],
)
def test_what_cannot_be_answered_gets_a_sentence(
    program: Program, words: tuple[str, ...], sentence: str
) -> None:
    done = program(*words)

    assert done.code in {1, 2, 3}
    assert sentence in done.err
    assert "bug" not in done.err


@requirement("recall.as-of")
def test_recall_as_of_a_tag_gives_what_held_there(program: Program) -> None:
    git(program.folder, "tag", "v1")
    write(program.folder, "src/tokens.py", CODE.replace("[::-1]", ".upper()"))
    remember(program, "Rotating puts a token in capitals.", "--key", "rotation",
             "--evidence", "src/tokens.py:4-7")  # fmt: skip

    now = program("recall", "--md", "what does rotating do").well().out
    then = program("recall", "--md", "--as-of", "v1", "what does rotating do").well().out

    assert "in capitals" in now
    assert "reverses" not in now
    assert "reverses" in then
    assert "in capitals" not in then
    assert "(fresh)" in then


@requirement("branch.arrives-by-content")
@pytest.mark.parametrize("how", ["merge", "squash", "rebase", "cherry-pick"])
def test_what_a_branch_knows_arrives_with_it(program: Program, how: str) -> None:
    folder = program.folder
    git(folder, "switch", "--quiet", "--create", "feature")
    write(folder, "grace.md", "Ten seconds.\n", message="Add grace")
    remember(program, "The grace period is ten seconds.", "--evidence", "grace.md:1")
    git(folder, "switch", "--quiet", "main")
    write(folder, "other.md", "Something else.\n", message="Go on")

    hidden = program("recall", "--md", "grace period").well().out
    assert "ten seconds" not in hidden
    assert "written only on feature" in hidden
    assert "ten seconds" in program("recall", "--md", "--all-branches", "grace period").well().out
    added = program("diff", "main..feature").well()
    assert "+ m_" in added.out
    assert "1 added, 0 changed" in added.err
    assert len(program("diff", "main..feature", "--json").json["added"]) == 1

    if how == "merge":
        git(folder, "merge", "--quiet", "--no-edit", "feature")
    elif how == "squash":
        git(folder, "merge", "--quiet", "--squash", "feature")
        git(folder, "commit", "--quiet", "--message", "Squashed")
    elif how == "rebase":
        git(folder, "rebase", "--quiet", "main", "feature")
        git(folder, "switch", "--quiet", "main")
        git(folder, "merge", "--quiet", "--ff-only", "feature")
    else:
        git(folder, "cherry-pick", "feature")
    git(folder, "branch", "--quiet", "-D", "feature")
    shown = program("recall", "--md", "grace period").well().out
    assert "ten seconds" in shown
    assert "grace.md:1 (fresh)" in shown


@pytest.mark.parametrize(
    ("verb", "advice"),
    [
        (("recall", "grace"), "'holdfast recall --all-branches' finds them"),
        (("verify",), "--all checks them too"),
    ],
)
def test_a_note_about_hidden_branches_names_an_option_that_exists(
    program: Program, verb: tuple[str, ...], advice: str
) -> None:
    git(program.folder, "switch", "--quiet", "--create", "feature")
    write(program.folder, "grace.md", "Ten seconds.\n", message="Add grace")
    remember(program, "The grace period is ten seconds.", "--evidence", "grace.md:1")
    git(program.folder, "switch", "--quiet", "main")

    told = program(*verb).err

    assert advice in told
    assert "; --all-branches" not in told
    program("recall", "--all-branches", "grace").well()
    assert "ten seconds" in program("verify", "--all").out


@requirement("branch.name-now")
def test_a_renamed_branch_is_named_as_it_is_now(program: Program) -> None:
    git(program.folder, "switch", "--quiet", "--create", "feature")
    write(program.folder, "grace.md", "Ten seconds.\n", message="Add grace")
    remember(program, "The grace period is ten seconds.", "--evidence", "grace.md:1")
    git(program.folder, "switch", "--quiet", "main")
    git(program.folder, "branch", "-m", "feature", "grace")
    git(program.folder, "branch", "-m", "grace", "calm")

    assert "memories written only on calm are" in program("recall", "--md", "grace").well().out
    assert "without calm;" in program("list").well().err
    assert "ten seconds" in program("list", "--branch", "calm").well().out
    git(program.folder, "branch", "--quiet", "-D", "calm")
    assert "memories written only on feature are" in program("recall", "--md", "grace").well().out


@requirement("branch.name-now")
def test_runs_sessions_and_tasks_of_a_renamed_branch_are_named_as_it_is_now(
    program: Program,
) -> None:
    git(program.folder, "switch", "--quiet", "--create", "feature")
    task = program("task", "add", "Add grace", "--json").well().json["task"]["id"]
    program("run", "start", "Add grace").well()
    program("session", "start", "--tool", "shell").well()
    git(program.folder, "branch", "-m", "feature", "calm")

    assert "calm" in program("task", "show", task).well().out
    assert "calm" in program("run", "list").well().out
    assert "calm" in program("session", "list").well().out
    git(program.folder, "switch", "--quiet", "main")
    assert "calm" in program("task", "list").well().out
    git(program.folder, "branch", "--quiet", "-D", "calm")
    assert "feature" in program("run", "list").well().out


def test_a_branch_that_was_thrown_away_keeps_its_memories_hidden(program: Program) -> None:
    git(program.folder, "switch", "--quiet", "--create", "feature")
    remember(program, "Grace was never agreed.", "--because", "a thought")
    write(program.folder, "grace.md", "Ten seconds.\n")
    git(program.folder, "switch", "--quiet", "main")
    git(program.folder, "branch", "--quiet", "-D", "feature")

    assert "never agreed" not in program("recall", "--md", "grace").well().out
    assert "never agreed" in program("recall", "--md", "--all-branches", "grace").well().out


def test_a_difference_shows_what_the_branch_puts_in_doubt(program: Program) -> None:
    git(program.folder, "switch", "--quiet", "--create", "feature")
    write(program.folder, "src/tokens.py", CODE.replace("[::-1]", ".upper()"))
    git(program.folder, "switch", "--quiet", "main")

    found = program("diff", "main..feature").well()

    assert found.out.startswith("? m_")
    assert "drifted" in found.out
    shape = program("diff", "main..feature", "--json").json
    assert shape["in_doubt"][0]["evidence"][0]["verdict"] == "drifted"


@requirement("recall.code-and-history-beside-memory")
def test_code_and_commits_answer_beside_memories(program: Program) -> None:
    found = program("import", "git").well()
    assert "2 commits" in found.out

    said = program(
        "recall", "--md", "--include", "memory,code,history", "exchange a token, add tokens"
    ).well()

    assert "- code · src/tokens.py:4-7" in said.out
    assert "    return token[::-1]" in said.out
    assert "Add tokens" in said.out
    again = program("import", "git", "--json").json
    assert again == {"commits": 2, "new": 0, "known": 2, "since": None}


@requirement("code.matches-the-checkout")
def test_code_in_an_answer_is_as_it_is_on_disk_now(program: Program) -> None:
    program("index").well()
    (program.folder / "src/tokens.py").write_text(
        CODE.replace("[::-1]", ".upper()"), encoding="utf-8"
    )

    said = program("recall", "--md", "--include", "code", "rotate exchange a token").well().out

    assert "token.upper()" in said
    assert "[::-1]" not in said


@requirement("context.neighbours-and-memories")
def test_context_shows_callers_and_memories(program: Program) -> None:
    shown = program("context", "check").well().out

    assert "called by" in shown
    assert "rotate" in shown
    around = program("context", "src/tokens.py:5", "--json").json
    assert around["symbol"]["name"] == "rotate"
    relations = {one["name"]: one["relation"] for one in around["neighbours"]}
    assert relations["check"] == "calls"
    assert around["memories"][0]["memory"]["key"] == "rotation"


@requirement("context.neighbours-and-memories")
def test_context_shows_memories_in_every_folder_of_the_repository(program: Program) -> None:
    inside = replace(program, folder=program.folder / "src")

    around = inside("context", "rotate", "--json").json

    assert around["memories"][0]["memory"]["key"] == "rotation"


@requirement("input.refused-with-advice")
def test_outside_a_repository_there_is_a_sentence(bare: Program) -> None:
    bare("init", "--no-model").well()
    for words in (("blame", "x.py:1"), ("diff", "a..b"), ("context", "x"), ("index",)):
        done = bare(*words)
        assert done.code != 0
        assert "not in a git repository" in done.err
        assert "git init" in done.err
    assert bare("verify").well().out == "0 checked: nothing to check\n"
    assert "not in a git repository" in bare("import", "git").err
    said = bare("recall", "--include", "memory,code", "anything").well()
    assert "this folder is not in a git repository, so code was not searched" in said.out


@requirement("anchor.common-lines-refused")
@pytest.mark.parametrize("place", ["src/tokens.py:2-3", "src/tokens.py:8"])
def test_lines_that_stand_in_every_file_are_no_evidence(program: Program, place: str) -> None:
    refused = program("remember", "--evidence", place, "There is a gap here.")

    assert refused.code == 2
    assert f"The evidence {place} cannot be used" in refused.err
    assert "Cite the lines around them too" in refused.err
    assert program("list").well().out.count("m_") == 1
