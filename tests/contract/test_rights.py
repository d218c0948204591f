"""Every verb of the application for every kind of principal, decided by the one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.app.memories import MemoriesPart
from holdfast.app.performing import DECLARED, Performed
from holdfast.domain.access_errors import MayNotError, NoSuchStoreError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.memory.callers import Operation, Principal, PrincipalKind
from holdfast.domain.values import replace
from holdfast.usecases.sessions.caching import KeepNote, KeepTurn
from tests.contract.test_spaces import FAMILIES, OURS, Known, attempts, everything, opened
from tests.requirements import requirement

OF_PEOPLE = {
    *(("memories", name) for name in ("remember", "remember_all", "forget")),
    *(("memories", name) for name in ("pin", "pin_span", "link", "unlink")),
    *(("answers", name) for name in ("learn", "reset_weights", "undo_weights")),
    *(("review", name) for name in ("auto_accept", "approve", "reject", "edit", "resolve")),
    *(("review", name) for name in ("undo", "revert")),
    *(("care", name) for name in ("tidy", "deprecate", "consolidate", "prune")),
    *(("pages", name) for name in ("sync", "trust", "revoke", "ignore_sessions")),
    *(("checks", name) for name in ("accept", "revoke")),
    *(("access", name) for name in ("create", "tokens", "revoke")),
    *(("upkeep", "repair"), ("exchange", "export"), ("exchange", "bring_in")),
    *(("service", name) for name in ("add_memory", "add_relationship")),
    ("documents", "keep"),
    *(("jobs", name) for name in ("add_import", "add_pruning", "add_curation", "cancel")),
    *(("measured", "accept"), ("workspaces", "delete"), ("session_cache", "unsay")),
    *(("tasks", name) for name in ("reopen", "delete", "bring_in")),
    *(("roles", name) for name in ("allow", "disallow")),
    *(("encryption", name) for name in ("reveal", "protect", "known_keys", "create", "add", "use")),
    *(("encryption", name) for name in ("rotate", "remove", "check")),
    *(("encryption", name) for name in ("encrypt_store", "decrypt_store")),
    *(("agents", name) for name in ("show", "cycles", "resume", "export", "delete")),
}
"""The verbs that only a person performs, as they are tried: for real, and in a person's name."""
OF_SERVICES = {
    *(("exchange", "export"), ("agents", "export")),
    *(("service", name) for name in ("add_memory", "add_relationship")),
    ("documents", "keep"),
}
"""Those of them that a service performs, too."""


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOLDFAST_KEYS", str(tmp_path / "keys"))


OF_OWNERS = {("sessions", "end"), ("session_cache", "rewind"), ("runs", "note"), ("runs", "finish")}
"""The verbs that a program may perform on what is its own."""
NOT_PEOPLE = [kind for kind in PrincipalKind if kind is not PrincipalKind.PERSON]


@requirement("callers.one-table")
@pytest.mark.parametrize("kind", NOT_PEOPLE)
def test_a_verb_that_is_a_persons_is_refused_and_changes_nothing(
    tmp_path: Path, kind: PrincipalKind
) -> None:
    person = opened(FAMILIES["inmemory"](tmp_path), OURS)
    known = Known(person)
    other = replace(person, principal=Principal.of(kind, space=OURS, name="a bot"))
    refused: dict[tuple[str, str], MayNotError] = {}
    before = everything(person)

    tried = attempts(other, known)
    for verb in OF_PEOPLE:
        try:
            tried[verb]()
        except MayNotError as error:
            refused[verb] = error
        except NoSuchStoreError:
            continue  # a service may add memories, but not to this space

    may_more = OF_SERVICES if kind is PrincipalKind.SERVICE else set()
    assert set(refused) == OF_PEOPLE - may_more
    assert {error.kind for error in refused.values()} == {kind}
    assert all("only a person " in str(error) for error in refused.values())
    assert everything(person) == before


@requirement("callers.one-table")
@pytest.mark.parametrize("kind", NOT_PEOPLE)
def test_no_other_verb_is_refused(tmp_path: Path, kind: PrincipalKind) -> None:
    person = opened(FAMILIES["inmemory"](tmp_path), OURS)
    known = Known(person)
    other = replace(person, principal=Principal.of(kind, space=OURS, name="a bot"))

    for verb, attempt in attempts(other, known).items():
        if verb not in OF_PEOPLE | OF_OWNERS:
            try:
                attempt()
            except MayNotError as error:
                pytest.fail(f"{verb}: {error}")
            except HoldfastError:
                continue


@requirement("sessions.ended-by-their-own")
@pytest.mark.parametrize("kind", NOT_PEOPLE)
def test_a_program_ends_and_rewinds_only_its_own_sessions(
    tmp_path: Path, kind: PrincipalKind
) -> None:
    person = opened(FAMILIES["inmemory"](tmp_path), OURS)
    bot = Principal.of(kind, space=OURS, name="a bot")
    program = replace(person, principal=bot)
    narrow = replace(bot, may=frozenset({Operation.RECORD}))
    tools = ("shell", "walrus", "bot", "bot:z", "a-bot", "person/bot")
    theirs = [person.sessions.start(tool=tool, user="ada").id for tool in tools]
    own = [program.sessions.start(tool=tool, user="ada") for tool in ("shell", "walrus")]

    for name in theirs:
        for refused in (program, replace(program, principal=narrow)):
            with pytest.raises(MayNotError, match="only a person ends it"):
                refused.sessions.end(name)
            with pytest.raises(MayNotError, match="only a person ends it"):
                refused.session_cache.rewind(name, to=0)
        assert person.session_cache.show(name).session.finished_at is None
    for session in own:
        assert session.tool.startswith("bot") or session.tool.startswith("a-bot")
        assert program.session_cache.rewind(session.id, to=0).session.id == session.id
        assert program.sessions.end(session.id).finished_at is not None
        assert person.sessions.end(session.id).finished_at is not None


@requirement("sessions.ended-by-their-own")
def test_a_fork_and_a_noted_session_belong_to_whoever_began_them(tmp_path: Path) -> None:
    person = opened(FAMILIES["inmemory"](tmp_path), OURS)
    person = replace(person, principal=Principal.of(PrincipalKind.PERSON, space=OURS, name="bot"))
    program = replace(person, principal=Principal.of(PrincipalKind.AGENT, space=OURS, name="bot"))
    person.session_cache.note(KeepNote(text="Half done."))
    (noted,) = person.sessions.latest()
    theirs = program.sessions.start(tool="bot", user="ada")
    program.session_cache.keep_turn(theirs.id, KeepTurn(asked="Go."))

    forked = person.session_cache.fork(theirs.id).session
    back = program.session_cache.fork(forked.id).session

    for mine in (forked, noted):
        with pytest.raises(MayNotError, match="only a person ends it"):
            program.sessions.end(mine.id)
    assert program.sessions.end(back.id).finished_at is not None


@requirement("callers.one-table")
@pytest.mark.parametrize("operation", Operation)
def test_a_principal_may_exactly_what_it_may(tmp_path: Path, operation: Operation) -> None:
    """A later door gives a principal fewer operations than its kind has, by a token."""
    person = opened(FAMILIES["inmemory"](tmp_path), OURS)
    one = Principal.of(PrincipalKind.PERSON, space=OURS)
    limited = replace(person, principal=replace(one, may=one.may - {operation}))

    declared: Performed = getattr(MemoriesPart.pin, DECLARED)
    if operation is declared.usual:
        with pytest.raises(MayNotError):
            limited.memories.pin("m_1")
    else:
        with pytest.raises(HoldfastError) as missing:
            limited.memories.pin("m_1")
        assert not isinstance(missing.value, MayNotError)
