"""The tab Health: what is stale, contradictory, duplicate, useless or was never given."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.binding import Binding

from holdfast.domain.ids import short
from holdfast.domain.review.curation import Severity, TidyStep
from holdfast.domain.text.counting import counted
from holdfast.domain.text.short_ids import with_short_ids
from holdfast.surfaces.tui.parts.texts import (
    BAD,
    BOLD,
    DIM,
    GOOD,
    NAME,
    WARN,
    bar,
    fact,
    line,
    one_line,
    quoted,
    styled,
)
from holdfast.surfaces.tui.parts.undoing import UndoingPane

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import ClassVar

    from textual.binding import BindingType
    from textual.content import Content

    from holdfast.domain.review.curation import Concern, HealthPoint
    from holdfast.usecases.review.curating import Survey

_BAR = 20
_HEALTHY, _FAIR = 80, 50
_STEPS = {
    TidyStep.DEPRECATE: "t deprecates it: it is kept, but not recalled",
    TidyStep.CONSOLIDATE: "t keeps the first one, with the evidence of all",
    TidyStep.UNPIN: "t unpins the place",
}


class HealthPane(UndoingPane):
    """The findings about the memories of this place, the most urgent first."""

    title = "Health"
    nothing = "Nothing was found: every memory is in order."
    nothing_decided = "Nothing was tidied here yet."
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("t", "tidy", "tidy"),
        Binding("u", "undo", "undo"),
        Binding("enter", "choose", "in Memory", show=False),
        Binding("r", "reload", "check again"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.survey: Survey | None = None

    async def load(self) -> None:
        """Check every memory of this place, in the thread for slow work."""
        self.rows.say_when_empty("checking every memory …")
        found = await self.ui.ask(lambda memory: memory.care.survey(), is_slow=True)
        if found is None:
            self.rows.say_when_empty("The memories could not be checked.")
            return
        self.survey, history = found
        self.rows.say_when_empty(self.nothing)
        self.show_heading(_score(self.survey.health, history))
        self.rows.show(len(self.survey.concerns))
        if not self.survey.concerns:
            self.show_page([styled(note, DIM) for note in self.survey.notes])

    def _current(self) -> Sequence[Concern]:
        concerns = () if self.survey is None else self.survey.concerns
        return concerns[self.rows.at : self.rows.at + 1]

    def draw(self, index: int) -> Content:
        """Return the row of a finding."""
        if self.survey is None:
            return styled("")
        concern = self.survey.concerns[index]
        style = BAD if concern.severity is Severity.WARNING else WARN
        claims = [one for one in map(self._claim, concern.memories[:1]) if one]
        return line(
            (f"{concern.trouble.value:<14.14} ", style),
            claims[0] if claims else one_line(concern.why),
        )

    def _claim(self, name: str) -> str:
        records = {} if self.survey is None else self.survey.records
        found = [record for key, record in records.items() if key == name]
        return one_line(found[0].memory.claim) if found else ""

    def write_page(self) -> None:
        """Write the page about the current finding."""
        for concern in self._current():
            shown = [
                line((concern.trouble.value, BOLD), ("  " + concern.severity.value, DIM)),
                line(with_short_ids(one_line(concern.why))),
                styled(""),
            ]
            for name in concern.memories:
                shown += [
                    line((short(name), NAME)),
                    *quoted(self._claim(name) or "not read"),
                    styled(""),
                ]
            if concern.step is not None:
                shown.append(fact("tidy", _STEPS[concern.step]))
            shown.append(fact("remedy", concern.remedy.value))
            self.show_page([*shown, styled(""), *self._counts()])

    def _counts(self) -> list[Content]:
        counts = {} if self.survey is None else self.survey.health.counts
        most = max(counts.values(), default=1) or 1
        return [
            line((f"{name:>14} ", DIM), (bar(many / most, _BAR), WARN), f" {many:,}")
            for name, many in counts.items()
        ]

    def on_rows_chosen(self) -> None:
        """Show the first memory of the finding in its tab."""
        for concern in self._current():
            if concern.memories:
                self.ui.show_memory(concern.memories[0])

    def action_tidy(self) -> None:
        """Fix the current finding, if that can be undone."""
        if not self.ui.may_decide():
            return
        for concern in self._current():
            if concern.step is None:
                self.ui.tell("A person has to decide this: press Enter to see the memory.", WARN)
            else:
                self.decide(partial(self._tidy, concern))

    async def _tidy(self, concern: Concern) -> None:
        by = self.ui.desk.user
        tidied = await self.ui.ask(lambda memory: memory.care.tidy([concern], by=by))
        if tidied is None:
            return
        for decision in tidied.decisions:
            self.decisions.append(decision.id)
            self.ui.count(decision)
        passed = "It was decided meanwhile; nothing was changed."
        self.ui.tell(
            passed if tidied.passed else "tidied  (u: undo)", DIM if tidied.passed else GOOD
        )
        self.reload()


def _score(health: HealthPoint, history: Sequence[HealthPoint]) -> Content:
    score = health.score
    style = GOOD if score >= _HEALTHY else WARN if score >= _FAIR else BAD
    before = f"  before: {history[-2].score}" if len(history) > 1 else ""
    return line(
        (bar(score / 100, _BAR), style),
        (f" {score} of 100", BOLD),
        (f"  {counted(health.live, 'memory', 'memories')}{before}", DIM),
    )
