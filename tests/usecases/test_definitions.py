"""A question that asks what something is gets the memory that says it."""

from __future__ import annotations

from holdfast.app import Holdfast
from tests.requirements import requirement
from tests.usecases.wishes import asked, said


@requirement("recall.definition-first")
def test_a_definition_comes_before_mentions(holdfast: Holdfast) -> None:
    said(holdfast, "Do not restart the queue by hand.")
    said(holdfast, "The queue is drained before a deployment.")
    wanted = said(holdfast, "The queue is RabbitMQ, with one exchange for each service.")

    first = asked(holdfast, "what is the queue").bundle.items[0]

    assert first.memory_id == wanted.memory.id
    assert "definition" in [reason.leg for reason in first.reasons]
