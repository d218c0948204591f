"""Answers and their hits as Python programs receive them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.recall.bundle import BundleItem
from holdfast.domain.recall.rendering import why
from holdfast.surfaces.python.memories import HasId, Listing, Memory, shortened, worst

if TYPE_CHECKING:
    from collections.abc import Mapping

    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.anchor import Checked, Verdict
    from holdfast.domain.memory.evidence import Evidence
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.recall.bundle import Bundle, PassageItem
    from holdfast.domain.recall.rendering import Recalled

_GONE = "(forgotten since; its text is gone)"


class Hit(HasId):
    """One item of an answer: a memory, or a passage of code or history.

    >>> _ = hf.remember("Tokens rotate hourly.", key="rotation", because="We decided it.")
    >>> hit = hf.recall("how often do tokens rotate")[0]
    >>> hit.text, hit.type, hit.score > 0
    ('Tokens rotate hourly.', 'memory', True)
    >>> print(hit.key, hit.kind)
    rotation fact
    """

    __slots__ = ("item", "memory", "text")

    def __init__(self, item: BundleItem | PassageItem, *, memory: Memory | None, text: str) -> None:
        self.item = item
        """The engine's own value; its fields may change between versions."""
        self.memory = memory
        """The memory; None for a passage, and for a memory that was forgotten since."""
        self.text = text
        """The claim, or the lines of a passage."""

    @property
    def id(self) -> str:
        """The id of the memory, or the place of the passage: ``src/app.py:10-30``."""
        item = self.item
        return item.memory_id if isinstance(item, BundleItem) else item.reference

    @property
    def type(self) -> str:
        """``memory``, ``code`` or ``history``."""
        return "memory" if isinstance(self.item, BundleItem) else self.item.kind.value

    @property
    def key(self) -> str | None:
        """The key of the memory; None if it has none, and for a passage."""
        return None if self.memory is None else self.memory.key

    @property
    def kind(self) -> Kind | None:
        """The kind of the memory: a fact, a rule, a decision; None for a passage."""
        return None if self.memory is None else self.memory.kind

    @property
    def score(self) -> float:
        """The score that decided the order; the sum of ``reasons``."""
        return self.item.score

    @property
    def tokens(self) -> int:
        """How much of the budget it takes."""
        return self.item.tokens

    @property
    def why(self) -> str:
        """The largest parts of the score: ``words 0.41 + exact 0.25``."""
        return why(self.item.reasons)

    @property
    def reasons(self) -> dict[str, float]:
        """Every part of the score, by name."""
        return {reason.leg: reason.amount for reason in self.item.reasons}

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the memory rests on; empty for a passage."""
        return () if self.memory is None else self.memory.evidence

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict about its evidence; None if nothing could be checked."""
        return worst(one.sighting.verdict for one in self._checked)

    @property
    def verdicts(self) -> dict[str, str]:
        """The verdict about each checked piece of evidence in words, by its reference."""
        return {one.words: one.sighting.words for one in self._checked}

    @property
    def superseded_by(self) -> str | None:
        """The id of a newer memory that says otherwise."""
        return self.item.superseded_by if isinstance(self.item, BundleItem) else None

    @property
    def _checked(self) -> tuple[Checked, ...]:
        return self.item.checked if isinstance(self.item, BundleItem) else ()

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __repr__(self) -> str:
        """Return the text, the id, the score and the verdict."""
        verdict = "" if self.verdict is None else f", verdict={self.verdict.value!r}"
        return f"Hit({shortened(self.text)}, id={self.id!r}, score={self.score:.2f}{verdict})"


class Answer(Listing[Hit]):
    """The answer to a question: hits in order, best first, inside a token budget.

    ``str(answer)`` is the text for a prompt: every memory is quoted as data, with its evidence.

    >>> _ = hf.remember("Tokens rotate hourly.", because="We decided it.")
    >>> answer = hf.recall("how often do tokens rotate", budget=500)
    >>> for hit in answer:
    ...     print(hit.text)
    Tokens rotate hourly.
    >>> len(answer), bool(answer), answer.tokens <= 500
    (1, True, True)
    >>> "Tokens rotate hourly." in str(answer)
    True
    """

    __slots__ = ("recalled",)

    def __init__(self, recalled: Recalled) -> None:
        self.recalled = recalled
        """The engine's own value; its fields may change between versions."""
        super().__init__([*_memory_hits(recalled), *_passage_hits(recalled)])

    @property
    def bundle_id(self) -> str:
        """The id under which the answer is kept (``c_…``)."""
        return self.bundle.id

    @property
    def is_kept(self) -> bool:
        """Whether the answer is kept under its id; another program may have locked the store."""
        return self.bundle.is_kept

    @property
    def question(self) -> str:
        """The question."""
        return self.bundle.question.text

    @property
    def tokens(self) -> int:
        """How many tokens ``str(answer)`` has."""
        return self.bundle.tokens

    @property
    def budget(self) -> int:
        """How many tokens it may have."""
        return self.bundle.question.budget

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories of the hits, without passages of code and history."""
        return tuple(hit.memory for hit in self if hit.memory is not None)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the caller should know, for example that evidence was not checked."""
        return self.bundle.notes

    @property
    def left_out(self) -> dict[str, str]:
        """Why memories that were considered are not among the hits, by their ids."""
        return {one.memory_id: one.why for one in self.bundle.left_out}

    @property
    def nearest(self) -> dict[str, str]:
        """The memories that came nearest to an answer without hits, by id: the start of each claim.

        They are not sure to answer; ``get`` reads a whole memory.

        >>> hf.recall("is anything known").nearest
        {}
        """
        from holdfast.surfaces.wire.recall import nearest_claims

        return nearest_claims(self.recalled)

    @property
    def bundle(self) -> Bundle:
        """The engine's own record of the answer; its fields may change between versions."""
        return self.recalled.bundle

    @property
    def records(self) -> Mapping[MemoryId, MemoryRecord]:
        """The engine's own records of the memories, by id."""
        return self.recalled.records

    def markdown(self) -> str:
        """Return the text for a prompt, the same as ``str(answer)``.

        >>> print(hf.recall("is anything known").markdown().splitlines()[1])
        Nothing in memory answers this. Ask in other words, or list what is remembered.
        """
        return self.recalled.markdown()

    def __str__(self) -> str:
        """Return the text for a prompt."""
        return self.markdown()

    def __repr__(self) -> str:
        """Return how many hits and tokens it has, and its id."""
        hits = "1 hit" if len(self) == 1 else f"{len(self)} hits"
        return f"Answer({hits}, {self.tokens} tokens, bundle_id={self.bundle_id!r})"

    def _repr_markdown_(self) -> str:
        """Return the text for a notebook."""
        return self.markdown()


def _memory_hits(recalled: Recalled) -> list[Hit]:
    found: list[Hit] = []
    for item in recalled.bundle.items:
        record = recalled.records.get(item.memory_id)
        memory = None if record is None else Memory(record)
        found.append(Hit(item, memory=memory, text=_GONE if memory is None else memory.text))
    return found


def _passage_hits(recalled: Recalled) -> list[Hit]:
    return [
        Hit(item, memory=None, text=recalled.texts.get(item.reference, item.title))
        for item in recalled.bundle.passages
    ]
