"""Steps with a whole store that is encrypted, run where the library can encrypt.

``python -m tests.integration.whole_store_steps FOLDER``: encrypts, encrypts with another key and
decrypts a store, and ends the process at each change of a file in turn. After each end the store
must open, have every memory, and take the same request again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import holdfast

CLAIMS = frozenset(f"The {number}th canary sings in Bern." for number in range(8))
_CHANGES = frozenset({"os.rename", "os.remove", "os.truncate"})
_ENDED = 41


def main(folder: Path) -> None:
    """Try every moment of each of the three requests."""
    os.environ["HOLDFAST_KEYS"] = str(folder / "keys")
    os.environ["HOLDFAST_MODELS"] = str(folder / "none")
    home = folder / "home"
    with holdfast.open(home=home, folder=folder) as memory:
        memory.remember_all(sorted(CLAIMS), because="I heard it.", scope="global")
        first, second = memory.keys.create().id, memory.keys.create().id
    _whole(home)  # so that no child has to import what it runs
    steps: tuple[Callable[[holdfast.MemoryStore], object], ...] = (
        lambda memory: memory.keys.encrypt_store(first),
        lambda memory: memory.keys.encrypt_store(second),
        lambda memory: memory.keys.decrypt_store(),
    )
    moments = 0
    for wanted, step in zip((first, second, None), steps, strict=True):
        number = 1
        while _child(partial(_ended_at, number, home, step)) == _ENDED:
            moments += 1
            number += 1
            assert _child(partial(_whole, home)) == 0, f"moment {number} of {wanted}"
        assert _child(partial(_sound, home)) == 0
        assert key_of(home) == wanted, "it was not done"
    sys.stdout.write(f"{moments} moments\n")


def _opened(home: Path) -> holdfast.MemoryStore:
    """Open the store outside of any repository: forgetting would search its history."""
    return holdfast.open(home=home, folder=home)


def key_of(home: Path) -> str | None:
    """Return the key of a store."""
    with _opened(home) as memory:
        return memory.app.store.upkeep.copying.encrypted_with


def _ended_at(number: int, home: Path, step: Callable[[holdfast.MemoryStore], object]) -> None:
    seen = 0

    def watch(event: str, given: tuple[object, ...]) -> None:
        nonlocal seen
        if event in _CHANGES or (event == "open" and _writes(given)):
            seen += 1
            if seen == number:
                os._exit(_ENDED)

    with _opened(home) as memory:
        sys.addaudithook(watch)
        step(memory)


def _writes(given: tuple[object, ...]) -> bool:
    return bool(int(str(given[2] or 0)) & (os.O_WRONLY | os.O_RDWR))


def _whole(home: Path) -> None:
    with _opened(home) as memory:
        found = {one.text for one in memory.list(limit=50)}
        assert found == CLAIMS, found
        memory.remember("The canary sings in Bern.", because="Again.", scope="global", key="last")
        memory.forget("last")


def _sound(home: Path) -> None:
    with _opened(home) as memory:
        wrong = [one for one in memory.app.upkeep.check(lambda _done, _all: None) if one.advice]
        assert not wrong, wrong


def _child(work: Callable[[], object]) -> int:
    """Run the work in a process of its own; return how it ended."""
    process = os.fork()
    if process == 0:
        try:
            work()
        finally:
            # The parent's work must not be done twice; an error is printed on the way out.
            if (error := sys.exception()) is not None:
                sys.excepthook(type(error), error, error.__traceback__)
            sys.stderr.flush()
            os._exit(int(error is not None))
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
