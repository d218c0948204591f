"""Calls about encryption keys, which are on the machine of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.app.encryption import EncryptionPart

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from holdfast.bootstrap.remote.asking import Asking

_KEYS_ARE_THERE = "its encryption keys are on that machine"


def _refused(name: str) -> Callable[..., NoReturn]:
    """Return a call of that name that is refused."""

    def refuse(at: Asking, *_: object, **__: object) -> NoReturn:
        raise at.refused(_KEYS_ARE_THERE)

    refuse.__name__ = name
    return refuse


_LOOK = ("known_keys", "check")
_CHANGE = ("create", "add", "use", "rotate", "remove", "encrypt_store", "decrypt_store", "protect")
PARTS = {EncryptionPart: tuple(map(_refused, (*_LOOK, *_CHANGE)))}
