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
    "gate.size-capped": "Text beyond the cap is refused, with what to do instead.",
    "input.refused-with-advice": "Bad input gets one clear sentence, and nothing changes.",
    # Links, sessions, spans
    "link.unique-by-ends-and-kind": "A link is unique by its ends and kind; again is a new score.",
    "session.turns-kept-in-order": "A session keeps its turns in order, with what answered them.",
    "span.pinned-found-again": "A pinned span is found again by its repository.",
    "name.short-form-found": "The start of an id finds what it names, or says it fits several.",
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
