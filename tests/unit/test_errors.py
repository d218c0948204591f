"""Each error says in one sentence what happened, and names no command of any door."""

from __future__ import annotations

import copy

import pytest

from holdfast.domain import errors, lookup_errors, refusals
from holdfast.domain.database_errors import RowsLeftError, TenantInUseError
from holdfast.domain.errors import HoldfastError
from holdfast.domain.service_errors import CannotListenError
from holdfast.domain.version_errors import NewerStoreError, OldLibraryError, StoreUpgradedError
from tests.requirements import requirement

SAID: list[tuple[HoldfastError, str]] = [
    (errors.BlankClaimError(), "The claim is blank"),
    (errors.UnknownChoiceError(what="kind", value="x", choices=["fact"]), "choose one of: fact"),
    (errors.BadLifetimeError("soon"), "'soon' is not a lifetime. Write a number and a unit"),
    (errors.BadFieldError(field="key", problem="is odd."), "The key is odd."),
    (errors.BudgetTooSmallError(budget=30, least=71), "Give a budget of at least 71."),
    (errors.TooLargeError(what="claim", size=70_000, cap=65_536), "has 70,000 bytes; the limit"),
    (errors.UnstorableTextError(what="claim", problem="It holds NUL."), "It holds NUL."),
    (errors.NoEvidenceError(), "a memory needs evidence"),
    (
        lookup_errors.EvidenceWithheldError(".env", "git ignores it."),
        ".env cannot be used: git ignores",
    ),
    (errors.EvidenceUnreadableError("a.py:9", "it has 3 lines."), "a.py:9 cannot be used: it has"),
    (errors.SecretRefusedError(["a token", "a key"]), "looks like a secret: a token; a key."),
    (errors.NoRepositoryError(), "needs a git repository, and this folder is not"),
    (
        refusals.BadExchangeError(7, "It is no JSON.", refused=("line 2: It is too long.",)),
        "Lines refused before it: 1 (line 2: It is too long.) The other lines",
    ),
    (
        refusals.BadExchangeError(9, "It is no JSON.", refused=("line 2: No.",) * 6),
        "before it: 6 (line 2: No. line 2: No. line 2: No. line 2: No. line 2: No.) The other",
    ),
    (refusals.BadExchangeError(7, "It is no JSON."), "Line 7 of the import cannot be used"),
    (errors.NoSuchError(noun="span", reference="s_9"), "No span has the id s_9."),
    (errors.NoSuchError(noun="run", reference=" "), "No run has the id ' '."),
    (errors.UnknownChoiceError(what="origin", value="x", choices=["a"]), "'x' is not an origin;"),
    (
        errors.AmbiguousError(noun="memory", reference="m_1", fits=["m_12", "m_13"]),
        "m_12, m_13. Write one in full.",
    ),
    (errors.ForgottenError("m_1", "2026-11-15"), "was forgotten on 2026-11-15"),
    (errors.AlreadyRememberedError("m_1"), "already has the id m_1"),
    (errors.AlreadyDecidedError("m_1", "rejected"), "m_1 is rejected; only a candidate"),
    (errors.ChangedSinceShownError("m_1"), "may have changed since then. Read it again and retry."),
    (errors.NeedsPersonError(what="Only a person may forget it."), "a person may forget it."),
    (errors.SessionEndedError("i_1"), "i_1 has ended; start a new one."),
    (errors.StoreBusyError(), "Nothing was changed; try again."),
    (errors.StoreReadOnlyError("/db"), "/db is read-only here. Nothing was changed"),
    (errors.StoreFullError("/db"), "nothing is lost; free some space"),
    (errors.StoreFullError("/db", can_forget=False), "free some space and try again."),
    (errors.StoreUnreadableError("/db", "it is a folder."), "/db cannot be used: it is a folder."),
    (errors.StoreDamagedError("/db", "page 3 is torn."), "/db is damaged: page 3 is torn."),
    (
        NewerStoreError("/db", theirs=9, ours=1),
        "schema version 9; this version of Holdfast supports versions up to 1.",
    ),
    (StoreUpgradedError(), "restart this program"),
    (OldLibraryError("3.40.0", "3.51.3"), "3.40.0 can corrupt a shared store; 3.51.3"),
    (errors.OutsideUnavailableError(who="git", words=" gone\n"), "git reported an error: gone"),
    (errors.BadVectorError("it points nowhere."), "cannot be stored: it points nowhere."),
    (errors.NoMeaningError("It is torn.", hint="Install it again."), "torn. Install it again."),
    (
        lookup_errors.PlugInFailedError(setting="recall.reranker", name="judge", problem="gone."),
        "'judge' cannot be used: gone. Repair or remove that package, or unset recall.reranker.",
    ),
    (errors.NoStoreError("/x"), "There is no store in /x."),
    (lookup_errors.NoHistoryError("there is no code to read"), "so there is no code to read. Run"),
    (lookup_errors.NoHistoryError(), "no history to search. Run this inside a git"),
    (lookup_errors.NothingCommittedError(), "This repository has no commits yet"),
    (
        lookup_errors.NoSuchRevisionError("v9"),
        "'v9' does not name a commit of this repository. Name a branch",
    ),
    (lookup_errors.NoSuchRevisionError("yesterday"), "or a day such as 2024-01-31."),
    (
        lookup_errors.NoSuchRevisionError("2024-02-31"),
        "'2024-02-31' names neither a commit of this repository nor a day. Name a branch",
    ),
    (lookup_errors.NoSuchRevisionError("2024-1-31"), "names neither a commit of this repository"),
    (lookup_errors.NoSuchRevisionError("2024-01"), "names neither a commit of this repository"),
    (
        lookup_errors.NoSuchRevisionError("2010-01-01", begins="2012-03-04"),
        "No commit is from 2010-01-01 or before: the history begins on 2012-03-04.",
    ),
    (
        lookup_errors.NoSuchRevisionError("v4.18.0", near="4.18.0"),
        "'v4.18.0' does not name a commit of this repository. Did you mean '4.18.0'?",
    ),
    (
        lookup_errors.NoSuchSymbolError("rotate"),
        "is called 'rotate'. Write the name as in the code",
    ),
    (lookup_errors.NoSymbolAtError("app.py:3"), "No symbol covers app.py:3. Name a line inside"),
    (
        lookup_errors.NoSuchPlaceError("app.py:3", "there is no such file."),
        "app.py:3 cannot be read: there is no such file. Name a file of this checkout",
    ),
    (lookup_errors.IncompleteExportError("/db", "row 3."), "The export holds everything else."),
    (lookup_errors.NoSuchTenantError("acme"), "acme"),
    (lookup_errors.NoModelError(), "No embedding model is in use. Install a model."),
]


@requirement("input.refused-with-advice")
@pytest.mark.parametrize(("error", "words"), SAID, ids=lambda case: type(case).__name__)
def test_a_refusal_says_what_happened_on_one_line(error: HoldfastError, words: str) -> None:
    said = str(error)

    assert words in said
    assert "\n" not in said


def test_every_refusal_of_the_module_is_said_here() -> None:
    classes = {
        thing
        for thing in (vars(errors) | vars(lookup_errors)).values()
        if isinstance(thing, type) and issubclass(thing, HoldfastError)
    }
    # Adapters add their own below; which of those are loaded is another test's business.
    leaves = {one for one in classes if classes.isdisjoint(one.__subclasses__())}

    assert leaves <= {type(error) for error, _ in SAID}


def test_a_refusal_without_words_says_what_its_class_means() -> None:
    assert str(errors.NotFoundError()) == "The request names something that does not exist."


def test_facts_a_caller_needs_are_kept_on_the_refusal() -> None:
    assert errors.NoSuchError(noun="memory", reference="m_1").reference == "m_1"
    assert errors.ForgottenError("m_1", "2026-11-15").memory_id == "m_1"
    assert errors.AlreadyRememberedError("m_1").memory_id == "m_1"
    assert errors.BadFieldError(field="key", problem="is odd.").field == "key"


def test_the_facts_of_an_error_are_its_attributes_without_the_advice() -> None:
    error = errors.NoMeaningError("It is torn.", hint="Install it again.", name="bge")
    error.add_note("a note of a door")

    assert error.facts == {"name": "bge"}
    assert error.message == "It is torn."
    assert str(error) == "It is torn. Install it again."


def test_a_copy_of_an_error_has_its_words_facts_and_notes() -> None:
    error = errors.NoSuchError(noun="memory", reference="m_1")
    error.add_note("a note of a door")

    again = copy.copy(error)

    assert (type(again), str(again), again.facts) == (type(error), str(error), error.facts)
    assert again.__notes__ == ["a note of a door"]


def test_a_tenant_that_was_not_removed_names_its_tables() -> None:
    assert "in memory, span." in str(RowsLeftError(["memory", "span"]))
    assert "acme was not removed" in str(TenantInUseError("acme"))


def test_a_server_that_cannot_listen_says_where() -> None:
    assert "port 80: denied" in str(CannotListenError(bind="127.0.0.1", port=80, why="denied"))
