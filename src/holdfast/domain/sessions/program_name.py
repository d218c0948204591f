"""Read the name of a program as people call it: ``/usr/bin/pip3.12`` is ``pip``."""

from __future__ import annotations

import posixpath
import re

_SUFFIX = ".exe"
# A number with a point or after a dash is a version, as in python3.11 and clang-15. One digit
# alone is one only if it is the 2 or 3 of Python's programs: base64 is another program than base.
_VERSION = re.compile(r"([a-z][a-z_+-]*[a-z_+])(?:-?([0-9]+(?:\.[0-9]+)+)|-([0-9]+)|([23]))")
_PROGRAM_FOLDERS = frozenset({"", "bin", "Scripts"})


def program_name(word: str) -> str:
    """Return the name of a program without its folder."""
    return posixpath.basename(word).removesuffix(_SUFFIX)


def name_and_version(word: str) -> tuple[str, str]:
    """Return the name of a program and the version in it, empty if it has none.

    A file of the repository, such as ``./deploy2``, has no version in its name.
    """
    name = program_name(word)
    found = _VERSION.fullmatch(name)
    folder = posixpath.basename(posixpath.dirname(word))
    if found is None or folder not in _PROGRAM_FOLDERS:
        return name, ""
    return found[1], found[2] or found[3] or found[4]
