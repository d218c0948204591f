"""Memory for agent frameworks, in a store of Holdfast.

Each module needs the package of its framework, which an extra installs: ``holdfast[langgraph]``.

- ``anthropic``: the memory tool of the Claude API
- ``langgraph``: a store, and a checkpointer
- ``mem0``: a client with the methods of mem0
- ``openai_agents``: sessions of the OpenAI Agents SDK
"""
