"""Apply the answers of specialists: tasks, candidates and fixes, nothing that a person must decide.

A plan and the end of its step are written in one unit of work, so that no task is added twice.
Candidates have an identity: proposing them again after a crash changes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from holdfast.domain.choices import Status
from holdfast.domain.errors import UnavailableError
from holdfast.domain.ids import MemoryId
from holdfast.domain.roles.answers import (
    read_curation,
    read_history,
)
from holdfast.domain.roles.code_names import code_names
from holdfast.domain.sessions.session import Proposal
from holdfast.domain.sessions.transcript import Speaker, Transcript, Turn
from holdfast.domain.values import replace
from holdfast.usecases.review.tidying import tidy
from holdfast.usecases.sessions.propose import Propose, ProposerSetup, propose

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from holdfast.domain.review.curation import Concern
    from holdfast.domain.roles.answer_kinds import ProposedClaim
    from holdfast.usecases.roles.reading import GivenInputs
    from holdfast.usecases.roles.role_ports import RolePorts
    from holdfast.usecases.sessions.propose import Proposed

PLANNER, HISTORIAN = "planner", "historian"
_QUOTES_NOTHING = "the words it quotes are not there"
_NAMES_NOTHING = "the code it names is not in the checkout"
_SAID_ALREADY = "a memory says it already"
_SAYS_IT = re.compile(r"(m_\w+) says it already")
_COMMIT = -1
_NOT_A_PERSON = "only a person may have them fixed"


def propose_claims(
    outputs: Mapping[str, object],
    given: GivenInputs,
    *,
    ports: RolePorts,
    dry_run: bool = False,
    since: datetime | None = None,
) -> dict[str, object]:
    """Keep the claims of a historian as candidates, and count the others by their reasons.

    A claim that quotes nothing is left out, and one of a commit whose subject is gone. A dry run
    returns the claims it would keep. ``since`` is when the step began first: candidates that its
    process kept before it was killed count as kept.
    """
    found = read_history(outputs, known=_known(given))
    added: list[str] = []
    left: Counter[str] = Counter()
    for one in found.claims:
        if one.source == _COMMIT and _names_what_is_gone(one.claim, ports):
            left[_NAMES_NOTHING] += 1
            continue
        wish = _wish(one, given)
        if wish is None:
            left[_QUOTES_NOTHING] += 1
            continue
        kept = propose(
            replace(
                wish,
                dry_run=dry_run,
                origin=ports.caller.origin,
                most_waiting=ports.caller.most_waiting,
            ),
            store=ports.store,
            clock=ports.clock,
            surroundings=ports.surroundings,
            verifier=ports.verifier,
            reading=ProposerSetup(heuristics=ports.heuristics, documents=ports.sources.documents),
        )
        added += [
            item.proposal.claim if item.record is None else item.record.memory.id
            for item in kept.added
        ]
        before = _kept_before(kept, wish.origin_name, since=since, ports=ports)
        added += (again := [one for one in before if one not in added])
        left.update(_why(item.reason) for item in kept.left)
        left[_SAID_ALREADY] -= len(again)
        left[_SAID_ALREADY] += len(kept.strengthened)
    return {"candidates": added, "left_out": dict(+left)}


def _kept_before(
    kept: Proposed, source: str, *, since: datetime | None, ports: RolePorts
) -> list[str]:
    """Return the waiting candidates of a source that say the claims, and are no older."""
    named = [found[1] for item in kept.left if (found := _SAYS_IT.match(item.reason))]
    if since is None or not named:
        return []
    with ports.store.reading() as tx:
        known = tx.memories.get_many(map(MemoryId, named))
    return [
        record.memory.id
        for record in known.values()
        if record.standing.status is Status.CANDIDATE
        and record.memory.source == source
        and record.memory.created_at >= since
    ]


def _names_what_is_gone(claim: str, ports: RolePorts) -> bool:
    """Tell whether a claim of an old commit names code, and the checkout has nothing of it."""
    names = code_names(claim)
    try:
        return bool(names) and not any(map(ports.sources.commits.mentions, names))
    except UnavailableError:
        return False


def _why(reason: str) -> str:
    """Return a reason without the memory it names, so that equal reasons are counted together."""
    if _SAYS_IT.match(reason):
        return _SAID_ALREADY
    return reason.rstrip(".").replace("It ", "it ", 1)


def _known(given: GivenInputs) -> tuple[str, ...]:
    tasks = given.full.get("tasks")
    return tuple(str(one["id"]) for one in tasks) if isinstance(tasks, list) else ()


def _wish(one: ProposedClaim, given: GivenInputs) -> Propose | None:
    """Return the request for a claim; None if the words it quotes are not where it says."""
    if one.source == _COMMIT:
        commit = given.commits.get(one.commit)
        # Code hosts write messages with the line ends of a browser.
        text = "" if commit is None else commit.message.replace("\r\n", "\n")
        at = None if commit is None else commit.at
        turn = Turn(number=1, speaker=Speaker.USER, text=text, at=at)
        talk = Transcript(tool="git", session=one.commit, turns=(turn,))
        return _proposed(replace(one, turn=1), talk, source="git:history", commit=one.commit)
    within = 0 <= one.source < len(given.transcripts)
    heard = given.transcripts[one.source] if within else None
    return None if heard is None else _proposed(one, heard)


def _proposed(
    one: ProposedClaim, talk: Transcript, *, source: str = "", commit: str | None = None
) -> Propose | None:
    text = next((turn.text for turn in talk.turns if turn.number == one.turn), "")
    # A quote may have a space where an editor wrapped the line.
    first = text.replace("\n", " ").find(one.quote.replace("\n", " "))
    if first < 0:
        return None
    last = first + len(one.quote)
    proposal = Proposal(
        claim=one.claim,
        kind=one.kind,
        turn=one.turn,
        quote=text[first:last],
        first=first,
        last=last,
        rule=one.rule,
        confidence=one.confidence,
    )
    return Propose(transcript=talk, proposals=(proposal,), source=source, commit=commit)


def fix_findings(
    outputs: Mapping[str, object], concerns: Sequence[Concern], *, applies: bool, ports: RolePorts
) -> dict[str, object]:
    """Fix the findings that a curator chose, if the caller lets it; each fix can be undone."""
    if not concerns:
        return {"decisions": [], "fixable": 0, "fixed": []}
    chosen = read_curation(outputs, findings=len(concerns)).fix
    fixable = [concerns[one] for one in chosen if concerns[one].step is not None]
    if not applies or not ports.caller.decides or not fixable:
        why = _NOT_A_PERSON if applies and fixable else ""
        return {"decisions": [], "fixable": len(fixable), "fixed": [], "why": why}
    done = tidy(
        fixable,
        by=ports.caller.name,
        store=ports.store,
        clock=ports.clock,
        heuristics=ports.heuristics,
    )
    return {
        "decisions": [one.id for one in done.decisions],
        "fixable": len(fixable),
        "fixed": [_fixed(one) for one in done.fixed],
    }


def _fixed(one: Concern) -> dict[str, object]:
    return {
        "trouble": one.trouble.value,
        "step": None if one.step is None else one.step.value,
        "subjects": list(one.memories) or ([] if one.span is None else [one.span]),
    }
