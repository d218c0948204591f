"""Let permissions count for root too, so that what is read-only is tested wherever tests run."""

from __future__ import annotations

import ctypes
import os

# Of linux/capability.h and linux/prctl.h.
_WRITES_ANYWHERE, _READS_ANYWHERE, _DROP_FOR_GOOD = 1, 2, 24


def let_go_of_roots_rights() -> None:
    """Give up what lets root pass permissions, for the program that is started next.

    Whoever is not root has nothing to let go of.
    """
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        for right in _WRITES_ANYWHERE, _READS_ANYWHERE:
            if libc.prctl(_DROP_FOR_GOOD, right, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "prctl")
