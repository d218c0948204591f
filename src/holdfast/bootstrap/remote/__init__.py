"""A memory on a Holdfast server: the calls of the application, carried out over HTTP."""
