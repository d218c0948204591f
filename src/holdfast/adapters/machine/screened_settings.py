"""Rejects secrets in settings, because the settings file is plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.errors import BadFieldError
from holdfast.domain.gates.secrets import find_secrets

if TYPE_CHECKING:
    from holdfast.adapters.machine.setting_values import Setting

_VARIABLE, _ADDRESS = "_env", "url"
_NAME_THE_VARIABLE = (
    "Give the NAME of the environment variable that holds the key, such as OPENAI_API_KEY."
)
_KEEP_IT_OUT = (
    "Leave user names, passwords and keys out of the address, and put the key into the"
    " environment variable that {group}.key_env names."
)
_NO_SECRETS = "Settings are kept as plain text, so they hold no secrets."


def refuse_secret(setting: Setting, value: str) -> None:
    """Refuse a value that contains a secret.

    Raises:
        BadFieldError: It contains one; the message says what to give instead.
    """
    problem = _problem(setting.name, value)
    if problem is None:
        return
    instead = _NO_SECRETS
    if setting.name.endswith(_VARIABLE):
        instead = _NAME_THE_VARIABLE
    elif setting.name.endswith(_ADDRESS):
        instead = _KEEP_IT_OUT.format(group=setting.name.partition(".")[0])
    raise BadFieldError(
        field=f"setting {setting.name}", problem=f"{problem}. {instead} Nothing was written."
    )


def _problem(name: str, value: str) -> str | None:
    """Return what is wrong with a value, or None; the secret itself is not repeated."""
    found = find_secrets(value)
    if not found and name.endswith(_VARIABLE) and not _is_usual_variable(value):
        found = find_secrets(f'api_key = "{value}"')
    if found:
        return f"looks like a secret ({found[0].rule}, {found[0].masked})"
    if name.endswith(_ADDRESS) and _has_login(value):
        return "has a user name or a password before the host"
    return None


def _is_usual_variable(value: str) -> bool:
    """Return whether a name looks like an environment variable: capitals and underscores."""
    return value.isupper() and "_" in value


def _has_login(value: str) -> bool:
    authority = value.partition("://")[2].partition("/")[0]
    return "@" in authority
