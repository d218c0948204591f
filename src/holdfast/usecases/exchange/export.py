"""Export: everything as lines of JSON, in an order that can be imported again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from holdfast.domain.exchange.anchor_shape import rewrite_json
from holdfast.domain.exchange.bundle_shape import bundle_json
from holdfast.domain.exchange.decision_shape import decision_json
from holdfast.domain.exchange.session_shapes import session_json, turn_json
from holdfast.domain.exchange.shapes import link_json, record_json, span_json, tombstone_json
from holdfast.domain.lookup_errors import IncompleteExportError
from holdfast.domain.memory.selection import Page, Selection
from holdfast.domain.roles.step import step_json
from holdfast.domain.sessions.run import run_json
from holdfast.domain.tasks.finding import TaskFilter
from holdfast.domain.tasks.task_shape import task_json
from holdfast.domain.values import replace
from holdfast.usecases.exchange.agent_lines import agent_lines, ciphertext_lines, export_line
from holdfast.usecases.exchange.document_lines import document_lines
from holdfast.usecases.exchange.session_lines import kept_lines

if TYPE_CHECKING:
    from holdfast.domain.agents.agent import Agent
    from holdfast.domain.ids import MemoryId, SpanId
    from holdfast.domain.memory.anchor import Rewrite
    from holdfast.domain.memory.decision import Decision
    from holdfast.domain.memory.evidence import Span
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord, Tombstone
    from holdfast.domain.recall.bundle import Bundle
    from holdfast.domain.roles.step import RunStep
    from holdfast.domain.sessions.run import Run
    from holdfast.domain.sessions.session import Interaction, Session
    from holdfast.domain.tasks.task import Task
    from holdfast.ports.store.store import Store, Transaction
    from holdfast.usecases.anchors.checking import ViewPorts

FORMAT = 2
"""The format that is written; 1 called a claim ``value``."""
READABLE = frozenset({1, FORMAT})
_PAGE = 500

Named = TypeVar("Named", "Span", "Bundle", "Session", "Run", "Decision", "Agent")


def export_lines(*, store: Store) -> Generator[str, None, None]:
    """Return the whole store as lines: first what memories depend on, then memories in order.

    The event log is not exported: it proves the history of this store and is not content.
    """
    yield export_line("holdfast", {"format": FORMAT})
    with store.reading() as tx:
        yield from (export_line("span", span_json(span)) for span in _pages(tx.anchors.spans.page))
        yield from (export_line("rewrite", rewrite_json(one)) for one in _rewrites(tx))
        yield from (export_line("tombstone", tombstone_json(grave)) for grave in _graves(tx))
        yield from (
            export_line("memory", record_json(record)) for record in _memories(tx, Selection())
        )
        yield from (export_line("link", link_json(link)) for link in _links(tx))
        yield from (
            export_line("bundle", bundle_json(bundle)) for bundle in _pages(tx.bundles.page)
        )
        yield from (export_line("session", session_json(one)) for one in _pages(tx.sessions.page))
        yield from (export_line("turn", turn_json(turn)) for turn in _turns(tx))
        yield from kept_lines((one.id for one in _pages(tx.sessions.page)), tx=tx)
        yield from (export_line("run", run_json(run)) for run in _pages(tx.diary.runs.page))
        yield from (export_line("step", step_json(step)) for step in _steps(tx))
        yield from (export_line("task", task_json(task)) for task in _tasks(tx))
        yield from (export_line("decision", decision_json(one)) for one in _decisions(tx))
        for agent in _pages(tx.diary.agents.names.page):
            yield from agent_lines(agent, tx=tx)
        yield from ciphertext_lines(tx)
        yield from document_lines(tx)
        _report_left_out(store)


def export_here(*, store: Store, ports: ViewPorts) -> Generator[str, None, None]:
    """Return what reaches this checkout as lines: memories, their spans and their links.

    Questions, answers, sessions and decisions are not exported, because they quote other places. A
    memory that is superseded only on a branch keeps its stored status, so that the importing side
    computes its status for its own checkout.
    """
    yield export_line("holdfast", {"format": FORMAT})
    with store.reading() as tx:
        place, view = ports.surroundings.place(), ports.view(tx)
        wanted = Selection(space=place.space, place=place, view=replace(view, replaced={}))
        names: set[MemoryId] = set()
        spans: set[SpanId] = set()
        for record in _memories(tx, wanted):
            names.add(record.memory.id)
            spans |= {item.span for item in record.evidence if item.span is not None}
        cited = tx.anchors.spans.read(spans) if spans else {}
        rewrites = [one for one in _rewrites(tx) if one.repo == place.repo]
        yield from (export_line("span", span_json(cited[name])) for name in sorted(cited))
        yield from (export_line("rewrite", rewrite_json(one)) for one in rewrites)
        yield from (export_line("memory", record_json(record)) for record in _memories(tx, wanted))
        links = (link for link in _links(tx) if {link.src, link.dst} <= names)
        yield from (export_line("link", link_json(link)) for link in links)
        yield from ciphertext_lines(tx, owners=names)
        _report_left_out(store)


def _report_left_out(store: Store) -> None:
    """Raise after the last line if the lines do not hold everything.

    Raises:
        IncompleteExportError: Damaged rows were left out; everything else was exported.
    """
    if left_out := store.left_out:
        raise IncompleteExportError(store.upkeep.facts().location, " ".join(left_out))


def _memories(tx: Transaction, wanted: Selection) -> Iterator[MemoryRecord]:
    page = Page(limit=_PAGE, oldest_first=True)
    while found := tx.memories.find(wanted, page):
        yield from found
        page = replace(page, beyond=found.beyond)


def _links(tx: Transaction) -> Iterator[Link]:
    beyond: Link | None = None
    while found := tx.links.page(beyond=beyond, limit=_PAGE):
        yield from found
        beyond = found[-1]


def _rewrites(tx: Transaction) -> Iterator[Rewrite]:
    beyond: Rewrite | None = None
    while found := tx.anchors.past.rewrites(beyond=beyond, limit=_PAGE):
        yield from found
        beyond = found[-1]


def _steps(tx: Transaction) -> Iterator[RunStep]:
    beyond: str | None = None
    while found := tx.diary.runs.steps.supervised(beyond=beyond, limit=_PAGE):
        for run_id in found:
            yield from tx.diary.runs.steps.of(run_id)
        beyond = found[-1]


def _graves(tx: Transaction) -> Iterator[Tombstone]:
    beyond = ""
    while found := tx.names.tombstones(beyond=beyond, limit=_PAGE):
        yield from found
        beyond = found[-1].memory_id


def _tasks(tx: Transaction) -> Iterator[Task]:
    which = TaskFilter()
    while page := tx.diary.tasks.find(which, limit=_PAGE):
        yield from page
        which = replace(which, beyond=page[-1].id)


def _turns(tx: Transaction) -> list[Interaction]:
    """Return the turns of all sessions by number, so that a new store assigns the same numbers."""
    turns = [turn for session in _pages(tx.sessions.page) for turn in tx.sessions.turns(session.id)]
    return sorted(turns, key=lambda turn: turn.id)


def _decisions(tx: Transaction) -> list[Decision]:
    """Return the decisions in the order they were made, so that a new store has the same order."""
    return list(_pages(tx.diary.decisions.page))[::-1]


def _pages(page: Callable[..., Sequence[Named]]) -> Iterator[Named]:
    beyond: str | None = None
    while found := page(beyond=beyond, limit=_PAGE):
        yield from found
        beyond = found[-1].id
