"""Holdfast: a long memory for AI agents that people can trust.

>>> import holdfast
>>> hf = holdfast.open()

``open`` loads the engine; importing this package alone costs next to nothing.
"""

from __future__ import annotations

# Not from typing: importing it would cost a prompt's badge a fifth of its time.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.surfaces.python.api import Memory

__all__ = ["__version__", "open"]
__version__ = "0.1.0"


def open(  # noqa: A001 - holdfast.open() is the promised name, as in gzip.open
    *,
    home: Path | str | None = None,
    folder: Path | str | None = None,
    space: str | None = None,
    as_: str | None = None,
    name: str = "",
    store: str | None = None,
) -> Memory:
    """Open the memory of a space, seen from a folder (the current one if not said).

    ``space`` names the space (HOLDFAST_SPACE if not said, else the default one). ``as_`` says
    who acts: person, agent, tool or service, under a ``name``; if not said, the environment
    says. A program that an agent runs acts as that agent, whatever it says. ``store`` is the
    address of a database server (HOLDFAST_STORE if not said, else the store is a file).
    """
    import gc

    # What is loaded stays: to look for garbage forty times while it loads would find none.
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        from holdfast.surfaces.python.api import open_memory

        return open_memory(home=home, folder=folder, space=space, as_=as_, name=name, store=store)
    finally:
        if is_collecting:
            gc.enable()
