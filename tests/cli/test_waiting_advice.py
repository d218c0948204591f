"""What a later sync says about a text that waits."""

from __future__ import annotations

from pathlib import Path

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.requirements import requirement


@requirement("files.git-brings-candidates")
def test_a_later_sync_names_the_commands_that_accept_what_waits(
    program: Program, tmp_path: Path
) -> None:
    program("init", "--files", "--no-model").well()
    first = Clone(program)
    first.decide("We deploy on Tuesdays.")
    first.commit()
    second = first.clone(tmp_path / "second")
    second.program("init", "--no-model").well()
    second.sync()

    done = second.program("sync", "--json")

    (outcome,) = done.json["outcomes"]
    assert outcome["note"] == f"waits for a decision as {outcome['memory']}"
    assert f"'holdfast approve {outcome['memory']}'" in outcome["advice"]
    assert "'holdfast trust'" in outcome["advice"]
    assert done.code == 4
    assert second.program("sync", "--check").code == 0
