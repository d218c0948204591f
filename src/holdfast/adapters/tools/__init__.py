"""The files by which coding tools are told of us."""
