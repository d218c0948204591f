"""The packages that a manifest lists: pyproject.toml, requirements, package.json, go.mod, Cargo."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.checks.mentions import json_document, requirement_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MANIFESTS = ("pyproject.toml", "requirements*.txt", "package.json", "go.mod", "Cargo.toml")
"""The names of the files that dependency checks read."""
_UNREAD = frozenset(
    {
        *("setup.py", "setup.cfg", "pipfile", "environment.yml", "environment.yaml", "conda.yaml"),
        *("gemfile", "composer.json", "pom.xml", "build.gradle", "build.gradle.kts", "build.sbt"),
        *("package.swift", "podfile", "mix.exs", "rebar.config", "pubspec.yaml", "stack.yaml"),
        *("deno.json", "bun.lockb", "module.bazel", "workspace", "conanfile.txt", "conanfile.py"),
        *("vcpkg.json", "cmakelists.txt", "dockerfile", "meson.build", "project.clj", "deps.edn"),
    }
)
_UNREAD_ENDINGS = (".gemspec", ".csproj", ".fsproj", ".cabal", ".nimble", ".rockspec", ".opam")
_REQUIREMENTS = re.compile(r"requirements[^/]*\.txt")
_REQUIRED = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
_EGG = re.compile(r"[#&]egg=([A-Za-z0-9][A-Za-z0-9._-]*)")
_GO = re.compile(r"(?<![\w.~/-])([\w.~/-]++)\s++v\d")
_NO_GO = ("exclude", "retract")
_ALIAS = re.compile(r"npm:(@?[^@]+)")
_RUNS = re.compile(r"[-_.]+")
_PACKAGE = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_BUNDLED = ("bundledDependencies", "bundleDependencies")
_CARGO = ("dependencies", "dev-dependencies", "build-dependencies")
_HATCH = ("dependencies", "extra-dependencies")


def is_manifest(path: str) -> bool:
    """Tell whether a file lists packages."""
    name = posixpath.basename(path)
    return name in _READERS or _REQUIREMENTS.fullmatch(name) is not None


def is_unread_manifest(path: str) -> bool:
    """Tell whether a file may list packages in a format that checks do not read."""
    name = posixpath.basename(path).casefold()
    return name in _UNREAD or name.endswith(_UNREAD_ENDINGS)


def listed(path: str, text: str) -> frozenset[str]:
    """Return the names of the packages that a manifest lists, in the form of ``plain_name``.

    Raises:
        ValueError: The manifest cannot be read.
    """
    read = _READERS.get(posixpath.basename(path), _requirements)
    try:
        return frozenset(plain_name(one) for one in read(text))
    except RecursionError:
        raise ValueError from None


def plain_name(name: str) -> str:
    """Return a package name without the spelling that indexes ignore."""
    return name.casefold() if "/" in name else _RUNS.sub("-", name).casefold()


def _python(text: str) -> Iterator[str]:
    tables = tomllib.loads(text)
    project, groups = _table(tables, "project"), _table(tables, "dependency-groups")
    poetry, build = _table(tables, "tool", "poetry"), _table(tables, "build-system")
    lists: list[object] = [project.get("dependencies"), build.get("requires"), *groups.values()]
    lists += _table(project, "optional-dependencies").values()
    lists.append(_table(tables, "tool", "uv").get("dev-dependencies"))
    lists += _table(tables, "tool", "pdm", "dev-dependencies").values()
    for env in _table(tables, "tool", "hatch", "envs").values():
        lists += [env.get(name) for name in _HATCH] if isinstance(env, Mapping) else []
    for found in lists:
        for one in found if isinstance(found, list) else ():
            yield from _name(one) if isinstance(one, str) else ()
    for group in (poetry, *_table(poetry, "group").values()):
        inner = group if isinstance(group, Mapping) else {}
        yield from _table(inner, "dependencies")
        yield from _table(inner, "dev-dependencies")


def _name(requirement: str) -> Iterator[str]:
    if found := _REQUIRED.match(requirement):
        yield found[1]


def _requirements(text: str) -> Iterator[str]:
    for line in requirement_lines(text):
        if egg := _EGG.search(line):
            yield egg[1]
        elif not line.startswith("-"):
            yield from _name(line)


def _node(text: str) -> Iterator[str]:
    found = json_document(text)
    tables = found if isinstance(found, Mapping) else {}
    for part in _PACKAGE:
        for name, version in _table(tables, part).items():
            yield name
            if isinstance(version, str) and (alias := _ALIAS.match(version)):
                yield alias[1]
    for part in _BUNDLED:
        bundled = tables.get(part)
        yield from (
            (one for one in bundled if isinstance(one, str)) if isinstance(bundled, list) else ()
        )


def _go(text: str) -> Iterator[str]:
    for line in text.splitlines():
        plain = line.partition("//")[0].replace('"', "").replace("`", "").strip()
        if not plain.startswith(_NO_GO):
            yield from (path for path in _GO.findall(plain) if "." in path[1:-1])


def _rust(text: str) -> Iterator[str]:
    yield from _crates(tomllib.loads(text))


def _crates(table: Mapping[str, object]) -> Iterator[str]:
    for name, value in table.items():
        if not isinstance(value, Mapping):
            continue
        if name.replace("_", "-") in _CARGO:
            yield from _renamed(value)
        else:
            yield from _crates(value)


def _renamed(table: Mapping[str, object]) -> Iterator[str]:
    for name, value in table.items():
        own = value.get("package") if isinstance(value, Mapping) else None
        yield own if isinstance(own, str) else name


def _table(tables: Mapping[str, object], *names: str) -> Mapping[str, object]:
    found: object = tables
    for name in names:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, Mapping) else {}


_READERS: Mapping[str, Callable[[str], Iterable[str]]] = {
    "pyproject.toml": _python,
    "package.json": _node,
    "go.mod": _go,
    "Cargo.toml": _rust,
}
