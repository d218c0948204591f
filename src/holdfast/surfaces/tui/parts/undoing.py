"""A tab whose decisions can be taken back, the last one first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.tui.parts.pane import Pane
from holdfast.surfaces.tui.parts.texts import DIM

if TYPE_CHECKING:
    from typing import ClassVar

    from holdfast.domain.ids import DecisionId


class UndoingPane(Pane):
    """A tab that keeps its decisions, and undoes them one by one."""

    nothing_decided: ClassVar[str] = ""

    def __init__(self) -> None:
        super().__init__()
        self.decisions: list[DecisionId] = []

    def action_reload(self) -> None:
        """Read the tab again."""
        self.reload()

    def action_undo(self) -> None:
        """Take the last decision of this tab back."""
        if not self.ui.may_decide():
            return
        if not self.decisions:
            self.ui.tell(self.nothing_decided, DIM)
            return
        self.decide(self._undo)

    async def _undo(self) -> None:
        from holdfast.usecases.review.undo import Undo

        wish = Undo(by=self.ui.desk.user, reference=self.decisions[-1])
        if await self.ui.ask(lambda memory: memory.review.undo(wish)) is not None:
            self.decisions.pop()
            self.ui.tell("taken back")
            self.action_reload()
