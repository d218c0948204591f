"""The settings of supervised runs and of the specialists in them."""

from __future__ import annotations

from holdfast.adapters.machine.setting_values import (
    Setting,
    is_model_name,
    is_name,
    is_url,
    is_variable,
    one_of,
    whole,
)
from holdfast.domain.errors import InvalidError


def _is_precedence(value: str) -> bool:
    from holdfast.domain.roles.precedence import read_precedence

    try:
        read_precedence(value)
    except InvalidError:
        return False
    return True


def _specialist(role: str, work: str) -> Setting:
    return Setting(
        name=f"supervise.{role}",
        default="rules",
        meaning=f"who {work}: rules (no model), openai, or a plug-in",
        accepts=is_model_name,
        takes="rules, openai or the name of an entry point in holdfast.specialist",
    )


ROLE_SETTINGS = (
    Setting(
        name="supervise.branch",
        default="stop",
        meaning="what a supervised run does if its checkout is stale or changes, and nobody can be"
        " asked",
        accepts=one_of("stop", "continue", "fork"),
        takes="stop, continue or fork",
    ),
    Setting(
        name="supervise.budget",
        default="60",
        meaning="seconds that a supervised run may take",
        accepts=whole(1, 86_400),
        takes="a whole number from 1 to 86400",
    ),
    _specialist("curator", "chooses which findings of a curation are fixed"),
    _specialist("historian", "reads commits and conversations"),
    Setting(
        name="supervise.key_env",
        default="OPENAI_API_KEY",
        meaning="the environment variable with the key of the model that does the work of roles",
        accepts=is_variable,
        takes="the name of a variable",
    ),
    Setting(
        name="supervise.model",
        default="",
        meaning="the model that does the work of roles, where one of them is openai",
        accepts=is_name,
        takes="a name",
    ),
    _specialist("planner", "turns an intent into tasks"),
    Setting(
        name="supervise.precedence",
        default="",
        meaning="who decides where roles disagree; the usual order if empty",
        accepts=_is_precedence,
        takes="topics with roles in their order, as in 'task-done: executor, historian'",
    ),
    _specialist("recap", "writes the recap of a run"),
    Setting(
        name="supervise.tokens",
        default="8000",
        meaning="tokens that one question to the model of a role may have",
        accepts=whole(500, 1_000_000),
        takes="a whole number from 500 to 1000000",
    ),
    Setting(
        name="supervise.transcripts",
        default="on",
        meaning="read the transcripts of coding tools in a supervised run",
        accepts=one_of("on", "off"),
        takes="on or off",
    ),
    Setting(
        name="supervise.url",
        default="",
        meaning="where the model of the roles is, up to /v1; commits, tasks and turns are sent"
        " there",
        accepts=is_url,
        takes="an address that begins with https:// or http://",
    ),
)
