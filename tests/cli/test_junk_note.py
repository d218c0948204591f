"""remember says at once what curate would say a moment later."""

from __future__ import annotations

from tests.cli.program import Program


def test_a_claim_that_curate_calls_junk_is_kept_with_a_note(program: Program) -> None:
    done = program("remember", "--because", "I know", "Tests are passing now.").well()
    (concern,) = program("curate", "--json", "--kind", "junk").well().json["concerns"]

    why = concern["why"].removeprefix("It looks like junk: ").rstrip(".")
    assert f"it looks like junk: {why}\n" in done.err
    assert "junk" not in program("remember", "--because", "I know", "Ports leak at night.").err
