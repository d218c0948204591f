"""The settings of pruning, and the policy that they describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from holdfast.adapters.machine.setting_values import Setting
from holdfast.domain.errors import InvalidError

if TYPE_CHECKING:
    from holdfast.domain.care.pruning import PrunePolicy

_YES = "yes"


def _is_read(read: Callable[[str], object]) -> Callable[[str], bool]:
    def accepts(value: str) -> bool:
        try:
            read(value)
        except InvalidError:
            return False
        return True

    return accepts


def _durations(text: str) -> object:
    from holdfast.domain.care.pruning import read_durations

    return read_durations(text)


def _relevance(text: str) -> object:
    from holdfast.domain.care.pruning import read_relevance

    return read_relevance(text)


def _kept(text: str) -> object:
    from holdfast.domain.care.pruning import read_kept

    return read_kept(text)


def _grace(text: str) -> object:
    from holdfast.domain.errors import BadLifetimeError
    from holdfast.domain.memory.lifetime import read_lifetime

    found = read_lifetime(text)
    if found is None:
        raise BadLifetimeError(text)
    return found


def _lifetime(text: str) -> object:
    from holdfast.domain.memory.lifetime import read_lifetime

    return read_lifetime(text)


def _is_percent(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= len("100") and int(value) <= 100  # noqa: PLR2004 - percent


PRUNING: tuple[Setting, ...] = (
    Setting(
        name="prune.max_age",
        default="never, short-term=90d",
        meaning="age after which a memory without a lifetime is pruned, by kind and namespace",
        accepts=_is_read(_durations),
        takes="a time such as 365d or never, and more for kinds and namespaces: fact=730d",
    ),
    Setting(
        name="prune.unused_for",
        default="365d, observation=180d",
        meaning="time without being in an answer after which a memory is pruned",
        accepts=_is_read(_durations),
        takes="a time such as 365d or never, and more for kinds and namespaces: fact=730d",
    ),
    Setting(
        name="prune.min_relevance",
        default="0.2",
        meaning="relevance (importance and ratings) below which a memory is pruned",
        accepts=_is_read(_relevance),
        takes="a number from 0 to 1, and more for kinds and namespaces: observation=0.3",
    ),
    Setting(
        name="prune.duplicates",
        default=_YES,
        meaning="prune all but the best of memories that say nearly the same: yes or no",
        accepts=lambda value: value in {_YES, "no"},
        takes="yes or no",
    ),
    Setting(
        name="prune.keep",
        default="",
        meaning="what is never pruned: kinds, namespaces and tags, separated by commas",
        accepts=_is_read(_kept),
        takes="names such as plan, release-notes",
    ),
    Setting(
        name="prune.grace",
        default="30d",
        meaning="time between the deprecation of a pruned memory and its removal",
        accepts=_is_read(_grace),
        takes="a time such as 30d",
    ),
    Setting(
        name="prune.most",
        default="20",
        meaning="percent of all memories that one run may change; if more are due, it changes"
        " none without --force",
        accepts=_is_percent,
        takes="a whole number from 0 to 100",
    ),
    Setting(
        name="session.said_for",
        default="90d",
        meaning="time for which what was said in sessions is kept; 'prune' and new turns remove"
        " what is older",
        accepts=_is_read(_lifetime),
        takes="a time such as 90d, or never",
    ),
)


def prune_policy(value: Callable[[str], str]) -> PrunePolicy:
    """Return the policy of the settings; ``value`` returns the text of a setting."""
    from holdfast.domain.care.pruning import (
        PrunePolicy,
        read_durations,
        read_kept,
        read_relevance,
    )
    from holdfast.domain.memory.lifetime import GRACE, read_lifetime

    said: Mapping[str, str] = {one.name: value(one.name) for one in PRUNING}
    return PrunePolicy(
        max_age=read_durations(said["prune.max_age"]),
        unused_for=read_durations(said["prune.unused_for"]),
        min_relevance=read_relevance(said["prune.min_relevance"]),
        finds_duplicates=said["prune.duplicates"] == _YES,
        keep=read_kept(said["prune.keep"]),
        grace=read_lifetime(said["prune.grace"]) or GRACE,
        most=int(said["prune.most"]),
        said_for=read_lifetime(said["session.said_for"]),
        keeps_said=value("session.said") == "on",
    )
