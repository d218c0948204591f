"""The door for coding tools' hooks: an event on stdin, text for the agent on stdout."""
