"""Pictures of tasks: readable, narrow, and safe whatever a title says."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from holdfast.domain.errors import BadFieldError
from holdfast.domain.ids import TaskId
from holdfast.domain.tasks.drawing import (
    cut,
    layers_of,
    mermaid,
    short_id,
    sign_of,
    svg,
    tree_lines,
)
from holdfast.domain.tasks.task import Lease, TaskKind, TaskStatus
from holdfast.domain.tasks.task_shape import task_from_json, task_json
from tests.builders import NOON, a_task
from tests.requirements import requirement

HOSTILE = '"]; click n1 "javascript:x" <script>alert(1)</script> &amp; `x` #quot; --> n2\u202e'
ONE, TWO, THREE = a_task(1), a_task(2), a_task(3)
NEEDS = {TWO.id: (ONE.id,), THREE.id: (ONE.id, TWO.id)}


@requirement("task.drawn-safely")
def test_a_hostile_title_stays_a_title_in_svg() -> None:
    drawn = svg([a_task(1, title=HOSTILE, kind=TaskKind.MILESTONE)], {}, at=NOON)

    root = ET.fromstring(drawn)  # noqa: S314 - the program's own text
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags == {"svg", "title", "defs", "marker", "path", "rect", "g", "text"}
    assert "script" not in tags


@requirement("task.drawn-safely")
def test_a_hostile_title_stays_a_title_in_mermaid() -> None:
    lines = mermaid([a_task(1, title=HOSTILE), TWO], {}).splitlines()

    assert lines[0] == "flowchart LR"
    assert re.fullmatch(r'    n1\["[^"<>`]*"\]:::open', lines[1])
    assert len([line for line in lines if "classDef" in line]) == 4
    assert not [line for line in lines if line.strip().startswith("click")]


def test_layers_follow_the_edges_and_arrows_are_drawn() -> None:
    tasks = [THREE, TWO, ONE]

    layers = layers_of(tasks, NEEDS)
    drawn = svg(tasks, NEEDS)

    assert [[task.id for task in layer] for layer in layers] == [[ONE.id], [TWO.id], [THREE.id]]
    assert drawn.count("marker-end") == 3
    assert mermaid(tasks, NEEDS).count("-->") == 3
    assert layers_of([], {}) == []
    assert "<svg" in svg([], {})
    assert mermaid([TWO], NEEDS).count("-->") == 0
    assert svg([TWO], NEEDS).count("marker-end") == 0


def test_crossing_lines_are_untangled() -> None:
    tasks = [a_task(number) for number in range(1, 7)]
    names = [task.id for task in tasks]
    needs = {names[3]: (names[2],), names[4]: (names[1],), names[5]: (names[0],)}

    first, second = layers_of(tasks, needs)

    place = {task.id: number for number, task in enumerate(first)}
    assert [place[needs[task.id][0]] for task in second] == [0, 1, 2]


def test_a_tree_shows_parents_children_and_progress() -> None:
    parent = a_task(1, kind=TaskKind.MILESTONE)
    done = a_task(2, parent=parent.id, status=TaskStatus.DONE)
    young = a_task(3, parent=parent.id, priority=1)
    deep = a_task(4, parent=young.id, status=TaskStatus.STARTED)
    orphan = a_task(5, parent=TaskId("t_gone"))
    waiting = frozenset({parent.id, young.id, deep.id})

    lines = tree_lines([parent, done, young, deep, orphan], waiting)

    assert [(line.indent, line.sign, line.task.id[-1]) for line in lines] == [
        ("", "[~]", "1"),
        ("├─ ", "[~]", "3"),
        ("│  └─ ", "[>]", "4"),
        ("└─ ", "[x]", "2"),
        ("", "[ ]", "5"),
    ]
    assert [line.progress for line in lines[:2]] == [(1, 2), (0, 1)]
    (top, *_) = tree_lines([parent, young], waiting, root=young.id)
    assert top.task == young
    assert sign_of(parent, frozenset()) == "[ ]"


def test_texts_are_cut_and_ids_shortened() -> None:
    assert (cut("abc", 3), cut("abcd", 3)) == ("abc", "ab…")
    assert (short_id("t_1"), short_id("t_" + "0" * 16 + "1234567890")) == ("t_1", "1234567890")


def test_the_holder_is_in_the_picture_while_the_lease_lives() -> None:
    task = a_task(1, status=TaskStatus.STARTED, lease=Lease(holder="bot"))

    assert "started by bot" in svg([task], {}, at=NOON)
    assert "started by bot" not in svg([task], {})


def test_a_task_reads_back_from_json_and_a_wrong_field_is_named() -> None:
    task = a_task(1)
    assert task_from_json(task_json(task)) == task
    with pytest.raises(BadFieldError, match="foreign"):
        task_from_json({**task_json(task), "foreign": [1]})
