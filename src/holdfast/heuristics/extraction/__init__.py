"""The rules that find decisions, rules and failures in conversations."""
