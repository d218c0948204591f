"""The documents are true: commands run, references are current, links lead somewhere."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from docs.example import Example, Ran, examples, programs
from docs.examples import pages, run_in_order, run_page
from docs.generate import generated_pages
from docs.generator.agent_tools import agent_tools, tool_names
from docs.generator.settings import VARIABLES
from docs.generator.store import BESIDE, TABLES, tables
from holdfast.adapters.machine.settings import SETTINGS, environment_name
from holdfast.adapters.postgres.database.connecting import LATEST
from holdfast.adapters.tokens.exact import is_installed
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.surfaces.cli.help_pages import VerbPage, catalogue
from holdfast.surfaces.mcp.tools.every import NEEDS, OF_A_CHECKOUT
from holdfast.surfaces.wire.failures import FAMILIES
from tests.requirements import REQUIREMENTS, requirement

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"
# In two halves, so that this file does not hold what it looks for.
UNWANTED = (
    "/" + "work/",
    "/" + "root/",
    "TO" + "DO",
    "FIX" + "ME",
    "pypi" + ".org",
)
FENCED = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
INLINE_CODE = re.compile(r"`[^`]*`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
NUMBER = re.compile(r"^\s*(?:#+ )?\d+\. ")
TWO_SENTENCES = re.compile(r"[.!?] +[A-Z]")


def all_pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("changelog.d/*.md")])


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def prose(path: Path) -> str:
    """Return a page without what is shown as it is."""
    return COMMENT.sub("", FENCED.sub("", path.read_text(encoding="utf-8")))


@cache
def reference(name: str) -> str:
    return (REFERENCE / name).read_text(encoding="utf-8")


@cache
def slugs(path: Path) -> set[str]:
    """Return the anchors of a page as its readers' tools make them."""
    heads = re.findall(r"^#+ (.+)$", FENCED.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    return generated_pages()


def test_every_generated_page_is_what_the_code_says_now(generated: dict[Path, str]) -> None:
    stale = [
        named(path)
        for path, text in generated.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]

    assert not stale, f"run make docs; out of date: {', '.join(stale)}"


def test_the_reference_holds_generated_pages_only(generated: dict[Path, str]) -> None:
    assert set(REFERENCE.glob("*.md")) <= set(generated)


def section_of(verb: VerbPage) -> str:
    text = reference("command-line.md")
    return text.partition(f"\n## holdfast {verb.name}\n")[2].partition("\n## ")[0]


@requirement("cli.every-command-documented")
def test_every_verb_is_in_the_reference() -> None:
    assert [verb.name for verb in catalogue() if not section_of(verb)] == []


@requirement("cli.every-command-documented")
def test_every_option_of_a_verb_is_in_the_reference() -> None:
    text = reference("command-line.md")
    everywhere = text.partition("\n## Every verb takes\n")[2].partition("\n## ")[0]

    missing = [
        f"{verb.name} {name}"
        for verb in catalogue()
        for option in verb.options
        for name in option.names
        if f"`{name}`" not in section_of(verb) + everywhere
    ]

    assert missing == []


def test_every_tool_is_in_the_reference() -> None:
    page = reference("mcp-tools.md")

    assert [tool for tool in tool_names() if f"\n## {tool}\n" not in page] == []


def test_every_setting_is_in_the_reference_with_its_variable() -> None:
    page = reference("settings.md")
    names = [setting.name for setting in SETTINGS]
    names += [environment_name(setting.name) for setting in SETTINGS if setting.has_variable]
    others = [environment_name(setting.name) for setting in SETTINGS if not setting.has_variable]

    assert [name for name in names if f"`{name}`" not in page] == []
    assert [name for name in others if f"`{name}`" in page] == []


def test_every_environment_variable_the_code_reads_is_in_the_reference() -> None:
    read = {
        name
        for path in ROOT.glob("src/**/*.py")
        for name in re.findall(
            r'environ(?:\.get\(|\[)"([A-Z_]+)"', path.read_text(encoding="utf-8")
        )
    }

    assert read <= set(VARIABLES)


@pytest.mark.parametrize("family", [family.__name__ for family in FAMILIES])
def test_every_family_of_error_is_in_the_reference(family: str) -> None:
    assert f"\n## {family}\n" in reference("errors.md")


def test_every_table_and_every_promise_is_in_the_reference() -> None:
    assert set(tables()) == set(TABLES)
    assert all(f"`{name}`" in reference("promises.md") for name in REQUIREMENTS)


def leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    if "://" in target:
        return True
    there = (page.parent / path).resolve() if path else page
    return there.exists() and (not anchor or anchor in slugs(there))


def test_every_link_leads_somewhere() -> None:
    broken = [
        f"{named(page)}: {target}"
        for page in all_pages()
        for target in LINK.findall(prose(page))
        if not leads_somewhere(page, target)
    ]

    assert broken == []


def test_no_page_says_what_belongs_elsewhere() -> None:
    texts = {named(page): page.read_text(encoding="utf-8") for page in all_pages()}

    assert [
        f"{page}: {word}" for page, text in texts.items() for word in UNWANTED if word in text
    ] == []


def test_a_line_holds_one_sentence() -> None:
    crowded = [
        f"{named(page)}: {line}"
        for page in all_pages()
        for line in prose(page).splitlines()
        if not line.startswith(("|", ">"))
        and TWO_SENTENCES.search(NUMBER.sub("", INLINE_CODE.sub("x", line)))
    ]

    assert crowded == []


def test_every_page_is_on_the_map() -> None:
    mapped = LINK.findall((ROOT / "docs" / "README.md").read_text(encoding="utf-8"))
    folders = ("tutorial", "how-to", "explanation")
    there = [
        f"{folder}/{path.name}"
        for folder in folders
        for path in (ROOT / "docs" / folder).glob("*.md")
    ]

    assert sorted(set(there) - set(mapped)) == []


def test_the_short_ids_of_the_readme_belong_to_memories_that_it_writes() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    written = set(re.findall(r"^m_[0-9a-z]{8}\b", text, re.MULTILINE))
    named = set(re.findall(r"\bm_[0-9a-z]{8}\b", text))

    assert named
    assert named - written == set()


def test_the_front_page_begins_with_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")

    assert text.index("make demo") < text.index("make test") < 200


@requirement("cli.documented-commands-work")
@requirement("docs.output-is-real")
@pytest.mark.parametrize("page", pages(), ids=named)
def test_the_commands_of_a_page_run_and_say_what_it_shows(page: Path) -> None:
    ran = run_page(page)

    wrong = [
        f"$ {one.example.command}\n{one.output}exit {one.exit_code}" for one in ran if not one.fits
    ]

    assert not wrong, (
        "these differ from the page; mend them, or run 'python -m docs.examples --write':\n"
        + "\n".join(wrong)
    )


WITH_PROGRAMS = [page for page in pages() if programs(page.read_text(encoding="utf-8"))]


@requirement("python.opens-from-folder")
@pytest.mark.parametrize("page", WITH_PROGRAMS, ids=named)
def test_the_programs_of_a_page_run(page: Path) -> None:
    shown = programs(page.read_text(encoding="utf-8"))

    failed = [one.output for one in run_in_order(shown) if one.exit_code]

    assert failed == []


def test_examples_are_read_with_their_continuations_and_exit_codes() -> None:
    block = "```console\n$ one \\\n  two  # exit 3\nsaid\n$ cat <<'E'\n> a\n>\n> E\n```\n"

    assert [(one.command, one.output, one.exit_code) for one in examples(block)] == [
        ("one \\\n  two", ("said",), 3),
        ("cat <<'E'\na\n\nE", (), 0),
    ]


@pytest.mark.parametrize(
    ("shown", "real"),
    [
        (("3 seconds old, 2026-11-15 08:00",), "1 second old, 2026-11-16 09:30\n"),
        (
            ("# c_20261115T0931Z_gx18q9  167 of 2,000 tokens",),
            "# c_20261116T1031Z_aaaaaa  171 of 2,000 tokens\n",
        ),
        (("store 128 KB, read in 0.1 s",), "store 136 KB, read in 12.5 s\n"),
        (("a", "…", "z"), "a\nb\nc\nz\n"),
        (("cut here at…",), "cut here at the…\n"),
    ],
)
def test_an_output_fits_apart_from_ids_times_sizes_holes_and_cuts(
    shown: tuple[str, ...], real: str
) -> None:
    example = Example(command="x", lines=(), output=shown)

    assert Ran(example=example, output=real, exit_code=0).fits


@pytest.mark.parametrize(
    ("shown", "real"),
    [
        (("kept 3 memories",), "lost 3 memories\n"),
        (("kept 3 memories",), "kept 4 memories\n"),
        (("why: own strength 1.60 + words 1.00",), "why: own strength 1.60 + words 0.90\n"),
        (("moved to src/app.py:40-58",), "moved to src/app.py:41-59\n"),
        (("expires in 30 days",), "expires in 3 days\n"),
        (("167 of 2,000 tokens",), "167 of 4,000 tokens\n"),
        (("a", "…", "z"), "a\nb\n"),
        ((), "something\n"),
    ],
)
def test_an_output_that_says_something_else_does_not_fit(shown: tuple[str, ...], real: str) -> None:
    example = Example(command="x", lines=(), output=shown)

    assert not Ran(example=example, output=real, exit_code=0).fits


def test_an_example_with_another_exit_code_does_not_fit() -> None:
    example = Example(command="x", lines=(), output=(), exit_code=2)

    assert not Ran(example=example, output="", exit_code=0).fits


@pytest.mark.skipif(not is_installed(), reason="the extra 'tokens' is not installed")
def test_the_estimate_of_tokens_is_as_far_off_as_its_page_says() -> None:
    from docs.token_figures import groups  # noqa: PLC0415 - counts the whole repository

    counted = groups()

    assert all(-0.1 <= one.off <= 0.35 for one in counted)
    assert all(-0.15 <= one.least <= one.most <= 0.6 for one in counted)


def test_the_tools_over_http_are_those_that_an_agent_with_every_scope_is_offered() -> None:
    offered = {name for name in NEEDS if NEEDS[name] in Principal.of(PrincipalKind.AGENT).may}
    page = agent_tools()

    assert set(re.findall(r"\| `(\S+)` \| \w+ \| yes \|\n", page)) == offered - OF_A_CHECKOUT
    assert set(re.findall(r"`(\S+)` \| \w+ \| with a checkout \|\n", page)) == OF_A_CHECKOUT


def test_the_page_of_postgres_shows_the_number_of_the_schema() -> None:
    page = (ROOT / "docs" / "how-to" / "run-on-postgres.md").read_text(encoding="utf-8")

    assert f"The schema has number {LATEST}." in page


def test_the_page_of_the_store_names_what_else_is_in_the_home() -> None:
    beside = {name.rstrip("/") for name in BESIDE}

    assert {"sittings", "hook.log", "health.jsonl", "reports", "page-sessions"} <= beside
    assert {"open-PID.html", "reply-secret"} <= beside
