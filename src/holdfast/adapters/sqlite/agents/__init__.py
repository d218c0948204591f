"""Agents: identities, cycles and namespaces."""
