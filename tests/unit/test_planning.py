"""The rules of the specialists: interpret, plan, read history, choose fixes, and recap."""

from __future__ import annotations

from typing import Any, cast

import pytest

from holdfast.domain.roles.checked_answers import checked_answer
from holdfast.domain.roles.step import StepWork
from holdfast.heuristics.planning import historian
from holdfast.heuristics.planning.curator import curate
from holdfast.heuristics.planning.historian import history
from holdfast.heuristics.planning.interpreting import interpret
from holdfast.heuristics.planning.lasting import is_lasting
from holdfast.heuristics.planning.planner import plan
from holdfast.heuristics.planning.recapping import recap
from holdfast.heuristics.planning.titles import content, likeness
from tests.requirements import requirement


def planned(title: str, **more: Any) -> list[dict[str, Any]]:
    inputs: dict[str, Any] = {
        "intent": {**interpret({"intent": title}), **more.pop("intent", {})},
        "tasks": [],
        "commands": [],
        "memories": [],
        **more,
    }
    found = checked_answer(StepWork.PLAN, plan(inputs), inputs)
    tasks = found["tasks"]
    assert isinstance(tasks, list)
    return tasks


@pytest.mark.parametrize(
    ("intent", "title", "sort", "parts", "in_order"),
    [
        ("release 1.2", "release 1.2", "release", [], False),
        ("Fix the crash", "Fix the crash", "fix", [], False),
        ("🚀", "🚀", "other", [], False),
        ("  ", "work", "other", [], False),
        (
            "Ship it:\n- write docs\n- [ ] run tests",
            "Ship it",
            "release",
            ["write docs", "run tests"],
            False,
        ),
        ("1. dig\n2. plant", "1. dig 2. plant", "other", ["dig", "plant"], True),
        ("dig, then plant; and then water.", "dig, then plant; and then water.", "other",
         ["dig", "plant", "water"], True),
        ("Garden: dig; plant", "Garden", "other", ["dig", "plant"], False),
        ("Garden: dig a hole, plant the tree, and water it", "Garden", "other",
         ["dig a hole", "plant the tree", "water it"], False),
        ("Garden: it looks bad when weeds, leaves, and moss grow",
         "Garden: it looks bad when weeds, leaves, and moss grow", "other", [], False),
        ("Drop the cache. It is 1.2 GB, e.g. on disks.", "Drop the cache", "remove", [], False),
    ],
)  # fmt: skip
def test_an_intent_is_interpreted(
    intent: str, title: str, sort: str, parts: list[str], *, in_order: bool
) -> None:
    found = interpret({"intent": intent})

    assert found == {"title": title, "sort": sort, "parts": parts, "in_order": in_order}


def test_a_long_intent_gets_a_short_title() -> None:
    found = interpret({"intent": "word " * 1_000})

    assert str(found["title"]).endswith(" …")
    assert len(str(found["title"])) < 130


@requirement("roles.intent-to-graph")
@pytest.mark.parametrize(
    "intent", ["release 2", "fix it", "rename it", "drop it", "describe it", "add it", "think"]
)
def test_every_sort_of_intent_gets_a_plan_without_circles(intent: str) -> None:
    tasks = planned(intent)

    assert tasks[0]["key"] in {"goal", "work"}
    assert len({task["title"] for task in tasks}) == len(tasks)


def test_a_list_becomes_tasks_in_its_order_with_a_check_at_the_end() -> None:
    tasks = planned("dig, then plant")

    assert [(task["key"], task["after"]) for task in tasks] == [
        ("goal", []),
        ("part1", []),
        ("part2", ["part1"]),
        ("check", ["part2"]),
    ]
    without = planned("- write docs\n- run the tests")
    assert [task["key"] for task in without] == ["goal", "part1", "part2"]


def test_open_tasks_and_milestones_are_reused() -> None:
    known = [
        {"id": "t_1", "title": "Release 1.2", "kind": "milestone", "status": "open"},
        {"id": "t_2", "title": "Fix login before release 1.2", "kind": "bug", "status": "open"},
        {"id": "t_3", "title": "Write the release notes: release 1.2", "kind": "task",
         "status": "open"},
        {"id": "t_4", "title": "Plan of release 1.2 parties", "kind": "milestone",
         "status": "open"},
    ]  # fmt: skip

    tasks = planned("release 1.2", tasks=known, commands=["check"])

    by_key = {task["key"]: task for task in tasks}
    assert by_key["goal"]["reuse"] == "t_1"
    assert by_key["notes"]["reuse"] == "t_3"
    assert by_key["open1"]["reuse"] == "t_2"
    assert by_key["open1"]["key"] in by_key["publish"]["after"]
    assert by_key["check"]["command"] == "check"
    assert "t_4" not in {task["reuse"] for task in tasks}


@requirement("roles.intent-to-graph")
@pytest.mark.parametrize(
    ("milestone", "is_reused"),
    [
        ("Release 1.2", True),
        ("Release 1.3", False),
        ("Release", False),
        ("Release 1.2 of the library", False),
    ],
)
def test_a_milestone_that_the_intent_names_is_its_goal(milestone: str, *, is_reused: bool) -> None:
    known = [{"id": "t_1", "title": milestone, "kind": "milestone", "status": "open"}]

    goal, *_ = planned("Release 1.2 of the shop with YAML", tasks=known)

    assert (goal["reuse"] == "t_1") is is_reused


@pytest.mark.parametrize("intent", ["think: about {all} of it", "- use {name}\n- say {}"])
def test_braces_in_an_intent_stay(intent: str) -> None:
    titles = [str(task["title"]) for task in planned(intent)]

    assert titles in (
        [intent],
        ["- use {name} - say {}", "use {name}", "say {}",
         "Run the tests and checks: - use {name} - say {}"],
    )  # fmt: skip


def test_lines_of_a_plan_repeat_the_first_words_of_a_long_goal() -> None:
    titles = [str(task["title"]) for task in planned("Release the shop " + "and more " * 10)]
    parted = [str(task["title"]) for task in planned("Fix the shop: it says an error at night")]

    assert [len(title) <= 100 for title in titles[1:]] == [True] * 4
    assert titles[1].startswith("Decide what goes into it: Release the shop and more")
    assert parted[1] == "Reproduce it with a test: Fix the shop"


def test_rules_and_decisions_about_the_goal_are_cited() -> None:
    memories = [
        {"id": "m_1", "claim": "A release needs two reviews.", "kind": "rule"},
        {"id": "m_2", "claim": "Lunch is at noon.", "kind": "rule"},
        {"id": "m_3", "claim": "The release was late.", "kind": "fact"},
    ]
    inputs = {
        "intent": interpret({"intent": "release 1.2"}),
        "tasks": [],
        "commands": [],
        "memories": memories,
    }

    assert plan(inputs)["cites"] == ["m_1"]
    assert plan({"intent": None, "tasks": None})["cites"] == []


@requirement("roles.historian")
def test_topics_are_words_of_people_and_not_of_merges() -> None:
    merges = ["Merge pull request #7 from ada/merging", "Merge branch 'stable'"] * 3
    work = ["Merge the two parsers", "Testing the parsers", "Test parsers again", "Test it"]
    commits = [
        {"id": f"{place:040d}", "at": "2026-11-15", "message": text}
        for place, text in enumerate([*merges, *work])
    ]

    (first, *_) = cast("list[str]", history({"commits": commits})["summary"])

    assert first == "10 commits, 2026-11-15; most about parsers, test"


def test_titles_are_compared_by_their_words() -> None:
    assert likeness(content("Release v1.2"), content("the release of 1.2")) == 1.0
    assert likeness(content(""), content("")) == 0.0


@requirement("roles.historian")
def test_commits_and_conversations_become_a_summary_signs_and_claims() -> None:
    commits = [
        {"id": "a" * 40, "at": "2026-11-15T10:00:00Z", "message": "Add the feed importer\n\nx"},
        {"id": "b" * 40, "at": "2026-11-14T10:00:00Z",
         "message": "Tidy\n\nDone t_0002. We decided to keep logs because of audits."},
        {"id": "c" * 40, "at": "2026-11-14T10:00:00Z", "message": "Mend the feed importer"},
    ]  # fmt: skip
    inputs = {
        "commits": commits,
        "transcripts": [
            {
                "tool": "claude",
                "session": "s",
                "turns": [
                    {"number": 1, "speaker": "user",
                     "text": "We decided to run the linter before each commit."},
                    {"number": None, "speaker": "robot", "text": "ok"},
                ],
            },
            "odd",
        ],
        "tasks": [
            {"id": "t_0001", "title": "Add the feed importer"},
            {"id": "t_0002", "title": "Keep logs"},
        ],
    }  # fmt: skip

    found = checked_answer(StepWork.HISTORY, history(inputs), inputs)

    summary = found["summary"]
    assert isinstance(summary, list)
    assert summary[0].startswith("3 commits, 2026-11-14 to 2026-11-15; most about ")
    assert summary[-1] == "conversations: 1, claude 1; 2 turns"
    assert found["done"] == [
        {"task": "t_0001", "commit": "a" * 40, "says": "Add the feed importer"},
        {"task": "t_0002", "commit": "b" * 40, "says": "Tidy"},
    ]
    claims = found["claims"]
    assert isinstance(claims, list)
    assert {one["commit"] for one in claims} == {"", "b" * 40}
    assert history({}) == {"summary": [], "done": [], "claims": [], "notes": []}
    one = history({"commits": commits[:1]})
    assert "'1 commit, 2026-11-15'" in str(one["summary"])


def test_a_history_is_read_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(historian, "_MOST_BODIES", 1)
    monkeypatch.setattr(historian, "_MOST_SIGNS", 1)
    commits = [
        {"id": str(number) * 40, "at": "2026-11-15", "message":
         f"Add part {number} of feeds\n\nWe decided to use shelf {number} because of room."}
        for number in range(3)
    ]  # fmt: skip
    tasks = [{"id": f"t_{number}", "title": f"Add part {number} of feeds"} for number in range(3)]

    found = history({"commits": commits, "tasks": tasks})

    assert str(found["done"]).count("t_") == 1
    assert "0" * 40 in str(found["claims"])
    assert "1" * 40 not in str(found["claims"])


def test_only_findings_with_an_automatic_fix_are_chosen() -> None:
    findings = [{"step": "deprecate"}, {"step": None}, "odd", {"step": "unpin"}]

    assert curate({"findings": findings})["fix"] == [0, 3]
    assert curate({})["fix"] == []


def test_a_recap_tells_of_every_step_fallback_and_disagreement() -> None:
    inputs = {
        "title": "release 1.2",
        "steps": [
            {"role": "supervisor", "work": "interpret"},
            {"role": "historian", "work": "history", "outputs": {"summary": ["0" * 12 + " x"]}},
            {"role": "executor", "subject": "test", "work": "command",
             "outputs": {"ran": True, "exit_code": 0}, "effects": {"finished": ["t_1"]}},
            {"role": "executor", "subject": "a", "work": "command",
             "outputs": {"ran": True, "exit_code": 0}},
            {"role": "curator", "work": "curate", "counts": {"findings": 2},
             "effects": {"fixed": [
                 {"trouble": "duplicate", "step": "consolidate", "subjects": ["m_1", "m_2"]}]}},
            {"role": "curator", "work": "curate", "counts": {"findings": 1},
             "effects": {"fixable": 1}, "notes": ["a note"],
             "attempts": [{"specialist": "model", "problem": "was slow"}], "specialist": "rules"},
        ],
        "disagreements": [
            {"subject": "t_1", "decided_by": "executor", "outcome": "it stays open",
             "sides": [{"role": "planner", "says": "open", "because": "plan"}]},
            {"subject": "t_2", "decided_by": "person", "outcome": "is it done?", "sides": []},
        ],
    }  # fmt: skip

    assert str(recap(inputs)["text"]).splitlines() == [
        "release 1.2",
        "",
        "- historian: nothing new to read; 0 candidates proposed",
        "- executor test: passed; finished t_1",
        "- executor a: passed",
        "- curator: 2 findings, 1 of them fixed",
        "  - merged m_1, m_2: duplicate",
        "- curator: 1 finding, 1 of them can be fixed automatically",
        "  - a note",
        "",
        "Fallbacks:",
        "- curator: model was slow; rules was used instead",
        "",
        "Disagreements:",
        "- t_1: planner: open (plan)",
        "  decided by executor: it stays open",
        "- t_2: ",
        "  left for a person: is it done?",
    ]
    assert recap({}) == {"text": "work\n"}


@requirement("roles.historian")
@pytest.mark.parametrize(
    ("body", "claims"),
    [
        (
            (
                "Use the tmp_path fixture instead of a shared\n"
                "`Path(tempdir)` path, because two workers\n"
                "wrote to the same file."
            ),
            [
                (
                    "Use the tmp_path fixture instead of a shared `Path(tempdir)` path, because two"
                    " workers wrote to the same file."
                )
            ],
        ),
        ("Use `a` instead of `an` before a vowel.", []),
        ("This uses the last character instead of a space.", []),
        ("Never used. Both versions have the type.", []),
        (
            "We use UTC in all reports so\nthat nights are not counted twice.",
            ["We use UTC in all reports so that nights are not counted twice."],
        ),
        (
            "We use one connection for each worker, since the server drops shared ones.",
            ["We use one connection for each worker, since the server drops shared ones."],
        ),
        (
            (
                "Use the new parser instead of the old one. Use the index instead of the scan. "
                "Never call the importer without a timeout."
            ),
            ["Never call the importer without a timeout."],
        ),
    ],
)
def test_a_commit_tells_a_claim_whole_and_only_if_it_holds_from_then_on(
    body: str, claims: list[str]
) -> None:
    commit = {"id": "a" * 40, "at": "2026-11-15", "message": f"Tidy up\n\n{body}"}

    found = cast("list[dict[str, str]]", history({"commits": [commit]})["claims"])

    assert [one["claim"] for one in found] == claims


def claimed(*messages: str) -> list[tuple[str, str]]:
    """Return the claims of commits, newest first, each with the first letter of its commit."""
    commits = [
        {"id": "abcdef"[number] * 40, "at": "2026-11-15", "message": message}
        for number, message in enumerate(messages)
    ]
    found = cast("list[dict[str, str]]", history({"commits": commits})["claims"])
    return [(one["claim"], one["commit"][:1]) for one in found]


@requirement("roles.historian-cites-the-change")
def test_a_claim_cites_the_commit_that_made_the_change_and_no_merge() -> None:
    title = "Always close files before a fork"

    found = claimed(f"Merge pull request #7 from me/fork\n\n{title}", f"{title} (#7)")

    assert found == [(title, "b")]


@requirement("roles.historian-cites-the-change")
def test_a_commit_that_was_picked_is_told_once_and_the_oldest_is_cited() -> None:
    body = "Tidy\n\nPublic attributes must be typed explicitly, because checkers read them."

    assert [commit for _, commit in claimed(body, body, body)] == ["c"]


@requirement("roles.historian-cites-the-change")
@pytest.mark.parametrize(
    "sentence",
    [
        "It will never raise an error, because all versions define the function.",
        "The worker will never yield a value since the queue was closed.",
        "Note that the build was never published, because the signing failed.",
        "Add warnings so that developers always read the return values.",
        "Improved the page about units because the service must restart always.",
        "The cache must be cleared, because the following happens:",
        "We agreed to use one queue for now because nobody had time.",
        "We can always revisit the names of the tests anyway.",
        "I always wanted the parser to be quick, because it is slow.",
        "Neither of both must be locked, because the listener may drop.",
        "Locks must be taken in case (b), because case (a) has one owner.",
    ],
)
def test_what_only_reports_the_change_or_points_elsewhere_is_no_claim(sentence: str) -> None:
    assert claimed(f"Tidy\n\n{sentence}") == []


@pytest.mark.parametrize(
    ("quote", "rule", "lasts"),
    [
        ("Names are written in full, always.", "always-never", True),
        ("Names are written in full, always.", "answer", False),
        ("Use full names, because others collide.", "answer", True),
        ("Use full names, because others collide.", "summary", False),
    ],
)
def test_rules_about_conversations_count_less_in_commits(
    quote: str, rule: str, *, lasts: bool
) -> None:
    assert is_lasting(quote, rule=rule) is lasts
