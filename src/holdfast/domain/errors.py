"""The families of errors, and the errors that many parts of the program raise.

HoldfastError
├── InvalidError      a field, an option or a value of the request is wrong; correct it
├── NotFoundError     the request names something that does not exist
├── ConflictError     the request conflicts with accepted data, or only a person may make it
├── StaleError        the data changed after it was read; read it again and retry
└── UnavailableError  a store, a file, a program or a server cannot be used now

An error carries a stable ``code``, a message that is true at every door, and its facts as
attributes. It names no command, option, tool or method: each surface adds advice in its own
terms, from a table by code. A door without advice for a code shows the advice of the family.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.text.outside import shorten_words, words_outside

if TYPE_CHECKING:
    from collections.abc import Iterable


class HoldfastError(Exception):
    """An error that Holdfast reports to its caller."""

    code = "error"
    hint: str = ""
    """What to do next, in words that are true at every door."""
    advice: str = ""
    server_advice: str = ""
    """What to do next, in the words of the door that raised the error, and of a server there."""
    is_of_server: bool = False
    """Whether a server told of it: one of another version may know other facts."""
    for_log: str = ""
    """What happened, in words for the log of a server that its caller must not read."""
    NO_FACTS = ("hint", "advice", "server_advice", "is_of_server", "for_log", "__notes__")

    def __init_subclass__(cls, *, code: str, **others: object) -> None:
        """Require a code of every error class, because programs tell errors apart by it."""
        super().__init_subclass__(**others)
        cls.code = code

    def __init__(self, message: str = "", /, **facts: object) -> None:
        super().__init__(*((shorten_words(message),) if message else ()))
        vars(self).update(facts)

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle and copy make it again: not with ``__init__``, which takes facts."""
        return type(self).__new__, (type(self), *self.args), vars(self)

    def __str__(self) -> str:
        """Return what happened and, where it is the same at every door, what to do next."""
        return f"{self.message} {self.hint}".strip()

    @property
    def message(self) -> str:
        """What happened; by default the first line of the class's docstring."""
        return str(self.args[0]) if self.args else (self.__doc__ or "").strip().split("\n")[0]

    @property
    def facts(self) -> dict[str, object]:
        """The facts of the error by name: its attributes, without the advice."""
        return {name: value for name, value in vars(self).items() if name not in self.NO_FACTS}


class InvalidError(HoldfastError, code="invalid"):
    """A field, an option or a value of the request is wrong."""


class NotFoundError(HoldfastError, code="not-found"):
    """The request names something that does not exist."""


class ConflictError(HoldfastError, code="conflict"):
    """The request conflicts with accepted data, or only a person may make it."""


class StaleError(HoldfastError, code="stale"):
    """The data changed after it was read."""

    hint: str = "Read it again and retry."


class UnavailableError(HoldfastError, code="unavailable"):
    """A store, a file, a program or a server that the request needs cannot be used now."""


class BlankClaimError(InvalidError, code="blank-claim"):
    """The claim is blank; a memory needs a text."""


class UnknownChoiceError(InvalidError, code="unknown-choice"):
    """The value is not one of the choices; the message lists them or has the given advice."""

    def __init__(self, *, what: str, value: str, choices: Iterable[str], advised: str = "") -> None:
        known = list(choices)
        listed = advised or f"choose one of: {', '.join(known)}."
        said = f"'{value}' is not {'an' if what[:1] in 'aeiou' else 'a'} {what}; {listed}"
        super().__init__(said, what=what, value=value, choices=known)


class BadLifetimeError(InvalidError, code="bad-lifetime"):
    """The lifetime cannot be read."""

    hint: str = "Write a number and a unit (45m, 12h, 30d, 6w, 1y), at most 100y, or 'never'."

    def __init__(self, text: str) -> None:
        super().__init__(f"'{text}' is not a lifetime.", text=text)


class BadFieldError(InvalidError, code="bad-field"):
    """One field of the request is wrong."""

    field: str

    def __init__(self, *, field: str, problem: str) -> None:
        super().__init__(f"The {field} {problem}", field=field, problem=problem)


class BudgetTooSmallError(InvalidError, code="budget-too-small"):
    """The budget cannot hold an answer, not even one that says that nothing was found."""

    least: int

    def __init__(self, *, budget: int, least: int) -> None:
        super().__init__(
            f"A budget of {budget:,} tokens cannot hold an answer: its first line and its notes"
            f" alone need {least:,}. Give a budget of at least {least:,}.",
            budget=budget,
            least=least,
        )


class TooLargeError(InvalidError, code="too-large"):
    """The text is larger than the limit for a memory."""

    size: int
    hint: str = "Shorten it to the claim, and cite the rest as evidence."

    def __init__(self, *, what: str, size: int, cap: int) -> None:
        super().__init__(
            f"The {what} has {size:,} bytes; the limit is {cap:,}.",
            what=what,
            size=size,
            cap=cap,
        )


class UnstorableTextError(InvalidError, code="unstorable-text"):
    """The text contains characters that cannot be stored."""

    def __init__(self, *, what: str, problem: str) -> None:
        super().__init__(f"The {what} cannot be stored. {problem}", what=what, problem=problem)


class NoEvidenceError(InvalidError, code="no-evidence"):
    """No evidence was given; a memory needs evidence."""


class EvidenceUnreadableError(InvalidError, code="evidence-unreadable"):
    """The evidence cannot be read or checked."""

    def __init__(self, reference: str, problem: str) -> None:
        super().__init__(
            f"The evidence {reference} cannot be used: {problem}",
            reference=reference,
            problem=problem,
        )


class SecretRefusedError(InvalidError, code="secret-refused"):
    """The text contains a secret."""

    hint: str = "Nothing was written."

    def __init__(self, found: Iterable[str]) -> None:
        names = list(found)
        super().__init__(f"This looks like a secret: {'; '.join(names)}.", found=names)


class NoRepositoryError(InvalidError, code="no-repository"):
    """The scope 'repo' needs a git repository, and this folder is not in one."""


class NoSuchError(NotFoundError, code="no-such"):
    """Nothing has that id."""

    reference: str

    def __init__(self, *, noun: str, reference: str) -> None:
        shown = reference if reference.strip() else f"'{reference}'"
        # A memory has a label and a key too; every other noun is known by its id alone.
        is_name = noun in {"memory", "thing"} and not reference.startswith("m_")
        what = "Nothing" if noun == "thing" else f"No {noun}"
        names = "name" if noun == "remote" else "id, label or key" if is_name else "id"
        super().__init__(f"{what} has the {names} {shown}.", noun=noun, reference=reference)


_PARTS = ("start with", "end with")


class AmbiguousError(InvalidError, code="ambiguous"):
    """Several ids start or end with the given characters, or several memories have the name."""

    def __init__(
        self, *, noun: str, reference: str, fits: Iterable[str], shared: str = "start with"
    ) -> None:
        names = list(fits)
        what = f"{noun} ids {shared}" if shared in _PARTS else f"memories have the {shared}"
        super().__init__(
            f"Several {what} {reference}: {', '.join(names)}. Write one in full.",
            noun=noun,
            reference=reference,
            fits=names,
        )


class ForgottenError(NotFoundError, code="forgotten"):
    """The memory was forgotten."""

    memory_id: str

    def __init__(self, memory_id: str, when: str) -> None:
        super().__init__(
            f"The memory {memory_id} was forgotten on {when}; its text is gone.",
            memory_id=memory_id,
            when=when,
        )


class AlreadyRememberedError(ConflictError, code="already-remembered"):
    """Another memory has that id."""

    memory_id: str

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"Another memory already has the id {memory_id}.", memory_id=memory_id)


_ONLY_CANDIDATES = "only a candidate can be approved or rejected"


class AlreadyDecidedError(ConflictError, code="already-decided"):
    """The memory does not wait for a decision."""

    def __init__(self, memory_id: str, status: str, *, rule: str = _ONLY_CANDIDATES) -> None:
        super().__init__(
            f"{memory_id} is {status}; {rule}.", memory_id=memory_id, status=status, rule=rule
        )


class ChangedSinceShownError(StaleError, code="changed-since-shown"):
    """The memory does not match the hash that was shown with it."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(
            f"{memory_id} does not match the hash that was given; it may have changed since then.",
            memory_id=memory_id,
        )


class NeedsPersonError(ConflictError, code="needs-person"):
    """Only a person may do that.

    ``verb`` and ``reference`` name the action for a person; ``command`` is the whole command, if
    the surface that refuses knows it.
    """

    def __init__(
        self, *, what: str, verb: str = "", reference: str = "", command: str = ""
    ) -> None:
        super().__init__(what, verb=verb, reference=reference, command=command)


class SessionEndedError(ConflictError, code="session-ended"):
    """The session has ended."""

    def __init__(self, session_id: str) -> None:
        super().__init__(
            f"The session {session_id} has ended; start a new one.", session_id=session_id
        )


class StoreBusyError(UnavailableError, code="store-busy"):
    """Another process kept the store locked for too long."""

    hint: str = "Nothing was changed; try again."
    is_stopped: bool

    def __init__(
        self, *, what: str = "the store", pid: int | None = None, is_stopped: bool = False
    ) -> None:
        who = "Another process" if pid is None else f"Process {pid}"
        said = f"{who} kept {what} locked for too long."
        if is_stopped:
            said = (
                f"{who} keeps {what} locked and is stopped."
                f" Resume it ('kill -CONT {pid}') or end it ('kill -KILL {pid}')."
            )
        super().__init__(said, what=what, pid=pid, is_stopped=is_stopped)


class StoreReadOnlyError(UnavailableError, code="store-read-only"):
    """The store is read-only."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"The store {path} is read-only here. Nothing was changed;"
            " check the permissions of the folder, or set HOLDFAST_HOME.",
            path=path,
        )


class StoreFullError(UnavailableError, code="store-full"):
    """The disk is full."""

    def __init__(self, path: str, *, can_forget: bool = True) -> None:
        way = ", or forget memories you do not need (that works on a full disk)"
        super().__init__(
            f"The disk that holds {path} is full. Nothing was changed and nothing is lost;"
            f" free some space{way if can_forget else ' and try again'}.",
            path=path,
            can_forget=can_forget,
        )


class StoreUnreadableError(UnavailableError, code="store-unreadable"):
    """The store cannot be opened or read."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"The store {path} cannot be used: {problem}", path=path, problem=problem)


class StoreDamagedError(UnavailableError, code="store-damaged"):
    """The store is damaged."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"The store {path} is damaged: {problem}", path=path, problem=problem)


class OutsideUnavailableError(UnavailableError, code="outside-unavailable"):
    """Git or the operating system reported an error."""

    def __init__(self, *, who: str, words: str) -> None:
        said = words_outside(words)
        super().__init__(f"{who} reported an error: {said}", who=who, words=words)


class BadVectorError(InvalidError, code="bad-vector"):
    """A vector has the wrong model or size."""

    problem: str

    def __init__(self, problem: str) -> None:
        super().__init__(f"The vector cannot be stored: {problem}", problem=problem)


class NoMeaningError(UnavailableError, code="no-meaning"):
    """The embedding model cannot be used, so recall searches by words only."""

    def __init__(self, problem: str, hint: str = "", **facts: object) -> None:
        super().__init__(problem, hint=hint, **facts)


class NoStoreError(NotFoundError, code="no-store"):
    """There is no store in that folder; the first command that adds something creates it."""

    folder: str

    def __init__(self, folder: str, *, is_named: bool = True) -> None:
        super().__init__(f"There is no store in {folder}.", folder=folder, is_named=is_named)
