"""The graph: one memory with the memories, code and tasks around it, as a picture in SVG."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING

from holdfast.domain.choices import EvidenceType
from holdfast.domain.values import dataclass
from holdfast.surfaces.web.call import PageAnswer, PageRoute
from holdfast.surfaces.web.rendering import brief
from holdfast.usecases.tasks.finding import ListTasks

if TYPE_CHECKING:
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.web.call import PageCall

_MOST_NEAR = 14
_MOST_TASKS = 200
_WIDTH, _HEIGHT = 980, 560
_ACROSS, _DOWN = 370, 215
_BOX, _TALL = 190, 46
_LETTERS = 27


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphNode:
    """A box of the picture: its corner, its words, the kind of its link, and where it leads."""

    x: float
    y: float
    words: str
    below: str
    edge: str = ""
    link: str = ""
    is_start: bool = False

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the box."""
        return (self.x + _BOX / 2, self.y + _TALL / 2)


def graph(call: PageCall) -> PageAnswer:
    """Show what is linked with one memory."""
    record = call.app.memories.explain(call.path["id"]).record
    around = _around(call, record)
    centre = _node(_WIDTH / 2, _HEIGHT / 2, record.memory.claim, record.memory.kind.value)
    nodes = [_placed(one, place, len(around)) for place, one in enumerate(around)]
    return PageAnswer(
        template="graph.html",
        values={
            "section": "memories",
            "record": record,
            "centre": centre,
            "nodes": nodes,
            "size": (_WIDTH, _HEIGHT),
            "box": (_BOX, _TALL),
        },
    )


def _around(call: PageCall, record: MemoryRecord) -> list[tuple[str, str, str, str]]:
    """Return the neighbours: words, what they are, how they are linked, and their address."""
    name = record.memory.id
    found = [
        (
            other.memory.claim,
            other.memory.kind.value,
            link.kind if link.src == name else f"{link.kind} this",
            f"/graph/{other.memory.id}",
        )
        for link, other in call.app.memories.related(name, limit=_MOST_NEAR)
    ]
    found += [
        (item.reference, "code", "cites", "")
        for item in record.evidence
        if item.type is EvidenceType.SPAN
    ]
    found += [
        (task.title, f"task, {task.status.value}", "cited by", f"/tasks/{task.id}")
        for task in call.app.tasks.list(ListTasks(limit=_MOST_TASKS)).tasks
        if any(item.reference == name for item in task.evidence)
    ]
    return found[:_MOST_NEAR]


def _placed(one: tuple[str, str, str, str], place: int, many: int) -> GraphNode:
    words, below, edge, link = one
    angle = 2 * pi * place / many - pi / 2
    x, y = _WIDTH / 2 + _ACROSS * cos(angle), _HEIGHT / 2 + _DOWN * sin(angle)
    return _node(x, y, words, below, edge=edge, link=link)


def _node(
    x: float, y: float, words: str, below: str, *, edge: str = "", link: str = ""
) -> GraphNode:
    return GraphNode(
        x=round(x - _BOX / 2, 1),
        y=round(y - _TALL / 2, 1),
        words=brief(words, _LETTERS),
        below=below,
        edge=edge,
        link=link,
        is_start=not edge,
    )


ROUTES = (PageRoute(method="GET", path="/graph/{id}", does=graph),)
