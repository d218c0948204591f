"""Tests of a memory on a Holdfast server, as its clients use it."""
