"""The specialists that do the steps of a run, and what is watched and read for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from holdfast.domain.checks.change import CommandEnd
from holdfast.domain.code.commits import CommitRecord
from holdfast.domain.roles.checkout import CheckoutState
from holdfast.domain.roles.step import StepWork
from holdfast.domain.sessions.transcript import Transcript
from holdfast.ports.anchors.surroundings import CommitRanges


class SpecialistEnd(NamedTuple):
    """What a specialist answered; ``problem`` says why there is no answer."""

    outputs: object
    problem: str = ""


class Specialists(Protocol):
    """Asks specialists. An answer depends on the inputs only, and is never trusted."""

    def chosen(self, work: StepWork) -> str:
        """Return the name of the specialist that a setting chooses for a sort of work."""
        ...

    def ask(
        self, name: str, work: StepWork, inputs: Mapping[str, object], *, seconds: float
    ) -> SpecialistEnd:
        """Return the answer of a specialist; it must be stopped when its time is up."""
        ...


class BranchWatch(Protocol):
    """Looks at the checkout between the steps of a run."""

    def look(self, since: CheckoutState | None = None) -> CheckoutState:
        """Return the branch and the commit that are checked out; both None outside git.

        If its commit does not contain that of ``since``, the lineage must say so.
        """
        ...

    def fork(self, before: CheckoutState, now: CheckoutState) -> str:
        """Give the new branch or history caches of its own; return what was done, in words."""
        ...


class CommitMessages(CommitRanges, Protocol):
    """The messages of commits, without their changes."""

    def messages(self, commits: Sequence[str]) -> Sequence[CommitRecord]:
        """Return the messages of commits in the given order, with one process of git.

        Raises:
            OutsideUnavailableError: Git cannot read them, for example because one is gone.
        """
        ...

    def mentions(self, name: str) -> bool:
        """Tell whether a tracked file that is no prose has a name as a whole word, or is named so.

        Raises:
            OutsideUnavailableError: Git cannot search.
        """
        ...


class NewTranscript(NamedTuple):
    """The new part of a session in a file of a tool."""

    path: str
    transcript: Transcript


class TranscriptShelf(Protocol):
    """The transcripts of coding tools that belong to this project."""

    def new(self, *, most: int) -> tuple[Sequence[NewTranscript], Sequence[str]]:
        """Return what is new since the bookmarks, and what could not be read, in words."""
        ...

    def again(self, tool: str, path: str, session: str) -> Transcript | None:
        """Return a session as its file has it now; None if it is gone."""
        ...

    def mark(self, path: str, session: str, turn: str) -> None:
        """Store that a session in a file was read up to a turn."""
        ...


class NamedCommands(Protocol):
    """The commands that a person allowed the executor to run in this clone, by name."""

    def allowed(self) -> Mapping[str, str]:
        """Return the text of each command that may run here, by its name."""
        ...

    def refusal(self, name: str) -> str:
        """Return why a command does not run here; empty if a person allowed exactly its text.

        A command must be refused if a script that its text names changed since.
        """
        ...

    def files(self, name: str) -> Sequence[str]:
        """Return the scripts whose content was recorded when a command was allowed."""
        ...

    def run(self, name: str, *, seconds: float) -> CommandEnd:
        """Run an allowed command in the root of the clone, within its limits."""
        ...

    def allow(self, name: str, command: str, *, by: str) -> None:
        """Record that a command may run here; another command of that name is replaced.

        Raises:
            NoHistoryError: There is no repository.
            BadFieldError: Nothing can be accepted here, with the reason.
        """
        ...

    def disallow(self, name: str) -> bool:
        """Take that back; return whether it was allowed."""
        ...


class Workers(Protocol):
    """The processes that work on steps."""

    def own_name(self) -> str:
        """Return the name of this process, which no other process has at the same time."""
        ...

    def lives(self, name: str) -> bool:
        """Tell whether a process may still run; one of another machine must count as running."""
        ...


class SpecialistPlugIn(Protocol):
    """A specialist of another package; it runs in a process of its own, which can be killed.

    Plug-ins offer one under the entry point group ``holdfast.specialist``: a function without
    arguments that returns a specialist.
    """

    def answer(
        self, work: str, inputs: Mapping[str, object], *, seconds: float
    ) -> Mapping[str, object]:
        """Return the answer as JSON values; what does not have the shape of the work is dropped."""
        ...
