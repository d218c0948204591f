"""The health of a memory as JSON: its state, findings, repairs and models.

Measurements of recall as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.evaluation.comparison import categories, mean_of, of_category
from holdfast.domain.exchange.decision_shape import decision_json
from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from holdfast.bootstrap.opening.choosing import PreparedModel
    from holdfast.bootstrap.opening.models import ModelLine
    from holdfast.domain.evaluation.benchmark import SetResult
    from holdfast.domain.evaluation.comparison import MeasureChange
    from holdfast.domain.exchange.copies import StoreCopy
    from holdfast.domain.review.curation import Concern, HealthFinding, HealthPoint, Repair
    from holdfast.usecases.inspect import StoreStatus
    from holdfast.usecases.review.curating import Survey
    from holdfast.usecases.review.tidying import Tidied

    Json = dict[str, object]
    Command = Callable[[Concern], str]


def state_json(state: StoreStatus, *, waiting: Mapping[str, int], sends_to: str) -> Json:
    """Return the number of memories, where they are stored, and what waits for a person."""
    facts, place = state.facts, state.place
    return {
        "total": sum(state.by_status.values()),
        "here": state.here,
        "elsewhere": state.elsewhere,
        "full": list(state.full),
        "by_status": {key.value: many for key, many in state.by_status.items()},
        "by_kind": {key.value: many for key, many in state.by_kind.items()},
        "pinned": state.pinned,
        "expired": state.expired,
        "embedding": {
            "model": state.embedding,
            "memories": state.embedded,
            "answering": state.answering,
            "sends_to": sends_to,
        },
        "place": {"repo": place.repo, "branch": place.branch, "workspace": place.workspace},
        "store": {
            "location": facts.location,
            "backend": facts.backend,
            "schema": facts.schema,
            "engine": facts.engine,
            "bytes_on_disk": facts.bytes_on_disk,
            "events": facts.events,
            "head": facts.head,
        },
        "waiting": dict(waiting),
    }


def survey_json(
    found: Survey, history: Sequence[HealthPoint], shown: Sequence[Concern], *, command: Command
) -> Json:
    """Return the findings of a curation; ``command`` returns the door's command for a finding."""
    return {
        "health": health_json(found.health),
        "history": [health_json(point) for point in history],
        "concerns": [concern_json(one, command=command) for one in shown],
        "notes": list(found.notes),
    }


def health_json(point: HealthPoint) -> Json:
    """Return one score."""
    return {
        "at": time_text(point.at),
        "place": point.place,
        "score": point.score,
        "live": point.live,
        "counts": dict(point.counts),
    }


def concern_json(concern: Concern, *, command: Command) -> Json:
    """Return one finding."""
    return {
        "finding": concern.trouble.value,
        "severity": concern.severity.value,
        "memories": list(concern.memories),
        "span": concern.span,
        "why": concern.why,
        "remedy": concern.remedy.value,
        "command": command(concern),
        "step": None if concern.step is None else concern.step.value,
        "places": list(concern.places),
    }


def plan_json(plan: Iterable[Concern], *, command: Command) -> Json:
    """Return what a tidying would do."""
    return {"plan": [concern_json(one, command=command) for one in plan], "dry_run": True}


def tidied_json(done: Tidied, *, command: Command) -> Json:
    """Return what a tidying did, and what it left alone."""
    return {
        "decisions": [decision_json(one) for one in done.decisions],
        "unpinned": list(done.unpinned),
        "passed": [command(one) for one in done.passed],
    }


def digest_json(text: str, health: HealthPoint) -> Json:
    """Return the digest of some days as a page, and the health score."""
    return {"page": text, "health": health_json(health)}


def findings_json(
    findings: Iterable[HealthFinding], repair: Repair | None, *, exit_code: int
) -> Json:
    """Return the findings of a check of the store, and the result of a repair."""
    return {
        "exit_code": exit_code,
        "findings": [
            {
                "check": finding.check,
                "severity": finding.severity.value,
                "message": finding.message,
                "advice": finding.advice,
            }
            for finding in findings
        ],
        "repair": None
        if repair is None
        else {
            "actions": list(repair.actions),
            "kept_damaged_file": repair.kept_damaged_file,
            "rescued": repair.rescued,
            "lost": list(repair.lost),
            "missing": repair.missing,
            "changes_missing": repair.changes_missing,
        },
    }


def model_json(line: ModelLine, read: Mapping[str, int]) -> Json:
    """Return a model."""
    return {
        "name": line.name,
        "title": line.title,
        "licence": line.licence,
        "source": line.source,
        "installed": line.is_installed,
        "chosen": line.is_chosen,
        "size": line.size,
        "dimension": line.dimension,
        "model": line.model,
        "memories": read.get(line.model, 0),
        "problem": line.problem,
        "sends_to": line.sends_to,
    }


def models_json(lines: Iterable[ModelLine], read: Mapping[str, int]) -> Json:
    """Return every model that is known or installed."""
    return {"models": [model_json(line, read) for line in lines]}


def installed_json(line: ModelLine, *, is_new: bool) -> Json:
    """Return a model that is now installed, and whether it is new."""
    return {"installed": is_new, "model": model_json(line, {})}


def chosen_model_json(chosen: PreparedModel, *, memories: int) -> Json:
    """Return the model that is now in use, and how many memories it has embedded for that."""
    dimension = 0 if chosen.embedder is None else chosen.embedder.model.dimension
    return {
        "name": chosen.name,
        "dimension": dimension,
        "sends_to": chosen.sends_to,
        "memories": memories,
    }


def verified_json(names: Iterable[str]) -> Json:
    """Return the models whose files are complete."""
    return {"verified": list(names)}


def removed_model_json(name: str) -> Json:
    """Return the model whose files were removed."""
    return {"removed": name}


def removed_vectors_json(name: str, *, memories: int) -> Json:
    """Return the model whose vectors were removed, and how many memories had one."""
    return {"removed": name, "memories": memories}


def counted_json(memories: int) -> Json:
    """Return how many memories were embedded or indexed."""
    return {"memories": memories}


def upgraded_json(steps: Sequence[str]) -> Json:
    """Return what an upgrade of a database did."""
    return {"done": list(steps)}


def copied_json(copied: StoreCopy) -> Json:
    """Return the tables of a store and its copy."""
    return {
        "same": copied.is_same,
        "rows": copied.rows,
        "tables": [
            {
                "table": one.table,
                "rows": one.rows,
                "digest": one.digest,
                "target_rows": one.target_rows,
                "target_digest": one.target_digest,
                "written": one.written,
            }
            for one in copied.tables
        ],
    }


def badge_json(waiting: Mapping[str, int], badge: str) -> Json:
    """Return what waits for a person, and the text of the badge."""
    return {**waiting, "badge": badge}


def figures_json(about: Mapping[str, object], results: Iterable[SetResult]) -> Json:
    """Return every set's means, by category, and the notes about its questions."""
    every = tuple(results)
    notes = {result.name: list(result.notes) for result in every if result.notes}
    figures = [
        {
            "set": result.name,
            "category": category,
            "queries": len(ours),
            "means": {
                name: mean_of(ours, name)
                for name in sorted({n for one in ours for n in one.measures})
            },
        }
        for result in every
        for category in categories(result.judged)
        if (ours := of_category(result.judged, category))
    ]
    return {**about, "figures": figures, "notes": notes}


def differences_json(found: Iterable[MeasureChange]) -> Json:
    """Return the differences between two measurements."""
    return {
        "differences": [
            {
                "set": one.set,
                "category": one.category,
                "measure": one.measure,
                "queries": one.change.count,
                "before": one.before,
                "after": one.after,
                "change": one.change.mean,
                "low": one.change.low,
                "high": one.change.high,
                "sure": one.is_sure,
            }
            for one in found
        ]
    }
