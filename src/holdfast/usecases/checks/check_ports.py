"""The ports of checks together, and the brief run that answers and hooks use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.change import Change
from holdfast.domain.checks.outcome import CheckOutcome, unknown
from holdfast.domain.errors import UnavailableError
from holdfast.domain.lookup_errors import NoHistoryError
from holdfast.domain.values import dataclass
from holdfast.usecases.checks.check_run import CheckTools
from holdfast.usecases.checks.evaluate import evaluate
from holdfast.usecases.checks.file_texts import BRIEF, WHOLE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from holdfast.ports.checks.checking import (
        AcceptedCommands,
        CheckCommands,
        CheckedTree,
        CheckedTrees,
        Patterns,
    )
    from holdfast.ports.recall.code import Outline

NO_REPOSITORY = "there is no repository here"
_EVERYTHING = Change()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPorts:
    """The ports that checks need around a folder."""

    trees: CheckedTrees
    patterns: Patterns
    outline: Outline
    book: AcceptedCommands
    commands: CheckCommands

    def tools(self, change: Change, *, has_commands: bool) -> CheckTools:
        """Return what a full run needs."""
        return CheckTools(
            tree=self.trees.tree(change),
            patterns=self.patterns,
            outline=self.outline,
            commands=self.commands if has_commands else None,
            effort=WHOLE,
        )

    def brief(self, texts: Iterable[str], *, only: Collection[str] = ()) -> Outcomes:
        """Run checks without commands and within a small effort, for an answer or a hook.

        ``only`` restricts checks of single files to these paths. What cannot be run is unknown.
        """
        asked = tuple(texts)
        if not asked:
            return {}
        try:
            tree = self.trees.tree(_EVERYTHING)
            tools = CheckTools(
                tree=_Part(tree, only) if only else tree,
                patterns=self.patterns,
                outline=self.outline,
                effort=BRIEF,
                is_done=False,
            )
            return evaluate(asked, tools=tools)
        except NoHistoryError:
            return {text: unknown(text, NO_REPOSITORY) for text in asked}
        except UnavailableError as error:
            return {text: unknown(text, str(error)) for text in asked}


class _Part:
    """A tree of which only some files count as changed."""

    def __init__(self, tree: CheckedTree, only: Collection[str]) -> None:
        self._tree = tree
        self._only = only

    def files(self, among: Collection[str] | None = None) -> Sequence[str]:
        return self._tree.files(among)

    def changed(self) -> Collection[str]:
        return self._only

    def unseen(self, among: Collection[str] | None = None) -> Mapping[str, str]:
        return self._tree.unseen(among)

    def want(self, paths: Iterable[str]) -> None:
        self._tree.want(paths)

    def content(self, path: str) -> bytes | str:
        return self._tree.content(path)

    def exists(self, path: str) -> bool:
        return self._tree.exists(path)


if TYPE_CHECKING:
    Outcomes = Mapping[str, CheckOutcome]
    Checker = Callable[..., Outcomes]
