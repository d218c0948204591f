"""Pages that follow a decision, and events that a tool reports: both through the application."""

from __future__ import annotations

from typing import cast

import pytest

from holdfast.app import Holdfast
from holdfast.app.occasions import Occasions
from holdfast.domain.access_errors import MayNotError
from holdfast.domain.memory.callers import Principal, PrincipalKind
from holdfast.domain.sessions.hook_calls import HookCall, HookEvent
from holdfast.domain.values import replace
from holdfast.usecases.sessions.hook_ports import HookPorts
from tests.contract.test_spaces import Attached
from tests.requirements import requirement
from tests.usecases.wishes import said


class Unwritten(Attached):
    """A repository without pages."""

    def keeps_pages(self) -> bool:
        return False


def test_where_there_are_no_pages_nothing_is_written(holdfast: Holdfast) -> None:
    empty = Attached()
    empty.pages_here.has_pages = False

    for attachments in (None, Unwritten(), empty):
        assert replace(holdfast, attachments=attachments).page_writer.write(by="ada") is None


def test_what_was_decided_is_written_in_the_name_of_who_decided(holdfast: Holdfast) -> None:
    record = said(holdfast, "We deploy on Tuesdays.")

    synced = replace(holdfast, attachments=Attached()).page_writer.write(by="ada")

    assert synced is not None
    assert [one.memory for one in synced.told] == [record.memory.id]


@requirement("callers.one-table")
@pytest.mark.parametrize("happening", HookEvent)
def test_a_tool_that_may_nothing_is_told_nothing(happening: HookEvent) -> None:
    tool = replace(Principal.of(PrincipalKind.TOOL, name="claude"), may=frozenset())
    hook_call = HookCall(tool="claude", happening=happening, session="s")

    with pytest.raises(MayNotError, match="The caller claude"):
        Occasions(tool, cast("HookPorts", None)).attend(hook_call)
