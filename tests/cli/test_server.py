"""A store on a server, as a person, an agent, a tool and a Python program meet it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest

import holdfast
from holdfast.bootstrap.plugs.addresses import server_address, tenant_of
from holdfast.bootstrap.plugs.spaces import server_options
from holdfast.domain.database_errors import BadStoreAddressError
from holdfast.domain.errors import BadFieldError
from holdfast.domain.service.ids import read_tenant
from holdfast.surfaces.python.api import MemoryStore
from tests.cli.program import Program
from tests.hook.caller import CONTEXT, Caller, keep
from tests.postgres_server import OWNER, READY, server
from tests.requirements import requirement

PASSWORD = "hunter2-and-more"  # noqa: S105 - it must not be shown
GONE = f"postgresql://ada:{PASSWORD}@localhost:1/memory"


@pytest.fixture
def served(newcomer: Program) -> Program:
    """The program of a person whose store is on a server."""
    return replace(
        newcomer, extra={"HOLDFAST_STORE": server().url(), "HOLDFAST_TENANT": uuid4().hex}
    )


@requirement("server.every-door")
def test_every_step_of_a_day_works_on_a_server(served: Program) -> None:
    served("init", "--no-model").well()
    first = keep(served, "Tokens rotate hourly in the auth service.")
    second = keep(served, "Port 8080 belongs to the proxy.", "fact")

    answer = served("recall", "--q", "when do tokens rotate", "--json").well().json
    assert [item["memory_id"] for item in answer["items"]][:1] == [first]
    served("feedback", answer["id"], "--good").well()
    served("pin", first).well()
    again = keep(served, "Port 8080 belongs to the proxy.", "fact", "--ttl", "30d")
    assert again != second
    second = again
    served("link", first, second).well()
    assert second in served("list").well().out
    assert "postgresql://" in served("status").well().out
    served("status", "--badge").well()
    assert "ok" in served("doctor").well().out
    served("rebuild").well()
    assert served("export").well().out.count('"type": "memory"') == 3
    served("forget", second, "--yes").well()
    assert second not in served("list").well().out
    refused = served("doctor", "--repair")
    assert (refused.code, "backup" in refused.err) == (6, True)
    assert not list(served.home.glob("holdfast.db*"))


@requirement("server.every-door")
def test_two_tenants_of_one_server_see_only_their_own(served: Program) -> None:
    keep(served, "A walrus sleeps here.")
    other = replace(served, extra={**served.extra, "HOLDFAST_TENANT": uuid4().hex})
    keep(other, "A seal sleeps there.")

    assert "walrus" not in other("list", "--all").well().out
    served("--space", "other", "init", "--no-model").well()
    assert "walrus" not in served("--space", "other", "list", "--all").well().out
    assert "walrus" in served("list", "--all").well().out


@requirement("server.every-door")
def test_an_agent_reaches_it_over_mcp(served: Program) -> None:
    keep(served, "Tokens rotate hourly.")
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    said = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "memory.list", "arguments": {}},
        },
    ]

    done = served.start("mcp", stdin="".join(f"{json.dumps(one)}\n" for one in said).encode())

    assert "Tokens rotate hourly." in done.out


@requirement("server.every-door")
def test_a_tool_is_warned_by_a_rule_on_the_server(served: Program) -> None:
    keep(served, "Never run `git push --force` on main.")
    caller = Caller(served)

    assert caller.bash("git push origin main --force").startswith(CONTEXT)
    assert caller.bash("git status") == ""


@pytest.fixture
def memory() -> Iterator[MemoryStore]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLDFAST_TENANT", uuid4().hex)
        opened = holdfast.open(store=server().url())
        yield opened
        opened.close()


@requirement("server.every-door")
def test_a_python_program_names_it(memory: MemoryStore) -> None:
    kept = memory.remember("Tokens rotate hourly.", because="we agreed", scope="global")
    assert "postgresql://hf_app@" in repr(memory)

    answer = memory.recall("when do tokens rotate")
    assert kept.record.memory.id in [item.memory_id for item in answer.bundle.items]


@requirement("server.refusals-are-clear")
@pytest.mark.parametrize(
    ("url", "code", "said"),
    [
        (GONE, 6, "does not answer"),
        (f"mysql://ada:{PASSWORD}@h/d", 2, "must begin with postgresql://"),
        (f"postgresql://ada:{PASSWORD}@h", 2, "names no database"),
        (f"postgresql://ada:{PASSWORD}%zz@h/d", 2, "cannot be used"),
    ],
)
@pytest.mark.parametrize("way", ["option", "variable"])
def test_a_server_that_cannot_be_used_is_told_in_one_sentence(
    newcomer: Program, url: str, code: int, said: str, way: str
) -> None:
    words = ("--store", url) if way == "option" else ()
    env = {} if way == "option" else {"HOLDFAST_STORE": url}

    for verb in (("list",), ("db", "check"), ("status",)):
        done = newcomer(*words, *verb, env=env)

        assert (done.code, said in done.err) == (code, True), done.err
        assert PASSWORD not in done.out + done.err
        assert "Traceback" not in done.err


@requirement("server.refusals-are-clear")
def test_the_owner_is_refused_and_told_by_the_check(served: Program) -> None:
    owner = ("--store", server().url(READY, OWNER))

    refused = served(*owner, "list")
    checked = served(*owner, "db", "check")

    assert (refused.code, "holdfast_app" in refused.err) == (6, True)
    assert (checked.code, "owns tables" in checked.out) == (1, True)


@requirement("server.isolation-checked")
def test_the_check_finds_a_table_that_is_not_protected(newcomer: Program) -> None:
    database = server().new_database(READY)
    server().run(
        "ALTER TABLE holdfast.memory NO FORCE ROW LEVEL SECURITY",
        "CREATE VIEW holdfast.everything AS SELECT id FROM holdfast.memory",
        database=database,
    )

    done = newcomer("db", "check", "--store", server().url(database))

    assert done.code == 6
    assert "everything, memory" in done.out


@requirement("server.refusals-are-clear")
def test_the_check_of_an_empty_database_names_the_upgrade(newcomer: Program) -> None:
    done = newcomer("db", "check", "--store", server().url(server().new_database()))

    assert (done.code, "has no schema of Holdfast" in " ".join(done.out.split())) == (1, True)
    assert "holdfast db upgrade --store" in done.out


def test_db_verbs_need_an_address(newcomer: Program) -> None:
    done = newcomer("db", "check")

    assert (done.code, "none is given" in done.err) == (2, True)


@requirement("server.file-users-lose-nothing")
def test_a_store_in_a_file_never_imports_the_driver(program: Program) -> None:
    script = (
        "import sys\n"
        "from holdfast.surfaces.cli.main import main\n"
        "try:\n"
        "    main(['recall', 'x'])\n"
        "finally:\n"
        "    print([one for one in sys.modules if one.startswith(('psycopg', 'holdfast.adapters.p"
        "ostgres'))])\n"
    )

    done = program.start(program=(sys.executable, "-c", script))

    assert done.out.splitlines()[-1] == "[]"


@requirement("server.file-users-lose-nothing")
def test_without_the_driver_one_sentence_says_how_to_install_it(newcomer: Program) -> None:
    script = (
        "import sys\n"
        "sys.modules['psycopg'] = None\n"
        "from importlib import util\n"
        "real = util.find_spec\n"
        "util.find_spec = lambda name, *rest: None if name == 'psycopg' else real(name, *rest)\n"
        "from holdfast.surfaces.cli.main import main\n"
        f"main(['--store', {GONE!r}, 'list'])\n"
    )

    done = newcomer.start(program=(sys.executable, "-c", script))

    assert (done.code, "holdfast[postgres]" in done.err) == (6, True)
    assert "Traceback" not in done.err


def test_a_tenant_is_a_uuid_or_a_name_that_stands_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    known = uuid4()

    assert tenant_of(str(known)) == tenant_of(f" {known.hex} ") == known
    assert tenant_of("team") == tenant_of("team") != tenant_of("other-team")
    monkeypatch.delenv("HOLDFAST_TENANT", raising=False)
    assert tenant_of() == tenant_of("") == tenant_of("default")
    for named in ("Team", "Acme Inc", ".team", "a/b"):
        assert tenant_of(named) == read_tenant(named)
    for odd in ("two\nlines", "x" * 101):
        with pytest.raises(BadFieldError, match="tenant"):
            tenant_of(odd)


@requirement("server.mistyped-is-told")
def test_a_mistyped_space_or_tenant_is_told_and_makes_no_store(served: Program) -> None:
    first = keep(served, "A walrus sleeps here.")
    typo = replace(served, extra={**served.extra, "HOLDFAST_SPACE": "typo"})
    tenant = replace(served, extra={**served.extra, "HOLDFAST_TENANT": f"t{uuid4().hex}"})

    for mistyped, name in ((typo, "typo"), (tenant, tenant.extra["HOLDFAST_TENANT"])):
        for _ in range(2):  # the first look must not have made the store
            told = mistyped("recall", "walrus")
            assert told.code == 3
            assert name in told.err
        assert (
            f"has no store of the space {mistyped.extra.get('HOLDFAST_SPACE', 'default')} yet"
            in (mistyped("db", "check").well().out)
        )
    written = typo("remember", "--because", "so", "A seal sleeps there.").well()
    assert "The space typo of the tenant" in written.err
    assert "had no store; one was created." in written.err
    shown = typo("status").well().out
    assert served.extra["HOLDFAST_TENANT"] in shown
    assert "space  typo" in shown
    assert first not in typo("list").well().out


def test_an_address_is_taken_from_the_option_else_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOLDFAST_STORE", "postgres://h/d")

    assert server_address("postgresql://other/d") == "postgresql://other/d"
    assert server_address() == "postgres://h/d"
    assert server_address("") == ""
    with pytest.raises(BadStoreAddressError):
        server_address("sqlite:///x")


@requirement("server.tools-told-the-store")
def test_installed_tools_and_hooks_name_the_server_and_the_tenant(served: Program) -> None:
    url, tenant = served.extra["HOLDFAST_STORE"], served.extra["HOLDFAST_TENANT"]
    plain = replace(served, extra={})
    named = ("--store", url, "--tenant", tenant)
    keep(served, "Tokens rotate hourly in the auth service.")

    plain(*named, "adapters", "install", "claude").well()
    plain(*named, "hooks", "install").well()

    told = plain("adapters", "status", "claude").well()
    for written in ((plain.folder / ".mcp.json").read_text(), told.out + told.err):
        assert (tenant in written, "--store" in written) == (True, True)
    hooks = "".join(one.read_text() for one in (plain.folder / ".git/hooks").glob("post-*"))
    assert (tenant in hooks, "--store" in hooks) == (True, True)


@requirement("server.tools-told-the-store")
@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://ada:{PASSWORD}@localhost:1/memory",
        f"postgresql:///memory?host=/tmp&password={PASSWORD}",
    ],
)
def test_an_address_with_a_password_is_written_nowhere(newcomer: Program, address: str) -> None:
    for words in (("adapters", "install", "claude"), ("hooks", "install")):
        refused = newcomer("--store", address, *words)

        assert (refused.code, "password" in refused.err) == (2, True)
        assert PASSWORD not in refused.err
    assert not (newcomer.folder / ".mcp.json").exists()


def test_an_address_is_named_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOLDFAST_STORE", f"postgresql://ada:{PASSWORD}@h:1/m?sslmode=require")
    monkeypatch.delenv("HOLDFAST_TENANT", raising=False)

    assert server_options() == ("--store", "postgresql://ada@h:1/m?sslmode=require")
