"""All settings: their defaults, meanings and valid values."""

from __future__ import annotations

from holdfast.adapters.machine.prune_settings import PRUNING
from holdfast.adapters.machine.role_settings import ROLE_SETTINGS
from holdfast.adapters.machine.setting_values import Setting
from holdfast.adapters.machine.setting_values import is_model_name as _is_model_name
from holdfast.adapters.machine.setting_values import is_name as _is_name
from holdfast.adapters.machine.setting_values import is_url as _is_url
from holdfast.adapters.machine.setting_values import is_variable as _is_variable
from holdfast.adapters.machine.setting_values import one_of as _one_of
from holdfast.adapters.machine.setting_values import whole as _whole
from holdfast.domain.errors import InvalidError

DEFAULT_MODEL = "kelp"
DEFAULT_JUDGE = "wrack"


def _is_lifetime(value: str) -> bool:
    from holdfast.domain.memory.lifetime import read_lifetime

    try:
        read_lifetime(value)
    except InvalidError:
        return False
    return True


def _is_index(value: str) -> bool:
    """Return whether it is a plug-in's name, or names a Chroma in a folder or on a server."""
    for scheme in ("chroma+http://", "chroma+https://"):
        if value.startswith(scheme):
            host, *names = value.removeprefix(scheme).rstrip("/").split("/")
            are_names = len(names) in {0, 2} and all(map(_is_model_name, names))
            return _is_url(value.removeprefix("chroma+")) and "@" not in host and are_names
    if value.startswith("chroma:"):
        return value.startswith(("chroma:/", "chroma:~/")) and _is_path(value)
    return _is_model_name(value)


def _is_embedder(value: str) -> bool:
    """Return whether it is a model's name; one on the network has a provider before it."""
    provider, mark, model = value.partition(":")
    if not mark:
        return _is_model_name(value)
    plain = model.replace(":", "a").replace("/", "a").replace("@", "a").replace("+", "a")
    is_name = _is_model_name(plain) and model[:1].isalnum() and len(value) <= 200  # noqa: PLR2004 - a name
    return provider in {"openai", "bedrock"} and is_name


def _is_path(value: str) -> bool:
    return value.isprintable() and 0 < len(value.strip()) <= 4096  # noqa: PLR2004 - the longest path


SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="conflicts.judge",
        default=DEFAULT_JUDGE,
        meaning="what looks for contradicting claims in addition to the rules: wrack, the model in"
        " this package, which only advises; a plug-in's name; or off",
        accepts=lambda value: not value or _is_name(value),  # empty is off, as it was before
        takes="wrack, off, or the name of an entry point in the group holdfast.judge",
    ),
    Setting(
        name="embedding.bedrock_url",
        default="",
        meaning="where Amazon Bedrock is, if not at the usual address of the region",
        accepts=_is_url,
        takes="an address that begins with https:// or http://; no variable sets it",
    ),
    Setting(
        name="embedding.cache",
        default="10000",
        meaning="texts whose vectors from an embedder on the network are kept on disk; 0 for none",
        accepts=_whole(0, 10_000_000),
        takes="a whole number from 0 to 10000000",
    ),
    Setting(
        name="check.seconds",
        default="60",
        meaning="seconds that an accepted command of a check may take",
        accepts=_whole(1, 3600),
        takes="a whole number from 1 to 3600",
    ),
    Setting(
        name="embedding.calls",
        default="100000",
        meaning="requests that one run may send to an embedder on the network",
        accepts=_whole(0, 100_000_000),
        takes="a whole number from 0 to 100000000",
    ),
    Setting(
        name="embedding.dimension",
        default="",
        meaning="how many numbers a vector of an embedder on the network has; the model's own"
        " number if empty",
        accepts=_whole(1, 65_536),
        takes="a whole number from 1 to 65536",
    ),
    Setting(
        name="embedding.key_env",
        default="",
        meaning="the environment variable that holds the key of an OpenAI-compatible embedder;"
        " OPENAI_API_KEY for OpenAI itself if empty",
        accepts=_is_variable,
        takes="the name of a variable",
    ),
    Setting(
        name="embedding.key_file",
        default="",
        meaning="the file that holds that key instead; only its owner may be able to read it",
        accepts=_is_path,
        takes="the path of a file",
    ),
    Setting(
        name="embedding.model",
        default=DEFAULT_MODEL,
        meaning="what reads meaning: an installed model, openai:MODEL, bedrock:MODEL, a plug-in's"
        " name, or none",
        accepts=_is_embedder,
        takes="a model's name ('holdfast model list' shows them), openai:MODEL, bedrock:MODEL or"
        " none; no variable sets the two on the network",
    ),
    Setting(
        name="embedding.timeout",
        default="30",
        meaning="seconds an embedder on the network may take to answer; a question waits at most 5",
        accepts=_whole(1, 3600),
        takes="a whole number from 1 to 3600",
    ),
    Setting(
        name="embedding.tokens",
        default="10000000",
        meaning="tokens that one run may send to an embedder on the network",
        accepts=_whole(0, 999_999_999),
        takes="a whole number from 0 to 999999999",
    ),
    Setting(
        name="embedding.url",
        default="",
        meaning="where the OpenAI-compatible embedder is, up to /v1; texts are sent there; OpenAI"
        " itself if empty",
        accepts=_is_url,
        takes="an address that begins with https:// or http://; no variable sets it",
    ),
    Setting(
        name="hook.enforce",
        default="off",
        meaning="stop a tool call that would break a rule with enforce in its metadata: on or off",
        accepts=_one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="hook.meaning",
        default="off",
        meaning="let hooks find by meaning too; each session then loads a model: on or off",
        accepts=_one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="hook.propose",
        default="on",
        meaning="propose candidates from a session's transcript when it stops or ends",
        accepts=_one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="mcp.answers",
        default="propose",
        meaning="what an answer of an MCP client's user counts for: propose (nothing is decided),"
        " or decide (it is your decision; an agent with a shell could forge it)",
        accepts=_one_of("propose", "decide"),
        takes="propose or decide; no variable sets it",
        # Whoever starts a server can set a variable for it, an agent with a shell too.
        has_variable=False,
    ),
    Setting(
        name="mcp.profile",
        default="full",
        meaning="the tools that 'holdfast mcp' lists: core (six, in few words) or full",
        accepts=_one_of("core", "full"),
        takes="core or full",
    ),
    Setting(
        name="propose.key_env",
        default="",
        meaning="the environment variable with the model's key; OPENAI_API_KEY or"
        " ANTHROPIC_API_KEY if empty",
        accepts=_is_variable,
        takes="the name of a variable",
    ),
    Setting(
        name="propose.model",
        default="",
        meaning="the model that reads conversations, where propose.using is openai or anthropic",
        accepts=_is_name,
        takes="a name",
    ),
    Setting(
        name="propose.timeout",
        default="60",
        meaning="seconds the model that reads conversations may take",
        accepts=_whole(1, 3600),
        takes="a whole number from 1 to 3600",
    ),
    Setting(
        name="propose.tokens",
        default="4000",
        meaning="tokens one conversation may cost: what is sent and what is answered",
        accepts=_whole(500, 1_000_000),
        takes="a whole number from 500 to 1000000",
    ),
    Setting(
        name="propose.url",
        default="",
        meaning="where the model that reads conversations is, up to /v1; turns are sent there",
        accepts=_is_url,
        takes="an address that begins with https:// or http://",
    ),
    Setting(
        name="propose.using",
        default="rules",
        meaning="what reads conversations: rules (no model), openai, anthropic, or a plug-in",
        accepts=_is_model_name,
        takes="rules, openai, anthropic or the name of an entry point in holdfast.proposer",
    ),
    *PRUNING,
    Setting(
        name="recall.budget",
        default="2000",
        meaning="tokens an answer may take",
        accepts=_whole(1, 1_000_000),
        takes="a whole number from 1 to 1000000",
    ),
    Setting(
        name="recall.deep",
        default="auto",
        meaning="when small models read the nearest memories again with the question: auto (if"
        " asked, for MCP clients, and if no memory rather surely answers), on (always) or off"
        " (only if asked); a running server keeps the value that it started with",
        accepts=_one_of("auto", "on", "off"),
        takes="auto, on or off",
    ),
    Setting(
        name="recall.index",
        default="sidecar",
        meaning="what searches vectors: sidecar (pgvector on Postgres), chroma (in a folder beside"
        " the store), chroma:/PATH, chroma+http://HOST:PORT, or a plug-in's name",
        accepts=_is_index,
        takes="sidecar, chroma, chroma:/PATH, chroma+http://HOST:PORT[/TENANT/DATABASE] (or"
        " chroma+https), or the name of an installed plug-in",
    ),
    Setting(
        name="recall.limit",
        default="20",
        meaning="items an answer may hold",
        accepts=_whole(1, 200),
        takes="a whole number from 1 to 200",
    ),
    Setting(
        name="recall.reranker",
        default="",
        meaning="a plug-in that reads the best answers once more; none if empty",
        accepts=_is_name,
        takes="the name of an entry point in the group holdfast.reranker",
    ),
    Setting(
        name="recall.retrieval",
        default="hybrid",
        meaning="how memories are found: words, hybrid (and meaning) or graph (and links)",
        accepts=_one_of("words", "hybrid", "graph"),
        takes="words, hybrid or graph",
    ),
    Setting(
        name="recall.tokens",
        default="estimate",
        meaning="how the command line counts tokens: estimate (fast) or exact (cl100k)",
        accepts=_one_of("estimate", "exact"),
        takes="estimate or exact",
    ),
    Setting(
        name="remember.ttl",
        default="never",
        meaning="how long a memory holds when --ttl is not given",
        accepts=_is_lifetime,
        takes="a lifetime such as 30d, or never",
    ),
    Setting(
        name="remember.secrets",
        default="refuse",
        meaning="what happens to a text with a secret: refuse it or redact it",
        accepts=_one_of("refuse", "redact"),
        takes="refuse or redact",
    ),
    Setting(
        name="review.hourly",
        default="200",
        meaning="candidates of one source that may come within an hour, from agents and hooks;"
        " more are refused (0: any)",
        accepts=_whole(0, 100_000),
        takes="a whole number from 0 to 100000",
    ),
    Setting(
        name="review.waiting",
        default="500",
        meaning="candidates of one source that may wait for a person; more are refused (0: any)",
        accepts=_whole(0, 100_000_000),
        takes="a whole number from 0 to 100000000",
    ),
    Setting(
        name="remote.timeout",
        default="10",
        meaning="seconds that the server of a remote may take for one answer",
        accepts=_whole(1, 300),
        takes="a whole number from 1 to 300",
    ),
    Setting(
        name="review.auto_accept",
        default="none",
        meaning="what is accepted without you: none, or low (gotchas whose code is as it was read)",
        accepts=_one_of("none", "low"),
        takes="none or low",
    ),
    Setting(
        name="restart",
        default="ask",
        meaning="what a hook does if memory changes while a tool runs that reads its files once:"
        " ask (one line for the person), auto (the whole bundle again) or never (only the change)",
        accepts=_one_of("ask", "auto", "never"),
        takes="ask, auto or never",
    ),
    Setting(
        name="session.hydrate",
        default="on",
        meaning="tell a new session of a coding tool where the work stands: on or off",
        accepts=_one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="session.reconcile",
        default="ask",
        meaning="what to do with a session whose work is not part of the checkout, where nobody"
        " can be asked: ask, fork, rebase or fresh",
        accepts=_one_of("ask", "fork", "rebase", "fresh"),
        takes="ask, fork, rebase or fresh",
    ),
    Setting(
        name="session.said",
        default="off",
        meaning="let hooks, agents and imports of transcripts keep what people and agents said, in"
        " whole: on or off; a person's own 'session say' and 'import --turns' keep it anyway",
        accepts=_one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="session.turns",
        default="on",
        meaning="let hooks keep what was asked and done in each turn: on or off",
        accepts=_one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="user",
        default="",
        meaning="your name on what you decide; the system's user name if empty",
        accepts=_is_name,
        takes="a name",
    ),
    Setting(
        name="workspace",
        default="default",
        meaning="the workspace that memories of scope 'workspace' belong to",
        accepts=_is_name,
        takes="a name",
    ),
    *ROLE_SETTINGS,
)
