"""Roles: a supervisor hands the steps of a run to specialists, and writes what came of them."""
