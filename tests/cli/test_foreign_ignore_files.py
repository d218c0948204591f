"""Private files stay private, whatever the ignore files that came with a clone say."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.clones import Clone
from tests.cli.program import Program
from tests.cli.scenes import Scenes
from tests.requirements import requirement

HOSTILE = {
    "sessions": {".holdfast/.gitignore": "!sessions/\n!memory/candidates.md\n"},
    "empty": {".holdfast/.gitignore": ""},
    "root": {".gitignore": "!.holdfast/\n!.holdfast/**\n"},
    "both": {".gitignore": "!*\n!**/*\n", ".holdfast/.gitignore": "!*\n!**/*\n"},
    "nearer": {
        ".holdfast/sessions/.gitignore": "!*\n",
        ".holdfast/context/.gitignore": "!*\n",
        ".holdfast/memory/.gitignore": "!candidates.md\n",
    },
}


def made(program: Program) -> Clone:
    """A repository of somebody else."""
    clone = Clone(program)
    program("init", "--files", "--no-model").well()
    clone.decide("Carts are blue.")
    clone.commit("Keep pages")
    return clone


@pytest.fixture
def theirs(scenes: Scenes) -> Clone:
    return scenes.of(made)


def tracked(clone: Clone) -> list[str]:
    clone.git("add", "-A")
    private = (".holdfast/sessions/", ".holdfast/memory/candidates.md", ".holdfast/context/")
    names = clone.git("ls-files", "--", ".holdfast").splitlines()
    return [name for name in names if name.startswith(private) and ".gitignore" not in name]


def use(clone: Clone) -> None:
    """Do what makes private files: a session, a candidate, and the context of a run."""
    said = clone.program("session", "start", "--tool", "claude", "--json").well().json
    clone.program("session", "did", str(said["session"]["id"]), "added a cache").well()
    candidate = ("--origin", "agent", "--because", "it was said", "Carts may be red.")
    clone.program("remember", *candidate).well()
    clone.program("run", "start", "Paint the cart").well()
    clone.program("sync")


@requirement("files.private-stays-out-of-git")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_ignore_file_of_a_stranger_makes_private_files_public(
    theirs: Clone, tmp_path: Path, name: str
) -> None:
    for path, text in HOSTILE[name].items():
        (theirs.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (theirs.folder / path).write_text(text, encoding="utf-8")
    theirs.git("add", "-A", "--force", *HOSTILE[name])
    theirs.git("commit", "-qm", "Show everything")
    grace = theirs.clone(tmp_path / "grace")

    use(grace)
    assert tracked(grace) == []

    (grace.folder / "own.txt").write_text("own\n", encoding="utf-8")
    grace.commit("Work of ones own")
    use(grace)
    assert tracked(grace) == []


@requirement("files.private-stays-out-of-git")
def test_a_branch_without_pages_that_shows_everything_shows_nothing_private(
    theirs: Clone, tmp_path: Path
) -> None:
    theirs.git("switch", "-qc", "bare", "HEAD~1")
    (theirs.folder / ".gitignore").write_text("!.holdfast/\n!.holdfast/**\n", encoding="utf-8")
    theirs.git("add", "--force", ".gitignore")
    theirs.git("commit", "-qm", "Show everything")
    theirs.git("switch", "-q", "main")
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    grace.git("switch", "-q", "bare")
    use(grace)

    assert tracked(grace) == []


@requirement("files.private-stays-out-of-git")
def test_a_sync_says_why_the_page_of_candidates_is_not_written(
    theirs: Clone, tmp_path: Path
) -> None:
    path = theirs.folder / ".holdfast/memory/.gitignore"
    path.write_text("!candidates.md\n", encoding="utf-8")
    theirs.git("add", "--force", ".holdfast/memory/.gitignore")
    theirs.git("commit", "-qm", "Show everything")
    grace = theirs.clone(tmp_path / "grace")
    use(grace)

    done = grace.program("sync")

    assert "line 1 in .holdfast/memory/.gitignore" in done.out + done.err
    assert not (grace.folder / ".holdfast/memory/candidates.md").exists()


@requirement("files.private-stays-out-of-git")
def test_a_person_of_a_clone_shares_what_their_team_shares(theirs: Clone, tmp_path: Path) -> None:
    ignoring = Path(".holdfast/.gitignore")
    text = (theirs.folder / ignoring).read_text(encoding="utf-8")
    (theirs.folder / ignoring).write_text(text.replace("sessions/\n", ""), encoding="utf-8")
    theirs.commit("Share sessions")
    use(theirs)
    assert len(tracked(theirs)) == 1
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    own = tracked(grace)

    with (grace.folder / ignoring).open("a", encoding="utf-8") as file:
        file.write("# We share sessions.\n")
    grace.commit("Agree")
    use(grace)

    assert len(tracked(grace)) > len(own)
    assert ".holdfast/memory/candidates.md" not in tracked(grace)


NEARER = {
    ".holdfast/sessions/.gitignore": "!*\n",
    ".holdfast/memory/.gitignore": "!candidates.md\n",
    ".holdfast/.gitignore": "!sessions/\n!sessions/**\n!memory/candidates.md\n",
}


def show_everything(clone: Clone) -> None:
    """Commit ignore files that show what is private, on the branch ``hostile``."""
    clone.git("switch", "-qc", "hostile")
    for path, text in NEARER.items():
        (clone.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (clone.folder / path).write_text(text, encoding="utf-8")
    clone.git("add", "-A", "--force", *NEARER)
    clone.git("commit", "-qm", "Show everything")
    clone.git("switch", "-q", "main")


def private_files(clone: Clone) -> list[str]:
    found = clone.folder.glob(".holdfast/sessions/*.json")
    candidates = clone.folder / ".holdfast/memory/candidates.md"
    return sorted(one.name for one in (*found, candidates) if one.exists())


@pytest.fixture
def pulled(theirs: Clone, tmp_path: Path) -> Clone:
    """A clone with private files that pulled a commit which shows them."""
    show_everything(theirs)
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    assert len(private_files(grace)) == 2
    assert tracked(grace) == []
    grace.git("merge", "-q", "--no-edit", "origin/hostile")
    return grace


@requirement("files.private-stays-out-of-git")
def test_a_sync_after_a_pull_takes_out_what_git_would_show(pulled: Clone) -> None:
    (pulled.folder / ".holdfast/sessions/own.txt").write_text("own\n", encoding="utf-8")
    told = pulled.program("doctor")
    assert "1 of these files" in told.out
    shown = "git shows .holdfast/sessions, .holdfast/memory/candidates.md"
    assert shown in pulled.program("status").well().out
    pulled.program("remember", "--because", "it was said", "Wheels are round.").well()

    done = pulled.program("sync")

    assert done.code == 4
    assert ".holdfast/sessions:1" in done.out
    assert "line 1 in .holdfast/sessions/.gitignore" in done.out
    assert "1 private file left the working tree" in done.out
    assert private_files(pulled) == []
    assert tracked(pulled) == [".holdfast/sessions/own.txt"]
    assert "Wheels are round." in (pulled.folder / ".holdfast/memory/facts.md").read_text()
    assert "added a cache" in pulled.program("hydrate").well().out


@requirement("files.private-stays-out-of-git")
def test_private_files_come_back_when_git_ignores_them_again(pulled: Clone) -> None:
    pulled.program("sync")
    pulled.git("reset", "-q", "--hard", "HEAD~1")
    use(pulled)

    assert len(private_files(pulled)) == 3
    assert tracked(pulled) == []


@requirement("files.private-stays-out-of-git")
def test_a_turn_after_a_pull_shows_nothing_and_edits_are_kept(pulled: Clone) -> None:
    (file,) = pulled.folder.glob(".holdfast/sessions/*.json")
    file.write_text(file.read_text(encoding="utf-8").replace("cache", "cake"), encoding="utf-8")

    said = pulled.program("session", "start", "--tool", "claude", "--json").well().json
    pulled.program("session", "did", str(said["session"]["id"]), "painted a cart").well()

    assert private_files(pulled) == []
    assert tracked(pulled) == []
    kept = pulled.folder.glob(".git/holdfast/**/kept/*.json")
    assert any("added a cake" in one.read_text(encoding="utf-8") for one in kept)


@requirement("files.private-stays-out-of-git")
def test_a_hook_after_a_checkout_takes_out_what_git_would_show(
    theirs: Clone, tmp_path: Path
) -> None:
    show_everything(theirs)
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    grace.git("switch", "-q", "hostile")
    assert private_files(grace)

    grace.program("hooks", "run", "post-checkout").well()

    assert private_files(grace) == []


@requirement("files.private-stays-out-of-git")
def test_a_private_file_that_is_staged_is_named(pulled: Clone) -> None:
    pulled.git("add", "-A")

    done = pulled.program("sync")

    assert "the next commit would contain it" in done.out
    assert "git rm --cached" in done.out


@requirement("files.private-stays-out-of-git")
@pytest.mark.parametrize("is_rebased", [False, True])
def test_a_private_file_that_an_own_commit_contains_is_named(
    pulled: Clone, tmp_path: Path, *, is_rebased: bool
) -> None:
    pulled.commit("Add everything")
    if is_rebased:
        side = pulled.git("commit-tree", "-p", "HEAD~1", "-m", "Side", "HEAD~1^{tree}")
        pulled.git("rebase", "-q", side)
    (session,) = pulled.folder.glob(".holdfast/sessions/*.json")
    held = [".holdfast/memory/candidates.md", f".holdfast/sessions/{session.name}"]
    other = pulled.clone(tmp_path / "other")
    use(other)

    told = pulled.program("doctor", "--json").json["findings"]

    named = [one["message"] for one in told if one["check"] == "private files"]
    said = ": it is private, and a commit of yours contains it."
    assert sorted(one.partition(said)[0] for one in named if said in one) == held
    assert "a commit of yours" in pulled.program("sync").out
    assert "a commit of yours" not in other.program("doctor").out
    pulled.git("rm", "-q", "--cached", *held)
    pulled.git("commit", "-qm", "Take them out")
    assert "a commit of yours" not in pulled.program("doctor").out


BY_HAND = {
    "squash": (("merge", "-q", "--squash", "origin/hostile"), ("commit", "-qm", "Squash")),
    "paths": (("checkout", "origin/hostile", "--", ".holdfast"),),
    "paths committed": (
        ("checkout", "origin/hostile", "--", ".holdfast"),
        ("commit", "-qm", "Take the folder"),
    ),
    "stash": (
        ("checkout", "origin/hostile", "--", ".holdfast"),
        ("stash", "-q"),
        ("stash", "pop", "-q"),
    ),
    "picked": (("cherry-pick", "-n", "origin/hostile"), ("commit", "-qm", "Pick")),
    "fetched": (
        ("fetch", "-q", "origin", "hostile"),
        ("branch", "-q", "-rd", "origin/hostile"),
        ("checkout", "FETCH_HEAD", "--", ".holdfast"),
    ),
}


@requirement("files.private-stays-out-of-git")
@pytest.mark.parametrize("name", BY_HAND)
def test_ignore_files_of_others_share_nothing_when_a_person_commits_them(
    theirs: Clone, tmp_path: Path, name: str
) -> None:
    show_everything(theirs)
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    for words in BY_HAND[name]:
        grace.git(*words)
    assert "1 of these files" in grace.program("doctor").out

    done = grace.program("sync")

    assert "1 private file left the working tree" in done.out
    assert "a comment of your own" in " ".join(done.out.split())
    assert private_files(grace) == []
    assert tracked(grace) == []


def squashed(theirs: Clone, tmp_path: Path) -> Clone:
    """Return a clone whose person committed the ignore files of others as one change."""
    show_everything(theirs)
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    grace.git("merge", "-q", "--squash", "origin/hostile")
    grace.git("commit", "-qm", "Squash")
    return grace


@requirement("files.private-stays-out-of-git")
def test_a_text_of_others_stays_theirs_after_their_branch_is_gone(
    theirs: Clone, tmp_path: Path
) -> None:
    grace = squashed(theirs, tmp_path)
    grace.program("sync")
    grace.git("branch", "-q", "-rd", "origin/hostile")
    use(grace)

    assert private_files(grace) == []
    assert tracked(grace) == []


@requirement("files.private-stays-out-of-git")
def test_a_record_from_before_texts_were_looked_up_is_checked(
    theirs: Clone, tmp_path: Path
) -> None:
    grace = squashed(theirs, tmp_path)
    record = grace.folder / ".git/holdfast/shared"
    record.write_text(".holdfast-*\ncontext/\nmemory/candidates.md\nsessions/\n", encoding="utf-8")
    use(grace)

    assert private_files(grace) == []
    assert tracked(grace) == []


@requirement("files.private-stays-out-of-git")
def test_what_a_person_shares_stays_shared_through_a_stash_and_another_branch(
    theirs: Clone, tmp_path: Path
) -> None:
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    ignoring = grace.folder / ".holdfast/.gitignore"
    text = ignoring.read_text(encoding="utf-8").replace("sessions/\n", "")
    grace.git("switch", "-qc", "sharing")
    ignoring.write_text(text, encoding="utf-8")
    grace.git("stash", "-q")
    grace.git("stash", "pop", "-q")
    grace.program("sync")
    assert len(tracked(grace)) == 1
    grace.commit("Share sessions")
    grace.git("switch", "-q", "main")
    grace.program("sync")

    # Somebody else commits the same text later.
    (theirs.folder / ".holdfast/.gitignore").write_text(text, encoding="utf-8")
    theirs.commit("Share sessions, too")
    grace.git("fetch", "-q")
    grace.git("switch", "-q", "sharing")
    use(grace)

    assert len(tracked(grace)) == 2


@requirement("files.private-stays-out-of-git")
def test_a_text_that_a_squash_put_together_shares_nothing(theirs: Clone, tmp_path: Path) -> None:
    ignoring = ".holdfast/.gitignore"
    text = (theirs.folder / ignoring).read_text(encoding="utf-8")
    theirs.git("switch", "-qc", "hostile")
    (theirs.folder / ignoring).write_text(f"# Ours.\n#\n#\n{text}", encoding="utf-8")
    theirs.commit("Say whose it is")
    (theirs.folder / ignoring).write_text(
        f"# Ours.\n#\n#\n{text}".replace("sessions/\n", ""), encoding="utf-8"
    )
    theirs.commit("Share sessions")
    theirs.git("switch", "-q", "main")
    grace = theirs.clone(tmp_path / "grace")
    use(grace)
    with (grace.folder / ignoring).open("a", encoding="utf-8") as file:
        file.write("#\n#\n# Mine.\n")
    grace.commit("Say something")

    grace.git("merge", "-q", "--squash", "origin/hostile", check=False)
    (grace.folder / ignoring).write_text(
        f"# Ours.\n#\n#\n{text}#\n#\n# Mine.\n".replace("sessions/\n", ""), encoding="utf-8"
    )
    grace.program("hooks", "run", "post-merge").well()
    grace.commit("Squash")
    use(grace)

    assert tracked(grace) == []
