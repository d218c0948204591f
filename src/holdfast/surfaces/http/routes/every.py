"""All routes, and the verbs that have none."""

from __future__ import annotations

from holdfast.surfaces.http.routes import (
    agents,
    answers,
    care,
    memories,
    review,
    sessions,
    stores,
    tasks,
)

ROUTES = (
    *memories.ROUTES,
    *answers.ROUTES,
    *review.ROUTES,
    *sessions.ROUTES,
    *tasks.ROUTES,
    *agents.ROUTES,
    *care.ROUTES,
    *stores.ROUTES,
)
"""Every route; a new subject is one more module, and one more line here."""

_CHECKOUT = "it needs a checkout, and a server has none; the client does it"
_PAGES = "pages belong to a clone; the client has it"
_OPERATOR = "the operator of the server does it at the command line of that machine"
_CLIENT = "it changes programs on the client's machine"
_FOLDERS = "snapshots keep folders of the client's machine, and their content stays there"
EXEMPT: dict[str, str] = {
    **dict.fromkeys(("verify", "blame", "diff", "context", "index"), _CHECKOUT),
    **dict.fromkeys(("check list", "check accept", "check revoke"), _CHECKOUT),
    **dict.fromkeys(
        (
            *("hydrate", "session show", "session did", "session note", "session resume"),
            *("session rewind", "session fork", "session reconcile"),
            *("session say", "session said", "session unsay"),
        ),
        _CHECKOUT,
    ),
    **dict.fromkeys(("sync", "trust", "merge-file"), _PAGES),
    **dict.fromkeys(
        (
            *("init", "rebuild", "serve", "eval", "db upgrade", "db check", "db stats"),
            *("db backup-advice", "db citus", "store copy", "store compare"),
            *("tenant create", "tenant list", "tenant export", "tenant delete"),
            *("jobs add", "jobs list", "jobs run", "jobs cancel"),
            *("token create", "token list", "token revoke"),
            *("key create", "key add", "key list", "key use", "key rotate", "key remove"),
            *("key encrypt-store", "key decrypt-store", "key check", "protect"),
            *("model install", "model list", "model use", "model verify", "model remove"),
            *("model catch-up", "config list", "config get", "config set", "config unset"),
            "config path",
        ),
        _OPERATOR,
    ),
    **dict.fromkeys(
        (
            *("hook", "hooks install", "hooks remove", "hooks status", "hooks run"),
            *("adapters install", "adapters remove", "adapters status", "adapters plugin"),
            *(
                "mcp",
                "ui",
                "completion",
                "remote add",
                "remote list",
                "remote use",
                "remote status",
            ),
            *("remote push", "remote retry", "remote drop", "remote remove"),
        ),
        _CLIENT,
    ),
    **dict.fromkeys(
        (
            *("workspace snapshot", "workspace list", "workspace show", "workspace diff"),
            *("workspace restore", "workspace delete", "workspace gc"),
        ),
        _FOLDERS,
    ),
    "web": "it serves the page of one person's own memory; a server serves the same pages itself",
    "prune": "a person looks at what is due before it goes, where the pages and copies are",
    "supervise": "a run works in a folder of the client's machine, and starts processes there",
    "propose": "the client reads the conversation, and sends what it proposes as memories",
}
"""The verbs without a route, each with the reason."""
