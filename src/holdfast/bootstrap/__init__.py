"""Wiring: settings, then adapters, then the application."""
