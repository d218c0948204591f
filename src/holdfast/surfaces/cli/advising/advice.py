"""The command line's advice, by error code.

An error describes what happened in words that are true at every door; this module adds commands and
options. A template is filled with the facts of its error.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.surfaces.wire.failures import advised

if TYPE_CHECKING:
    from holdfast.domain.errors import HoldfastError
    from holdfast.surfaces.wire.failures import Advice, Facts

WAYS_TO_RESOLVE = "--supersede | --keep-old | --keep-both | --merge TEXT"
"""The options with which a person resolves a conflict."""

_LISTED_BY = {
    "memory": "holdfast list",
    "session": "holdfast session list",
    "run": "holdfast run list",
    "decision": "holdfast undo --list",
}


def _listing(facts: Facts) -> str:
    """Name the verb that lists the ids."""
    command = _LISTED_BY.get(str(facts["noun"]))
    return f"'{command}' lists them." if command else ""


def _person(facts: Facts) -> str:
    """Name the command with which a person can do it."""
    command = facts["command"]
    if facts["verb"]:
        command = f"holdfast {facts['verb']} --id {facts['reference']}"
    return f"A person can do it with: {command}" if command else ""


def _store(facts: Facts) -> str:
    """Tell how to create a store, or where to look for the one that was named."""
    if facts["is_named"]:
        return "Check --home and HOLDFAST_HOME, or create one there with 'holdfast init'."
    return "Create one with 'holdfast init'."


def _several(facts: Facts) -> str:
    """Show how to name one of several matches."""
    standing = facts["standing"]
    first = standing[0] if isinstance(standing, list) else standing
    return f"For example: holdfast resolve {facts['memory_id']} {first} …"


def _tools(facts: Facts) -> str:
    """List the names of the tools."""
    known = facts["known"]
    names = ", ".join(known) if isinstance(known, list) else known
    return f"Name it: holdfast adapters install TOOL ({names})."


def _edited_hook(facts: Facts) -> str:
    """Tell how to remove the hook anyway, if that is possible."""
    return "Or remove it with --force." if facts["can_force"] else ""


ADVICE: dict[str, Advice] = {
    "already-decided": "If a decision made it so, take that back first: holdfast undo {memory_id}",
    "another-stores-hooks": "A repository has one set of hooks: --force replaces or removes it;"
    " without hooks, the next command finds out the same.",
    "blank-evidence": "Name a place (src/app.py:10-30), a URL, commit:SHA or command:LINE.",
    "decided-since": "Run: holdfast undo {memory_id}",
    "edited-by-hand": "Or take them away with --force.",
    "edited-hook": _edited_hook,
    "folder-taken": "Or overwrite it with --force.",
    "incomplete-export": "Run 'holdfast doctor' to see what is affected, and 'holdfast doctor"
    " --repair' to rescue the rest of the store.",
    "leads-elsewhere": "Or leave this part out with --with.",
    "may-not": _person,
    "model-broken": "Run 'holdfast model verify {name}', then"
    " 'holdfast model install {name} --force'.",
    "model-missing": "Run: holdfast model install {name}",
    "model-not-fetched": "From a file: holdfast model install {name} --from FILE",
    "needs-person": _person,
    "no-conflict": "'holdfast conflicts' lists those that are open.",
    "no-evidence": "Name a place (--evidence src/app.py:10-30), a command, a URL or a bundle"
    " (--from-bundle c_…), or give your own word (--because 'I decided').",
    "no-history": "'-C FOLDER' names the folder of one.",
    "no-model": "Run: holdfast model install",
    "no-open-run": "Begin one with 'holdfast run start', or name one of 'holdfast run list'.",
    "no-own-claim": "Decide it with: holdfast approve {memory_id}, or holdfast reject {memory_id}",
    "no-pages": "'holdfast init --files' makes the folder for them.",
    "no-repository": "Run this inside a repository, or use --scope workspace or --scope global.",
    "no-store": _store,
    "no-such": _listing,
    "no-such-store": "Check --space and HOLDFAST_SPACE, or create the store with 'holdfast init'.",
    "no-tools-found": _tools,
    "not-what-was-shown": "Look with: holdfast review",
    "nothing-learned": "'holdfast learn' learns from ratings.",
    "nothing-of-that-source": "'holdfast list --status candidate --json' shows where candidates"
    " come from.",
    "nothing-to-evaluate": "For example: holdfast remember --kind decision --evidence FILE:LINES …",
    "nothing-to-import": "Name the file or the folder: holdfast import {what} PATH",
    "nothing-to-undo": "'holdfast undo --list' shows the decisions that were made here;"
    " --everywhere those of other repositories too.",
    "only-candidate": "A person can refuse it with: holdfast reject {memory_id}",
    "own-proposal": "If you are that person, say who you are: holdfast config set user NAME",
    "pages-changed": "Look with: holdfast trust",
    "plug-in-broken": "To unset it: holdfast config unset embedding.model",
    "plug-in-failed": "To unset it: holdfast config unset {setting}",
    "proposer-failed": "To unset it: holdfast config unset propose.using",
    "proposes-forgetting": "To do that: holdfast forget --id {about}. To keep it: holdfast reject"
    " {memory_id}",
    "queue-blocked": "'holdfast doctor --repair' removes an empty one.",
    "remote-failed": "To choose one: holdfast model use NAME",
    "remote-size": "Run: holdfast config set embedding.dimension {size}",
    "run-is-over": "Begin another one with 'holdfast run start'.",
    "secret-refused": "Remove it, or store it with --redact; if it is no secret, allow it with"
    " --allow-secret.",
    "settings-unreadable": "Or leave this part out with --with.",
    "several-conflicts": _several,
    "shared-hooks": "--force puts the hooks there all the same.",
    "store-damaged": "Run 'holdfast doctor' to see what is affected and 'holdfast doctor --repair'"
    " to rescue it; the damaged file is kept.",
    "too-few-ratings": "Rate more with 'holdfast feedback', or look further back with"
    " --from-sessions.",
    "unresolved-conflict": "Decide with: holdfast resolve {memory_id} {standing} "
    + WAYS_TO_RESOLVE,
    "words-contradict": "See 'holdfast conflicts', or run: holdfast edit {standing}",
}
"""Advice by the code of an error; a code without an entry has all its advice in its message."""


def advice(error: HoldfastError) -> str:
    """Return what a person can do about an error at the command line; empty if unknown."""
    return advised(error, ADVICE)


def worded(error: HoldfastError) -> str:
    """Return the message of an error with the command line's advice."""
    return f"{error} {advice(error)}".strip()
