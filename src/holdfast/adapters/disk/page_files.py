"""Tells whether a repository keeps pages, without reading any."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from holdfast.domain.pages.folders import MARKS, PAGES, PRIVATE_PAGES

if TYPE_CHECKING:
    from pathlib import Path


def keeps_pages(root: Path) -> bool:
    """Return whether a repository has the settings that 'init' writes, or a page that git keeps.

    An empty folder and private pages are left behind by a checkout of an older commit, which may
    know nothing of pages.
    """
    if any(os.path.lexists(root / one) for one in MARKS):
        return True
    return any(_has_page(str(root / folder)) for folder in PAGES)


def _has_page(folder: str, *, is_top: bool = True) -> bool:
    """Return whether a folder, or one directly in it, has a page.

    A link counts too: no link is followed, and a reader is told so.
    """
    try:
        with os.scandir(folder) as entries:
            return any(_is_page(entry, is_top=is_top) for entry in entries)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _is_page(entry: os.DirEntry[str], *, is_top: bool) -> bool:
    if entry.is_symlink():
        return True
    if entry.is_dir():
        return is_top and _has_page(entry.path, is_top=False)
    return entry.name.endswith(".md") and entry.name not in PRIVATE_PAGES
