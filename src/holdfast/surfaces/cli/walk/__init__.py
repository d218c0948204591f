"""Reviewing candidates one by one with single keys."""
