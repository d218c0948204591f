"""The table of verbs: module, function and one line each. It imports none of them."""

from __future__ import annotations

GROUPS = {
    "start": "Start here",
    "find": "Find and understand",
    "curate": "Decide and tidy",
    "sit": "Sessions",
    "store": "The store",
    "tools": "Tools and shells",
}
_VERBS = "holdfast.surfaces.cli.verbs"

Entry = tuple[str, str, str, str]
"""A verb's module, the function in it that describes the verb, its group, and one line."""

INDEX: dict[str, Entry] = {
    "init": ("care.init", "init", "start", "create the store and note this repository"),
    "remember": ("memory.remember", "remember", "start", "keep a claim with its evidence"),
    "recall": ("recall.recall", "recall", "start", "answer a question from memory, with reasons"),
    "forget": ("memory.forget", "forget", "start", "remove memories so that no byte of them stays"),
    "list": ("memory.browse", "browse", "find", "list memories"),
    "show": ("memory.show", "show", "find", "show a memory, bundle, span or session"),
    "explain": (
        "memory.explain",
        "explain",
        "find",
        "say where a memory comes from, or why it was given",
    ),
    "related": ("memory.link", "related", "find", "list a memory's neighbours"),
    "verify": ("anchors.verify", "verify", "find", "check that evidence still says what it said"),
    "blame": ("anchors.blame", "blame", "find", "say which memories govern a line"),
    "diff": ("anchors.diff", "diff", "find", "say what knowledge a branch adds or puts in doubt"),
    "context": (
        "recall.context",
        "context",
        "find",
        "show a symbol, its callers, and its memories",
    ),
    "propose": ("review.propose", "propose", "curate", "find what a conversation decided"),
    "review": ("review.review", "review", "curate", "show what waits for you, most valuable first"),
    "approve": ("review.approve", "approve", "curate", "accept candidates as knowledge"),
    "reject": ("review.approve", "reject", "curate", "refuse candidates"),
    "edit": ("memory.edit", "edit", "curate", "say a memory in other words, and accept that"),
    "conflicts": (
        "review.conflicts",
        "conflicts",
        "curate",
        "show claims that contradict each other",
    ),
    "resolve": ("review.conflicts", "resolve", "curate", "decide between two of them"),
    "curate": (
        "review.curate",
        "curate",
        "curate",
        "say what is stale, double or junk, and tidy it",
    ),
    "undo": ("review.undo", "undo", "curate", "take a decision back"),
    "revert": ("review.revert", "revert", "curate", "take back all that came from one source"),
    "pin": ("memory.pin", "pin", "curate", "pin a memory or a place in a file"),
    "unpin": ("memory.pin", "unpin", "curate", "let a pinned memory or place go"),
    "link": ("memory.link", "link", "curate", "link two memories"),
    "feedback": ("recall.feedback", "feedback", "curate", "say whether an answer helped"),
    "learn": ("recall.learn", "learn", "curate", "weigh by what helped: learn from rated answers"),
    "session start": ("sessions.session", "start", "sit", "begin a sitting with a tool"),
    "session turn": ("sessions.session", "turn", "sit", "record a turn of a sitting"),
    "session end": ("sessions.session", "end", "sit", "end a sitting"),
    "session list": ("sessions.session", "sessions", "sit", "list sittings, newest first"),
    "run start": ("sessions.run", "start", "sit", "begin a piece of work"),
    "run note": ("sessions.run", "note", "sit", "note something worth keeping in a run"),
    "run finish": ("sessions.run", "finish", "sit", "sum a run up, and propose what it decides"),
    "run list": ("sessions.run", "listing", "sit", "list runs, newest first"),
    "run show": ("sessions.run", "show", "sit", "show a run with its summary"),
    "run context": ("sessions.run", "context", "sit", "show the context pack for the open run"),
    "journal": ("pages.journal", "journal", "sit", "show a day as a page"),
    "sync": ("pages.sync", "sync", "store", "bring the pages and the store in line"),
    "trust": ("pages.trust", "trust", "curate", "accept what came with git, as it is shown"),
    "status": (
        "care.status",
        "status",
        "store",
        "say how much is remembered and what waits for you",
    ),
    "index": ("care.index", "index", "store", "read the code of this repository"),
    "doctor": ("care.doctor", "doctor", "store", "check everything and say what to do"),
    "rebuild": ("care.doctor", "rebuild", "store", "make everything derived anew"),
    "db upgrade": ("care.db", "upgrade", "store", "create or upgrade the tables on a server"),
    "db check": ("care.db", "check", "store", "check a server, its role and its isolation"),
    "export": ("exchange.exchange", "export", "store", "write everything as lines of JSON"),
    "import": (
        "exchange.exchange",
        "bring_in",
        "store",
        "take in an export, commits, or what others noted",
    ),
    "model install": ("care.model", "install", "store", "add a model that finds by meaning"),
    "model list": (
        "care.model",
        "models",
        "store",
        "list models: installed, used, what they have read",
    ),
    "model use": ("care.model", "switch", "store", "choose the model that is used"),
    "model verify": (
        "care.model",
        "verify",
        "store",
        "check that a model is whole and makes sense",
    ),
    "model remove": ("care.model", "remove", "store", "remove a model's files"),
    "model catch-up": ("care.model", "catch_up", "store", "read what the model has not read yet"),
    "config list": (
        "care.config",
        "show_all",
        "store",
        "list the settings and where they come from",
    ),
    "config get": ("care.config", "show_one", "store", "show one setting"),
    "config set": ("care.config", "change", "store", "change a setting"),
    "config unset": ("care.config", "restore", "store", "go back to a setting's default"),
    "config path": ("care.config", "show_path", "store", "say where the settings file is"),
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
    "hooks install": ("anchors.hooks", "install", "tools", "let git say when its history changes"),
    "hooks remove": (
        "anchors.hooks",
        "remove",
        "tools",
        "take our hooks away, others are put back",
    ),
    "hooks status": ("anchors.hooks", "status", "tools", "say which hooks are installed"),
    "hooks run": ("anchors.hooks", "run", "tools", "called by git"),
    "adapters install": ("sessions.adapters", "install", "tools", "connect coding tools to memory"),
    "adapters remove": (
        "sessions.adapters",
        "remove",
        "tools",
        "disconnect them, leaving no trace",
    ),
    "adapters status": (
        "sessions.adapters",
        "status",
        "tools",
        "say which tools are connected, and how",
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
