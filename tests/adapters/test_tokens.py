from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.adapters.tokens.estimate import EstimatedTokens
from holdfast.adapters.tokens.exact import ExactTokens, commit_ranges, is_installed
from holdfast.ports.recall.models import TokenCounter
from tests.requirements import requirement

if TYPE_CHECKING:
    from splintr import AnyTokenizer

PROSE = (
    "the deploy script waits for health check of every worker in cluster and then moves traffic"
    " over to them small steps while watching error budget token rotation hourly configuration"
)
SOURCE = Path(__file__).parents[2] / "src" / "holdfast"

needs_vocabulary = pytest.mark.skipif(not is_installed(), reason="needs holdfast[tokens]")


def sentences(seed: int) -> str:
    """Return prose that is the same in every run."""
    chance = random.Random(seed)  # noqa: S311 - chosen, not secret
    made = [" ".join(chance.choices(PROSE.split(), k=chance.randint(4, 16))) for _ in range(30)]
    return " ".join(f"{sentence.capitalize()}." for sentence in made)


EXACT = ExactTokens()
COUNTERS = [
    EstimatedTokens(),
    pytest.param(EXACT, marks=needs_vocabulary),
]


@cache
def vocabulary() -> AnyTokenizer:
    """Return the vocabulary itself, to count beside us."""
    tokenizer: AnyTokenizer = pytest.importorskip("splintr").Tokenizer.from_pretrained(
        ExactTokens.name
    )
    return tokenizer


@pytest.mark.parametrize("counter", COUNTERS)
def test_no_text_has_no_tokens(counter: TokenCounter) -> None:
    assert counter.count("") == 0


@pytest.mark.parametrize("counter", COUNTERS)
@given(text=st.text(st.characters(codec="utf-8")))
def test_a_count_is_never_negative_and_the_same_every_time(
    counter: TokenCounter, text: str
) -> None:
    assert counter.count(text) == counter.count(text) >= 0


@pytest.mark.parametrize("counter", COUNTERS)
@given(text=st.text("abc xyz 019 .,\n", min_size=1))
def test_more_text_never_has_fewer_tokens_by_much(counter: TokenCounter, text: str) -> None:
    assert counter.count(text + " more words") > counter.count(text) - len(text)


def test_the_counters_have_names_that_a_bundle_can_keep() -> None:
    assert (EstimatedTokens().name, ExactTokens().name) == ("estimate", "cl100k_base")


@requirement("bundle.never-over-budget")
@needs_vocabulary
@pytest.mark.parametrize("seed", range(5))
def test_the_estimate_of_prose_errs_by_a_tenth_at_most(seed: int) -> None:
    text = sentences(seed)

    estimated, exact = EstimatedTokens().count(text), ExactTokens().count(text)

    assert 0.95 * exact <= estimated <= 1.1 * exact


@needs_vocabulary
@pytest.mark.parametrize("page", ["recall", "candidates", "conflicts"])
def test_the_estimate_wastes_little_of_a_budget_on_prose(page: str) -> None:
    text = (SOURCE.parents[1] / "docs" / "explanation" / f"{page}.md").read_text(encoding="utf-8")

    estimated, exact = EstimatedTokens().count(text), ExactTokens().count(text)

    assert exact <= estimated <= 1.1 * exact


def test_a_name_is_estimated_dearer_than_a_common_word_of_its_length() -> None:
    assert EstimatedTokens().count("Higuchi " * 9) > EstimatedTokens().count("because " * 9)


@needs_vocabulary
@pytest.mark.parametrize("path", sorted(SOURCE.glob("usecases/*.py"))[1:6], ids=lambda p: p.name)
def test_the_estimate_of_code_leans_to_too_many(path: Path) -> None:
    text = path.read_text(encoding="utf-8")

    estimated, exact = EstimatedTokens().count(text), ExactTokens().count(text)

    assert exact <= estimated <= 1.4 * exact


@needs_vocabulary
@pytest.mark.parametrize(
    "text",
    [
        " ".join(str(number) for number in range(300)),
        "2026-11-15 12:00:00 port 8080 took 37 ms\n" * 20,
        '{"a": 1, "b": [1, 2, 3], "name": "value"}\n' * 10,
        "部署脚本等待集群中每个工作人员的健康检查，然后移动流量。" * 5,
        "Скрипт развертывания ждет проверки каждого узла. " * 4,
        "Die Bereitstellung wartet auf die Prüfung jedes Arbeiters. " * 4,
        "🙂🚀✨" * 20,
        "        value = other[1] + 2\n" * 20,
    ],
    ids=["numbers", "log", "json", "chinese", "russian", "german", "emoji", "indented"],
)
def test_the_estimate_of_other_texts_is_never_far_too_low(text: str) -> None:
    estimated, exact = EstimatedTokens().count(text), ExactTokens().count(text)

    assert 0.85 * exact <= estimated <= 1.6 * exact


JOINTS = st.sampled_from(
    [
        "\n",
        "\n\n",
        "\n   ",
        "\n  \n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "\t",
        "\x0b",
        "\x1c",
        "\x85",
        "\u2028",
    ]
    + [
        "\u00a0",
        "\u3000",
        "a",
        " word",
        "'s",
        "12",
        "1234",
        ".",
        ");",
        "- ",
        "日本",
        "🙂",
        "<|endoftext|>",
    ]
)


@needs_vocabulary
@given(parts=st.lists(JOINTS, max_size=20))
def test_the_stretches_of_a_text_count_as_much_as_the_whole(parts: list[str]) -> None:
    text = "".join(parts)

    assert "".join(commit_ranges(text)) == text
    assert EXACT.count(text) == len(vocabulary().encode(text))


@needs_vocabulary
def test_a_line_too_long_to_be_known_again_is_counted_too() -> None:
    text = "word " * 1_000

    assert EXACT.count(text) == len(vocabulary().encode(text))
