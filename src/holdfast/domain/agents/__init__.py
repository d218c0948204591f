"""Agents that outlive their processes: identity, cycles, proposals, results, namespaces."""
