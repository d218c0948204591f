"""The Python door, read from its signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import fields
from typing import cast

import holdfast
from docs.generator.markdown import Page, code, sentences
from holdfast.domain.memory.anchor import Checked, FoundLines, Sighting
from holdfast.domain.memory.memory import Memory as Claim
from holdfast.domain.memory.memory import MemoryRecord, Standing, Usage
from holdfast.domain.recall.rendering import Recalled
from holdfast.surfaces.python import api
from holdfast.usecases.anchors.blame import Governing
from holdfast.usecases.anchors.verify import CheckedMemory, Verification
from holdfast.usecases.memory.browse import Provenance
from holdfast.usecases.memory.forget import Forgotten
from holdfast.usecases.memory.remember import Remembered
from holdfast.usecases.recall.learn import Lesson

_QUOTED_TYPE = re.compile(r"(: |-> )'([^']*)'")
_RETURNED = (
    Remembered,
    Recalled,
    MemoryRecord,
    Claim,
    Standing,
    Usage,
    Verification,
    CheckedMemory,
    Checked,
    Sighting,
    FoundLines,
    Governing,
    Provenance,
    Forgotten,
    Lesson,
)


def python_door() -> str:
    """Return the page of everything a Python program can call."""
    page = Page("The Python door")
    page.heading("holdfast.open")
    page.code(f"holdfast.open{_signature(holdfast.open)}", "python")
    page.text(*_said(holdfast.open))
    page.heading("Memory")
    page.text(*_said(api.Memory))
    for name, method in _methods():
        page.heading(f"Memory.{name}", level=3)
        page.code(f"{name}{_signature(method)}", "python")
        page.text(*_said(method))
    for options in (api.RememberOptions, api.RecallOptions):
        page.heading(options.__name__)
        page.text(*_said(options), "All of them are optional.")
        notes = cast("dict[str, object]", options.__annotations__)
        page.table(
            ["keyword", "type"], [[code(name), code(_type(note))] for name, note in notes.items()]
        )
    _add_evidence(page)
    _add_returned(page)
    return page.written()


def _add_evidence(page: Page) -> None:
    page.heading("Evidence")
    page.text("These stand in `holdfast.surfaces.python.api`.")
    for function in (api.url, api.command):
        page.code(f"{function.__name__}{_signature(function)}", "python")
        page.text(*_said(function))


def _add_returned(page: Page) -> None:
    page.heading("What the methods return")
    for kind in _RETURNED:
        page.heading(kind.__name__ if kind is not Claim else "Memory (the claim)", level=3)
        page.text(*_said(kind))
        page.table(
            ["field", "type"],
            [[code(one.name), code(_type(one.type))] for one in fields(kind)],
        )


def _methods() -> list[tuple[str, Callable[..., object]]]:
    found = vars(api.Memory).items()
    return [(name, one) for name, one in found if callable(one) and not name.startswith("_")]


def _signature(function: Callable[..., object]) -> str:
    written = str(inspect.signature(function)).replace("(self, ", "(").replace("(self)", "()")
    return _QUOTED_TYPE.sub(r"\1\2", written)


def _type(note: object) -> str:
    return note if isinstance(note, str) else str(getattr(note, "__forward_arg__", note))


def _said(thing: object) -> list[str]:
    first = (inspect.getdoc(thing) or "").split("\n\n")[0].replace("``", "`")
    return sentences(first)
