"""The memory service: stores of users, and ids that are UUIDs."""
