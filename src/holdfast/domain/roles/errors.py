"""Errors about supervised runs."""

from __future__ import annotations

from holdfast.domain.errors import ConflictError, NotFoundError, StaleError


class NotSupervisedError(NotFoundError, code="run-not-supervised"):
    """The run has no steps."""

    def __init__(self, label: str) -> None:
        super().__init__(f"{label} is a run without steps; nobody supervised it.", label=label)


class StepHeldError(ConflictError, code="step-held"):
    """Another process works on the run."""

    def __init__(self, *, run: str, step: str, holder: str) -> None:
        super().__init__(
            f"Another process works on the {step} of {run}: {holder}. Nothing was changed.",
            run=run,
            step=step,
            holder=holder,
        )


class StepTakenOverError(StaleError, code="step-taken-over"):
    """Another process took over the step."""

    def __init__(self, *, run: str, step: str) -> None:
        super().__init__(
            f"Another process took over the {step} of {run}. What it did not write was not"
            " written twice.",
            run=run,
            step=step,
        )


class StoppedAtBranchError(StaleError, code="checkout-changed"):
    """The checkout is stale, or changed while the run worked."""

    def __init__(self, *, why: str, run: str = "") -> None:
        kept = f" {run} is kept as it is." if run else " Nothing was changed."
        super().__init__(f"The run stopped: {why}.{kept}", why=why, run=run)


class RunCompleteError(ConflictError, code="run-complete"):
    """Nothing of the run is left to do."""

    def __init__(self, label: str) -> None:
        super().__init__(f"Every step of {label} is over; nothing is left to do.", label=label)
