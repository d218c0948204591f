"""Operations that rewrite history: amend, rebase, filter, reset."""

from __future__ import annotations

from torture.git_joining import squash_merge
from torture.git_lines import Drop, applied
from torture.git_reshaping import busy_files
from torture.git_site import MAIN, TOPIC, Commit, Rewritten, Site

_SWAP = "sed -i -e '1{h;d}' -e '2G'"
_SQUASH = "sed -i -e '2s/^pick/fixup/'"
_DROP = "sed -i -e '1d'"


def amend_words(site: Site) -> None:
    site.git("commit", "-q", "--amend", "-m", "said better")
    old = site.commits[site.main[-1]]
    new = Commit(sha=site.head(), before=old.before, patch=old.patch, tree=old.tree)
    site.note(new)
    site.rewritten[old.sha] = Rewritten(now=frozenset({new.sha}), surely=True)


def amend_content(site: Site) -> None:
    old = site.commits[site.main[-1]]
    patch = site.some(number=6)
    site.edit(patch)
    site.git("add", "-A")
    site.git("commit", "-q", "--amend", "-m", "done better")
    new = Commit(sha=site.head(), before=old.before, patch=(*old.patch, *patch), tree=site.tree)
    site.note(new)
    site.rewritten[old.sha] = Rewritten(now=frozenset({new.sha}))


def rebase(site: Site) -> None:
    base = site.tree
    site.git("checkout", "-q", TOPIC)
    site.git("rebase", "-q", MAIN)
    site.tree = site.replayed(site.topic, base, f"{MAIN}..{TOPIC}")


def reorder(site: Site) -> None:
    _interactive(site, _SWAP)
    base = site.commits[site.main[-2]].tree
    site.tree = site.replayed(site.topic[::-1], base, f"{site.main[-2]}..{TOPIC}")


def squash(site: Site) -> None:
    _interactive(site, _SQUASH)
    site.tree = site.commits[site.topic[-1]].tree
    for name in site.topic:
        site.rewritten[name] = Rewritten(now=frozenset({site.head()}))


def drop(site: Site) -> None:
    _interactive(site, _DROP)
    base = site.commits[site.main[-2]].tree
    site.tree = site.replayed(site.topic[1:], base, f"{site.main[-2]}..{TOPIC}")


def _interactive(site: Site, editor: str) -> None:
    site.git("checkout", "-q", TOPIC)
    site.git("-c", f"sequence.editor={editor}", "rebase", "-q", "-i", site.main[-2])


def reset_hard(site: Site) -> None:
    site.git("reset", "-q", "--hard", "HEAD~1")
    site.tree = site.commits[site.main[-2]].tree


def reset_and_redo(site: Site) -> None:
    """Discard a commit and continue differently."""
    reset_hard(site)
    site.commit("another way", site.some(number=8))


def branch_forced(site: Site) -> None:
    """Move the topic branch elsewhere and check it out; what the old one knew is discarded."""
    site.is_topic_thrown_away = True
    site.git("branch", "-f", TOPIC, site.main[1])
    site.checkout(TOPIC)
    site.commit("a new topic", site.some(number=6))


def branch_deleted(site: Site) -> None:
    site.git("branch", "-q", "-D", TOPIC)


def branch_deleted_after_squash(site: Site) -> None:
    """Squash-merge a topic as most hosts do, and delete its branch."""
    squash_merge(site)
    site.git("branch", "-q", "-D", TOPIC)


def collected(site: Site) -> None:
    """Rewrite, then let git delete the old history."""
    rebase(site)
    _collect(site)


def _collect(site: Site) -> None:
    site.git("reflog", "expire", "--expire=now", "--all")
    site.git("gc", "-q", "--prune=now")
    for old, new in site.rewritten.items():
        site.rewritten[old] = Rewritten(now=new.now)  # without the old object nothing can be proved


def filtered(site: Site) -> None:
    """Remove a file and an address from the whole history, as filter-repo does."""
    (victim,) = busy_files(site, 1)
    old = site.git("rev-list", "--topo-order", "--reverse", MAIN, TOPIC).split()
    told = site.git("fast-export", "--all", "--no-data")
    told = told.replace("somebody@example.org", "nobody@example.org")
    lines = [line for line in told.split("\n") if not _is_about(line, victim)]
    site.git("fast-import", "--quiet", "--force", given="\n".join([*lines, ""]))
    site.git("reset", "-q", "--hard")
    new = site.git("rev-list", "--topo-order", "--reverse", MAIN, TOPIC).split()
    for before, after in zip(old, new, strict=True):
        site.rewritten[before] = Rewritten(now=frozenset({after}))
    site.tree = applied((Drop(victim),), site.tree)
    _collect(site)


def _is_about(line: str, path: str) -> bool:
    quoted = "".join(chr(code) if code < 128 else f"\\{code:03o}" for code in path.encode())
    return line.startswith(("M 100644 ", "D ")) and line.endswith(
        (f" {path}", f' "{quoted}"', f' "{path}"')
    )
