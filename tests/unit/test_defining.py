from __future__ import annotations

import pytest

from holdfast.domain.recall.defining import asked_thing, defines


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("what is the queue", "queue"),
        ("What's a lease?", "lease"),
        ("Who is Dana?", "dana"),
        ("what does MTTR mean?", "mttr"),
        ("Explain the north star.", "north star"),
        ("what is the port of the old proxy server", ""),
        ("what is ", ""),
        ("where is the queue", ""),
        ("why is the queue slow", ""),
    ],
)
def test_a_question_may_ask_what_something_is(question: str, thing: str) -> None:
    assert asked_thing(question) == thing


@pytest.mark.parametrize(
    ("claim", "thing", "is_told"),
    [
        ("The queue is RabbitMQ, with one exchange.", "queue", True),
        ("A lease is the right of one worker.", "lease", True),
        ("MTTR stands for the mean time to repair.", "mttr", True),
        ("Tide: the nightly job that closes the books.", "tide", True),
        ("The vault: HashiCorp Vault holds secrets.", "vault", True),
        ("The queue is drained before a deployment.", "queue", False),
        ("Do not restart the queue by hand.", "queue", False),
        ("Kelp is not the default.", "kelp", False),
        ("Harbour: tests need Docker.", "harbour", False),
        ("The queues are a problem.", "queue", False),
    ],
)
def test_a_claim_may_say_what_something_is(claim: str, thing: str, *, is_told: bool) -> None:
    assert defines(claim, thing) is is_told
