"""Checks of imports and symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.checks.outcome import Breach, aside, broken, holds, unknown
from holdfast.domain.checks.python_code import (
    ENDINGS,
    imports_of,
    is_named,
    is_spelled_out,
    may_import,
    symbols_of,
)
from holdfast.usecases.checks.file_texts import BINARY, UnreadFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from holdfast.domain.checks.kinds import ImportCheck, SymbolCheck
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.usecases.checks.check_run import CheckRun

_OTHER_CODE = (
    *(".c", ".cc", ".cpp", ".cs", ".cts", ".go", ".h", ".hpp", ".java", ".js", ".jsx", ".kt"),
    *(".mjs", ".mts", ".php", ".rb", ".rs", ".scala", ".swift", ".ts", ".tsx"),
)
_KNOWN = (*ENDINGS, *_OTHER_CODE)
_NO_CODE = (
    *(".cfg", ".css", ".csv", ".html", ".ini", ".json", ".lock", ".md", ".rst", ".svg", ".toml"),
    *(".txt", ".xml", ".yaml", ".yml"),
)
_NOT_READ = "{path}: imports are read in Python files only"
_NO_SYMBOLS = "its symbols could not be read"
_NOWHERE = "nothing defines {name}"


def import_outcome(check: ImportCheck, run: CheckRun) -> CheckOutcome:
    """Return whether a file of the change imports a module that it must not."""
    chosen = run.chosen(check.paths)
    python = [path for path in chosen if path.endswith(ENDINGS)]
    others = [path for path in chosen if path.endswith(_OTHER_CODE)]
    if not python and not others:
        return run.nothing(check)
    unread = _NOT_READ.format(path=others[0]) if others else ""
    breaches: list[Breach] = []
    run.tools.tree.want(python)
    for path in python:
        try:
            breaches += _imported(check, path, run)
        except UnreadFileError as error:
            unread = unread or str(error)
    if breaches:
        return broken(check.text, breaches)
    return unknown(check.text, unread) if unread else holds(check.text)


def _imported(check: ImportCheck, path: str, run: CheckRun) -> Iterator[Breach]:
    text = run.texts.text(path)
    asked = [module for module in check.modules if may_import(text, module)]
    if not asked:
        return
    told: set[int] = set()
    for one in imports_of(run.texts.tree(path), path, at_run_time=check.at_run_time):
        found = next((module for module in asked if one.is_of(module)), None)
        if found is not None and one.line not in told:
            told.add(one.line)
            yield Breach(path=path, line=one.line, what=f"imports {one.named(found)}")


def symbol_outcome(check: SymbolCheck, run: CheckRun) -> CheckOutcome:
    """Return whether a file defines the symbol; the change only decides whether it is asked."""
    if not run.concerns(check.paths):
        return aside(check.text)
    code = _code(check, run)
    lost = _lost(check, run)
    if not code and not lost:
        return run.nothing(check)
    run.tools.tree.want(code)
    places, unread = _places(check, code, run)
    if bool(places) == check.is_wanted and not (unread and not places):
        return holds(check.text)
    if unread and not places:
        return unknown(check.text, unread)
    return broken(check.text, places or lost, "" if places else _NOWHERE.format(name=check.name))


def _code(check: SymbolCheck, run: CheckRun) -> Sequence[str]:
    """Return the files to read: known languages, and any other code where paths are named."""
    return list(filter(_reader(check), run.chosen_anywhere(check.paths)))


def _reader(check: SymbolCheck) -> Callable[[str], bool]:
    if check.paths.names_places:
        return lambda path: not path.endswith(_NO_CODE)
    return lambda path: path.endswith(_KNOWN)


def _lost(check: SymbolCheck, run: CheckRun) -> list[Breach]:
    """Return the files that should define the symbol and are not there."""
    return run.lost(check.paths, kind=_reader(check)) if check.is_wanted else []


def _places(check: SymbolCheck, code: Sequence[str], run: CheckRun) -> tuple[list[Breach], str]:
    """Return the places that define the symbol, and why a file could not be read."""
    unread = ""
    places: list[Breach] = []
    for path in code:
        try:
            places += [Breach(path=path, line=line) for line in _defined(check, path, run)]
        except UnreadFileError as error:
            if error.why != BINARY or path.endswith(_KNOWN):
                unread = unread or str(error)
    return places, unread


def _defined(check: SymbolCheck, path: str, run: CheckRun) -> Sequence[int]:
    text = run.texts.text(path)
    if check.last not in text and is_spelled_out(text):
        return ()
    if path.endswith(ENDINGS):
        found = symbols_of(run.texts.tree(path))
        return sorted({line for name, line in found if is_named(name, check.name)})
    if check.last not in text:
        return ()
    symbols = run.tools.outline.symbols(path, text) if path.endswith(_OTHER_CODE) else ()
    if not symbols:
        raise UnreadFileError(path, _NO_SYMBOLS)
    return [one.first for one in symbols if is_named(one.name, check.name)]
