"""Sessions of the OpenAI Agents SDK: the same calls, against its session in SQLite."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

from torture.frameworks.comparing import Comparison
from torture.frameworks.installed import install

SESSIONS = ["one", "two", "dr ei/ö"]


def an_item(rnd: random.Random) -> dict[str, Any]:
    """Return a random item: a message, a call of a tool, its output, or reasoning."""
    number = rnd.randint(0, 999)
    return rnd.choice(
        [
            {"role": "user", "content": f"Ada drinks tea {number}.\r\n"},
            {
                "id": f"msg_{number:032x}",
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": f"Noted {number}", "annotations": []}],
            },
            {"type": "function_call", "call_id": f"call_{number}", "name": "f", "arguments": "{}"},
            {"type": "function_call_output", "call_id": f"call_{number}", "output": "ünï\n"},
            {"type": "reasoning", "summary": [], "encrypted_content": rnd.randbytes(90).hex()},
        ]
    )


def compare_agent_session(calls: int, seed: int, folder: Path, store: str = "") -> Comparison:
    """Make the same calls on sessions of both."""
    install("agents")
    return asyncio.run(_compared(calls, seed, folder, store))


async def _compared(calls: int, seed: int, folder: Path, store: str) -> Comparison:
    from agents import SQLiteSession

    from holdfast.integrations.openai_agents import HoldfastSession
    from holdfast.integrations.shelf import DocumentShelf

    found = Comparison("OpenAI Agents session")
    rnd = random.Random(seed)
    shelf = DocumentShelf("torture", store=store or folder / "store")
    path = folder / "sessions.db"
    pairs = [
        (HoldfastSession(name, shelf, user=f"s{seed}"), SQLiteSession(name, path))
        for name in SESSIONS
    ]
    while found.operations < calls:
        pair = rnd.choice(pairs)
        verb = rnd.choice(["add_items"] * 4 + ["get_items"] * 3 + ["pop_item"] * 3 + ["clear"])
        given: list[Any] = []
        if verb == "add_items":
            given = [[an_item(rnd) for _ in range(rnd.randint(0, 3))]]
        elif verb == "get_items":
            given = [rnd.choice([None, 1, 2, 5, 0, -1])]
        elif verb == "clear":
            verb = "clear_session" if rnd.random() < 0.3 else "get_items"
        answers = [await getattr(one, verb)(*given) for one in pair]
        found.compare((verb, given), *answers)
    for ours, theirs in pairs:
        ours.close()
        theirs.close()
    shelf.close()
    return found
