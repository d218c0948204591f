"""Pages as people write them by hand: every page another, the same for the same number."""

from __future__ import annotations

import random
from collections.abc import Sequence

_WORDS = ("cache", "ledger", "naïve", "retry", "queue", "日本", "token", "ω", "rollback", "port")
_STATUSES = ("accepted", "'accepted'", '"deprecated"', "superseded", "rejected", "candidate")


class HandWritten:
    """One page, made by chance of a title, prose and entries in every way of writing them."""

    def __init__(self, number: int) -> None:
        self._chance = random.Random(number)  # noqa: S311 - any page will do, the same one again
        self.entries = 0

    def content(self) -> bytes:
        """Return the page: with or without a mark of its encoding, plain or other line ends."""
        parts = [self._prose()] if self._is(0.7) else []
        parts += [self._entry() for _ in range(self._chance.randint(1, 6))]
        text = "".join(parts)
        if self._is(0.2):
            text = text.rstrip("\n")
        if self._is(0.3):
            text = text.replace("\n", "\r\n")
        return ("\ufeff" * self._is(0.15) + text).encode()

    def _is(self, share: float) -> bool:
        return self._chance.random() < share

    def _some(self, most: int = 8) -> str:
        return " ".join(self._chance.choices(_WORDS, k=self._chance.randint(1, most)))

    def _one_of(self, choices: Sequence[str]) -> str:
        return self._chance.choice(choices)

    def _prose(self) -> str:
        ruled = f"\n---\n\n{self._some()}\n\n---\n" if self._is(0.3) else ""
        return f"# {self._some(3)}\n\n{self._some()}.\n{ruled}\n"

    def _entry(self) -> str:
        self.entries += 1
        lines = self._own_lines()
        self._chance.shuffle(lines)
        head = "".join(lines)
        rule = "---" + self._one_of(("", "", " ", "\t"))
        return f"{rule}\n{head}---\n{self._body()}"

    def _own_lines(self) -> list[str]:
        """Return the keys of an entry, each with the lines that belong to it."""
        comment = f"  # {self._some(2)}" if self._is(0.4) else ""
        space = self._one_of((" ", "   "))
        maybe = [
            (0.7, f"id: DEC-{self.entries:03}{comment}\n"),
            (0.6, f"uid: m_{self.entries:026}\n"),
            (0.8, f"status:{space}{self._one_of(_STATUSES)}{comment}\n"),
            (0.7, self._list("tags")),
            (0.6, self._list("evidence")),
            (0.4, f"updated: {self._one_of(('2026-01-27', '2026-13-45', 'no'))}\n"),
            (0.5, self._unknown()),
            (0.2, f"# {self._some(4)}\n"),
        ]
        kind = self._one_of(("fact", "decision", "gotcha", "rule"))
        return [f"type: {kind}{comment}\n", *(line for share, line in maybe if self._is(share))]

    def _list(self, key: str) -> str:
        items = [f"{word}{number}" for number, word in enumerate(self._some(4).split())]
        match self._chance.randrange(4):
            case 0:
                return f"{key}: [{', '.join(items)}]\n"
            case 1:
                made = "".join(
                    f"  - {item}{'  # why' if self._is(0.3) else ''}\n" for item in items
                )
                return f"{key}:\n{made}"
            case 2:
                return f"{key}: ['{items[0]}',\n   \"x: y\"]  # two lines\n"
            case _:
                return f"{key}: {items[0]}\n"

    def _unknown(self) -> str:
        return self._one_of(
            (
                "version: 1.10\n",
                "sha: 0123456   # not a number\n",
                "answer: no\n",
                "note: |\n  line one\n  line two\n",
                "owner: {team: [a, b], since: 2026-01-01}\n",
                "'quoted key': yes\n",
            )
        )

    def _body(self) -> str:
        blank = "\n" * self._chance.randint(0, 2)
        middle = self._one_of(
            (
                "",
                "\n---\n\nAfter a ruled line.\n",
                "\n```yaml\n---\nid: INSIDE\n---\nno entry\n```\n",
                "\n~~~\n---\ntype: fact\n---\n~~~\n",
                "- one\n- two\n",
                "Tab\there, and `code`.\n",
            )
        )
        return f"{blank}{self._some()}.\n{middle}{blank}"
