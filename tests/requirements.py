"""Every promise of this project, by id; each has at least one test that names it.

``tests/quality/test_requirements.py`` fails when a promise has no test, and when a
test names a promise that is not here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

Marked = TypeVar("Marked", bound=Callable[..., Any])


def requirement(requirement_id: str) -> Callable[[Marked], Marked]:
    """Say that a test keeps the promise with this id."""

    def mark(test: Marked) -> Marked:
        marked: Marked = pytest.mark.requirement(requirement_id)(test)
        return marked

    return mark


REQUIREMENTS: dict[str, str] = {
    # The house
    "house.core-is-pure": "The core imports the standard library and itself, nothing else.",
    "house.modules-fit-one-sitting": "No module is longer than 400 lines.",
    "house.ports-are-small": "No port asks for more than eight methods.",
    "house.families-have-faces": "Every family of error has a face at every door.",
    "house.promises-have-tests": "Every promise has a test, and every test names a known promise.",
    # Memories
    "memory.never-changes": "A memory never changes; what people decide is kept beside it.",
    "memory.ids-sort-by-time": "Ids are unique without asking anybody and sort by time.",
    "memory.order-is-arrival": "Memories are ordered by arrival, never by the clock alone.",
    "evidence.required": "A memory without evidence is refused, with the ways to give some.",
    "evidence.every-type-kept": "Evidence of every type reads back as it was given.",
    "evidence.place-checked": "Evidence naming a missing file or impossible lines is refused.",
    "evidence.bundle-cited": "A memory can cite the bundle it came from.",
    "key.supersedes": "The same key with another claim supersedes the old claim and says so.",
    "key.same-claim-adds-evidence": "The same key and claim adds evidence instead of a copy.",
    "claim.near-duplicate-adds-evidence": "A claim we know in other words adds evidence.",
    "claim.numbers-and-negations-differ": "Claims differing in a number or a negation stay two.",
    "trust.never-rises": "Trust is the least trusted of everything derived from; it never rises.",
    "lifetime.read-or-refused": "A lifetime is read exactly, or refused with the way to write it.",
    "lifetime.grace-before-removal": "An expired memory is removed only after a grace period.",
    "scope.reaches-its-place": "A memory reaches its own place and never another space.",
    "repo.one-id-for-every-clone": "Clones, moves, worktrees and rewritten history keep one id.",
    "repo.unrelated-never-meet": "Unrelated repositories never share an id.",
    # The store
    "store.nothing-acknowledged-is-lost": "What was acknowledged survives kill -9 and a power cut.",
    "store.all-or-nothing": "A unit of work happens whole or not at all.",
    "store.one-moment-read": "Everything read in one transaction is of one moment.",
    "store.reads-back-exactly": "Every value reads back exactly as it was written.",
    "store.backends-agree": "Every backend gives the same answers to the same operations.",
    "store.pages-never-overlap": "Pages never overlap and never leave anything out.",
    "store.many-processes": "Many processes share one store: no error shown, nobody starved.",
    "store.newer-schema-refused": "A store with a newer schema is refused and left unchanged.",
    "store.version-checked-in-write": "The schema's version is checked inside every write.",
    "store.schema-is-migrations": "The schema equals the sum of its migrations.",
    "store.old-library-refused": "A library too old to keep data safe is refused.",
    "store.damage-reported": "Every damaged row and every lost tail is reported.",
    "store.repair-keeps-damaged-file": "A repair rescues what can be read and keeps the old file.",
    "store.older-file-noticed": "A restored older file or a deleted log is noticed.",
    "store.busy-is-not-damage": "Busy, full, read-only and I/O errors are never taken for damage.",
    "store.full-disk-can-forget": "Forgetting works on a full disk.",
    "store.read-only-explained": "A read-only store says so in one sentence and stays unchanged.",
    "store.io-errors-lose-nothing": "Any failing I/O call loses nothing that was acknowledged.",
    "store.derived-can-be-rebuilt": "Everything derived can be made anew from the truth.",
    "event.chain-shows-tampering": "Any change to any event breaks the chain.",
    "event.never-holds-text": "Events name things and hashes; they never hold text.",
    # Recall and bundles
    "recall.expired-never-returned": "An expired memory is not recalled.",
    "recall.candidate-never-returned": "A candidate is never given as knowledge.",
    "recall.superseded-never-returned": "A superseded, rejected or deprecated claim is not given.",
    "recall.query-is-never-syntax": "A question is never read as query syntax.",
    "recall.bad-question-answered": "Any question gets an answer, however odd, empty or long.",
    "recall.reasons-shown": "Every item says why it is there, and the parts add up to its score.",
    "recall.order-never-by-chance": "The same question gets the same order.",
    "recall.amended-marked": "What a later memory amends comes behind it, marked, or not at all.",
    "recall.fenced": "Recalled text is fenced as data with a nonce nobody can guess.",
    "bundle.never-over-budget": "An answer never counts more tokens than its budget.",
    "bundle.left-out-explained": "What was considered is given, or left out with the reason.",
    "bundle.replayable": "A bundle can be shown and asked again, and any difference is shown.",
    "feedback.kept": "Feedback is kept with the bundle and with what it gave.",
    "learn.slow-and-bounded": "Learned weights stay within bounds; few ratings hardly move them.",
    "learn.shown-and-undone": "Learned weights are versioned, shown, checked and can be undone.",
    # Forgetting
    "forget.leaves-no-bytes": "No byte of a forgotten claim stays in any file of the store.",
    "forget.leaves-tombstone": "A forgotten memory leaves a tombstone and does not come back.",
    "forget.dry-run-changes-nothing": "A dry run shows what would go and changes nothing.",
    # Gates
    "gate.secret-refused": "A secret is refused before the first byte is written.",
    "gate.hidden-characters-refused": "Hidden characters, surrogates and NUL are not kept unseen.",
    "gate.code-is-not-kept": "No line of a repository's code is kept in the store.",
    "gate.size-capped": "Text beyond the cap is refused, with what to do instead.",
    "input.refused-with-advice": "Bad input gets one clear sentence, and nothing changes.",
    # Links, sessions, spans
    "link.unique-by-ends-and-kind": "A link is unique by its ends and kind; again is a new score.",
    "session.turns-kept-in-order": "A session keeps its turns in order, with what answered them.",
    "span.pinned-found-again": "A pinned span is found again by its repository.",
    "name.short-form-found": "The start of an id finds what it names, or says it fits several.",
    "anchor.kept-with-span": "A span keeps what ties it to content, and is whole without it.",
    "anchor.who-rests-on-it": "The memories that rest on a span are found from the span.",
    "anchor.never-wrong": "Whatever git did, no verdict of fresh or moved is false.",
    "anchor.found-again": "Of the spans that still exist, 98 in 100 are found again.",
    "anchor.no-operation-loses": "No git operation takes a memory away.",
    "standpoint.kept": "Memories and sessions keep the branch and commit they were written at.",
    "standpoint.found-again": "The standpoints of a repository are found, each once.",
    "standpoint.unseen-left-out": "What was written at a standpoint not seen here is left out.",
    "rewrite.kept": "Which commit took another's place is kept, one answer for each.",
    "recall.as-of": "What was accepted at a moment is found, though superseded since.",
    "commit.followed-through-rewrites": "A rewritten commit is followed by what git proves.",
    "branch.arrives-by-content": "What is learned on a branch is seen where its work arrived.",
    "history.found-not-remembered": "A question finds the commit that decided it, as evidence.",
    "history.matches-the-checkout": "Only commits that lead to what is checked out are found.",
    "recall.verdict-of-every-item": "Every item of an answer says what its evidence says now.",
    "recall.doubtful-ranked-down": "What its evidence no longer bears out ranks lower, marked.",
    "recall.code-and-history-beside-memory": "Code and commits answer inside the same budget.",
    "verify.counts-and-worst-first": "Verify counts every verdict and names the worst first.",
    "verify.exit-code-for-ci": "Verify fails when something drifted or is gone.",
    "blame.where-it-is-now": "Blame finds memories by where their evidence is now.",
    "diff.what-a-branch-knows": "A difference says what a branch adds, changes and contradicts.",
    "context.neighbours-and-memories": "A symbol comes with its callers and its memories.",
    # Code
    "code.matches-the-checkout": "What is found in code is what the checkout says at that moment.",
    "code.only-changes-read": "Only files that changed are read, and the same bytes parsed once.",
    "code.passed-over-is-told": "What people neither wrote nor read is passed over, and counted.",
    "code.constant-processes": "Git is asked as often for many files as for few.",
    "code.worktrees-apart": "Worktrees of one repository have an index each.",
    "code.survives-kill": "An index that was killed half-way is completed the next time.",
    "code.shared": "Processes that index at once do not disturb each other.",
    "code.workers-agree": "Several processes find what one finds; one that dies loses nothing.",
    "code.symbols-of-every-language": "Symbols are those a reader would name, in each language.",
    "code.outlives-its-parser": "A file that brings a parser down is plain text, nothing more.",
    "code.heals-itself": "A harmed or foreign index of code is made anew by itself.",
    "code.search-says-why": "Code is found as it stands, with reasons that add up to its score.",
    "code.mentions-count": "Files, symbols and tracebacks that a question names are found.",
    "code.neighbours-within-hops": "Callers and callees are found, as many steps away as asked.",
    "code.ambiguous-names-not-followed": "A call that could mean anything is not followed.",
    # Hooks
    "hooks.chained": "A hook that is there runs first, as before, and is put back as it was.",
    "hooks.never-in-the-way": "A hook of ours never fails, never waits, and says nothing.",
    "hooks.where-git-looks": "Hooks are put where git looks for them, and never committed.",
    # Anchors and verdicts
    "anchor.content-first": "A span is anchored by its content; commits are hints only.",
    "anchor.capture-constant": "Reading many places asks git a constant number of times.",
    "verdict.fresh": "Lines that are where they were, with the same text, are fresh.",
    "verdict.moved": "The same text elsewhere has moved, if it is proved to be the same lines.",
    "verdict.drifted": "Lines found in their place with another text drifted; the diff is shown.",
    "verdict.orphaned": "Lines that are nowhere in this checkout are orphaned.",
    "verdict.unverifiable": "What cannot be checked is said to be so, with the reason.",
    "verdict.never-invented": "An equal text is never taken for the lines without proof.",
    "verdict.few-processes": "Checking asks git a constant number of times, or not at all.",
    "verdict.cache-is-safe": "A kept verdict is used only while its files are as they were.",
    "evidence.whatever-git-says": "Without git, or with a broken one, a place is still read.",
    # Moving house
    "export.lossless": "What was exported and imported again is the same.",
    "import.resumable": "An import that stopped can be run again; nothing is doubled.",
    "import.bad-line-named": "A line that cannot be imported is named, and those before it stay.",
    # Meaning
    "meaning.optional": "Without a model, or with a broken one, words answer and say so.",
    "meaning.exact": "A search by meaning misses nobody nearer, whatever the filter.",
    "meaning.models-never-meet": "Vectors of different models are never compared.",
    "meaning.index-heals-itself": "A harmed or foreign vector index changes no answer.",
    "model.install-is-whole-or-nothing": "A model is installed whole or not at all.",
    "model.package-is-pinned": "A fetched package that is not the pinned one is refused.",
    "model.damage-is-said": "A harmed model is named, with the way to put it right.",
    "model.same-text-same-vector": "A text has the same vector in whatever company it is read.",
    "model.remote-nonsense-not-believed": "What a remote embedder says is checked, or refused.",
    "model.key-stays-with-its-address": "A key is sent to the address it was set for, only.",
    "model.init-never-needs-a-network": "Without a network a store is made all the same.",
    # Measuring
    "eval.own-store-untouched": "Measuring on a set leaves a person's own store alone.",
    "eval.real-paths": "Measuring remembers and recalls as everybody does, gates included.",
    "eval.same-figures-every-time": "The same set and settings give the same figures.",
    "eval.bad-set-named-by-line": "A set that cannot be read is refused, and the line is named.",
    "eval.compare-is-paired": "Two runs are compared by question, and chance is not a difference.",
    # Doors
    "app.every-verb-at-every-door": "Every verb is reachable at every door or exempt for a reason.",
    "cli.no-traceback": "Nobody ever sees a traceback; the exit code tells the family.",
    "cli.json-everywhere": "Every command answers in JSON when asked.",
    "cli.cold-start-imports-nothing-heavy": "A cold start loads none of the heavy libraries.",
    "cli.pipe-safe": "Output goes to stdout, everything else to stderr; a closed pipe is no error.",
    "cli.documented-commands-work": "The documents' commands work exactly as they are written.",
    "cli.every-command-documented": "Every command and option is in the reference.",
    "doctor.says-what-to-do": "The doctor checks everything and says what to do about it.",
    "explain.full-chain": "Explain shows the whole chain from a claim to its sources.",
    "curation.only-candidates-decided": "Only a candidate is decided, and as it was shown.",
    "mcp.both-eras": "The MCP door speaks both eras of the protocol.",
    "mcp.answers-before-the-engine": "Initialize is answered before the engine is loaded.",
    "mcp.agents-only-propose": "An agent only proposes; a person decides.",
    "mcp.assemble-is-markdown": "context.assemble returns Markdown text.",
    "mcp.survives-any-input": "No input ends the MCP door or gets it to say anything invalid.",
    "mcp.refuses-in-words": "A bad argument is named, with what it should be.",
    "mcp.tools-fit-the-sdk": "The tools are what the official SDK takes, limits told in words.",
    "mcp.catches-up-by-itself": "While an agent works, the model reads what was remembered.",
    "mcp.many-clients": "Many clients write at once: nothing is lost and no error is shown.",
    "python.opens-from-folder": "The Python door finds the repository and the store by itself.",
    # Fault tools
    "torture.planted-bugs-caught": "Every fault tool catches the bugs that are planted for it.",
}
