from __future__ import annotations

import pytest

from holdfast.domain.recall.question import looks_like_code
from holdfast.heuristics.english import ENGLISH
from tests.requirements import requirement


@pytest.mark.parametrize(
    "text",
    [
        "Add a retry to the upload client",
        "please fix the flaky login test",
        "The build is red. Revert the last migration",
        "Context: payments\nImplement refunds for partial orders",
        "Now remove the feature flag!",
        "RENAME the module",
    ],
)
def test_a_sentence_that_starts_with_doing_is_a_task(text: str) -> None:
    assert ENGLISH.wording.is_task(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "How often do tokens rotate?",
        "Did we fix the flaky login test?",
        "Fix the flaky login test how?",
        "tokens",
        "What the team uses to deploy",
        "The address of the build server",
        "Addition is commutative",
        "令牌多久轮换一次",
        "🙂",
    ],
)
def test_a_question_or_a_topic_is_no_task(text: str) -> None:
    assert not ENGLISH.wording.is_task(text)


@requirement("recall.agent-words")
@pytest.mark.parametrize(
    "text",
    [
        "What did you recommend for the cache?",
        "which database was I told to avoid",
        "List the steps you gave me",
        "Remind me of your plan for the release",
        "What the assistant suggested about logging",
        "the advice on retries",
        "Which libraries were recommended?",
        "You\u2019ve already explained it once: how do leases work?",
    ],
)
def test_a_question_about_earlier_advice_asks_for_an_agents_words(text: str) -> None:
    assert ENGLISH.wording.asks_agent_words(text)


@requirement("recall.agent-words")
@pytest.mark.parametrize(
    "text",
    [
        "Summarize how the cache came to be",
        "Can you give me a summary of the migration?",
        "a recap of last week",
        "Please sum up the talks about pricing.",
    ],
)
def test_who_wants_the_whole_of_a_conversation_wants_the_agents_words_too(text: str) -> None:
    assert ENGLISH.wording.asks_agent_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "What is the sum of the parts?",
        "What would you recommend?",
        "Can you list the open ports?",
        "Where do tokens live?",
        "Who suggested Postgres?",
        "🙂",
    ],
)
def test_a_question_about_facts_does_not_ask_for_an_agents_words(text: str) -> None:
    assert not ENGLISH.wording.asks_agent_words(text)


@pytest.mark.parametrize(
    "text",
    [
        "def rotate(token):\n    return sign(token, key)\n",
        "import os\nfrom pathlib import Path\n",
        "fn main() {\n    let x = 1;\n}\n",
        "public int size() {\n  return items.length;\n}",
        "for item in items:\n    print(item)",
        'def paste():\n    """Return what was copied."""\n    kept = clipboard\n    kept + more',
        "@cached\nasync def rotate (key):\n    key",
        "class Key(Base):\n    a: int\n    b: int\n    c: int",
        "pub fn rotate<T>\n  where T: Key\n  a\n  b",
        "func (k Key) rotate\n  a\n  b",
        "async function rotate (key)\n  a\n  b\n  c",
    ],
)
def test_statements_look_like_code(text: str) -> None:
    assert looks_like_code(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n\n",
        "Tokens rotate hourly.",
        "We decided to return early.\nThe reasons are below.\nNobody objected to this at all.",
        "Class warfare: a history.",
        "Default keys (all of them) rotate hourly.",
        "Rotate tokens\n\nReplaying one revokes the family.",
    ],
)
def test_prose_does_not_look_like_code(text: str) -> None:
    assert not looks_like_code(text)
