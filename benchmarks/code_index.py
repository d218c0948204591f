"""Measures how fast code is indexed, on a tree that ``benchmarks.code_index`` generates."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.figures import Figure, table
from holdfast.bootstrap.plugs.code import code_index

_FILES = 10_000
_NOUNS = """
    account address anchor batch branch buffer bundle cache claim client commit config cursor
    decision digest draft event field filter folder frame graph handle index invoice job key
    label ledger limit line link lock memory merge message model node offset order packet page
    parser patch path payment place plan policy pool port probe proof queue quota range record
    refund report request rule scope secret session shard signal slot source span stage state
    store stream table target task tenant token trace tree trigger user value vector window
"""
_WORDS = _NOUNS.split()
_VERBS = ("add", "apply", "build", "check", "close", "fetch", "find", "load", "merge", "open")


def write_tree(root: Path, files: int, seed: int = 1) -> int:
    """Write a repository of Python files, about 8 kB each, and return its size in bytes."""
    chance = random.Random(seed)
    root.mkdir(parents=True)
    size = 0
    for number in range(files):
        folder = root / chance.choice(_WORDS) / chance.choice(_WORDS)
        folder.mkdir(parents=True, exist_ok=True)
        text = _module(chance, number)
        size += len(text)
        (folder / f"{chance.choice(_WORDS)}_{number}.py").write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return size


def _module(chance: random.Random, number: int) -> str:
    """Return a module: imports, a few classes with methods, functions that call each other."""
    imports = "".join(f"import {chance.choice(_WORDS)}\n" for _ in range(6))
    classes = [_class(chance, f"{number}_{place}") for place in range(2)]
    functions = [_function(chance, "") for _ in range(5)]
    head = f'"""Part {number}: {" ".join(chance.sample(_WORDS, 8))}."""\n\n{imports}\n\n'
    return head + "\n\n".join([*classes, *functions])


def _class(chance: random.Random, name: str) -> str:
    title = f"{chance.choice(_WORDS)}{chance.choice(_WORDS).title()}{name}"
    methods = "\n".join(_function(chance, "    ") for _ in range(5))
    doc = " ".join(chance.sample(_WORDS, 10))
    return f'class {title[0].upper()}{title[1:]}:\n    """Holds {doc}."""\n\n{methods}'


def _function(chance: random.Random, indent: str) -> str:
    verb, noun, other = chance.choice(_VERBS), chance.choice(_WORDS), chance.choice(_WORDS)
    this = "self, " if indent else ""
    lines = [f"def {verb}_{noun}({this}{other}: int, {noun}: str) -> str:"]
    lines.append(f'    """Return the {noun} of a {other}."""')
    for step in range(3):
        about = " ".join(chance.sample(_WORDS, 8))
        callee = f"{chance.choice(_VERBS)}_{chance.choice(_WORDS)}"
        lines.append(f"    # The {about}.")
        lines.append(f"    {chance.choice(_WORDS)} = {callee}({noun}, {other} + {step})")
        lines.append(f"    if {noun}.{chance.choice(_WORDS)} > {other}:")
        lines.append(f"        {other} += {step}")
    lines.append(f"    return {noun}")
    return "".join(f"{indent}{line}\n" for line in lines)


def measured(folder: Path, files: int) -> list[Figure]:
    """Return how fast the index is built, and how fast a refresh without changes is."""
    root = folder / "tree"
    size = write_tree(root, files)
    index = code_index(home=folder / "home", folder=root, is_program=True)
    first, first_cpu = _taken(lambda: index.refresh(_nobody_watches))
    # Files written just before are read again, because they may change within a clock tick.
    index.refresh(_nobody_watches)
    again, again_cpu = _taken(lambda: index.refresh(_nobody_watches))
    changed = next(root.glob("*/*/*.py"))
    changed.write_text("def changed_now() -> None: ...\n", encoding="utf-8")
    one, one_cpu = _taken(lambda: index.refresh(_nobody_watches))
    index.close()
    about = f"{files:,} files, {size / files / 1000:.1f} kB each, {os.cpu_count()} cores"
    kept = sum(each.stat().st_size for each in (folder / "home/cache/code").iterdir())
    return [
        Figure(
            name="code index, first time",
            value=files / first,
            unit="files/s",
            at_least=200,
            note=f"{about}; {first:.1f} s, CPU {first_cpu:.1f} s",
        ),
        Figure(
            name="code index, nothing changed",
            value=again_cpu,
            unit="s CPU",
            at_most=1.0 if files <= _FILES else None,
            note=f"wall {again:.2f} s, git included",
        ),
        Figure(
            name="code index, one file changed",
            value=one_cpu,
            unit="s CPU",
            note=f"wall {one:.2f} s",
        ),
        Figure(name="code index, size", value=kept / size, unit="× the code"),
    ]


def _taken(work: Callable[[], object]) -> tuple[float, float]:
    """Return the wall seconds of a call, and the CPU seconds of all its processes."""
    wall, before = time.perf_counter(), os.times()
    work()
    after = os.times()
    cpu = sum(after[:4]) - sum(before[:4])
    return time.perf_counter() - wall, cpu


def _nobody_watches(_done: int, _total: int) -> None:
    """Ignore the progress."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.code_index", description=__doc__)
    parser.add_argument("--files", type=int, default=_FILES, help="how many files to write")
    parser.add_argument("--work", type=Path, help="folder for the tree (default: temporary)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="holdfast-code-", dir=options.work) as folder:
        sys.stdout.write(table(measured(Path(folder), options.files)) + "\n")


if __name__ == "__main__":
    main()
