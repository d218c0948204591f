"""Let permissions count for root too, so that what is read-only is tested wherever tests run."""

from __future__ import annotations

import ctypes
import os

# Of linux/capability.h and linux/prctl.h.
_WRITES_ANYWHERE, _READS_ANYWHERE, _DROP_FOR_GOOD = 1, 2, 24


def drop_root_rights() -> None:
    """Drop the rights that let root ignore permissions, for the program that is started next.

    Somebody else than root has none of these rights.
    """
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for right in _WRITES_ANYWHERE, _READS_ANYWHERE:
            if libc.prctl(_DROP_FOR_GOOD, right, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "prctl")
