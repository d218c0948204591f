"""Intake: candidates from conversations and from other tools' notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.performing import REHEARSAL, Part, performs, when
from holdfast.domain.memory.callers import DOORS, Operation, PrincipalKind
from holdfast.domain.values import replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.app import Holdfast
    from holdfast.domain.sessions.run import Run
    from holdfast.ports.pages.files import Documents
    from holdfast.ports.sessions.proposer import Proposer
    from holdfast.ports.sessions.transcripts import Bookmarks, TranscriptReader
    from holdfast.usecases.exchange.take_over import TakenOver, TakeOver
    from holdfast.usecases.sessions.propose import Propose, Proposed
    from holdfast.usecases.sessions.sessions import ReadTranscripts, TranscriptPart

_ALLOWS_SECRETS = "allow"
_DECIDES = when(lambda wish: wish.secrets == _ALLOWS_SECRETS, Operation.DECIDE, "with a secret")


class Intake(Part):
    """Proposes candidates from conversations and other tools' notes, with the chosen proposer."""

    def __init__(
        self,
        holdfast: Holdfast,
        *,
        proposer: Proposer | None = None,
        documents: Documents | None = None,
    ) -> None:
        super().__init__(holdfast)
        self._proposer = proposer
        self._documents = documents

    @performs(Operation.PROPOSE, REHEARSAL)
    def propose(self, wish: Propose) -> Proposed:
        """Keep the decisions of a conversation as candidates."""
        from holdfast.usecases.sessions.propose import ProposerSetup, propose

        holdfast = self._holdfast
        return propose(
            replace(
                wish,
                origin=self.principal.at_most(wish.origin),
                most_waiting=holdfast.waiting_limit,
                most_hourly=holdfast.hourly_limit,
            ),
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            verifier=holdfast.verifier,
            reading=ProposerSetup(
                heuristics=holdfast.heuristics,
                proposer=self._proposer,
                documents=self._documents,
            ),
        )

    @performs(Operation.PROPOSE)
    def propose_run(self, run: Run) -> Proposed:
        """Keep the decisions in the notes and the summary of a run as candidates."""
        from holdfast.domain.sessions.run import as_transcript
        from holdfast.usecases.sessions.propose import Propose

        is_persons = self.principal.kind is PrincipalKind.PERSON
        source = "" if is_persons else self.principal.source(None, door=DOORS[0])
        return self.propose(Propose(transcript=as_transcript(run), run=run.label, source=source))

    @performs(Operation.READ)
    def read_on(
        self, wish: ReadTranscripts, *, reader: TranscriptReader, bookmarks: Bookmarks
    ) -> Iterator[TranscriptPart]:
        """Return the turns in a tool's transcripts since the last reading."""
        from holdfast.usecases.sessions.sessions import read_on

        return read_on(wish, reader=reader, bookmarks=bookmarks)

    @performs(Operation.PROPOSE, REHEARSAL, _DECIDES)
    def take_over(self, wish: TakeOver) -> TakenOver:
        """Keep other tools' notes as candidates, or return what would be kept."""
        from holdfast.usecases.exchange.take_over import take_over

        holdfast = self._holdfast
        at_most = self.principal.at_most
        notes = tuple(replace(note, origin=at_most(note.origin)) for note in wish.notes)
        return take_over(
            replace(wish, notes=notes),
            store=holdfast.store,
            clock=holdfast.clock,
            surroundings=holdfast.surroundings,
            verifier=holdfast.verifier,
            heuristics=holdfast.heuristics,
        )
