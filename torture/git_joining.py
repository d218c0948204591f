"""Operations that join histories: merges, cherry-picks, reverts, pulls."""

from __future__ import annotations

from pathlib import Path

from torture.git_editing import spots_of
from torture.git_lines import Change, Rename, Tree, applied, reverted
from torture.git_reshaping import busy_files
from torture.git_site import MAIN, TOPIC, Commit, DisagreementError, Rewritten, Site


def topic_on(site: Site, tree: Tree) -> Tree:
    """Return the files with the changes of the topic branch applied."""
    for name in site.topic:
        tree = applied(site.commits[name].patch, tree)
    return tree


def fast_forward(site: Site) -> None:
    site.git("reset", "-q", "--hard", site.main[-2])
    site.git("merge", "-q", "--ff-only", TOPIC)
    site.tree = site.commits[site.topic[-1]].tree
    site.is_joined = True


def merge(site: Site) -> None:
    site.git("merge", "-q", "--no-edit", TOPIC)
    site.tree = topic_on(site, site.tree)
    site.is_joined = True


def squash_merge(site: Site) -> None:
    site.git("merge", "-q", "--squash", TOPIC)
    site.git("commit", "-q", "-m", "all of the topic")
    site.tree = topic_on(site, site.tree)
    site.is_joined = True
    for name in site.topic:
        site.rewritten[name] = Rewritten(now=frozenset({site.head()}))


def conflict_resolved(site: Site) -> None:
    """Change one line on both sides, and resolve the conflict with a third text."""
    line = site.author.chance.choice(site.author.chance.choice(spots_of(site.tree)).inner)
    texts = [site.author.other(line.text) + end for end in ("!", "?", ".")]
    start = site.tree
    site.git("checkout", "-q", "-b", "side")
    side = (*site.some(side=1), Change({line.id: texts[0]}))
    site.commit("one way", side)
    site.git("checkout", "-q", MAIN)
    site.tree = start
    site.commit("the other way", (*site.some(side=0), Change({line.id: texts[1]})))
    if site.try_git("merge", "-q", "side").returncode == 0:
        said = "git merged what should collide"
        raise DisagreementError(said)
    tree = applied((*side, Change({line.id: texts[2]})), site.tree)
    for path, page in tree.items():
        (site.root / path).write_bytes(page.raw)
    site.tree = tree
    site.git("add", "-A")
    site.git("commit", "-q", "-m", "both ways")


def merge_across_rename(site: Site) -> None:
    """Rename files on a branch, change them on the main one, and merge the two."""
    start = site.tree
    paths = busy_files(site, 3)
    renames = tuple(
        Rename(path, f"elsewhere/{number}{path[path.rindex('.') :]}")
        for number, path in enumerate(paths)
    )
    site.git("checkout", "-q", "-b", "side")
    site.commit("rename", (*site.some(side=1, number=3), *renames))
    renamed = site.tree
    site.git("checkout", "-q", MAIN)
    site.tree = start
    here = site.some(side=0, number=3)
    site.commit("change", here)
    site.git("merge", "-q", "--no-edit", "side")
    site.tree = applied(here, renamed)


def cherry_pick(site: Site) -> None:
    site.git("cherry-pick", site.topic[0])
    site.tree = site.replayed(site.topic[:1], site.tree, "HEAD~1..HEAD")


def revert(site: Site) -> None:
    before = site.tree
    patch = site.some(side=1)
    site.commit("first", patch)
    site.commit("second", site.some(side=0))
    site.git("revert", "--no-edit", "HEAD~1")
    site.tree = applied(reverted(patch, before), site.tree)


def clone(site: Site, name: str = "other") -> Path:
    """Create a bare repository that both the site and a new clone have as origin."""
    bare, other = site.work / "up.git", site.work / name
    site.git("clone", "-q", "--bare", str(site.root), str(bare))
    site.git("remote", "add", "origin", str(bare))
    site.git("clone", "-q", str(bare), str(other), folder=site.work)
    site.looking = other
    return other


def force_push_pulled(site: Site) -> None:
    other = clone(site)
    before, patch = site.commits[site.main[-1]].before, site.commits[site.main[-1]].patch
    more = site.some(side=0, number=3)
    site.edit(more)
    site.git("commit", "-q", "-a", "--amend", "-m", "go on, better")
    site.note(Commit(sha=site.head(), before=before, patch=(*patch, *more), tree=site.tree))
    site.rewritten[site.main[-1]] = Rewritten(now=frozenset({site.head()}))
    site.git("push", "-q", "--force", "origin", MAIN)
    site.git("pull", "-q", "--rebase", folder=other)


def pull_with_rebase(site: Site) -> None:
    other = clone(site)
    here = Site(work=site.work, root=other, author=site.author, tree=site.tree)
    mine = site.some(side=1)
    here.commit("mine", mine)
    site.commit("theirs", site.some(side=0))
    site.git("push", "-q", "origin", MAIN)
    site.git("pull", "-q", "--rebase", folder=other)
    site.tree = applied(mine, site.tree)
