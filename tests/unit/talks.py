"""Conversations for the extractor: short to write down, whole to read."""

from __future__ import annotations

from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn

_SPEAKERS = {"U": Speaker.USER, "A": Speaker.ASSISTANT, "T": Speaker.TOOL, "F": Speaker.TOOL}


def a_talk(*lines: str, tool: str = "claude") -> Transcript:
    """Return a conversation; each line begins with who speaks, ``F`` is a tool that failed."""
    turns = tuple(
        Turn(
            number=number,
            speaker=_SPEAKERS[line[0]],
            text=line[2:].strip(),
            tool="Bash" if line[0] in "TF" else "",
            has_failed=line[0] == "F",
        )
        for number, line in enumerate(lines, start=1)
    )
    return Transcript(tool=tool, session="5f1c", turns=turns, source="session.jsonl")


# Each decides something; the words are of the claim that must be proposed.
DECIDING: dict[str, tuple[Transcript, str]] = {
    "recap": (
        a_talk(
            "U: The importer drops rows with an empty price. Can you look?",
            "A: It skips them in parse_row. I'll keep them with a price of zero.",
            "U: No, zero is a real price. Store null and flag the row for review.",
            "A: Recap: rows with an empty price are stored with a null price and flagged for"
            " review; they are never dropped and never stored as zero.",
        ),
        "stored with a null price",
    ),
    "confirmed": (
        a_talk(
            "U: Our cache keys collide between tenants.",
            "A: I'll prefix every key with the tenant's name.",
            "U: Not the name, names change. Use the tenant id instead.",
            "A: Got it: every cache key starts with the tenant id and a colon, never the name.",
            "U: Exactly. Ship it.",
        ),
        "cache key starts with the tenant id",
    ),
    "brief answer": (
        a_talk(
            "U: Timestamps in the export are off by an hour for some customers.",
            "A: They are written in local time. Should they be UTC or the customer's zone?",
            "U: UTC.",
            "A: Understood. I'll change the writer and add a test.",
        ),
        "UTC",
    ),
    "told at once": (
        a_talk(
            "U: We decided to drop support for Python 3.10 in the spring release.",
            "A: Noted.",
        ),
        "drop support for Python 3.10",
    ),
    "standing order": (
        a_talk(
            "U: From now on every migration needs a way back.",
            "A: Will do.",
        ),
        "every migration needs a way back",
    ),
    "no more of that": (
        a_talk(
            "U: Please run the linter.",
            "A: Done, two warnings are fixed.",
            "U: Never push to main directly, open a pull request.",
            "A: Understood.",
        ),
        "Never push to main directly",
    ),
    "closing word": (
        a_talk(
            "U: The retry loop hammers the payment gateway.",
            "A: It has no ceiling. I would cap it somewhere.",
            "U: Five attempts, then the order goes to the manual queue.",
            "A: The payment loop makes five attempts, and the order then goes to the manual queue.",
        ),
        "five attempts",
    ),
    "ratified": (
        a_talk(
            "U: Two teams format money differently.",
            "A: So amounts are shown with two decimals and the currency code after them.",
            "U: That's the rule. Tell the mobile team too.",
        ),
        "two decimals and the currency code",
    ),
    "what failed": (
        a_talk(
            "U: We tried sharding by customer, but it broke the nightly export.",
            "A: I see.",
        ),
        "sharding by customer",
    ),
    "preference": (
        a_talk("U: I prefer small commits with one idea each.", "A: Fine."),
        "small commits",
    ),
}

# Nobody decides anything in these.
UNDECIDED: dict[str, Transcript] = {
    "explained": a_talk(
        "U: How does the scheduler pick the next job?",
        "A: It always takes the oldest job whose dependencies are done, so nothing starves.",
        "U: And what happens when two were queued in the same second?",
        "A: Then the id decides. Ids must be unique, so the order never depends on luck.",
        "U: Got it, thanks!",
    ),
    "pondered": a_talk(
        "U: Maybe we could move the reports to another service someday?",
        "A: We could. It would be a large change, though, and perhaps not worth it.",
        "U: Yeah, I wonder. Let me think about it.",
    ),
    "small talk": a_talk("U: Good morning!", "A: Good morning! What shall we do?", "U: Thanks."),
    "a task": a_talk("U: Add a test for parse_row.", "A: Done, tests pass.", "U: Great, thanks!"),
    "logs": a_talk(
        "U: Why does it fail?\n2026-01-27 10:00:01 ERROR never use pool X, always use pool Y\n"
        "Traceback (most recent call last)\n> we decided to fail",
        "A: The pool is exhausted.",
    ),
    "code": a_talk("U: What does this do?\n```\n# always use tabs, never spaces\n```", "A: Tabs."),
}
