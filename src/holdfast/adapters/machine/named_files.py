"""Finds the scripts of a clone that the text of a command names, and hashes them.

Nobody can know which files a command will read: a script may call others. The script that a person
sees in the text, such as that in ``sh ./test.sh``, is recorded, so that another content is noticed.
Other files that the text names, which the command searches or writes, may change; but if a part of
the command may copy one of them and another part runs a script, all of them are recorded.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.checks.modules import (
    entry_files,
    is_builder,
    library,
    module_files,
    module_named,
    rule_files,
)
from holdfast.domain.checks.scripts import (
    is_interpreter,
    may_make_script,
    names_script,
    prepares,
    takes_value,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ENDS = re.compile(r"[\s;&|<>(){}$`\"'=,:!\[\]*?\\\0]+")
_HERE = re.compile(r"^/proc/(?:self|thread-self|\d+)/cwd(?=/|$)")
"""Names of the folder in which the command runs, which is the root of the clone."""
_LONGEST_PATH = 4_096
_MOST_FOLDERS, _MOST_FILES = 10, 100
_BLOCK = 1024 * 1024
_MOST_BLOCKS = 64


def named_files(command: str, root: str) -> dict[str, str]:
    """Return the hash of each script below ``root`` that a command names, by its path from there.

    A script is an executable file, the first file after the name of an interpreter, a module that
    an option names, the first file of a folder that is run, and the file of rules of a build tool.
    If the command may make the script that it runs, every file that it names counts.
    Names count from the root, and from each folder that the command names. A file that cannot be
    read has an empty hash; of a very large one the first part and the size count.
    """
    if not root:
        return {}
    texts = (_quoted(command), list(filter(None, _ENDS.split(command))))
    words = sorted({part for text in texts for word in text for part in (word, library(word))})
    folders = [root, *(path for path in _below(words, [root]) if os.path.isdir(path))]  # noqa: PTH112 - never raises
    folders = list(dict.fromkeys(folders))[:_MOST_FOLDERS]
    run = {path for text in texts for path in _interpreted(text, folders)}
    if may_make_script(command):
        run.update(_files(words, folders))
    found: dict[str, str] = {}
    for path in dict.fromkeys([*sorted(run), *_files(words, folders)]):
        if len(found) < _MOST_FILES and (path in run or os.access(path, os.X_OK)):
            found[os.path.relpath(path, root)] = _hashed(path)
    return found


def _quoted(command: str) -> list[str]:
    """Return the words of a command as a shell reads them; none if its quotes do not match."""
    try:
        return shlex.split(command)
    except ValueError:
        return []


def _interpreted(words: Sequence[str], folders: Sequence[str]) -> Iterator[str]:
    """Yield the first file after each name of an interpreter, and files of options before it.

    A file in a variable that an interpreter runs first counts too.
    """
    for place, word in enumerate(words):
        if prepares(word):
            yield from _files([word.partition("=")[2]], folders)
        if is_interpreter(word):
            yield from _scripts(words[place + 1 :], folders)
        if is_builder(word):
            yield from _files(rule_files(words[place + 1 :]), folders)


def _scripts(words: Sequence[str], folders: Sequence[str]) -> Iterator[str]:
    before, has_module = "", False
    for word in words:
        name, equals, value = word.partition("=")
        is_option = word.startswith("-") and bool(equals)
        if module := module_named(before, name):
            has_module = True
            yield from _files(module_files(module), folders)
        named = [value if is_option else word]
        # A folder after a module, or after an option that takes one, is not run.
        if not (has_module or takes_value(before)):
            named += entry_files(named[0])
        if files := list(_files(named, folders)):
            yield from files
            if not is_option and not (takes_value(before) and not names_script(before)):
                return
        before = name if not equals else ""


def _files(words: Sequence[str], folders: Sequence[str]) -> Iterator[str]:
    # Unlike pathlib's, this question never raises, whatever the word is.
    return (path for path in _below(words, folders) if os.path.isfile(path))  # noqa: PTH113 - above


def _below(words: Sequence[str], folders: Sequence[str]) -> Iterator[str]:
    """Yield the paths that the words can mean below the first of the folders."""
    root = folders[0]
    real = os.path.realpath(root)
    for folder in folders:
        for word in words:
            path = os.path.normpath(os.path.join(folder, _HERE.sub(".", word)))  # noqa: PTH118 - no file is touched
            if "\0" in path:
                continue
            if not Path(path).is_relative_to(root):
                # Another name may lead into the clone, such as one of /proc or a link.
                path = os.path.normpath(os.path.join(root, os.path.relpath(_real(path), real)))  # noqa: PTH118 - above
            if path != root and Path(path).is_relative_to(root):
                yield path


def _real(path: str) -> str:
    return os.path.realpath(path) if len(path) <= _LONGEST_PATH else path


def _hashed(path: str) -> str:
    digest = hashlib.sha256()
    try:
        with Path(path).open("rb") as file:
            for _ in range(_MOST_BLOCKS):
                digest.update(file.read(_BLOCK))
            digest.update(b"%d" % os.fstat(file.fileno()).st_size)
    except OSError:
        return ""
    return digest.hexdigest()
