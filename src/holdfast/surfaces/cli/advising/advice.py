"""The command line's advice, by error code.

An error describes what happened in words that are true at every door; this module adds commands and
options. A template is filled with the facts of its error.

The commands that fix the findings of a curation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.review.curation import Remedy
from holdfast.surfaces.wire.failures import advised

if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.domain.errors import HoldfastError
    from holdfast.domain.review.curation import Concern
    from holdfast.surfaces.wire.failures import Advice, Facts


_ANY_WAY = "(with --supersede, --keep-old, --keep-both or --merge TEXT)"
_FOR_ALL = "(with --supersede or --keep-old)"
_FOR_ONE = "(with --keep-both or --merge TEXT)"


def ways_to_resolve(name: str, standing: Sequence[str]) -> list[str]:
    """Return how to resolve the conflicts of a claim: a command, and its options in brackets.

    The command alone decides nothing, and a shell refuses a line that is pasted with the brackets.
    If there are several, the first command decides about all of them at once, because the claim
    cannot replace one of them and contradict the others.
    """
    if len(standing) == 1:
        return [f"holdfast resolve {name} {standing[0]} {_ANY_WAY}"]
    single = [f"holdfast resolve {name} {one} {_FOR_ONE}" for one in standing]
    return [f"holdfast resolve {name} {_FOR_ALL}", *single]


def commands_to_resolve(name: str, standing: Sequence[str]) -> list[str]:
    """Return whole commands that resolve them, one per choice; a merge needs a text first."""
    every = name if len(standing) > 1 else f"{name} {standing[0]}"
    return [
        f"holdfast resolve {every} --supersede",
        f"holdfast resolve {every} --keep-old",
        *(f"holdfast resolve {name} {one} --keep-both" for one in standing),
    ]


_LISTED_BY = {
    "memory": "holdfast list",
    "session": "holdfast session list",
    "run": "holdfast run list",
    "task": "holdfast task list --all",
    "agent": "holdfast agent list",
    "decision": "holdfast undo --list",
    "snapshot": "holdfast workspace list --everywhere",
    "remote": "holdfast remote list",
    "refused write": "holdfast remote status",
    "kept write": "holdfast remote status",
}


def _listing(facts: Facts) -> str:
    """Return the command that lists the ids."""
    command = _LISTED_BY.get(str(facts["noun"]))
    if facts["noun"] == "remote":
        return f"'{command}' lists the names; each space has remotes of its own."
    return f"'{command}' lists the ids." if command else ""


def _remote(facts: Facts) -> str:
    """Return the remote's name for a command, with a space; empty for an address without one."""
    server = str(facts["server"])
    return "" if "://" in server else f" {server}"


def _away(facts: Facts) -> str:
    """Return how to test a remote; an address that is no remote is only an address."""
    name = _remote(facts)
    return f"To test it: holdfast remote status{name}" if name else "Check the address."


def _waits(facts: Facts) -> str:
    """Return how to send a write that waits."""
    return f"To send it now: holdfast remote push{_remote(facts)}"


def _unreadable(facts: Facts) -> str:
    """Return how to compare the versions of this program and of the server."""
    name = _remote(facts)
    return f"To compare the versions: holdfast remote status{name}" if name else ""


def _person(facts: Facts) -> str:
    """Return the command that a person can run, or which token would do."""
    if scope := facts.get("scope"):
        return f"Use a token that has it; 'holdfast token create' makes one with --scope {scope}."
    command = facts["command"]
    if facts["verb"]:
        command = f"holdfast {facts['verb']} --id {facts['reference']}"
    if command:
        return f"A person can do it with: {command}"
    return "A person can run the same command in a terminal of their own."


def _store(facts: Facts) -> str:
    """Return how to create the store, or which option named its folder."""
    if facts["is_named"]:
        return "Check --home and HOLDFAST_HOME, or create the store with 'holdfast init'."
    return "Create it with 'holdfast init'."


def _space_store(facts: Facts) -> str:
    """Return which options name the space, and on a server the tenant."""
    names = ["--space", "HOLDFAST_SPACE", *(["HOLDFAST_TENANT"] if facts["tenant"] else [])]
    listed = f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Check {listed}, or create the store with 'holdfast init'."


def _several(facts: Facts) -> str:
    """Return a command that names one of the conflicts."""
    standing = facts["standing"]
    first = standing[0] if isinstance(standing, list) else standing
    return f"For example: holdfast resolve {facts['memory_id']} {first} {_FOR_ONE}"


def _suspected(facts: Facts) -> str:
    """Return the command with both ids of a pair that only a model suspects."""
    suspects = facts["suspects"]
    first = suspects[0] if isinstance(suspects, list) else suspects
    return f"For example: {ways_to_resolve(str(facts['memory_id']), [str(first)])[0]}"


def _unresolved(facts: Facts) -> str:
    """Return the commands that resolve the conflict; if there are several, all or one of them."""
    others = facts.get("others")
    names = [str(facts["standing"]), *(others if isinstance(others, list) else ())]
    every, *single = ways_to_resolve(str(facts["memory_id"]), names)
    if not single:
        return f"Resolve the conflict with: {every}"
    return f"Decide about all of them with: {every}; about one of them with: {single[0]}"


def _tools(facts: Facts) -> str:
    """Return the command with the names of the tools."""
    known = facts["known"]
    names = ", ".join(known) if isinstance(known, list) else known
    return f"Name a tool: holdfast adapters install TOOL ({names})."


def _edited_hook(facts: Facts) -> str:
    """Return how to remove the hook anyway, if that is possible."""
    return "Or remove it with --force." if facts["can_force"] else ""


def _ready(facts: Facts) -> str:
    """Return what says why nothing can start, or how to add the first task."""
    return "'holdfast task ready' says why." if facts["held"] else "'holdfast task add' adds one."


ADVICE: dict[str, Advice] = {
    "agent-held": "Wait until the lease ends, or end that process. To delete the agent anyway, add"
    " --force.",
    "already-decided": "To undo the last decision about it: holdfast undo {memory_id}",
    "another-stores-hooks": "A repository has one set of hooks: --force replaces or removes it."
    " Holdfast also works without hooks.",
    "artifact-unknown": "'holdfast workspace show SNAPSHOT' lists the files of a snapshot.",
    "bad-store-address": "It is given with --store or HOLDFAST_STORE.",
    "bad-remote": "http:// is accepted for this machine, as in http://127.0.0.1:8750; for another"
    " machine add --insecure-http, only in a network that you trust completely.",
    "beyond-loopback": "Name them with --allow-host, and leave out --without-tokens.",
    "blank-evidence": "Give lines of a file (src/app.py:10-30), a URL, commit:SHA or command:LINE.",
    "bad-manifest": "Run 'holdfast doctor' to see which snapshots are affected.",
    "cannot-listen": "Choose another port with --port; 0 takes any that is free.",
    "content-damaged": "Run 'holdfast doctor' to see which snapshots are affected; --path restores"
    " the other files.",
    "undo-reveals": "Encrypt that wording first: holdfast protect {memory_id}",
    "decided-since": "Run: holdfast undo {memory_id}",
    "edited-by-hand": "Or discard the edits with --force.",
    "edited-hook": _edited_hook,
    "folder-taken": "Or overwrite it with --force.",
    "incomplete-export": "Run 'holdfast doctor' to see what is affected, and 'holdfast doctor"
    " --repair' to rescue the rest of the store.",
    "leads-elsewhere": "Or leave this part out with --with.",
    "may-not": _person,
    "model-broken": "Run 'holdfast model verify {name}', then"
    " 'holdfast model install {name} --force'.",
    "model-missing": "Run: holdfast model install {name}",
    "model-not-fetched": "To install it from a file: holdfast model install {name} --from FILE."
    " The model kelp is in the package and needs no network: holdfast model install kelp",
    "needs-person": _person,
    "token-name-taken": "Choose another name, or revoke it: holdfast token revoke {name}",
    "no-encryption-key": "Make one with 'holdfast key create', or add one with 'holdfast key add'.",
    "encryption-key-missing": "'holdfast key list' shows where each key is expected; 'holdfast key"
    " add' adds a key that you have.",
    "encryption-key-needed": "Encrypt them again with 'holdfast key rotate', or forget them.",
    "encryption-key-in-use": "Choose another one with 'holdfast key use', or rotate with 'holdfast"
    " key rotate'.",
    "encryption-key-of-store": "Encrypt the store with another key, 'holdfast key encrypt-store"
    " KEY', or write it in clear: 'holdfast key decrypt-store'.",
    "store-locked": "Say where the key is, 'holdfast key add --file PATH', or set the variable"
    " HOLDFAST_ENCRYPTION_KEY to it.",
    "no-such-encryption-key": "'holdfast key list' lists them.",
    "ciphertext-damaged": "'holdfast key check' names all records that cannot be read; an earlier"
    " copy or export has the intact ones.",
    "no-ciphertext": "An earlier export or copy may have it: holdfast import FILE",
    "unsafe-key-place": "Choose another place with --file, or leave --file out.",
    "sensitive-record": "See it with 'holdfast show {memory_id}', and remember the new claim with"
    " --sensitive.",
    "no-conflict": "'holdfast conflicts' lists the open conflicts.",
    "no-evidence": "Give lines of a file (--evidence src/app.py:10-30), a command, a URL or a"
    " bundle (--from-bundle c_…), or your own statement (--because 'I decided').",
    "not-authenticated": "Give the remote another token: holdfast remote add URL --name NAME"
    " --token-file FILE --replace",
    "token-of-other-space": "Leave out --space and HOLDFAST_SPACE, use a token of that space, or"
    " add the server for that space: holdfast --space {wanted} remote add URL",
    "not-on-remote": "Use a store of your own with --store local, or run it on that machine.",
    "no-default-remote": "Name one, as in 'holdfast remote status NAME', or choose one with"
    " 'holdfast remote use NAME'. 'holdfast remote add URL' adds one.",
    "no-such-token": "'holdfast token list' lists them.",
    "no-history": "Or name a repository with -C FOLDER.",
    "no-model": "Run: holdfast model install",
    "no-open-run": "Start one with 'holdfast run start', or name one that 'holdfast run list'"
    " shows.",
    "no-own-claim": "Run: holdfast approve {memory_id}, or holdfast reject {memory_id}",
    "no-pages": "Create the folder for pages with 'holdfast init --files'.",
    "no-repository": "Run this inside a repository, or use --scope workspace or --scope global.",
    "no-store": _store,
    "no-such": _listing,
    "no-such-store": _space_store,
    "no-tools-found": _tools,
    "not-what-was-shown": "To see the list: holdfast review",
    "not-migrated": "Run: holdfast db upgrade --store postgresql://OWNER@HOST/DATABASE",
    "nothing-learned": "'holdfast learn' learns weights from rated answers.",
    "nothing-of-that-source": "'holdfast list --status candidate --json' shows the source of each"
    " candidate.",
    "nothing-to-evaluate": "'holdfast remember' keeps one, with --kind decision and the lines that"
    " it is about as --evidence.",
    "nothing-to-import": "Name the file or the folder: holdfast import {what} PATH",
    "nothing-to-undo": "'holdfast undo --list' shows the decisions about memories here;"
    " with --everywhere, also those in other repositories.",
    "only-candidate": "A person can reject it with: holdfast reject {memory_id}",
    "nothing-kept": "'holdfast workspace list' lists the snapshots of a folder; 'holdfast"
    " workspace restore' takes the id of one.",
    "no-snapshots": "Take one with 'holdfast workspace snapshot'; 'holdfast workspace list"
    " --everywhere' lists those of all folders.",
    "no-such-path": "'holdfast workspace show {snapshot}' lists its paths.",
    "snapshot-elsewhere": "Name a folder of this machine: --into DIR, or -C DIR to compare.",
    "snapshot-cited": "'holdfast show' shows the memory; 'holdfast forget' removes it.",
    "store-not-empty": "To merge the memories instead, use 'holdfast export' here and 'holdfast"
    " import' there.",
    "unfinished-copy": "Run the same 'holdfast store copy' again.",
    "only-suspected": _suspected,
    "own-proposal": "If you are another person, give your name to 'holdfast config set user'.",
    "pages-changed": "To see them: holdfast trust",
    "plug-in-broken": "To unset the setting: holdfast config unset embedding.model",
    "plug-in-failed": "To unset the setting: holdfast config unset {setting}",
    "proposer-failed": "To unset the setting: holdfast config unset propose.using",
    "proposes-forgetting": "To forget the memory: holdfast forget --id {about}. To keep it:"
    " holdfast reject {memory_id}",
    "queue-blocked": "'holdfast doctor --repair' removes the folder if it is empty.",
    "remote-answer": _unreadable,
    "remote-exists": "Choose another name with --name, or replace it with --replace.",
    "several-remotes": "For example: --store NAME. 'holdfast remote list' lists them.",
    "remote-budget": "Give a larger number to 'holdfast config set embedding.{what}'.",
    "remote-failed": "To choose a model: holdfast model use NAME",
    "remote-not-chosen": "Choose one with 'holdfast model use', as openai: and its name.",
    "remote-size": "Run: holdfast config set embedding.dimension {size}",
    "task-claimed": "Take another one with 'holdfast task claim --next', or wait.",
    "task-cycle": "'holdfast task edit TASK --not-after OTHER' removes a dependency.",
    "task-elsewhere": "Check out that branch, or make it count everywhere: holdfast task edit"
    " {task_id} --everywhere",
    "task-is-blocked": "Open it again with: holdfast task unblock {task_id}",
    "task-is-done": "Reopen it with: holdfast task reopen {task_id}",
    "task-lease-lost": "See 'holdfast task show {task_id}'. A person overrides the claim with"
    " --anyway.",
    "task-waits": "Finish those first, or remove the dependency: holdfast task edit {task_id}"
    " --not-after TASK. A person finishes it with --anyway.",
    "nothing-ready": _ready,
    "prune-too-much": "'holdfast prune --dry-run' lists them. Prune less at once with --kind,"
    " --namespace or --cause, or allow it with --force; the setting prune.most has the share.",
    "checkout-changed": "Bring the checkout up to date, or choose with --branch continue or"
    " --branch fork; 'holdfast supervise --resume' goes on with a run that began.",
    "run-complete": "To do it again and compare: holdfast supervise --replay {label}",
    "run-not-supervised": "'holdfast supervise --list' lists the supervised runs.",
    "step-held": "Wait until it ends; 'holdfast supervise --resume {run}' goes on then.",
    "run-is-over": "Start a new run with 'holdfast run start'.",
    "secret-refused": "Remove the secret. Only 'remember', 'import' and 'jobs add' can mask it,"
    " with --redact, or keep a text that is no secret, with --allow-secret.",
    "settings-unreadable": "Or leave this part out with --with.",
    "several-conflicts": _several,
    "shared-hooks": "To install the hooks there anyway, use --force.",
    "store-damaged": "Run 'holdfast doctor' to see what is affected, and 'holdfast doctor --repair'"
    " to recover the readable data; the damaged file is kept.",
    "too-few-ratings": "Rate more answers with 'holdfast feedback', or include older answers with"
    " --from-sessions.",
    "proposed-too-fast": "A person can decide about them with 'holdfast review'; the setting"
    " review.hourly has the limit.",
    "too-many-waiting": "A person can decide about them with 'holdfast review'; the setting"
    " review.waiting has the limit.",
    "tree-too-large": "Raise the limit with --max-file, --max-files or --max-total, or name a"
    " smaller folder.",
    "unresolved-conflict": _unresolved,
    "said-is-off": "A person lets agents keep what was said with:"
    " holdfast config set session.said on",
    "said-already": "To keep only that one: holdfast curate --consolidate {standing} {memory_id};"
    " if {memory_id} is a candidate: holdfast reject {memory_id}",
    "server-away": _away,
    "unknown-outcome": "Look before you repeat it: 'holdfast undo --list' has the last decisions,"
    " and 'holdfast show' has a memory.",
    "write-waits": _waits,
    "writes-wait": "Send them with 'holdfast remote push {name}'. 'holdfast remote remove"
    " {name} --drop-waiting' loses them.",
    "words-contradict": "To edit it: holdfast edit {standing}",
    "would-replace": "See what differs with --dry-run, write elsewhere with --into DIR, or replace"
    " with --force, which keeps what it replaces in a snapshot.",
}
"""Advice by the code of an error; a code without an entry has all its advice in its message."""


def advice(error: HoldfastError) -> str:
    """Return what a person can do about an error at the command line; empty if unknown."""
    return advised(error, ADVICE)


def worded(error: HoldfastError) -> str:
    """Return the message of an error with the command line's advice."""
    return f"{error} {advice(error)}".strip()


COMMANDS: dict[Remedy, str] = {
    Remedy.RESOLVE: "holdfast conflicts",
    Remedy.REJECT: 'holdfast reject {first} --reason "not worth keeping"',
    Remedy.DEPRECATE: "holdfast curate --deprecate {first}",
    Remedy.REVIEW: "holdfast review {first}",
    Remedy.EXPLAIN: "holdfast explain {first}",
    Remedy.SHOW: "holdfast show {first}",
    Remedy.VERIFY: "holdfast verify --diff {first}",
    Remedy.CONSOLIDATE: "holdfast curate --consolidate {all}",
    Remedy.UNPIN: "holdfast unpin --span {first}",
}
"""The command of each remedy."""


def command_of(concern: Concern) -> str:
    """Return the command that fixes a finding."""
    names = [str(name) for name in concern.memories] or [str(concern.span)]
    return COMMANDS[concern.remedy].format(first=names[0], all=" ".join(names))
