"""What keeps a memory from being pruned: pins, names, links, mentions, checks and artifacts.

A link from another memory is a citation, unless it only says that two claims are about the same or
contradict each other. A mention is the id or the label of a memory in a text: of another memory, a
task, a run, an agent's cycle, a page or a document.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from holdfast.domain.care.pruning import ON_REQUEST
from holdfast.domain.checks.check import checks_in
from holdfast.domain.choices import EvidenceType, LinkKind, Status
from holdfast.domain.memory.decision import offer_of
from holdfast.domain.memory.evidence import evidence_json
from holdfast.domain.memory.selection import Selection
from holdfast.domain.pages.page_entry import is_label
from holdfast.domain.values import dataclass
from holdfast.usecases.anchors.verify import every
from holdfast.usecases.memory.forget import same_before
from holdfast.usecases.stored_texts import plain_text, work_texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from holdfast.domain.agents.agent import MemoryIndexEntry
    from holdfast.domain.care.pruning import PrunePolicy
    from holdfast.domain.choices import Kind
    from holdfast.domain.ids import AgentId, MemoryId
    from holdfast.domain.memory.entry import Pages
    from holdfast.domain.memory.link import Link
    from holdfast.domain.memory.memory import MemoryRecord
    from holdfast.domain.text.paragraphs import DocumentParagraph
    from holdfast.ports.store.store import Transaction

_NO_CITATION = frozenset(
    {LinkKind.CONTRADICTS, LinkKind.COMPATIBLE, LinkKind.WITHDRAWN, LinkKind.RELATED}
)
_MENTION = re.compile(r"\bm_[0-9a-z]+|\b[A-Z]{3}-[0-9]{1,6}\b")
_SHORTEST = 8
"""The shortest prefix of an id that counts as a mention."""
_PAGE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Surety:
    """What decides about protection beside the store: the policy, the request and the files."""

    policy: PrunePolicy
    kinds: frozenset[Kind]
    namespaces: Mapping[MemoryId, Sequence[MemoryIndexEntry]]
    pages: Pages | None = None
    documents: Sequence[DocumentParagraph] = ()


def protections(
    records: Sequence[MemoryRecord], surety: Surety, *, tx: Transaction
) -> dict[MemoryId, str]:
    """Return why memories may not be pruned, each with its first reason; the others may be."""
    found: dict[MemoryId, str] = {}
    last = _last_complete([one.memory.id for one in records], surety, tx=tx)
    for record in records:
        if why := _own(record, surety) or _current(record, surety, last):
            found[record.memory.id] = why
    links = _links([one.memory.id for one in records], tx=tx)
    for name, link in _cited(links):
        found.setdefault(name, _link_words(name, link))
    left = [one for one in records if one.memory.id not in found]
    if left:
        mentions = Mentions(surety, tx=tx)
        found |= {one.memory.id: why for one in left if (why := mentions.of(one))}
        replacing = {link.src for link in links if link.kind == LinkKind.SUPERSEDES}
        for one in left:
            if one.memory.id in replacing and one.memory.id not in found:
                found |= _by_earlier(one, surety, mentions, tx=tx)
    return found


def _own(record: MemoryRecord, surety: Surety) -> str:
    """Return why a memory is protected by itself; empty if it is not."""
    memory, standing = record.memory, record.standing
    names = {entry.namespace for entry in surety.namespaces.get(memory.id, ())}
    kept = sorted(surety.policy.keep & {memory.kind.value, *memory.tags, *names})
    # Pages give every entry a label of their form; another one is a person's own name for it.
    is_named = standing.label is not None and not is_label(standing.label)
    is_noted = standing.status is Status.NOTED
    is_on_request = memory.kind in ON_REQUEST - surety.kinds and not is_noted
    has_artifact = any(item.type is EvidenceType.ARTIFACT for item in record.evidence)
    reasons = (
        (standing.pinned, "It is pinned."),
        (is_named, f"A person gave it the name {standing.label}."),
        (bool(kept), f"The setting prune.keep names {', '.join(kept)}."),
        (is_on_request, f"It is a {memory.kind.value}, and this kind was not asked for."),
        (bool(checks_in(memory.metadata)), "It has a check."),
        (has_artifact, "Its evidence is a file of a snapshot, which is kept because of it."),
    )
    return next((why for holds, why in reasons if holds), "")


def _last_complete(
    names: Iterable[MemoryId], surety: Surety, *, tx: Transaction
) -> dict[AgentId, int]:
    """Return the last complete cycle of each agent that has one of these memories."""
    agents = {entry.agent_id for name in names for entry in surety.namespaces.get(name, ())}
    cycles = tx.diary.agents.cycles
    found = {agent: cycles.page(agent, before=None, limit=1, complete=True) for agent in agents}
    return {agent: last[0].index for agent, last in found.items() if last}


def _current(record: MemoryRecord, surety: Surety, last: Mapping[AgentId, int]) -> str:
    """Return whether the cycle of a memory is where its agent goes on after a crash."""
    for entry in surety.namespaces.get(record.memory.id, ()):
        if entry.cycle is not None and entry.cycle >= last.get(entry.agent_id, 0):
            return f"Its agent goes on from cycle {entry.cycle}, in which it was noted."
    return ""


def _links(names: Sequence[MemoryId], *, tx: Transaction) -> list[Link]:
    chunks = (names[start : start + _PAGE] for start in range(0, len(names), _PAGE))
    return [link for chunk in chunks for link in tx.links.among(chunk)]


def _cited(links: Iterable[Link]) -> Iterator[tuple[MemoryId, Link]]:
    """Yield each memory that a link protects; a claim rests on what supports it, too."""
    for link in links:
        if link.kind not in _NO_CITATION:
            yield link.dst, link
        if link.kind == LinkKind.SUPPORTS:
            yield link.src, link


def _link_words(name: MemoryId, link: Link) -> str:
    if link.dst == name:
        return f"{link.src} cites it: {link.kind}."
    return f"It {link.kind} {link.dst}."


def _by_earlier(
    record: MemoryRecord, surety: Surety, mentions: Mentions, *, tx: Transaction
) -> dict[MemoryId, str]:
    """Return why a memory is kept because of an earlier version, which would go with it."""
    name = record.memory.id
    for earlier in same_before(record, tx=tx):
        old = earlier.memory.id
        citing = [link for link in tx.links.touching(old) if name not in {link.src, link.dst}]
        by_link = any(cited == old for cited, _ in _cited(citing))
        if by_link or _own(earlier, surety) or mentions.of(earlier):
            return {name: f"Its earlier version {old} is pinned or cited."}
    return {}


class Mentions:
    """The ids of memories in all texts of the store and of the repository, and where each is."""

    def __init__(self, surety: Surety, *, tx: Transaction) -> None:
        self._found: dict[str, dict[str, None]] = {}
        for where, text in (*_file_texts(surety), *_memory_texts(tx), *work_texts(tx)):
            for name in _MENTION.findall(text):
                self._found.setdefault(name, {})[where] = None

    def of(self, record: MemoryRecord) -> str:
        """Return where another text names a memory, by id or label; empty if none does."""
        name = record.memory.id
        abbreviated = (name[:length] for length in range(_SHORTEST, len(name)))
        for form in (name, record.standing.label or name, *abbreviated):
            for where in self._found.get(form, ()):
                if where != name:
                    return f"It is named in {where}."
        return ""


def _file_texts(surety: Surety) -> Iterator[tuple[str, str]]:
    for placed in () if surety.pages is None else surety.pages.entries:
        entry = placed.entry
        yield str(entry.uid or placed.path), " ".join((entry.body, *entry.evidence))
    for paragraph in surety.documents:
        yield paragraph.path, paragraph.text


def _memory_texts(tx: Transaction) -> Iterator[tuple[str, str]]:
    """Yield the texts of all memories, each with the id of its memory."""
    for record in every(Selection(), tx=tx):
        memory = record.memory
        offer = offer_of(memory)
        if offer is None or record.standing.status is Status.CANDIDATE:
            shapes = [evidence_json(item) for item in record.evidence]
            yield memory.id, f"{memory.claim} {plain_text([shapes, dict(memory.metadata)])}"
