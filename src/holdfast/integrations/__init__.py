"""Memory for agent frameworks, in stores of Holdfast.

Each module needs the package of its framework, which an extra installs: ``holdfast[langgraph]``.

- ``agent_framework``: context and history for Microsoft's Agent Framework
- ``anthropic``: the memory tool of the Claude API
- ``crewai``: storage for CrewAI's memory
- ``google_adk``: the memory service of Google's ADK
- ``langgraph``: a store, and a checkpointer
- ``llama_index``: a memory block, and a chat store
- ``mem0``: a client with the methods of mem0, which needs no other package
- ``openai_agents``: sessions of the OpenAI Agents SDK
- ``pydantic_ai``: conversations of Pydantic AI
"""
