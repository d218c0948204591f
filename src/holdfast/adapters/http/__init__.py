"""Sends requests to servers on the network."""
