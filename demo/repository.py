"""Creates a small repository with something worth remembering."""

from __future__ import annotations

import subprocess
from pathlib import Path

TOKENS = '''"""Access and refresh tokens of the shop's API."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass, field

ACCESS_MINUTES = 15
REFRESH_DAYS = 30


@dataclass
class RefreshToken:
    """A token that can be exchanged once for a new pair."""

    value: str
    family: str
    issued_at: float
    used: bool = False


@dataclass
class TokenStore:
    """Keeps refresh tokens by value; a family is every token born of one login."""

    tokens: dict[str, RefreshToken] = field(default_factory=dict)

    def issue(self, family: str) -> RefreshToken:
        token = RefreshToken(secrets.token_urlsafe(32), family, time.time())
        self.tokens[token.value] = token
        return token

    def revoke_family(self, family: str) -> None:
        for token in self.tokens.values():
            if token.family == family:
                token.used = True


def rotate(store: TokenStore, value: str) -> RefreshToken:
    """Exchange a refresh token for a new one.

    A token that was used before is a stolen one: somebody holds a copy. Then
    the whole family is revoked, and both the thief and the owner must log in.
    """
    token = store.tokens.get(value)
    if token is None:
        raise PermissionError("unknown token")

    if token.used:
        store.revoke_family(token.family)
        raise PermissionError("token was used before; its family is revoked")

    if time.time() - token.issued_at > REFRESH_DAYS * 86_400:
        raise PermissionError("token has expired")

    token.used = True
    return store.issue(token.family)
'''


def make_repository(folder: Path, environment: dict[str, str]) -> Path:
    """Write the files and two commits; return the folder."""
    (folder / "src" / "auth").mkdir(parents=True)
    (folder / "README.md").write_text("# Shop\n\nAn API with logins.\n", encoding="utf-8")
    _git(folder, environment, "init", "--quiet", "--initial-branch", "main")
    _git(folder, environment, "config", "user.name", "Demo")
    _git(folder, environment, "config", "user.email", "demo@example.com")
    _commit(folder, environment, "Start the shop")
    (folder / "src" / "auth" / "tokens.py").write_text(TOKENS, encoding="utf-8")
    _commit(folder, environment, "Rotate refresh tokens")
    return folder


def _commit(folder: Path, environment: dict[str, str], subject: str) -> None:
    _git(folder, environment, "add", "--all")
    _git(folder, environment, "commit", "--quiet", "--message", subject)


def _git(folder: Path, environment: dict[str, str], *words: str) -> None:
    subprocess.run(["git", *words], cwd=folder, env=environment, check=True)
