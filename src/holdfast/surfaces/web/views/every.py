"""All pages."""

from __future__ import annotations

from holdfast.surfaces.web.views import (
    deciding,
    graph,
    health,
    inbox,
    memory,
    search,
    timeline,
    work,
)

ROUTES = (
    *inbox.ROUTES,
    *deciding.ROUTES,
    *search.ROUTES,
    *memory.ROUTES,
    *timeline.ROUTES,
    *health.ROUTES,
    *work.ROUTES,
    *graph.ROUTES,
)
"""Every page; a new subject is one more module, and one more line here."""
