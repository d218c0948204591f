"""Checks of dependencies and of files."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from holdfast.domain.checks.manifests import MANIFESTS, is_manifest, is_unread_manifest, plain_name
from holdfast.domain.checks.mentions import included, mentions
from holdfast.domain.checks.outcome import Breach, aside, broken, holds, unknown
from holdfast.usecases.checks.file_texts import UnreadFileError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.checks.kinds import DependencyCheck, FileCheck
    from holdfast.domain.checks.outcome import CheckOutcome
    from holdfast.usecases.checks.check_run import CheckRun

_NO_MANIFEST = f"there is no {', '.join(MANIFESTS[:-1])} or {MANIFESTS[-1]} in {{paths}}"
_NOT_LISTED = "no manifest lists {name}"
_NO_FILE = "there is no such file"


def dependency_outcome(check: DependencyCheck, run: CheckRun) -> CheckOutcome:
    """Return whether a manifest lists the package; every manifest is read, changed or not."""
    if not run.changes_manifest or not run.concerns(check.paths):
        return aside(check.text)
    manifests = check.paths.among(run.manifests)
    if not manifests:
        return _without_manifest(check, run)
    places, unread = _listing(check, manifests, run)
    if places:
        return holds(check.text) if check.is_wanted else broken(check.text, places)
    if unread:
        return unknown(check.text, unread)
    missing = _NOT_LISTED.format(name=check.name)
    return broken(check.text, [], missing) if check.is_wanted else holds(check.text)


def _without_manifest(check: DependencyCheck, run: CheckRun) -> CheckOutcome:
    """Return the outcome where no manifest is in the paths."""
    why = _NO_MANIFEST.format(paths=check.paths.words)
    if other := next(filter(is_unread_manifest, run.all_files), ""):
        return unknown(check.text, f"{why}, and {other} is not read")
    lost = run.lost(check.paths, kind=is_manifest)
    if check.is_wanted:
        return broken(check.text, lost, why) if lost else unknown(check.text, why)
    # A named path may be mistyped; of a whole repository without manifests, none lists it.
    is_sure = not check.paths.names_places or (run.changed is not None and lost)
    return holds(check.text, why) if is_sure else unknown(check.text, why)


def _listing(
    check: DependencyCheck, manifests: Sequence[str], run: CheckRun
) -> tuple[list[Breach], str]:
    """Return the places that list the package, and why a manifest could not be read."""
    wanted, unread = plain_name(check.name), ""
    places: list[Breach] = []
    run.tools.tree.want(manifests)
    pending, known = list(manifests), set(manifests)
    for path in pending:
        try:
            if wanted in run.packages(path):
                line = _line(run.texts.text(path), check.name)
                places.append(Breach(path=path, line=line))
                continue
            unread = unread or _doubt(check.name, path, run)
            more = [one for one in _includes(path, run) if one not in known]
        except UnreadFileError as error:
            unread = unread or str(error)
        except ValueError:
            unread = unread or f"{path}: it cannot be parsed"
        else:
            known.update(more)
            pending += more
    return places, unread


def _doubt(name: str, path: str, run: CheckRun) -> str:
    """Return why a manifest that does not list a package may still bring it in."""
    words, is_open = run.words(path)
    if mentions(words, name):
        line = _line(run.texts.text(path), name)
        return f"{path}{f':{line}' if line else ''} mentions it"
    return f"{path}: a build tool decides its dependencies" if is_open else ""


def _includes(path: str, run: CheckRun) -> list[str]:
    """Return the files that a list of requirements includes.

    Raises:
        UnreadFileError: One of them is not a file of the repository.
    """
    if not path.endswith(".txt") and is_manifest(path):
        return []
    found = []
    for name in included(run.texts.text(path)):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if place not in run.known_files:
            raise UnreadFileError(path, f"it includes {name[:60]}, which is not in the repository")
        found.append(place)
    return found


def _line(text: str, name: str) -> int:
    """Return the first line that contains the name, however it is spelled; 0 if none does."""
    wanted = plain_name(name)
    lines = enumerate(text.splitlines(), start=1)
    return next((number for number, line in lines if wanted in plain_name(line)), 0)


def file_outcome(check: FileCheck, run: CheckRun) -> CheckOutcome:
    """Return whether such files exist; a file that is named whole counts even if git ignores it."""
    if not run.concerns(check.paths):
        return aside(check.text)
    found = dict.fromkeys(run.chosen_anywhere(check.paths))
    found |= dict.fromkeys(one for one in check.paths.literal if run.tools.tree.exists(one))
    if check.is_wanted:
        missing = [one for one in check.paths.literal if one not in found]
        if missing or not found:
            places = run.lost(check.paths, kind=lambda _path: True)
            known = {one.path for one in places}
            places += [Breach(path=one) for one in missing if one not in known]
            return broken(check.text, places, _NO_FILE)
        return holds(check.text)
    places = [Breach(path=path, what="exists") for path in found]
    return broken(check.text, places) if places else holds(check.text)
