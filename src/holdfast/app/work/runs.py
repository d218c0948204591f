"""Runs and their pages: one method per verb."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import means_of, refuse_tool
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from holdfast.app import Holdfast
    from holdfast.domain.sessions.run import Run
    from holdfast.ports.anchors.surroundings import CommitReader
    from holdfast.ports.pages.files import Notebook
    from holdfast.usecases.pages.runs import RunPorts
    from holdfast.usecases.recall.briefing import Briefing

_NOTHING_YET = (
    "No memory is relevant to this goal yet. "
    "`holdfast remember` adds a decision, a rule or a gotcha with its evidence.\n"
)


class RunsPart(Part):
    """Pieces of work in the repository of an open memory."""

    def __init__(
        self, holdfast: Holdfast, *, commit_reader: CommitReader, notebook: Notebook | None
    ) -> None:
        super().__init__(holdfast)
        self._chronicle = commit_reader
        self._notebook = notebook

    @performs(Operation.RECORD)
    def start(self, *, tool: str, user: str, goal: str = "") -> Run:
        """Start a run here; that of a program begins with the program's name."""
        from holdfast.usecases.pages.runs import start_run

        # A blank name is refused, and not taken for the shell.
        named = self.principal.session_tool(tool) if tool.strip() else tool
        return start_run(tool=named, user=user, goal=goal, at=self._ports())

    @performs(Operation.RECORD)
    def note(self, text: str, *, reference: str | None = None) -> Run:
        """Add a note to a run; a program notes only in its own.

        Raises:
            MayNotError: Somebody else started it.
        """
        from holdfast.usecases.pages.runs import note_run

        own = self._own(reference, act="lets others note in it")
        return note_run(text, reference=own, at=self._ports())

    @performs(Operation.RECORD)
    def finish(
        self, summary: str = "", *, reference: str | None = None, abandon: bool = False
    ) -> Run:
        """Finish a run with a summary; a program finishes only its own.

        Raises:
            MayNotError: Somebody else started it.
        """
        from holdfast.usecases.pages.runs import finish_run

        own = self._own(reference, act="finishes it")
        return finish_run(summary, reference=own, abandon=abandon, at=self._ports())

    @performs(Operation.READ)
    def latest(self, *, limit: int = 20, everywhere: bool = False) -> Sequence[Run]:
        """List runs, newest first."""
        from holdfast.usecases.pages.runs import runs

        return runs(limit=limit, everywhere=everywhere, at=self._ports())

    @performs(Operation.READ)
    def show(self, reference: str | None = None) -> Run:
        """Show a run."""
        from holdfast.usecases.pages.runs import one_run

        return one_run(reference, at=self._ports())

    @performs(Operation.RECORD)
    def write_page(self, run: Run) -> str | None:
        """Write a run's summary as a page; return its path, or None without pages.

        Raises:
            PageLeftError: The page has a text that is not Holdfast's.
        """
        from holdfast.domain.pages.run_page import run_page

        return self._written(f"runs/{run.label}/summary.md", run_page(run))

    @performs(Operation.READ)
    def context(self, goal: str = "") -> Briefing:
        """Return the context pack for a goal: the knowledge that a tool needs before it starts."""
        from holdfast.usecases.recall.briefing import briefing

        return briefing(goal, ports=means_of(self._holdfast))

    @performs(Operation.RECORD)
    def write_context(self, briefing: Briefing) -> str | None:
        """Write the context pack as a page; return its path, or None without pages.

        Raises:
            PageLeftError: The page has a text that is not Holdfast's.
        """
        return self._written("context/active.md", briefing.text or _NOTHING_YET)

    @performs(Operation.READ)
    def journal(self, day: date) -> str:
        """Return the page of a day."""
        from holdfast.usecases.pages.journal import journal

        memory = self._holdfast
        return journal(
            day,
            store=memory.store,
            surroundings=memory.surroundings,
            verifier=memory.verifier,
        )

    @performs(Operation.RECORD)
    def write_journal(self, day: date) -> str | None:
        """Write the page of a day; return its path, or None without pages.

        Raises:
            PageLeftError: The page has a text that is not Holdfast's.
        """
        return self._written(f"journal/{day:%Y-%m-%d}.md", self.journal(day))

    def _written(self, name: str, text: str) -> str | None:
        if self._notebook is None or not self._notebook.exists():
            return None
        path, done = f".holdfast/{name}", self._notebook.write_generated(name, text)
        if done.problem and done.is_there:
            from holdfast.domain.refusals import PageLeftError

            raise PageLeftError(path, done.problem)
        return path if done.is_there else None

    def _own(self, reference: str | None, *, act: str) -> str | None:
        """Return the run that is meant, if the principal may change it."""
        from holdfast.usecases.pages.runs import one_run

        if Operation.DECIDE in self.principal.may:
            return reference
        run = one_run(reference, at=self._ports())
        refuse_tool(self._holdfast, run.tool, what=f"the run {run.label}", act=act)
        return run.id

    def _ports(self) -> RunPorts:
        from holdfast.domain.sessions.cache import author_of
        from holdfast.usecases.pages.runs import RunPorts

        principal = self.principal
        return RunPorts(
            author=author_of(principal.origin, principal.name),
            owns=principal.owns,
            store=self._holdfast.store,
            clock=self._holdfast.clock,
            surroundings=self._holdfast.surroundings,
            commit_reader=self._chronicle,
        )
