"""Files that usually hold secrets, by their names and by the start of a private key."""

from __future__ import annotations

import re

_NAMES = re.compile(
    r"""
    \.env(\..+)? | .+\.env | \.envrc(\..+)?                       # settings with passwords
  | id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)
  | \.(netrc|_netrc|pgpass|pypirc|npmrc|yarnrc|git-credentials|htpasswd|dockercfg|boto|s3cfg)
  | \.my\.cnf | \.vault-token | \.terraformrc
  | credentials(\.(json|ya?ml|toml|ini|xml|csv))? | client_secrets?.*\.json
  | service[-_]?account.*\.json | secrets?\.(json|ya?ml|toml|ini|env|txt)
  | terraform\.tfstate(\.backup)? | .+\.tfvars
    """,
    re.VERBOSE | re.IGNORECASE,
)
_KEYS = re.compile(r".+\.(pem|key|p12|pfx|p8|ppk|jks|keystore|kdbx|asc|gpg|ovpn)", re.IGNORECASE)
"""Keys and their stores: whatever stands before the ending, they are no samples."""
_SAMPLES = re.compile(
    r"""
    .*[.-](example|sample|template|dist|defaults?)
  | .*[.-](example|sample|template)\.(env|json|ya?ml|toml|ini|xml|csv|txt|tfvars)
  | .*\.pub
    """,
    re.VERBOSE | re.IGNORECASE,
)
_PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*\r?\n")
LOOKED_AT = 4_096
"""How many bytes at the start of a file are looked at."""


def is_secret_name(name: str) -> bool:
    """Return whether files of that name usually hold secrets; examples and templates do not.

    A key is a secret whatever its name begins with: ``www.example.com.key`` is no example.
    """
    if _KEYS.fullmatch(name) is not None:
        return True
    return _NAMES.fullmatch(name) is not None and _SAMPLES.fullmatch(name) is None


def holds_private_key(start: bytes) -> bool:
    """Return whether a file begins with a private key."""
    found = _PRIVATE_KEY.search(start)
    return found is not None and not start[: found.start()].strip()
