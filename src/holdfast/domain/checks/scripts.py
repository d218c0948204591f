"""Tell whether the scripts of a command can be told from its text.

A permission is bound to the content of the scripts that the text names. If a shell chooses the
script only when the command runs, by a variable, a pattern or a pipe, nothing can be bound.
"""

from __future__ import annotations

import re
import shlex
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHELL = re.compile(r"(?:a|ba|da|fi|k|pw|tcl|z|)sh")
_LANGUAGE = re.compile(
    r"bun|deno|julia|lua|node|perl|php|pypy|python|Rscript|ruby|ts-node|tsx|source"
)
_OTHER = re.compile(r"g?awk|run")
"""Their first word is a text or the name of a command, so it may have any sign."""
_VERSION = "0123456789."
_SIGNS = re.compile(r"[;&|()<>]+")
_CHOSEN_LATER = re.compile(r"[$`*?\[{~]")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_TEXT_LETTERS = {"python": "cm", "pypy": "cm", "perl": "eE", "php": "r", "source": ""}
_USUAL_LETTERS, _SHELL_LETTERS = "ep", "c"
"""The options whose value is a text or a module, and no script."""
_TEXT_OPTIONS = frozenset({"--eval", "--print", "--command", "-Command"})
_LONGEST_CLUSTER = 5
_VALUED = frozenset(
    [
        "-o",
        "-O",
        "-W",
        "-X",
        "-I",
        "-C",
        "-d",
        "-l",
        "-r",
        "-f",
        "--rcfile",
        "--init-file",
        "--require",
        "--import",
        "--loader",
        "--env-file",
        "--check-hash-based-pycs",
        "--conditions",
        "--config",
        "--experimental-loader",
    ]
)
_FILE_OPTIONS = frozenset({"-f", "-File", "--file"})
_PREPARING = frozenset(["BASH_ENV", "ENV", "NODE_OPTIONS", "PERL5OPT", "PYTHONSTARTUP", "RUBYOPT"])
_RUNNING_TEXT = frozenset({"eval"})
_PARTS = re.compile(r"[;&|()\n`]+")
_JOINED_ENDS = re.compile(r"[<>]&|&>")
"""Both outputs in one file: this sign parts no commands."""
_MOVING = frozenset({"cd", "pushd"})
_DEEPEST = 4

_LATER = "the script that '{name}' runs is chosen only when it runs; write its path"
_PIPED = "'{name}' reads its script from a pipe; write the path of a script"
_UNREADABLE = "its quotes do not match, so its scripts cannot be told"
_FOLDER = "its folder is chosen only when it runs, so its scripts cannot be told; write the folder"


def is_interpreter(word: str) -> bool:
    """Return whether a word names a program that runs a script."""
    return word == "." or any(
        one.fullmatch(_plain_name(word)) for one in (_SHELL, _LANGUAGE, _OTHER)
    )


def may_make_script(command: str) -> bool:
    """Return whether a part of a command may make the script that another part of it runs.

    One part copies, links or writes a file, by whatever program; another one runs a script or a
    path.
    """
    parts = [part.split() for part in _PARTS.split(_JOINED_ENDS.sub(" ", command))]
    parts = [words for words in parts if words]
    return len(parts) > 1 and any(map(_runs_file, parts))


def _runs_file(words: Sequence[str]) -> bool:
    """Return whether a simple command runs a script, a path, or what it puts into the PATH."""
    plain = [word.strip("'\"{}!") for word in words]
    named = [word for word in plain if word and not _ASSIGNED.match(word)]
    is_run = any(is_interpreter(word) for word in named if word != ".") or named[:1] == ["."]
    return is_run or "/" in "".join(named[:1]) or any(word.startswith("PATH=") for word in plain)


def prepares(word: str) -> bool:
    """Return whether a word sets a variable that names a script which an interpreter runs first."""
    return word.partition("=")[0] in _PREPARING and "=" in word


def takes_value(option: str) -> bool:
    """Return whether the word after an option of an interpreter may be its value."""
    return option in _VALUED or (option.startswith("--") and option != "--" and "=" not in option)


def names_script(option: str) -> bool:
    """Return whether the value of an option of an interpreter is the script itself."""
    return option in _FILE_OPTIONS


def unclear_script(command: str, *, depth: int = 0) -> str:
    """Return in words why the scripts of a command cannot be told; empty if they can."""
    try:
        reader = shlex.shlex(command, posix=True, punctuation_chars=True)
        reader.whitespace_split = True
        reader.commenters = ""
        words = list(reader)
    except ValueError:
        return _UNREADABLE
    is_fed, start = False, 0
    for place, word in enumerate((*words, ";")):
        if _SIGNS.fullmatch(word) and "<" not in word and ">" not in word:
            if why := _unclear(words[start:place], is_fed=is_fed, depth=depth):
                return why
            is_fed, start = word.strip("()") == "|", place + 1
    return ""


def _unclear(words: Sequence[str], *, is_fed: bool, depth: int) -> str:
    """Return why the scripts of one simple command cannot be told."""
    rest = list(words)
    while rest and _ASSIGNED.match(rest[0]):
        rest.pop(0)
    if not rest:
        return ""
    if _CHOSEN_LATER.search(rest[0]) and rest[0] != "[":
        return _LATER.format(name=rest[0])
    if rest[0] in _MOVING and any(map(_CHOSEN_LATER.search, rest[1:])):
        return _FOLDER
    if rest[0] in _RUNNING_TEXT:
        return _inside(" ".join(rest[1:]), depth)
    for place, word in enumerate(rest):
        if why := _of_word(word, rest[place + 1 :], is_fed=is_fed, depth=depth):
            return why
    return ""


def _of_word(word: str, later: Sequence[str], *, is_fed: bool, depth: int) -> str:
    """Return why the script that one word of a command starts cannot be told."""
    name = _plain_name(word)
    if name == "env":
        texts = [
            " ".join((value, *later[at + 1 :]))
            for at, value in _values(later, ("-S", "--split-string"))
        ]
        return next(filter(None, (_inside(text, depth) for text in texts)), "")
    is_shell = bool(_SHELL.fullmatch(name))
    if not is_shell and word != "." and not _LANGUAGE.fullmatch(name):
        return ""
    return _of_interpreter(word, later, is_shell=is_shell, is_fed=is_fed, depth=depth)


def _values(words: Sequence[str], options: Sequence[str]) -> list[tuple[int, str]]:
    """Return the values of options, and the place of each."""
    found: list[tuple[int, str]] = []
    for place, word in enumerate(words):
        for option in options:
            if word == option and place + 1 < len(words):
                found.append((place + 1, words[place + 1]))
            elif word.startswith(option) and word != option:
                found.append((place, word.removeprefix(option).removeprefix("=")))
    return found


def _of_interpreter(
    word: str, later: Sequence[str], *, is_shell: bool, is_fed: bool, depth: int
) -> str:
    """Return why the script of an interpreter cannot be told from the words after its name."""
    is_value = False
    for place, one in enumerate(later):
        if one == "<":
            continue
        if _SIGNS.fullmatch(one) or _CHOSEN_LATER.search(one):
            return _LATER.format(name=word)
        if one == "-":
            break
        if one.startswith("-"):
            if _is_text(one, word, is_shell=is_shell):
                text = " ".join(later[place + 1 : place + 2])
                return _inside(text, depth) if is_shell else _of_module(word, one, text)
            is_value = takes_value(one) and not names_script(one)
            continue
        if is_value:
            is_value = False
            continue
        return ""
    return _PIPED.format(name=word) if is_fed else ""


def _of_module(word: str, option: str, text: str) -> str:
    """Return why the module that an option such as ``-m`` names cannot be told."""
    is_later = option.endswith("m") and _CHOSEN_LATER.search(text)
    return _LATER.format(name=word) if is_later else ""


def _is_text(option: str, interpreter: str, *, is_shell: bool) -> bool:
    """Return whether the value of an option is a text; ``-lc`` is ``-l -c``."""
    usual = _SHELL_LETTERS if is_shell else _USUAL_LETTERS
    letters = _TEXT_LETTERS.get(_plain_name(interpreter), usual)
    is_cluster = option[1:].isalpha() and len(option) <= _LONGEST_CLUSTER
    return option in _TEXT_OPTIONS or (is_cluster and option[-1] in letters)


def _inside(text: str, depth: int) -> str:
    """Return why the scripts of a text that a shell reads cannot be told."""
    return unclear_script(text, depth=depth + 1) if depth < _DEEPEST else _LATER.format(name="sh")


def _plain_name(word: str) -> str:
    return PurePosixPath(word).name.rstrip(_VERSION)
