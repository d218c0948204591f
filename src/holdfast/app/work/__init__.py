"""The use cases about work: runs, tasks, agents, roles and workspaces."""
