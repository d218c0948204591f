"""When a memory speaks up: at the very thing it names, and not at every step."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.domain.sessions.alerting import (
    Caution,
    command_meets,
    is_enforced,
    path_meets,
    speaking_up,
    sureness,
    when_of,
)
from holdfast.domain.sessions.tool_action import ToolAction, doing
from tests.requirements import requirement


def running(line: str) -> ToolAction:
    return doing("Bash", {"command": line}, folder="/app", root="/app")


def editing(path: str) -> ToolAction:
    return doing("Edit", {"file_path": f"/app/{path}"}, folder="/app", root="/app")


def a_caution(claim: str = "Careful.", kind: str = "rule", **more: Any) -> Caution:
    return Caution(memory="m_1", kind=kind, claim=claim, **more)


WARNS = [
    ("rule", "Never run `git push --force` on main.", "git push origin main --force"),
    ("rule", "Don't use `npm install`; use `npm ci`.", "npm install left-pad"),
    ("rule", "Use `pnpm`, not `npm`.", "npm run build"),
    ("rule", "Use `uv pip` instead of `pip`.", "pip install x"),
    ("rule", "Avoid `docker system prune` or `rm -rf`.", "rm -r -f build"),
    ("rule", "Run `make check` before `git push`.", "git push"),
    ("rule", "After `alembic revision` edit the file by hand.", "alembic revision -m x"),
    ("rule", "`git commit --no-verify` is forbidden.", "git commit -m x --no-verify"),
    ("invariant", "We must not call `terraform apply` locally.", "cd infra && terraform apply"),
    ("gotcha", "`npm install` hangs behind the proxy.", "npm install"),
    ("gotcha", "In staging `npm install` hangs.", "npm install"),
    ("failure", "We tried `poetry lock`: it broke the build.", "poetry lock --no-update"),
    ("rule", "Never run `make` directly.", "make test"),
    ("failure", "`./deploy.sh prod` wiped the cache.", "./deploy.sh prod"),
    ("rule", "Never run `kubectl delete <pod>`.", "kubectl delete web-1"),
    ("rule", "Never run `make -j*` here.", "make -j*"),
]
SILENT = [
    ("rule", "Never run `git push --force` on main.", "git push origin main"),
    ("rule", "Never run `git push --force` on main.", "git log --force"),
    ("rule", "Never run `git push --force` on main.", "git push --force-with-lease"),
    ("rule", "Don't use `npm install`; use `npm ci`.", "npm ci"),
    ("rule", "Use `make` for everything.", "make test"),
    ("rule", "Build with `make`.", "make"),
    ("gotcha", "`make` needs GNU make 4.", "make test"),
    ("rule", "Always run `make docs` after a change.", "make docs"),
    ("rule", "Run `make check` before `git push`.", "make check"),
    ("rule", "`make test` must pass before a merge.", "make test"),
    ("gotcha", "Use `npm ci` where `npm install` hangs.", "npm ci"),
    ("gotcha", "`npm ci` works there.", "npm ci"),
    ("rule", "Never call `os.system` in a request.", "python -c 'import os'"),
    ("rule", "Never run ` ` here.", "ls"),
    ("rule", "Use `uv pip` instead of `pip`.", "uv pip install x"),
    ("rule", "Never use `SELECT *` in views.", "psql -c 'SELECT * FROM x'"),
    ("rule", "Do not commit on Fridays.", "git commit -m x"),
]


@requirement("hook.warns-of-what-is-named")
@pytest.mark.parametrize(("kind", "claim", "line"), WARNS)
def test_a_memory_speaks_up_at_the_command_it_warns_of(kind: str, claim: str, line: str) -> None:
    assert sureness(a_caution(claim, kind), running(line)) == 2


@requirement("hook.warns-of-what-is-named")
@pytest.mark.parametrize(("kind", "claim", "line"), SILENT)
def test_a_memory_is_silent_at_other_commands_and_at_what_it_recommends(
    kind: str, claim: str, line: str
) -> None:
    assert sureness(a_caution(claim, kind), running(line)) == 0


@requirement("hook.warns-of-what-is-named")
@pytest.mark.parametrize(
    ("kind", "claim", "path", "speaks"),
    [
        ("rule", "Never edit `src/generated/api.py` by hand.", "src/generated/api.py", True),
        ("rule", "Never edit `src/generated/api.py` by hand.", "src/api.py", False),
        ("rule", "Never edit `src/generated/api.py` by hand.", "pkg/src/generated/api.py", True),
        ("rule", "Do not touch `vendor/`.", "vendor/lib/x.c", True),
        ("gotcha", "`vendor/` holds patched copies.", "vendor/lib/x.c", False),
        ("gotcha", "`src/legacy/` breaks on import.", "src/legacy/a.py", True),
        ("rule", "Never edit a file of `migrations/*.sql`.", "migrations/0001.sql", True),
        ("rule", "Never edit `*.lock` by hand.", "sub/poetry.lock", True),
        ("rule", "Never edit `*.lock` by hand.", "sub/poetry.py", False),
        ("rule", "Put settings in `config/app.toml`.", "config/app.toml", False),
        ("gotcha", "`settings.py` is read twice.", "app/settings.py", True),
        ("gotcha", "`Makefile` needs tabs.", "Makefile", True),
        ("gotcha", "`https://example.org/a.py` is slow.", "a.py", False),
        ("gotcha", "`/` and `*` are not paths.", "a.py", False),
    ],
)
def test_a_memory_speaks_up_at_the_file_its_claim_names(
    kind: str, claim: str, path: str, *, speaks: bool
) -> None:
    assert bool(sureness(a_caution(claim, kind), editing(path))) is speaks


def test_a_memory_speaks_up_where_its_evidence_was_read_unless_that_is_prose() -> None:
    careful = a_caution("Numbers start at one.", "gotcha", anchors=("src/a.py", "README.md"))

    assert sureness(careful, editing("src/a.py")) == 1
    assert sureness(careful, editing("README.md")) == 0
    assert sureness(careful, editing("src/b.py")) == 0


def test_what_metadata_says_counts_most() -> None:
    when = {"when": {"command": "terraform apply*", "path": ["infra/**/*.tf", ""]}}
    careful = a_caution(when_path=when_of(when, "path"), when_command=when_of(when, "command"))

    assert sureness(careful, editing("infra/prod/eu/main.tf")) == 3
    assert sureness(careful, editing("infra/main.tf")) == 3
    assert sureness(careful, running("terraform apply -auto-approve")) == 3
    assert sureness(careful, running("terraform plan")) == 0
    assert when_of({"when.path": "a/*"}, "path") == ("a/*",)
    assert when_of({"when.path": "a/*, b.py,"}, "path") == ("a/*", "b.py")
    assert when_of({"when.command": "make a,b"}, "command") == ("make a,b",)
    assert when_of({"when": "always"}, "path") == ()
    assert when_of({}, "path") == ()


def test_a_glance_leaves_out_what_names_nothing() -> None:
    assert not a_caution("Be careful.").may_speak_of(editing("src/a.py"))
    assert a_caution("Be careful.", anchors=("src/a.py",)).may_speak_of(editing("src/a.py"))
    assert a_caution("Be careful.", when_path=("x",)).may_speak_of(editing("src/a.py"))
    assert a_caution("Never `x y`.").may_speak_of(editing("src/a.py"))


def test_the_surest_come_first_and_no_more_than_three() -> None:
    named = a_caution("Never edit `src/a.py`.")
    anchored = [a_caution(anchors=("src/a.py",)) for _ in range(5)]

    found = speaking_up([*anchored, named, a_caution()], editing("src/a.py"))

    assert len(found) == 3
    assert found[0] is named


def test_metadata_says_whether_a_rule_is_enforced() -> None:
    assert is_enforced({"enforce": True}, origin="human")
    assert is_enforced({"enforce": "yes"}, origin="repo")
    assert not is_enforced({"enforce": False}, origin="human")
    assert not is_enforced({}, origin="human")


@requirement("hook.enforce-is-a-persons-word")
@pytest.mark.parametrize("origin", ["agent", "tool", "web"])
def test_what_no_person_wrote_enforces_nothing(origin: str) -> None:
    assert not is_enforced({"enforce": True}, origin=origin)


def test_only_a_rule_may_bind() -> None:
    assert a_caution(is_enforced=True).is_binding
    assert not a_caution(kind="gotcha", is_enforced=True).is_binding
    assert not a_caution().is_binding


@pytest.mark.parametrize(
    ("cue", "path", "meets"),
    [
        ("./src/a.py", "src/a.py", True),
        ("src/**", "src/x/y.py", True),
        ("src/?.py", "src/a.py", True),
        ("src/*", "src/x/y.py", False),
        ("src/**.py", "src/x/y.py", True),
        ("src/**.py", "src/y.py", True),
        ("src/gen**.py", "src/gen/x/y.py", True),
        ("src/gen**.py", "src/general.py", True),
        ("src/gen**", "src/gen/y.py", True),
        ("src/**/gen/*.py", "src/gen/y.py", True),
        ("**/gen/*.py", "a/b/gen/y.py", True),
        ("src/**.py", "lib/src.py", False),
        ("/**/x.env", "/etc/x.env", True),
        ("/**/x.env", "/x.env", True),
        ("/**/x.env", "etc/x.env", False),
        ("/etc/**", "/etc/a/x.env", True),
        ("/etc/**", "etc/a/x.env", False),
        ("/**", "/etc/x.env", True),
        ("/**", "etc/x.env", False),
        ("/etc/*.env", "/etc/x.env", True),
        ("/etc/*.env", "etc/x.env", False),
        ("**/", "a/b.py", False),
        ("src/**/", "src/a/b.py", False),
        ("src/*/", "src/a", False),
        ("src/***/y.py", "src/a/b/y.py", True),
        ("src/***/y.py", "src/y.py", True),
        ("src/***", "src/a/y.py", True),
        ("***/y.py", "a/b/y.py", True),
        ("gen/" + "*-" * 30 + "*.json", "gen/" + "-" * 250, False),
        ("**a" * 30 + ".json", "a/" * 500 + "a", False),
    ],
)
def test_a_path_is_met_by_name_folder_or_glob(cue: str, path: str, *, meets: bool) -> None:
    assert path_meets(cue, path) is meets


@pytest.mark.parametrize(
    ("cue", "line", "meets"),
    [
        ("rm -rf", "rm -fr x", True),
        ("rm -rf", "rm -r x", False),
        ("make X=1", "make X=1", True),
        ("git push ...", "/usr/bin/git push", True),
        ("git * --force", "git push --force", True),
        ("git <verb> main", "git push main", True),
        ("git push rel*", "git push release", True),
        ("git push rel*", "git push main", False),
        ("pip install --index-url", "pip install --index-url=x", True),
        ("git push origin", "git push", False),
        ("java -Xmx1g", "java -Xmx1g", True),
    ],
)
def test_a_command_is_met_by_its_words_and_options(cue: str, line: str, *, meets: bool) -> None:
    assert command_meets(tuple(cue.split()), tuple(line.split())) is meets
