"""The table of verbs: module, function and one line each. It imports none of them."""

from __future__ import annotations

GROUPS = {
    "start": "Start here",
    "find": "Find and understand",
    "curate": "Decide and tidy",
    "sit": "Sessions",
    "store": "The store",
    "serve": "A server for others",
    "tools": "Tools and shells",
}
_VERBS = "holdfast.surfaces.cli.verbs"

Entry = tuple[str, str, str, str]
"""A verb's module, the function in it that describes the verb, its group, and one line."""

INDEX: dict[str, Entry] = {
    "init": ("care.init", "init", "start", "create the store and note this repository"),
    "remember": ("memory.remember", "remember", "start", "keep a claim with its evidence"),
    "recall": ("recall.recall", "recall", "start", "answer a question from memory, with reasons"),
    "forget": ("memory.forget", "forget", "start", "remove memories permanently"),
    "list": ("memory.browse", "browse", "find", "list memories"),
    "show": ("memory.show", "show", "find", "show a memory, bundle, span or session"),
    "explain": (
        "memory.explain",
        "explain",
        "find",
        "explain a memory's sources, or an answer",
    ),
    "related": ("memory.link", "related", "find", "list the memories linked with a memory"),
    "verify": ("anchors.verify", "verify", "find", "check whether evidence is still valid"),
    "blame": ("anchors.blame", "blame", "find", "show the memories about a line of code"),
    "diff": ("anchors.diff", "diff", "find", "compare the memories of two branches"),
    "context": (
        "recall.context",
        "context",
        "find",
        "show a symbol, its callers, and its memories",
    ),
    "propose": ("review.propose", "propose", "curate", "extract candidates from a conversation"),
    "review": ("review.review", "review", "curate", "show the candidates that wait for you"),
    "approve": ("review.approve", "approve", "curate", "accept candidates"),
    "reject": ("review.approve", "reject", "curate", "reject candidates"),
    "edit": ("memory.edit", "edit", "curate", "reword a memory"),
    "conflicts": (
        "review.conflicts",
        "conflicts",
        "curate",
        "show claims that contradict each other",
    ),
    "resolve": ("review.conflicts", "resolve", "curate", "resolve a conflict between two claims"),
    "curate": (
        "review.curate",
        "curate",
        "curate",
        "find stale, duplicate and useless memories",
    ),
    "undo": ("review.undo", "undo", "curate", "undo a decision"),
    "revert": ("review.revert", "revert", "curate", "undo everything that came from one source"),
    "pin": ("memory.pin", "pin", "curate", "pin a memory or a place in a file"),
    "unpin": ("memory.pin", "unpin", "curate", "unpin a memory or a place in a file"),
    "link": ("memory.link", "link", "curate", "link two memories"),
    "feedback": ("recall.feedback", "feedback", "curate", "rate an answer"),
    "learn": ("recall.learn", "learn", "curate", "learn ranking weights from rated answers"),
    "session start": ("sessions.session", "start", "sit", "start a session with a tool"),
    "session turn": ("sessions.session", "turn", "sit", "record a turn of a session"),
    "session end": ("sessions.session", "end", "sit", "end a session"),
    "session list": ("sessions.session", "sessions", "sit", "list sessions, newest first"),
    "run start": ("sessions.run", "start", "sit", "start a run: a piece of work"),
    "run note": ("sessions.run", "note", "sit", "add a note to a run"),
    "run finish": ("sessions.run", "finish", "sit", "finish a run, and propose candidates"),
    "run list": ("sessions.run", "listing", "sit", "list runs, newest first"),
    "run show": ("sessions.run", "show", "sit", "show a run with its summary"),
    "run context": ("sessions.run", "context", "sit", "show the context pack for the open run"),
    "journal": ("pages.journal", "journal", "sit", "show a day as a page"),
    "sync": ("pages.sync", "sync", "store", "synchronise the pages and the store"),
    "trust": ("pages.trust", "trust", "curate", "accept entries that came with git"),
    "status": (
        "care.status",
        "status",
        "store",
        "show counts, and what waits for you",
    ),
    "index": ("care.index", "index", "store", "index the code of this repository"),
    "doctor": ("care.doctor", "doctor", "store", "check the store, and repair it"),
    "rebuild": ("care.doctor", "rebuild", "store", "rebuild all derived data"),
    "store copy": ("care.store", "copy", "store", "copy the whole store to another place"),
    "store compare": ("care.store", "compare", "store", "compare the store with a copy"),
    "db upgrade": ("care.db", "upgrade", "store", "create or upgrade the tables on a server"),
    "db check": ("care.db", "check", "store", "check a server, its role and its isolation"),
    "serve": ("service.serve", "serve", "serve", "serve memories over HTTP"),
    "token create": ("service.token", "create", "serve", "create a token for a program"),
    "token list": ("service.token", "listing", "serve", "list the tokens of this space"),
    "token revoke": ("service.token", "revoke", "serve", "revoke a token"),
    "db stats": ("care.db", "stats", "store", "show the size and the state of a database"),
    "db backup-advice": (
        "care.db",
        "backup_advice",
        "store",
        "say what to do for backups of a database",
    ),
    "db citus": ("care.db", "citus", "store", "print the script that distributes the tables"),
    "jobs add": ("care.jobs", "add", "store", "add bulk work for many workers"),
    "jobs list": ("care.jobs", "jobs", "store", "list bulk work and how far it is"),
    "jobs run": ("care.jobs", "run", "store", "do bulk work, as one of many workers"),
    "jobs cancel": ("care.jobs", "cancel", "store", "cancel bulk work"),
    "tenant create": ("care.tenant", "create", "store", "add a tenant to a database"),
    "tenant list": ("care.tenant", "tenants", "store", "list the tenants of a database"),
    "tenant export": ("care.tenant", "export", "store", "export every space of a tenant"),
    "tenant delete": ("care.tenant", "delete", "store", "remove a tenant with all its memories"),
    "export": ("exchange.exchange", "export", "store", "export everything as JSON lines"),
    "import": (
        "exchange.exchange",
        "bring_in",
        "store",
        "import an export, commits, or other notes",
    ),
    "model install": ("care.model", "install", "store", "install an embedding model"),
    "model list": (
        "care.model",
        "models",
        "store",
        "list models: installed, in use, progress",
    ),
    "model use": ("care.model", "switch", "store", "choose the model that is used"),
    "model verify": (
        "care.model",
        "verify",
        "store",
        "verify the files of a model",
    ),
    "model remove": ("care.model", "remove", "store", "remove a model's files"),
    "model catch-up": ("care.model", "catch_up", "store", "embed the memories without a vector"),
    "config list": (
        "care.config",
        "show_all",
        "store",
        "list the settings and their sources",
    ),
    "config get": ("care.config", "show_one", "store", "show one setting"),
    "config set": ("care.config", "change", "store", "change a setting"),
    "config unset": ("care.config", "restore", "store", "reset a setting to its default"),
    "config path": ("care.config", "show_path", "store", "print the path of the settings file"),
    "eval": (
        "care.evaluate",
        "evaluate",
        "tools",
        "measure recall on questions with known answers",
    ),
    "hook": (
        "sessions.hook",
        "hook",
        "tools",
        "called by a coding tool; log shows what it was told",
    ),
    "hooks install": ("anchors.hooks", "install", "tools", "install git hooks"),
    "hooks remove": (
        "anchors.hooks",
        "remove",
        "tools",
        "remove the hooks, and restore earlier ones",
    ),
    "hooks status": ("anchors.hooks", "status", "tools", "show which hooks are installed"),
    "hooks run": ("anchors.hooks", "run", "tools", "called by git"),
    "adapters install": ("sessions.adapters", "install", "tools", "connect coding tools to memory"),
    "adapters remove": (
        "sessions.adapters",
        "remove",
        "tools",
        "disconnect coding tools",
    ),
    "adapters status": (
        "sessions.adapters",
        "status",
        "tools",
        "show which tools are connected, and how",
    ),
    "adapters plugin": (
        "sessions.adapters",
        "plugin",
        "tools",
        "write the plug-in folder for three tools",
    ),
    "merge-file": ("pages.sync", "merge_file", "tools", "called by git to merge pages"),
    "mcp": ("sessions.mcp", "mcp", "tools", "serve agents over MCP on stdin and stdout"),
    "completion": (
        "care.completion",
        "completion",
        "tools",
        "print a completion script for a shell",
    ),
}


def family(word: str) -> tuple[str, ...]:
    """Return the verbs that start with a word: ``session`` gives ``session start`` and so on."""
    return tuple(name for name in INDEX if name.startswith(f"{word} "))


def module_name(name: str) -> str:
    """Return the module that holds a verb."""
    return f"{_VERBS}.{INDEX[name][0]}"
