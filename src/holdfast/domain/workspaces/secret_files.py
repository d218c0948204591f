"""Files that usually hold secrets, by their names and by the start of a private key."""

from __future__ import annotations

import re

_NAMES = re.compile(
    r"""
    \.env(\..+)? | .+\.env                                       # settings with passwords
  | .+\.(pem|key|p12|pfx|p8|ppk|jks|keystore|kdbx|asc|gpg|ovpn)  # keys and their stores
  | id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)
  | \.(netrc|_netrc|pgpass|pypirc|npmrc|yarnrc|git-credentials|htpasswd|dockercfg|boto|s3cfg)
  | \.my\.cnf | \.vault-token | \.terraformrc
  | credentials(\.(json|ya?ml|toml|ini|xml|csv))? | client_secrets?.*\.json
  | service[-_]?account.*\.json | secrets?\.(json|ya?ml|toml|ini|env|txt)
  | terraform\.tfstate(\.backup)? | .+\.tfvars
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SAMPLES = re.compile(
    r".*[.-](example|sample|template|dist|defaults?)(\..+)?|.*\.pub", re.IGNORECASE
)
_PRIVATE_KEY = re.compile(rb"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*\r?\n")
LOOKED_AT = 4_096
"""How many bytes at the start of a file are looked at."""


def is_secret_name(name: str) -> bool:
    """Return whether files of that name usually hold secrets; examples and templates do not."""
    return _NAMES.fullmatch(name) is not None and _SAMPLES.fullmatch(name) is None


def holds_private_key(start: bytes) -> bool:
    """Return whether a file begins with a private key."""
    found = _PRIVATE_KEY.search(start)
    return found is not None and not start[: found.start()].strip()
