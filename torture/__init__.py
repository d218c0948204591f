"""Fault tools: they break processes, disks and files under Holdfast and judge what is left.

``python -m torture all --short`` runs each of them for a moment, ``--full`` at length.
Every tool works on a store of its own, keeps a history of what was tried and what was
acknowledged, and compares the store with that history after the fault.
"""
