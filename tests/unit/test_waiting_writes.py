"""Writes that wait for a server say which claims they contain."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from holdfast.domain.service.remotes import RemoteRequest, WaitingWrite
from holdfast.domain.values import replace as changed


def test_the_claims_of_a_waiting_write_are_found_by_their_keys() -> None:
    def waiting(body: object) -> WaitingWrite:
        request = RemoteRequest(method="POST", target="/v1/memories", body=json.dumps(body))
        return WaitingWrite(key="k", number=1, request=request, at=datetime.now(UTC))

    one = waiting({"claim": "A.", "key": "a"})
    several = waiting({"claims": [{"claim": "B."}, {"claim": "C.", "key": "c"}, {"key": "d"}, 7]})

    assert (one.claim, one.keyed_claims) == ("A.", {"a": "A."})
    assert (several.claim, several.keyed_claims) == ("B.", {"c": "C."})
    assert (waiting([]).claim, waiting([]).keyed_claims) == ("", {})
    broken = changed(one, request=changed(one.request, body="{"))
    assert (broken.claim, broken.keyed_claims) == ("", {})
