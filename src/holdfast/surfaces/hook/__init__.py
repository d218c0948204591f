"""The door for other programs' hooks: an event on stdin, what the agent should know on stdout."""
