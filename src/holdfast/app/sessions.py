"""Sessions: the conversations of tools, turn by turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import refuse_others
from holdfast.app.performing import Part, performs
from holdfast.domain.memory.callers import Operation

if TYPE_CHECKING:
    from holdfast.domain.memory.selection import Slice
    from holdfast.domain.sessions.session import Interaction, Session


class SessionsPart(Part):
    """The sessions of a space."""

    @performs(Operation.RECORD)
    def start(self, *, tool: str, user: str) -> Session:
        """Start a session; that of a program begins with the program's name."""
        from holdfast.usecases.sessions.sessions import start_session

        holdfast = self._holdfast
        return start_session(
            tool=self.principal.session_tool(tool),
            user=user,
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
        )

    @performs(Operation.RECORD)
    def add_turn(self, reference: str, turn: Interaction) -> Interaction:
        """Record a turn of a session."""
        from holdfast.app.session_cache import session_ports_of, write_kept
        from holdfast.usecases.sessions.sessions import add_turn

        kept = add_turn(reference, turn, ports=session_ports_of(self._holdfast))
        write_kept(self._holdfast, kept.session_id)
        return kept

    @performs(Operation.RECORD)
    def end(self, reference: str) -> Session:
        """End a session; a program ends only its own.

        Raises:
            MayNotError: Somebody else started it.
        """
        from holdfast.usecases.sessions.sessions import end_session

        refuse_others(self._holdfast, reference)
        return end_session(reference, store=self._holdfast.store, clock=self._holdfast.clock)

    @performs(Operation.READ)
    def latest(
        self, *, limit: int = 20, everywhere: bool = True, beyond: str | None = None
    ) -> Slice[Session]:
        """List the sessions of every repository, or of this one only, newest first."""
        from holdfast.usecases.sessions.sessions import sessions

        holdfast = self._holdfast
        return sessions(
            limit=limit,
            everywhere=everywhere,
            beyond=beyond,
            store=holdfast.store,
            surroundings=holdfast.surroundings,
        )
