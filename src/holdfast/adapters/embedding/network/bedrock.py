"""Amazon Titan text embeddings on Bedrock, called with botocore."""

from __future__ import annotations

import json
import os
from array import array
from contextlib import closing
from threading import Lock
from typing import TYPE_CHECKING, Any

from holdfast.adapters.embedding.errors import RemoteFailedError, ToolsMissingError
from holdfast.adapters.embedding.network.service import ServiceAnswer
from holdfast.adapters.http.addresses import is_local
from holdfast.adapters.http.retrying import PostFailedError, asked_pause, may_pass
from holdfast.domain.gates.foreign_words import brief, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

_LARGEST_ANSWER = 4_000_000
_SHORTEST_CONNECT = 1.0
_AT_ONCE = 4
_RESPONSE_TIMEOUT = "ModelTimeoutException"
_SECOND_FORM = "titan-embed-text-v2"


class BedrockService:
    """Sends one text in each request, several at the same time.

    The credentials and the region come from AWS's usual places. The address comes from the settings
    only: a variable cannot send the texts elsewhere.
    """

    most_texts = 1
    at_once = _AT_ONCE
    key = ""

    def __init__(self, *, name: str, model: str, dimension: int, url: str, timeout: float) -> None:
        self._name = name
        self._model = model
        self._dimension = dimension
        self._url = url
        self._timeout = timeout
        self._client: Any = None
        self._lock = Lock()

    def ask_for_size(self) -> bool:
        """Return False: the size is in every request to a model that has several."""
        return False

    def answer(self, texts: Sequence[str], *, seconds: float) -> ServiceAnswer:
        """Send the texts, one request each.

        Raises:
            PostFailedError: There was no answer, an error answer, or something else than a vector.
            NoMeaningError: botocore, credentials or the region are missing.
        """
        found = [self._asked(text, seconds=seconds) for text in texts]
        return ServiceAnswer(
            rows=[row for row, _ in found], tokens=sum(tokens for _, tokens in found)
        )

    def _asked(self, text: str, *, seconds: float) -> tuple[array[float], int]:
        body: dict[str, object] = {"inputText": text}
        if _SECOND_FORM in self._model:
            body |= {"dimensions": self._dimension, "normalize": True}
        return _read(self._invoked(json.dumps(body), seconds=seconds))

    def _invoked(self, body: str, *, seconds: float) -> bytes:
        client = self._opened(seconds)
        from botocore.exceptions import BotoCoreError, ClientError
        from urllib3.exceptions import HTTPError

        try:
            answer = client.invoke_model(
                modelId=self._model,
                body=body,
                accept="application/json",
                contentType="application/json",
            )
            with closing(answer["body"]) as stream:
                found: bytes = stream.read(_LARGEST_ANSWER + 1)
            stated = answer["ResponseMetadata"]["HTTPHeaders"].get("content-length", "")
        except ClientError as error:
            raise _refused(error) from error
        except (BotoCoreError, HTTPError, OSError) as error:
            raise self._unanswered(error) from error
        if len(found) > _LARGEST_ANSWER:
            raise PostFailedError(problem=f"answers with more than {_LARGEST_ANSWER:,} bytes")
        if stated.isdigit() and len(found) < int(stated):
            raise PostFailedError(problem="answers with a truncated text", may_pass=True)
        return found

    def _unanswered(self, error: Exception) -> PostFailedError | RemoteFailedError:
        """Return a failure of the network, which may pass, or of the set-up, which does not."""
        from botocore.exceptions import (
            CredentialRetrievalError,
            NoCredentialsError,
            PartialCredentialsError,
        )

        if isinstance(
            error, NoCredentialsError | PartialCredentialsError | CredentialRetrievalError
        ):
            return self._unusable(error)
        return PostFailedError(problem=f"does not answer: {brief(str(error))}", may_pass=True)

    def _unusable(self, error: Exception) -> RemoteFailedError:
        problem = f"cannot be asked: {brief(str(error))}"
        return RemoteFailedError(name=self._name, problem=problem, setup="the settings of AWS")

    def _opened(self, seconds: float) -> Any:  # noqa: ANN401 - botocore has no types
        """Return the client; the first call makes it, because importing botocore takes long."""
        with self._lock:
            if self._client is None:
                self._client = self._made(min(seconds, self._timeout))
            return self._client

    def _made(self, seconds: float) -> Any:  # noqa: ANN401 - botocore has no types
        try:
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError
            from botocore.session import Session
        except ImportError as error:
            raise ToolsMissingError(packages="botocore", extra="bedrock") from error
        config = Config(
            connect_timeout=max(_SHORTEST_CONNECT, seconds / 2),
            read_timeout=seconds,
            retries={"total_max_attempts": 1},
            max_pool_connections=_AT_ONCE,
            ignore_configured_endpoint_urls=True,
            # None takes the proxies of the variables; what is on this machine stays here.
            proxies={} if is_local(self._url) else None,
        )
        try:
            return Session().create_client(
                "bedrock-runtime",
                # botocore reads AWS_DEFAULT_REGION only; other tools of AWS set this one.
                region_name=os.environ.get("AWS_REGION") or None,
                config=config,
                endpoint_url=self._url or None,
            )
        except (BotoCoreError, ValueError) as error:
            raise self._unusable(error) from error


def _refused(error: Any) -> PostFailedError:  # noqa: ANN401 - botocore has no types
    """Return an error answer; botocore gives its code, message, status and headers."""
    told = error.response.get("Error", {})
    meta = error.response.get("ResponseMetadata", {})
    status = int(meta.get("HTTPStatusCode", 0))
    code = brief(str(told.get("Code", ""))) or "error"
    said = str(told.get("Message", ""))
    words = quoted(said) if said else "no reason given"
    return PostFailedError(
        problem=f"answers with HTTP {status} ({code}): {words}",
        status=status,
        may_pass=may_pass(status) or code == _RESPONSE_TIMEOUT,
        after=asked_pause(meta.get("HTTPHeaders", {}).get("retry-after", "")),
    )


def _read(content: bytes) -> tuple[array[float], int]:
    try:
        found = json.loads(content)
        row = array("f", found["embedding"])
        tokens = int(found.get("inputTextTokenCount", 0))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise PostFailedError(problem="answers with something that is no embedding") from error
    return row, max(0, tokens)
