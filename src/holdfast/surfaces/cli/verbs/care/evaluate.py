"""eval: measure recall on sets with known answers, or on this repository's own history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.named_files import to_file
from holdfast.surfaces.cli.values import MissingFileError, UnusableFileError, UsageError
from holdfast.surfaces.cli.verbs.care.eval_progress import WatchedEval
from holdfast.surfaces.wire.care import differences_json, figures_json

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.bootstrap.machine.evaluation import TemporaryBench
    from holdfast.domain.evaluation.benchmark import SetResult
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext

_LARGEST_RESULTS = 64 * 1024 * 1024
_DEFAULT_BUDGETS = (500, 1_000, 2_000)
_READ_AGAIN = "by {model}; the best hits were read again, as for an MCP client"
_NOT_READ_AGAIN = "by {model}; the best hits were not read again"


def evaluate(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Measure recall. Holdfast remembers the documents of a set in a temporary store and\n"
        "answers its questions; it does not touch your own store. A set is a folder with\n"
        "queries.jsonl and corpus.jsonl, directly or in a subfolder for each split; for a\n"
        "folder of sets, all of them are measured. --from-history asks about this repository\n"
        "instead.",
        examples=(
            "holdfast eval --data bench --save before.json",
            "holdfast eval --data bench --only talk --set recall.tokens=exact --save after.json",
            "holdfast eval --compare before.json after.json",
        ),
        does=_run,
    )
    add = command.add_argument
    add("--data", metavar="DIR", help="a set, or a folder of sets")
    add("--split", default="dev", metavar="NAME", help="which part of a set (dev)")
    add("--only", type=values.parts, default=(), metavar="SETS", help="only these, with commas")
    add("--set", action="append", type=values.pair, default=[], metavar="NAME=VALUE",
        help="try another value of a setting; may be repeated")  # fmt: skip
    add("--budget", type=_budgets, default=_DEFAULT_BUDGETS, metavar="TOKENS",
        help="budgets to measure, with commas (500,1000,2000)")  # fmt: skip
    add("--limit", type=values.whole("limit"), metavar="N", help="at most N questions of each set")
    add("--out", metavar="FILE", help="write the rankings, one question a line")
    add("--save", metavar="FILE", help="write every measure of every question")
    add("--plot", metavar="FILE", help="write a picture: what is found, by tokens (SVG)")
    add("--keep", metavar="DIR", help="keep the stores there, and use them again next time")
    add("--compare", nargs=2, metavar="FILE", help="compare two files written by --save")
    add("--from-history", action="store_true", help="ask about decisions of this repository")
    add("--since", metavar="DATE", help="with --from-history: only commits after that")


def _budgets(text: str) -> tuple[int, ...]:
    from holdfast.domain.recall.question import MOST_TOKENS

    budgets = tuple(values.whole("budget")(word) for word in values.parts(text))
    if not budgets or not all(1 <= budget <= MOST_TOKENS for budget in budgets):
        raise BadFieldError(
            field="budget", problem=f"takes numbers from 1 to {MOST_TOKENS:,}, with commas."
        )
    return tuple(sorted(set(budgets)))


def _run(given: Namespace, context: CommandContext) -> None:
    wishes = [given.data is not None, given.compare is not None, given.from_history]
    if sum(wishes) != 1:
        raise UsageError(
            problem="Say what to measure: --data DIR, --from-history, or --compare with two files."
        )
    if given.since is not None and not given.from_history:
        raise UsageError(problem="--since goes with --from-history.")
    if given.limit is not None and given.limit < 1:
        raise BadFieldError(field="limit", problem="must be at least 1.")
    if given.compare is not None:
        _compare(given, context)
        return
    with _bench(given, context) as bench:
        results = (_from_history if given.from_history else _on_sets)(given, context, bench)
    about = {
        "data": given.data,
        "split": given.split,
        "settings": dict(given.set),
        "model": bench.model,
        "deep": bench.is_deep,
    }
    _tell(results, about, given, context)


def _on_sets(given: Namespace, context: CommandContext, bench: TemporaryBench) -> list[SetResult]:
    from holdfast.domain.values import replace
    from holdfast.surfaces.cli.present.care.evaluation import show_set

    measuring = context.machine.measuring
    found = measuring.sets(Path(given.data).expanduser(), given.split)
    known = {one.name for one in found}
    for name in given.only:
        if name not in known:
            raise BadFieldError(
                field="set",
                problem=f"'{name}' is not there; there are: {', '.join(sorted(known))}.",
            )
    results = []
    for one in found:
        if given.only and one.name not in given.only:
            continue
        planned = measuring.plan(one, limit=given.limit)
        with WatchedEval(one.name, context) as watcher:
            result = measuring.on_set(
                one.name,
                watcher.over(planned.trials, planned.count),
                bench=bench,
                budgets=given.budget,
                watcher=watcher,
            )
        result = replace(result, notes=(*planned.notes, *result.notes))
        results.append(result)
        if not context.output.as_json:
            show_set(result, context.output, budgets=given.budget)
            context.output.flush()
    return results


def _from_history(
    given: Namespace, context: CommandContext, bench: TemporaryBench
) -> list[SetResult]:
    from holdfast.bootstrap.machine.measuring import HistoryAsked
    from holdfast.surfaces.cli.present.care.evaluation import show_set

    since = values.since(given.since, context.holdfast.now)
    asked = HistoryAsked(since=since, limit=given.limit, budgets=given.budget)
    with WatchedEval("history", context) as watcher:
        result = context.machine.measuring.on_history(
            context.holdfast, bench=bench, asked=asked, watcher=watcher
        )
    if not context.output.as_json:
        show_set(result, context.output, budgets=given.budget)
    return [result]


def _bench(given: Namespace, context: CommandContext) -> TemporaryBench:
    keep = None if given.keep is None else Path(given.keep).expanduser().absolute()
    return context.machine.measuring.bench(dict(given.set), keep=keep)


def _tell(
    results: Sequence[SetResult],
    about: dict[str, object],
    given: Namespace,
    context: CommandContext,
) -> None:
    from holdfast.domain.evaluation.benchmark import results_json
    from holdfast.surfaces.cli.present.care.evaluation import quality_by_tokens, show_all
    from holdfast.surfaces.cli.present.terminal.colour import Dim

    if given.out is not None:
        to_file(_run_lines(results), Path(given.out), is_private=False)
    if given.save is not None:
        saved = json.dumps(results_json(results, **about))
        to_file([saved], Path(given.save), is_private=False)
    if given.plot is not None:
        picture = quality_by_tokens(results).rstrip("\n")
        to_file([picture], Path(given.plot), is_private=False)
    if context.output.as_json:
        context.output.json(figures_json(about, results))
        return
    if len(results) > 1:
        show_all(results, context.output, budgets=given.budget)
    if about["model"] is not None:
        said = _READ_AGAIN if about["deep"] else _NOT_READ_AGAIN
        context.output.say(Dim(said.format(model=about["model"])))


def _run_lines(results: Iterable[SetResult]) -> Iterator[str]:
    for result in results:
        for one in result.judged:
            yield json.dumps({"query_id": one.id, "ranked": list(one.ranked)})


def _compare(given: Namespace, context: CommandContext) -> None:
    from holdfast.domain.evaluation.comparison import differences
    from holdfast.surfaces.cli.present.care.evaluation import show_differences, shown_measures

    before, after = (_saved(name) for name in given.compare)
    found = differences(before, after, measures=shown_measures(after, given.budget))
    if not found:
        raise BadFieldError(field="comparison", problem="has no question that is in both files.")
    if context.output.as_json:
        context.output.json(differences_json(found))
    else:
        show_differences(found, context.output)


def _saved(name: str) -> tuple[SetResult, ...]:
    from holdfast.bootstrap.machine.named_file import read_named
    from holdfast.domain.evaluation.benchmark import results_from_json

    try:
        shape = json.loads(read_named(Path(name), most=_LARGEST_RESULTS))
    except FileNotFoundError:
        raise MissingFileError(name) from None
    except OSError as error:
        raise UnusableFileError(path=name, problem=error.strerror, done="read") from error
    except ValueError:
        raise BadFieldError(field=f"file {name}", problem="is not JSON.") from None
    try:
        return results_from_json(shape)
    except BadFieldError as error:
        problem = f"was not written by 'holdfast eval --save': {error}"
        raise BadFieldError(field=f"file {name}", problem=problem) from None
