"""Operations that change what is checked out: stashes, checkouts, clones, worktrees."""

from __future__ import annotations

from torture.git_joining import clone
from torture.git_lines import Rename, applied
from torture.git_reshaping import busy_files
from torture.git_site import TOPIC, Site

_SHOWN = ("src", "docs")


def stash(site: Site) -> None:
    before = site.tree
    site.edit(site.some(number=8))
    site.git("stash", "push", "-q")
    site.tree = before


def stash_and_pop(site: Site) -> None:
    before = site.tree
    patch = site.some(side=1, number=6)
    site.edit(patch)
    site.git("stash", "push", "-q")
    site.tree = before
    site.commit("in between", site.some(side=0))
    site.git("stash", "pop", "-q")
    site.tree = applied(patch, site.tree)


def detached(site: Site) -> None:
    site.checkout(site.main[1], "--detach")


def switched(site: Site) -> None:
    site.checkout(TOPIC)


def old_files(site: Site) -> None:
    """Restore the first version of some files."""
    begin = site.commits[site.main[0]].tree
    paths = [path for path in busy_files(site, 99) if begin.get(path) != site.tree.get(path)][:5]
    site.git("checkout", "-q", site.main[0], "--", *paths)
    site.tree = {**site.tree, **{path: begin[path] for path in paths}}


def worktree(site: Site) -> None:
    site.looking = site.work / "beside"
    site.git("worktree", "add", "-q", str(site.looking), TOPIC)
    site.tree = site.commits[site.topic[-1]].tree


def shallow(site: Site) -> None:
    site.looking = site.work / "shallow"
    site.is_shallow = True
    address = f"file://{site.root}"
    site.git("clone", "-q", "--depth", "1", address, str(site.looking), folder=site.work)


def second_clone(site: Site) -> None:
    """Continue in another clone, in another folder."""
    here = Site(work=site.work, root=clone(site), author=site.author, tree=site.tree)
    here.commit("over there", site.some(number=8))
    site.tree = here.tree


def submodule(site: Site) -> None:
    whole = site.work / "whole"
    whole.mkdir()
    site.git("init", "-q", folder=whole)
    site.git("submodule", "--quiet", "add", str(site.root), "parts/project", folder=whole)
    site.git("commit", "-q", "-m", "with a part", folder=whole)
    site.looking = whole / "parts" / "project"
    here = Site(work=site.work, root=site.looking, author=site.author, tree=site.tree)
    here.commit("inside", site.some(number=6))
    site.tree = here.tree


def sparse(site: Site) -> None:
    site.git("sparse-checkout", "set", "--cone", *_SHOWN)
    shown = tuple(f"{folder}/" for folder in _SHOWN)
    site.absent = frozenset(path for path in site.tree if not path.startswith(shown))


def renamed_in_sha256(site: Site) -> None:
    (path,) = busy_files(site, 1)
    site.commit("rename", (*site.some(number=6), Rename(path, f"moved/{path}")))
