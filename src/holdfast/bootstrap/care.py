"""The care of a memory joined to the file where its health is noted."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from holdfast.app import Holdfast
    from holdfast.app.care import Care


def care_of(memory: Holdfast, home: Path | None) -> Care:
    """Return the care of an open memory."""
    from pathlib import Path

    from holdfast.adapters.machine.folders import data_folder_name
    from holdfast.adapters.machine.health_log import HEALTH_FILE, HealthFile
    from holdfast.app.care import Care

    folder = Path(data_folder_name("" if home is None else str(home)))
    return Care(memory, log=HealthFile(folder / HEALTH_FILE))
