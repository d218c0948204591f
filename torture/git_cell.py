"""Runs one operation on one repository, asks the program, and judges the answers."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from torture.git_asking import SETTINGS, Answers, ask, cite, keep, visit
from torture.git_operations import OPERATIONS, SHA256
from torture.git_site import (
    MAIN,
    TOPIC,
    DisagreementError,
    GitRefusedError,
    Site,
    git_surroundings,
    made,
)
from torture.git_truth import Judgement, KeptProposal, Said, State, judged
from torture.git_writing import author

ATTEMPTS = 4
_FIRST_FREE = 1_000_000
_UNCHECKED = Said(verdict="unchecked", how="the program says nothing about it")


@dataclass(slots=True, kw_only=True)
class Cell:
    """The counts of one operation on one repository."""

    operation: str
    seed: int
    numbers: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


def cells(work: Path, seed: int, names: tuple[str, ...]) -> Iterator[Cell]:
    """Run the operations on one repository, each on its own copy, and yield what each gave."""
    os.environ.update(SETTINGS)
    base = _base(work / "base", seed)
    for name in names:
        start = _base(work / "sha256", seed, format_name="sha256") if name == SHA256 else base
        yield _cell(work / "cell", start, seed, name)
        shutil.rmtree(work / "cell")
    shutil.rmtree(work)


def _base(work: Path, seed: int, format_name: str = "sha1") -> Site:
    """Create a repository; if git cannot merge it without help, draw another one."""
    for attempt in range(ATTEMPTS):
        shutil.rmtree(work, ignore_errors=True)
        os.environ.update(git_surroundings(work))
        site = made(work, author(f"{seed}:{attempt}"), keep, format_name=format_name)
        if site.try_git("merge-tree", "--write-tree", MAIN, TOPIC).returncode == 0:
            cite(site)
            return site
    said = f"no repository of seed {seed} can be merged"
    raise GitRefusedError(said)


def _cell(work: Path, base: Site, seed: int, name: str) -> Cell:
    site = _done(work, base, seed, name)
    cell = Cell(operation=name, seed=seed)
    answers = ask(site)
    for kept in site.kept:
        _judge_span(cell, site, kept, answers)
        _judge_memory(cell, site, kept, answers)
    for memory, commit in site.cited.items():
        _judge_commit(cell, site, commit, answers.commits.get(memory, ("unchecked", None)))
        if memory not in answers.listed or memory in answers.unreadable:
            cell.lost.append(f"{memory}: because of a commit")
    return cell


def _done(work: Path, base: Site, seed: int, name: str) -> Site:
    """Run the operation; if git's result differs from the model, draw the changes again.

    Raises:
        DisagreementError: The result never matched the model.
        GitRefusedError: Git refused the operation every time.
    """
    for attempt in range(ATTEMPTS):
        shutil.rmtree(work, ignore_errors=True)
        os.environ.update(git_surroundings(work))
        site = base.moved_to(work, author(f"{seed}:{name}:{attempt}", first=_FIRST_FREE))
        visit(site)
        try:
            OPERATIONS[name](site)
            site.agree()
        except (DisagreementError, GitRefusedError) as error:
            error.add_note(f"seed {seed}, {name}")
            if attempt == ATTEMPTS - 1:
                raise
        else:
            return site
    raise AssertionError


def _judge_span(cell: Cell, site: Site, kept: KeptProposal, answers: Answers) -> None:
    said = answers.spans.get(kept.span, _UNCHECKED)
    judgement = judged(kept, said, site.tree)
    truth = judgement.truth
    cell.numbers["spans"] += 1
    cell.numbers[said.verdict] += 1
    cell.numbers["intact"] += truth.state is State.INTACT
    cell.numbers["alike"] += judgement.is_excused
    if truth.still_exists:
        cell.numbers["exist"] += 1
        cell.numbers["found"] += judgement.is_found
    elif truth.state is State.CHANGED:
        cell.numbers["edited"] += 1
        cell.numbers["placed"] += judgement.is_found
    told = _told(kept, said, judgement)
    if answers.again.get(kept.span, _UNCHECKED) != said:
        cell.wrong.append(f"WRONG the second time: {answers.again.get(kept.span)}: {told}")
    if judgement.wrong:
        cell.wrong.append(f"WRONG {said.verdict}: {judgement.wrong}: {told}")
    elif truth.still_exists and not judgement.is_found:
        cell.missed.append(f"not found: {told}")


def _told(kept: KeptProposal, said: Said, judgement: Judgement) -> str:
    truth = judgement.truth
    places = " or ".join(str(place) for place in said.places[:4]) or "nowhere"
    true = " and ".join(str(place) for place in truth.places)
    text = " / ".join(kept.texts)[:60]
    return (
        f"{kept.place} [{text}] said {said.verdict} {places} ({said.how});"
        f" truly {truth.state} {true} ({truth.left} of {truth.of})"
    )


def _judge_memory(cell: Cell, site: Site, kept: KeptProposal, answers: Answers) -> None:
    """Check that a memory is listed and shown everywhere, and recalled where its branch reaches."""
    is_on_topic = answers.branch == TOPIC and not site.is_topic_thrown_away
    should_reach = kept.branch == MAIN or is_on_topic or site.is_joined
    problems = {
        "not listed": kept.memory not in answers.listed,
        f"not shown: {answers.unreadable.get(kept.memory)}": kept.memory in answers.unreadable,
        "not recalled": should_reach and kept.memory not in answers.recalled,
    }
    cell.lost += [f"LOST {kept.memory}: {words}" for words, is_so in problems.items() if is_so]
    if not should_reach and kept.memory in answers.recalled:
        cell.wrong.append(f"WRONG reach: {kept.memory} is of a branch that is not part of this one")


def _judge_commit(cell: Cell, site: Site, commit: str, said: tuple[str, str | None]) -> None:
    verdict, now = said
    is_here = _is_part(site, commit)
    heirs = site.rewritten.get(commit)
    now_here = {} if heirs is None else {name for name in heirs.now if _is_part(site, name)}
    cell.numbers["commits"] += 1
    told = f"commit {commit[:12]} said {verdict} {(now or '')[:12]}"
    if is_here:
        right = verdict == "fresh"
    elif verdict == "moved":
        right = now in now_here
    else:
        right = verdict == "unverifiable" or (verdict == "orphaned" and not site.is_shallow)
        surely = bool(now_here) and heirs is not None and heirs.surely
        cell.numbers["unfollowed"] += bool(now_here)
        if surely:
            cell.missed.append(f"not followed: {told}")
    cell.numbers["followed"] += verdict == "moved" and right
    if not right:
        cell.wrong.append(f"WRONG fate: {told}, truly {'here' if is_here else now_here or 'not'}")


def _is_part(site: Site, commit: str) -> bool:
    done = site.try_git("merge-base", "--is-ancestor", commit, "HEAD", folder=site.looking)
    return done.returncode == 0
