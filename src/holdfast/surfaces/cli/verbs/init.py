"""init: create the store and note the repository. Nothing is written into the repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.cli.present.colour import Good, Name
from holdfast.surfaces.cli.present.memory_lines import fact_lines

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.desk import Desk


def init(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Create your store, if there is none, and note the repository you stand in.\n"
        "Nothing is written into the repository; running it again changes nothing.",
        examples=("holdfast init", "holdfast init --json", "holdfast init -C ."),
        does=_run,
    )


def _run(_given: Namespace, desk: Desk) -> None:
    from holdfast.bootstrap.wiring import store_path

    existed = store_path(desk.home).exists()
    memory = desk.memory
    place, facts = memory.surroundings.place(), memory.store.upkeep.facts()
    if desk.output.as_json:
        desk.output.json(
            {
                "created": not existed,
                "store": facts.location,
                "schema": facts.schema,
                "repo": place.repo,
                "branch": place.branch,
                "workspace": place.workspace,
            }
        )
        return
    words = "The store was here already." if existed else "The store is ready."
    desk.output.say(Good("ready"), "  ", words)
    fact_lines(
        desk.output,
        [
            ("store", facts.location),
            ("repository", place.repo or "none here: memories are global unless you say otherwise"),
            ("branch", place.branch),
        ],
    )
    desk.output.note("next:")
    desk.output.note("  ", Name('holdfast remember --because "I decided" "We deploy on Tuesdays."'))
    desk.output.note("  ", Name('holdfast recall --q "when do we deploy"'))
    desk.output.note("  ", Name("holdfast help"))
