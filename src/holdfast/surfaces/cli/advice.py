"""What the command line advises: by the code of an error, by a note, and by a remedy.

The core says what happened in words that are true at every door; commands and options stand
here. A template is filled with the facts of its error, or with the parts of its note.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from holdfast.domain.curation import Remedy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from holdfast.domain.curation import Concern
    from holdfast.domain.errors import HoldfastError

    Facts = Mapping[str, object]

WAYS_TO_RESOLVE = "--supersede | --keep-old | --keep-both | --merge TEXT"
"""The options by which a person ends a conflict."""

_LISTED_BY = {
    "memory": "holdfast list",
    "session": "holdfast session list",
    "run": "holdfast run list",
    "decision": "holdfast undo --list",
}


def _listing(facts: Facts) -> str:
    command = _LISTED_BY.get(str(facts["noun"]))
    return f"'{command}' lists them." if command else ""


def _person(facts: Facts) -> str:
    command = facts["command"]
    if facts["verb"]:
        command = f"holdfast {facts['verb']} --id {facts['reference']}"
    return f"A person can do it with: {command}" if command else ""


def _store(facts: Facts) -> str:
    if facts["is_named"]:
        return "Check --home and HOLDFAST_HOME, or create one there with 'holdfast init'."
    return "Create one with 'holdfast init'."


def _several(facts: Facts) -> str:
    standing = facts["standing"]
    first = standing[0] if isinstance(standing, list) else standing
    return f"For example: holdfast resolve {facts['memory_id']} {first} …"


def _tools(facts: Facts) -> str:
    known = facts["known"]
    names = ", ".join(known) if isinstance(known, list) else known
    return f"Name it: holdfast adapters install TOOL ({names})."


def _edited_hook(facts: Facts) -> str:
    return "Or remove it with --force." if facts["can_force"] else ""


ADVICE: dict[str, str | Callable[[Facts], str]] = {
    "already-decided": "If a decision made it so, take that back first: holdfast undo {memory_id}",
    "decided-since": "Run: holdfast undo {memory_id}",
    "edited-by-hand": "Or take them away with --force.",
    "edited-hook": _edited_hook,
    "folder-taken": "Or overwrite it with --force.",
    "leads-elsewhere": "Or leave this part out with --with.",
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
    "plug-in-failed": "Mend or remove that package, or run: holdfast config unset {setting}",
    "proposer-failed": "Check the settings propose.url, propose.model and propose.key_env, or run:"
    " holdfast config unset propose.using.",
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

COMMANDS: dict[Remedy, str] = {
    Remedy.KEEP_OLD: "holdfast resolve {all} --keep-old",
    Remedy.SUPERSEDE: "holdfast resolve {all} --supersede",
    Remedy.REJECT: 'holdfast reject {first} --reason "not worth keeping"',
    Remedy.DEPRECATE: "holdfast curate --deprecate {first}",
    Remedy.REVIEW: "holdfast review {first}",
    Remedy.EXPLAIN: "holdfast explain {first}",
    Remedy.SHOW: "holdfast show {first}",
    Remedy.VERIFY: "holdfast verify {first}",
    Remedy.CONSOLIDATE: "holdfast curate --consolidate {all}",
    Remedy.UNPIN: "holdfast unpin --span {first}",
}
"""The command of each remedy for what a survey of memory found."""


def advice(error: HoldfastError) -> str:
    """Return what a person can do about an error at the command line; nothing if unknown."""
    template = ADVICE.get(error.code, "")
    if callable(template):
        return template(error.facts)
    return template.format_map(error.facts) if template else ""


def worded(error: HoldfastError) -> str:
    """Return an error as the command line says it: what happened, and what to do next."""
    return f"{error} {advice(error)}".strip()


def command_of(concern: Concern) -> str:
    """Return the command that remedies a finding."""
    names = [str(name) for name in concern.memories] or [str(concern.span)]
    return COMMANDS[concern.remedy].format(first=names[0], all=" ".join(names))


def with_advice(note: str) -> str:
    """Return a note and, where something is known, what a person can do about it."""
    said = advice_on(note)
    return f"{note}; {said}" if said else note


def advice_on(note: str) -> str:
    """Return what a person can do about a note of an answer or of a sync; nothing if unknown."""
    from holdfast.surfaces.cli.note_advice import NOTES

    for template, said in NOTES.items():
        found = _shape(template).fullmatch(note)
        if found is not None:
            return said.format(**found.groupdict())
    return ""


def _shape(template: str) -> re.Pattern[str]:
    """Return the pattern of every note that a template makes."""
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", re.escape(template)), re.DOTALL)
