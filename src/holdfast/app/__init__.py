"""The application: one object with parts. Start reading here.

A part holds the verbs of one subject. Each part imports its use cases when they are called, so a
command loads only what it uses. Each verb is checked against the principal first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.part_ports import here
from holdfast.domain.choices import Deep, Retrieval
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from typing import TypeVar

    from holdfast.app.access import AccessPart
    from holdfast.app.answers import AnswersPart
    from holdfast.app.attachments import Attachments, Carrier
    from holdfast.app.care import Care
    from holdfast.app.checks import ChecksPart
    from holdfast.app.code import Code
    from holdfast.app.curation import Curation
    from holdfast.app.documents import DocumentsPart
    from holdfast.app.encryption import EncryptionPart
    from holdfast.app.evidence import EvidenceChecks
    from holdfast.app.exchange import Exchange
    from holdfast.app.filing import Filing
    from holdfast.app.intake import Intake
    from holdfast.app.jobs import JobsPart
    from holdfast.app.measured import MeasuredPart
    from holdfast.app.memories import MemoriesPart
    from holdfast.app.page_writer import PageWriter
    from holdfast.app.performing import Part
    from holdfast.app.service import ServicePart
    from holdfast.app.session_cache import CachePart
    from holdfast.app.sessions import SessionsPart
    from holdfast.app.upkeep import UpkeepPart
    from holdfast.app.work.agents import AgentsPart
    from holdfast.app.work.roles import RolesPart
    from holdfast.app.work.runs import RunsPart
    from holdfast.app.work.tasks import TasksPart
    from holdfast.app.work.workspaces import WorkspacesPart
    from holdfast.domain.care.pruning import PrunePolicy
    from holdfast.domain.memory.callers import Principal
    from holdfast.domain.memory.place import Place
    from holdfast.ports.anchors.surroundings import Surroundings
    from holdfast.ports.anchors.verifier import Verifier
    from holdfast.ports.clock import Clock
    from holdfast.ports.encryption.ciphering import KeyRing
    from holdfast.ports.heuristics import Heuristics
    from holdfast.ports.pages.files import Traces
    from holdfast.ports.pair_reader import PairReader
    from holdfast.ports.recall.bundle_keeper import BundleKeeper
    from holdfast.ports.recall.code import CodeIndex, HistoryIndex
    from holdfast.ports.recall.models import AnswerReader, Embedder, Reranker, TokenCounter
    from holdfast.ports.store.store import Store

    AnyPart = TypeVar("AnyPart", bound=Part)


def _usual_pruning() -> PrunePolicy:
    from holdfast.domain.care.pruning import PrunePolicy

    return PrunePolicy()


def _no_traces(_repo: str | None) -> Sequence[Traces]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdfast:
    """The memory of one space, opened for one principal. Every surface uses one of these."""

    principal: Principal
    store: Store
    clock: Clock
    counter: TokenCounter
    surroundings: Surroundings
    heuristics: Heuristics
    embedder: Embedder | None = None
    older_embedders: tuple[Embedder, ...] = ()
    broken_model: str = ""
    """Why the chosen model cannot be used; empty if it can, or if none is chosen."""
    retrieval: Retrieval = Retrieval.HYBRID
    reranker: Reranker | None = None
    reader: Callable[[], Reranker] | None = None
    """Return the model that reads the best hits again, if they are turns or code."""
    answer_reader: Callable[[], AnswerReader] | None = None
    """Return the model that reads the best claims again."""
    pair_reader: Callable[[], PairReader] | None = None
    """Return the model that reads two claims together, as advice; None reads none."""
    deep: Deep = Deep.OFF
    """When the best hits are read again, if a question does not say."""
    looks_twice: bool = False
    """Whether ``auto`` reads the best claims if no memory rather surely answers."""
    verifier: Verifier | None = None
    code_index: CodeIndex | None = None
    history_index: HistoryIndex | None = None
    attachments: Attachments | None = None
    most_waiting: int = 500
    """How many candidates of one source may wait for a person; 0 is no limit."""
    most_hourly: int = 0
    """How many candidates of one source may come within an hour; 0 is no limit."""
    longest_wait: float | None = None
    """The most seconds that a caller waits for an answer; None is no limit."""
    carrier: Carrier | None = None
    """Carries out calls on a server, if the memory is on one."""
    keeper: BundleKeeper | None = None
    """Stores the bundles of several threads together, in a process that has many."""
    keys: KeyRing | None = None
    """The encryption keys of this store that are known on this machine."""
    traces_of: Callable[[str | None], Sequence[Traces]] = _no_traces
    """Find places outside the store that may contain the texts of a repository's memories."""
    prune_policy: Callable[[], PrunePolicy] = _usual_pruning
    """Return the policy of pruning, which is read from the settings when it is needed."""

    def __post_init__(self) -> None:
        """Refuse a principal of another space.

        Raises:
            NoSuchStoreError: The store is not of the principal's space.
        """
        if self.principal.space != self.store.space:
            from holdfast.domain.access_errors import NoSuchStoreError

            raise NoSuchStoreError(self.principal.space)

    def _carried(self, part: AnyPart) -> AnyPart:
        """Return a part, or one whose calls are carried out on a server."""
        return part if self.carrier is None else self.carrier.carry(part, self)

    @property
    def waiting_limit(self) -> int:
        """The limit of waiting candidates for this principal; a person has none."""
        return 0 if self.principal.kind == "person" else self.most_waiting

    @property
    def hourly_limit(self) -> int:
        """The limit of candidates within an hour for this principal; a person has none."""
        return 0 if self.principal.kind == "person" else self.most_hourly

    @property
    def memories(self) -> MemoriesPart:
        """Keep, list, explain, pin, link and forget memories."""
        from holdfast.app.memories import MemoriesPart

        return self._carried(MemoriesPart(self))

    @property
    def answers(self) -> AnswersPart:
        """Recall, rate answers, and learn from the ratings."""
        from holdfast.app.answers import AnswersPart

        return self._carried(AnswersPart(self))

    @property
    def evidence(self) -> EvidenceChecks:
        """Check the evidence of memories against the repository."""
        from holdfast.app.evidence import EvidenceChecks

        return self._carried(EvidenceChecks(self))

    @property
    def checks(self) -> ChecksPart:
        """Run the checks of memories, and accept the commands among them."""
        from holdfast.app.checks import ChecksPart

        return ChecksPart(self)

    @property
    def code(self) -> Code:
        """Index and show the code of the repository."""
        from holdfast.app.code import Code

        return Code(self)

    @property
    def review(self) -> Curation:
        """Review candidates and conflicts, decide, undo and revert."""
        from holdfast.app.curation import Curation

        return self._carried(Curation(self))

    @property
    def care(self) -> Care:
        """Find what is stale, duplicate or junk, and tidy it."""
        from holdfast.app.care import Care

        return self._carried(Care(self, log=here(self.attachments).health_log()))

    @property
    def upkeep(self) -> UpkeepPart:
        """Check, repair and rebuild the store."""
        from holdfast.app.upkeep import UpkeepPart

        return self._carried(UpkeepPart(self))

    @property
    def jobs(self) -> JobsPart:
        """Bulk work in parts that many workers share."""
        from holdfast.app.jobs import JobsPart

        return JobsPart(self)

    @property
    def sessions(self) -> SessionsPart:
        """Record the sessions of tools."""
        from holdfast.app.sessions import SessionsPart

        return self._carried(SessionsPart(self))

    @property
    def session_cache(self) -> CachePart:
        """Tell a new session where the work stands, and keep what the next one needs."""
        from holdfast.app.session_cache import CachePart

        return CachePart(self)

    @property
    def tasks(self) -> TasksPart:
        """Plan work as tasks, claim them, and finish them."""
        from holdfast.app.work.tasks import TasksPart

        return TasksPart(self)

    @property
    def runs(self) -> RunsPart:
        """Record pieces of work, and write their pages."""
        from holdfast.app.work.runs import RunsPart

        attachments = here(self.attachments)
        return self._carried(
            RunsPart(
                self, commit_reader=attachments.commit_reader(), notebook=attachments.notebook()
            )
        )

    @property
    def roles(self) -> RolesPart:
        """Supervise runs: hand their steps to specialists, replay and resume them."""
        from holdfast.app.work.roles import RolesPart

        return RolesPart(self)

    @property
    def workspaces(self) -> WorkspacesPart:
        """Keep folders in snapshots, compare and restore them."""
        from holdfast.app.work.workspaces import WorkspacesPart

        return WorkspacesPart(self)

    @property
    def agents(self) -> AgentsPart:
        """Open agents, record their cycles, and look at what they did."""
        from holdfast.app.work.agents import AgentsPart

        return AgentsPart(self)

    @property
    def pages(self) -> Filing:
        """Bring the pages of the repository and the store in line."""
        return here(self.attachments).pages(self)

    @property
    def page_writer(self) -> PageWriter:
        """Write the pages of the repository after a decision."""
        from holdfast.app.page_writer import PageWriter

        return PageWriter(self)

    @property
    def intake(self) -> Intake:
        """Propose candidates from conversations and other tools' notes."""
        return self.intake_using(None)

    def intake_using(self, proposer: str | None) -> Intake:
        """Return the intake with another proposer than the one that is set."""
        from holdfast.app.intake import Intake

        attachments = here(self.attachments)
        return self._carried(
            Intake(
                self,
                proposer=attachments.proposer(self, proposer),
                documents=attachments.documents(),
            )
        )

    @property
    def exchange(self) -> Exchange:
        """Export everything, and import an export."""
        from holdfast.app.exchange import Exchange

        return self._carried(Exchange(self))

    @property
    def access(self) -> AccessPart:
        """Create, list and revoke the tokens of programs that use this space over the network."""
        from holdfast.app.access import AccessPart

        return AccessPart(self)

    @property
    def encryption(self) -> EncryptionPart:
        """Encrypt what is sensitive, read it, and look after the keys."""
        from holdfast.app.encryption import EncryptionPart

        return self._carried(EncryptionPart(self))

    @property
    def documents(self) -> DocumentsPart:
        """Keep the records of frameworks, in a store of the memory service."""
        from holdfast.app.documents import DocumentsPart

        return DocumentsPart(self)

    @property
    def service(self) -> ServicePart:
        """Answer the calls of the memory service, in a store of its own."""
        from holdfast.app.service import ServicePart

        return ServicePart(self)

    @property
    def measured(self) -> MeasuredPart:
        """Measure this memory."""
        from holdfast.app.measured import MeasuredPart

        return MeasuredPart(self)

    @property
    def warnings(self) -> Sequence[str]:
        """The problems of a store that can still be used."""
        return self.store.warnings

    def place(self) -> Place:
        """Return the space, repository and branch that memories are seen from."""
        return self.surroundings.place()

    def now(self) -> datetime:
        """Return the current time."""
        return self.clock.now()

    def close(self) -> None:
        """Close the store and the indexes.

        An open index would write its log into its file at a random later moment: when Python
        happens to collect it.
        """
        indexes = (self.code_index, self.history_index)
        for index in [one for one in indexes if one is not None]:
            index.close()
        self.store.close()
