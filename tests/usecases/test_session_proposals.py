"""What a person wrote in a session or for the project, an agent only proposes to change."""

from __future__ import annotations

import pytest

from holdfast.app import Holdfast
from holdfast.domain.choices import Origin
from holdfast.domain.errors import NoSuchError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.sessions.cache import CacheNote, NoteKind, author_of
from holdfast.domain.sessions.noting import MOST_VERSIONS, known_versions, notes_digest, with_notes
from holdfast.domain.tasks.task import TaskKind
from holdfast.domain.values import replace
from holdfast.usecases.sessions.caching import KeepNote, KeepTurn
from holdfast.usecases.sessions.hydrating import Hydrate
from holdfast.usecases.tasks.adding import AddTask
from tests.builders import HERE, NOON, FixedClock, PlainSurroundings, a_project
from tests.requirements import requirement
from tests.usecases.test_session_cache import Desk


@pytest.fixture
def desk(seen: Holdfast, surroundings: PlainSurroundings, clock: FixedClock) -> Desk:
    made = Desk(seen, surroundings, clock)
    made.turn("x")
    return made


def as_bot(desk: Desk, name: str = "Codex") -> Holdfast:
    bot = Principal.of(PrincipalKind.AGENT, space=desk.app.principal.space, name=name)
    return replace(desk.app, principal=bot)


def notes(desk: Desk) -> dict[str, CacheNote]:
    kept = desk.app.session_cache.show(desk.session).cache.notes
    with desk.app.store.reading() as tx:
        state = tx.sessions.caches.projects.get(HERE.repo or "")
    return {one.id: one for one in (*kept, *(() if state is None else state.notes))}


@requirement("session.proposals")
@pytest.mark.parametrize("kind", list(NoteKind))
def test_an_agent_only_proposes_to_change_or_close_what_a_person_wrote(
    desk: Desk, kind: NoteKind
) -> None:
    mine = desk.app.session_cache.note(KeepNote(text="Ship 1.2.", kind=kind))
    bot = as_bot(desk).session_cache

    changed = bot.note(KeepNote(text="Rewrite it.", known=mine.id))
    closed = bot.note(KeepNote(known=mine.id, is_open=False))

    assert notes(desk)[mine.id] == mine
    assert (changed.changes, changed.closes, changed.is_proposed) == (mine.id, False, True)
    assert (closed.changes, closed.closes, closed.text) == (mine.id, True, "Ship 1.2.")
    assert changed.kind is closed.kind is kind
    told = desk.app.session_cache.hydrate(Hydrate())
    assert "Ship 1.2." in told.text
    assert "Rewrite it." not in told.text
    assert {one.id for one in told.standing.proposed} == {changed.id, closed.id}


@requirement("session.proposals")
def test_a_person_accepts_a_proposal_by_its_id_or_refuses_it(desk: Desk) -> None:
    cache, bot = desk.app.session_cache, as_bot(desk).session_cache
    mine = cache.note(KeepNote(text="Ship 1.2.", kind=NoteKind.GOAL))
    better = bot.note(KeepNote(text="Ship 1.3.", known=mine.id))
    worse = bot.note(KeepNote(text="Ship nothing.", known=mine.id))

    accepted = cache.note(KeepNote(known=better.id))
    cache.note(KeepNote(known=worse.id, is_open=False))

    assert (accepted.id, accepted.text, accepted.is_open) == (mine.id, "Ship 1.3.", True)
    assert accepted.origin is Origin.HUMAN
    assert better.id not in notes(desk)
    assert not notes(desk)[worse.id].is_open
    assert "Ship nothing." not in desk.told()
    end = bot.note(KeepNote(known=mine.id, is_open=False))
    assert not cache.note(KeepNote(known=end.id)).is_open
    assert "Ship 1.3." not in desk.told()


@requirement("session.proposals")
def test_a_proposal_to_change_a_note_that_is_gone_becomes_a_note(desk: Desk) -> None:
    cache = desk.app.session_cache
    mine = cache.note(KeepNote(text="Ship 1.2.", kind=NoteKind.GOAL))
    better = as_bot(desk).session_cache.note(KeepNote(text="Ship 1.3.", known=mine.id))
    with desk.app.store.writing(NOON) as tx:
        state = tx.sessions.caches.projects.get(HERE.repo or "")
        assert state is not None
        tx.sessions.caches.projects.put(replace(state, notes=state.notes[1:]))

    accepted = cache.note(KeepNote(known=better.id))

    assert (accepted.id, accepted.changes, accepted.is_proposed) == (better.id, "", False)
    assert "Ship 1.3. (agent Codex)" in desk.told()


@requirement("session.proposals")
def test_the_same_proposal_is_kept_once_and_no_change_is_none(desk: Desk) -> None:
    mine = desk.app.session_cache.note(KeepNote(text="Ship 1.2.", kind=NoteKind.GOAL))
    bot = as_bot(desk).session_cache
    first = bot.note(KeepNote(text="Ship 1.3.", known=mine.id))
    other = bot.note(KeepNote(text="Ship 1.4.", known=mine.id))

    assert bot.note(KeepNote(text="Ship 1.4.", known=mine.id)).id == other.id
    assert bot.note(KeepNote(text="Ship 1.2.", known=mine.id)) == mine
    assert set(notes(desk)) == {mine.id, first.id, other.id}


@requirement("session.proposals")
def test_an_agent_changes_its_own_notes_and_those_of_other_agents(desk: Desk) -> None:
    first, second = as_bot(desk).session_cache, as_bot(desk, "Gemini CLI").session_cache
    note = first.note(KeepNote(text="Tidy.", kind=NoteKind.SUBTASK))

    changed = second.note(KeepNote(text="Tidy more.", known=note.id))
    assert (changed.id, changed.author) == (note.id, "agent Gemini CLI")
    assert not first.note(KeepNote(known=note.id, is_open=False)).is_open
    # A person who rewrites it makes it the person's own.
    mine = desk.app.session_cache.note(KeepNote(text="Tidy all.", known=note.id))
    assert (mine.author, mine.is_persons) == ("", True)
    assert first.note(KeepNote(text="No.", known=note.id)).changes == note.id


@requirement("session.proposals")
def test_what_a_person_accepted_is_protected_like_what_a_person_wrote(desk: Desk) -> None:
    bot = as_bot(desk).session_cache
    goal = bot.note(KeepNote(text="Ship it.", kind=NoteKind.GOAL))
    assert bot.note(KeepNote(text="Ship it soon.", known=goal.id)).id == goal.id
    desk.app.session_cache.note(KeepNote(known=goal.id))

    assert bot.note(KeepNote(text="Never ship.", known=goal.id)).changes == goal.id
    assert "Ship it soon. (agent Codex)" in desk.told()


def test_a_known_note_is_found_without_its_kind_and_session(desk: Desk) -> None:
    cache = desk.app.session_cache
    note = cache.note(KeepNote(text="Tidy.", kind=NoteKind.SUBTASK, session=desk.session))
    other = desk.app.sessions.start(tool="x", user="ada").id
    cache.note(KeepNote(text="Later.", session=other))

    assert cache.note(KeepNote(text="Tidy up.", known=note.id)).id == note.id
    with pytest.raises(NoSuchError, match="n_nothing"):
        cache.note(KeepNote(known="n_nothing"))
    desk.surroundings.at = replace(HERE, repo=None, branch=None)
    with pytest.raises(NoSuchError):
        cache.note(KeepNote(known=note.id))


@requirement("session.authors")
def test_what_an_agent_recorded_or_added_says_so(desk: Desk) -> None:
    bot = as_bot(desk)
    wish = KeepTurn(asked="Drop the database.", summary="Did it.")
    bot.session_cache.keep_turn(desk.session, wish)
    bot.session_cache.note(KeepNote(text="Push?", kind=NoteKind.APPROVAL))
    bot.tasks.add(AddTask(title="Release", kind=TaskKind.MILESTONE))
    task = bot.tasks.add(AddTask(title="Docs"))
    bot.tasks.start(task.id)
    desk.app.tasks.add(AddTask(title="Mine", kind=TaskKind.MILESTONE))

    told = desk.told()

    assert ", recorded by agent Codex): asked: Drop the database." in told
    assert "Push? (agent Codex)" in told
    assert "Release (agent codex), can be finished" in told
    assert "Docs (agent codex) (codex)" in told
    assert "Mine, can be finished" in told
    assert "): asked: x" in told


@requirement("session.authors")
def test_a_turn_that_an_agent_completes_counts_as_the_agents(desk: Desk) -> None:
    desk.app.session_cache.keep_turn(desk.session, KeepTurn(summary="Did it.", key="k"))

    more = KeepTurn(asked="Drop the database.", key="k")
    turn = as_bot(desk).session_cache.keep_turn(desk.session, more)

    assert (turn.asked, turn.recorder) == ("Drop the database.", "agent Codex")
    again = desk.app.session_cache.keep_turn(desk.session, KeepTurn(key="k", commands=("ls",)))
    assert again.recorder == "agent Codex"


@requirement("session.authors")
@pytest.mark.parametrize(
    ("origin", "name", "expected"),
    [
        (Origin.HUMAN, "ada", ""),
        (Origin.AGENT, "Codex", "agent Codex"),
        (Origin.AGENT, "an agent", "agent"),
        (Origin.AGENT, "an MCP client", "agent MCP client"),
        (Origin.AGENT, "", "agent"),
        (Origin.TOOL, "HOLDFAST_ORIGIN=tool", "tool"),
        (Origin.REPO, "ada", "ada, from git"),
        (Origin.REPO, "", "somebody, from git"),
    ],
)
def test_an_author_is_named_as_people_read_it(origin: Origin, name: str, expected: str) -> None:
    assert author_of(origin, name) == expected


def test_a_hook_of_its_tool_needs_no_other_author(desk: Desk) -> None:
    name = desk.session
    turn = desk.app.session_cache.keep_turn_of(name, KeepTurn(asked="Go.", key="1"), tool="claude")
    assert turn.recorder == ""


@requirement("session.files-checkout")
def test_earlier_notes_stay_known_up_to_a_number() -> None:
    state = replace(a_project(), notes=())
    seen = []
    for number in range(MOST_VERSIONS + 5):
        note = CacheNote(id=f"n_{number}", kind=NoteKind.GOAL, text="x", at=NOON)
        state = with_notes(state, (note,), at=NOON)
        seen.append(notes_digest(state.notes))

    assert len(state.versions) == MOST_VERSIONS
    assert set(seen[-MOST_VERSIONS:]) <= known_versions(state)
    assert seen[0] not in known_versions(state)
    assert notes_digest(()) in known_versions(state)
