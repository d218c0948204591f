"""Every verb of the application names its operation, and every door reaches it or says why not."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest

from docs.generator.reached import (
    CLASSES,
    MACHINE_PARTS,
    PARTS,
    VERBS,
    Verb,
    methods,
    reached,
    reached_under,
)
from holdfast.app import Holdfast
from holdfast.app.occasions import Occasions
from holdfast.app.performing import Part, Performed
from holdfast.bootstrap.machine.machine import Machine
from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.surfaces.cli.index import INDEX, module_name
from holdfast.surfaces.http.routes import stores
from holdfast.surfaces.http.routes.every import EXEMPT as EXEMPT_VERBS
from holdfast.surfaces.http.routes.every import ROUTES
from holdfast.surfaces.http.table import Route
from holdfast.surfaces.mcp.catalogue import TOOLS
from holdfast.surfaces.mcp.tools.every import TOOL_BY_NAME
from holdfast.surfaces.python.api import MemoryStore
from tests.requirements import requirement

SURFACES = Path(__file__).parents[2] / "src" / "holdfast" / "surfaces"
MEASURED = "evaluations call it; eval starts them"
PEOPLE = "only a person decides this; agents propose"
SETTLED = "the Curation part decides, with conflicts settled first"
CLOSING = "the door closes what it opened; it is no verb"
UPKEEP = "the store's health is a person's concern"
ENOUGH = "the promised tools are enough to recall and propose"
GIT = "git's hooks call it"
AT_SHELL = "a person does it at the command line; no program has needed it yet"
TOKENS = "a person gives programs their tokens, at the command line"
MOVED = "a person moves their memory, not an agent"
NO_CHECKOUT = "a server has no checkout; the client has it"
OPERATOR = "the operator of the server does it at the command line"
SERVICE = "the calls of MemoryService reach it, in the store that each of them names"
FRAMEWORKS = "frameworks reach it through holdfast.integrations; people see its memories"
VERDICTS = "every answer says the verdict of what it gives"
FOLDERS = "snapshots keep folders of the client's machine, and their content stays there"
IN_GIT = "a coding agent's work is in git; agents in Python and in a shell keep snapshots"
DRIVER = "the program that drives an agent records its cycles; an MCP client records its runs"
HOLDS = "the process that drives an agent holds its lease, and opens the store itself"
CHECKED = "every answer says what came out of the checks it gives; a person accepts commands"
LONG = "a run takes longer than a call may, and is started by a person or in an agent's shell"
FOLDER_RUNS = "a run works in a folder of the client's machine, and starts processes there"
CONFIRMED = {"memory.link": {("memories", "link")}, "memory.delete": {("memories", "forget")}}
"""What a tool does only as a person: the core refuses an agent, and the tool asks a person."""
EXEMPT_PARTS: dict[str, dict[str, str]] = {
    "cli": {"measured": MEASURED, "service": SERVICE, "documents": FRAMEWORKS},
    "http": {
        "measured": MEASURED,
        "service": SERVICE,
        "documents": FRAMEWORKS,
        "access": TOKENS,
        "jobs": OPERATOR,
        "evidence": NO_CHECKOUT,
        "code": NO_CHECKOUT,
        "pages": NO_CHECKOUT,
        "page_writer": NO_CHECKOUT,
        "workspaces": FOLDERS,
        "checks": NO_CHECKOUT,
        "session_cache": NO_CHECKOUT,
        "roles": FOLDER_RUNS,
    },
    "mcp": {
        "encryption": PEOPLE,
        "measured": MEASURED,
        "service": SERVICE,
        "documents": FRAMEWORKS,
        "care": PEOPLE,
        "page_writer": PEOPLE,
        "upkeep": UPKEEP,
        "exchange": MOVED,
        "access": TOKENS,
        "jobs": UPKEEP,
        "workspaces": IN_GIT,
        "agents": DRIVER,
        "checks": CHECKED,
        "roles": LONG,
    },
    "python": {
        "jobs": AT_SHELL,
        "measured": MEASURED,
        "service": SERVICE,
        "documents": FRAMEWORKS,
        "access": TOKENS,
        "code": AT_SHELL,
        "pages": AT_SHELL,
        "runs": AT_SHELL,
    },
}
TIDYING = ("consolidate", "deprecate", "digest", "history", "survey", "tidy")
SPANS = "clients of a server read places in files with it, to check them in their checkout"
RECORDED = (
    *("open", "renew", "close", "begin_cycle", "propose", "finish", "remember", "recall"),
    *("resume_open", "track", "last_kept"),
)
HOOKS = "the hooks of coding tools keep turns"
KEYS = (
    *("known_keys", "create", "add", "use", "rotate", "remove", "check"),
    *("encrypt_store", "decrypt_store"),
)
EXEMPT: dict[str, dict[Verb, str]] = {
    "cli": {
        ("pages", "entries"): "people open the files themselves",
        ("session_cache", "keep_turn_of"): HOOKS,
        **dict.fromkeys((("agents", name) for name in RECORDED), HOLDS),
        ("answers", "answer"): "eval measures with it; people ask by recall",
        ("evidence", "difference"): "diff takes a range as people write it",
        ("evidence", "quotes"): "the terminal UI shows them; review prints those of candidates",
        ("memories", "withdraw"): "agents withdraw over MCP; a person rejects or forgets",
        ("memories", "spans"): SPANS,
        ("code", "cited_lines"): "review and show print the cited lines; the web page marks them",
    },
    "http": {
        **dict.fromkeys((("agents", name) for name in RECORDED), HOLDS),
        ("answers", "answer"): "evaluations call it; programs ask by recall",
        **dict.fromkeys(
            (("answers", name) for name in ("reset_weights", "undo_weights")), AT_SHELL
        ),
        **dict.fromkeys(
            (("care", name) for name in ("consolidate", "deprecate", "digest", "history", "tidy")),
            AT_SHELL,
        ),
        ("care", "prune"): "a person looks at what is due before it goes, where the copies are",
        **dict.fromkeys(
            (("intake", name) for name in ("propose", "read_on", "take_over")),
            "the client reads the conversation, and sends what it proposes as memories",
        ),
        ("review", "auto_accept"): "a person's setting; the command line follows it",
        ("review", "judge"): "a person's setting; the command line follows it",
        **dict.fromkeys((("encryption", name) for name in KEYS), OPERATOR),
        ("encryption", "protect"): "the pages of the client have the text; a person does it there",
        **dict.fromkeys(
            (("runs", name) for name in ("write_page", "write_context", "write_journal")),
            NO_CHECKOUT,
        ),
        **dict.fromkeys(
            (
                ("upkeep", name)
                for name in (
                    *("catch_up", "drop_vectors", "embed_again", "embedded"),
                    *("facts", "rebuild", "repair"),
                )
            ),
            OPERATOR,
        ),
    },
    "mcp": {
        ("session_cache", "keep_turn_of"): HOOKS,
        ("session_cache", "keep_turn"): HOOKS,
        **dict.fromkeys((("session_cache", name) for name in ("say", "say_talk")), HOOKS),
        ("session_cache", "said"): "context.assemble quotes what was said",
        ("session_cache", "unsay"): PEOPLE,
        ("pages", "hide_private"): "sync does it, and the hooks of git",
        **dict.fromkeys(
            (("session_cache", name) for name in ("show", "rewind", "fork", "reconcile")),
            "a person decides from where a session goes on",
        ),
        **dict.fromkeys(
            (
                ("review", name)
                for name in (
                    *("approve", "reject", "edit", "resolve", "undo", "revert"),
                    *("auto_accept", "conflicts", "decisions", "judge", "read_pairs"),
                )
            ),
            PEOPLE,
        ),
        **dict.fromkeys(
            (
                ("pages", name)
                for name in (
                    *("has_pages", "sync", "pending", "trust", "ignore_sessions"),
                    *("revoke", "trusted"),
                )
            ),
            PEOPLE,
        ),
        **dict.fromkeys((("memories", name) for name in ("pin", "pin_span")), PEOPLE),
        **dict.fromkeys((("tasks", name) for name in ("reopen", "delete", "bring_in")), PEOPLE),
        **dict.fromkeys((("tasks", name) for name in ("next", "drawn", "export")), ENOUGH),
        ("memories", "unlink"): PEOPLE,
        ("memories", "remember_all"): "an agent proposes one claim at a time",
        ("memories", "spans"): SPANS,
        **dict.fromkeys(
            (("answers", name) for name in ("learn", "reset_weights", "undo_weights")), PEOPLE
        ),
        **dict.fromkeys((("answers", name) for name in ("answer", "replay")), ENOUGH),
        **dict.fromkeys(
            (("evidence", name) for name in ("difference", "sight", "note_head")),
            "memory.verify, blame and the prompts say it",
        ),
        ("evidence", "note_rewrites"): GIT,
        **dict.fromkeys(
            (("evidence", "quotes"), ("code", "cited_lines")),
            "an agent reads the cited lines in its checkout itself",
        ),
        **dict.fromkeys(
            (("code", name) for name in ("index", "read_history")),
            "the index follows the checkout by itself while a client works",
        ),
        **dict.fromkeys(
            (("runs", name) for name in ("context", "write_context", "journal", "write_journal")),
            ENOUGH,
        ),
        ("intake", "propose"): "run.finish proposes what a run says",
        ("intake", "read_on"): "a person has transcripts read",
        ("intake", "take_over"): "a person chooses whose notes are brought in",
    },
    "python": {
        ("session_cache", "keep_turn_of"): HOOKS,
        ("session_cache", "say_talk"): AT_SHELL,
        **dict.fromkeys((("care", name) for name in TIDYING), AT_SHELL),
        ("answers", "answer"): "evaluations call it; programs ask by recall",
        **dict.fromkeys((("roles", name) for name in ("allow", "disallow")), AT_SHELL),
        ("checks", "told"): "a program runs the checks of the memory it kept",
        **dict.fromkeys(
            (("answers", name) for name in ("replay", "reset_weights", "undo_weights")), AT_SHELL
        ),
        **dict.fromkeys(
            (("evidence", name) for name in ("difference", "difference_of", "note_head")), AT_SHELL
        ),
        ("evidence", "note_rewrites"): GIT,
        **dict.fromkeys(
            (("evidence", name) for name in ("checks_of", "quotes", "sight")), VERDICTS
        ),
        **dict.fromkeys(
            (("intake", name) for name in ("propose_run", "read_on", "take_over")), AT_SHELL
        ),
        **dict.fromkeys(
            (("memories", name) for name in ("explain_in_bundle", "pin_span", "unlink")), AT_SHELL
        ),
        ("memories", "show"): "get returns a memory, get_answer an answer",
        ("memories", "spans"): SPANS,
        ("memories", "withdraw"): "agents withdraw over MCP; a person rejects or forgets",
        ("review", "auto_accept"): "a person's setting; the command line follows it",
        ("review", "judge"): "a person's setting; the command line follows it",
        ("review", "revert"): AT_SHELL,
        **dict.fromkeys(
            (
                ("upkeep", name)
                for name in (
                    "check",
                    "drop_vectors",
                    "embed_again",
                    "embedded",
                    "facts",
                    "rebuild",
                    "repair",
                )
            ),
            UPKEEP,
        ),
        ("upkeep", "status"): UPKEEP,
    },
}
PYTHON_METHODS = [
    name
    for name, _ in inspect.getmembers(MemoryStore, inspect.isfunction)
    if not name.startswith("_")
]
PLAIN = {
    "span": "it only names a place for evidence",
    "close": "it closes the store",
}


@requirement("callers.one-table")
@pytest.mark.parametrize("part", [*CLASSES.values()], ids=lambda part: part.__name__)
def test_every_public_method_of_a_part_declares_its_operation(part: type) -> None:
    is_part = part in PARTS.values() or issubclass(part, Part) or part is Occasions
    undeclared = {name for name, declared in methods(part).items() if declared is None}

    assert not (is_part and undeclared), f"{part.__name__} does not declare: {undeclared}"


@requirement("callers.one-table")
@pytest.mark.parametrize("part", [Machine, *MACHINE_PARTS.values()], ids=lambda part: part.__name__)
def test_every_public_method_of_the_machine_declares_its_operation(part: type) -> None:
    assert [name for name, declared in methods(part).items() if declared is None] == []


@requirement("callers.one-table")
def test_every_part_of_the_machine_is_checked() -> None:
    properties = {name for name, one in vars(Machine).items() if isinstance(one, property)}

    assert properties - {"folder"} == set(MACHINE_PARTS)


@requirement("callers.one-table")
def test_holdfast_itself_does_nothing_beside_its_parts() -> None:
    public = {name for name, _ in inspect.getmembers(Holdfast, inspect.isfunction)}

    assert {name for name in public if name[0] != "_"} == {
        *("place", "now", "close", "intake_using")
    }


@cache
def reached_by(door: str) -> frozenset[Verb]:
    return frozenset(reached_under(SURFACES / door))


@requirement("app.every-verb-at-every-door")
@pytest.mark.parametrize("door", EXEMPT)
def test_every_verb_can_be_reached_or_says_why_not(door: str) -> None:
    excused = {verb for verb in VERBS if verb[0] in EXEMPT_PARTS[door]} | set(EXEMPT[door])
    missing = set(VERBS) - reached_by(door) - excused

    assert not missing, f"the {door} door cannot reach: {sorted(missing)}"


@requirement("app.every-verb-at-every-door")
@pytest.mark.parametrize("door", EXEMPT)
def test_no_excuse_outlives_its_verb_or_excuses_what_is_reached(door: str) -> None:
    called = reached_by(door)

    assert set(EXEMPT[door]) <= set(VERBS) - called
    assert set(EXEMPT_PARTS[door]) <= set(PARTS)
    assert not {verb for verb in called if verb[0] in EXEMPT_PARTS[door]}


@requirement("callers.one-table")
@pytest.mark.parametrize("tool", [str(tool["name"]) for tool in TOOLS])
def test_every_mcp_tool_goes_through_the_application(tool: str) -> None:
    done_by = TOOL_BY_NAME[tool]
    module = ast.parse(Path(inspect.getsourcefile(done_by) or "").read_text(encoding="utf-8"))
    used = {node.id for node in ast.walk(ast.parse(inspect.getsource(done_by)))
            if isinstance(node, ast.Name)}  # fmt: skip
    helpers = [
        ast.unparse(one)
        for one in module.body
        if isinstance(one, ast.FunctionDef) and one.name in used
    ]
    called = reached("\n".join([inspect.getsource(done_by), *helpers]))
    agent = Principal.of(PrincipalKind.AGENT)

    assert called
    for verb in called:
        declared = VERBS[verb]
        assert isinstance(declared, Performed)
        operations = {declared.usual, *(case.operation for case in declared.cases)}
        is_confirmed = verb in CONFIRMED.get(tool, set())
        assert is_confirmed or operations & agent.may, f"{tool} calls {verb}, which no agent may"


@requirement("callers.one-table")
@pytest.mark.parametrize("name", PYTHON_METHODS)
def test_every_python_method_goes_through_the_application(name: str) -> None:
    source = inspect.getsource(getattr(MemoryStore, name))

    assert bool(reached(dedent(source))) is (name not in PLAIN)


NO_STORE = {
    "completion": "it prints a script",
    "db": "the schema of a database, which no open store changes",
    "store": "it opens two stores; the copies of the machine check who asks",
    "tenant": "tenants of a database, beside any open store",
    "remote": "servers that this machine knows, beside any open store",
    "config": "it reads and writes the settings file",
    "hooks": "git's hooks of a repository; hooks run calls the application",
    "adapters": "files of other tools",
    "mcp": "it starts the server, whose tools are checked above",
    "serve": "it starts the server, whose routes are checked above",
    "ui": "it opens the terminal UI, whose tabs call the application",
    "web": "it starts the web page, whose forms call the application",
    "hook": "it answers a tool; hook propose calls the application",
    "evaluate": "it measures in temporary homes",
}


@requirement("callers.one-table")
@pytest.mark.parametrize("module", sorted({module_name(verb) for verb in INDEX}))
def test_every_command_line_verb_goes_through_the_application(module: str) -> None:
    path = SURFACES / "cli" / "verbs" / f"{module.partition('.verbs.')[2].replace('.', '/')}.py"

    assert reached(path.read_text(encoding="utf-8")) or path.stem in NO_STORE


@requirement("callers.one-table")
def test_no_surface_reaches_around_the_application() -> None:
    """A surface that held the store could read and write without being asked who it is."""
    for path in SURFACES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute):
                assert node.attr not in {"store", "reading", "writing"}, (path, node.lineno)


LIGHT = {
    "holdfast.bootstrap.process": "a process is set up before anything is opened",
    "holdfast.bootstrap.plugs.addresses": "it names the store before anything is opened",
    "holdfast.bootstrap.plugs.default_remote": "the same, for a prompt",
    "holdfast.bootstrap.plugs.early_settings": "agents are told of tools before anything is opened",
    "holdfast.bootstrap.plugs.spaces": "it names the folder of a space before anything is opened",
    "holdfast.bootstrap.opening.badge": "a prompt shows the badge without the engine",
    "holdfast.bootstrap.hooks.attending": "a hook answers without the engine",
    "holdfast.bootstrap.opening.models": "help and completion list the models",
    "holdfast.bootstrap.plugs.scanning": "'config set' names a missing package of an index",
    "holdfast.bootstrap.plugs.terminal": "it starts the person's own editor",
    "holdfast.bootstrap.machine.named_file": "a file that a person names is read as it is",
    "holdfast.bootstrap.machine.tools": "advice_for words what a person still has to do",
    "holdfast.usecases.screening": "the name of an MCP client is screened before it is a source",
}
"""The modules whose functions a surface may import, with the reason."""


def imported(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the modules and names that a file imports from rooms below the surfaces."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                yield node.module, alias.name


@requirement("app.one-object")
def test_surfaces_import_values_and_objects_but_no_functions() -> None:
    for path in SURFACES.rglob("*.py"):
        for module, name in imported(path):
            if module.startswith(("holdfast.usecases", "holdfast.bootstrap", "holdfast.app")):
                is_function = inspect.isfunction(getattr(import_module(module), name))
                assert not is_function or module in LIGHT, (path, module, name)


@requirement("callers.origin-of-the-principal")
def test_nothing_is_of_human_origin_by_default() -> None:
    for path in SURFACES.parent.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "HUMAN" not in text:
            continue  # to read every module as a tree takes seconds
        for node in ast.walk(ast.parse(text)):
            given: list[ast.expr | None] = []
            if isinstance(node, ast.AnnAssign):
                given = [node.value]
            elif isinstance(node, ast.arguments):
                given = [*node.defaults, *node.kw_defaults]
            said = [ast.unparse(one) for one in given if one is not None]
            assert "Origin.HUMAN" not in said, path


def test_every_operation_is_performed_by_a_verb() -> None:
    performed = {
        operation
        for declared in VERBS.values()
        if declared is not None
        for operation in (declared.usual, *(case.operation for case in declared.cases))
    }

    assert performed == set(Operation)


@requirement("http.every-verb")
def test_every_verb_of_the_command_line_has_a_route_or_a_reason() -> None:
    routed = {route.verb for route in ROUTES}

    assert routed | set(EXEMPT_VERBS) == set(INDEX)
    assert not routed & set(EXEMPT_VERBS)


@requirement("http.every-verb")
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_every_route_goes_through_the_application(route: Route) -> None:
    if route in stores.ROUTES:
        return  # the memory service opens the store that a call names, and asks its application
    module = inspect.getmodule(route.does)

    assert module is not None
    assert reached(inspect.getsource(route.does)) or reached(inspect.getsource(module))
