"""Settings, environment variables and the places they are read from."""

from __future__ import annotations

from docs.generator.markdown import Page, code
from holdfast.adapters.machine.settings import SETTINGS, environment_name

VARIABLES = {
    "HOLDFAST_HOME": "the folder of the store and of the settings file; `~` is understood",
    "HOLDFAST_SPACE": (
        "whose memories are meant: the name of a space, as with `--space`; the store of a space"
        " is in `spaces/NAME` in the home, and that of the space `default` in the home itself"
    ),
    "OTEL_EXPORTER_OTLP_ENDPOINT": (
        "the collector to which `holdfast serve` sends a span of each request; none if not set"
    ),
    "HOLDFAST_STORE": (
        "the store, as with `--store`: the address of a Holdfast server, `https://…`, or of a"
        " database, `postgresql://user@host:5432/database`, the name of a remote, or `local`;"
        " without it the store is that of the default remote, else a file in the home"
    ),
    "HOLDFAST_TOKEN": (
        "the token for a Holdfast server, instead of the one that `remote add` has kept"
    ),
    "HOLDFAST_TENANT": (
        "whose store it is on a database server: a UUID, or a name that stands for one;"
        " `default` if it is not set"
    ),
    "HOLDFAST_MODELS": (
        "the only folder of models, instead of `models` beside the store and `.models` in the"
        " checkout that the program runs from"
    ),
    "HOLDFAST_KEYS": (
        "the folder for new files of encryption keys, instead of `holdfast/keys` in the XDG config"
        " folder"
    ),
    "HOLDFAST_ENCRYPTION_KEY": (
        "an encryption key, as `holdfast key create --env` prints it; it is known without being"
        " added, and in use if no other one is"
    ),
    "HOLDFAST_ORIGIN": (
        "who is speaking on the command line: `human` (the default, unless an agent seems to run"
        " it), `agent`, `tool`, `repo` or `web`; `service` names an unattended job such as a backup"
    ),
    "HOLDFAST_AGENT": (
        "says that an agent runs `holdfast`, which then decides nothing; what coding agents set"
        " themselves, such as `CLAUDECODE`, says the same"
    ),
    "HOLDFAST_REPLICAS": (
        "addresses of Postgres servers that follow the one of `HOLDFAST_STORE`, divided by commas;"
        " reads go to one that has caught up"
    ),
    "XDG_DATA_HOME": "where the store is when `HOLDFAST_HOME` is not set: `holdfast/` in it",
    "XDG_CONFIG_HOME": "where the settings are when `HOLDFAST_HOME` is not set: `holdfast/` in it",
    "AWS_REGION": (
        "the region of Amazon Bedrock, if such a model is chosen; credentials and the region can"
        " also come from the other usual places of AWS"
    ),
    "ORT_DISABLE_TELEMETRY": (
        "set by Holdfast itself, so that onnxruntime, which runs the model, reports nothing"
    ),
    "NO_COLOR": "no colours, if it is not empty",
    "FORCE_COLOR": "colours even in a pipe, if it is neither empty nor `0`",
    "COLORFGBG": "a light background, as in `0;15`, makes `holdfast ui` light",
    "TERM": "`dumb` or nothing means no colours, `dumb` no progress bar either",
    "COLUMNS": "how wide help and tables may be",
    "LOGNAME": "your name on what you decide, where the setting `user` is empty",
    "USER": "the same, where `LOGNAME` is not set",
    "VISUAL": "the editor that `holdfast edit` opens",
    "EDITOR": "the same, where `VISUAL` is not set; `vi` if neither is",
    "CLAUDE_CONFIG_DIR": "where Claude Code keeps its transcripts, instead of `~/.claude`",
    "CLAUDE_PROJECT_DIR": "where a tool's session takes place, if its hook does not say so",
    "CODEX_HOME": "where Codex keeps its transcripts, instead of `~/.codex`",
    "GIT_INDEX_FILE": (
        "the index that git names to its hooks; `verify --checks --staged` reads it if it is in"
        " the git folder of the repository, and refuses any other"
    ),
    "MEMORY_FILE_PATH": "the file of the MCP memory server that `import mcp-memory` reads",
}


def settings() -> str:
    """Return the page of everything that can be set."""
    page = Page("Settings and environment variables")
    page.text(
        "A setting is taken from its environment variable, else from the settings file, else it"
        " has its default; a setting without a variable is taken from the file alone.",
        "`holdfast config list` shows each value and where it comes from.",
    )
    page.heading("Settings")
    page.table(
        ["setting", "default", "meaning", "takes", "variable"],
        [
            [
                code(setting.name),
                code(setting.default),
                setting.meaning,
                setting.takes,
                code(environment_name(setting.name)) if setting.has_variable else "",
            ]
            for setting in SETTINGS
        ],
    )
    page.heading("The settings file")
    page.text(
        "`config.toml` in `HOLDFAST_HOME` if that is set, else `holdfast/config.toml` in"
        " `XDG_CONFIG_HOME`, else `~/.config/holdfast/config.toml`.",
        "`holdfast config path` says which one it is.",
    )
    page.code('recall.budget = "1500"\nremember.ttl = "90d"', "toml")
    page.heading("Environment variables")
    page.table(["variable", "meaning"], [[code(name), said] for name, said in VARIABLES.items()])
    return page.written()
