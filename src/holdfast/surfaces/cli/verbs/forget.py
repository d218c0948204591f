"""forget: remove memories so that no byte of them stays."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from holdfast.surfaces.cli.after_forgetting import follow_forgetting, trace_json
from holdfast.surfaces.cli.present.colour import Dim, Name, Warn
from holdfast.surfaces.cli.present.table import cut, one_line, terminal_width
from holdfast.surfaces.cli.refusals import UsageError
from holdfast.usecases.forget import Forget

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import Desk
    from holdfast.usecases.forget import Forgotten


def forget(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Remove memories from the truth, every index and every file of the store. What stays is\n"
        "that a memory with that id was forgotten, when, by whom and why. It asks first when you\n"
        "sit at a terminal and do not say --yes. Pages and generated files lose the text as well.\n"
        "The exit code is 7 where the text still stands in a place that only you can clean, such\n"
        "as the history of git; each such place is named.",
        examples=(
            "holdfast forget --id m_abc123 --dry-run",
            "holdfast forget --id m_abc123",
        ),
        does=_run,
    )
    add = command.add_argument
    add("ids", metavar="ID", nargs="*", help="memories to forget")
    add("--id", action="append", metavar="ID", default=[], help="the same, as an option")
    add("--dry-run", action="store_true", help="show what would go; change nothing")
    add("-y", "--yes", action="store_true", help="do not ask")
    add("--reason", metavar="WORDS", default="", help="why; kept with the tombstone")


def _run(given: Namespace, desk: Desk) -> int | None:
    references = list(dict.fromkeys([*given.ids, *given.id]))
    if not references:
        raise UsageError(problem="Which memory? Write: holdfast forget --id m_…")
    wishes = [Forget(reference=name, by=desk.user, reason=given.reason) for name in references]
    # All are looked up before the first is removed: a slip in the last id changes nothing.
    found = [_rehearsed(wish, desk) for wish in wishes]
    if given.dry_run:
        _show(found, desk)
        return None
    if not given.yes and not _is_confirmed(found, desk):
        desk.output.note("Nothing was changed.")
        return 1
    gone = [desk.memory.forget(wish) for wish in wishes]
    _show(gone, desk)
    return follow_forgetting(gone, desk)


def _rehearsed(wish: Forget, desk: Desk) -> Forgotten:
    return desk.memory.forget(
        Forget(reference=wish.reference, by=wish.by, reason=wish.reason, dry_run=True)
    )


def _is_confirmed(found: list[Forgotten], desk: Desk) -> bool:
    """Ask a person at a terminal; a script was asked when it was written."""
    is_person = sys.stdin is not None and sys.stdin.isatty() and desk.output.is_terminal
    if not is_person or desk.output.as_json:
        return True
    _show(found, desk)
    many = "this memory" if len(found) == 1 else f"these {len(found)} memories"
    desk.output.complain(Warn(f"Forget {many} for good? [y/N] "))
    desk.output.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _show(found: list[Forgotten], desk: Desk) -> None:
    """Write what goes. The claim itself is shown only while it is still there."""
    if desk.output.as_json:
        desk.output.json({"forgotten": [_shape(one) for one in found]})
        return
    for one in found:
        memory = one.record.memory
        words = "would forget" if one.dry_run else "forgot"
        cells = [memory.kind.value, memory.key or "", _counted(one.links)]
        rest = "  ".join(cell for cell in cells if cell)
        desk.output.say(f"{words} ", Name(memory.id), f"  {rest}")
        if one.dry_run:
            desk.output.say("  ", Dim(cut(one_line(memory.claim), terminal_width() - 2)))
        if one.not_yet:
            desk.output.complain(one.not_yet)


def _counted(links: int) -> str:
    """Return how many links go with a memory; nothing where there are none."""
    return "" if not links else "1 link" if links == 1 else f"{links} links"


def _shape(one: Forgotten) -> dict[str, object]:
    from holdfast.domain.shapes import record_json

    shape: dict[str, object] = {
        "id": one.record.memory.id,
        "links": one.links,
        "dry_run": one.dry_run,
        "not_yet": one.not_yet,
        "places": [trace_json(trace) for trace in one.traces],
    }
    return {**shape, "memory": record_json(one.record)} if one.dry_run else shape
