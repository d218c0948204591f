"""Every way this system says no.

HoldfastError
├── InvalidError      the caller's words do not make sense; change them
├── NotFoundError     the name points at nothing
├── ConflictError     it contradicts something already accepted; choose
├── StaleError        another writer came first; read again and retry
└── UnavailableError  a database, a file or git did not answer; try later

Surfaces translate these five families, never their children, so a new leaf
needs no change at any door.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class HoldfastError(Exception):
    """Something in holdfast went wrong."""

    hint: str = ""

    def __str__(self) -> str:
        """Say what happened and, where we know it, what to do next."""
        said = super().__str__() or (self.__doc__ or "").strip()
        return f"{said} {self.hint}".strip()


class InvalidError(HoldfastError):
    """The request does not make sense."""


class NotFoundError(HoldfastError):
    """The name points at nothing."""


class ConflictError(HoldfastError):
    """It contradicts something already accepted."""


class StaleError(HoldfastError):
    """Another writer came first."""

    hint: str = "Read it again and retry."


class UnavailableError(HoldfastError):
    """Something outside did not answer."""


class BlankClaimError(InvalidError):
    """A memory needs a claim; this one is blank."""


class UnknownChoiceError(InvalidError):
    """The value is not one of the choices."""

    def __init__(self, *, what: str, value: str, choices: Iterable[str]) -> None:
        article = "an" if what[:1] in "aeiou" else "a"
        super().__init__(f"'{value}' is not {article} {what}; choose one of: {', '.join(choices)}.")


class BadLifetimeError(InvalidError):
    """The lifetime cannot be read."""

    hint: str = "Write a number and a unit (45m, 12h, 30d, 6w, 1y) or 'never'."

    def __init__(self, text: str) -> None:
        super().__init__(f"'{text}' is not a lifetime.")


class BadFieldError(InvalidError):
    """One field of the request is wrong."""

    def __init__(self, *, field: str, problem: str) -> None:
        super().__init__(f"The {field} {problem}")
        self.field = field


class BudgetTooSmallError(InvalidError):
    """The budget cannot hold an answer, not even one that says that nothing was found."""

    def __init__(self, *, budget: int, least: int) -> None:
        super().__init__(
            f"A budget of {budget:,} tokens cannot hold an answer: its first line and its notes"
            f" alone need {least:,}. Give a budget of at least {least:,}."
        )
        self.least = least


class TooLargeError(InvalidError):
    """The text is larger than a memory may be."""

    hint: str = "Distil it to the claim, and name the rest as evidence."

    def __init__(self, *, what: str, size: int, cap: int) -> None:
        super().__init__(f"The {what} has {size:,} bytes; at most {cap:,} are kept.")


class UnstorableTextError(InvalidError):
    """The text holds something that is not text."""

    def __init__(self, *, what: str, problem: str) -> None:
        super().__init__(f"The {what} cannot be kept. {problem}")


class NoEvidenceError(InvalidError):
    """A memory needs evidence, and this one has none."""

    hint: str = (
        "Name a place (--evidence src/app.py:10-30), a command, a URL or a bundle"
        " (--from-bundle c_…), or give your own word (--because 'I decided')."
    )


class EvidenceUnreadableError(InvalidError):
    """The evidence does not hold what it should."""

    def __init__(self, reference: str, problem: str) -> None:
        super().__init__(f"The evidence {reference} cannot be used: {problem}")


class SecretRefusedError(InvalidError):
    """The text holds a secret."""

    hint: str = (
        "Nothing was written. Remove it, or store it with --redact;"
        " if it is no secret, allow it with --allow-secret."
    )

    def __init__(self, found: Iterable[str]) -> None:
        super().__init__(f"This looks like a secret: {'; '.join(found)}.")


class NoRepositoryError(InvalidError):
    """The scope 'repo' needs a git repository, and there is none here."""

    hint: str = "Run this inside a repository, or use --scope workspace or --scope global."


class BadExchangeError(InvalidError):
    """A line of the import cannot be read; ``refused`` are lines before it, with the reason."""

    def __init__(self, line: int, problem: str, *, refused: tuple[str, ...] = ()) -> None:
        kept = "The lines before it are kept;"
        if refused:
            kept = f"Lines refused before it: {len(refused):,} ({' '.join(refused[:5])}) The other"
            kept += " lines before it are kept;"
        super().__init__(
            f"Line {line} of the import cannot be used: {problem} {kept}"
            " mend that line and import the same file again, nothing is doubled."
        )
        self.line, self.problem, self.refused = line, problem, refused


_LISTED_BY = {
    "memory": "holdfast list",
    "session": "holdfast session list",
    "run": "holdfast run list",
    "decision": "holdfast undo --list",
}


class NoSuchError(NotFoundError):
    """Nothing has that id."""

    def __init__(self, *, noun: str, reference: str) -> None:
        shown = reference if reference.strip() else f"'{reference}'"
        super().__init__(f"No {noun} has the id {shown}.")
        self.reference = reference
        if noun in _LISTED_BY:
            self.hint = f"'{_LISTED_BY[noun]}' lists them."


class AmbiguousError(InvalidError):
    """The start of an id fits several."""

    def __init__(self, *, noun: str, reference: str, fits: Iterable[str]) -> None:
        super().__init__(
            f"{reference} is the start of several {noun} ids: {', '.join(fits)}. Write one in full."
        )


class ForgottenError(NotFoundError):
    """The memory was forgotten."""

    def __init__(self, memory_id: str, when: str) -> None:
        super().__init__(f"The memory {memory_id} was forgotten on {when}; its text is gone.")
        self.memory_id = memory_id


class AlreadyRememberedError(ConflictError):
    """The id is taken."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"The id {memory_id} is already taken by another memory.")
        self.memory_id = memory_id


_ONLY_CANDIDATES = "only a candidate can be approved or rejected"


class AlreadyDecidedError(ConflictError):
    """The memory is not waiting for a decision."""

    def __init__(self, memory_id: str, status: str, *, rule: str = _ONLY_CANDIDATES) -> None:
        super().__init__(
            f"{memory_id} is {status}; {rule}."
            f" If a decision made it so, take that back first: holdfast undo {memory_id}"
        )


class ChangedSinceShownError(StaleError):
    """The memory is not the one that was shown."""

    def __init__(self, memory_id: str) -> None:
        super().__init__(f"{memory_id} is not what was shown to you.")


class NeedsPersonError(ConflictError):
    """Only a person may do that."""

    def __init__(self, *, what: str, command: str) -> None:
        super().__init__(f"{what} A person can do it with: {command}")


class SessionEndedError(ConflictError):
    """The session has ended."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"The session {session_id} has ended; start a new one.")


class StoreBusyError(UnavailableError):
    """Another process kept the store locked for too long."""

    hint: str = "Nothing was changed; try again."

    def __init__(
        self, *, what: str = "the store", pid: int | None = None, is_stopped: bool = False
    ) -> None:
        who = "Another process" if pid is None else f"Process {pid}"
        said = f"{who} kept {what} locked for too long."
        if is_stopped:
            said = (
                f"{who} keeps {what} locked and is stopped."
                f" Let it go on ('kill -CONT {pid}') or end it ('kill -KILL {pid}')."
            )
        super().__init__(said)
        self.is_stopped = is_stopped


class StoreReadOnlyError(UnavailableError):
    """The store cannot be written."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"The store {path} is read-only here. Nothing was changed;"
            " check the permissions of the folder, or set HOLDFAST_HOME."
        )


class StoreFullError(UnavailableError):
    """The disk is full."""

    def __init__(self, path: str, *, can_forget: bool = True) -> None:
        way = ", or forget memories you do not need (that works on a full disk)"
        super().__init__(
            f"The disk that holds {path} is full. Nothing was changed and nothing is lost;"
            f" free some space{way if can_forget else ' and try again'}."
        )


class StoreUnreadableError(UnavailableError):
    """The store did not answer."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"The store {path} cannot be used: {problem}")


class StoreDamagedError(UnavailableError):
    """The store is damaged."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(
            f"The store {path} is damaged: {problem} Run 'holdfast doctor' to see what is"
            " affected and 'holdfast doctor --repair' to rescue it; the damaged file is kept."
        )


class NewerStoreError(UnavailableError):
    """The store was written by a newer program."""

    def __init__(self, path: str, theirs: int, ours: int) -> None:
        super().__init__(
            f"The store {path} has schema {theirs}, this program knows {ours}."
            " Nothing was changed; upgrade holdfast."
        )


class StoreUpgradedError(StaleError):
    """The store was upgraded while this program was running."""

    hint: str = "Nothing was changed; restart this program."


class OldLibraryError(UnavailableError):
    """The SQLite library is too old to keep data safe."""

    def __init__(self, found: str, needed: str) -> None:
        super().__init__(
            f"SQLite {found} can corrupt a shared store; {needed} or newer is needed."
            " Upgrade the package apsw."
        )


class OutsideUnavailableError(UnavailableError):
    """A program we asked did not answer."""

    def __init__(self, *, who: str, words: str) -> None:
        super().__init__(f"{who} said: {words.strip()}")


class BadVectorError(InvalidError):
    """A vector does not belong here."""

    def __init__(self, problem: str) -> None:
        super().__init__(f"This vector cannot be kept: {problem}")


class NoMeaningError(UnavailableError):
    """The embedding model did not answer, so memories cannot be found by meaning."""

    def __init__(self, problem: str, hint: str = "") -> None:
        super().__init__(problem)
        self.hint = hint


class NoModelError(UnavailableError):
    """There is no embedding model to embed with."""

    hint = "Install one with: holdfast model install"


class PlugInFailedError(UnavailableError):
    """A plug-in of another package cannot be used."""

    def __init__(self, *, setting: str, name: str, problem: str) -> None:
        super().__init__(f"The plug-in '{name}' cannot be used: {problem.rstrip('.')}.")
        self.hint = f"Mend or remove that package, or run: holdfast config unset {setting}"


class NoStoreError(NotFoundError):
    """There is no store there, and only what adds something creates one."""

    def __init__(self, folder: str, *, is_named: bool = True) -> None:
        super().__init__(f"There is no store in {folder}.")
        self.folder = folder
        self.hint = "Create one with 'holdfast init'."
        if is_named:
            self.hint = "Check --home and HOLDFAST_HOME, or create one there with 'holdfast init'."


class NoHistoryError(NotFoundError):
    """There is no repository here, so there is no history to ask about."""

    hint: str = "Go into a git repository (cd, or -C FOLDER), or make one with 'git init'."

    def __init__(self, missing: str = "there is no history to ask about") -> None:
        super().__init__(f"There is no repository here, so {missing}.")


class NothingCommittedError(NotFoundError):
    """Nothing was committed here yet, so there is no history to ask about."""

    hint: str = "Commit something first: git add . && git commit."


class NoSuchRevisionError(NotFoundError):
    """The name means no commit here."""

    hint: str = "Name a branch, a tag or a commit that 'git log' shows."

    def __init__(self, revision: str) -> None:
        super().__init__(f"'{revision[:200]}' is no commit of this repository.")


class NoSuchSymbolError(NotFoundError):
    """Nothing in the code has that name."""

    hint: str = "Write a name as the code has it (rotate, TokenStore.rotate), or a place in it."

    def __init__(self, name: str) -> None:
        super().__init__(f"Nothing in this repository's code is called '{name[:200]}'.")
