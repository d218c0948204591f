"""Finds the scripts of a clone that the text of a command names, and hashes them.

Nobody can know which files a command will read: a script may call others. The script that a person
sees in the text, such as that in ``sh ./test.sh``, is recorded, so that another content is noticed.
Other files that the text names, which the command searches or writes, may change.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.checks.scripts import is_interpreter, names_script, prepares, takes_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ENDS = re.compile(r"[\s;&|<>(){}$`\"'=,:!\[\]*?\\\0]+")
_MOST_FOLDERS, _MOST_FILES = 10, 100
_BLOCK = 1024 * 1024
_MOST_BLOCKS = 64


def named_files(command: str, root: str) -> dict[str, str]:
    """Return the hash of each script below ``root`` that a command names, by its path from there.

    A script is an executable file, or the first file after the name of an interpreter. Names count
    from the root, and from each folder that the command names. A file that cannot be read has an
    empty hash; of a very large one the first part and the size count.
    """
    if not root:
        return {}
    texts = (_quoted(command), list(filter(None, _ENDS.split(command))))
    words = sorted({word for text in texts for word in text})
    folders = [root, *(path for path in _below(words, [root]) if os.path.isdir(path))]  # noqa: PTH112 - never raises
    folders = list(dict.fromkeys(folders))[:_MOST_FOLDERS]
    run = {path for text in texts for path in _interpreted(text, folders)}
    found: dict[str, str] = {}
    for path in _files(words, folders):
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


def _scripts(words: Sequence[str], folders: Sequence[str]) -> Iterator[str]:
    before = ""
    for word in words:
        name, equals, value = word.partition("=")
        is_option = word.startswith("-") and bool(equals)
        if files := list(_files([value if is_option else word], folders)):
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
    for folder in folders:
        for word in words:
            path = os.path.normpath(os.path.join(folder, word))  # noqa: PTH118 - no file is touched
            if "\0" not in path and path != root and Path(path).is_relative_to(root):
                yield path


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
