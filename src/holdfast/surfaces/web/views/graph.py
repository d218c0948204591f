"""The graph: one thing with the memories, code and tasks around it, as a picture in SVG."""

from __future__ import annotations

from math import cos, pi, sin
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from holdfast.domain.choices import EvidenceType
from holdfast.domain.errors import InvalidError, NotFoundError
from holdfast.domain.memory.evidence import read_place
from holdfast.domain.values import dataclass
from holdfast.surfaces.web.call import PageAnswer, PageRoute, address
from holdfast.surfaces.web.problems import problem_values, status_of
from holdfast.surfaces.web.rendering import brief
from holdfast.usecases.tasks.finding import ListTasks

if TYPE_CHECKING:
    from holdfast.surfaces.web.call import PageCall

_MOST_NEAR = 14
_MOST_TASKS = 200
_WIDTH, _ACROSS, _EDGE = 980, 370, 24
_TALLER = ((2, 120), (4, 260), (8, 400), (_MOST_NEAR, 560))
_BOX, _TALL = 190, 46
_ROOM = _BOX - 20
"""How wide the words of a box may be, in pixels."""
_NARROW, _CAPITAL, _WIDE = 7, 9, 13
_WIDE_LETTERS = frozenset("MWmw@%…")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStart:
    """The thing in the middle of a picture: its words, what it is, and its own page."""

    words: str
    below: str
    link: str = ""


Near = tuple[str, str, str, str]
"""A neighbour: its words, what it is, how it is linked, and its address."""


def graph(call: PageCall) -> PageAnswer:
    """Show the memories, code and tasks around one memory, one task or some lines of code.

    Lines that are none are explained above the form, which keeps what was typed.
    """
    name = call.path.get("id", "")
    problem, status = None, 200
    if not name:
        try:
            start, around = _around_code(call, call.word("code"))
        except (InvalidError, NotFoundError) as error:
            start, around = GraphStart(words="", below="code"), []
            problem, status = problem_values(error, call), status_of(error)
    elif name.startswith("t_"):
        start, around = _around_task(call, name)
    else:
        start, around = _around_memory(call, name)
    around = around[:_MOST_NEAR]
    height = _height(len(around))
    centre = _node(_WIDTH / 2, height / 2, start.words, start.below)
    nodes = [_placed(one, place, len(around), height) for place, one in enumerate(around)]
    left, width = _extent([centre, *nodes])
    return PageAnswer(
        template="graph.html",
        values={
            "section": "memories",
            "start": start,
            "centre": centre,
            "nodes": nodes,
            "size": (left, width, height),
            "box": (_BOX, _TALL),
            "code": call.word("code"),
            "problem": problem,
        },
        status=status,
    )


def _around_memory(call: PageCall, reference: str) -> tuple[GraphStart, list[Near]]:
    record = call.app.memories.explain(reference).record
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
        (item.reference, "code", "cites", code_address(item.reference))
        for item in record.evidence
        if item.type is EvidenceType.SPAN
    ]
    found += [
        (task.title, f"task, {task.status.value}", "cited by", f"/graph/{task.id}")
        for task in call.app.tasks.list(ListTasks(limit=_MOST_TASKS)).tasks
        if any(item.reference == name for item in task.evidence)
    ]
    memory = record.memory
    start = GraphStart(words=memory.claim, below=memory.kind.value, link=f"/memories/{name}")
    return start, found


def _around_task(call: PageCall, reference: str) -> tuple[GraphStart, list[Near]]:
    shown = call.app.tasks.show(reference)
    groups = (
        ("waits for", shown.waits_for),
        ("is waited for by", shown.unblocks),
        ("has the part", shown.children),
    )
    found = [
        (one.title, f"task, {one.status.value}", edge, f"/graph/{one.id}")
        for edge, some in groups
        for one in some
    ]
    for item in shown.task.evidence:
        is_memory = item.reference.startswith("m_")
        link = f"/graph/{item.reference}" if is_memory else code_address(item.reference)
        is_code = item.type is EvidenceType.SPAN
        kind = "memory" if is_memory else "code" if is_code else item.type.value
        found.append((item.reference, kind, "cites", link if is_memory or is_code else ""))
    task = shown.task
    below = f"task, {task.status.value}"
    return GraphStart(words=task.title, below=below, link=f"/tasks/{task.id}"), found


def _around_code(call: PageCall, place: str) -> tuple[GraphStart, list[Near]]:
    """Return the memories that govern some lines of a file.

    Raises:
        NoHistoryError: There is no repository.
    """
    if not place:
        return GraphStart(words="", below="code"), []
    governing = call.app.evidence.blame(read_place(place))
    names = dict.fromkeys(one.record.memory.id for one in governing)
    records = {one.record.memory.id: one.record for one in governing}
    found: list[Near] = [
        (records[one].memory.claim, records[one].memory.kind.value, "is cited by", f"/graph/{one}")
        for one in names
    ]
    return GraphStart(words=place, below="code"), found


def code_address(place: str) -> str:
    """Return the address of the picture around some lines of code."""
    return address("/graph", {"code": place})


def _height(many: int) -> int:
    """Return how tall a picture is; a few neighbours need less room."""
    return next(tall for most, tall in _TALLER if many <= most)


def _extent(nodes: list[GraphNode]) -> tuple[float, float]:
    """Return where a picture begins and how wide it is, so that no empty side is scrolled."""
    left = min(one.x for one in nodes) - _EDGE
    right = max(one.x for one in nodes) + _BOX + _EDGE
    return (round(left, 1), round(right - left, 1))


def _placed(one: Near, place: int, many: int, height: int) -> GraphNode:
    words, below, edge, link = one
    angle = 2 * pi * place / many
    down = height / 2 - _TALL / 2 - _EDGE
    x, y = _WIDTH / 2 + _ACROSS * cos(angle), height / 2 + down * sin(angle)
    return _node(x, y, words, below, edge=edge, link=link)


def _node(
    x: float, y: float, words: str, below: str, *, edge: str = "", link: str = ""
) -> GraphNode:
    return GraphNode(
        x=round(x - _BOX / 2, 1),
        y=round(y - _TALL / 2, 1),
        words=_fitting(words),
        below=below,
        edge=edge,
        link=link,
        is_start=not edge,
    )


def _fitting(words: str) -> str:
    """Return as much of a text as a box has room for, by a rough width of each letter."""
    shown = brief(words)
    room = _ROOM
    for place, letter in enumerate(shown):
        room -= _width(letter)
        if room < 0:
            return f"{shown[: place - 1].rstrip()}…"
    return shown


def _width(letter: str) -> int:
    if letter in _WIDE_LETTERS or east_asian_width(letter) in "WF":
        return _WIDE
    return _CAPITAL if letter.isupper() else _NARROW


ROUTES = (
    PageRoute(method="GET", path="/graph", does=graph),
    PageRoute(method="GET", path="/graph/{id}", does=graph),
)
