"""The text for instruction files: a pointer for every tool, an import for some."""

from __future__ import annotations

from holdfast.adapters.tools.values import ACTIVE
from holdfast.adapters.tools.writing import MarkedBlock, Whole
from holdfast.domain.text.managed import CommentStyle

# A tool whose hook already gave memory does not need it twice: the pointer checks that first.
POINTER = f"""\
## Project memory

Decisions, rules and known traps of this project are kept by Holdfast.
Unless a `<holdfast-context>` was given to you already, read `{ACTIVE}` before you start.
Ask for more with the tool `context.assemble`, or run `holdfast recall "your question"`.
Propose what you learned with `memory.create`; a person approves it.
"""
POINTER_EVERYWHERE = f"""\
## Project memory

Projects with a folder `.holdfast` keep their decisions, rules and known traps there.
In such a project, unless a `<holdfast-context>` was given to you already, read `{ACTIVE}` first.
Ask for more with the tool `context.assemble`, or run `holdfast recall "your question"`.
Propose what you learned with `memory.create`; a person approves it.
"""
IMPORT = f"""\
Project memory, kept by Holdfast:

@{ACTIVE}
"""
TOLD_BY_HOOK = "its hooks tell it already; a file would tell it twice"
ACTIVE_BEFORE_A_RUN = """\
# Project memory

Nothing was collected for this session yet.
Ask for what is known about your task: `holdfast recall "your question"`.
`holdfast run start` collects it into this file.
"""
_RULE = """\
---
description: Project memory kept by Holdfast
alwaysApply: true
---
"""
_TRIGGER = """\
---
trigger: always_on
---
"""
_APPLIES = """\
---
applyTo: "**"
---
"""


def pointer(*, everywhere: bool = False) -> MarkedBlock:
    """Return the block that points to memory, in this project or in every one."""
    return MarkedBlock(body=POINTER_EVERYWHERE if everywhere else POINTER)


def importing() -> MarkedBlock:
    """Return the block that imports memory into the file."""
    return MarkedBlock(body=IMPORT)


def cursor_rule() -> Whole:
    """Return a rule that Cursor always applies."""
    return Whole(head=_RULE, body=POINTER, comment=CommentStyle.MARKUP)


def windsurf_rule() -> Whole:
    """Return a rule that Windsurf always applies."""
    return Whole(head=_TRIGGER, body=POINTER, comment=CommentStyle.MARKUP)


def copilot_instructions() -> Whole:
    """Return instructions that Copilot applies to every file."""
    return Whole(head=_APPLIES, body=POINTER, comment=CommentStyle.MARKUP)


def own_rule(*, everywhere: bool = False) -> Whole:
    """Return a separate rules file, for tools that read every file of a folder."""
    return Whole(body=POINTER_EVERYWHERE if everywhere else POINTER, comment=CommentStyle.MARKUP)
