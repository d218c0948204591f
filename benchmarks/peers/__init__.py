"""Compares Holdfast with other stores: the same texts, the same vectors, one run, one machine."""
