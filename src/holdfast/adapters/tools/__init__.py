"""Installs Holdfast into the settings and instruction files of coding tools."""
