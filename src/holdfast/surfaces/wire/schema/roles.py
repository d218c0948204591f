"""The ``--json`` answers about supervised runs."""

from __future__ import annotations

from holdfast.domain.roles.precedence import Topic
from holdfast.domain.roles.step import Role, StepStatus, StepWork
from holdfast.surfaces.wire.schema.words import (
    MOMENT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Json,
    about,
    list_of,
    maybe,
    object_of,
    one_of,
    ref,
)

_ANY: Json = {"type": "object"}
STEP: Json = {
    "run": TEXT,
    "number": WHOLE,
    "role": one_of(Role),
    "work": one_of(StepWork),
    "subject": about(TEXT, "The name of the command, if the step runs one."),
    "status": one_of(StepStatus),
    "budget": about(NUMBER, "Seconds that the step may take."),
    "specialist": about(TEXT, "Whose answer was used."),
    "inputs": about(
        maybe(_ANY), "What the specialist was given; texts that can be deleted as ids."
    ),
    "outputs": about(maybe(_ANY), "What it answered; texts that can be deleted as hashes."),
    "effects": about(_ANY, "What was written because of it."),
    "attempts": list_of(object_of({"specialist": TEXT, "problem": TEXT})),
    "held_by": maybe(TEXT),
    "lease_until": maybe(MOMENT),
    "notes": list_of(TEXT),
    "started_at": maybe(MOMENT),
    "finished_at": maybe(MOMENT),
}
"""The fields of a step."""
_DISAGREEMENT = object_of(
    {
        "topic": one_of(Topic),
        "subject": TEXT,
        "sides": list_of(object_of({"role": one_of(Role), "says": TEXT, "because": TEXT})),
        "decided_by": about(TEXT, "A role, or person if it is left for a person."),
        "outcome": TEXT,
    }
)
_REPLAYED = object_of(
    {
        "number": WHOLE,
        "role": one_of(Role),
        "work": one_of(StepWork),
        "subject": TEXT,
        "specialist": TEXT,
        "not_replayed": about(TEXT, "Why it was not done again; empty if it was."),
        "differences": list_of(object_of({"where": TEXT, "recorded": TEXT, "now": TEXT})),
    }
)
_ALLOWED = object_of(
    {
        "name": TEXT,
        "command": TEXT,
        "files": about(
            list_of(TEXT),
            "The scripts that the text names; if one changes, the command is refused.",
        ),
        "refusal": about(TEXT, "Why the command does not run now; empty if it runs."),
    }
)
NOUNS: dict[str, Json] = {"step": object_of(STEP)}
ANSWERS: dict[str, list[Json]] = {
    "supervise": [
        object_of(
            {
                "run": maybe(ref("run")),
                "steps": list_of(ref("step")),
                "failed": about(
                    list_of(TEXT),
                    "The steps whose work was not done: a command that did not pass, a step"
                    " without time, or one whose specialists all failed.",
                ),
                "recap": TEXT,
                "disagreements": list_of(_DISAGREEMENT),
                "notes": list_of(TEXT),
                "pages": list_of(TEXT),
            }
        ),
        object_of({"run": ref("run"), "same": TRUTH, "steps": list_of(_REPLAYED)}),
        object_of(
            {"runs": list_of(object_of({"run": maybe(ref("run")), "steps": WHOLE, "over": WHOLE}))}
        ),
        object_of({"commands": list_of(_ALLOWED)}),
    ],
}
"""Each answer of ``supervise``."""
