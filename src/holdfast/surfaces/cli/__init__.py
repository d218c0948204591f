"""The command line: ``holdfast VERB``."""
