"""Help, examples that run, JSON everywhere, completion, and the catalogue behind them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path

import pytest

from holdfast.adapters.sqlite.database.cipher import can_encrypt
from holdfast.surfaces.cli.help_layout import wrapped
from holdfast.surfaces.cli.help_pages import VerbPage, catalogue, described, show_help
from holdfast.surfaces.cli.index import GROUPS, INDEX
from holdfast.surfaces.cli.present.terminal.output import Output
from tests.adapters.tiny_model import write_source
from tests.cli.conftest import Filled
from tests.cli.program import Finished, Program
from tests.cli.sets import write_sets
from tests.cli.typist import typist
from tests.cli.work_scene import put_agent, put_keys, put_remote, put_tasks, put_workspace
from tests.postgres_server import APP, OWNER, READY, server
from tests.requirements import requirement

PAGES = catalogue()
NEEDS_A_SHELL = re.compile(r"[|<>]")


@pytest.fixture(scope="session")
def examples_template(
    filled_template: Filled, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Program, dict[str, str]]:
    """The store and the repository of the examples, and what the ids in them stand for."""
    folder = tmp_path_factory.mktemp("examples")
    filled = filled_template
    program = Program(
        home=Path(shutil.copytree(filled.program.home, folder / "home")),
        folder=Path(shutil.copytree(filled.program.folder, folder / "app")),
    )
    agent = {"HOLDFAST_ORIGIN": "agent"}
    proposals = [
        program("remember", "--because", "x", f"Proposal {number}.", env=agent).well().id
        for number in range(2)
    ]
    rule = ("remember", "--because", "x", "--check", "command: true", "A rule with a command.")
    checked = program(*rule).well()
    write_sets(program.folder / "bench")
    put_history(program)
    return program, {
        "m_3f8k2q": filled.memory,
        "m_9c1v7d": filled.other,
        "m_abc123": filled.other,
        "m_k4t9zz": proposals[0],
        "m_p0b3aa": proposals[1],
        "m_c7h3kk": checked.id,
        "c_20251021T1030Z": filled.bundle,
        "s_def456": filled.span,
        "i_7h2m4x": filled.session,
    }


@pytest.fixture
def example_ids(examples_template: tuple[Program, dict[str, str]]) -> dict[str, str]:
    """What the ids in the examples stand for."""
    return dict(examples_template[1])


@pytest.fixture
def at_home(examples_template: tuple[Program, dict[str, str]], tmp_path: Path) -> Program:
    """The program of a person who types the examples."""
    template = examples_template[0]
    return Program(
        home=Path(shutil.copytree(template.home, tmp_path / "home")),
        folder=Path(shutil.copytree(template.folder, tmp_path / "app")),
    )


def put_models(program: Program) -> None:
    """Put a tiny model under the names of the examples, and what it was built from beside them."""
    source = write_source(program.folder / "folder")
    for name in ("e5-small", "minilm"):
        program("model", "install", name, "--from", str(source)).well()


def rate_answers(program: Program) -> None:
    """Ask five times for one of two memories, and say that it helped."""
    for number in range(5):
        words = ("recall", f"refresh tokens deploy tuesdays {number}", "--limit", "1", "--json")
        bundle = program(*words).well().json["id"]
        program("feedback", bundle, "--good").well()


def put_history(program: Program) -> None:
    """Put the tag, the branch, the file and the symbol of the examples into the repository."""
    (program.folder / "README.md").write_text("# App\n", encoding="utf-8")
    (program.folder / "rotate.py").write_text("def rotate():\n    pass\n", encoding="utf-8")
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    for words in (
        ("add", "."),
        (*who, "commit", "--quiet", "--message", "Go on"),
        ("tag", "v1.2"),
        ("branch", "feature"),
    ):
        command = ["git", "-C", str(program.folder), *words]
        subprocess.run(command, check=True)


def put_curation(program: Program, proposal: str) -> dict[str, str]:
    """Put in what the examples about decisions need: a decision, sources, and conflicts."""
    agent = {"HOLDFAST_ORIGIN": "agent"}
    because = ("remember", "--because", "x")
    program("approve", proposal).well()
    for source in ("claude:5f0c", "review-bot"):
        program(*because, "--source", source, f"Said by {source}.", env=agent).well()
    rivals = {}
    for name, key, old, new in (
        ("m_h6d2ww", "deploys", "We deploy on Tuesdays.", "We deploy on Fridays."),
        ("m_j8e4xx", "tokens", "Tokens live ten minutes.", "Tokens live one hour."),
        ("m_l1f7yy", "backups", "Backups run at two.", "Backups run at four."),
    ):
        program(*because, "--key", key, old).well()
        rivals[name] = program(*because, "--key", key, new, env=agent).well().id
    return rivals


def put_runs(program: Program) -> dict[str, str]:
    """Put in what the examples about runs need: as many open ones as they finish, and a text."""
    (program.folder / "summary.txt").write_text("The feed restarts.\n", encoding="utf-8")
    begun = [program("run", "start", "--json").well().json["run"]["label"] for _ in range(3)]
    return {"run-2026-01-27-3": begun[-1]}


def put_pages(program: Program) -> None:
    """Put in what the examples about pages need."""
    program("init", "--files", "--no-model").well()
    for name in ("base.md", "ours.md", "theirs.md"):
        (program.folder / name).write_text("# Decisions\n", encoding="utf-8")


def put_scene(program: Program, verb: str, proposal: str) -> dict[str, str]:
    """Put in what the examples of a verb need; return what their names stand for."""
    if verb in {"token list", "token revoke"}:
        program("token", "create", "ci").well()
        program("token", "create", "ben", "--space", "team").well()
        return {}
    return put_other_scene(program, verb, proposal)


def put_other_scene(program: Program, verb: str, proposal: str) -> dict[str, str]:
    if verb.startswith("model ") or verb == "rebuild":
        put_models(program)
    elif verb == "import":
        program("export", "backup.jsonl").well()
    elif verb == "learn":
        rate_answers(program)
    elif verb in {"resolve", "undo", "revert"}:
        return put_curation(program, proposal)
    elif verb in {"run note", "run finish", "run show"}:
        return put_runs(program)
    elif verb in {"sync", "trust", "merge-file"}:
        put_pages(program)
    elif verb.startswith(("db ", "tenant ", "jobs ", "store ")) or verb == "serve":
        return put_server(program, verb)
    return {}


def put_server(program: Program, verb: str) -> dict[str, str]:
    """Prepare the database of the examples; return what their addresses and ids stand for."""
    store = ("--store", server().url(READY, APP))
    stands = {
        "postgresql://owner@db.example/memory": server().url(READY, OWNER),
        "postgresql://app@db.example/memory": server().url(READY, APP),
    }
    if verb.startswith("store "):
        database = server().new_database()
        program("db", "upgrade", "--store", server().url(database, OWNER)).well()
        stands = dict.fromkeys(stands, server().url(database, APP))
    if verb == "store compare":
        for place in ("~/memory-copy", stands["postgresql://app@db.example/memory"]):
            program("store", "copy", place).well()
    if verb.startswith("tenant "):
        program("tenant", "create", "acme", *store).well()
    if verb.startswith("jobs "):
        stands |= put_jobs(program, verb, store)
    return stands


def put_jobs(program: Program, verb: str, store: tuple[str, ...]) -> dict[str, str]:
    """Prepare a store with work to share; return what the ids of its jobs stand for."""
    program("remember", "Jobs share their work.", "--because", "I decided", *store).well()
    if verb == "jobs add":
        (program.folder / "backup.jsonl").write_text(program("export").well().out, "utf-8")
    if verb != "jobs cancel":
        return {}
    add = ("jobs", "add", "curate", *store, "--json")
    return {name: program(*add).well().json["id"] for name in ("j_01k3", "j_02m7")}


UNTIL_IT_LISTENS = (
    " --port 0 > address.txt 2> log.txt &"
    " while kill -0 $! && ! grep -qs 'listens\\|page is' address.txt; do sleep 0.02; done;"
    " kill $!; wait $!"
)


def run_example(program: Program, line: str) -> Finished:
    if line.startswith(("holdfast serve", "holdfast web")):
        line += " --no-open" if line == "holdfast web" else ""
        itself = line.replace("holdfast", f'exec "{sys.executable}" -m holdfast', 1)
        return program.bash(f"rm -f address.txt; {itself}{UNTIL_IT_LISTENS}")
    if line.startswith("holdfast ui"):
        return run_ui(program, line)
    if NEEDS_A_SHELL.search(line):
        exported = line.replace("bd export", "cat .beads/issues.jsonl")
        return program.bash(exported.replace("head -1", "cat"))
    return program(*shlex.split(line)[1:])


def run_ui(program: Program, line: str) -> Finished:
    """Open the terminal UI at a terminal, and leave it."""
    with typist(program, *shlex.split(line)[1:]) as person:
        person.until("7 Bundle")
        person.types("q")
        return Finished(person.end(), "", "")


def put_work(program: Program, verb: str, servers: ExitStack) -> dict[str, str]:
    """Put in the tasks, the snapshots and the remote of the examples; return their ids."""
    put_agent(program, verb)
    if verb == "protect" or verb.startswith("key "):
        return put_keys(program, verb)
    if verb.startswith("task "):
        return put_tasks(program, verb)
    if verb.startswith("workspace "):
        return put_workspace(program, verb)
    return put_remote(program, verb, servers) if verb.startswith("remote ") else {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@requirement("cli.json-everywhere")
def test_every_example_runs_and_every_verb_answers_in_json(
    at_home: Program, example_ids: dict[str, str], servers: ExitStack, page: VerbPage
) -> None:
    example_ids |= put_scene(at_home, page.name, example_ids["m_k4t9zz"])
    example_ids |= put_work(at_home, page.name, servers)
    assert 2 <= len(page.examples) <= 3

    for example in page.examples:
        line = example
        for placeholder, name in example_ids.items():
            line = line.replace(placeholder, name)
        assert line.startswith(("holdfast ", "git ", "source ", "bd "))
        done = run_example(at_home, line)
        if page.name == "key encrypt-store" and not can_encrypt():
            assert "apsw-sqlite3mc" in done.err
            continue
        done.well()
        if "--json" in line:
            json.loads(done.out)

    assert any(option.names == ("--json",) for option in page.options)


@pytest.mark.parametrize(
    ("family", "pages"),
    [(name, list(pages)) for name, pages in groupby(PAGES, lambda page: page.name.split()[0])],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_verb_has_a_page_of_help(
    program: Program, family: str, pages: list[VerbPage]
) -> None:
    for page in pages:
        asked = program(*page.name.split(), "--help").well().out
        same = program("help", *page.name.split()).well().out
        shape = program(*page.name.split(), "-h", "--json").well().json

        assert asked == same
        assert all(example in _as_one_line(asked) for example in page.examples)
        assert all(option.meaning for option in page.options)
        assert shape["verb"] == page.name
        assert shape["group"] in GROUPS
    assert family in program("help", "all").well().out


@requirement("errors.words-at-every-door")
def test_the_advice_about_a_secret_names_the_verbs_that_can_mask_it(program: Program) -> None:
    secret = "ghp_" + "a1B2" * 9  # no secret, only shaped like one
    refused = program("token", "create", secret)

    for option in ("--redact", "--allow-secret"):
        verbs = {page.name for page in PAGES if any(option in one.names for one in page.options)}
        assert verbs == {"remember", "import", "jobs add"}
        assert option in refused.err
    assert all(f"'{verb}'" in refused.err for verb in verbs)


def _as_one_line(text: str) -> str:
    """Join the lines of a command as a shell does."""
    return re.sub(r"\\\n\s*", "", text)


@requirement("cli.fits-the-terminal")
def test_help_is_not_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    show_help([], Output())
    for page in PAGES:
        show_help(page.name.split(), Output())
    show_help(["decide"], Output())

    assert [line for line in capsys.readouterr().out.splitlines() if len(line) > 80] == []


def test_prose_is_wrapped_and_a_command_stays_one_command() -> None:
    text = "One two\nthree four.\n\nNext.\n\nexamples:\n  do --this 'a b' --that x --more 'c d e'"

    assert wrapped(text, 20) == (
        "One two three four.\n\nNext.\n\nexamples:\n"
        "  do --this 'a b' \\\n      --that x \\\n      --more 'c d e'"
    )


def test_help_shows_all_verbs_in_groups(newcomer: Program) -> None:
    every = newcomer("help", "all").well().out

    assert all(f"{title}:" in every for title in GROUPS.values())
    assert all(f"  {name} " in every for name in INDEX)
    assert "--space NAME" in every
    assert set(newcomer("help", "--json").well().json["verbs"]) == set(INDEX)
    assert "session start" in newcomer("session", "--help").well().out
    assert "config set" in newcomer("help", "config").well().out
    assert not newcomer.home.exists()


@requirement("cli.help-fits-a-screen")
def test_help_is_one_screen_and_names_real_verbs_only(newcomer: Program) -> None:
    alone, asked = newcomer().well(), newcomer("--help").well()
    lines = alone.out.splitlines()
    known = {name.partition(" ")[0] for name in INDEX}
    named = {word.strip(",") for line in lines[15:-3] for word in line[14:].split(", ")}

    assert alone.out == asked.out
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert {line.split()[0] for line in lines[4:14]} <= set(INDEX)
    assert {word for word in named if " " not in word} <= known
    assert not newcomer.home.exists()


@pytest.mark.parametrize("topic", ["look", "decide", "work", "share", "maintain"])
def test_a_topic_of_help_lists_its_verbs(newcomer: Program, topic: str) -> None:
    lines = newcomer("help", topic).well().out.splitlines()

    assert f"  {topic} " in newcomer("help").well().out
    assert max(map(len, lines)) <= 80
    assert lines[0].split()[0] in {name.partition(" ")[0] for name in INDEX}
    assert any("every byte is removed" in line for line in lines) is (topic == "decide")


@pytest.mark.parametrize("option", [("--space", "sp1"), ("--home", "x"), ("-C", ".")])
def test_the_value_of_an_option_is_no_verb_to_help_with(
    newcomer: Program, option: tuple[str, str]
) -> None:
    whole = newcomer("help").well().out

    assert newcomer("help", *option).well().out == whole
    assert newcomer(*option, "help").well().out == whole
    assert "usage: holdfast recall" in newcomer("help", *option, "recall").well().out


def test_the_version_is_told(program: Program) -> None:
    assert program("--version").well().out == "holdfast 0.1.0\n"
    assert program("--json", "list", "--limit", "1").well().json == {"total": 0, "memories": []}


def test_a_default_is_shown_as_it_is_typed() -> None:
    defaults = {
        option.names[0]: option.default
        for page in PAGES
        if page.name == "recall"
        for option in page.options
    }

    assert defaults["--include"] == "memory"


def test_the_catalogue_describes_options_as_they_are() -> None:
    options = {option.names[-1]: option for option in described("remember").options}

    assert options["TEXT"].is_positional
    assert options["--evidence"].is_repeatable
    assert "gotcha" in options["--kind"].choices
    assert options["--pin"].value is None
    assert options["--source"].default is None
    assert "recall.budget" in described("config get").options[0].choices
    assert described("show").options[0].is_required


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_knows_every_verb_and_option(program: Program, shell: str) -> None:
    script = program("completion", shell).well().out

    for page in PAGES:
        assert page.name.split()[-1] in script
        for option in page.options:
            assert all(name.lstrip("-") in script for name in option.names if name.startswith("--"))
    assert program("completion", shell, "--json").well().json["script"] == script


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("completion")
    return Program(home=folder, folder=folder)("completion", "bash").well().out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (("rem",), {"remember"}),
        (("",), {"init", "session", "help"}),
        (("session", ""), {"start", "turn", "end", "list"}),
        (("session", "turn", "--sat"), {"--satisfied"}),
        (("remember", "--ki"), {"--kind"}),
        (("remember", "--kind", "go"), {"gotcha"}),
        (("--home", "x", "list", "--st"), {"--status"}),
        (("list", "--status", ""), {"candidate", "accepted"}),
        (("completion", ""), {"bash", "zsh", "fish"}),
        (("config", "get", "recall.b"), {"recall.budget"}),
        (("--ver",), {"--version"}),
        (("help", "rec"), {"recall"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bash_completes(bash_script: str, typed: tuple[str, ...], offered: set[str]) -> None:
    words = " ".join(shlex.quote(word) for word in ("holdfast", *typed))
    ask = f"COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _holdfast; printf '%s\\n' "

    done = subprocess.run(
        ["/bin/bash", "-c", f'{bash_script}\n{ask} "${{COMPREPLY[@]}}"'],
        capture_output=True,
        text=True,
        check=True,
    )

    assert offered <= set(done.stdout.split())
    assert done.stderr == ""


def test_the_script_for_bash_is_valid(bash_script: str) -> None:
    parsed = subprocess.run(["/bin/bash", "-n"], input=bash_script, text=True, check=False)

    assert parsed.returncode == 0
