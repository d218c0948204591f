"""Each tab: what it shows, and what its keys do."""

from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from textual.pilot import Pilot

from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.cli.test_curate import AGAIN, OFFSETS
from tests.cli.test_curation import status
from tests.cli.waiting import AGENT, Waiting, fill
from tests.requirements import requirement
from tests.tui.person import LARGE, SMALL, check_screen, typed, use

DEPLOY = "We deploy on Tuesdays only."
ROTATE = "Refresh tokens rotate on every use; replaying one revokes the family."


@dataclass(frozen=True)
class Scene:
    """A store with memories, links, a candidate and tasks."""

    program: Program
    rotate: str
    deploy: str
    first: str
    second: str


def made(program: Program) -> Scene:
    rotate = program(
        "remember", "--kind", "gotcha", "--key", "rotation",
        "--evidence", "src/auth/tokens.py:41-44", ROTATE,
    ).well().id  # fmt: skip
    deploy = program("remember", "--because", "I decided", DEPLOY).well().id
    program("remember", "--because", "x", "Deploys need a green build.", env=AGENT).well()
    program("link", rotate, deploy, "--kind", "related").well()
    first = program("task", "add", "Write the parser", "--json").well().json["task"]["id"]
    second = program(
        "task", "add", "Test the parser", "--after", first, "--json"
    ).well().json["task"]["id"]  # fmt: skip
    return Scene(program, rotate, deploy, str(first), str(second))


@pytest.fixture
def scene(scenes: Scenes) -> Scene:
    return scenes.of(made)


SIZES = pytest.mark.parametrize("size", [SMALL, LARGE])


@requirement("ui.every-tab")
@SIZES
def test_search_shows_the_parts_of_each_score(scene: Scene, size: tuple[int, int]) -> None:
    seen = use(scene.program, *typed("deploy"), "enter", tab="search", size=size).last

    assert DEPLOY in seen
    assert "of 2,000 tokens" in seen
    assert "words ████" in seen
    check_screen(f"search-{size[0]}", seen)


@requirement("ui.keys-shown-work")
def test_while_a_question_is_typed_the_screen_says_how_to_leave_the_line(scene: Scene) -> None:
    typing = use(scene.program, "7", tab="search").last
    left = use(scene.program, "escape", tab="search").last
    elsewhere = use(scene.program, "escape", "6", tab="search").last

    assert "escape leave the line, for the other keys" in typing
    assert "q quit" not in typing
    assert "q quit" in left
    assert "escape leave" not in left
    assert "tidy" in elsewhere


@requirement("ui.every-tab")
def test_search_counts_and_keeps_nothing(scene: Scene) -> None:
    use(scene.program, *typed("deploy"), "enter", tab="search")

    shown = scene.program("show", scene.deploy).well().out
    assert "0 times" in shown


@requirement("ui.every-tab")
def test_a_found_memory_is_shown_in_the_other_tabs(scene: Scene) -> None:
    asked = (*typed("deploy"), "enter")

    memory = use(scene.program, *asked, "enter", tab="search").last
    graph = use(scene.program, *asked, "g", tab="search").last
    bundle = use(scene.program, *asked, "b", tab="search").last
    nothing = use(scene.program, *typed("zebra"), "enter", tab="search").last

    assert "statement I decided" in memory
    assert ROTATE[:30] in graph
    assert "given (" in bundle
    assert "not stored" in bundle
    assert "No memory answers this question." in nothing


@requirement("ui.every-tab")
@SIZES
def test_memory_shows_verdict_evidence_and_history(scene: Scene, size: tuple[int, int]) -> None:
    seen = use(scene.program, "j", tab="memory", size=size).last

    assert "verdict  fresh" in seen
    assert "src/auth/tokens.py" in seen
    check_screen(f"memory-{size[0]}", seen)
    assert "memory.added" in use(scene.program, "j", tab="memory", size=(120, 60)).last


@requirement("ui.every-tab")
def test_memories_are_filtered_by_kind_scope_status_and_words(scene: Scene) -> None:
    kind = use(scene.program, "c", "c", tab="memory").last
    scope = use(scene.program, "s", "s", tab="memory").last
    waiting = use(scene.program, *["v"] * 6, tab="memory").last
    words = use(scene.program, "f", *typed("deploy"), "enter", tab="memory").last

    assert "1 memory  gotcha, accepted" in kind
    assert "0 memories  workspace, accepted" in scope
    assert "Deploys need" in waiting
    assert ROTATE[:20] not in words
    assert DEPLOY in words


@requirement("ui.every-tab")
def test_a_memory_is_created_with_its_evidence(scene: Scene) -> None:
    keys = ("n", *typed("Ports"), "ctrl+s", "enter", *typed("seen"), "enter")
    place = ("n", *typed("Lines"), "ctrl+s", "enter", *typed("src/auth/tokens.py:3"), "enter")

    said = use(scene.program, *keys, tab="memory").last
    cited = use(scene.program, *place, tab="memory").last
    unknown = use(scene.program, "n", "a", "ctrl+s", "z", "enter", tab="memory").last

    assert "kept as m_" in said
    assert "statement seen" in said
    assert "span src/auth/tokens.py:3" in cited
    assert "There is no kind 'z'" in unknown


@requirement("ui.every-tab")
def test_a_memory_is_edited_pinned_and_forgotten(scene: Scene) -> None:
    program = scene.program
    edited = use(program, "e", "exclamation_mark", "ctrl+s", tab="memory").last
    undone = use(program, "e", "question_mark", "ctrl+s", "u", tab="memory").last
    pinned = use(program, "p", tab="memory").last
    unpinned = use(program, "p", tab="memory").last
    kept = use(program, "j", "D", "n", tab="memory").last
    gone = use(program, "j", "D", "y", tab="memory").last

    assert f"{DEPLOY}!" in edited
    assert "taken back" in undone
    assert "pinned  (p: unpin)".replace("  ", " ") in pinned
    assert "unpinned" in unpinned
    assert "Nothing was changed." in kept
    assert "forgotten" in gone
    assert program("show", scene.rotate).code == 3


@requirement("ui.agents-only-look")
@pytest.mark.parametrize(
    ("tab", "key"),
    [("memory", one) for one in "nepDu"]
    + [("tasks", one) for one in "ncdROu"]
    + [("health", one) for one in "tu"],
)
def test_an_agent_changes_nothing_in_any_tab(scene: Scene, tab: str, key: str) -> None:
    before = scene.program("export", "-").well().out

    seen = use(scene.program, key, tab=tab, env=AGENT).last

    assert "only a person decides" in seen
    assert scene.program("export", "-").well().out.splitlines()[1:] == before.splitlines()[1:]


@requirement("ui.every-tab")
@SIZES
def test_tasks_are_a_tree_with_what_they_wait_for(scene: Scene, size: tuple[int, int]) -> None:
    seen = use(scene.program, "j", tab="tasks", size=size).last

    assert "1 can start, 1 wait, 0 done" in seen
    assert "waits for  open" in seen
    check_screen(f"tasks-{size[0]}", seen)


@requirement("ui.every-tab")
def test_tasks_are_claimed_finished_and_taken_back(scene: Scene) -> None:
    def state(name: str) -> str:
        found = scene.program("task", "show", name, "--json").well().json["task"]["status"]
        return str(found)

    use(scene.program, "c", tab="tasks")
    claimed = state(scene.first)
    use(scene.program, "R", tab="tasks")
    released = state(scene.first)
    use(scene.program, "d", tab="tasks")
    done = state(scene.first)
    use(scene.program, "j", "O", "y", tab="tasks")
    reopened = state(scene.first)
    undone = use(scene.program, "d", "u", tab="tasks").last
    refused = use(scene.program, "j", "d", tab="tasks").last
    added = use(scene.program, "n", *typed("Ship"), "enter", tab="tasks").last
    ready = use(scene.program, "f", tab="tasks").last

    assert (claimed, released, done, reopened) == ("started", "open", "done", "open")
    assert "taken back: done" in undone
    assert "waits for" in refused
    assert "Ship" in added
    assert "Test the parser" not in "\n".join(ready.splitlines()[2:7])


@requirement("ui.every-tab")
@SIZES
def test_the_graph_is_a_tree_of_neighbours(scene: Scene, size: tuple[int, int]) -> None:
    seen = use(scene.program, "f", *typed("rotation"), "enter", tab="graph", size=size).last

    assert "1 neighbour" in seen
    assert f"related → {DEPLOY}" in seen
    check_screen(f"graph-{size[0]}", seen)


@requirement("ui.every-tab")
def test_a_neighbour_becomes_the_centre_and_back(scene: Scene) -> None:
    start = ("f", *typed("rotation"), "enter")

    moved = use(scene.program, *start, "j", "enter", tab="graph").last
    back = use(scene.program, *start, "j", "enter", "backspace", tab="graph").last
    shown = use(scene.program, *start, "j", "v", tab="graph").last
    unknown = use(scene.program, "f", *typed("zebra"), "enter", tab="graph").last

    assert "← related" in moved
    assert "related →" in back
    assert "statement I decided" in shown
    assert "zebra" in unknown
    assert "from Memory" not in unknown


@requirement("ui.every-tab")
@SIZES
def test_health_shows_the_findings(scene: Scene, size: tuple[int, int]) -> None:
    cited = scene.program.folder / "src" / "auth" / "tokens.py"
    cited.write_text("gone = True\n", encoding="utf-8")

    seen = use(scene.program, tab="health", size=size).last

    assert "of 100" in seen
    assert "stale" in seen
    assert re.findall(r"\bm_[0-9a-z]{26}\b", seen) == []
    check_screen(f"health-{size[0]}", seen)


@requirement("ui.every-tab")
def test_a_finding_is_tidied_and_taken_back(program: Program) -> None:
    because = ("remember", "--because", "I decided")
    one = program(*because, OFFSETS).well().id
    other = program(*because, "--kind", "decision", AGAIN).well().id

    def statuses() -> set[str]:
        return {status(program, one), status(program, other)}

    tidied = use(program, "t", tab="health").last
    after = statuses()
    program("undo").well()
    back = use(program, "t", "u", tab="health").last

    assert "tidied" in tidied
    assert after == {"accepted", "superseded"}
    assert "taken back" in back
    assert statuses() == {"accepted"}


def test_a_finding_without_a_fix_says_so_and_leads_to_its_memory(program: Program) -> None:
    waiting: Waiting = fill(program)

    told = use(program, "t", tab="health").last
    led = use(program, "enter", tab="health").last

    assert waiting.rival
    assert "A person has to decide this" in told
    assert "Tokens rotate every day." in led


@requirement("ui.every-tab")
@SIZES
def test_a_bundle_shows_its_tokens_and_what_was_left_out(
    scene: Scene, size: tuple[int, int]
) -> None:
    for number in range(3):
        claim = f"Deploys of service {number * 7919} take {number + 3} minutes."
        scene.program("remember", "--because", "x", claim).well()
    asked = scene.program("recall", "--q", "deploys", "--budget", "125", "--json").well().json

    keys = ("f", *typed(str(asked["id"])), "enter")
    seen = use(scene.program, *keys, tab="bundle", size=size).last
    item = use(scene.program, *keys, "j", tab="bundle", size=size).last

    assert "left out" in seen
    assert "of 125 tokens" in seen
    assert "stopped" in seen
    assert "score " in item
    check_screen(f"bundle-{size[0]}", seen)


def test_a_bundle_leads_to_its_memories(scene: Scene) -> None:
    asked = scene.program("recall", "--q", "deploy", "--json").well().json
    keys = ("f", *typed(str(asked["id"])), "enter", "j")

    assert "statement I decided" in use(scene.program, *keys, "enter", tab="bundle").last
    assert "neighbour" in use(scene.program, *keys, "g", tab="bundle").last
    assert "c_nothing" in use(
        scene.program, "f", *typed("c_nothing"), "enter", tab="bundle"
    ).last  # fmt: skip


@requirement("ui.every-tab")
def test_tabs_are_reached_by_numbers_brackets_and_clicks(scene: Scene) -> None:
    async def click_health(pilot: Pilot[None]) -> None:
        await pilot.click("#tabs", offset=(56, 0))

    numbers = use(scene.program, "4").last
    brackets = use(scene.program, "right_square_bracket", "escape", "right_square_bracket").last
    before = use(scene.program, "left_square_bracket").last
    clicked = use(scene.program, click_health).last
    asked = use(scene.program, "slash").last

    assert "Write the parser" in numbers
    assert DEPLOY in brackets
    assert "id of a bundle" in before
    assert "of 100" in clicked
    assert "ask a question" in asked


@requirement("ui.every-tab")
@pytest.mark.parametrize("tab", ["inbox", "search", "memory", "tasks", "graph", "health", "bundle"])
def test_the_keys_of_each_tab_are_shown(scene: Scene, tab: str) -> None:
    seen = use(scene.program, "escape", "question_mark", tab=tab, size=(120, 60))

    assert "Everywhere" in seen.last
    assert tab.title() in seen.last
    closed = use(scene.program, "escape", "question_mark", "escape", tab=tab).last
    assert "Everywhere" not in closed


@SIZES
@pytest.mark.parametrize("tab", ["graph", "bundle"])
def test_the_words_of_an_empty_list_are_shown_whole(
    program: Program, tab: str, size: tuple[int, int]
) -> None:
    program("init", "--no-model").well()

    seen = use(program, tab=tab, size=size).last

    words = {"graph": "an id, a key or a label.", "bundle": "type the id of a bundle."}
    assert words[tab] in " ".join(line.partition("│")[0].strip() for line in seen.splitlines())
