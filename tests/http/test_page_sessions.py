"""The sessions of the page of a server: they end, and what is stored of them opens nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from holdfast.bootstrap.service.page_sessions import FOLDER, LASTS, PageSessions
from holdfast.bootstrap.service.spaces import SpaceName
from holdfast.domain.memory.place import SpaceId
from holdfast.domain.workspace_errors import FolderUnusableError
from tests.builders import FixedClock
from tests.requirements import requirement

NAME = SpaceName("file", SpaceId("team"))


@requirement("web.session-ends-with-its-token")
def test_a_session_lasts_a_week_and_is_removed_after_it(tmp_path: Path) -> None:
    clock = FixedClock()
    sessions = PageSessions(tmp_path, now=clock.now)
    cookie = sessions.begin("t_1", NAME)
    clock.advance(seconds=LASTS.total_seconds() - 1)
    found = sessions.of(cookie)
    assert found is not None
    assert (found.token_id, found.name) == ("t_1", NAME)

    clock.advance(seconds=1)

    assert sessions.of(cookie) is None
    later = sessions.begin("t_2", NAME)
    assert sessions.of(later) is not None
    assert len(list((tmp_path / FOLDER).iterdir())) == 1


@requirement("web.session-ends-with-its-token")
def test_only_so_many_sessions_are_kept(tmp_path: Path) -> None:
    clock = FixedClock()
    sessions = PageSessions(tmp_path, now=clock.now, most=2)
    cookies = []
    for _ in range(4):
        cookies.append(sessions.begin("t_1", NAME))
        clock.advance(seconds=1)

    assert [sessions.of(one) is not None for one in cookies] == [False, False, True, True]


@requirement("web.session-ends-with-its-token")
def test_whoever_signs_in_again_and_again_signs_nobody_else_out(tmp_path: Path) -> None:
    clock = FixedClock()
    sessions = PageSessions(tmp_path, now=clock.now, most=102)
    theirs = sessions.begin("t_1", NAME)
    own = []
    for _ in range(104):
        clock.advance(seconds=1)
        own.append(sessions.begin("t_2", NAME))

    assert sessions.of(theirs) is not None
    assert [sessions.of(one) is not None for one in own] == [*[False] * 4, *[True] * 100]


@requirement("web.session-ends-with-its-token")
@pytest.mark.parametrize("damage", ["", "{", "[]", '{"token": "t_1"}', '{"token": 3}'])
def test_a_damaged_session_is_none(tmp_path: Path, damage: str) -> None:
    sessions = PageSessions(tmp_path, now=FixedClock().now)
    cookie = sessions.begin("t_1", NAME)
    (kept,) = (tmp_path / FOLDER).iterdir()
    kept.write_text(damage, encoding="utf-8")

    assert sessions.of(cookie) is None
    assert sessions.begin("t_2", NAME)


@requirement("web.session-ends-with-its-token")
def test_a_session_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("a file", encoding="utf-8")

    with pytest.raises(FolderUnusableError):
        PageSessions(tmp_path, now=FixedClock().now).begin("t_1", NAME)
