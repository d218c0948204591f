"""Plug-ins, and the adapters around a folder."""
