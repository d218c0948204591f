"""A memory on a Holdfast server: requests, the outbox of writes that wait, and cached answers."""
