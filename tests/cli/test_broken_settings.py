"""Git settings with values that git refuses: nothing passes as checked that was not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.program import Program
from tests.cli.test_anchors import git, write
from tests.requirements import requirement

BROKEN = {
    "core.autocrlf": "bogus",
    "core.compression": "99",
    "core.repositoryformatversion": "99",
    "core.fileMode": "bogus",
    "core.abbrev": "bogus",
    "core.packedGitLimit": "bogus",
    "extensions.objectFormat": "bogus",
    "diff.algorithm": "bogus",
    "diff.renames": "7x",
}


@pytest.fixture
def program(repository: Path, tmp_path: Path) -> Program:
    """Three memories: one whose lines changed, one whose file is gone, and one about a commit."""
    ours = Program(home=tmp_path / "home", folder=repository)
    write(repository, "a.py", "def limit():\n    return compute_the_limit(7)\n")
    write(repository, "b.py", "def other():\n    return compute_the_other(7)\n")
    git(repository, "tag", "v1")
    ours("remember", "--evidence", "a.py:1-2", "The limit is seven.").well()
    ours("remember", "--evidence", "b.py:1-2", "The other is seven.").well()
    ours("remember", "--evidence", "commit:v1", "v1 was cut.").well()
    (repository / "a.py").write_text("def limit():\n    return compute_the_limit(9)\n")
    (repository / "b.py").unlink()
    return ours


@requirement("verify.exit-code-for-ci")
@requirement("verdict.never-silent")
@pytest.mark.parametrize("key", BROKEN)
def test_what_git_could_not_check_is_counted_and_fails(program: Program, key: str) -> None:
    git(program.folder, "config", key, BROKEN[key])

    done = program("verify", "--json")

    assert done.code == 1
    assert len(done.json["memories"]) == 3
    assert done.json["unanchored"] == 0
    shown = program("recall", "limit seven", "--md").out
    assert any(word in shown for word in ("drifted", "unverifiable"))


@requirement("verify.exit-code-for-ci")
def test_evidence_that_nobody_could_check_fails_by_itself(program: Program) -> None:
    for name in program("list", "--json").json["memories"]:
        if "v1" not in name["claim"]:
            program("forget", "--id", name["id"], "--yes")
    assert program("verify").code == 0
    git(program.folder, "config", "core.autocrlf", "bogus")

    done = program("verify")

    assert done.code == 1
    assert "unverifiable" in done.out
    assert "autocrlf" in done.out


HOSTILE = {
    "mailmap.file": "/dev/zero",
    "mailmap.blob": "HEAD:a.py",
    "blame.ignoreRevsFile": "/dev/zero",
    "diff.orderFile": "/nonexistent",
    "core.excludesFile": "/dev/zero",
    "i18n.logOutputEncoding": "UTF-16",
    "i18n.commitEncoding": "UTF-16",
    "log.date": "relative",
    "log.showSignature": "true",
    "log.follow": "true",
    "log.diffMerges": "separate",
    "log.abbrevCommit": "true",
    "format.pretty": "email",
    "format.notes": "*",
    "diff.noprefix": "true",
    "diff.mnemonicPrefix": "true",
    "diff.relative": "true",
    "diff.context": "0",
    "diff.interHunkContext": "9",
    "diff.algorithm": "patience",
    "diff.submodule": "log",
    "diff.renames": "copies",
    "color.ui": "always",
    "color.diff": "always",
    "core.quotePath": "false",
    "core.abbrev": "4",
    "core.commentChar": ";",
    "core.notesRef": "refs/nothing",
    "core.useReplaceRefs": "true",
    "core.warnAmbiguousRefs": "true",
    "core.checkStat": "minimal",
    "core.splitIndex": "true",
    "core.untrackedCache": "true",
    "core.preloadIndex": "false",
    "core.commitGraph": "false",
    "core.multiPackIndex": "false",
    "column.ui": "always",
    "status.short": "true",
    "status.branch": "true",
    "status.showUntrackedFiles": "no",
    "status.relativePaths": "false",
    "grep.patternType": "perl",
    "tag.sort": "-version:refname",
    "branch.sort": "-committerdate",
    "versionsort.suffix": "-rc",
    "transfer.hideRefs": "refs/heads",
    "uploadpack.hideRefs": "refs/tags",
    "feature.manyFiles": "true",
    "feature.experimental": "true",
}
TOGETHER = 7
ASKED = (
    ("verify", "--json"),
    ("verify", "--at", "v1", "--json"),
    ("recall", "limit seven", "--as-of", "v1", "--md"),
    ("blame", "a.py:1-2"),
    ("status",),
)


def answers(program: Program) -> list[tuple[int, object]]:
    """Ask everything; return the exit codes and the verdicts."""
    found: list[tuple[int, object]] = []
    for words in ASKED:
        done = program(*words)
        counts = done.json["counts"] if "--json" in words else None
        found.append((done.code, counts))
    return found


@requirement("evidence.whatever-git-says")
def test_no_setting_changes_an_answer_or_keeps_it_back(program: Program) -> None:
    expected = answers(program)
    assert [code for code, _ in expected] == [1, 0, 0, 0, 0]

    def differing(keys: tuple[str, ...]) -> list[tuple[tuple[str, ...], object]]:
        """Set all of these at once; if they change an answer, tell which of them does."""
        for key in keys:
            git(program.folder, "config", key, HOSTILE[key])
        found = answers(program)
        for key in keys:
            git(program.folder, "config", "--unset", key)
        if found == expected:
            return []
        alone = [one for key in keys for one in differing((key,))] if len(keys) > 1 else []
        return alone or [(keys, found)]

    keys = tuple(HOSTILE)
    groups = [keys[at : at + TOGETHER] for at in range(0, len(keys), TOGETHER)]
    assert [one for group in groups for one in differing(group)] == []


@requirement("evidence.whatever-git-says")
@pytest.mark.parametrize(
    ("key", "value"), [("diff.orderFile", "/nonexistent"), ("diff.algorithm", "bogus")]
)
def test_a_setting_about_diffs_denies_no_commit(program: Program, key: str, value: str) -> None:
    git(program.folder, "config", key, value)

    assert "does not name a commit" not in program("verify", "--at", "v1").err
    denied = program("verify", "--at", "no-such-name")
    assert (denied.code, "does not name a commit" in denied.err) == (3, True)


@requirement("evidence.whatever-git-says")
def test_a_setting_that_git_refuses_is_named_instead_of_the_commit(program: Program) -> None:
    git(program.folder, "config", "core.autocrlf", "bogus")

    done = program("verify", "--at", "v1")

    assert "autocrlf" in done.err
    assert "does not name a commit" not in done.err
