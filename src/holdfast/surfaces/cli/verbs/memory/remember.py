"""remember: keep a claim with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Origin, Scope, Status
from holdfast.domain.encryption.placeholder import is_sensitive
from holdfast.domain.memory.lifetime import read_lifetime
from holdfast.surfaces.cli import values
from holdfast.surfaces.cli.present.memory.memory_lines import remembered_line
from holdfast.surfaces.cli.present.terminal.colour import Dim, Warn
from holdfast.surfaces.cli.present.terminal.table import one_line
from holdfast.surfaces.cli.standard_input import is_piped, piped_text
from holdfast.surfaces.cli.values import UsageError
from holdfast.surfaces.wire.requests import read_remember, said
from holdfast.usecases.memory.remember import Remember, RememberOutcome
from holdfast.usecases.screening import SecretPolicy

if TYPE_CHECKING:
    from argparse import Namespace

    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.surfaces.cli.command import Command
    from holdfast.surfaces.cli.command_context import CommandContext
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.memory.remember import Remembered


_FIELDS = {"ttl": "lifetime", "pinned": "pin"}


def remember(command: Command) -> None:
    """Describe the verb."""
    command.describe(
        "Store a claim, in Markdown, with the evidence for it. The text is an argument, '-' for\n"
        "standard input, or piped in. Without a text, --from-bundle stores the claims of that\n"
        "bundle. The same --key again supersedes the old claim.",
        examples=(
            (
                "holdfast remember --kind gotcha --key refresh-token-rotation"
                " --evidence src/auth/tokens.py:41-58 --ttl 30d"
                ' "Refresh tokens rotate on every use; replaying one revokes the family."'
            ),
            'holdfast remember --kind decision --because "I decided" "We deploy on Tuesdays only."',
            "git log -1 --format=%B | holdfast remember --kind fact --evidence commit:HEAD -",
        ),
        does=_run,
        creates_store=True,
    )
    add = command.add_argument
    add("text", metavar="TEXT", nargs="*", help="the claim; '-' reads standard input")
    add("--kind", type=values.kind, choices=tuple(Kind), metavar="KIND", help=_kinds())
    add("--scope", type=values.scope, choices=tuple(Scope), metavar="SCOPE", help=_scopes())
    add("--key", metavar="KEY", help="a stable name; the same key again supersedes")
    add("--ttl", metavar="LIFETIME", help="how long it is valid: 45m, 12h, 30d, 6w, 1y or never")
    add("--tag", action="append", metavar="TAG", default=[], help="a tag; may be repeated")
    add("--label", metavar="LABEL", help="a label such as DEC-001")
    add("--importance", type=values.number("importance"), metavar="N", help="from 0 to 1")
    add("--weight", type=values.number("weight"), metavar="N", help="from 0 to 10")
    add("--pin", action="store_true", help="pin it: it never expires and is always considered")
    add(
        "--sensitive",
        action="store_true",
        help="encrypt its text: it is in no index, page or answer, and 'show' reads it",
    )
    add(
        "--metadata",
        action="append",
        type=values.pair,
        metavar="NAME=VALUE",
        default=[],
        help="a fact about it; may be repeated",
    )
    add(
        "--check",
        action="append",
        metavar="CHECK",
        default=[],
        help="a check of files, such as 'must not match `\\bprint\\(` in src/**'; may be repeated",
    )
    add("--no-check", action="store_true", help="remove the checks of a known claim")
    add("--batch", action="store_true", help="read one memory per line of JSON from stdin")
    _add_grounds(command)


def _add_grounds(command: Command) -> None:
    add = command.add_argument_group("evidence and origin").add_argument
    add(
        "--evidence",
        action="append",
        metavar="WHERE",
        default=[],
        help="PATH, PATH:LINE, PATH:FROM-TO, a URL, or commit:SHA, command:LINE, query:TEXT,"
        " job:ID, turn:ID; may be repeated",
    )
    add(
        "--because",
        action=values.GivenOnce,
        metavar="WORDS",
        help="your own statement, as evidence",
    )
    add("--from-bundle", metavar="BUNDLE", help="the bundle it was learned from (c_…)")
    add(
        "--derived-from",
        action="append",
        metavar="ID",
        default=[],
        help="a memory that it was derived from; may be repeated",
    )
    add(
        "--origin",
        type=values.origin,
        choices=tuple(Origin),
        metavar="ORIGIN",
        help=f"who says it: {', '.join(Origin)} (HOLDFAST_ORIGIN; else human,"
        " or agent where one runs this);"
        " a claim that no person said is a candidate",
    )
    add(
        "--source",
        metavar="NAME",
        help="the tool it comes through (cli, or the agent that runs it)",
    )
    secrets = command.add_mutually_exclusive_group()
    secrets.add_argument("--redact", action="store_true", help="mask secrets in the text")
    secrets.add_argument(
        "--allow-secret", action="store_true", help="keep a text that looks like a secret"
    )


def _kinds() -> str:
    return f"one of {', '.join(Kind)} (fact)"


def _scopes() -> str:
    return f"one of {', '.join(Scope)} (repo inside a repository, else global)"


def _run(given: Namespace, context: CommandContext) -> int | None:
    if given.batch:
        from holdfast.surfaces.cli.batch import remember_batch

        if given.text:
            raise UsageError(problem="--batch reads its texts from standard input; give none here.")
        return remember_batch(wish_of("", given, context), context)
    wish = wish_of(_claim(given), given, context)  # before the store is opened or created
    remembered = context.holdfast.memories.remember(wish)
    if context.output.as_json:
        from holdfast.surfaces.wire.memory import remembered_json

        context.output.json(remembered_json(remembered))
    else:
        context.output.say(*remembered_line(remembered, at=context.holdfast.now()))
        _tell(remembered, context.output)
        _tell_junk(remembered, context)
        _tell_reach(given, context)
        _tell_checks(remembered, context)
    return None


def _tell_reach(given: Namespace, context: CommandContext) -> None:
    """Tell that a claim made outside a repository applies everywhere, unless that was asked for."""
    if given.scope is None and context.holdfast.place().repo is None:
        where = f"{context.folder} is not in a git repository"
        context.output.note(Dim(f"it is global: {where}, so recall returns it everywhere"))


def _tell_checks(remembered: Remembered, context: CommandContext) -> None:
    """Write which checks are kept, and what each of them says now."""
    from holdfast.domain.checks.check import checks_in

    if texts := checks_in(remembered.record.memory.metadata):
        outcomes = context.holdfast.checks.told(texts)
        for text in texts:
            said = one_line(outcomes[text].words)
            context.output.note(Dim("check kept: "), f"{text} — now: {said}")


def _claim(given: Namespace) -> str:
    if given.text == ["-"] or (not given.text and given.from_bundle is None and is_piped()):
        return piped_text(what="claim")
    return " ".join(given.text)


def wish_of(claim: str, given: Namespace, context: CommandContext) -> Remember:
    """Return the request that the options describe."""
    request = said(
        claim=claim,
        kind=given.kind,
        scope=given.scope,
        key=given.key,
        label=given.label,
        tags=given.tag,
        ttl=given.ttl,
        importance=given.importance,
        weight=given.weight,
        pinned=given.pin,
        sensitive=given.sensitive,
        metadata=values.once(given.metadata),
        checks=_checks(given),
        evidence=given.evidence or None,
        because=given.because,
        from_bundle=given.from_bundle,
        derived_from=given.derived_from,
    )
    defaults = Remember(
        claim="",
        origin=context.origin if given.origin is None else Origin(given.origin),
        source=context.principal.source(given.source, door="cli"),
        secrets=secret_policy(given, context),
        keep_for=read_lifetime(context.setting("remember.ttl")),
        by=context.user,
    )
    return read_remember(request, defaults, noun="command")


def _checks(given: Namespace) -> list[str] | None:
    """Return the given checks; an empty list removes them, None says nothing."""
    if given.no_check and given.check:
        raise UsageError(problem="Give --check or --no-check, not both.")
    return [] if given.no_check else given.check or None


def secret_policy(given: Namespace, context: CommandContext) -> SecretPolicy:
    """Return how secrets are handled: as the options say, else as the setting says."""
    if given.redact:
        return SecretPolicy.REDACT
    if given.allow_secret:
        return SecretPolicy.ALLOW
    return SecretPolicy(context.setting("remember.secrets"))


def _tell(remembered: Remembered, output: Output) -> None:
    """Write what happened besides storing the claim."""
    record, screened = remembered.record, remembered.screened
    _tell_known(remembered, output)
    if remembered.not_applied:
        names = _listed(remembered.not_applied)
        output.note(Warn("not applied, because only a person may change it: "), names)
    if remembered.rejected:
        output.note(Warn(f"it {remembered.rejected}"))
    if screened.removed:
        gone = ", ".join(f"{item.count} x {item.name}" for item in screened.removed)
        output.note(Dim(f"hidden characters removed: {gone}"))
    if screened.redacted:
        output.note(Dim(f"secrets redacted: {', '.join(screened.redacted)}"))
    if remembered.conflicts:
        from holdfast.surfaces.cli.present.memory.contradicted import tell_conflicts

        tell_conflicts(remembered, output)
    if record.standing.status is Status.CANDIDATE:
        name = record.memory.id
        output.note(Dim(f"a candidate; recall returns it after: holdfast approve {name}"))


def _tell_junk(remembered: Remembered, context: CommandContext) -> None:
    """Write at once why curate would call an accepted claim junk; it is kept all the same."""
    record = remembered.record
    if record.standing.status is not Status.ACCEPTED or is_sensitive(record.memory):
        return
    if why := context.holdfast.heuristics.objector.objection(record.memory.claim):
        context.output.note(Warn(f"it looks like junk: {why}"))


def _tell_known(remembered: Remembered, output: Output) -> None:
    """Write which memory the store already had, and what became of it."""
    if remembered.replaced is not None:
        output.note(Dim(_replacement(remembered, remembered.replaced)))
        _tell_lifetime(remembered, remembered.replaced, output)
    if remembered.inherited:
        _tell_inherited(remembered, output)
    if remembered.decision is not None:
        output.note(Dim(f"to undo: holdfast undo {remembered.decision.id}"))
    if remembered.outcome is RememberOutcome.EVIDENCE_ADDED:
        name = remembered.record.memory.id
        output.note(Dim(f"already known: the evidence was added to {name}"))
    if remembered.known is None and remembered.outcome is RememberOutcome.KNOWN:
        name = remembered.record.memory.id
        output.note(Dim(f"already known as {name}; nothing was added"))
    if remembered.twin is not None:
        _tell_twin(remembered.twin, output)
    if remembered.known is not None:
        known = remembered.known.memory.id
        is_new = remembered.outcome is RememberOutcome.EVIDENCE_OFFERED
        told = "the evidence waits for a person" if is_new else "with the same evidence"
        output.note(Dim(f"already known as {known}; {told}"))


def _tell_twin(twin: MemoryRecord, output: Output) -> None:
    """Write that the same words are stored twice, and how the two differ."""
    memory = twin.memory
    key = f", key {memory.key}" if memory.key else ""
    told = f"the same claim is known as {memory.id} ({memory.kind.value}{key}); both are kept"
    output.note(Warn(one_line(told)))


def _replacement(remembered: Remembered, old: MemoryRecord) -> str:
    """Return why the claim superseded a memory."""
    if remembered.changed:
        return f"already known: superseded {old.memory.id}; changed: {_listed(remembered.changed)}"
    has_expired = not old.memory.is_live_at(remembered.record.memory.created_at)
    why = "had expired" if has_expired else "had another text"
    stays = ""
    if is_sensitive(remembered.record.memory) and not is_sensitive(old.memory):
        stays = f" and stays in clear; to encrypt it: holdfast protect {old.memory.id}"
    return f"superseded {old.memory.id}, which {why}{stays}"


def _tell_lifetime(remembered: Remembered, old: MemoryRecord, output: Output) -> None:
    """Write that a claim does not end when the one that it replaced would have ended."""
    memory, standing, ends = remembered.record.memory, remembered.record.standing, old.memory
    if remembered.changed or standing.pinned or memory.expires_at is not None:
        return
    if ends.expires_at is not None and ends.is_live_at(memory.created_at):
        until = f"{ends.expires_at:%Y-%m-%d %H:%M} UTC"
        output.note(Dim(f"it does not expire; {ends.id} would have expired on {until}"))


def _tell_inherited(remembered: Remembered, output: Output) -> None:
    """Write what a claim took over from the memory that it replaces."""
    record = remembered.record
    values = {
        "label": f" {record.standing.label}",
        "kind": f" {record.memory.kind.value}",
        "tags": f" {', '.join(record.memory.tags)}",
        "importance": f" {record.memory.importance:g}",
        "weight": f" {record.memory.weight:g}",
    }
    taken = [f"{_FIELDS.get(name, name)}{values.get(name, '')}" for name in remembered.inherited]
    output.note(Dim(one_line(f"taken over from what it replaces: {', '.join(taken)}")))


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(_FIELDS.get(name, name) for name in names)
