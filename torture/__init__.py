"""Fault tools: they break processes, disks and files under Holdfast and check what is left.

``python -m torture all --short`` runs each of them briefly, ``--full`` at length. Every tool works
on its own store, records what was attempted and what was acknowledged, and compares the store with
that history after the fault.
"""
