"""What an embedding service is asked, and the budget that one run may spend on it."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from threading import Lock
from typing import Protocol

from holdfast.adapters.embedding.errors import RemoteBudgetError
from holdfast.domain.values import dataclass

_BYTES_IN_A_TOKEN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAnswer:
    """One row of numbers for each text, in their order, and the tokens that were counted."""

    rows: Sequence[array[float]]
    tokens: int | None = None


class EmbeddingService(Protocol):
    """One service; it is asked once for each call, and repeats nothing itself."""

    @property
    def most_texts(self) -> int:
        """The number of texts that one request may have."""
        ...

    @property
    def at_once(self) -> int:
        """The number of requests that may run at the same time."""
        ...

    @property
    def key(self) -> str:
        """The key, which must not appear in any message; empty if there is none."""
        ...

    def ask_for_size(self) -> bool:
        """Name the wanted size of vectors in further requests; False if that changes nothing."""
        ...

    def answer(self, texts: Sequence[str], *, seconds: float) -> ServiceAnswer:
        """Send the texts once.

        Raises:
            PostFailedError: There was no answer, an error answer, or something else than vectors.
            NoMeaningError: The service cannot be asked at all, for example without credentials.
        """
        ...


class RunBudget:
    """The calls and tokens that one process may spend; several threads share it."""

    def __init__(self, *, calls: int, tokens: int) -> None:
        self._most = {"calls": calls, "tokens": tokens}
        self._spent = {"calls": 0, "tokens": 0}
        self._lock = Lock()

    def take(self, texts: Sequence[str], *, name: str) -> int:
        """Reserve one call with these texts; return its estimated tokens.

        Raises:
            RemoteBudgetError: The budget is spent; nothing was reserved.
        """
        tokens = sum(1 + len(text.encode()) // _BYTES_IN_A_TOKEN for text in texts)
        with self._lock:
            for what, more in (("calls", 1), ("tokens", tokens)):
                if self._spent[what] + more > self._most[what]:
                    raise RemoteBudgetError(name=name, what=what, most=self._most[what])
            self._spent["calls"] += 1
            self._spent["tokens"] += tokens
        return tokens

    def settle(self, *, estimated: int, counted: int | None) -> None:
        """Replace an estimate by the number of tokens that the service counted, if it did."""
        if counted is not None:
            with self._lock:
                self._spent["tokens"] += counted - estimated
