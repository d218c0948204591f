"""Rewrites history under the memories, and shows that the anchors follow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demo.repository import TOKENS

if TYPE_CHECKING:
    from demo.story import CommitRecord

_MOVED = "src/identity/tokens.py"
_HEADING = "# Tokens of the shop. Ask the identity team before you change them.\n\n\n"
_QUESTION = ("holdfast", "recall", "--md", "--limit", "1", "rotate refresh tokens")


def rewrite(story: CommitRecord) -> None:
    """Move the code, rewrite the commits, change the code, work on a branch."""
    story.say("6. The code moves and its history is rewritten; the evidence is found again.")
    story.run("holdfast", "hooks", "install")
    story.run("git", "mv", "src/auth", "src/identity")
    (story.repository / _MOVED).write_text(_HEADING + TOKENS, encoding="utf-8")
    story.run("git", "commit", "--quiet", "--all", "--message", "Move tokens")
    story.run("git", "commit", "--quiet", "--amend", "--message", "Move tokens to identity")
    story.run("git", "rebase", "--quiet", "--force-rebase", "--root")
    story.run(*_QUESTION)
    story.run("holdfast", "blame", f"{_MOVED}:50")

    story.say("7. The code changes: the memory is marked, and 'verify' fails as it would in CI.")
    changed = TOKENS.replace("    if token.used:\n", "    if token.used and not token.in_grace:\n")
    (story.repository / _MOVED).write_text(_HEADING + changed, encoding="utf-8")
    story.run("git", "commit", "--quiet", "--all", "--message", "Allow a grace period")
    story.run("holdfast", "verify", "--diff", expect=1)
    story.run(*_QUESTION[:2], "--as-of", "HEAD~1", *_QUESTION[2:])
    _branch(story)


def _branch(story: CommitRecord) -> None:
    story.say(
        "8. What is learned on a branch stays there until the branch arrives, squashed or not."
    )
    story.run("git", "switch", "--quiet", "--create", "grace")
    (story.repository / "GRACE.md").write_text("A token has 10 seconds of grace.\n", "utf-8")
    story.run("git", "add", "GRACE.md")
    story.run("git", "commit", "--quiet", "--message", "Say how long the grace is")
    claim = "The grace period of a used token is ten seconds."
    story.run("holdfast", "remember", "--key", "grace", "--evidence", "GRACE.md:1", claim)
    story.run("git", "switch", "--quiet", "main")
    story.run("holdfast", "recall", "--md", "--limit", "1", "grace period of a token")
    story.run("holdfast", "diff", "main..grace")
    story.run("git", "merge", "--quiet", "--squash", "grace")
    story.run("git", "commit", "--quiet", "--message", "Document the grace period")
    story.run("git", "branch", "--quiet", "-D", "grace")
    story.run("holdfast", "recall", "--md", "--limit", "1", "grace period of a token")

    story.say("9. Code and commits answer too, beside what is remembered.")
    story.run("holdfast", "import", "git")
    story.run(
        *("holdfast", "recall", "--md", "--budget", "700", "--include", "memory,code,history"),
        "why is a token family revoked",
    )
