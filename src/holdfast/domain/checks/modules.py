"""Tell which files an option, a folder or a build tool makes a program run.

``python -m tools.p``, ``python tools`` and ``make -f tools/mk`` run a file whose path is not in the
text.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MODULE_OPTION = re.compile(r"-[A-Za-z]{0,3}[mMrl]|--require|--import|--loader")
_MODULE_JOINED = re.compile(r"-[mMrl]([A-Za-z_][\w.:/-]*)")
_MODULE = re.compile(r"[A-Za-z_][\w.:/-]*")
_ENTRIES = ("__main__.py", "__init__.py", "index.js", "index.mjs", "index.ts", "init.lua")
_ENDINGS = (".py", ".pm", ".pl", ".rb", ".lua", ".js", ".mjs", ".cjs", ".ts", ".php")
_BUILDER = re.compile(r"[bg]?make|nmake|ninja|samu|just|rake|ant|task|scons|cmake|invoke")
_RULE_OPTIONS = ("-f", "-P", "--file", "--makefile", "--justfile", "--rakefile", "--taskfile")
_LIBRARY = re.compile(r"-[IL](?=[^-])")


def is_builder(word: str) -> bool:
    """Return whether a word names a program that reads a file of rules."""
    return bool(_BUILDER.fullmatch(PurePosixPath(word).name))


def rule_files(words: Sequence[str]) -> list[str]:
    """Return the files of rules that the options of a build tool name."""
    found = []
    for before, word in zip(("", *words), words, strict=False):
        found += [word] if before in _RULE_OPTIONS else []
        for option in _RULE_OPTIONS:
            if word.startswith(option) and word != option:
                found.append(word.removeprefix(option).removeprefix("="))
    return found


def library(word: str) -> str:
    """Return the folder that an option such as ``-Itools`` names, or the word itself."""
    return _LIBRARY.sub("", word)


def module_named(before: str, word: str) -> str:
    """Return the module that a word after an option names, or that it names itself; or nothing."""
    if joined := _MODULE_JOINED.fullmatch(word):
        return joined[1]
    is_named = _MODULE_OPTION.fullmatch(before) and _MODULE.fullmatch(word)
    return word if is_named else ""


def module_files(module: str) -> list[str]:
    """Return the files that a module may be in, from the folder where modules are looked for."""
    path = module.replace("::", "/")
    found: list[str] = []
    for one in dict.fromkeys((path, path.replace(".", "/"))):
        above = [f"{parent}/__init__.py" for parent in PurePosixPath(one).parents if parent.name]
        found += [*above, *(f"{one}{ending}" for ending in _ENDINGS), *entry_files(one)]
    return found


def entry_files(folder: str) -> list[str]:
    """Return the files that an interpreter runs first if it is given a folder."""
    return [f"{folder}/{name}" for name in _ENTRIES]
