"""Damage to derived files: no answer fails or changes, and the next one finds them rebuilt.

One home has every kind of file that can be rebuilt. Each of them is damaged in every way, one at a
time, in a copy of the home; the questions must get the same answers as before.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import apsw

import holdfast
from holdfast.adapters.machine.folders import STORE_FILE
from holdfast.adapters.vectors.vector_file import VectorFile
from holdfast.domain.choices import Kind
from holdfast.domain.errors import HoldfastError
from holdfast.surfaces.python.api import MemoryStore
from torture.crew import in_child
from torture.judge import is_bad
from torture.plants import Plant, planted
from torture.report import Report, Tally, faulty
from torture.task import Task
from torture.vectors import put_some, search, vector

MEMORIES = 60
SHORT_CASES = 12
QUESTIONS = ("walrus deploy port", "token rotation", "who rotates tokens hourly")
TRUTH = (STORE_FILE, f"{STORE_FILE}-head", f"{STORE_FILE}-reserve", f"{STORE_FILE}-queue")
CODE = """\
def rotate_tokens(clock):
    return renew(clock, every=3600)


def renew(clock, every):
    return clock.now() + every
"""
Harm = Callable[[Path], None]
Answers = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """A home with all derived files, the repository of the questions, and the expected answers."""

    folder: Path
    repository: Path
    answers: Answers


def run(task: Task) -> Report:
    """Damage every derived file in every way, and a table of the store in some."""
    folder = task.folder("derived")
    chance = random.Random(task.seed)
    home = in_child(lambda: _made(folder))
    flips = 40 if task.full else 2
    cases: list[tuple[str, Harm]] = [
        (f"{path.relative_to(home.folder)}: {name}", partial(harm, path.relative_to(home.folder)))
        for path in _derived_files(home.folder)
        for name, harm in _harms(chance, flips)
    ]
    cases += [(f"word index: {name}", harm) for name, harm in _word_harms(chance, flips)]
    cases = chance.sample(cases, min(task.number(short=SHORT_CASES, full=len(cases)), len(cases)))
    tally = Tally()
    for what, harm in cases:
        tally += in_child(partial(_judged, folder, home, harm)).because(what)
        if task.is_over(tally):
            break
    done = (
        f"{len(_derived_files(home.folder))} derived files and the word index, {tally.faults} harms"
    )
    return Report(tool="derived", done=done, tally=tally)


def _made(folder: Path) -> Home:
    home, repository = folder / "home", folder / "repository"
    repository.mkdir()
    _git(repository, "init", "-q", "-b", "main")
    (repository / "tokens.py").write_text(CODE)
    _git(repository, "add", ".")
    _git(repository, "commit", "-q", "-m", "Rotate tokens hourly\n\nThe walrus port was too slow.")
    chance = random.Random(7)
    with holdfast.open(home=home, folder=repository) as memory:
        memory.remember("Tokens rotate hourly.", evidence=["tokens.py:1-2"], kind=Kind.RULE)
        claims = [f"The walrus deploy {n} uses port {8000 + n}." for n in range(MEMORIES)]
        memory.remember_all(claims, scope="global", because="the harness said so")
        put_some(memory, chance, MEMORIES)
        if memory.app.history_index is not None:
            memory.app.history_index.refresh(nobody_watches)
        _asked(memory)
    first = in_child(lambda: _answers(home, repository))
    return Home(folder=home, repository=repository, answers=first)


def nobody_watches(_done: int, _all: int) -> None:
    """Ignore the progress."""


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Harness", "-c", "user.email=harness@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


def _derived_files(home: Path) -> list[Path]:
    """Return the files of a home that can be rebuilt."""
    files = sorted(path for path in home.rglob("*") if path.is_file())
    return [
        path
        for path in files
        if path.name not in TRUTH and path.stat().st_size and not path.name.endswith(".lock")
    ]


def _answers(home: Path, repository: Path) -> Answers:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with holdfast.open(home=home, folder=repository) as memory:
            return _asked(memory)


def _asked(memory: MemoryStore) -> Answers:
    """Return the answers to the questions: by words, meaning, code and history."""
    answers: list[object] = []
    for question in QUESTIONS:
        given = memory.recall(question, include=("memory", "code", "history"), budget=6000)
        bundle = given.bundle
        answers.append([(item.memory_id, item.checked) for item in bundle.items])
        answers.append(
            [(item.reference, given.recalled.texts[item.reference]) for item in bundle.passages]
        )
    chance = random.Random(5)
    answers += [search(memory.app.store, vector(chance)) for _ in range(4)]
    answers.append([record.id for record in memory.list(limit=100)])
    return tuple(answers)


def _judged(folder: Path, home: Home, harm: Harm) -> Tally:
    """Damage a copy, and ask twice: the second answer comes from the rebuilt file."""
    copy = folder / "hurt"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home.folder, copy)
    if planted(Plant.UNCHECKED_SUMS):
        setattr(VectorFile, "is_sound", lambda _shelf, _header: True)  # noqa: B010 - a planted bug
    harm(copy)
    tally = Tally(faults=1)
    for turn in ("the first", "the second"):
        tally += _compared(turn, copy, home, may_lack_words=True)
    tally += _healthy(copy, home.repository)
    return tally + _compared("the last", copy, home, may_lack_words=False)


def _compared(turn: str, copy: Path, home: Home, *, may_lack_words: bool) -> Tally:
    """Ask everything, and compare the answer with the one without damage."""
    try:
        found = _answers(copy, home.repository)
    except HoldfastError as error:
        return faulty(f"{turn} question failed: {error}")
    except Exception as error:  # noqa: BLE001 - whatever it is, a person would see it
        return faulty(f"{turn} question broke: {type(error).__name__}: {error}")
    is_same = found == home.answers
    if is_same or (may_lack_words and _is_word_damage(copy, home.repository)):
        return Tally()
    return faulty(f"{turn} answer is not the one without damage")


def _is_word_damage(home: Path, repository: Path) -> bool:
    """Tell whether a check finds the word index damaged.

    Recall does not detect a changed word inside an otherwise valid word index; only a check does.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with holdfast.open(home=home, folder=repository) as memory:
            found = memory.app.upkeep.check(nobody_watches)
            return any(one.check == "words" and is_bad(one) for one in found)


def _healthy(home: Path, repository: Path) -> Tally:
    """Check that none of the damage is left in the store.

    Only a check detects a changed word inside the word index; a repair must fix it.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with holdfast.open(home=home, folder=repository) as memory:
            before = [one for one in memory.app.upkeep.check(nobody_watches) if is_bad(one)]
            if any(one.check == "words" for one in before):
                memory.app.upkeep.repair(nobody_watches)
            after = [one for one in memory.app.upkeep.check(nobody_watches) if is_bad(one)]
    left = [one.message for one in (*before, *after) if one.check != "words" or one in after]
    return faulty(f"still damaged: {left[0]}") if left else Tally()


def _harms(chance: random.Random, flips: int) -> Iterator[tuple[str, Callable[[Path, Path], None]]]:
    for _ in range(flips):
        share, bit = chance.random(), chance.randrange(8)
        yield f"bit {bit} at {share:.4f} flipped", partial(_flip, share, bit)
    seed = chance.randrange(1 << 30)
    yield "random bytes inside", partial(_scribble, seed)
    yield "all random", partial(_all_random, seed)
    yield "cut in half", _cut
    yield "empty", lambda path, home: os.truncate(home / path, 0)
    yield "a folder in its place", _folder_instead
    yield "gone", lambda path, home: (home / path).unlink()


def _flip(share: float, bit: int, path: Path, home: Path) -> None:
    content = bytearray((home / path).read_bytes())
    content[int(share * len(content))] ^= 1 << bit
    (home / path).write_bytes(content)


def _scribble(seed: int, path: Path, home: Path) -> None:
    chance = random.Random(seed)
    content = bytearray((home / path).read_bytes())
    start = chance.randrange(len(content))
    content[start : start + 64] = chance.randbytes(len(content[start : start + 64]))
    (home / path).write_bytes(content)


def _all_random(seed: int, path: Path, home: Path) -> None:
    size = (home / path).stat().st_size
    (home / path).write_bytes(random.Random(seed).randbytes(size))


def _cut(path: Path, home: Path) -> None:
    os.truncate(home / path, (home / path).stat().st_size // 2)


def _folder_instead(path: Path, home: Path) -> None:
    (home / path).unlink()
    (home / path).mkdir()


def _word_harms(chance: random.Random, flips: int) -> Iterator[tuple[str, Harm]]:
    for _ in range(flips):
        yield "a bit of a block flipped", partial(_in_words, chance.randrange(1 << 30), _one_bit)
    yield "blocks random", partial(_in_words, 1, lambda block, by: by.randbytes(len(block)))
    yield "blocks zero", partial(_in_words, 1, lambda block, _by: bytes(len(block)))


def _one_bit(block: bytes, chance: random.Random) -> bytes:
    content = bytearray(block)
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)


def _in_words(seed: int, change: Callable[[bytes, random.Random], bytes], home: Path) -> None:
    chance = random.Random(seed)
    connection = apsw.Connection(str(home / STORE_FILE))
    for number, block in connection.execute("SELECT id, block FROM memory_fts_data").fetchall():
        if block:
            assert isinstance(block, bytes)
            changed = change(block, chance)
            connection.execute(
                "UPDATE memory_fts_data SET block = ? WHERE id = ?", (changed, number)
            )
    connection.close()
