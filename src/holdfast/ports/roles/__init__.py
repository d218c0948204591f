"""Interfaces of the roles: specialists, what they read, and the commands that may run."""
