"""Comment a pull request with what Holdfast found: broken checks, drifted evidence, memories.

`action.yml` runs this file. It needs the standard library, git, and `holdfast` on PATH. The report
also goes to the summary of the job. Texts of memories come from the pull request, so they are
quoted as code: they can mention nobody and format nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MARK = "<!-- holdfast report -->"
"""The first line of the comment, by which the next run finds it."""
_MOST_LETTERS = 60_000
_MOST_ROWS = 50
_MOST_PLACES = 5
_SECONDS = 30
_PAGE = 100
_MOST_PAGES = 30


Answer = list[dict[str, Any]]
"""The comments that the host lists; other answers are not read."""


@dataclass(frozen=True)
class PullRequest:
    """The pull request of an event: where its comments are, and what it changes."""

    comments: str
    base: str
    head: str


def pull_request(event: dict[str, Any], *, api: str, repository: str) -> PullRequest | None:
    """Return the pull request of an event; None for an event that has none."""
    found = event.get("pull_request")
    if not found:
        return None
    comments = f"{api}/repos/{repository}/issues/{int(found['number'])}/comments"
    return PullRequest(comments, found["base"]["sha"], found["head"]["sha"])


def asked(*words: str) -> dict[str, Any]:
    """Return the JSON answer of a command; the program ends if there is none."""
    done = subprocess.run(  # noqa: S603 - our own program, with words of this file and hashes
        ["holdfast", *words, "--json"],  # noqa: S607 - the one that the job installed
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"holdfast {' '.join(words)} gave no answer: {done.stderr.strip()}")
    return dict(answer)


def quoted(text: object, most: int = 160) -> str:
    """Return a text as a code span of one line that fits a table."""
    words = " ".join(str(text or "").split()).replace("`", "'").replace("|", "¦")
    return f"`{words[: most - 1]}…`" if len(words) > most else f"`{words}`"


def report(verified: dict[str, Any], checked: dict[str, Any], doubted: dict[str, Any]) -> str:
    """Return the report as Markdown."""
    drifted = [
        (one, item)
        for one in verified["memories"]
        for item in one["evidence"]
        if item["verdict"] in {"drifted", "orphaned"}
    ]
    broken = [
        (one, check)
        for one in checked["memories"]
        for check in one["checks"]
        if check["state"] == "broken"
    ]
    touched = doubted.get("in_doubt", [])
    lines = [MARK, "### Holdfast", ""]
    lines += _section(
        "Broken rules",
        ("rule", "where"),
        [(quoted(one["claim"]), _places(check)) for one, check in broken],
    )
    lines += _section(
        "Evidence that is no longer what it was",
        ("memory", "evidence", "now"),
        [
            (quoted(one["claim"]), quoted(item["ref"]), quoted(item["verdict"]))
            for one, item in drifted
        ],
    )
    lines += _section(
        "Memories about code that this change touches",
        ("memory", "evidence"),
        [
            (quoted(one["memory"]["claim"]), quoted(item["ref"]))
            for one in touched
            for item in one["evidence"]
        ],
    )
    if not (broken or drifted or touched):
        lines.append("Every rule holds, and all evidence is as it was.")
    counts = ", ".join(f"{many} {name}" for name, many in verified["counts"].items() if many)
    lines += ["", f"<sub>evidence: {counts or 'nothing to check'}</sub>"]
    return "\n".join(lines)[:_MOST_LETTERS]


def _places(check: dict[str, Any]) -> str:
    """Return where a check is broken, or why."""
    found = [f"{one['path']}:{one['line']}" for one in check["places"][:_MOST_PLACES]]
    return ", ".join(map(quoted, found)) or quoted(check["why"] or check["check"])


def _section(title: str, heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    if not rows:
        return []
    more = len(rows) - _MOST_ROWS
    return [
        f"**{title}**",
        "",
        f"| {' | '.join(heads)} |",
        f"|{'---|' * len(heads)}",
        *(f"| {' | '.join(row)} |" for row in rows[:_MOST_ROWS]),
        *(["", f"and {more} more"] if more > 0 else []),
        "",
    ]


def post(text: str, comments: str, token: str) -> None:
    """Write the comment, or replace the one of an earlier run."""
    earlier = _earlier(comments, token)
    if earlier is None:
        _call("POST", comments, token, {"body": text})
    else:
        _call("PATCH", earlier, token, {"body": text})


def _earlier(comments: str, token: str) -> str | None:
    """Return the address of our comment; a comment of a person with the mark is not ours."""
    for page in range(1, _MOST_PAGES + 1):
        found = _call("GET", f"{comments}?per_page={_PAGE}&page={page}", token)
        for comment in found:
            is_ours = comment["user"]["type"] == "Bot" and comment["body"].startswith(MARK)
            if is_ours:
                return str(comment["url"])
        if len(found) < _PAGE:
            return None
    return None


def _call(method: str, url: str, token: str, body: dict[str, Any] | None = None) -> Answer:
    if not url.startswith(("https://", "http://127.0.0.1:")):
        sys.exit(f"{url} is no address of an API.")
    request = urllib.request.Request(  # noqa: S310 - the scheme was checked above
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {token}",
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
            "Content-Type": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310 - see above
        found: Answer = json.load(answer)
        return found


def main() -> int:
    """Make the report; return 1 if something is wrong and the job asked for that."""
    given = os.environ
    event = json.loads(Path(given["GITHUB_EVENT_PATH"]).read_text(encoding="utf-8"))
    found = pull_request(
        event,
        api=given.get("GITHUB_API_URL", "https://api.github.com"),
        repository=given["GITHUB_REPOSITORY"],
    )
    asked("init", "--no-model")
    asked("trust", "--yes")
    since = () if found is None else ("--since", found.base)
    verified, checked = asked("verify"), asked("verify", "--checks", *since)
    doubted = {} if found is None else asked("diff", f"{found.base}..{found.head}")
    text = report(verified, checked, doubted)
    if summary := given.get("GITHUB_STEP_SUMMARY"):
        with Path(summary).open("a", encoding="utf-8") as file:
            file.write(f"{text}\n")
    sys.stdout.write(f"{text}\n")
    if found is not None and given.get("GITHUB_TOKEN"):
        try:
            post(text, found.comments, given["GITHUB_TOKEN"])
        except (urllib.error.URLError, OSError) as error:
            # A pull request from a fork has a token that may only read.
            sys.stdout.write(f"::warning::Holdfast could not comment: {error}\n")
    is_sound = verified["sound"] and checked["sound"]
    return 0 if is_sound or given.get("HOLDFAST_FAIL", "true") != "true" else 1


if __name__ == "__main__":
    sys.exit(main())
