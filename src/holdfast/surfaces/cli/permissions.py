"""The operation of each verb; the command line decides from this table who may run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.memory.callers import Operation as Op
from holdfast.domain.values import dataclass

if TYPE_CHECKING:
    from argparse import Namespace


@dataclass(frozen=True, slots=True, kw_only=True)
class RightsCase:
    """An option, or certain values of it, with which a verb performs another operation."""

    option: str
    operation: Op
    words: frozenset[str] = frozenset()

    def applies(self, given: Namespace) -> bool:
        """Return whether the option was given and, if the case lists values, has one of them."""
        value = getattr(given, self.option)
        return value in self.words if self.words else bool(value) or value == ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The usual operation of a verb, and the cases with another operation.

    The first case that applies counts. ``reason`` says why, if it is not obvious.
    """

    usual: Op
    cases: tuple[RightsCase, ...] = ()
    reason: str = ""

    def operation(self, given: Namespace) -> Op:
        """Return the operation of a command with these options."""
        return next((one.operation for one in self.cases if one.applies(given)), self.usual)


def _flag(option: str, operation: Op) -> RightsCase:
    return RightsCase(option=option, operation=operation)


_DRY = _flag("dry_run", Op.READ)
_READ, _RECORD, _MAINTAIN = Rule(usual=Op.READ), Rule(usual=Op.RECORD), Rule(usual=Op.MAINTAIN)
_DECIDE = Rule(usual=Op.DECIDE, cases=(_DRY,))
_DECIDE_ALWAYS = Rule(usual=Op.DECIDE)
_CONFIGURE = Rule(usual=Op.CONFIGURE)
_CONFIGURE_OR_LOOK = Rule(usual=Op.CONFIGURE, cases=(_DRY,))
NOTES = (
    *("instructions", "claude-memory", "codex-memories", "basic-memory", "claude-mem"),
    *("mem0", "mcp-memory", "beads", "adr"),
)
"""The names of other programs' notes that 'import' knows."""
TRANSCRIPTS, GIT = "transcripts", "git"

RULES: dict[str, Rule] = {
    "init": Rule(
        usual=Op.MAINTAIN,
        cases=(_flag("model", Op.CONFIGURE), _flag("files", Op.CONFIGURE)),
        reason="an empty store changes no memory; --files writes into the repository",
    ),
    "remember": Rule(
        usual=Op.PROPOSE,
        cases=(
            RightsCase(option="origin", operation=Op.DECIDE, words=frozenset({"human"})),
            _flag("pin", Op.PIN),
            _flag("allow_secret", Op.DECIDE),
        ),
        reason="a person's claim is accepted at once; anybody else's is a candidate",
    ),
    "recall": _READ,
    "forget": Rule(
        usual=Op.FORGET,
        cases=(_DRY, _flag("propose", Op.PROPOSE)),
        reason="an agent proposes it with --propose",
    ),
    "list": _READ,
    "show": _READ,
    "explain": _READ,
    "related": _READ,
    "verify": _MAINTAIN,
    "check list": _READ,
    "check accept": Rule(usual=Op.TRUST, cases=(_DRY,)),
    "check revoke": Rule(usual=Op.TRUST),
    "blame": _READ,
    "diff": _READ,
    "context": _READ,
    "propose": Rule(usual=Op.PROPOSE, cases=(_DRY,)),
    "review": Rule(usual=Op.READ, cases=(_flag("walk", Op.DECIDE),)),
    "ui": Rule(usual=Op.READ, reason="each key performs an operation of its own; agents look"),
    "approve": _DECIDE,
    "reject": _DECIDE,
    "edit": _DECIDE,
    "protect": Rule(usual=Op.FORGET, cases=(_DRY,)),
    "web": Rule(usual=Op.DECIDE, reason="whoever has the link decides as the person"),
    "conflicts": _READ,
    "resolve": Rule(usual=Op.DECIDE),
    "curate": Rule(
        usual=Op.READ,
        # --dry-run belongs to --apply; it does not stop actions on memories named by id.
        cases=(_flag("ids", Op.DECIDE), _DRY, _flag("apply", Op.DECIDE)),
        reason="it only reads, unless --apply or memories by id are given",
    ),
    "prune": Rule(usual=Op.FORGET, cases=(_DRY,)),
    "undo": Rule(usual=Op.DECIDE, cases=(_flag("list", Op.READ), _DRY)),
    "revert": Rule(usual=Op.DECIDE, cases=(_DRY, _flag("forget", Op.FORGET))),
    "pin": Rule(usual=Op.PIN),
    "unpin": Rule(usual=Op.PIN),
    "link": Rule(
        usual=Op.DECIDE,
        reason="a link changes answers at once; a proposal names its parents with --derived-from",
    ),
    "feedback": Rule(
        usual=Op.RECORD, reason="it rates an answer; weights change when a person runs 'learn'"
    ),
    "learn": _CONFIGURE_OR_LOOK,
    "session start": _RECORD,
    "session turn": _RECORD,
    "session end": _RECORD,
    "session list": _READ,
    "session show": _READ,
    "session did": _RECORD,
    "session say": _RECORD,
    "session said": _READ,
    "session unsay": Rule(usual=Op.FORGET),
    "session note": _RECORD,
    "session resume": _RECORD,
    "session rewind": _RECORD,
    "session fork": _RECORD,
    "session reconcile": Rule(usual=Op.RECORD, cases=(_DRY,)),
    "hydrate": _READ,
    "run start": _RECORD,
    "run note": _RECORD,
    "run finish": Rule(usual=Op.PROPOSE),
    "run list": _READ,
    "run show": _READ,
    "run context": Rule(usual=Op.READ, cases=(_flag("write", Op.RECORD),)),
    "supervise": Rule(
        usual=Op.RECORD,
        cases=(
            _DRY,
            _flag("allow", Op.TRUST),
            _flag("disallow", Op.TRUST),
            *(_flag(name, Op.READ) for name in ("replay", "show", "list", "commands")),
        ),
        reason="specialists only propose; commands run only if a person named and allowed them",
    ),
    "task add": _RECORD,
    "task edit": _RECORD,
    "task list": _READ,
    "task show": _READ,
    "task delete": Rule(usual=Op.FORGET),
    "task ready": _READ,
    "task next": _READ,
    "task tree": _READ,
    "task graph": _READ,
    "task claim": _RECORD,
    "task start": _RECORD,
    "task release": _RECORD,
    "task done": Rule(
        usual=Op.RECORD,
        cases=(_flag("anyway", Op.DECIDE),),
        reason="an agent finishes only a task that it has claimed; a person finishes any",
    ),
    "task reopen": _DECIDE_ALWAYS,
    "task block": _RECORD,
    "task unblock": _RECORD,
    "task import": Rule(usual=Op.RESTORE),
    "task export": _READ,
    "agent list": _READ,
    **dict.fromkeys(("agent show", "agent cycles", "agent resume"), Rule(usual=Op.OVERSEE)),
    "agent export": Rule(usual=Op.EXPORT),
    "agent delete": Rule(usual=Op.FORGET, cases=(_DRY,)),
    "journal": Rule(usual=Op.READ, cases=(_flag("write", Op.RECORD),)),
    "workspace snapshot": _RECORD,
    "workspace list": _READ,
    "workspace show": _READ,
    "workspace diff": _READ,
    "workspace restore": Rule(
        usual=Op.RECORD, cases=(_DRY,), reason="what it replaces is kept in a snapshot"
    ),
    "workspace delete": Rule(usual=Op.FORGET),
    "workspace gc": Rule(usual=Op.MAINTAIN, cases=(_DRY,)),
    "sync": Rule(
        usual=Op.PROPOSE,
        cases=(_DRY, _flag("check", Op.READ), _flag("accept_removals", Op.DECIDE)),
        reason="what an agent edited in a page becomes a candidate",
    ),
    "trust": Rule(usual=Op.TRUST, cases=(_flag("list", Op.READ), _DRY)),
    "status": _READ,
    "index": _MAINTAIN,
    "doctor": Rule(usual=Op.MAINTAIN, cases=(_flag("repair", Op.REPAIR),)),
    "rebuild": _MAINTAIN,
    "store copy": _CONFIGURE,
    "store compare": _MAINTAIN,
    "db upgrade": _CONFIGURE,
    "db check": _MAINTAIN,
    "key create": _CONFIGURE,
    "key add": _CONFIGURE,
    "key list": _CONFIGURE,
    "key use": _CONFIGURE,
    "key rotate": _CONFIGURE,
    "key remove": _CONFIGURE,
    "key encrypt-store": _CONFIGURE,
    "key decrypt-store": _CONFIGURE,
    "key check": _CONFIGURE,
    "serve": Rule(usual=Op.CONFIGURE, reason="each route names an operation of its own"),
    "token create": _CONFIGURE,
    "token list": _CONFIGURE,
    "token revoke": _CONFIGURE,
    "remote add": _CONFIGURE,
    "remote list": _READ,
    "remote use": _CONFIGURE,
    "remote status": _READ,
    "remote push": Rule(usual=Op.RECORD, reason="it sends what was allowed when it was written"),
    "remote retry": _RECORD,
    "remote drop": _CONFIGURE,
    "remote remove": _CONFIGURE,
    "db stats": _MAINTAIN,
    "db backup-advice": _MAINTAIN,
    "db citus": _MAINTAIN,
    "jobs add": Rule(
        usual=Op.FORGET,
        cases=(
            RightsCase(option="kind", operation=Op.MAINTAIN, words=frozenset({"embed"})),
            RightsCase(option="kind", operation=Op.RESTORE, words=frozenset({"import"})),
            RightsCase(option="kind", operation=Op.DECIDE, words=frozenset({"curate"})),
        ),
        reason="a job does what its kind does; workers only carry it out",
    ),
    "jobs list": _READ,
    "jobs run": _MAINTAIN,
    "jobs cancel": _DECIDE_ALWAYS,
    "tenant create": _CONFIGURE,
    "tenant list": _MAINTAIN,
    "tenant export": Rule(usual=Op.EXPORT),
    "tenant delete": Rule(usual=Op.FORGET, cases=(_flag("dry_run", Op.MAINTAIN),)),
    "export": Rule(usual=Op.EXPORT, reason="the file contains the memories of every repository"),
    "import": Rule(
        usual=Op.RESTORE,
        cases=(
            _flag("accept", Op.DECIDE),
            _flag("allow_secret", Op.DECIDE),
            _DRY,
            RightsCase(option="file", operation=Op.PROPOSE, words=frozenset({*NOTES, TRANSCRIPTS})),
            RightsCase(option="file", operation=Op.MAINTAIN, words=frozenset({GIT})),
        ),
        reason="notes of other tools become candidates; an export contains what was accepted",
    ),
    "model install": _CONFIGURE,
    "model list": _READ,
    "model use": _CONFIGURE,
    "model verify": _MAINTAIN,
    "model remove": _CONFIGURE,
    "model catch-up": _MAINTAIN,
    "config list": _READ,
    "config get": _READ,
    "config set": _CONFIGURE,
    "config unset": _CONFIGURE,
    "config path": _READ,
    "eval": _READ,
    "hook": Rule(usual=Op.RECORD, reason="each hook event names an operation of its own"),
    "hooks install": _CONFIGURE_OR_LOOK,
    "hooks remove": _CONFIGURE_OR_LOOK,
    "hooks status": _READ,
    "hooks run": Rule(usual=Op.MAINTAIN, reason="git calls it, in an agent's shell too"),
    "adapters install": _CONFIGURE_OR_LOOK,
    "adapters remove": _CONFIGURE_OR_LOOK,
    "adapters status": _READ,
    "adapters plugin": _CONFIGURE_OR_LOOK,
    "merge-file": Rule(usual=Op.MAINTAIN, reason="git calls it, in an agent's shell too"),
    "mcp": Rule(usual=Op.READ, reason="each MCP tool names an operation of its own"),
    "completion": _READ,
}
"""The operation of each verb."""
