"""``python -m demo``: a small repository, memories with evidence, answers that explain themselves.

Everything runs through the real program in a temporary folder; nothing of yours is touched.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from demo.repository import TOKENS, make_repository
from demo.rewriting import rewrite
from demo.story import CommitRecord
from holdfast.domain.memory.recognising import AGENTS, ORIGIN_VARIABLE


def tell(story: CommitRecord) -> None:
    """Remember, refuse, recall, correct; then the everyday use."""
    story.say("1. A memory is a claim with evidence. This one is about lines 41 to 58 of a file.")
    story.run("holdfast", "init")
    claim = "Refresh tokens rotate on every use; replaying one revokes the family."
    place = "src/auth/tokens.py:41-58"
    story.run(
        *("holdfast", "remember", "--kind", "gotcha", "--key", "refresh-token-rotation"),
        *("--evidence", place, "--ttl", "30d", claim),
    )
    story.run(
        *("holdfast", "remember", "--kind", "decision", "--key", "token-store"),
        *("--because", "decided in the design review", "Sessions live in Redis, not in Postgres."),
    )
    story.say("2. A claim without evidence is refused, and so is a secret.")
    story.run("holdfast", "remember", "Everybody knows this.", expect=2)
    secret = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    story.run("holdfast", "remember", "--because", "ops", f"Deploy with {secret}", expect=2)

    story.say("3. Ask, and get what is known, inside a token budget, with the reasons.")
    story.run(
        *("holdfast", "recall", "--q", "rotate refresh tokens", "--budget", "2000"),
        *("--include", "memory,code", "--md"),
    )
    story.say("4. A correction under the same key supersedes the old claim; nothing is edited.")
    story.run(
        *("holdfast", "remember", "--kind", "decision", "--key", "token-store"),
        *("--because", "load test of 12 November", "Sessions live in Postgres; Redis lost them."),
    )
    found = json.loads(story.ask("holdfast", "recall", "--json", "where do sessions live"))
    memory_id = found["items"][0]["memory_id"]
    story.show(f"… {memory_id}: {found['records'][0]['claim']}")
    story.run("holdfast", "explain", memory_id)
    curate(story, memory_id)


def curate(story: CommitRecord, memory_id: str) -> None:
    """Propose, approve, rewrite history, forget."""
    story.say("5. Agents only propose. What they say is not recalled until a person accepts it.")
    _propose(story)
    story.run("holdfast", "status", "--badge")
    story.run("holdfast", "recall", "--md", "how long do access tokens live")
    story.run("holdfast", "approve", "--all", "--yes")
    story.run("holdfast", "recall", "--md", "how long do access tokens live")

    rewrite(story)
    story.say("10. Forget means gone, and the doctor checks every row and the chain of events.")
    story.run("holdfast", "forget", "--id", memory_id, "--yes")
    story.run("holdfast", "doctor")


def _propose(story: CommitRecord) -> None:
    """Call ``holdfast mcp`` as a coding agent does."""
    call = {
        "name": "memory.create",
        "arguments": {
            "kind": "fact",
            "key": "access-token-lifetime",
            "value": "Access tokens live for fifteen minutes.",
            "evidence": [
                f"src/auth/tokens.py:{TOKENS.splitlines().index('ACCESS_MINUTES = 15') + 1}"
            ],
        },
    }
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "a-coding-agent", "version": "1"},
    }
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    said = story.ask("holdfast", "mcp", given="".join(json.dumps(line) + "\n" for line in lines))
    answer = json.loads(said.splitlines()[-1])["result"]
    story.show(f"memory.create → {answer['structuredContent']['message']}")


def main() -> None:
    """Run the demo in a temporary folder."""
    parser = argparse.ArgumentParser(prog="python -m demo", description=__doc__)
    parser.add_argument("--quiet", action="store_true", help="only check that it works")
    quiet: bool = parser.parse_args().quiet
    with tempfile.TemporaryDirectory(prefix="holdfast-demo-") as folder:
        home = Path(folder)
        environment = {
            **os.environ,
            "HOLDFAST_HOME": str(home / "memory"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
        }
        for name in (*AGENTS, ORIGIN_VARIABLE):
            environment.pop(name, None)  # the demo's shell is a person's, whoever runs this
        repository = make_repository(home / "shop", environment)
        tell(CommitRecord(repository=repository, environment=environment, quiet=quiet))
    sys.stdout.write("\nThe demo ran through.\n")


if __name__ == "__main__":
    main()
