"""LangGraph's long-term store and checkpointer, in a store of Holdfast.

>>> store = HoldfastStore()
>>> store.put(("users", "ada"), "tea", {"text": "Ada drinks green tea."})
>>> store.get(("users", "ada"), "tea").value
{'text': 'Ada drinks green tea.'}
"""

from __future__ import annotations

from holdfast.integrations.langgraph.checkpoints import HoldfastSaver
from holdfast.integrations.langgraph.store import HoldfastStore

__all__ = ["HoldfastSaver", "HoldfastStore"]
