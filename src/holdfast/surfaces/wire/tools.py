"""The program itself as JSON: coding tools, git hooks, settings, verbs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.domain.fields import time_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Protocol

    from holdfast.bootstrap.hooks.hooks import Hook
    from holdfast.bootstrap.machine.tools import FileChange, ToolStatus
    from holdfast.domain.memory.place import Place
    from holdfast.domain.review.curation import StoreFacts

    Json = dict[str, object]

    class ShownSetting(Protocol):
        """A setting of the program."""

        @property
        def name(self) -> str:
            """Its name."""

        @property
        def default(self) -> str:
            """Its default value."""

        @property
        def meaning(self) -> str:
            """Its purpose."""

        @property
        def takes(self) -> str:
            """Its allowed values."""


def changes_json(changed: Iterable[FileChange], *, is_dry: bool) -> Json:
    """Return the changes in the settings of coding tools."""
    shapes = [
        {
            "tool": one.tool,
            "part": one.part.value,
            "path": None if one.path is None else str(one.path),
            "done": one.done,
            "reason": one.reason,
        }
        for one in changed
    ]
    return {"changes": shapes, "dry_run": is_dry}


def tools_json(found: Iterable[ToolStatus]) -> Json:
    """Return the coding tools, and which of their parts are connected."""
    return {"tools": [_tool_json(one) for one in found]}


def _tool_json(status: ToolStatus) -> Json:
    return {
        "tool": status.tool,
        "title": status.title,
        "found": status.found or None,
        "parts": {
            one.part.value: {
                "state": one.state.value,
                "scopes": [scope.value for scope in one.scopes],
                "paths": [str(path) for path in one.paths],
            }
            for one in status.parts
        },
        "notes": list(status.notes),
        "last_hook": time_text(status.seen_at),
        "last_failure": status.failed or None,
    }


def plugin_json(folder: Path, written: Iterable[Path], *, is_dry: bool) -> Json:
    """Return the files of a plug-in that were written."""
    return {"folder": str(folder), "written": [str(one) for one in written], "dry_run": is_dry}


def hooks_json(found: Sequence[Hook]) -> Json:
    """Return the git hooks of a clone."""
    shapes = [
        {
            "event": hook.event,
            "path": str(hook.path),
            "state": hook.state.value,
            "chained": hook.is_chained,
        }
        for hook in found
    ]
    return {"folder": str(found[0].path.parent), "hooks": shapes}


def setting_json(name: str, value: str, *, origin: str) -> Json:
    """Return a setting, and the source of its value."""
    return {"name": name, "value": value, "from": origin}


def settings_json(found: Iterable[tuple[ShownSetting, str, str]]) -> Json:
    """Return every setting with its value, the source of the value, and its purpose."""
    shapes = [
        {
            **setting_json(setting.name, value, origin=origin),
            "default": setting.default,
            "meaning": setting.meaning,
            "takes": setting.takes,
        }
        for setting, value, origin in found
    ]
    return {"settings": shapes}


def ready_json(facts: StoreFacts, place: Place, **more: object) -> Json:
    """Return the store, the place it is seen from, and other facts."""
    return {
        "store": facts.location,
        "schema": facts.schema,
        "repo": place.repo,
        "branch": place.branch,
        "workspace": place.workspace,
        **more,
    }


def settings_path_json(path: str) -> Json:
    """Return the path of the settings file."""
    return {"path": path}


def changed_hooks_json(changed: Iterable[Hook], *, done: str, is_dry: bool) -> Json:
    """Return the git hooks that were installed or removed."""
    return {done: [hook.event for hook in changed], "dry_run": is_dry}


def noted_json(event: str) -> Json:
    """Return the git event that was recorded."""
    return {"event": event}


def completion_json(shell: str, script: str) -> Json:
    """Return the completion script of a shell."""
    return {"shell": shell, "script": script}


def verbs_json(verbs: Mapping[str, str]) -> Json:
    """Return every verb with one line about it."""
    return {"verbs": dict(verbs)}


def version_json(version: str) -> Json:
    """Return the version of the program."""
    return {"version": version}
