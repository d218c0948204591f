"""Everything holdfast can do, one method per verb. Start reading here.

Each verb loads its own use case when it is first called, so that a command pays
only for what it does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.parts import here, looker_of, means_of, world_of
from holdfast.domain.choices import Origin, Retrieval
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Sequence

    from holdfast.domain.anchor import Sighting
    from holdfast.domain.bundle import Bundle
    from holdfast.domain.code import Indexed
    from holdfast.domain.commits import CommitsRead
    from holdfast.domain.evidence import FilePlace, Span
    from holdfast.domain.health import Finding, Repair
    from holdfast.domain.ids import BundleId
    from holdfast.domain.link import Link
    from holdfast.domain.memory import MemoryRecord
    from holdfast.domain.question import Question
    from holdfast.domain.rendering import Recalled
    from holdfast.domain.run import Run
    from holdfast.domain.session import Interaction, Session
    from holdfast.ports.clock import Clock
    from holdfast.ports.code import CodeIndex, HistoryIndex
    from holdfast.ports.embedder import Embedder
    from holdfast.ports.reranker import Reranker
    from holdfast.ports.store import Store
    from holdfast.ports.surroundings import Surroundings
    from holdfast.ports.tokens import TokenCounter
    from holdfast.ports.traces import Traces
    from holdfast.ports.upkeep import Progress
    from holdfast.ports.witness import Witness
    from holdfast.usecases.blame import Governing
    from holdfast.usecases.branches import Difference
    from holdfast.usecases.browse import Browse, Listing, Placing, Provenance, SessionPage
    from holdfast.usecases.exchange import Brought
    from holdfast.usecases.forget import Forget, Forgotten
    from holdfast.usecases.inspect import State
    from holdfast.usecases.learn import Learn, Lesson
    from holdfast.usecases.recall import Replay
    from holdfast.usecases.remember import Remember, Remembered
    from holdfast.usecases.screening import SecretPolicy
    from holdfast.usecases.surround import Surround
    from holdfast.usecases.verify import CheckedMemory, Verification, Verify


def _no_traces(_repo: str | None) -> Sequence[Traces]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdfast:
    """A memory, opened. Every surface holds one of these and nothing else."""

    store: Store
    clock: Clock
    counter: TokenCounter
    surroundings: Surroundings
    embedder: Embedder | None = None
    older_embedders: tuple[Embedder, ...] = ()
    retrieval: Retrieval = Retrieval.HYBRID
    reranker: Reranker | None = None
    witness: Witness | None = None
    code: CodeIndex | None = None
    history: HistoryIndex | None = None
    traces_of: Callable[[str | None], Sequence[Traces]] = _no_traces
    """The places outside the store that may hold what memories of a repository say."""

    def remember(self, wish: Remember) -> Remembered:
        """Keep a claim with its evidence."""
        return self.remember_all([wish])[0]

    def remember_all(self, wishes: Sequence[Remember]) -> Sequence[Remembered]:
        """Keep many claims in one durable step."""
        from holdfast.usecases.remember import remember_all

        return remember_all(
            wishes,
            store=self.store,
            clock=self.clock,
            surroundings=self.surroundings,
            witness=self.witness,
        )

    def recall(self, question: Question) -> Recalled:
        """Answer a question from memory, explained, inside its budget."""
        from holdfast.usecases.recall import recall

        return recall(question, means=means_of(self))

    def answer(self, question: Question) -> Recalled:
        """Answer a question and leave no trace: nothing is kept, nothing counted."""
        from holdfast.usecases.recall import answer

        return answer(question, means=means_of(self))

    def catch_up(self, progress: Progress) -> int:
        """Embed the memories that have no vector of the chosen model yet; return how many."""
        from holdfast.domain.lookup_errors import NoModelError
        from holdfast.usecases.embedding import catch_up

        if self.embedder is None:
            raise NoModelError
        return catch_up(
            store=self.store, clock=self.clock, embedder=self.embedder, progress=progress
        ).memories

    def replay(self, reference: str) -> Replay:
        """Ask a kept bundle's question again and compare."""
        from holdfast.usecases.recall import replay

        return replay(reference, means=means_of(self))

    def shown(self, reference: str) -> Recalled:
        """Show a kept bundle with its memories as they are now."""
        from holdfast.usecases.recall import shown

        return shown(reference, store=self.store, clock=self.clock)

    def feedback(self, reference: str, *, good: bool, origin: Origin = Origin.HUMAN) -> BundleId:
        """Say whether a bundle helped."""
        from holdfast.usecases.recall import feedback

        return feedback(reference, good=good, origin=origin, store=self.store, clock=self.clock)

    def learn(self, wish: Learn) -> Lesson:
        """Learn from rated answers how this space weighs what speaks for a memory."""
        from holdfast.usecases.learn import learn

        return learn(wish, store=self.store, clock=self.clock, surroundings=self.surroundings)

    def reset_weights(self, *, dry_run: bool = False) -> Lesson:
        """Let this space weigh by the defaults again."""
        from holdfast.usecases.learn import reset_weights

        return reset_weights(
            dry_run=dry_run, store=self.store, clock=self.clock, surroundings=self.surroundings
        )

    def undo_weights(self, *, dry_run: bool = False) -> Lesson:
        """Let this space weigh as it did before it learned last."""
        from holdfast.usecases.learn import undo_weights

        return undo_weights(
            dry_run=dry_run, store=self.store, clock=self.clock, surroundings=self.surroundings
        )

    def browse(self, wish: Browse) -> Listing:
        """List memories."""
        from holdfast.usecases.browse import browse

        return browse(wish, store=self.store, looker=looker_of(self))

    def show(self, reference: str) -> MemoryRecord | Bundle | Span | Run | SessionPage:
        """Show whatever has that id."""
        from holdfast.usecases.browse import one_thing

        return one_thing(reference, store=self.store, looker=looker_of(self))

    def explain(self, reference: str) -> Provenance:
        """Say where a memory comes from."""
        from holdfast.usecases.browse import provenance

        return provenance(reference, store=self.store, looker=looker_of(self))

    def explain_in_bundle(self, bundle: str, memory: str) -> Placing:
        """Say why a bundle gave or withheld a memory."""
        from holdfast.usecases.browse import placing

        return placing(bundle, memory, store=self.store)

    def related(self, reference: str, *, limit: int = 20) -> Sequence[tuple[Link, MemoryRecord]]:
        """Return a memory's neighbours."""
        from holdfast.usecases.browse import related

        return related(reference, limit=limit, store=self.store, looker=looker_of(self))

    def verify(self, wish: Verify) -> Verification:
        """Check what memories rest on against the repository."""
        from holdfast.usecases.verify import verify

        return verify(wish, world=world_of(self))

    def checks_of(self, records: Sequence[MemoryRecord]) -> Sequence[CheckedMemory]:
        """Check the evidence of memories that are at hand."""
        from holdfast.usecases.verify import checks_of

        return checks_of(records, world=world_of(self))

    def sight(self, span: Span) -> Sighting:
        """Say what became of a place in a file."""
        return here(self.witness).examine([span])[span.id]

    def blame(self, place: FilePlace) -> Sequence[Governing]:
        """Say which memories govern a line of a file."""
        from holdfast.usecases.blame import blame

        return blame(place, world=world_of(self))

    def difference(self, base: str, tip: str) -> Difference:
        """Say what knowledge a branch adds, changes, contradicts and puts in doubt."""
        from holdfast.usecases.branches import difference

        return difference(base, tip, world=world_of(self))

    def surround(self, reference: str, *, limit: int = 40) -> Surround:
        """Show a symbol, those around it, and the memories that govern it."""
        from holdfast.usecases.surround import surround

        return surround(reference, limit=limit, code=here(self.code), world=world_of(self))

    def index_code(self, progress: Progress, *, anew: bool = False) -> Indexed:
        """Bring the code index in line with the checkout."""
        return here(self.code).refresh(progress, anew=anew)

    def read_history(self, progress: Progress, *, since: str | None = None) -> CommitsRead:
        """Read the commits of this repository as evidence that can be searched."""
        return here(self.history).refresh(progress, since=since)

    def note_rewrites(self, pairs: Sequence[tuple[str, str]]) -> int:
        """Note that commits took others' places, as git tells it."""
        from holdfast.usecases.note_history import note_rewrites

        return note_rewrites(pairs, world=world_of(self))

    def note_head(self) -> bool:
        """Note where the branch we are on stands now."""
        from holdfast.usecases.note_history import note_head

        return note_head(world=world_of(self))

    def forget(self, wish: Forget) -> Forgotten:
        """Remove a memory so that no byte of it stays, here and in what was written from it."""
        from holdfast.usecases.forget_everywhere import forget_everywhere

        return forget_everywhere(wish, store=self.store, clock=self.clock, traces_of=self.traces_of)

    def propose_forgetting(self, wish: Forget) -> MemoryRecord:
        """Propose to a person that a memory be forgotten."""
        from holdfast.usecases.forget import propose_forgetting

        return propose_forgetting(wish, store=self.store, clock=self.clock)

    def pin(self, reference: str, *, pinned: bool = True, label: str | None = None) -> MemoryRecord:
        """Pin a memory, or let it go."""
        from holdfast.usecases.curate import set_pin

        return set_pin(reference, pinned=pinned, label=label, store=self.store, clock=self.clock)

    def pin_span(self, reference: str, *, pinned: bool = True, label: str | None = None) -> Span:
        """Pin a place in a file, or let it go."""
        from holdfast.usecases.curate import set_span_pin

        return set_span_pin(
            reference, pinned=pinned, label=label, store=self.store, clock=self.clock
        )

    def link(self, link: Link) -> Link:
        """Link two memories."""
        from holdfast.usecases.curate import connect

        return connect(link, store=self.store, clock=self.clock)

    def unlink(self, link: Link) -> bool:
        """Take a link away."""
        from holdfast.usecases.curate import disconnect

        return disconnect(link, store=self.store, clock=self.clock)

    def approve(self, reference: str, *, by: str, shown_hash: str | None = None) -> MemoryRecord:
        """Accept a candidate as knowledge."""
        from holdfast.usecases.curate import approve

        return approve(reference, by=by, shown_hash=shown_hash, store=self.store, clock=self.clock)

    def reject(self, reference: str, *, by: str, reason: str = "") -> MemoryRecord:
        """Refuse a candidate."""
        from holdfast.usecases.curate import reject

        return reject(reference, by=by, reason=reason, store=self.store, clock=self.clock)

    def start_session(self, *, tool: str, user: str) -> Session:
        """Begin a sitting."""
        from holdfast.usecases.sit import start_session

        return start_session(
            tool=tool,
            user=user,
            store=self.store,
            clock=self.clock,
            surroundings=self.surroundings,
        )

    def add_turn(self, reference: str, turn: Interaction) -> Interaction:
        """Record a turn of a sitting."""
        from holdfast.usecases.sit import add_turn

        return add_turn(reference, turn, store=self.store, clock=self.clock)

    def end_session(self, reference: str) -> Session:
        """End a sitting."""
        from holdfast.usecases.sit import end_session

        return end_session(reference, store=self.store, clock=self.clock)

    def sessions(self, *, limit: int = 20) -> Sequence[Session]:
        """List sittings, newest first."""
        from holdfast.usecases.sit import sessions

        return sessions(limit=limit, store=self.store)

    def export(self, *, here_only: bool = False) -> Generator[str, None, None]:
        """Return everything, or only what reaches this checkout, as lines of JSON."""
        from holdfast.usecases.export import export_here, export_lines

        if here_only:
            return export_here(store=self.store, looker=looker_of(self))
        return export_lines(store=self.store)

    def bring_in(
        self,
        lines: Iterable[str],
        *,
        secrets: SecretPolicy | None = None,
        tell: Callable[[Brought], None] = lambda _: None,
    ) -> Brought:
        """Take an export in; what is here already stays as it is."""
        from holdfast.usecases.exchange import bring_in
        from holdfast.usecases.screening import SecretPolicy

        return bring_in(
            lines,
            store=self.store,
            clock=self.clock,
            secrets=secrets or SecretPolicy.REFUSE,
            tell=tell,
        )

    def status(self, *, everywhere: bool = False) -> State:
        """Say how much is remembered, and what waits for a person."""
        from holdfast.usecases.inspect import status

        return status(
            store=self.store,
            clock=self.clock,
            looker=looker_of(self),
            embedder=self.embedder,
            everywhere=everywhere,
        )

    def check(self, progress: Progress) -> Sequence[Finding]:
        """Check everything the store holds."""
        return self.store.upkeep.check(progress)

    def repair(self, progress: Progress) -> Repair:
        """Rescue what can be read; keep the damaged file."""
        return self.store.upkeep.repair(progress)

    def rebuild(self, progress: Progress) -> int:
        """Make everything derived anew."""
        return self.store.upkeep.rebuild(progress)

    def close(self) -> None:
        """Let go of the store."""
        self.store.close()
