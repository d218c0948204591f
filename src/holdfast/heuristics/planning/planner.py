"""Plans: turns an interpreted intent and the open tasks into additions to the task graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from holdfast.heuristics.planning.titles import SAME, content, likeness

GOAL = "goal"
_MOST_TASKS = 40
_MOST_CITED = 5
_FEWEST_SHARED = 2
_LONGEST_REPEATED = 60
_TITLE = "{title}"
_GOVERNING = frozenset({"rule", "decision", "invariant", "gotcha"})


class _Line(NamedTuple):
    """One line of a template; the hints are names of commands that would do it."""

    key: str
    title: str
    after: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


_CHECKS = ("test", "tests", "check", "checks", "lint")
_TEMPLATES = {
    "release": (
        _Line("scope", "Decide what goes into it: {title}"),
        _Line("check", "Run the tests and checks: {title}", ("scope",), _CHECKS),
        _Line("notes", "Write the release notes: {title}", ("scope",), ("changelog", "notes")),
        _Line("publish", "Tag and publish: {title}", ("check", "notes")),
    ),
    "fix": (
        _Line("reproduce", "Reproduce it with a test: {title}"),
        _Line("work", "Find and fix the cause: {title}", ("reproduce",)),
        _Line("check", "Run the tests and checks: {title}", ("work",), _CHECKS),
    ),
    "change": (
        _Line("guard", "Cover it with tests before the change: {title}"),
        _Line("work", "Make the change: {title}", ("guard",)),
        _Line("check", "Run the tests and checks: {title}", ("work",), _CHECKS),
    ),
    "remove": (
        _Line("users", "Find everything that uses it: {title}"),
        _Line("work", "Take it out: {title}", ("users",)),
        _Line("check", "Run the tests and checks: {title}", ("work",), _CHECKS),
    ),
    "build": (
        _Line("design", "Decide how: {title}"),
        _Line("work", "Build it: {title}", ("design",)),
        _Line("check", "Run the tests and checks: {title}", ("work",), _CHECKS),
        _Line("docs", "Document it: {title}", ("work",)),
    ),
    "write": (
        _Line("work", "Write it: {title}"),
        _Line("read", "Have it reviewed: {title}", ("work",)),
    ),
    "other": (_Line("work", "{title}"),),
}
_CHECK = _Line("check", "Run the tests and checks: {title}", (), _CHECKS)


def plan(inputs: Mapping[str, object]) -> dict[str, object]:
    """Return a plan: a goal, tasks that exist and match it, and new tasks in their order."""
    intent = _object(inputs.get("intent"))
    title, parts = str(intent.get("title", "work")), _texts(intent.get("parts"))
    known = [_object(task) for task in _items(inputs.get("tasks"))]
    commands = frozenset(_texts(inputs.get("commands")))
    lines = _listed(parts, in_order=intent.get("in_order") is True) if parts else None
    template = lines or _TEMPLATES.get(str(intent.get("sort")), _TEMPLATES["other"])
    made = [_task(line, title, known, commands) for line in template]
    is_one = len(made) == 1 and made[0]["title"] == title
    # A plan of one line that says the same as the goal needs no goal above it.
    goal = [] if is_one else [_goal(title, known)]
    taken = {one["reuse"] for one in (*goal, *made)}
    others = _related(title, [task for task in known if task.get("id") not in taken])
    for one in made:
        if one["key"] in {"publish", "check"} and others:
            one["after"] = [*_texts(one["after"]), *(str(other["key"]) for other in others)]
    cites = _cited(title, parts, [_object(one) for one in _items(inputs.get("memories"))])
    return {"tasks": [*goal, *others, *made], "cites": cites, "notes": []}


def _listed(parts: list[str], *, in_order: bool) -> tuple[_Line, ...]:
    """Return the lines of a list that the intent gives, and a check at the end."""
    lines = [
        _Line(f"part{place}", part, (f"part{place - 1}",) if in_order and place > 1 else ())
        for place, part in enumerate(parts[:_MOST_TASKS], start=1)
    ]
    last = (lines[-1].key,) if in_order else tuple(line.key for line in lines)
    is_checked = any(content(line.title) & {"test", "check"} for line in lines)
    return tuple(lines) if is_checked else (*lines, _CHECK._replace(after=last))


def _task(
    line: _Line, title: str, known: list[Mapping[str, object]], commands: frozenset[str]
) -> dict[str, object]:
    whole = line.title == _TITLE
    words = title if whole else line.title.replace(_TITLE, _briefly(title))
    own = content(line.title.replace(_TITLE, ""))
    like = [task for task in known if own <= content(str(task.get("title", "")))]
    same = _planned(line.key, known) or _same(words, like)
    return {
        "key": line.key,
        "title": words,
        "reuse": same,
        "after": list(line.after),
        "command": next((hint for hint in line.hints if hint in commands), ""),
        "why": "it is in the plan already" if same else "",
    }


def _goal(title: str, known: list[Mapping[str, object]]) -> dict[str, object]:
    milestones = [task for task in known if task.get("kind") == "milestone"]
    same = _planned(GOAL, known) or _same(title, milestones) or _named(title, milestones)
    why = "it is a milestone already" if same else ""
    return {"key": GOAL, "title": title, "reuse": same, "after": [], "command": "", "why": why}


def _briefly(title: str) -> str:
    """Return the words of a goal that each line of its plan repeats."""
    head, _, _ = title.partition(": ")
    if len(head) <= _LONGEST_REPEATED:
        return head
    return f"{head[:_LONGEST_REPEATED].rsplit(' ', 1)[0]} …"


def _named(title: str, milestones: list[Mapping[str, object]]) -> str | None:
    """Return the milestone whose whole title an intent contains; the longest of several."""
    words = content(title)
    within = {
        str(task.get("id")): own
        for task in milestones
        if len(own := content(str(task.get("title", "")))) >= _FEWEST_SHARED and own <= words
    }
    return max(within, key=lambda name: len(within[name]), default=None)


def _planned(key: str, known: list[Mapping[str, object]]) -> str | None:
    """Return the task that an earlier run of the same intent planned in this place."""
    return next((str(task.get("id")) for task in known if task.get("planned_as") == key), None)


def _same(title: str, known: list[Mapping[str, object]]) -> str | None:
    """Return the task that says the same as a title; the first of the most alike."""
    words = content(title)
    best, found = SAME, None
    for task in known:
        alike = likeness(words, content(str(task.get("title", ""))))
        if alike > best or (alike == best and found is None):
            best, found = alike, str(task.get("id"))
    return found


def _related(title: str, known: list[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return the open tasks whose titles contain every word of the goal."""
    words = content(title)
    if len(words) < _FEWEST_SHARED:
        return []
    found = [
        task
        for task in known
        if task.get("status") != "done" and words <= content(str(task.get("title", "")))
    ]
    return [
        {
            "key": f"open{place}",
            "title": str(task.get("title", "")),
            "reuse": str(task.get("id")),
            "after": [],
            "command": "",
            "why": "it is open and names the goal",
        }
        for place, task in enumerate(found[: _MOST_TASKS // 4], start=1)
        if task.get("kind") != "milestone"
    ]


def _cited(title: str, parts: list[str], memories: list[Mapping[str, object]]) -> list[str]:
    """Return the rules and decisions that share words with the goal."""
    words = content(" ".join([title, *parts]))
    ranked = [
        (-len(words & content(str(one.get("claim", "")))), place, str(one.get("id")))
        for place, one in enumerate(memories)
        if one.get("kind") in _GOVERNING
    ]
    return [name for shared, _, name in sorted(ranked) if shared < 0][:_MOST_CITED]


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _texts(value: object) -> list[str]:
    return [str(item) for item in _items(value)]
