"""Print what a curation found: as lines, and as a weekly page."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from holdfast.domain.choices import Kind, Scope, Status
from holdfast.domain.review.curation import MemoryTrouble, Remedy, Severity
from holdfast.domain.text.counting import counted
from holdfast.surfaces.cli.advising.advice import command_of
from holdfast.surfaces.cli.advising.note_advice import with_advice
from holdfast.surfaces.cli.present.terminal.colour import Bad, Bold, Dim, Good, Name, Warn
from holdfast.surfaces.cli.present.terminal.cutting import cut
from holdfast.surfaces.cli.present.terminal.table import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from holdfast.domain.ids import MemoryId
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.review.curation import Concern, HealthPoint
    from holdfast.surfaces.cli.present.terminal.output import Output
    from holdfast.usecases.review.curate import Digest
    from holdfast.usecases.review.curating import Survey

_BARS = "▁▂▃▄▅▆▇█"
_BEST = 100
_WELL, _FAIR = 85, 60
_PLOTTED = 24
_LONGEST_CLAIM = 100
_READ_BY_SHELLS = frozenset('"$`\\!')


def sparkline(scores: Sequence[int]) -> str:
    """Return scores of 0 to 100 as a row of bars, the newest at the right."""
    last = len(_BARS) - 1
    return "".join(_BARS[round(score * last / _BEST)] for score in scores[-_PLOTTED:])


def health_words(history: Sequence[HealthPoint]) -> str:
    """Return the health score now and its change: ``▆▇ 92 (+3)``."""
    scores = [point.score for point in history]
    if not scores:
        return ""
    change = f" ({scores[-1] - scores[-2]:+d})" if len(scores) > 1 else ""
    return f"{sparkline(scores)} {scores[-1]}{change}"


def show_survey(
    output: Output, found: Survey, history: Sequence[HealthPoint], shown: Sequence[Concern]
) -> None:
    """Write every finding with its command, then the health score."""
    for concern in shown:
        show_concern(output, concern, found.records)
    listed = sum(one.trouble is MemoryTrouble.CONFLICT for one in shown)
    if listed and (rest := found.conflicts - listed) > 0:
        more = "1 more conflict" if rest == 1 else f"{rest:,} more conflicts"
        output.note(Dim(f"and {more} of these memories: holdfast conflicts"))
    for note in found.notes:
        output.note(Warn(with_advice(note)))
    score = found.health.score
    style = Good if score >= _WELL else Warn if score >= _FAIR else Bad
    live = found.health.live
    noun = "memory" if live == 1 else "memories"
    of = Dim(f"  of {_BEST}, {live:,} {noun}")
    output.say(Bold("health"), "  ", style(health_words(history)), of)
    if not shown:
        output.note("Nothing needs attention.")


def show_concern(
    output: Output, concern: Concern, records: Mapping[MemoryId, MemoryRecord]
) -> None:
    """Write a finding in three lines: what, why, and the command; then what it leads to."""
    style = Warn if concern.severity is Severity.WARNING else Dim
    names = [str(name) for name in concern.memories] or [str(concern.span)]
    head = (style(concern.trouble.value), "  ", Name(names[0]), "  ", _claim(concern, records))
    output.say_folded(*head)
    output.say_folded("    ", output.named(concern.why))
    output.say_folded("    ", Dim("$ "), output.named(command_of(concern)))
    for case, command in _after_a_look(concern, records):
        output.say_folded("    ", Dim(f"{case}: "), output.named(command))


def _after_a_look(
    concern: Concern, records: Mapping[MemoryId, MemoryRecord]
) -> Iterator[tuple[str, str]]:
    """Return the commands for what a person finds: a claim that holds, or that does not."""
    if concern.remedy is Remedy.RESOLVE:
        resolve = f"holdfast resolve {' '.join(concern.memories)}"
        yield "if the newer one holds", f"{resolve} --supersede"
        yield "if the older one holds", f"{resolve} --keep-old"
        yield "if both hold", f"{resolve} --keep-both"
    elif concern.remedy is Remedy.VERIFY:
        yield from _after_changes(concern, records)


def _after_changes(
    concern: Concern, records: Mapping[MemoryId, MemoryRecord]
) -> Iterator[tuple[str, str]]:
    """Return what a person does about changed evidence: cite it as it is now, or end the memory."""
    name = concern.memories[0]
    record = records[name]
    if record.standing.status is not Status.ACCEPTED:
        yield "then", f"holdfast review {name}"
        return
    if concern.places:
        yield "if it still holds", _cited_again(record, concern.places)
    yield "if it does not", f"holdfast curate --deprecate {name}"


def _cited_again(record: MemoryRecord, places: Sequence[str]) -> str:
    """Return the command that adds the current lines to a memory as evidence."""
    memory = record.memory
    cited = [word for place in places for word in ("--evidence", place)]
    named = [] if memory.kind is Kind.FACT else ["--kind", memory.kind.value]
    named += [] if memory.key is None else ["--key", memory.key]
    named += [] if memory.scope is Scope.REPO else ["--scope", memory.scope.value]
    end = ["--"] if memory.claim.startswith("-") else []
    words = shlex.join(["holdfast", "remember", *named, *cited, *end])
    is_plain = _READ_BY_SHELLS.isdisjoint(memory.claim)
    return f"{words} " + (f'"{memory.claim}"' if is_plain else shlex.quote(memory.claim))


def _claim(concern: Concern, records: Mapping[MemoryId, MemoryRecord]) -> str:
    found = [records[name].memory.claim for name in concern.memories[:1] if name in records]
    return "".join(cut(one_line(claim), _LONGEST_CLAIM) for claim in found)


def digest_page(page: Digest) -> str:
    """Return the digest as Markdown."""
    lines = [f"# Memory, {page.since:%Y-%m-%d} to {page.until:%Y-%m-%d}", ""]
    lines += _section(
        f"Learned ({page.learned_total})",
        [_bullet(one) for one in page.learned],
        page.learned_total,
    )
    waiting = [
        f"{_bullet(one.record)}\n  `holdfast review {one.record.memory.id}`" for one in page.waiting
    ]
    lines += _section(f"Waiting for you ({page.waiting_total})", waiting, page.waiting_total)
    lines += _section(
        f"Contradictions ({page.conflicts_total})",
        [_concern(one) for one in page.conflicts],
        page.conflicts_total,
    )
    lines += _section(
        f"Gone stale ({page.stale_total})", [_concern(one) for one in page.stale], page.stale_total
    )
    used = [f"{_bullet(one)} ({counted(one.usage.access_count, 'time')})" for one in page.most_used]
    lines += _section("Used most", used, len(used))
    lines += [f"Never used: {page.never_used}.", "", "## Health", ""]
    lines += [health_words(page.health), ""]
    lines += [f"- {name}: {many}" for name, many in page.health[-1].counts.items()]
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(title: str, bullets: Sequence[str], total: int) -> list[str]:
    rest = total - len(bullets)
    more = [f"- … and {rest} more"] if rest > 0 else []
    return [f"## {title}", "", *(bullets or ["Nothing."]), *more, ""]


def _bullet(record: MemoryRecord) -> str:
    memory = record.memory
    return f"- {_plain(memory.claim)} ({memory.kind.value}, {memory.id})"


def _concern(concern: Concern) -> str:
    return f"- {concern.memories[0]}: {_plain(concern.why)}\n  `{command_of(concern)}`"


def _plain(text: str) -> str:
    """Return a text on one line, escaped so that Markdown shows it as plain text."""
    marked = "".join(f"\\{sign}" if sign in "\\`*_[]<>#|" else sign for sign in one_line(text))
    return cut(marked, 2 * _LONGEST_CLAIM)
