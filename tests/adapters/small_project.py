"""A small repository of code that the tests of searching ask about."""

from __future__ import annotations

from pathlib import Path

from holdfast.adapters.code.index.index import GitCodeIndex
from holdfast.bootstrap.plugs.code import code_index
from tests.adapters.test_repository import git

FILES = {
    "src/shop/tokens.py": '''"""Tokens that let people in."""

from shop.clock import now
from shop.vault import keep


class TokenStore:
    """Holds tokens until they expire."""

    def rotate(self, token):
        """Give out a new token and revoke the old one."""
        self.revoke(token)
        return issue(now())

    def revoke(self, token):
        keep(token, None)


def issue(moment):
    return f"token {moment}"
''',
    "src/shop/clock.py": '''"""The clock: what time it is."""


def now():
    return 12


def wait_until(moment):
    while now() < moment:
        pass
''',
    "src/shop/vault.py": '''"""Where secrets are kept."""


def keep(name, value):
    check(name)
    return (name, value)


def check(name):
    if not name:
        raise ValueError("a secret without a name")
''',
    "src/shop/checkout/basket.py": '''"""Baskets of people who buy."""

from shop.tokens import TokenStore


class BasketTotal:
    def add_item(self, price):
        self.price_with_tax = price * 1.2
        return self.price_with_tax


def pay(store: TokenStore, basket):
    store.rotate(basket)
''',
    "src/shop/checkout/prices.py": '''"""What things cost."""


def check(price):
    return price > 0
''',
    "web/cart.ts": """import { total } from './total';

export function renderCart(items: string[]): string {
  return formatMoney(total(items));
}

function formatMoney(amount: number): string {
  return `${amount} €`;
}
""",
    "web/total.ts": """export function total(items: string[]): number {
  return items.length;
}
""",
    "manage.py": "def run():\n    return start()\n",
    "README.md": "# Shop\n\n## Paying\n\nA basket is paid with a token.\n",
}


class Project:
    """A working tree and the index of it."""

    def __init__(self, folder: Path, files: dict[str, str]) -> None:
        self.root = folder / "shop"
        self.root.mkdir()
        git(self.root, "init", "-q")
        for path, text in files.items():
            self.write(path, text)
        self.index: GitCodeIndex = code_index(home=folder / "home", folder=self.root)

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")
