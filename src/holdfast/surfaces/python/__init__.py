"""The Python API: ``holdfast.open()``."""
