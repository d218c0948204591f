"""Tasks as pictures: a tree, a graph in text, in Mermaid, and in SVG with a layout of its own."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from holdfast.domain.tasks.task import TaskKind, TaskStatus
from holdfast.domain.text.outside import words_outside
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.ids import TaskId
    from holdfast.domain.tasks.task import Task

    Needs = Mapping[TaskId, Sequence[TaskId]]

_SHORT = 10
_BOX_WIDTH, _BOX_HEIGHT = 220, 52
_GAP_ACROSS, _GAP_DOWN, _MARGIN = 60, 18, 20
_LETTERS = 30
_SWEEPS = 4
_FILLS = {
    TaskStatus.OPEN: ("#ffffff", "#57606a"),
    TaskStatus.STARTED: ("#ddf4ff", "#0969da"),
    TaskStatus.BLOCKED: ("#ffebe9", "#cf222e"),
    TaskStatus.DONE: ("#dafbe1", "#1a7f37"),
}
_ARROW_END = (
    '<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8"'
    ' markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#57606a"/></marker></defs>'
)
SIGNS = {
    TaskStatus.OPEN: "[ ]",
    TaskStatus.STARTED: "[>]",
    TaskStatus.BLOCKED: "[!]",
    TaskStatus.DONE: "[x]",
}
WAITS = "[~]"
"""The sign of an open task that waits for others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeLine:
    """One line of a tree: the branches before it, its task, its sign and the state of its children.

    ``progress`` is how many of its children are done, and how many it has.
    """

    indent: str
    task: Task
    sign: str
    progress: tuple[int, int] | None = None


def short_id(name: str) -> str:
    """Return the end of an id; the ids of one day begin with the same letters."""
    return name[-_SHORT:] if len(name) > _SHORT else name


def sign_of(task: Task, waiting: frozenset[TaskId]) -> str:
    """Return the sign of a task's status; an open task may be one of those that wait."""
    waits = task.status is TaskStatus.OPEN and task.id in waiting
    return WAITS if waits else SIGNS[task.status]


def tree_lines(
    tasks: Sequence[Task], waiting: frozenset[TaskId], *, root: TaskId | None = None
) -> list[TreeLine]:
    """Return the tasks as a tree of parents and children, the most urgent first."""
    known = {task.id: task for task in tasks}
    children: dict[TaskId | None, list[Task]] = defaultdict(list)
    for task in sorted(tasks, key=lambda one: (one.is_done, one.priority, one.id)):
        children[task.parent if task.parent in known else None].append(task)
    tops = children[None] if root is None else [known[root]]
    lines: list[TreeLine] = []
    due = [("", "", task) for task in reversed(tops)]
    while due:
        indent, below, task = due.pop()
        young = children[task.id]
        progress = (sum(one.is_done for one in young), len(young)) if young else None
        lines.append(
            TreeLine(indent=indent, task=task, sign=sign_of(task, waiting), progress=progress)
        )
        for number, child in enumerate(reversed(young)):
            mark, bar = ("└─ ", "   ") if number == 0 else ("├─ ", "│  ")
            due.append((below + mark, below + bar, child))
    return lines


def layers_of(tasks: Sequence[Task], needs: Needs) -> list[list[Task]]:
    """Return the tasks in layers: each after all tasks that it waits for, in a readable order."""
    known = {task.id: task for task in tasks}
    depth: dict[TaskId, int] = {}
    due = list(known)
    while due:
        name = due[-1]
        missing = [one for one in needs.get(name, ()) if one in known and one not in depth]
        if missing:
            due += missing
            continue
        due.pop()
        firsts = [depth[one] + 1 for one in needs.get(name, ()) if one in known]
        depth[name] = max(firsts, default=0)
    layers: list[list[Task]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for task in sorted(tasks, key=lambda one: (one.priority, one.id)):
        layers[depth[task.id]].append(task)
    return _untangled(layers, needs)


def _untangled(layers: list[list[Task]], needs: Needs) -> list[list[Task]]:
    """Order each layer by the middle of its neighbours, so that fewer lines cross."""
    behind: dict[TaskId, list[TaskId]] = defaultdict(list)
    for name, firsts in needs.items():
        for one in firsts:
            behind[one].append(name)
    for sweep in range(_SWEEPS):
        beside = needs if sweep % 2 == 0 else behind
        for layer in layers if sweep % 2 == 0 else reversed(layers):
            place = {task.id: number for other in layers for number, task in enumerate(other)}
            middle = {task.id: _middle(task.id, beside, place) for task in layer}
            layer.sort(key=lambda task: (middle[task.id], place[task.id]))
    return layers


def _middle(name: TaskId, beside: Needs, place: Mapping[TaskId, int]) -> float:
    near = [place[one] for one in beside.get(name, ()) if one in place]
    return sum(near) / len(near) if near else place[name]


def mermaid(tasks: Sequence[Task], needs: Needs) -> str:
    """Return the graph in Mermaid; an arrow leads from a task to one that waits for it."""
    names = {task.id: f"n{number}" for number, task in enumerate(tasks, start=1)}
    lines = ["flowchart LR"]
    for task in tasks:
        left, right = ("([", "])") if task.kind is TaskKind.MILESTONE else ("[", "]")
        title = _mermaid_text(task.title)
        lines.append(f'    {names[task.id]}{left}"{title}"{right}:::{task.status.value}')
    lines += [
        f"    {names[one]} --> {names[task.id]}"
        for task in tasks
        for one in needs.get(task.id, ())
        if one in names
    ]
    lines += [
        f"    classDef {status.value} fill:{fill},stroke:{line},color:#1f2328"
        for status, (fill, line) in _FILLS.items()
    ]
    return "\n".join(lines) + "\n"


def _mermaid_text(title: str) -> str:
    """Return a title that cannot end its quotation marks or begin markup."""
    plain = words_outside(title)
    signs = {"&": "#amp;", '"': "#quot;", "<": "#lt;", ">": "#gt;", "`": "#96;", "#": "#35;"}
    return "".join(signs.get(letter, letter) for letter in plain)


def svg(tasks: Sequence[Task], needs: Needs, *, at: datetime | None = None) -> str:
    """Return the graph as a picture: layers from left to right, arrows to the tasks that wait."""
    layers = layers_of(tasks, needs)
    rows = max((len(layer) for layer in layers), default=0)
    width = 2 * _MARGIN + len(layers) * _BOX_WIDTH + max(0, len(layers) - 1) * _GAP_ACROSS
    height = 2 * _MARGIN + rows * _BOX_HEIGHT + max(0, rows - 1) * _GAP_DOWN
    corner: dict[TaskId, tuple[int, int]] = {}
    for number, layer in enumerate(layers):
        tall = len(layer) * _BOX_HEIGHT + (len(layer) - 1) * _GAP_DOWN
        top = (height - tall) // 2
        for row, task in enumerate(layer):
            across = _MARGIN + number * (_BOX_WIDTH + _GAP_ACROSS)
            corner[task.id] = (across, top + row * (_BOX_HEIGHT + _GAP_DOWN))
    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}"',
        '     font-family="sans-serif" role="img">',
        "<title>The graph of tasks</title>",
        _ARROW_END,
        f'<rect {size} fill="#ffffff"/>',
    ]
    for task in tasks:
        for one in needs.get(task.id, ()):
            if one in corner:
                parts.append(_arrow(corner[one], corner[task.id]))
    parts += [_box(task, corner[task.id], at) for task in tasks]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _arrow(start: tuple[int, int], end: tuple[int, int]) -> str:
    left, top = start[0] + _BOX_WIDTH, start[1] + _BOX_HEIGHT // 2
    right, below = end[0] - 2, end[1] + _BOX_HEIGHT // 2
    bend = max(_GAP_ACROSS // 2, (right - left) // 2)
    return (
        f'<path d="M{left} {top} C{left + bend} {top} {right - bend} {below} {right} {below}"'
        ' fill="none" stroke="#57606a" marker-end="url(#end)"/>'
    )


def _box(task: Task, corner: tuple[int, int], at: datetime | None) -> str:
    left, top = corner
    fill, line = _FILLS[task.status]
    round_by = _BOX_HEIGHT // 2 if task.kind is TaskKind.MILESTONE else 6
    holder = None if at is None else task.holder_at(at)
    state = task.status.value if holder is None else f"{task.status.value} by {holder}"
    title = words_outside(task.title)
    return (
        f'<g><rect x="{left}" y="{top}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}"'
        f' rx="{round_by}" fill="{fill}" stroke="{line}"/>'
        f"<title>{escape(title)}</title>"
        f'<text x="{left + 12}" y="{top + 22}" font-size="13" fill="#1f2328">'
        f"{escape(cut(title, _LETTERS))}</text>"
        f'<text x="{left + 12}" y="{top + 40}" font-size="11" fill="#57606a">'
        f"{escape(cut(f'P{task.priority} {state}', _LETTERS + 6))}</text></g>"
    )


def cut(text: str, most: int) -> str:
    """Return a text with at most that many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
