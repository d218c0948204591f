"""All routes, and the verbs that have none."""

from __future__ import annotations

from holdfast.surfaces.http.routes import answers, care, memories, review, sessions, stores

ROUTES = (
    *memories.ROUTES,
    *answers.ROUTES,
    *review.ROUTES,
    *sessions.ROUTES,
    *care.ROUTES,
    *stores.ROUTES,
)
"""Every route; a new subject is one more module, and one more line here."""

_CHECKOUT = "it needs a checkout, and a server has none; the client does it"
_PAGES = "pages belong to a clone; the client has it"
_OPERATOR = "whoever runs the server does it at the command line of that machine"
_CLIENT = "it changes programs on the client's machine"
EXEMPT: dict[str, str] = {
    **dict.fromkeys(("verify", "blame", "diff", "context", "index"), _CHECKOUT),
    **dict.fromkeys(("check list", "check accept", "check revoke"), _CHECKOUT),
    **dict.fromkeys(("sync", "trust", "merge-file"), _PAGES),
    **dict.fromkeys(
        (
            *("init", "rebuild", "serve", "eval", "db upgrade", "db check", "db stats"),
            *("db backup-advice", "db citus", "store copy", "store compare"),
            *("tenant create", "tenant list", "tenant export", "tenant delete"),
            *("jobs add", "jobs list", "jobs run", "jobs cancel"),
            *("token create", "token list", "token revoke"),
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
            *("mcp", "completion"),
        ),
        _CLIENT,
    ),
    "propose": "the client reads the conversation, and sends what it proposes as memories",
}
"""The verbs without a route, each with the reason."""
