"""A client with the methods of mem0, whose memories are in stores of Holdfast.

Replace ``from mem0 import Memory`` by ``from holdfast.integrations.mem0 import Memory``. The
package of mem0 is not needed, and no model is called: what you add is kept word for word.

>>> memory = Memory()
>>> added = memory.add("Ada drinks green tea.", user_id="ada")
>>> memory.search("tea", user_id="ada")["results"][0]["memory"]
'Ada drinks green tea.'
"""

from __future__ import annotations

from holdfast.integrations.mem0.async_client import AsyncMemory
from holdfast.integrations.mem0.client import Memory

__all__ = ["AsyncMemory", "Memory"]
